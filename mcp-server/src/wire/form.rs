//! The form with which a person agrees to a call.

use serde_json::{Value, json};

use crate::call::Request;

/// The key of the question.
pub(super) const KEY: &str = "confirm";

/// The question with this message.
pub(super) fn confirm(message: String) -> Request {
    // Some clients accept a form without fields by themselves.
    let agreed = json!({ "type": "boolean", "title": "Do it", "default": false });
    let schema = json!({ "type": "object", "properties": { KEY: agreed }, "required": [KEY] });
    Request::Form { message, schema }
}

/// Whether a person has agreed, by their answer.
pub(super) fn agrees(answer: Option<&Value>) -> bool {
    answer.is_some_and(|answer| answer["action"] == "accept" && answer["content"][KEY] == true)
}
