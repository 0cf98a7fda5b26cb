//! What any tool returned: blocks of content, and a structured value where there is one.

use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::Value;

use crate::error::CallError;
use crate::result;

/// The result of a call, as the server gave it.
#[derive(Debug, Clone, PartialEq)]
pub struct CallResult {
    /// What is to be read, seen or heard, in order.
    pub content: Vec<Content>,
    /// The same for programs.
    pub structured: Option<Value>,
    /// Whether the tool refused; the content says why.
    pub is_error: bool,
    received: CallToolResult,
}

/// One block of content. Data of images, sounds and blobs is base64, as it came.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// A text.
    Text(String),
    /// An image.
    Image {
        /// Its bytes, base64.
        data: String,
        /// What it is, such as `image/png`.
        mime_type: String,
    },
    /// A sound.
    Audio {
        /// Its bytes, base64.
        data: String,
        /// What it is, such as `audio/wav`.
        mime_type: String,
    },
    /// Where a resource is; it can be read there.
    Link {
        /// Its address.
        uri: String,
        /// Its name.
        name: String,
        /// What it is.
        mime_type: Option<String>,
        /// What it is about.
        description: Option<String>,
    },
    /// A resource that is a text.
    TextResource {
        /// Its address.
        uri: String,
        /// What it is.
        mime_type: Option<String>,
        /// The text.
        text: String,
    },
    /// A resource that is something else.
    BlobResource {
        /// Its address.
        uri: String,
        /// What it is.
        mime_type: Option<String>,
        /// Its bytes, base64.
        blob: String,
    },
    /// What this version does not know, as it came.
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

    /// Whether there is nothing in it but texts.
    pub fn is_text(&self) -> bool {
        self.content
            .iter()
            .all(|content| matches!(content, Content::Text(_)))
    }

    /// The result as the server wrote it: `content`, `structuredContent`, `isError`.
    pub fn received(&self) -> Value {
        serde_json::to_value(&self.received).unwrap_or_default()
    }

    /// The result as one value: the structured one; else the texts, read as JSON where they are;
    /// and where there are images, sounds or resources, the whole as it was received.
    ///
    /// # Errors
    /// The tool's refusal, or [`CallError::Protocol`] where there is nothing at all.
    pub fn into_value(self) -> Result<Value, CallError> {
        if self.is_error || self.is_text() {
            return result::of_tool(self.received);
        }
        Ok(self.received())
    }
}
