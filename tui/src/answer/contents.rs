//! Content blocks of answers: images, sounds and resources. They are shown as rows; texts can be
//! read, and all can be saved as files.

use frontdesk_client::Content;
use frontdesk_protocol::exact;
use serde_json::{Map, Value};

use crate::app::effects::export::slug;
use crate::formats::{content_rows, lines};

/// The blocks as a list of records.
pub(super) fn rows(blocks: &[Content]) -> Value {
    let mut rows = content_rows(blocks);
    let records = rows["content"].as_array_mut().into_iter().flatten();
    for (record, block) in records.zip(blocks) {
        if let Content::Image { data, .. } = block
            && let Some((width, height)) = pixels(data)
        {
            record["pixels"] = format!("{width}×{height}").into();
        }
    }
    rows
}

/// Width and height of an image, if the format is known.
fn pixels(base64: &str) -> Option<(usize, usize)> {
    let bytes = Content::decode(base64)?;
    let size = imagesize::blob_size(&bytes).ok()?;
    Some((size.width, size.height))
}

/// A block as one value: the records of JSON or CSV, a text, or the facts of anything else.
pub(super) fn value(block: &Content) -> Value {
    match block {
        Content::Text(text) => text.as_str().into(),
        Content::TextResource {
            mime_type, text, ..
        } => {
            let kind = mime_type.as_deref().unwrap_or_default();
            let read = match kind.split(';').next().unwrap_or_default().trim() {
                "text/csv" => records(text),
                kind if kind == "application/json" || kind.ends_with("+json") => {
                    exact::read(text).ok()
                }
                _ => None,
            };
            read.unwrap_or_else(|| text.as_str().into())
        }
        _ => rows(std::slice::from_ref(block))["content"][0].take(),
    }
}

/// The records of a CSV file, if it is one.
fn records(text: &str) -> Option<Value> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let records = reader.deserialize::<Map<String, Value>>();
    let records: Result<Vec<_>, _> = records.map(|record| record.map(Value::Object)).collect();
    records.ok().map(Value::Array)
}

/// The bytes of an image block.
pub(crate) fn picture(block: &Content) -> Option<Vec<u8>> {
    let data = match block {
        Content::Image { data, .. } => data,
        Content::BlobResource {
            mime_type: Some(kind),
            blob,
            ..
        } if kind.starts_with("image/") => blob,
        _ => return None,
    };
    Content::decode(data)
}

/// The title of a block.
pub(super) fn name(block: &Content) -> String {
    match block {
        Content::Text(_) => "Text".to_owned(),
        Content::Image { .. } => "Image".to_owned(),
        Content::Audio { .. } => "Sound".to_owned(),
        Content::Link { name, .. } => name.clone(),
        Content::TextResource { uri, .. } | Content::BlobResource { uri, .. } => uri.clone(),
        Content::Other(_) => "Block".to_owned(),
    }
}

/// A file to save.
pub(super) struct File {
    /// The description in its name; empty if unknown.
    pub(super) about: String,
    /// The extension of its name.
    pub(super) ending: String,
    pub(super) bytes: Vec<u8>,
}

/// The block as a file.
///
/// # Errors
/// Why the block cannot be saved.
pub(super) fn file(block: &Content) -> Result<File, &'static str> {
    let decoded = |data: &str| Content::decode(data).ok_or("the server sent invalid base64");
    let (uri, kind, bytes) = match block {
        Content::Text(text) => (None, Some("text/plain"), lines(text).as_bytes().to_vec()),
        Content::Image { data, mime_type } | Content::Audio { data, mime_type } => {
            (None, Some(mime_type.as_str()), decoded(data)?)
        }
        Content::TextResource {
            uri,
            mime_type,
            text,
        } => {
            let kind = mime_type.as_deref().or(Some("text/plain"));
            (Some(uri.as_str()), kind, lines(text).as_bytes().to_vec())
        }
        Content::BlobResource {
            uri,
            mime_type,
            blob,
        } => (Some(uri.as_str()), mime_type.as_deref(), decoded(blob)?),
        Content::Link { .. } => return Err("it is a link; the content is on the server"),
        Content::Other(_) => return Err("its type is unknown"),
    };
    let last = uri.and_then(|uri| uri.rsplit('/').next()).unwrap_or("");
    let (stem, own) = last.rsplit_once('.').unwrap_or((last, ""));
    let is_ending = (1..=5).contains(&own.len()) && own.chars().all(|c| c.is_ascii_alphanumeric());
    let ending = match is_ending {
        true => own.to_lowercase(),
        false => ending(kind.unwrap_or_default()).to_owned(),
    };
    Ok(File {
        about: slug(if is_ending { stem } else { last }),
        ending,
        bytes,
    })
}

/// The file extension for a MIME type.
fn ending(kind: &str) -> &'static str {
    let kind = kind.split(';').next().unwrap_or_default().trim();
    match kind {
        "image/png" => "png",
        "image/jpeg" => "jpg",
        "image/gif" => "gif",
        "image/webp" => "webp",
        "image/svg+xml" => "svg",
        "audio/wav" | "audio/x-wav" | "audio/wave" => "wav",
        "audio/mpeg" => "mp3",
        "audio/ogg" => "ogg",
        "application/json" => "json",
        "application/pdf" => "pdf",
        "application/zip" => "zip",
        "application/gzip" => "gz",
        "text/csv" => "csv",
        "text/html" => "html",
        "text/markdown" => "md",
        kind if kind.starts_with("text/") => "txt",
        _ => "bin",
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;

    use super::*;

    /// The beginning of a PNG: its first chunk has the size, 3 by 2 pixels.
    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x03\0\0\0\x02\x08\x02\0\0\0";

    #[test]
    fn an_image_says_how_large_it_is() {
        let image = |bytes: &[u8]| Content::Image {
            data: STANDARD.encode(bytes),
            mime_type: "image/png".to_owned(),
        };
        let rows = rows(&[image(PNG), image(b"no image")]);
        assert_eq!(rows["content"][0]["pixels"], "3×2");
        assert_eq!(rows["content"][0]["bytes"], PNG.len());
        assert_eq!(rows["content"][1]["pixels"], Value::Null);
    }

    #[test]
    fn a_file_is_named_after_what_it_is() {
        let blob = |uri: &str, kind: Option<&str>| Content::BlobResource {
            uri: uri.to_owned(),
            mime_type: kind.map(str::to_owned),
            blob: "TWFu".to_owned(),
        };
        for (block, about, end) in [
            (blob("file:///a/Price List.PDF", None), "price-list", "pdf"),
            (
                blob("demo://r/../../etc/passwd", Some("image/png")),
                "passwd",
                "png",
            ),
            (blob("demo://r/..", None), "", "bin"),
            (Content::Text("x".to_owned()), "", "txt"),
        ] {
            let file = file(&block).unwrap_or_else(|why| panic!("{why}"));
            assert_eq!((file.about.as_str(), file.ending.as_str()), (about, end));
        }
        assert_eq!(
            file(&blob("x", None)).map(|file| file.bytes),
            Ok(b"Man".to_vec())
        );
        let broken = Content::Image {
            data: "!".to_owned(),
            mime_type: "image/png".to_owned(),
        };
        assert_eq!(file(&broken).err(), Some("the server sent invalid base64"));
    }
}
