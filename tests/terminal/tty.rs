//! A terminal: a pseudo-terminal and its screen.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use frontdesk_tests::Pty;
use frontdesk_tests::pty::size;
use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty};
use rustix::process::{Pid, Signal, kill_process};
use vt100::{Parser, Screen};

/// Longer than anything that the test waits for.
const PATIENCE: Duration = Duration::from_secs(120);
/// The text of the screen before the program was started.
const BEFORE: &str = "$ frontdesk";

/// A terminal in which a program runs.
pub(crate) struct Tty {
    pty: Pty,
    child: Box<dyn Child + Send + Sync>,
    parser: Parser,
    /// The settings of the line before the program was started.
    before: String,
    /// Whether the program has asked for the background.
    pub(crate) asks_background: bool,
}

impl Tty {
    /// Starts a program in a terminal of 80 by 24.
    pub(crate) fn start(command: CommandBuilder) -> Tty {
        Tty::start_in(command, 80, 24)
    }

    /// Starts a program in a terminal that has this size, as far as the system says.
    pub(crate) fn start_in(command: CommandBuilder, columns: u16, rows: u16) -> Tty {
        let pty = Pty::open(columns, rows);
        let (columns, rows) = (80, 24);
        let before = settings(pty.master.as_ref());
        let mut parser = Parser::new(rows, columns, 0);
        parser.process(format!("{BEFORE}\r\n").as_bytes());
        let child = pty.slave.spawn_command(command).expect("it starts");
        Tty {
            pty,
            child,
            parser,
            before,
            asks_background: false,
        }
    }

    /// The text of the screen.
    pub(crate) fn screen(&self) -> &Screen {
        self.parser.screen()
    }

    /// Types a text, as the keyboard sends it.
    pub(crate) fn type_text(&mut self, text: &str) {
        self.pty.keyboard.type_text(text);
    }

    /// Waits until the screen holds this text, which may be wrapped.
    pub(crate) fn wait_for(&mut self, text: &str) {
        self.wait(text, |screen| {
            let contents = screen.contents();
            let words: Vec<_> = contents.split_whitespace().collect();
            contents.contains(text) || words.join(" ").contains(text)
        });
    }

    /// Waits until the screen is like this.
    pub(crate) fn wait(&mut self, what: &str, is: impl Fn(&Screen) -> bool) {
        while !is(self.screen()) {
            match self.pty.output.recv_timeout(PATIENCE) {
                Ok((_, chunk)) => {
                    self.asks_background |= chunk.windows(6).any(|part| part == b"\x1b]11;?");
                    self.parser.process(&chunk);
                }
                Err(RecvTimeoutError::Timeout) => {
                    panic!("no {what}:\n{}", self.screen().contents())
                }
                Err(RecvTimeoutError::Disconnected) => {
                    panic!(
                        "it ended before there was {what}:\n{}",
                        self.screen().contents()
                    )
                }
            }
        }
    }

    /// Writes this onto the screen, as another program does.
    pub(crate) fn disturb(&mut self, text: &str) {
        self.parser.process(text.as_bytes());
    }

    /// Changes the size of the window.
    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        let resized = self.pty.master.resize(size(columns, rows));
        resized.expect("another size");
        self.parser.screen_mut().set_size(rows, columns);
    }

    /// Sends the program a signal.
    pub(crate) fn signal(&self, signal: Signal) {
        let id = self.child.process_id().expect("it runs");
        let id = i32::try_from(id)
            .ok()
            .and_then(Pid::from_raw)
            .expect("a process");
        kill_process(id, signal).expect("is sent");
    }

    /// Whether the line hands over every key as it comes, without echo.
    pub(crate) fn is_raw(&self) -> bool {
        settings(self.pty.master.as_ref()) != self.before
    }

    /// Waits for the program's end. The terminal must have its previous settings.
    pub(crate) fn end(self) -> ExitStatus {
        let Tty {
            pty,
            mut child,
            mut parser,
            before,
            ..
        } = self;
        let mut killer = child.clone_killer();
        let (ended, end) = channel();
        thread::spawn(move || ended.send(child.wait()));
        // A thread reads the rest of its output meanwhile.
        let status = match end.recv_timeout(PATIENCE) {
            Ok(status) => status.expect("a status"),
            Err(_) => {
                let _ = killer.kill();
                panic!("it does not end:\n{}", parser.screen().contents());
            }
        };
        let after = settings(pty.master.as_ref());
        drop((pty.slave, pty.keyboard));
        for (_, chunk) in pty.output {
            parser.process(&chunk);
        }
        let screen = parser.screen();
        assert_eq!(after, before, "the line's settings");
        assert!(
            !screen.alternate_screen(),
            "another screen:\n{}",
            screen.contents()
        );
        assert!(!screen.hide_cursor(), "no cursor");
        assert!(!screen.bracketed_paste(), "pastes are marked");
        assert!(
            !screen.application_keypad() && !screen.application_cursor(),
            "other keys"
        );
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        assert!(
            screen.contents().starts_with(BEFORE),
            "lost:\n{}",
            screen.contents()
        );
        status
    }
}

/// The settings of the line: echo, line by line, signals.
fn settings(master: &dyn MasterPty) -> String {
    format!("{:?}", master.get_termios().expect("the line's settings"))
}
