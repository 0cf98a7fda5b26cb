//! Writes each frame to the terminal in a single write.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

/// The output of a frame. Clones share it.
#[derive(Debug, Clone, Default)]
pub(super) struct Page(Rc<RefCell<Bytes>>);

#[derive(Debug, Default)]
struct Bytes {
    written: Vec<u8>,
    /// The output of the previous frame.
    sent: Vec<u8>,
}

impl Page {
    /// Sends the frame in one write. Identical output is not repeated: a frame only writes
    /// differences, so a repetition changes nothing.
    pub(super) fn send(&self, output: &mut impl Write) -> io::Result<()> {
        let mut bytes = self.0.borrow_mut();
        let written = std::mem::take(&mut bytes.written);
        if written != bytes.sent {
            output.write_all(&written)?;
            output.flush()?;
        }
        bytes.sent = written;
        Ok(())
    }

    /// Something else was written to the terminal: the next frame is sent even if identical.
    pub(super) fn forget(&self) {
        self.0.borrow_mut().sent.clear();
    }
}

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().written.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    /// Does nothing: frames are also flushed in the middle.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_sent_at_once_and_the_same_one_is_not_sent_again() {
        let mut page = Page::default();
        let mut terminal = Vec::new();
        let mut frame = |parts: &[&str]| {
            for part in parts {
                page.write_all(part.as_bytes()).expect("is kept");
                page.flush().expect("is kept");
            }
            terminal.clear();
            page.send(&mut terminal).expect("is sent");
            String::from_utf8(terminal.clone()).expect("text")
        };
        assert_eq!(frame(&["be", "gin", " end"]), "begin end");
        assert_eq!(frame(&["begin end"]), "");
        assert_eq!(frame(&["begin x end"]), "begin x end");
        assert_eq!(frame(&["begin end"]), "begin end");
    }

    #[test]
    fn the_same_frame_is_sent_again_after_something_else_was_written() {
        let mut page = Page::default();
        for _ in 0..2 {
            let mut terminal = Vec::new();
            page.write_all(b"frame").expect("is kept");
            page.send(&mut terminal).expect("is sent");
            assert_eq!(terminal, b"frame");
            page.forget();
        }
    }
}
