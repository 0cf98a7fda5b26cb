//! The form with which a person agrees to a call.

use serde_json::{Value, json};

/// The method of a question.
pub(super) const METHOD: &str = "elicitation/create";
/// The key of the question.
pub(super) const KEY: &str = "confirm";

/// Whether a person has agreed, by their answer to the form.
pub(super) fn is_agreed(answer: &Value) -> bool {
    answer["action"] == "accept" && answer["content"][KEY] == true
}

/// The parameters of the question with this message.
pub(super) fn ask(message: &str) -> Value {
    // Some clients accept a form without fields by themselves.
    let agreed = json!({ "type": "boolean", "title": "Do it", "default": false });
    let form = json!({ "type": "object", "properties": { KEY: agreed }, "required": [KEY] });
    json!({ "mode": "form", "message": message, "requestedSchema": form })
}
