//! What the people at the door have to know about a guest.

use serde_json::{Map, Value};

use crate::id::GuestId;

/// The tag with the reason why a blocked guest was admitted.
pub const ADMITTED: &str = "admitted_because";

/// The tag of a plus-one with the id of the guest whom they accompany.
pub const GUEST_OF: &str = "guest_of";

/// The guest whom a plus-one accompanies, from the tags.
#[must_use]
pub fn guest_of(tags: &Map<String, Value>) -> Option<GuestId> {
    tags.get(GUEST_OF)?.as_str()?.parse().ok()
}

/// A remark about a guest, from the tags `note`, `alert` and `blocked`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Alert {
    /// To be read, such as “VIP” or “needs ID”.
    Note(String),
    /// Not to be checked in without a reason.
    Blocked(String),
}

/// The remark in a guest's tags. `blocked` is true or says why; an `alert` that begins with “blocked” is one, too.
#[must_use]
pub fn alert(tags: &Map<String, Value>) -> Option<Alert> {
    let is_block = |text: &str| text.to_lowercase().starts_with("blocked");
    let texts = |tag: &str| match tags.get(tag) {
        Some(Value::String(text)) => vec![text.trim()],
        Some(Value::Array(texts)) => texts.iter().filter_map(Value::as_str).collect(),
        Some(Value::Bool(true)) if tag == "blocked" => vec!["blocked"],
        _ => Vec::new(),
    };
    let remarks: Vec<&str> = ["blocked", "alert", "note"]
        .into_iter()
        .flat_map(texts)
        .filter(|text| !text.is_empty())
        .collect();
    let mut alerts = texts("alert").into_iter();
    let is_blocked = !texts("blocked").is_empty() || alerts.any(is_block);
    let text = remarks.join(" · ");
    match is_blocked {
        true => Some(Alert::Blocked(text)),
        false => (!text.is_empty()).then_some(Alert::Note(text)),
    }
}

/// Why a guest is blocked, unless they were admitted for a reason.
#[must_use]
pub fn blocked(tags: &Map<String, Value>) -> Option<String> {
    match alert(tags) {
        Some(Alert::Blocked(why)) if !tags.contains_key(ADMITTED) => Some(why),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn remarks_are_read_from_their_tags() {
        let of = |tags: Value| alert(tags.as_object().expect("tags"));
        let note = |text: &str| Some(Alert::Note(text.to_owned()));
        let blocked = |text: &str| Some(Alert::Blocked(text.to_owned()));
        assert_eq!(of(json!({ "note": "VIP" })), note("VIP"));
        assert_eq!(
            of(json!({ "alert": ["needs ID"], "note": "VIP" })),
            note("needs ID · VIP")
        );
        assert_eq!(of(json!({ "blocked": "unpaid" })), blocked("unpaid"));
        assert_eq!(of(json!({ "blocked": true })), blocked("blocked"));
        assert_eq!(
            of(json!({ "alert": "Blocked: unpaid" })),
            blocked("Blocked: unpaid")
        );
        assert_eq!(
            of(json!({ "blocked": false, "note": " ", "alert_sent": "yes" })),
            None
        );
    }
}
