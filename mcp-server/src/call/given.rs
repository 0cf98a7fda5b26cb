//! The arguments of a call, read once.

use std::borrow::Cow;

use frontdesk_protocol::wire::Shape;
use frontdesk_protocol::{Declaration, ToolError, args};
use serde_json::Value;

use crate::database::internal;
use crate::permits::{self, Permit};

/// From this size in bytes on, arguments are read off the async workers, and after the caller's role was asked.
pub const LARGE: usize = 32 * 1024;

/// The arguments of a call: as sent, and as read.
#[derive(Debug)]
pub struct Given<'a> {
    /// JSON text.
    pub text: Cow<'a, str>,
    value: Result<Value, ToolError>,
}

impl<'a> Given<'a> {
    /// Reads the arguments of a tool from JSON text. A mistake is an error of the call ([`Given::value`]).
    pub async fn read(tool: &Declaration, text: impl Into<Cow<'a, str>>) -> Given<'a> {
        let text = text.into();
        let value = parsed(tool.shape, &text).await;
        Given {
            value: value.map(|value| without_blank(tool, value)),
            text,
        }
    }

    /// Arguments of a tool that are no text.
    pub fn of(tool: &Declaration, value: Value) -> Given<'a> {
        Given {
            text: value.to_string().into(),
            value: Ok(without_blank(tool, value)),
        }
    }

    /// The arguments, not compared with the tool's schema yet.
    ///
    /// # Errors
    /// `invalid_argument`, as [`parsed`].
    pub fn value(&self) -> Result<&Value, ToolError> {
        self.value.as_ref().map_err(ToolError::clone)
    }

    /// Of a call that was refused: what could be read of them.
    pub(super) fn known(&self) -> &Value {
        self.value.as_ref().unwrap_or(&Value::Null)
    }
}

/// In a filter, an empty text is left out.
fn without_blank(tool: &Declaration, mut value: Value) -> Value {
    if tool.effect.read_only {
        args::without_blank(tool.shape, &mut value);
    }
    value
}

/// The arguments of JSON text. Large ones are read and checked where that holds no other call.
///
/// # Errors
/// `invalid_argument`: text that is not JSON and, of large arguments, all that the table refuses.
pub async fn parsed(shape: &'static Shape, text: &str) -> Result<Value, ToolError> {
    if text.len() <= LARGE {
        return args::parse(text);
    }
    let text = text.to_owned();
    let read = move |_: &Permit| {
        let arguments = args::parse(&text)?;
        args::check_from(shape, &arguments)?;
        Ok(arguments)
    };
    let read = permits::work(read).await;
    read.unwrap_or_else(|| Err(internal("reading the arguments panicked")))
}
