//! Drawing of the state. Pure: the same state yields the same frame.

use ratatui::Frame;
use ratatui::buffer::{Buffer, CellWidth};
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::Clear;
use unicode_width::UnicodeWidthChar;

use crate::app::state::{State, Typing};
use crate::look::theme::without_color;
use crate::ui::toasts::Toasts;
use crate::ui::{age, frame as around, panel};

/// The minimum size of the terminal.
const LEAST: (u16, u16) = (60, 16);

/// Draws the state.
pub(crate) fn view(state: &State, frame: &mut Frame) {
    let area = frame.area();
    frame
        .buffer_mut()
        .set_style(area, state.shared.settings.theme.base);
    state.shared.hits.clear();
    if area.width < LEAST.0 || area.height < LEAST.1 {
        too_small(frame, area);
    } else {
        let [header, body, footer] = Layout::vertical([Length(1), Fill(1), Length(1)]).areas(area);
        let toasts = Toasts::of(&state.shared, body);
        let areas = [Fill(1), Length(toasts.height())];
        let [body, messages] = Layout::vertical(areas).areas(body);
        around::header(state, frame, header);
        if let Some(screen) = state.screen() {
            screen.draw(&state.shared, frame, body);
            age::draw(state, frame, body);
        }
        for layer in &state.layers {
            state.shared.hits.clear();
            layer.draw(state, frame, body);
        }
        // Braille displays, magnifiers and screen readers follow the cursor. A text field has it while it is typed into.
        if let (Some(selected), Typing::No) = (state.shared.hits.selected(), state.typing()) {
            frame.set_cursor_position(selected);
        }
        around::footer(state, frame, footer);
        toasts.draw(&state.shared, frame, messages);
    }
    keep_apart(frame.buffer_mut());
    if state.shared.settings.is_plain {
        without_color(frame.buffer_mut());
    }
}

/// Removes what would change a neighbouring cell: a combining mark without a letter, which terminals put on
/// the cell before, and a wide letter whose second half is covered.
fn keep_apart(buffer: &mut Buffer) {
    let width = usize::from(buffer.area.width).max(1);
    for row in buffer.content.chunks_mut(width) {
        for at in 0..row.len() {
            let symbol = row[at].symbol();
            // Escape sequences draw pictures.
            if symbol.len() == 1 || symbol.contains(char::is_control) {
                continue;
            }
            let letter = symbol.trim_start_matches(|char: char| char.width() == Some(0));
            let behind = at + 1..at + usize::from(letter.cell_width());
            let is_covered = row[behind.start..behind.end.min(row.len()).max(behind.start)]
                .iter()
                .any(|cell| cell.symbol() != " ");
            if letter.is_empty() || is_covered || behind.end > row.len() {
                row[at].set_symbol(" ");
            } else if letter.len() < symbol.len() {
                let letter = letter.to_owned();
                row[at].set_symbol(&letter);
            }
        }
    }
}

fn too_small(frame: &mut Frame, area: Rect) {
    let (width, height) = LEAST;
    let text = vec![
        Line::from("This terminal is too small."),
        Line::from(format!(
            "Frontdesk needs {width}x{height}; this is {}x{}.",
            area.width, area.height
        )),
        Line::from("Nothing is lost: make it larger, or press ctrl-c to leave."),
    ];
    frame.render_widget(Clear, area);
    panel::text(frame, panel::middle(area, area.width, 6), text);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(cells: &[&str]) -> String {
        let mut buffer = Buffer::empty(Rect::new(0, 0, cells.len() as u16, 1));
        for (cell, symbol) in buffer.content.iter_mut().zip(cells) {
            cell.set_symbol(symbol);
        }
        keep_apart(&mut buffer);
        buffer.content.iter().map(|cell| cell.symbol()).collect()
    }

    #[test]
    fn a_mark_without_a_letter_is_put_on_none() {
        assert_eq!(kept(&["a", "\u{301}", "b"]), "a b");
        assert_eq!(kept(&["a", "\u{301}e\u{301}", "b"]), "ae\u{301}b");
    }

    #[test]
    fn a_wide_letter_does_not_hide_what_covers_its_half() {
        assert_eq!(kept(&["田", " ", "│"]), "田 │");
        assert_eq!(kept(&["田", "│", "x"]), " │x");
        assert_eq!(kept(&["a", "田"]), "a ");
    }
}
