//! Letters of several characters, for example in Devanagari. Programs and terminals disagree about the
//! number of cells of such a letter, so that nothing beside it may depend on that number.

use std::io;

use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::{Buffer, Cell, CellDiffOption, CellWidth};
use ratatui::layout::{Position, Size};

/// The rows that have such letters. Each frame draws these rows whole, and so does the first frame after the
/// last letter has gone: this draws over cells that the terminal took for the letter.
#[derive(Debug, Default)]
pub(super) struct Rows(Vec<bool>);

impl Rows {
    /// Marks the cells that this frame must draw.
    pub(super) fn mark(&mut self, buffer: &mut Buffer) {
        let width = usize::from(buffer.area.width).max(1);
        self.0.resize(usize::from(buffer.area.height), false);
        for (row, was) in buffer.content.chunks_mut(width).zip(&mut self.0) {
            let is = row.iter().any(is_cluster);
            if is || *was {
                let plain = row
                    .iter_mut()
                    .filter(|cell| cell.diff_option == CellDiffOption::None);
                for cell in plain {
                    cell.set_diff_option(CellDiffOption::AlwaysUpdate);
                }
            }
            *was = is;
        }
    }
}

/// Whether a cell holds a letter of several characters. Escape sequences, which draw pictures, do not count.
fn is_cluster(cell: &Cell) -> bool {
    let symbol = cell.symbol();
    symbol.len() > 1 && symbol.chars().nth(1).is_some() && !symbol.contains(char::is_control)
}

/// A backend that empties the cells of such a letter before drawing it, and sets the cursor position after it.
#[derive(Debug)]
pub(super) struct Apart<B>(pub(super) B);

impl<B: Backend<Error = io::Error>> Backend for Apart<B> {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let mut run = Vec::new();
        for (x, y, cell) in content {
            if !is_cluster(cell) {
                run.push((x, y, cell));
                continue;
            }
            self.0.draw(run.drain(..))?;
            let mut empty = cell.clone();
            empty.set_symbol(" ");
            let cells = (0..cell.cell_width()).map(|at| (x + at, y, &empty));
            self.0.draw(cells)?;
            self.0.draw([(x, y, cell)].into_iter())?;
        }
        self.0.draw(run.into_iter())
    }

    fn append_lines(&mut self, lines: u16) -> io::Result<()> {
        self.0.append_lines(lines)
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.0.hide_cursor()
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.0.show_cursor()
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        self.0.get_cursor_position()
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.0.set_cursor_position(position)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.0.clear()
    }

    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        self.0.clear_region(region)
    }

    fn size(&self) -> io::Result<Size> {
        self.0.size()
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        self.0.window_size()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use ratatui::backend::CrosstermBackend;
    use ratatui::layout::Rect;
    use ratatui::text::Line;
    use ratatui::{Terminal, TerminalOptions, Viewport};
    use vt100::Parser;

    use super::*;
    use crate::shell::terminal::page::Page;

    /// The contents of a terminal that counts cells by characters, after these frames.
    fn shown(frames: &[&[&str]]) -> String {
        let page = Page::default();
        let backend = Apart(CrosstermBackend::new(page.clone()));
        let viewport = Viewport::Fixed(Rect::new(0, 0, 20, 2));
        let mut terminal =
            Terminal::with_options(backend, TerminalOptions { viewport }).expect("a terminal");
        let mut rows = Rows::default();
        let mut bytes = Vec::new();
        for lines in frames {
            let draw = |frame: &mut ratatui::Frame| {
                for (y, line) in (0..).zip(*lines) {
                    let place = Rect::new(0, y, 20, 1);
                    frame.render_widget(Line::raw(*line), place);
                }
                rows.mark(frame.buffer_mut());
            };
            terminal.draw(draw).expect("is drawn");
            page.send(&mut bytes).expect("is sent");
        }
        let mut parser = Parser::new(2, 20, 0);
        parser.process(&bytes);
        let screen = parser.screen().contents();
        let lines: Vec<&str> = screen.lines().map(str::trim_end).collect();
        lines.join("\n")
    }

    const KSHITIJ: &str = "क्षितिज शर्मा";

    #[test]
    fn nothing_of_a_long_letter_is_left_on_the_next_frame() {
        assert_eq!(shown(&[&[KSHITIJ, "|"], &["", "|"]]), "\n|");
        assert_eq!(shown(&[&[KSHITIJ, "|"], &["a", "|"]]), "a\n|");
    }

    #[test]
    fn what_stands_beside_a_long_letter_keeps_its_place() {
        let text = format!("{KSHITIJ} | ok");
        let screen = shown(&[&[&text, ""], &[&format!("{KSHITIJ} | no"), ""]]);
        assert!(screen.trim_end().ends_with("| no"), "{screen}");
        let screen = shown(&[&["abcdefghijklmnopqrst", ""], &[KSHITIJ, ""]]);
        assert!(
            !screen.contains(|char: char| char.is_ascii_alphabetic()),
            "{screen}"
        );
    }
}
