//! What a tool shows rather than tells: MCP's content blocks, for results that are no record.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The blocks of a result, in their order. The output of a tool that is not [`STRUCTURED`].
///
/// [`STRUCTURED`]: crate::tool::Tool::STRUCTURED
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Contents(pub Vec<Content>);

/// One block. Bytes are standard Base64.
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
        /// Such as `image/png`.
        mime_type: String,
    },
    /// Sound. The revision 2024-11-05 does not know it.
    #[serde(rename_all = "camelCase")]
    Audio {
        /// Its bytes.
        data: String,
        /// Such as `audio/wav`.
        mime_type: String,
    },
    /// A document that comes along.
    Resource {
        /// The document.
        resource: Resource,
    },
}

/// A document within a result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Resource {
    /// Its address.
    pub uri: String,
    /// Such as `text/plain`.
    pub mime_type: String,
    /// What it says.
    pub text: String,
}
