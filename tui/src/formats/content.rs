//! Images, sounds and resources as table rows: type and size, without the bytes.

use frontdesk_client::Content;
use frontdesk_protocol::exact;
use serde_json::{Value, json};

/// The content blocks as a list of records.
pub fn content_rows(blocks: &[Content]) -> Value {
    let rows: Vec<_> = blocks.iter().map(row).collect();
    json!({ "content": rows })
}

/// The texts of the content blocks; for other blocks, their type and size or address.
pub fn content_text(blocks: &[Content]) -> String {
    let sized = |kind: &str, data: &str| format!("[{kind}, {} bytes]", Content::size(data));
    let texts = blocks.iter().map(|block| match block {
        Content::Text(text) | Content::TextResource { text, .. } => text.clone(),
        Content::Image { data, mime_type } | Content::Audio { data, mime_type } => {
            sized(mime_type, data)
        }
        Content::BlobResource {
            mime_type, blob, ..
        } => sized(mime_type.as_deref().unwrap_or("resource"), blob),
        Content::Link { uri, .. } => uri.clone(),
        Content::Other(value) => exact::text(value),
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn row(content: &Content) -> Value {
    let mut row = match content {
        Content::Text(text) => json!({ "type": "text", "text": text }),
        Content::Image { data, mime_type } => {
            json!({ "type": "image", "mime_type": mime_type, "bytes": Content::size(data) })
        }
        Content::Audio { data, mime_type } => {
            json!({ "type": "audio", "mime_type": mime_type, "bytes": Content::size(data) })
        }
        Content::Link {
            uri,
            name,
            mime_type,
            description,
        } => json!({
            "type": "resource_link", "name": name, "uri": uri, "mime_type": mime_type,
            "text": description,
        }),
        Content::TextResource {
            uri,
            mime_type,
            text,
        } => json!({ "type": "resource", "uri": uri, "mime_type": mime_type, "text": text }),
        Content::BlobResource {
            uri,
            mime_type,
            blob,
        } => json!({
            "type": "resource", "uri": uri, "mime_type": mime_type, "bytes": Content::size(blob),
        }),
        Content::Other(value) => value.clone(),
    };
    if let Some(row) = row.as_object_mut() {
        row.retain(|_, value| !value.is_null());
    }
    row
}
