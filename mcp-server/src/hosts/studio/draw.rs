//! Draws a thumbnail: an SVG with the texts over the picture, rendered with built-in fonts. The same input gives the
//! same bytes on every machine.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::sync::{Arc, LazyLock};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use frontdesk_protocol::ToolError;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};
use skrifa::{FontRef, MetadataProvider};
use unicode_segmentation::UnicodeSegmentation;

use crate::database::internal;
use crate::permits::Permit;

const WIDTH: u32 = 1280;
const HEIGHT: u32 = 720;
/// The maximum width of a text, in pixels.
const LINE: f32 = 1100.0;
const LEFT: f32 = 100.0;
/// The maximum size of a thumbnail in bytes (YouTube's limit).
const MOST: usize = 2_000_000;
/// The maximum side of an embedded picture, in pixels.
const LONGEST_SIDE: usize = 4096;
/// The font size at which word widths are measured.
const MEASURED: f32 = 100.0;
/// The width of a space, relative to the font size.
const SPACE: f32 = 0.26;
/// The line height, relative to the font size.
const LEADING: f32 = 1.2;
/// The maximum length of a word. A longer word is broken at any character, so that its parts fit at the smallest size.
const LONGEST_WORD: usize = 20;

/// The content of a thumbnail.
pub(in crate::hosts) struct Drawing {
    pub(in crate::hosts) title: String,
    pub(in crate::hosts) subtitle: Option<String>,
    /// Colours as `#RRGGBB`.
    pub(in crate::hosts) background: String,
    pub(in crate::hosts) text_color: String,
    pub(in crate::hosts) accent: String,
    /// A PNG, JPEG or WebP file in Base64.
    pub(in crate::hosts) picture: Option<String>,
}

/// The fonts, all bold, with their characters. The licences are in the same folder as the font files.
struct Fonts {
    options: Options<'static>,
    characters: BTreeSet<u32>,
}

static FONTS: LazyLock<Fonts> = LazyLock::new(|| {
    let mut database = fontdb::Database::new();
    for font in [
        &include_bytes!("../../../fonts/NotoSans-Bold.ttf")[..],
        &include_bytes!("../../../fonts/NotoSansArabic-Bold.ttf")[..],
        &include_bytes!("../../../fonts/NotoSansSC-Bold.ttf")[..],
        &include_bytes!("../../../fonts/NotoEmoji-Bold.ttf")[..],
    ] {
        database.load_font_source(fontdb::Source::Binary(Arc::new(font)));
    }
    let mut characters = BTreeSet::new();
    for face in database.faces() {
        database.with_face_data(face.id, |data, index| {
            if let Ok(font) = FontRef::from_index(data, index) {
                let mapped = font.charmap().mappings();
                characters.extend(mapped.map(|(character, _)| character));
            }
        });
    }
    Fonts {
        options: Options {
            font_family: "Noto Sans".to_owned(),
            fontdb: Arc::new(database),
            ..Options::default()
        },
        characters,
    }
});

/// Draws the thumbnail as a PNG.
///
/// # Errors
/// `invalid_argument` for a character that no font has, or a picture that cannot be decoded.
pub(in crate::hosts) fn png(_: &Permit, drawing: &Drawing) -> Result<Vec<u8>, ToolError> {
    let title = Paragraph::read("title", &drawing.title)?;
    let subtitle = drawing.subtitle.as_deref();
    let subtitle = subtitle
        .map(|text| Paragraph::read("subtitle", text))
        .transpose()?;
    let (title_room, rest) = match subtitle {
        Some(_) => (400.0, 140.0),
        None => (540.0, 0.0),
    };
    let title = title.fit(112, 40, title_room);
    let subtitle = subtitle.map(|it| it.fit(44, 20, rest));
    let mut canvas = canvas()?;
    let opacity = match &drawing.picture {
        Some(picture) => {
            put_in(picture, &mut canvas)?;
            0.6
        }
        None => 1.0,
    };
    let mut svg = format!(
        "{HEAD}<rect width=\"1280\" height=\"720\" fill=\"{}\" fill-opacity=\"{opacity}\"/>\
         <rect width=\"24\" height=\"720\" fill=\"{}\"/>",
        drawing.background, drawing.accent
    );
    let height = title.height() + subtitle.as_ref().map_or(0.0, |it| it.height() + 40.0);
    let top = (HEIGHT as f32 - height) / 2.0;
    title.write(&mut svg, top, &drawing.text_color);
    if let Some(subtitle) = &subtitle {
        let top = top + title.height() + 40.0;
        subtitle.write(&mut svg, top, &drawing.accent);
    }
    render(&svg, &mut canvas)?;
    encode(&canvas)
}

const HEAD: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1280\" height=\"720\">";

fn tree(svg: &str) -> Result<Tree, ToolError> {
    Tree::from_str(&format!("{svg}</svg>"), &FONTS.options)
        .map_err(|error| internal(format_args!("a thumbnail cannot be drawn: {error}")))
}

fn render(svg: &str, canvas: &mut Pixmap) -> Result<(), ToolError> {
    resvg::render(&tree(svg)?, Transform::identity(), &mut canvas.as_mut());
    Ok(())
}

/// An empty canvas.
pub(in crate::hosts) fn canvas() -> Result<Pixmap, ToolError> {
    Pixmap::new(WIDTH, HEIGHT).ok_or_else(|| internal("a picture of this size cannot be drawn"))
}

/// Covers the canvas with the picture, a file in Base64, cropped to its shape.
pub(in crate::hosts) fn put_in(encoded: &str, canvas: &mut Pixmap) -> Result<(), ToolError> {
    let refused = |what: &str| ToolError::invalid("picture", what);
    let picture = STANDARD.decode(encoded);
    let picture = picture.map_err(|_| refused("must be standard Base64"))?;
    let kind = match &picture[..] {
        [0x89, b'P', b'N', b'G', ..] => "png",
        [0xff, 0xd8, 0xff, ..] => "jpeg",
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'E',
            b'B',
            b'P',
            ..,
        ] => "webp",
        _ => return Err(refused("must be a PNG, a JPEG or a WebP")),
    };
    let size = imagesize::blob_size(&picture).map_err(|_| refused("cannot be read"))?;
    if size.width.max(size.height) > LONGEST_SIDE {
        return Err(refused("must be at most 4096 pixels wide and high"));
    }
    let svg = format!(
        "{HEAD}<image width=\"1280\" height=\"720\" preserveAspectRatio=\"xMidYMid slice\" \
         href=\"data:image/{kind};base64,{encoded}\"/>"
    );
    render(&svg, canvas)?;
    // The renderer silently omits a picture that it cannot decode.
    match canvas.pixels().iter().any(|pixel| pixel.alpha() > 0) {
        true => Ok(()),
        false => Err(refused("cannot be decoded or is empty")),
    }
}

/// A text, split into pieces that cannot be broken.
struct Paragraph {
    pieces: Vec<Piece>,
    is_from_right: bool,
}

struct Piece {
    text: String,
    /// Relative to the font size.
    width: f32,
    /// Whether a space precedes it.
    is_apart: bool,
}

/// A paragraph broken into lines at one font size.
struct Lines {
    lines: Vec<String>,
    size: f32,
    is_from_right: bool,
}

/// Whether the character is invisible: a joiner, a variation selector or a space.
fn is_silent(character: char) -> bool {
    character.is_whitespace()
        || character.is_control()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2069}' | '\u{fe00}'..='\u{fe0f}')
}

impl Paragraph {
    /// Splits a text into pieces and measures them.
    fn read(field: &str, text: &str) -> Result<Paragraph, ToolError> {
        let unknown = text.chars().find(|character| {
            !is_silent(*character) && !FONTS.characters.contains(&u32::from(*character))
        });
        if let Some(character) = unknown {
            let code = u32::from(character);
            let what = format!("contains {character} (U+{code:04X}), which the fonts lack");
            return Err(ToolError::invalid(field, what));
        }
        let mut pieces: Vec<Piece> = Vec::new();
        let mut is_apart = false;
        for segment in text.split_word_bounds() {
            if segment.chars().all(|c| c.is_whitespace() || c.is_control()) {
                is_apart = true;
                continue;
            }
            // Punctuation stays with the word before it.
            let is_mark = segment
                .chars()
                .all(|c| c.is_ascii_punctuation() || "，。、；：？！）】》」』”’…".contains(c));
            match pieces.last_mut() {
                Some(last) if is_mark && !is_apart => last.text.push_str(segment),
                _ => {
                    let graphemes: Vec<&str> = segment.graphemes(true).collect();
                    for (at, part) in graphemes.chunks(LONGEST_WORD).enumerate() {
                        pieces.push(Piece {
                            text: part.concat(),
                            width: 0.0,
                            is_apart: is_apart && at == 0,
                        });
                    }
                }
            }
            is_apart = false;
        }
        measure(&mut pieces)?;
        let first = text.chars().find(|character| character.is_alphabetic());
        Ok(Paragraph {
            pieces,
            is_from_right: first
                .is_some_and(|c| matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fefc}')),
        })
    }

    /// The lines at the largest size at which the paragraph fits.
    fn fit(&self, largest: u32, smallest: u32, room: f32) -> Lines {
        let mut sizes = (smallest..=largest).rev().step_by(4);
        let fits = sizes.find_map(|size| {
            let lines = self.lines(size as f32);
            (lines.height() <= room).then_some(lines)
        });
        fits.unwrap_or_else(|| self.lines(smallest as f32))
    }

    fn lines(&self, size: f32) -> Lines {
        let mut lines: Vec<String> = Vec::new();
        let mut left = 0.0;
        for piece in &self.pieces {
            let (width, space) = (
                piece.width * size,
                if piece.is_apart { SPACE * size } else { 0.0 },
            );
            match lines.last_mut() {
                Some(line) if width + space <= left => {
                    if piece.is_apart {
                        line.push(' ');
                    }
                    line.push_str(&piece.text);
                    left -= width + space;
                }
                _ => {
                    lines.push(piece.text.clone());
                    left = LINE - width;
                }
            }
        }
        Lines {
            // A piece wider than the line makes this size too large.
            size: if self.pieces.iter().any(|piece| piece.width * size > LINE) {
                f32::MAX
            } else {
                size
            },
            lines,
            is_from_right: self.is_from_right,
        }
    }
}

/// Measures the pieces with the renderer.
fn measure(pieces: &mut [Piece]) -> Result<(), ToolError> {
    let mut svg = HEAD.to_owned();
    for (at, piece) in pieces.iter().enumerate() {
        text(
            &mut svg,
            &format!("id=\"p{at}\" font-size=\"{MEASURED}\""),
            &piece.text,
        );
    }
    let tree = tree(&svg)?;
    let widths: HashMap<&str, f32> = tree
        .root()
        .children()
        .iter()
        .map(|node| (node.id(), node.bounding_box().width()))
        .filter(|(id, _)| !id.is_empty())
        .collect();
    for (at, piece) in pieces.iter_mut().enumerate() {
        let width = widths.get(format!("p{at}").as_str());
        piece.width = width.map_or(0.0, |width| width / MEASURED);
    }
    Ok(())
}

/// Adds a text element.
fn text(svg: &mut String, attributes: &str, text: &str) {
    let text = text
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    let text: String = text.chars().filter(|c| !c.is_control()).collect();
    let family = "font-family=\"Noto Sans\" font-weight=\"700\"";
    let written = write!(svg, "<text {attributes} {family}>{text}</text>");
    debug_assert!(written.is_ok(), "a text can be written to memory");
}

impl Lines {
    fn height(&self) -> f32 {
        self.lines.len() as f32 * self.size * LEADING
    }

    fn write(&self, svg: &mut String, top: f32, color: &str) {
        let (x, anchor) = match self.is_from_right {
            true => (LEFT + LINE, "end"),
            false => (LEFT, "start"),
        };
        for (at, line) in self.lines.iter().enumerate() {
            let y = top + self.size * (LEADING * at as f32 + 0.95);
            let size = self.size;
            let place = format!(
                "x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" font-size=\"{size}\" fill=\"{color}\""
            );
            text(svg, &place, line);
        }
    }
}

/// Encodes the canvas as a PNG. If a picture makes it too large, the precision of its colours is reduced.
fn encode(canvas: &Pixmap) -> Result<Vec<u8>, ToolError> {
    let mut smallest = Vec::new();
    for kept in [0xff, 0xfc, 0xf8, 0xf0] {
        let pixels = canvas.pixels().iter();
        let rgb: Vec<u8> = pixels
            .flat_map(|pixel| {
                let color = pixel.demultiply();
                [
                    color.red() & kept,
                    color.green() & kept,
                    color.blue() & kept,
                ]
            })
            .collect();
        let mut image = Vec::new();
        let mut encoder = png::Encoder::new(&mut image, WIDTH, HEIGHT);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Balanced);
        let written = encoder
            .write_header()
            .and_then(|mut writer| writer.write_image_data(&rgb));
        written
            .map_err(|error| internal(format_args!("a thumbnail cannot be encoded: {error}")))?;
        smallest = image;
        if smallest.len() <= MOST {
            break;
        }
    }
    Ok(smallest)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn drawing(title: &str) -> Drawing {
        Drawing {
            title: title.to_owned(),
            subtitle: Some("Aula 3 · com Zoë Müller".to_owned()),
            background: "#14213D".to_owned(),
            text_color: "#FFFFFF".to_owned(),
            accent: "#FCA311".to_owned(),
            picture: None,
        }
    }

    /// The number of pixels in the text's colour, and whether one touches the edge.
    fn written(png: &[u8]) -> (usize, bool) {
        let canvas = Pixmap::decode_png(png).unwrap();
        assert_eq!((canvas.width(), canvas.height()), (WIDTH, HEIGHT));
        let (mut count, mut at_edge) = (0, false);
        for (at, pixel) in canvas.pixels().iter().enumerate() {
            if (pixel.red(), pixel.green(), pixel.blue()) == (255, 255, 255) {
                let (x, y) = (at as u32 % WIDTH, at as u32 / WIDTH);
                count += 1;
                at_edge |= !(40..=WIDTH - 10).contains(&x) || !(10..=HEIGHT - 10).contains(&y);
            }
        }
        (count, at_edge)
    }

    #[test]
    fn titles_of_many_scripts_are_fitted() {
        for title in [
            "Rust".to_owned(),
            "为什么所有权如此重要：从零开始学习系统编程的第一课"
                .repeat(6)
                .chars()
                .take(150)
                .collect(),
            "لماذا الملكية مهمة في لغة البرمجة ".repeat(4),
            "W".repeat(150),
            "Ownership 👩‍💻 explained 🎉 — Ação, Łódź, Ωμέγα, Привет".to_owned(),
        ] {
            let png = png(&Permit::ALONE, &drawing(&title)).unwrap();
            let (count, at_edge) = written(&png);
            assert!(count > 1000 && !at_edge, "{title}: {count} {at_edge}");
            assert!(png.len() <= MOST);
        }
    }

    #[test]
    fn the_same_input_gives_the_same_bytes() {
        let title = "Borrowing without fear 🦀";
        assert_eq!(
            png(&Permit::ALONE, &drawing(title)).unwrap(),
            png(&Permit::ALONE, &drawing(title)).unwrap()
        );
        assert_ne!(
            png(&Permit::ALONE, &drawing(title)).unwrap(),
            png(&Permit::ALONE, &drawing("Other")).unwrap()
        );
    }

    #[test]
    fn a_character_that_no_font_has_is_named() {
        let error = png(&Permit::ALONE, &drawing("Hieroglyph 𓀀")).unwrap_err();
        assert_eq!(error.field.as_deref(), Some("title"));
        assert!(error.message.contains("U+13000"), "{}", error.message);
    }

    #[test]
    fn noise_as_a_picture_stays_below_the_limit() {
        let mut noise = Pixmap::new(WIDTH, HEIGHT).unwrap();
        let mut state = 1_u32;
        for byte in noise.data_mut().chunks_exact_mut(4) {
            for color in &mut byte[..3] {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                *color = (state >> 24) as u8;
            }
            byte[3] = 255;
        }
        let mut drawing = drawing("Noise");
        drawing.background = "#000000".to_owned();
        drawing.picture = Some(STANDARD.encode(noise.encode_png().unwrap()));
        let png = png(&Permit::ALONE, &drawing).unwrap();
        assert!(png.len() <= MOST, "{}", png.len());
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        let mut torn = Pixmap::new(8, 8).unwrap().encode_png().unwrap();
        torn.truncate(40);
        for picture in [b"GIF89a".to_vec(), vec![0x89, b'P', b'N', b'G'], torn] {
            let mut drawing = drawing("Torn");
            drawing.picture = Some(STANDARD.encode(picture));
            assert_eq!(
                png(&Permit::ALONE, &drawing).unwrap_err().field.as_deref(),
                Some("picture")
            );
        }
    }
}
