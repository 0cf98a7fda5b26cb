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

/// What a tag says that means no, in small letters: also as spreadsheets and people write it, in English, Portuguese,
/// Spanish, French and German.
pub const NO: &[&str] = &[
    "", "-", "–", "—", "0", "0.0", "[]", "aucun", "aucune", "false", "falsch", "falso", "faux",
    "k.a.", "kein", "keine", "n", "n.a.", "n/a", "n/d", "nao", "nein", "nenhum", "nenhuma",
    "ninguna", "ninguno", "no", "non", "none", "null", "não", "s.o.", "{}",
];

/// Whether a tag with this value counts as one that the guest has.
#[must_use]
pub fn is_set(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(is_set) => *is_set,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !NO.contains(&text.trim().to_lowercase().as_str()),
        Value::Array(values) => values.iter().any(is_set),
        Value::Object(fields) => !fields.is_empty(),
    }
}

/// A remark about a guest, from the tags `note`, `alert` and `blocked`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Alert {
    /// To be read, such as “VIP” or “needs ID”.
    Note(String),
    /// Not to be checked in without a reason.
    Blocked(String),
}

/// The remark in a guest's tags. `blocked` says why, or only that; an `alert` that begins with “blocked” is one, too.
#[must_use]
pub fn alert(tags: &Map<String, Value>) -> Option<Alert> {
    let is_block = |text: &str| text.to_lowercase().starts_with("blocked");
    let texts = |tag: &str| match tags.get(tag).filter(|value| is_set(value)) {
        Some(Value::String(text)) => vec![text.trim()],
        Some(Value::Array(texts)) if texts.iter().any(Value::is_string) => {
            let texts = texts.iter().filter(|text| is_set(text));
            texts.filter_map(Value::as_str).map(str::trim).collect()
        }
        Some(_) if tag == "blocked" => vec!["blocked"],
        _ => Vec::new(),
    };
    let remarks: Vec<&str> = ["blocked", "alert", "note"]
        .into_iter()
        .flat_map(texts)
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
    fn a_value_that_says_no_is_no_tag() {
        for no in NO.iter().copied().chain([" No ", "FALSE", "NÃO", "N/A"]) {
            assert!(!is_set(&json!(no)), "{no}");
            let tags = json!({ "blocked": no, "alert": no, "note": [no] });
            assert_eq!(alert(tags.as_object().expect("tags")), None, "{no}");
        }
        for no in [
            json!(null),
            json!(false),
            json!(0),
            json!(0.0),
            json!([]),
            json!([0, "no"]),
            json!({}),
        ] {
            assert!(!is_set(&no), "{no}");
        }
        for yes in [
            json!(true),
            json!(1),
            json!("yes"),
            json!("unpaid"),
            json!(["x"]),
            json!({ "by": "Ana" }),
        ] {
            let tags = json!({ "blocked": yes });
            assert!(
                is_set(&yes) && blocked(tags.as_object().expect("tags")).is_some(),
                "{yes}"
            );
        }
    }

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
