//! A pseudo-terminal that says when it was written to.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use frontdesk_tests::Pty;
use frontdesk_tests::pty::Keyboard;
use portable_pty::{Child, CommandBuilder, MasterPty};
use vt100::Parser;

/// Longer than anything that the test waits for.
const PATIENCE: Duration = Duration::from_secs(30);
/// What is not on the screen after this many frames does not come.
const MOST_FRAMES: usize = 1_000;
/// How the program ends a frame: what the terminal got is shown now.
const END: &[u8] = b"\x1b[?2026l";

/// A program in a terminal. It is killed when this is dropped.
pub(crate) struct Tty {
    /// Keeps the terminal open.
    _master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
    keyboard: Keyboard,
    /// What was written, with the time at which it was there.
    output: Receiver<(Instant, Vec<u8>)>,
    started: Instant,
    /// What was read and not looked at yet.
    unread: Vec<u8>,
    /// The text of the screen.
    parser: Parser,
}

/// A frame that was drawn.
#[derive(Debug)]
pub(crate) struct Frame {
    /// When the last of it was there.
    pub(crate) at: Instant,
    pub(crate) bytes: usize,
}

impl Tty {
    /// Starts a program in a terminal of this many columns and rows.
    pub(crate) fn start(command: CommandBuilder, (columns, rows): (u16, u16)) -> Tty {
        let pty = Pty::open(columns, rows);
        let started = Instant::now();
        let child = pty.slave.spawn_command(command).expect("it starts");
        Tty {
            _master: pty.master,
            child,
            keyboard: pty.keyboard,
            output: pty.output,
            started,
            unread: Vec::new(),
            parser: Parser::new(rows, columns, 0),
        }
    }

    /// When the program was started.
    pub(crate) fn started(&self) -> Instant {
        self.started
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.process_id().expect("it runs")
    }

    /// Types a text, as the keyboard sends it.
    pub(crate) fn type_text(&mut self, text: &str) {
        self.keyboard.type_text(text);
    }

    /// Waits for the next frame.
    pub(crate) fn frame(&mut self) -> Frame {
        let mut at = Instant::now();
        loop {
            let end = self.unread.windows(END.len()).position(|end| end == END);
            if let Some(end) = end {
                let rest = self.unread.split_off(end + END.len());
                let frame = std::mem::replace(&mut self.unread, rest);
                self.parser.process(&frame);
                return Frame {
                    at,
                    bytes: frame.len(),
                };
            }
            match self.output.recv_timeout(PATIENCE) {
                Ok((time, chunk)) => {
                    at = time;
                    self.unread.extend(chunk);
                }
                Err(error) => panic!("no frame: {error}\n{}", self.parser.screen().contents()),
            }
        }
    }

    /// Waits for the frame with which this text is on the screen.
    pub(crate) fn frame_with(&mut self, text: &str) -> Frame {
        for _ in 0..MOST_FRAMES {
            let frame = self.frame();
            if self.parser.screen().contents().contains(text) {
                return frame;
            }
        }
        panic!(
            "no {text} on the screen:\n{}",
            self.parser.screen().contents()
        );
    }

    /// Waits until nothing was written for so long.
    pub(crate) fn until_quiet(&mut self, quiet: Duration) {
        while self.read(quiet).is_some() {}
    }

    /// How many bytes are written within this time.
    pub(crate) fn listen(&mut self, time: Duration) -> usize {
        let end = Instant::now() + time;
        let mut bytes = 0;
        while let Some(left) = end.checked_duration_since(Instant::now()) {
            bytes += self.read(left).unwrap_or_default();
        }
        bytes
    }

    /// Reads what is written within this time, if anything is; says how much.
    fn read(&mut self, time: Duration) -> Option<usize> {
        self.parser.process(&std::mem::take(&mut self.unread));
        match self.output.recv_timeout(time) {
            Ok((_, chunk)) => {
                self.parser.process(&chunk);
                Some(chunk.len())
            }
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => panic!("it ended"),
        }
    }
}

impl Drop for Tty {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
