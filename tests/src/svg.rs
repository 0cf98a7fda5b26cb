//! A screen as an SVG picture, light or dark by the reader's browser.

use std::fmt::Write;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr;

/// The size of a cell in pixels.
const CELL: (f32, f32) = (8.4, 17.0);
/// The colours of the terminal: name, light, dark.
const COLORS: [(&str, &str, &str); 9] = [
    ("fg", "#24292f", "#d8dee9"),
    ("bg", "#ffffff", "#1b2028"),
    ("darkgray", "#6b7480", "#8d99ab"),
    ("red", "#c4262e", "#ff8080"),
    ("green", "#1a7f37", "#8fce7e"),
    ("yellow", "#8a6100", "#f0c766"),
    ("blue", "#0550ae", "#8fb4ff"),
    ("magenta", "#7a2fa8", "#d7a6ff"),
    ("cyan", "#0a6a7c", "#6cc5de"),
];

/// The picture of a screen.
///
/// # Panics
///
/// If a cell has a colour other than the terminal's own.
pub fn picture(buffer: &Buffer) -> String {
    let (columns, rows) = (buffer.area.width, buffer.area.height);
    let (width, height) = (f32::from(columns) * CELL.0, f32::from(rows) * CELL.1);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-12 -10 {:.1} {:.1}\" \
         font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"14\">\n{}\
         <rect class=\"bg\" x=\"-12\" y=\"-10\" width=\"100%\" height=\"100%\" rx=\"8\"/>\n",
        width + 24.0,
        height + 20.0,
        style()
    );
    for y in 0..rows {
        let mut x = 0;
        while x < columns {
            let look = Look::of(&buffer[(x, y)]);
            let (start, mut text) = (x, String::new());
            while x < columns && Look::of(&buffer[(x, y)]) == look {
                let symbol = buffer[(x, y)].symbol();
                text.push_str(symbol);
                x += u16::try_from(symbol.width().max(1)).unwrap_or(1);
            }
            look.draw(&mut svg, &text, start, y, x - start);
        }
    }
    svg.push_str("</svg>\n");
    svg
}

fn style() -> String {
    let colors = |at: fn(&(&str, &'static str, &'static str)) -> &'static str| {
        let rules = COLORS
            .iter()
            .map(|color| format!(".{}{{fill:{}}}", color.0, at(color)));
        rules.collect::<String>()
    };
    format!(
        "<style>.b{{font-weight:bold}}.u{{text-decoration:underline}}\
         {}@media(prefers-color-scheme:dark){{{}}}</style>\n",
        colors(|color| color.1),
        colors(|color| color.2)
    )
}

/// The look of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Look {
    text: &'static str,
    ground: &'static str,
    is_bold: bool,
    is_underlined: bool,
}

impl Look {
    fn of(cell: &Cell) -> Look {
        let has = |modifier| cell.modifier.contains(modifier);
        let (mut text, mut ground) = (name(cell.fg, "fg"), name(cell.bg, "bg"));
        if has(Modifier::REVERSED) {
            std::mem::swap(&mut text, &mut ground);
        }
        Look {
            text,
            ground,
            is_bold: has(Modifier::BOLD),
            is_underlined: has(Modifier::UNDERLINED),
        }
    }

    fn draw(self, svg: &mut String, text: &str, x: u16, y: u16, cells: u16) {
        let (left, top) = (f32::from(x) * CELL.0, f32::from(y) * CELL.1);
        let width = f32::from(cells) * CELL.0;
        let mut line = String::new();
        if self.ground != "bg" {
            line = format!(
                "<rect class=\"{}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{:.1}\"/>",
                self.ground, CELL.1
            );
        }
        let bold = if self.is_bold { " b" } else { "" };
        let underlined = if self.is_underlined { " u" } else { "" };
        for (at, words) in words(text) {
            let written = write!(
                line,
                "<text class=\"{}{bold}{underlined}\" x=\"{:.1}\" y=\"{:.1}\" textLength=\"{:.1}\">{}</text>",
                self.text,
                left + at as f32 * CELL.0,
                top + 13.0,
                words.width() as f32 * CELL.0,
                words.replace('&', "&amp;").replace('<', "&lt;")
            );
            written.expect("a string takes all");
        }
        if !line.is_empty() {
            svg.push_str(&line);
            svg.push('\n');
        }
    }
}

/// The parts of a text between wide gaps, each with its first cell: renderers of SVG treat repeated
/// spaces differently.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split("  ").filter_map(move |part| {
        let start = at + part.len() - part.trim_start().len();
        at += part.width() + 2;
        let part = part.trim();
        (!part.is_empty()).then_some((start, part))
    })
}

fn name(color: Color, default: &'static str) -> &'static str {
    if color == Color::Reset {
        return default;
    }
    let written = color.to_string().to_lowercase();
    let known = COLORS.iter().find(|(name, ..)| *name == written);
    known.map_or_else(
        || panic!("no colour of the terminal's own: {written}"),
        |color| color.0,
    )
}
