//! The result of any tool: content blocks and an optional structured value.

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use frontdesk_protocol::changes::{Changes, META_ACTION, META_CHANGE, META_CHANGES};
use frontdesk_protocol::exact;
use frontdesk_protocol::id::ChangeId;
use frontdesk_protocol::mcp::META_NEXT;
use serde_json::Value;

use crate::answers::Answer;
use crate::error::CallError;
use crate::result;
use crate::server::tasks::Task;

/// The result of a call, as the server sent it.
#[derive(Debug, Clone, PartialEq)]
pub struct CallResult {
    /// Content for people, in order.
    pub content: Vec<Content>,
    /// The same result for programs.
    pub structured: Option<Value>,
    /// Whether the tool refused; the content gives the reason.
    pub is_error: bool,
    received: Value,
    text: String,
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
    /// A block, as far as it can be shown; otherwise as received.
    pub(crate) fn of(block: &Value) -> Self {
        let text = |name: &str| block[name].as_str().map(str::to_owned);
        let known = match block["type"].as_str() {
            Some("text") => match &block["text"] {
                Value::Null => None,
                Value::String(text) if exact::digits(&block["text"]).is_none() => {
                    Some(Content::Text(text.clone()))
                }
                other => Some(Content::Text(exact::text(other))),
            },
            Some("image") => text("data").map(|data| Content::Image {
                mime_type: text("mimeType").unwrap_or_else(|| kind(&data).to_owned()),
                data,
            }),
            Some("audio") => text("data").map(|data| Content::Audio {
                mime_type: text("mimeType").unwrap_or_else(|| kind(&data).to_owned()),
                data,
            }),
            Some("resource_link") => text("uri").map(|uri| Content::Link {
                name: text("name").unwrap_or_else(|| uri.clone()),
                uri,
                mime_type: text("mimeType"),
                description: text("description"),
            }),
            Some("resource") => Content::resource(&block["resource"]),
            _ => None,
        };
        known.unwrap_or_else(|| Content::Other(block.clone()))
    }

    /// The bytes of an image, a sound or a resource: base64 in either alphabet, with line breaks and
    /// without padding, also as a `data:` address; `None` if it is none of these.
    pub fn decode(data: &str) -> Option<Vec<u8>> {
        let (_, data) = data_address(data).unwrap_or(("", data));
        let digits = data.bytes().filter(|byte| !byte.is_ascii_whitespace());
        let digits = digits.map(|byte| match byte {
            b'-' => b'+',
            b'_' => b'/',
            byte => byte,
        });
        let digits: Vec<u8> = digits.collect();
        LENIENT.decode(digits).ok()
    }

    /// The number of bytes that are encoded in this base64 text, whether or not it is whole.
    pub fn size(data: &str) -> usize {
        let (_, data) = data_address(data).unwrap_or(("", data));
        let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/-_".contains(byte);
        data.bytes().filter(is_digit).count() * 3 / 4
    }

    /// The contents of a resource.
    pub(crate) fn resource(resource: &Value) -> Option<Self> {
        let text = |name: &str| resource[name].as_str().map(str::to_owned);
        let (uri, mime_type) = (text("uri").unwrap_or_default(), text("mimeType"));
        match (text("text"), text("blob")) {
            (Some(text), _) => Some(Content::TextResource {
                uri,
                mime_type,
                text,
            }),
            (None, Some(blob)) => Some(Content::BlobResource {
                uri,
                mime_type,
                blob,
            }),
            (None, None) => None,
        }
    }
}

/// Whatever its padding and its last bits.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// The type and the base64 of a `data:` address.
fn data_address(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let is_data = text.get(..5)?.eq_ignore_ascii_case("data:");
    let (kind, data) = text.get(5..).filter(|_| is_data)?.split_once(',')?;
    Some((kind.split(';').next().unwrap_or_default(), data))
}

/// The type of an image by its address, otherwise by its first bytes in base64.
fn kind(data: &str) -> &str {
    if let Some((kind, _)) = data_address(data).filter(|(kind, _)| !kind.is_empty()) {
        return kind;
    }
    let kinds = [
        ("iVBORw0KGgo", "image/png"),
        ("/9j/", "image/jpeg"),
        ("R0lGOD", "image/gif"),
        ("UklGR", "image/webp"),
    ];
    let kind = kinds.iter().find(|(begin, _)| data.starts_with(begin));
    kind.map_or("application/octet-stream", |(_, kind)| kind)
}

impl CallResult {
    /// Reads the result of a tool.
    ///
    /// # Errors
    /// [`CallError::Protocol`] if it is no result.
    pub(crate) fn read(answer: Answer) -> Result<Self, CallError> {
        let received = answer.value().map_err(CallError::Protocol)?;
        CallResult::with_text(received, answer.text)
    }

    /// The result of a task.
    ///
    /// # Errors
    /// [`CallError::Protocol`] if it is no result.
    pub(crate) fn of(received: Value) -> Result<Self, CallError> {
        let text = exact::text(&received);
        CallResult::with_text(received, text)
    }

    fn with_text(received: Value, text: String) -> Result<Self, CallError> {
        match received["resultType"].as_str() {
            None | Some("complete" | "input_required" | "task") => {}
            Some(kind) => {
                let what = format!("it is not the result of the tool but its `{kind}`");
                return Err(CallError::Protocol(what));
            }
        }
        let content = match &received["content"] {
            Value::Array(blocks) => blocks.iter().map(Content::of).collect(),
            Value::Null => Vec::new(),
            Value::String(text) => vec![Content::Text(text.clone())],
            block => vec![Content::of(block)],
        };
        // Before 2024-11-05 the value had another name.
        let structured = ["structuredContent", "toolResult"].map(|name| &received[name]);
        let structured = structured.into_iter().find(|value| !value.is_null());
        let structured = match &received {
            Value::Object(_) | Value::Null => structured,
            other => Some(other),
        };
        Ok(CallResult {
            content,
            structured: structured.cloned(),
            is_error: matches!(&received["isError"], Value::Bool(true))
                || received["isError"] == "true",
            received,
            text,
        })
    }

    /// The task that the call has become.
    pub(crate) fn task(&self) -> Option<Task> {
        let is_task = self.received["resultType"] == "task" || self.received["task"].is_object();
        is_task.then(|| Task::read(&self.received))?
    }

    /// The contents of a resource.
    ///
    /// # Errors
    /// [`CallError::Protocol`] if there are none.
    pub(crate) fn of_contents(answer: Answer) -> Result<Self, CallError> {
        CallResult::of_items(answer, "contents", |contents| {
            Content::resource(contents).unwrap_or_else(|| Content::Other(contents.clone()))
        })
    }

    /// The messages of a prompt.
    ///
    /// # Errors
    /// [`CallError::Protocol`] if there are none.
    pub(crate) fn of_messages(answer: Answer) -> Result<Self, CallError> {
        CallResult::of_items(answer, "messages", |message| {
            Content::of(&message["content"])
        })
    }

    fn of_items(
        answer: Answer,
        name: &str,
        content: impl Fn(&Value) -> Content,
    ) -> Result<Self, CallError> {
        let received = answer.value().map_err(CallError::Protocol)?;
        let items = received[name].as_array();
        let items = items.ok_or_else(|| CallError::Protocol(format!("it has no {name}")))?;
        Ok(CallResult {
            content: items.iter().map(content).collect(),
            structured: Some(received.clone()),
            is_error: false,
            received,
            text: answer.text,
        })
    }

    /// Whether the tool asks before it goes on.
    pub(crate) fn asks(&self) -> bool {
        self.received["resultType"] == "input_required"
    }

    /// Whether all blocks are texts.
    pub fn is_text(&self) -> bool {
        self.content
            .iter()
            .all(|content| matches!(content, Content::Text(_)))
    }

    /// The result as the server wrote it: `content`, `structuredContent`, `isError`.
    pub fn received(&self) -> &Value {
        &self.received
    }

    /// The JSON of the result, byte for byte.
    pub fn received_text(&self) -> &str {
        &self.text
    }

    /// The texts beside the structured value that say something else than it does.
    pub fn beside(&self) -> Vec<&str> {
        let Some(value) = self.structured.as_ref().filter(|it| **it != self.received) else {
            return Vec::new();
        };
        let texts: Vec<&str> = self
            .content
            .iter()
            .filter_map(|block| match block {
                Content::Text(text) if !text.trim().is_empty() => Some(text.as_str()),
                _ => None,
            })
            .collect();
        let read = |text: &str| exact::read(text).unwrap_or_else(|_| text.into());
        // Some libraries wrap what is no object, and write each item of a list as a text.
        let wrapped = value.as_object().filter(|object| object.len() == 1);
        let values = [
            Some(value),
            wrapped.and_then(|object| object.values().next()),
        ];
        let items: Value = texts.iter().map(|text| read(text)).collect();
        let whole = read(&texts.join("\n"));
        let is_same =
            |value: &Value| *value == whole || *value == items || *value == texts.join("\n");
        match values.into_iter().flatten().any(is_same) {
            true => Vec::new(),
            false => texts,
        }
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

    /// The action that this call belongs to, if it changed something.
    pub fn action(&self) -> Option<ChangeId> {
        serde_json::from_value(self.meta(META_ACTION)?).ok()
    }

    /// From where to ask for changes after this result.
    pub fn next(&self) -> Option<String> {
        match self.meta(META_NEXT)? {
            Value::String(next) => Some(next),
            _ => None,
        }
    }

    fn meta(&self, key: &str) -> Option<Value> {
        self.received["_meta"].get(key).cloned()
    }

    /// The result as one value: the structured value; otherwise the texts, parsed as JSON if
    /// possible; if there are images, sounds or resources, the whole result as received. An empty
    /// result is null.
    ///
    /// # Errors
    /// The tool's refusal.
    pub fn into_value(self) -> Result<Value, CallError> {
        let texts = self.content.iter().filter_map(|block| match block {
            Content::Text(text) => Some(text.as_str()),
            _ => None,
        });
        let text = texts.collect::<Vec<_>>().join("\n");
        if self.is_error {
            return Err(result::refusal(self.structured, &text));
        }
        if !self.is_text() {
            return Ok(self.received);
        }
        if let Some(value) = self.structured {
            return Ok(value);
        }
        if self.content.is_empty() {
            return Ok(Value::Null);
        }
        // Older servers return JSON as one text block. A number is a text like any other.
        if !text.trim_start().starts_with(['{', '[']) {
            return Ok(Value::String(text));
        }
        match exact::read(&text) {
            Ok(value @ (Value::Object(_) | Value::Array(_))) => Ok(value),
            _ => Ok(Value::String(text)),
        }
    }
}
