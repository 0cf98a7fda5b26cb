//! The layout of badges: name, role, and the code that the desk scans.

use frontdesk_protocol::events::guest::Guest;
use qrcode::{Color, EcLevel, QrCode};

use super::face::FACES;
use super::sheets::Sheets;
use super::{BadgeError, Paper};
use crate::look::text::clean;

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

/// The badges of these guests, in this order.
///
/// # Errors
/// [`BadgeError`].
pub fn pdf(event: &str, guests: &[Guest], paper: Paper) -> Result<Vec<u8>, BadgeError> {
    let (columns, rows) = match paper {
        Paper::A4 => (2, 4),
        Paper::A7 => (1, 1),
    };
    let mut sheets = Sheets::new(WIDTH * columns as f32, HEIGHT * rows as f32);
    for page in guests.chunks(columns * rows) {
        sheets.page();
        for (at, guest) in page.iter().enumerate() {
            let left = (at % columns) as f32 * WIDTH;
            let top = (at / columns) as f32 * HEIGHT;
            draw(&mut sheets, event, guest, left, top);
        }
    }
    sheets.finish()
}

fn draw(sheets: &mut Sheets, event: &str, guest: &Guest, left: f32, top: f32) {
    let room = WIDTH - 3.0 * MARGIN - CODE;
    sheets.ink(110);
    let all = WIDTH - 2.0 * MARGIN;
    line(
        sheets,
        &fit(event, 11.0, all),
        11.0,
        left + MARGIN,
        top + MARGIN + 6.0,
    );
    sheets.ink(0);
    let name = clean(&guest.name);
    let (size, lines) = fitting(&name, room);
    let mut below = top + 2.5 * MARGIN + size * 0.75;
    for text in &lines {
        line(sheets, text, size, left + MARGIN, below);
        below += size * LEADING;
    }
    if let Some(role) = guest.role.as_deref().filter(|role| !role.trim().is_empty()) {
        sheets.ink(80);
        line(
            sheets,
            &fit(&clean(role), 14.0, room),
            14.0,
            left + MARGIN,
            below + 4.0,
        );
    }
    code(
        sheets,
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

/// Draws the modules of a QR code in black.
fn code(sheets: &mut Sheets, text: &str, left: f32, top: f32) {
    let Ok(code) = QrCode::with_error_correction_level(text, EcLevel::M) else {
        return;
    };
    let width = code.width();
    let module = CODE / width as f32;
    let mut bars = Vec::new();
    for (y, row) in code.to_colors().chunks(width).enumerate() {
        let mut x = 0;
        for run in row.chunk_by(|one, next| one == next) {
            if run.first() == Some(&Color::Dark) {
                let (from, long) = (x as f32 * module, run.len() as f32 * module);
                bars.push([left + from, top + y as f32 * module, long, module]);
            }
            x += run.len();
        }
    }
    sheets.ink(0);
    sheets.fill(bars);
}

/// The parts of a text, each with the font that has its characters.
fn runs(text: &str) -> Vec<(usize, String)> {
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
    runs
}

fn width(text: &str, size: f32) -> f32 {
    runs(text)
        .iter()
        .map(|(face, run)| run_width(*face, run, size))
        .sum()
}

fn run_width(face: usize, run: &str, size: f32) -> f32 {
    FACES.get(face).map_or(0.0, |face| face.width(run, size))
}

fn line(sheets: &mut Sheets, text: &str, size: f32, left: f32, baseline: f32) {
    let mut x = left;
    for (face, run) in runs(text) {
        sheets.text(face, &run, size, x, baseline);
        x += run_width(face, &run, size);
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
    use std::io::Read as _;

    use flate2::read::ZlibDecoder;

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

    /// The streams of a PDF, unpacked.
    fn streams(pdf: &[u8]) -> String {
        let (start, end) = (b"stream\n", b"\nendstream");
        let find = |from: usize, word: &[u8]| {
            let rest = pdf.get(from..)?;
            let at = rest.windows(word.len()).position(|part| part == word)?;
            Some(from + at)
        };
        let (mut text, mut from) = (String::new(), 0);
        while let Some(at) = find(from, start) {
            let at = at + start.len();
            from = find(at, end).expect("an end") + end.len();
            let mut bytes = Vec::new();
            let mut decoder = ZlibDecoder::new(&pdf[at..from - end.len()]);
            decoder.read_to_end(&mut bytes).expect("a stream");
            text += &String::from_utf8_lossy(&bytes);
        }
        text
    }

    #[test]
    fn a_viewer_finds_each_name() {
        let names = ["Łukasz Żółć", "王小明", "محمد", "Ana 🎉", "Office"];
        let guests = names.map(|name| guest(1, name));
        let pdf = pdf("Open Day", &guests, Paper::A4).expect("a PDF");
        let texts = streams(&pdf);
        for char in names.concat().chars() {
            let units = char.encode_utf16(&mut [0; 2]).to_vec();
            let code: String = units.iter().map(|unit| format!("{unit:04X}")).collect();
            assert!(texts.contains(&format!("> <{code}>")), "{char}: {texts}");
        }
        // The dots of yeh are a glyph of their own.
        let yeh = self::pdf("Open Day", &[guest(1, "علي")], Paper::A7).expect("a PDF");
        assert!(streams(&yeh).contains("ActualText<FEFF064A>"));
    }

    #[test]
    fn a_text_from_the_right_is_drawn_from_the_left() {
        let arabic = &FACES[1];
        let shaped = arabic.shape("محمد");
        assert!(shaped.is_from_right);
        let texts: Vec<&str> = shaped.clusters.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(texts, ["د", "م", "ح", "م"]);
        // Accents after their letter are drawn with it.
        let shaped = FACES[0].shape("e\u{301}a");
        let texts: Vec<&str> = shaped.clusters.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(texts, ["e\u{301}", "a"]);
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
