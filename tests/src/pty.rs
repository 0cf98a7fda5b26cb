//! A pseudo-terminal, in place of keyboard and screen.

use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Instant;

use portable_pty::{MasterPty, PtySize, SlavePty, native_pty_system};

/// A pseudo-terminal, at first without a program.
pub struct Pty {
    /// The test's side.
    pub master: Box<dyn MasterPty + Send>,
    /// The program's side. While it is open, the terminal stays open after the program has ended,
    /// as in a shell.
    pub slave: Box<dyn SlavePty + Send>,
    /// The keyboard's input.
    pub keyboard: Keyboard,
    /// The program's output, with its time of arrival. It ends with the terminal.
    pub output: Receiver<(Instant, Vec<u8>)>,
}

impl Pty {
    /// Opens a terminal of this size.
    ///
    /// # Panics
    ///
    /// If the system has none left.
    pub fn open(columns: u16, rows: u16) -> Pty {
        let pair = native_pty_system()
            .openpty(size(columns, rows))
            .expect("a pseudo-terminal");
        let mut reader = pair.master.try_clone_reader().expect("its output");
        let keyboard = Keyboard(pair.master.take_writer().expect("its keyboard"));
        let (chunks, output) = channel();
        thread::spawn(move || {
            let mut chunk = [0; 1 << 16];
            // An error is the end: no process has the terminal open any more.
            while let Ok(length @ 1..) = reader.read(&mut chunk) {
                let at = Instant::now();
                if chunks.send((at, chunk[..length].to_vec())).is_err() {
                    return;
                }
            }
        });
        Pty {
            master: pair.master,
            slave: pair.slave,
            keyboard,
            output,
        }
    }
}

/// The size of a terminal of this many columns and rows.
pub fn size(columns: u16, rows: u16) -> PtySize {
    PtySize {
        rows,
        cols: columns,
        pixel_width: 0,
        pixel_height: 0,
    }
}

/// The writing end of the terminal.
pub struct Keyboard(Box<dyn Write + Send>);

impl Keyboard {
    /// Sends a text as keystrokes.
    ///
    /// # Panics
    ///
    /// If the terminal is closed.
    pub fn type_text(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).expect("is typed");
        self.0.flush().expect("is typed");
    }
}
