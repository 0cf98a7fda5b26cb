//! The fonts of badges: which characters they have, widths, and shaped text.

use std::sync::LazyLock;

use harfrust::{Direction, FontRef, ShapeOptions, ShaperData, UnicodeBuffer};
use skrifa::charmap::Charmap;
use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::{GlyphMetrics, Metrics};
use skrifa::{GlyphId, MetadataProvider};

/// A font. All are bold, upright and in TrueType outlines.
pub(super) struct Face {
    /// The PostScript name.
    pub(super) name: &'static str,
    pub(super) data: &'static [u8],
    font: FontRef<'static>,
    shaper: ShaperData,
    glyphs: Charmap<'static>,
    widths: GlyphMetrics<'static>,
    em: f32,
}

/// A text in glyphs, from left to right.
pub(super) struct Shaped {
    pub(super) clusters: Vec<Cluster>,
    pub(super) is_from_right: bool,
}

/// The glyphs of a cluster: characters that are drawn together.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cluster {
    pub(super) text: String,
    pub(super) glyphs: Vec<Glyph>,
}

/// A shaped glyph, in units of the em.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Glyph {
    pub(super) id: u16,
    /// The distance of the next glyph.
    pub(super) advance: f32,
    /// The shift to the right and up.
    pub(super) shift: (f32, f32),
}

/// The fonts; the first with a character draws it.
pub(super) static FACES: LazyLock<Vec<Face>> = LazyLock::new(|| {
    let fonts: [(&'static str, &'static [u8]); 4] = [
        (
            "NotoSans-Bold",
            include_bytes!("../../../../mcp-server/fonts/NotoSans-Bold.ttf"),
        ),
        (
            "NotoSansArabic-Bold",
            include_bytes!("../../../../mcp-server/fonts/NotoSansArabic-Bold.ttf"),
        ),
        (
            "NotoSansSC-Bold",
            include_bytes!("../../../../mcp-server/fonts/NotoSansSC-Bold.ttf"),
        ),
        (
            "NotoEmoji-Bold",
            include_bytes!("../../../../mcp-server/fonts/NotoEmoji-Bold.ttf"),
        ),
    ];
    let faces = fonts.into_iter().filter_map(|(name, data)| {
        let font = FontRef::new(data).ok()?;
        let shaper = ShaperData::new(&font);
        let metrics = font.metrics(Size::unscaled(), LocationRef::default());
        Some(Face {
            name,
            data,
            shaper,
            glyphs: font.charmap(),
            widths: font.glyph_metrics(Size::unscaled(), LocationRef::default()),
            em: f32::from(metrics.units_per_em),
            font,
        })
    });
    faces.collect()
});

impl Face {
    pub(super) fn has(&self, char: char) -> bool {
        self.glyphs.map(char).is_some()
    }

    /// The width of a text without kerning.
    pub(super) fn width(&self, text: &str, size: f32) -> f32 {
        let glyphs = text
            .chars()
            .map(|char| self.glyphs.map(char).unwrap_or_default());
        let widths = glyphs.map(|glyph| self.widths.advance_width(glyph).unwrap_or(0.0));
        widths.sum::<f32>() * size / self.em
    }

    /// The width of a glyph, in units of the em.
    pub(super) fn advance(&self, glyph: u16) -> f32 {
        let width = self.widths.advance_width(GlyphId::from(glyph));
        width.unwrap_or(0.0) / self.em
    }

    /// Ascent, descent and bounds, in units of the font.
    pub(super) fn metrics(&self) -> Metrics {
        self.font.metrics(Size::unscaled(), LocationRef::default())
    }

    /// The units of the font in an em.
    pub(super) fn em(&self) -> f32 {
        self.em
    }

    /// The text in this font.
    pub(super) fn shape(&self, text: &str) -> Shaped {
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(text);
        buffer.guess_segment_properties();
        let is_from_right = buffer.direction() == Direction::RightToLeft;
        let shaper = self.shaper.shaper(&self.font).build();
        let shaped = shaper.shape(buffer, ShapeOptions::new());
        let em = self.em();
        let glyphs = shaped.glyph_infos().iter().zip(shaped.glyph_positions());
        let mut clusters: Vec<(usize, Vec<Glyph>)> = Vec::new();
        for (info, position) in glyphs {
            let start = info.cluster as usize;
            let glyph = Glyph {
                id: u16::try_from(info.glyph_id).unwrap_or_default(),
                advance: position.x_advance as f32 / em,
                shift: (position.x_offset as f32 / em, position.y_offset as f32 / em),
            };
            match clusters.last_mut() {
                Some((last, glyphs)) if *last == start => glyphs.push(glyph),
                _ => clusters.push((start, vec![glyph])),
            }
        }
        // A cluster ends where the next one in the text starts.
        let starts: Vec<usize> = clusters.iter().map(|(start, _)| *start).collect();
        let end = |at: usize| {
            let next = if is_from_right {
                at.checked_sub(1)
            } else {
                at.checked_add(1)
            };
            next.and_then(|next| starts.get(next))
                .copied()
                .unwrap_or(text.len())
        };
        let clusters = clusters.into_iter().enumerate();
        let clusters = clusters.map(|(at, (start, glyphs))| Cluster {
            text: text.get(start..end(at)).unwrap_or_default().to_owned(),
            glyphs,
        });
        Shaped {
            clusters: clusters.collect(),
            is_from_right,
        }
    }
}
