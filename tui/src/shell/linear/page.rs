//! The lines of a frame: what stands in a box comes together, and nothing of the boxes is left.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Position, Rect};

use crate::app::hits::Hit;
use crate::shell::driver::symbols;

/// The mark of the selection and of the field with the focus.
const SELECTED: char = '▸';

/// A line of a frame.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    pub(super) text: String,
    /// The number of the row or card that begins here.
    pub(super) number: Option<usize>,
    /// Whether it is selected, or the field with the focus.
    pub(super) is_selected: bool,
}

impl Line {
    /// As it is read: `3. Zoë Müller, not yet`.
    pub(super) fn words(&self) -> String {
        match self.number {
            Some(number) => format!("{number}. {}", self.text),
            None => self.text.clone(),
        }
    }
}

/// The lines of a frame with these numbered rows. Without a mark, the line of the cursor is selected.
pub(super) fn lines(
    screen: &Buffer,
    rows: &[(Rect, Hit, usize)],
    cursor: Option<Position>,
) -> Vec<Line> {
    let mut found = Vec::new();
    walk(&mut screen.clone(), screen.area, rows, &mut found);
    let is_marked = found.iter().any(|(line, _)| line.is_selected);
    let lines = found.into_iter().map(|(line, place)| Line {
        is_selected: line.is_selected
            || !is_marked && cursor.is_some_and(|cursor| place.contains(cursor)),
        ..line
    });
    lines.collect()
}

/// Adds the lines of an area, each with its place. Boxes are read one after the other.
fn walk(
    screen: &mut Buffer,
    area: Rect,
    rows: &[(Rect, Hit, usize)],
    found: &mut Vec<(Line, Rect)>,
) {
    for line in area.rows() {
        for at in line.positions() {
            let Some(inside) = framed(screen, area, at) else {
                continue;
            };
            let whole = inside.outer(Margin::new(1, 1));
            let title = Rect { height: 1, ..whole };
            push(screen, title, &[], found);
            walk(screen, inside, rows, found);
            for at in whole.positions() {
                screen[at].set_symbol(" ");
            }
        }
        push(screen, line, rows, found);
    }
}

/// The inside of the box that begins here.
fn framed(screen: &Buffer, area: Rect, at: Position) -> Option<Rect> {
    let symbol = |x: u16, y: u16| screen[(x, y)].symbol();
    if symbol(at.x, at.y) != "╭" {
        return None;
    }
    let right = (at.x..area.right()).find(|x| symbol(*x, at.y) == "╮")?;
    let bottom = (at.y..area.bottom()).find(|y| symbol(at.x, *y) == "╰")?;
    let whole = Rect::new(at.x, at.y, right - at.x + 1, bottom - at.y + 1);
    Some(whole.inner(Margin::new(1, 1)))
}

/// Adds a line, unless it is empty.
fn push(screen: &Buffer, place: Rect, rows: &[(Rect, Hit, usize)], found: &mut Vec<(Line, Rect)>) {
    let cells = symbols(screen, place.y);
    let cells = cells.filter(|(x, _)| (place.left()..place.right()).contains(x));
    let drawn: String = cells.map(|(_, cell)| cell.symbol()).collect();
    let row = rows
        .iter()
        .find(|(row, ..)| row.y == place.y && (place.left()..place.right()).contains(&row.x));
    // The sign of a prompt says nothing.
    let text = plain(
        drawn
            .trim()
            .trim_start_matches("> ")
            .trim_start_matches('>'),
    );
    // A field without text and label can have the focus, too.
    found.push((
        Line {
            number: row.filter(|_| !text.is_empty()).map(|(.., number)| *number),
            is_selected: drawn.trim_start().starts_with(SELECTED),
            text,
        },
        place,
    ));
}

/// Without frames, bars, spinners and marks of the selection; columns are separated by commas.
fn plain(drawn: &str) -> String {
    let is_drawing = |char: char| matches!(char, '\u{2500}'..='\u{259f}' | '\u{2800}'..='\u{28ff}' | SELECTED | '‹' | '›');
    let text = drawn.replace(is_drawing, " ");
    let parts = text.split("  ").map(str::trim);
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(drawn: &[&str], rows: &[(Rect, Hit, usize)], cursor: Option<Position>) -> Vec<String> {
        let screen = Buffer::with_lines(drawn.iter().copied());
        let lines = lines(&screen, rows, cursor).into_iter();
        let lines = lines.filter(|line| !line.text.is_empty() || line.is_selected);
        let words = lines.map(|line| match line.is_selected {
            true => format!("> {}", line.words()),
            false => line.words(),
        });
        words.collect()
    }

    #[test]
    fn boxes_beside_each_other_are_read_one_after_the_other() {
        let drawn = [
            "Launch  ███░░ 2 of 12",
            "╭ Found 2 ─╮╭ Arrivals ─╮",
            "│  Ana  in ││ 09:45 Ana │",
            "│▸ Zoë     ││           │",
            "╰──────────╯╰───────────╯",
            "⠋ loading",
        ];
        let row = |y, by, number| (Rect::new(1, y, 10, 1), Hit::Row(by), number);
        let lines = read(&drawn, &[row(2, -1, 7), row(3, 0, 8)], None);
        let read = [
            "Launch, 2 of 12",
            "Found 2",
            "7. Ana, in",
            "> 8. Zoë",
            "Arrivals",
            "09:45 Ana",
            "loading",
        ];
        assert_eq!(lines, read);
    }

    #[test]
    fn where_nothing_is_marked_the_cursor_shows_the_field() {
        let drawn = ["Name", "> "];
        let lines = read(&drawn, &[], Some(Position::new(2, 1)));
        assert_eq!(lines, ["Name", "> "]);
    }
}
