//! A screen as an SVG picture, light or dark by the reader's browser.

use std::fmt::Write;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr;

/// The size of a cell in pixels.
const CELL: (f32, f32) = (8.4, 17.0);
/// The terminal's own colours: name, light, dark. The bright ones are drawn as the others.
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

/// A colour of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Ink {
    /// One of the terminal's own.
    Own(&'static str),
    Rgb(u8, u8, u8),
}

impl Ink {
    fn of(color: Color, default: &'static str) -> Ink {
        Ink::Own(match color {
            Color::Reset => default,
            Color::Black => "bg",
            Color::White | Color::Gray => "fg",
            Color::DarkGray => "darkgray",
            Color::Red | Color::LightRed => "red",
            Color::Green | Color::LightGreen => "green",
            Color::Yellow | Color::LightYellow => "yellow",
            Color::Blue | Color::LightBlue => "blue",
            Color::Magenta | Color::LightMagenta => "magenta",
            Color::Cyan | Color::LightCyan => "cyan",
            Color::Rgb(red, green, blue) => return Ink::Rgb(red, green, blue),
            Color::Indexed(index) => return indexed(index, default),
        })
    }

    /// The attributes of an element in this colour, with further classes.
    fn attributes(self, classes: &str) -> String {
        match self {
            Ink::Own(name) => format!("class=\"{name}{classes}\""),
            Ink::Rgb(red, green, blue) => {
                let fill = format!("fill=\"#{red:02x}{green:02x}{blue:02x}\"");
                match classes.trim_start() {
                    "" => fill,
                    classes => format!("class=\"{classes}\" {fill}"),
                }
            }
        }
    }
}

/// A colour of the palette of 256: the terminal's own 16, a cube of 6x6x6, 24 shades of gray.
fn indexed(index: u8, default: &'static str) -> Ink {
    const OWN: [Color; 16] = [
        Color::Black,
        Color::Red,
        Color::Green,
        Color::Yellow,
        Color::Blue,
        Color::Magenta,
        Color::Cyan,
        Color::Gray,
        Color::DarkGray,
        Color::LightRed,
        Color::LightGreen,
        Color::LightYellow,
        Color::LightBlue,
        Color::LightMagenta,
        Color::LightCyan,
        Color::White,
    ];
    let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
    match index {
        0..=15 => Ink::of(OWN[usize::from(index)], default),
        16..=231 => {
            let cube = index - 16;
            Ink::Rgb(level(cube / 36), level(cube / 6 % 6), level(cube % 6))
        }
        232.. => {
            let gray = 8 + 10 * (index - 232);
            Ink::Rgb(gray, gray, gray)
        }
    }
}

/// The look of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Look {
    text: Ink,
    ground: Ink,
    is_bold: bool,
    is_underlined: bool,
}

impl Look {
    fn of(cell: &Cell) -> Look {
        let has = |modifier| cell.modifier.contains(modifier);
        let (mut text, mut ground) = (Ink::of(cell.fg, "fg"), Ink::of(cell.bg, "bg"));
        if has(Modifier::DIM) && text == Ink::Own("fg") {
            text = Ink::Own("darkgray");
        }
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
        if self.ground != Ink::Own("bg") {
            line = format!(
                "<rect {} x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{:.1}\"/>",
                self.ground.attributes(""),
                CELL.1
            );
        }
        let bold = if self.is_bold { " b" } else { "" };
        let underlined = if self.is_underlined { " u" } else { "" };
        let attributes = self.text.attributes(&format!("{bold}{underlined}"));
        for (at, words) in words(text) {
            // A string takes all.
            let _ = write!(
                line,
                "<text {attributes} x=\"{:.1}\" y=\"{:.1}\" textLength=\"{:.1}\">{}</text>",
                left + at as f32 * CELL.0,
                top + 13.0,
                words.width() as f32 * CELL.0,
                words.replace('&', "&amp;").replace('<', "&lt;")
            );
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

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    #[test]
    fn colours_of_themes_are_drawn_as_they_are() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 6, 1));
        let bold = Style::new().fg(Color::Rgb(1, 2, 255)).bold();
        buffer.set_string(0, 0, "a<", bold);
        buffer.set_string(2, 0, "b", Style::new().fg(Color::Indexed(196)));
        buffer.set_string(3, 0, "c", Style::new().fg(Color::LightRed));
        buffer.set_string(4, 0, "d", Style::new().bg(Color::Indexed(255)));
        let svg = picture(&buffer);
        for part in [
            "<text class=\"b\" fill=\"#0102ff\" x=\"0.0\" y=\"13.0\" textLength=\"16.8\">a&lt;</text>",
            "<text fill=\"#ff0000\" ",
            "<text class=\"red\" ",
            "<rect fill=\"#eeeeee\" ",
        ] {
            assert!(svg.contains(part), "{part} is not in {svg}");
        }
    }
}
