//! The real terminal: taken at the start, and returned at the end in any case.

mod clusters;
mod page;

use std::io::{self, Write, stdout};
use std::process::{Command, Stdio};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute, queue};
use ratatui::backend::CrosstermBackend;
use ratatui::{Frame, Terminal};

use self::clusters::{Apart, Rows};
use self::page::Page;

/// The question for the terminal's background (OSC 11).
pub(crate) const ASK_BACKGROUND: &str = "\x1b]11;?\x1b\\";

/// The terminal. Dropping it returns it to the shell.
pub(crate) struct Screen {
    terminal: Terminal<Apart<CrosstermBackend<Page>>>,
    page: Page,
    rows: Rows,
    /// Whether the app takes the mouse.
    mouse: bool,
}

impl Screen {
    /// Takes the terminal, with its mouse if asked.
    pub(crate) fn take(mouse: bool) -> io::Result<Self> {
        restore_on_panic();
        let page = Page::default();
        let terminal = Terminal::new(Apart(CrosstermBackend::new(page.clone())))?;
        enter(mouse)?;
        Ok(Screen {
            mouse,
            terminal,
            page,
            rows: Rows::default(),
        })
    }

    /// Draws a frame atomically.
    pub(crate) fn draw(&mut self, view: impl FnOnce(&mut Frame)) -> io::Result<()> {
        queue!(self.page, BeginSynchronizedUpdate)?;
        let rows = &mut self.rows;
        let whole = |frame: &mut Frame| {
            view(frame);
            rows.mark(frame.buffer_mut());
        };
        let drawn = self.terminal.draw(whole).map(drop);
        queue!(self.page, EndSynchronizedUpdate)?;
        self.page.send(&mut stdout())?;
        drawn
    }

    /// Copies a text to the clipboard with an escape sequence (OSC 52), which also works remotely.
    /// Terminals do not report whether they support it.
    pub(crate) fn copy(&mut self, text: &str) -> io::Result<()> {
        let mut output = stdout();
        output.write_all(clipboard(text).as_bytes())?;
        output.flush()?;
        give_to_system(text.to_owned());
        Ok(())
    }

    /// Asks for the background. A terminal that does not know the question does nothing.
    pub(crate) fn ask_background(&mut self) -> io::Result<()> {
        let mut output = stdout();
        output.write_all(ASK_BACKGROUND.as_bytes())?;
        output.flush()
    }

    /// Rings the bell.
    pub(crate) fn ring(&mut self) -> io::Result<()> {
        let mut output = stdout();
        output.write_all(b"\x07")?;
        output.flush()
    }

    /// Retakes the terminal after another program used it; the next frame is drawn completely.
    pub(crate) fn retake(&mut self) -> io::Result<()> {
        enter(self.mouse)?;
        self.redraw()
    }

    /// Clears the terminal; the next frame is drawn completely.
    pub(crate) fn redraw(&mut self) -> io::Result<()> {
        // Not `clear`, which queries the cursor position and waits for the answer.
        self.page.forget();
        let size = self.terminal.size()?;
        self.terminal.resize(size.into())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// The escape sequence that copies a text to the clipboard.
fn clipboard(text: &str) -> String {
    format!("\x1b]52;c;{}\x07", BASE64_STANDARD.encode(text))
}

/// Gives a text to the clipboard program of this desktop, for terminals that let no program copy.
/// Over SSH the clipboard would be that of another machine.
pub(super) fn give_to_system(text: String) {
    let has = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let command: &[&str] = if has("SSH_CONNECTION") {
        return;
    } else if cfg!(target_os = "macos") {
        &["pbcopy"]
    } else if cfg!(windows) {
        &["clip"]
    } else if has("WAYLAND_DISPLAY") {
        &["wl-copy"]
    } else if has("DISPLAY") {
        &["xclip", "-selection", "clipboard"]
    } else {
        return;
    };
    let mut program = Command::new(command[0]);
    program.args(&command[1..]).stdin(Stdio::piped());
    program.stdout(Stdio::null()).stderr(Stdio::null());
    // Without the program, the terminal's own clipboard has to do.
    std::thread::spawn(move || {
        if let Ok(mut child) = program.spawn() {
            let written = child
                .stdin
                .take()
                .map(|mut input| input.write_all(text.as_bytes()));
            tracing::debug!(?written, "the clipboard program");
            let _ = child.wait();
        }
    });
}

fn enter(mouse: bool) -> io::Result<()> {
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, EnableBracketedPaste)?;
    match mouse {
        true => execute!(stdout(), EnableMouseCapture),
        false => Ok(()),
    }
}

/// Returns the terminal to the shell. Errors cannot be handled here.
pub(crate) fn give_back() {
    let _ = execute!(
        stdout(),
        EndSynchronizedUpdate,
        DisableMouseCapture,
        DisableBracketedPaste,
        LeaveAlternateScreen,
        cursor::Show
    );
    let _ = disable_raw_mode();
}

/// A panic of this thread returns the terminal before it is reported. A panic of another thread
/// only ends its work: the screen stays, and the report goes to the log.
fn restore_on_panic() {
    let screen_thread = std::thread::current().id();
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if std::thread::current().id() == screen_thread {
            give_back();
            report(panic);
        } else {
            tracing::error!(%panic, "a task panicked");
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_copied_cannot_end_the_command_that_copies_it() {
        let command = clipboard("Zoë\x07\x1b[2J");
        let inside = command
            .strip_prefix("\x1b]52;c;")
            .and_then(|rest| rest.strip_suffix('\x07'))
            .expect("is the command");
        assert_eq!(inside, "Wm/DqwcbWzJK");
    }
}
