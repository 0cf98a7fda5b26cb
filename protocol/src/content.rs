//! MCP content blocks, for results that are not records.

use serde_json::{Value, json};

use crate::wire::{Reader, Schemas, Wire};

/// The blocks of a result, in order: the output of a tool that is not [`STRUCTURED`].
///
/// [`STRUCTURED`]: crate::tool::Tool::STRUCTURED
#[derive(Debug, Clone, PartialEq)]
pub struct Contents(pub Vec<Content>);

/// A block. Bytes are standard Base64.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// A picture.
    Image {
        /// Its bytes.
        data: String,
        /// For example `image/png`.
        mime_type: String,
    },
    /// Sound; not supported by revision 2024-11-05.
    Audio {
        /// Its bytes.
        data: String,
        /// For example `audio/wav`.
        mime_type: String,
    },
    /// An embedded document.
    Resource {
        /// The document.
        resource: Resource,
    },
}

/// An embedded document.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Resource {
    /// Its address.
    pub uri: String,
    /// For example `text/plain`.
    #[wire(rename = "mimeType")]
    pub mime_type: String,
    /// The content of the document.
    pub text: String,
}

impl Wire for Contents {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        Vec::read(value, reader).map(Contents)
    }

    fn write(&self) -> Value {
        self.0.write()
    }

    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "array" })
    }
}

impl Wire for Content {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        let kind: String = reader.under("type", value)?;
        Some(match kind.as_str() {
            "text" => Content::Text {
                text: reader.under("text", value)?,
            },
            "image" => Content::Image {
                data: reader.under("data", value)?,
                mime_type: reader.under("mimeType", value)?,
            },
            "audio" => Content::Audio {
                data: reader.under("data", value)?,
                mime_type: reader.under("mimeType", value)?,
            },
            "resource" => Content::Resource {
                resource: reader.under("resource", value)?,
            },
            _ => return reader.complain("must be text, image, audio or resource"),
        })
    }

    fn write(&self) -> Value {
        match self {
            Content::Text { text } => json!({ "type": "text", "text": text }),
            Content::Image { data, mime_type } => {
                json!({ "type": "image", "data": data, "mimeType": mime_type })
            }
            Content::Audio { data, mime_type } => {
                json!({ "type": "audio", "data": data, "mimeType": mime_type })
            }
            Content::Resource { resource } => {
                json!({ "type": "resource", "resource": resource.write() })
            }
        }
    }

    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "object" })
    }
}
