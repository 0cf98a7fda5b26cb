//! Badges of guests as a PDF: name, role, and the code that the desk scans.

use std::sync::LazyLock;

use frontdesk_protocol::events::guest::Guest;
use krilla::Document;
use krilla::color::rgb;
use krilla::geom::{PathBuilder, Point, Rect};
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::Fill;
use krilla::surface::Surface;
use krilla::text::{Font, TextDirection};
use qrcode::{Color, EcLevel, QrCode};
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};

use crate::app::look::text::clean;

/// The size of a badge in points: A7, eight on a sheet of A4.
const WIDTH: f32 = 297.6;
const HEIGHT: f32 = 210.4;
/// The margin in points.
const MARGIN: f32 = 22.0;
/// The side of a code in points.
const CODE: f32 = 104.0;
/// The sizes of a name in points, largest first.
const NAME_SIZES: [f32; 6] = [30.0, 26.0, 22.0, 18.0, 15.0, 12.0];
/// The maximum height of a name in points.
const NAME_HEIGHT: f32 = 112.0;
/// The distance of lines, in relation to their size.
const LEADING: f32 = 1.2;

/// Why there are no badges.
#[derive(Debug, thiserror::Error)]
pub enum BadgeError {
    /// The PDF could not be written.
    #[error("the PDF cannot be written: {0}")]
    Pdf(String),
}

/// The paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paper {
    /// Sheets of A4 with eight badges each.
    A4,
    /// A page of the size of a badge for each.
    A7,
}

/// A font, for drawing and for measuring.
struct Face {
    font: Font,
    data: &'static [u8],
}

/// The fonts; the first with a character draws it.
static FACES: LazyLock<Vec<Face>> = LazyLock::new(|| {
    let fonts: [&'static [u8]; 4] = [
        include_bytes!("../../mcp-server/fonts/NotoSans-Bold.ttf"),
        include_bytes!("../../mcp-server/fonts/NotoSansArabic-Bold.ttf"),
        include_bytes!("../../mcp-server/fonts/NotoSansSC-Bold.ttf"),
        include_bytes!("../../mcp-server/fonts/NotoEmoji-Bold.ttf"),
    ];
    let faces = fonts.into_iter().filter_map(|data| {
        let font = Font::new(data.to_vec().into(), 0)?;
        Some(Face { font, data })
    });
    faces.collect()
});

impl Face {
    fn has(&self, char: char) -> bool {
        let font = FontRef::new(self.data).ok();
        font.is_some_and(|font| font.charmap().map(char).is_some())
    }

    fn width(&self, text: &str, size: f32) -> f32 {
        let Ok(font) = FontRef::new(self.data) else {
            return 0.0;
        };
        let metrics = font.glyph_metrics(Size::new(size), LocationRef::default());
        let (map, chars) = (font.charmap(), text.chars());
        let glyphs = chars.map(|char| map.map(char).unwrap_or_default());
        glyphs
            .map(|glyph| metrics.advance_width(glyph).unwrap_or(0.0))
            .sum()
    }
}

/// The badges of these guests, in this order.
///
/// # Errors
/// [`BadgeError`].
pub fn pdf(event: &str, guests: &[Guest], paper: Paper) -> Result<Vec<u8>, BadgeError> {
    let mut document = Document::new();
    let (columns, rows) = match paper {
        Paper::A4 => (2, 4),
        Paper::A7 => (1, 1),
    };
    let size = PageSettings::from_wh(WIDTH * columns as f32, HEIGHT * rows as f32);
    let size = size.ok_or_else(|| BadgeError::Pdf("the page has no size".to_owned()))?;
    for page in guests.chunks(columns * rows) {
        let mut sheet = document.start_page_with(size.clone());
        let mut surface = sheet.surface();
        for (at, guest) in page.iter().enumerate() {
            let left = (at % columns) as f32 * WIDTH;
            let top = (at / columns) as f32 * HEIGHT;
            draw(&mut surface, event, guest, left, top);
        }
        surface.finish();
        sheet.finish();
    }
    document
        .finish()
        .map_err(|error| BadgeError::Pdf(format!("{error:?}")))
}

fn draw(surface: &mut Surface<'_>, event: &str, guest: &Guest, left: f32, top: f32) {
    let room = WIDTH - 3.0 * MARGIN - CODE;
    ink(surface, 110);
    let all = WIDTH - 2.0 * MARGIN;
    line(
        surface,
        &fit(event, 11.0, all),
        11.0,
        left + MARGIN,
        top + MARGIN + 6.0,
    );
    ink(surface, 0);
    let name = clean(&guest.name);
    let (size, lines) = fitting(&name, room);
    let mut below = top + 2.5 * MARGIN + size * 0.75;
    for text in &lines {
        line(surface, text, size, left + MARGIN, below);
        below += size * LEADING;
    }
    if let Some(role) = guest.role.as_deref().filter(|role| !role.trim().is_empty()) {
        ink(surface, 80);
        line(
            surface,
            &fit(&clean(role), 14.0, room),
            14.0,
            left + MARGIN,
            below + 4.0,
        );
    }
    code(
        surface,
        &guest.id.to_string(),
        left + WIDTH - MARGIN - CODE,
        top + 2.5 * MARGIN,
    );
}

/// The largest size in which the name fits without a broken word, with its lines.
fn fitting(name: &str, room: f32) -> (f32, Vec<String>) {
    let fits = |size: f32| {
        let lines = wrapped(name, size, room);
        let is_whole = name
            .split_whitespace()
            .all(|word| width(word, size) <= room);
        (is_whole && lines.len() as f32 * size * LEADING <= NAME_HEIGHT).then_some((size, lines))
    };
    NAME_SIZES.into_iter().find_map(fits).unwrap_or_else(|| {
        let size = NAME_SIZES[NAME_SIZES.len() - 1];
        let mut lines = wrapped(name, size, room);
        lines.truncate((NAME_HEIGHT / (size * LEADING)) as usize);
        (size, lines)
    })
}

/// Sets the colour to a grey of this brightness.
fn ink(surface: &mut Surface<'_>, grey: u8) {
    surface.set_fill(Some(Fill {
        paint: rgb::Color::new(grey, grey, grey).into(),
        opacity: NormalizedF32::ONE,
        rule: Default::default(),
    }));
}

/// Draws the modules of a QR code in black.
fn code(surface: &mut Surface<'_>, text: &str, left: f32, top: f32) {
    let Ok(code) = QrCode::with_error_correction_level(text, EcLevel::M) else {
        return;
    };
    let width = code.width();
    let module = CODE / width as f32;
    let mut path = PathBuilder::new();
    for (at, color) in code.to_colors().into_iter().enumerate() {
        if color == Color::Dark {
            let (x, y) = ((at % width) as f32 * module, (at / width) as f32 * module);
            if let Some(rect) = Rect::from_xywh(left + x, top + y, module, module) {
                path.push_rect(rect);
            }
        }
    }
    if let Some(path) = path.finish() {
        ink(surface, 0);
        surface.draw_path(&path);
    }
}

/// The parts of a text, each with the font that has its characters.
fn runs(text: &str) -> Vec<(&'static Face, String)> {
    let mut runs: Vec<(usize, String)> = Vec::new();
    for char in text.chars() {
        let at = FACES.iter().position(|face| face.has(char));
        // A character that no font has would be an empty box.
        let (at, char) = at.map_or((0, '?'), |at| (at, char));
        match runs.last_mut() {
            Some((last, run)) if *last == at || char == ' ' => run.push(char),
            _ => runs.push((at, char.to_string())),
        }
    }
    let faces = runs.into_iter();
    faces
        .filter_map(|(at, run)| Some((FACES.get(at)?, run)))
        .collect()
}

fn width(text: &str, size: f32) -> f32 {
    runs(text)
        .iter()
        .map(|(face, run)| face.width(run, size))
        .sum()
}

fn line(surface: &mut Surface<'_>, text: &str, size: f32, left: f32, baseline: f32) {
    let mut x = left;
    for (face, run) in runs(text) {
        let at = Point::from_xy(x, baseline);
        surface.draw_text(
            at,
            face.font.clone(),
            size,
            &run,
            false,
            TextDirection::Auto,
        );
        x += face.width(&run, size);
    }
}

/// The text, cut to this width.
fn fit(text: &str, size: f32, room: f32) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut cut = String::new();
    for char in text.chars() {
        cut.push(char);
        if width(&cut, size) + size > room {
            break;
        }
    }
    cut + "…"
}

/// The lines of a text in this width. A word that is wider is broken.
fn wrapped(text: &str, size: f32, room: f32) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split_whitespace() {
        let Some(last) = lines.last_mut() else {
            continue;
        };
        let joined = match last.is_empty() {
            true => word.to_owned(),
            false => format!("{last} {word}"),
        };
        if width(&joined, size) <= room {
            *last = joined;
            continue;
        }
        let mut rest = String::new();
        for char in word.chars() {
            rest.push(char);
            if width(&rest, size) > room {
                rest.pop();
                lines.push(std::mem::replace(&mut rest, char.to_string()));
            }
        }
        lines.push(rest);
    }
    lines.retain(|line| !line.is_empty());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::guest;

    #[test]
    fn every_guest_has_a_badge() {
        let names = [
            "Zoë Müller",
            "王小明",
            "محمد علي",
            "Ana 🎉",
            &"Maximiliana".repeat(12),
        ];
        let guests: Vec<Guest> = (0..17)
            .map(|at| guest(at, names[at as usize % names.len()]))
            .collect();
        let sheets = pdf("Open Day", &guests, Paper::A4).expect("a PDF");
        assert!(sheets.starts_with(b"%PDF-"));
        let count = |pdf: &[u8], word: &str| {
            pdf.windows(word.len())
                .filter(|part| *part == word.as_bytes())
                .count()
        };
        assert_eq!(count(&sheets, "/MediaBox"), 3);
        let one = pdf("Open Day", &guests[..1], Paper::A7).expect("a PDF");
        assert_eq!(count(&one, "/MediaBox"), 1);
    }

    #[test]
    fn a_long_name_is_wrapped_and_fits() {
        let room = WIDTH - 3.0 * MARGIN - CODE;
        for name in [
            "Maria da Conceição Albuquerque de Souza",
            "Maximilianadeconceicaoalbuquerque",
        ] {
            let lines = wrapped(name, 22.0, room);
            assert!(lines.len() > 1, "{lines:?}");
            assert!(
                lines.iter().all(|line| width(line, 22.0) <= room),
                "{lines:?}"
            );
            let joined = lines.concat().replace(' ', "");
            assert_eq!(joined, name.replace(' ', ""));
        }
        let (size, lines) = fitting("Agnieszka Szczęsna", room);
        assert_eq!(lines, ["Agnieszka", "Szczęsna"], "at {size}");
    }
}
