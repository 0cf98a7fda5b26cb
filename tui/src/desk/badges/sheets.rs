//! Pages with text and filled rectangles, as a PDF. Only the glyphs that are used are embedded, and text can be selected
//! and searched.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Settings, Str, TextStr};
use subsetter::GlyphRemapper;

use super::BadgeError;
use super::face::{Cluster, FACES, Face, Glyph};

/// Glyphs are numbered as in the embedded font.
const SYSTEM: SystemInfo<'static> = SystemInfo {
    registry: Str(b"Adobe"),
    ordering: Str(b"Identity"),
    supplement: 0,
};
/// The unit of widths in a PDF: thousandths of the em.
const UNIT: f32 = 1000.0;
/// The width of vertical stems of bold fonts, for programs that replace the font.
const STEM: f32 = 170.0;

const SETTINGS: Settings = Settings { pretty: false };

/// A document. Places are in points, from the left and the top.
pub(super) struct Sheets {
    size: (f32, f32),
    pages: Vec<Content>,
    fonts: Vec<Used>,
}

/// What is used of a font.
#[derive(Default)]
struct Used {
    glyphs: GlyphRemapper,
    /// The text of each glyph, for search and selection.
    texts: BTreeMap<u16, String>,
}

impl Sheets {
    /// An empty document whose pages have this width and height.
    pub(super) fn new(width: f32, height: f32) -> Sheets {
        Sheets {
            size: (width, height),
            pages: Vec::new(),
            fonts: FACES.iter().map(|_| Used::default()).collect(),
        }
    }

    /// Adds a page, on which all that follows is drawn.
    pub(super) fn page(&mut self) {
        self.pages.push(Content::with_settings(SETTINGS));
    }

    /// Sets the colour to a grey of this brightness.
    pub(super) fn ink(&mut self, grey: u8) {
        if let Some(page) = self.pages.last_mut() {
            page.set_fill_gray(f32::from(grey) / 255.0);
        }
    }

    /// Fills rectangles: left, top, width and height.
    pub(super) fn fill(&mut self, rects: impl IntoIterator<Item = [f32; 4]>) {
        let Some(page) = self.pages.last_mut() else {
            return;
        };
        for [left, top, width, height] in rects {
            page.rect(left, self.size.1 - top - height, width, height);
        }
        page.fill_nonzero();
    }

    /// Draws a text in one of [`FACES`].
    pub(super) fn text(&mut self, face: usize, text: &str, size: f32, left: f32, baseline: f32) {
        let (Some(page), Some(font), Some(used)) = (
            self.pages.last_mut(),
            FACES.get(face),
            self.fonts.get_mut(face),
        ) else {
            return;
        };
        page.begin_text();
        page.set_font(Name(label(face).as_bytes()), size);
        let mut pen = (left, self.size.1 - baseline);
        let shaped = font.shape(text);
        let clusters = shaped.clusters.iter();
        let clusters: Vec<(bool, &Cluster)> = clusters
            .map(|cluster| (used.note(cluster), cluster))
            .collect();
        for part in clusters.chunk_by(|one, next| one.0 && next.0) {
            let is_marked = match part {
                [(false, cluster)] => {
                    let mut mark = page.begin_marked_content_with_properties(Name(b"Span"));
                    mark.properties().actual_text(TextStr(&cluster.text));
                    true
                }
                _ if shaped.is_from_right => {
                    page.begin_marked_content(Name(b"ReversedChars"));
                    true
                }
                _ => false,
            };
            let glyphs = part.iter().flat_map(|(_, cluster)| cluster.glyphs.iter());
            let glyphs: Vec<Glyph> = glyphs.copied().collect();
            used.show(page, font, &glyphs, size, &mut pen);
            if is_marked {
                page.end_marked_content();
            }
        }
        page.end_text();
    }

    /// The file.
    ///
    /// # Errors
    /// [`BadgeError`].
    pub(super) fn finish(self) -> Result<Vec<u8>, BadgeError> {
        let mut pdf = Pdf::with_settings(SETTINGS);
        let mut last = Ref::new(1);
        let (catalog, tree) = (last.bump(), last.bump());
        pdf.catalog(catalog).pages(tree);
        let mut fonts = Vec::new();
        for (at, used) in self.fonts.iter().enumerate() {
            if let Some(face) = FACES.get(at).filter(|_| used.is_used()) {
                let font = last.bump();
                used.embed(&mut pdf, face, font, &mut last)?;
                fonts.push((label(at), font));
            }
        }
        let mut pages = Vec::new();
        for content in self.pages {
            let (id, drawing) = (last.bump(), last.bump());
            let content = packed(content.finish().as_slice())?;
            pdf.stream(drawing, &content).filter(Filter::FlateDecode);
            let mut page = pdf.page(id);
            page.parent(tree).contents(drawing);
            page.media_box(Rect::new(0.0, 0.0, self.size.0, self.size.1));
            let mut resources = page.resources();
            let mut named = resources.fonts();
            for (name, font) in &fonts {
                named.pair(Name(name.as_bytes()), *font);
            }
            named.finish();
            resources.finish();
            page.finish();
            pages.push(id);
        }
        let count = i32::try_from(pages.len()).unwrap_or(i32::MAX);
        pdf.pages(tree).count(count).kids(pages);
        Ok(pdf.finish())
    }
}

impl Used {
    fn is_used(&self) -> bool {
        self.glyphs.num_gids() > 1
    }

    /// Embeds the glyphs of this cluster, with its text. Returns whether a reader gets this text from the glyphs alone.
    fn note(&mut self, cluster: &Cluster) -> bool {
        let ids: Vec<u16> = cluster
            .glyphs
            .iter()
            .map(|glyph| self.glyphs.remap(glyph.id))
            .collect();
        let Some(first) = ids.first() else {
            return true;
        };
        let text = self
            .texts
            .entry(*first)
            .or_insert_with(|| cluster.text.clone());
        ids.len() == 1 && *text == cluster.text
    }

    /// Draws the glyphs from this place on, and moves it behind them.
    fn show(
        &self,
        page: &mut Content,
        face: &Face,
        glyphs: &[Glyph],
        size: f32,
        pen: &mut (f32, f32),
    ) {
        for level in glyphs.chunk_by(|one, next| one.shift.1 == next.shift.1) {
            let up = level.first().map_or(0.0, |glyph| glyph.shift.1);
            page.set_text_matrix([1.0, 0.0, 0.0, 1.0, pen.0, pen.1 + up * size]);
            let mut shown = page.show_positioned();
            let mut items = shown.items();
            // How far the pen of the page is behind.
            let mut behind = 0.0;
            for glyph in level {
                behind += glyph.shift.0;
                if behind != 0.0 {
                    items.adjust(-behind * UNIT);
                }
                let id = self.glyphs.get(glyph.id).unwrap_or_default();
                items.show(Str(&id.to_be_bytes()));
                behind = glyph.advance - face.advance(glyph.id) - glyph.shift.0;
                pen.0 += glyph.advance * size;
            }
        }
    }

    /// Writes the font with the glyphs that are used.
    fn embed(
        &self,
        pdf: &mut Pdf,
        face: &Face,
        font: Ref,
        last: &mut Ref,
    ) -> Result<(), BadgeError> {
        let (cid, descriptor) = (last.bump(), last.bump());
        let (map, file) = (last.bump(), last.bump());
        let name = self.name(face);
        let name = Name(name.as_bytes());
        pdf.type0_font(font)
            .base_font(name)
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(cid)
            .to_unicode(map);
        let mut described = pdf.cid_font(cid);
        described
            .subtype(CidFontType::Type2)
            .base_font(name)
            .system_info(SYSTEM)
            .font_descriptor(descriptor)
            .default_width(0.0)
            .cid_to_gid_map_predefined(Name(b"Identity"));
        let glyphs = self.glyphs.remapped_gids();
        described
            .widths()
            .consecutive(0, glyphs.map(|glyph| face.advance(glyph) * UNIT));
        described.finish();
        let metrics = face.metrics();
        let bounds = metrics.bounds.unwrap_or_default();
        let unit = UNIT / face.em();
        pdf.font_descriptor(descriptor)
            .name(name)
            .flags(FontFlags::SYMBOLIC)
            .bbox(Rect::new(
                bounds.x_min * unit,
                bounds.y_min * unit,
                bounds.x_max * unit,
                bounds.y_max * unit,
            ))
            .italic_angle(0.0)
            .ascent(metrics.ascent * unit)
            .descent(metrics.descent * unit)
            .cap_height(metrics.cap_height.unwrap_or(metrics.ascent) * unit)
            .stem_v(STEM)
            .font_file2(file);
        let mut texts = UnicodeCmap::new(Name(b"Custom"), SYSTEM);
        for (glyph, text) in &self.texts {
            texts.pair_with_multiple(*glyph, text.chars());
        }
        let texts = packed(texts.finish().as_slice())?;
        pdf.cmap(map, &texts).filter(Filter::FlateDecode);
        let subset = subsetter::subset(face.data, 0, &self.glyphs)
            .map_err(|error| BadgeError::Pdf(format!("{}: {error}", face.name)))?;
        let packed = packed(&subset)?;
        let mut stream = pdf.stream(file, &packed);
        stream.filter(Filter::FlateDecode);
        stream.pair(
            Name(b"Length1"),
            i32::try_from(subset.len()).unwrap_or(i32::MAX),
        );
        Ok(())
    }

    /// The name of the font, marked as a subset with these glyphs.
    fn name(&self, face: &Face) -> String {
        let mut hasher = DefaultHasher::new();
        for glyph in self.glyphs.remapped_gids() {
            glyph.hash(&mut hasher);
        }
        let mut hash = Hasher::finish(&hasher);
        let mut tag = String::new();
        for _ in 0..6 {
            tag.push(char::from(b'A' + (hash % 26) as u8));
            hash /= 26;
        }
        format!("{tag}+{}", face.name)
    }
}

/// The name of a font in the pages.
fn label(face: usize) -> String {
    format!("F{face}")
}

fn packed(data: &[u8]) -> Result<Vec<u8>, BadgeError> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let written = encoder.write_all(data).and_then(|()| encoder.finish());
    written.map_err(|error| BadgeError::Pdf(error.to_string()))
}
