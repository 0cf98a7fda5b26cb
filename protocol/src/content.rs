//! MCP content blocks, for results that are not records.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The blocks of a result, in order: the output of a tool that is not [`STRUCTURED`].
///
/// [`STRUCTURED`]: crate::tool::Tool::STRUCTURED
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Contents(pub Vec<Content>);

/// A block. Bytes are standard Base64.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Content {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// A picture.
    #[serde(rename_all = "camelCase")]
    Image {
        /// Its bytes.
        data: String,
        /// For example `image/png`.
        mime_type: String,
    },
    /// Sound; not supported by revision 2024-11-05.
    #[serde(rename_all = "camelCase")]
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Resource {
    /// Its address.
    pub uri: String,
    /// For example `text/plain`.
    pub mime_type: String,
    /// The content of the document.
    pub text: String,
}
