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
        let mut field = |name: &'static str| match value.get(name) {
            Some(text) => reader.below(name, text),
            None => reader.complain(format!("need `{name}`")),
        };
        let kind: String = field("type")?;
        match kind.as_str() {
            "text" => Some(Content::Text {
                text: field("text")?,
            }),
            "image" => Some(Content::Image {
                data: field("data")?,
                mime_type: field("mimeType")?,
            }),
            "audio" => Some(Content::Audio {
                data: field("data")?,
                mime_type: field("mimeType")?,
            }),
            "resource" => {
                let resource = value.get("resource")?;
                reader
                    .below("resource", resource)
                    .map(|resource| Content::Resource { resource })
            }
            _ => reader.complain("must be text, image, audio or resource"),
        }
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
