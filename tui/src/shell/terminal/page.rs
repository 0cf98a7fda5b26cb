//! What a frame writes to the terminal: all of it at once, or nothing.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

/// What a frame writes. Clones are the same page.
#[derive(Debug, Clone, Default)]
pub(super) struct Page(Rc<RefCell<Bytes>>);

#[derive(Debug, Default)]
struct Bytes {
    written: Vec<u8>,
    /// The frame before.
    sent: Vec<u8>,
}

impl Page {
    /// Sends the frame in one write. One that writes the very same as the one before is not sent: it changes
    /// nothing, since what a frame writes is what differs from the frame before it.
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

    /// Something else was written to the terminal: the next frame is sent whatever it writes.
    pub(super) fn forget(&self) {
        self.0.borrow_mut().sent.clear();
    }
}

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().written.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    /// Does nothing: a frame is flushed in its middle, too.
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
