//! Reading a password without showing it.

use std::io::{self, BufRead, Write};

use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, read};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use frontdesk_client::Secret;

/// One line of stdin.
pub(super) fn from_stdin() -> io::Result<Secret> {
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    Ok(Secret::new(line.trim_end_matches(['\r', '\n'])))
}

/// Asks at the terminal.
pub(super) fn ask(prompt: &str) -> io::Result<Secret> {
    let mut stderr = io::stderr();
    write!(stderr, "{prompt}")?;
    stderr.flush()?;
    enable_raw_mode()?;
    let typed = type_in();
    let restored = disable_raw_mode();
    writeln!(stderr)?;
    restored?;
    typed.map(Secret::new)
}

fn type_in() -> io::Result<String> {
    let mut typed = String::new();
    loop {
        let Event::Key(key) = read()? else { continue };
        if key.kind == KeyEventKind::Release {
            continue;
        }
        let is_ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Enter => return Ok(typed),
            KeyCode::Char('c' | 'd') if is_ctrl => {
                return Err(io::ErrorKind::Interrupted.into());
            }
            KeyCode::Char('u') if is_ctrl => typed.clear(),
            KeyCode::Char(char) if !is_ctrl => typed.push(char),
            KeyCode::Backspace => drop(typed.pop()),
            _ => {}
        }
    }
}
