//! The result of any tool: content blocks and an optional structured value.

use frontdesk_protocol::changes::{Changes, META_CHANGE, META_CHANGES};
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::Value;

use crate::error::CallError;
use crate::result;

/// The result of a call, as the server sent it.
#[derive(Debug, Clone, PartialEq)]
pub struct CallResult {
    /// Content for people, in order.
    pub content: Vec<Content>,
    /// The same result for programs.
    pub structured: Option<Value>,
    /// Whether the tool refused; the content gives the reason.
    pub is_error: bool,
    received: CallToolResult,
}

/// A content block. Binary data is base64, as received.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// A text.
    Text(String),
    /// An image.
    Image {
        /// Base64.
        data: String,
        /// E.g. `image/png`.
        mime_type: String,
    },
    /// A sound.
    Audio {
        /// Base64.
        data: String,
        /// E.g. `audio/wav`.
        mime_type: String,
    },
    /// A link to a resource.
    Link {
        /// Its address.
        uri: String,
        /// Its name.
        name: String,
        /// Its MIME type.
        mime_type: Option<String>,
        /// Its description.
        description: Option<String>,
    },
    /// An embedded text resource.
    TextResource {
        /// Its address.
        uri: String,
        /// Its MIME type.
        mime_type: Option<String>,
        /// Its content.
        text: String,
    },
    /// An embedded binary resource.
    BlobResource {
        /// Its address.
        uri: String,
        /// Its MIME type.
        mime_type: Option<String>,
        /// Base64.
        blob: String,
    },
    /// A block of an unknown type, as received.
    Other(Value),
}

impl Content {
    fn of(block: &ContentBlock) -> Self {
        let other = || Content::Other(serde_json::to_value(block).unwrap_or_default());
        match block {
            ContentBlock::Text(text) => Content::Text(text.text.clone()),
            ContentBlock::Image(image) => Content::Image {
                data: image.data.clone(),
                mime_type: image.mime_type.clone(),
            },
            ContentBlock::Audio(audio) => Content::Audio {
                data: audio.data.clone(),
                mime_type: audio.mime_type.clone(),
            },
            ContentBlock::ResourceLink(link) => Content::Link {
                uri: link.uri.clone(),
                name: link.name.clone(),
                mime_type: link.mime_type.clone(),
                description: link.description.clone(),
            },
            ContentBlock::Resource(resource) => match resource.resource.clone() {
                ResourceContents::TextResourceContents {
                    uri,
                    mime_type,
                    text,
                    ..
                } => Content::TextResource {
                    uri,
                    mime_type,
                    text,
                },
                ResourceContents::BlobResourceContents {
                    uri,
                    mime_type,
                    blob,
                    ..
                } => Content::BlobResource {
                    uri,
                    mime_type,
                    blob,
                },
                _ => other(),
            },
            _ => other(),
        }
    }
}

impl CallResult {
    pub(crate) fn of(received: CallToolResult) -> Self {
        CallResult {
            content: received.content.iter().map(Content::of).collect(),
            structured: received.structured_content.clone(),
            is_error: received.is_error == Some(true),
            received,
        }
    }

    /// Whether all blocks are texts.
    pub fn is_text(&self) -> bool {
        self.content
            .iter()
            .all(|content| matches!(content, Content::Text(_)))
    }

    /// The result as the server wrote it: `content`, `structuredContent`, `isError`.
    pub fn received(&self) -> Value {
        serde_json::to_value(&self.received).unwrap_or_default()
    }

    /// The changes: those that a preview would make, or the current ones if the expected plan no
    /// longer holds.
    ///
    /// # Errors
    /// [`CallError::Protocol`] if they cannot be read.
    pub fn changes(&self) -> Result<Option<Changes>, CallError> {
        let changes = self.meta(META_CHANGES).map(serde_json::from_value);
        changes
            .transpose()
            .map_err(|error| CallError::Protocol(format!("{META_CHANGES}: {error}")))
    }

    /// The id of the history entry of this call, if it changed something.
    pub fn change(&self) -> Option<String> {
        match self.meta(META_CHANGE)? {
            Value::String(id) => Some(id),
            _ => None,
        }
    }

    fn meta(&self, key: &str) -> Option<Value> {
        self.received.meta.as_ref()?.get(key).cloned()
    }

    /// The result as one value: the structured value; otherwise the texts, parsed as JSON if
    /// possible; if there are images, sounds or resources, the whole result as received. An empty
    /// result is null.
    ///
    /// # Errors
    /// The tool's refusal.
    pub fn into_value(self) -> Result<Value, CallError> {
        if self.is_error || self.is_text() {
            return result::of_tool(self.received);
        }
        Ok(self.received())
    }
}
