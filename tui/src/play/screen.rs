//! A screen as text, as ANSI and as a picture; and what is masked in it.

use std::fmt::Write;
use std::path::Path;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};
use regex::Regex;

use super::svg;
use crate::shell::driver::{symbols, text};

/// What stands in each cell of a masked text.
const MASKED: &str = "░";

/// The form in which a screen is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Text,
    Ansi,
    Svg,
}

impl Format {
    pub(super) const ALL: [Format; 3] = [Format::Text, Format::Ansi, Format::Svg];

    /// The format of a file by its extension.
    pub(super) fn of(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()? {
            "txt" | "ascii" => Some(Format::Text),
            "ansi" => Some(Format::Ansi),
            "svg" => Some(Format::Svg),
            _ => None,
        }
    }

    pub(super) fn extension(self) -> &'static str {
        match self {
            Format::Text => "txt",
            Format::Ansi => "ansi",
            Format::Svg => "svg",
        }
    }

    pub(super) fn write(self, screen: &Buffer) -> String {
        match self {
            Format::Text => text(screen),
            Format::Ansi => ansi(screen),
            Format::Svg => svg::picture(screen),
        }
    }
}

/// The screen as text with escape sequences for its styles, which end with each line.
fn ansi(screen: &Buffer) -> String {
    let mut text = String::new();
    for y in screen.area.top()..screen.area.bottom() {
        let row: Vec<&Cell> = symbols(screen, y).map(|(_, cell)| cell).collect();
        let is_blank = |cell: &&&Cell| cell.symbol() == " " && style(cell).is_empty();
        let blank = row.iter().rev().take_while(is_blank).count();
        let mut current = String::new();
        for cell in &row[..row.len() - blank] {
            let style = style(cell);
            if style != current {
                // A string takes all.
                let _ = write!(text, "\x1b[0{style}m");
                current = style;
            }
            text.push_str(cell.symbol());
        }
        if !current.is_empty() {
            text.push_str("\x1b[0m");
        }
        text.push('\n');
    }
    text
}

/// The parameters of a cell's style, each after a semicolon.
fn style(cell: &Cell) -> String {
    let modifiers = [
        (Modifier::BOLD, 1),
        (Modifier::DIM, 2),
        (Modifier::ITALIC, 3),
        (Modifier::UNDERLINED, 4),
        (Modifier::REVERSED, 7),
        (Modifier::CROSSED_OUT, 9),
    ];
    let set = modifiers
        .iter()
        .filter(|(modifier, _)| cell.modifier.contains(*modifier));
    let mut style: String = set.map(|(_, parameter)| format!(";{parameter}")).collect();
    style.push_str(&color(cell.fg, 30));
    style.push_str(&color(cell.bg, 40));
    style
}

/// The parameters of a colour; `base` is 30 for text, and 40 for the ground.
fn color(color: Color, base: u8) -> String {
    let index = match color {
        Color::Reset => return String::new(),
        Color::Rgb(red, green, blue) => return format!(";{};2;{red};{green};{blue}", base + 8),
        Color::Indexed(index) => return format!(";{};5;{index}", base + 8),
        Color::Black => 0,
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        Color::DarkGray => 60,
        Color::LightRed => 61,
        Color::LightGreen => 62,
        Color::LightYellow => 63,
        Color::LightBlue => 64,
        Color::LightMagenta => 65,
        Color::LightCyan => 66,
        Color::White => 67,
    };
    format!(";{}", base + index)
}

/// Hides what these patterns match in a row.
pub(super) fn mask(screen: &mut Buffer, patterns: &[Regex]) {
    for y in screen.area.top()..screen.area.bottom() {
        let mut line = String::new();
        // Each byte's column, and that behind the row.
        let mut columns = Vec::new();
        for (x, cell) in symbols(screen, y) {
            line.push_str(cell.symbol());
            columns.resize(line.len(), x);
        }
        columns.push(screen.area.right());
        let found: Vec<_> = patterns
            .iter()
            .flat_map(|pattern| pattern.find_iter(&line))
            .map(|found| columns[found.start()]..columns[found.end()])
            .collect();
        for x in found.into_iter().flatten() {
            screen[(x, y)].reset();
            screen[(x, y)].set_symbol(MASKED);
        }
    }
}

/// A part of the screen, as a screen.
pub(super) fn cut(screen: &Buffer, area: Rect) -> Buffer {
    let area = area.intersection(screen.area);
    let mut part = Buffer::empty(Rect::new(0, 0, area.width, area.height));
    for y in 0..area.height {
        for x in 0..area.width {
            part[(x, y)] = screen[(area.x + x, area.y + y)].clone();
        }
    }
    part
}

#[cfg(test)]
mod tests {
    use ratatui::style::Style;

    use super::*;

    fn screen() -> Buffer {
        let mut screen = Buffer::empty(Rect::new(0, 0, 12, 2));
        screen.set_string(0, 0, "田 id-17 a", Style::new());
        screen.set_string(0, 1, "ok", Style::new().fg(Color::Green).bold());
        screen
    }

    #[test]
    fn text_has_one_letter_where_a_wide_one_takes_two_cells() {
        assert_eq!(text(&screen()), "田 id-17 a\nok\n");
    }

    #[test]
    fn styles_end_with_their_line() {
        assert_eq!(ansi(&screen()), "田 id-17 a\n\x1b[0;1;32mok\x1b[0m\n");
    }

    #[test]
    fn a_mask_covers_what_it_matches_and_moves_nothing() {
        let mut screen = screen();
        let patterns = [r"id-\d+", "田"].map(|pattern| Regex::new(pattern).expect("a pattern"));
        mask(&mut screen, &patterns);
        assert_eq!(text(&screen), "░░ ░░░░░ a\nok\n");
    }

    #[test]
    fn a_part_is_a_screen() {
        let part = cut(&screen(), Rect::new(3, 0, 5, 9));
        assert_eq!(text(&part), "id-17\n\n");
    }
}
