//! Which values of a key are the same.

use jiff::Timestamp;
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

use frontdesk_protocol::text::is_invisible;

/// The words in the names of arguments whose values are codes: “ab-1” is “AB-1”.
const CODES: [&str; 4] = ["code", "ticket", "slug", "handle"];
/// The words in the names of arguments whose values are addresses and logins.
const CONTACTS: [&str; 4] = ["email", "login", "chat_id", "chat_user_id"];

/// A value as it is compared: equal values have the same text. Numbers and times are compared by value; texts after
/// Unicode normalisation, without surrounding, repeated and invisible characters; addresses and codes without case.
pub(super) fn value(argument: &str, value: &Value) -> String {
    let text = match value {
        Value::Null => return String::new(),
        Value::String(text) => text,
        Value::Number(number) => {
            // 5.0 is 5.
            let whole = number.as_f64().filter(|whole| whole.fract() == 0.0);
            let whole = whole.filter(|whole| whole.abs() < 1e15);
            return whole.map_or_else(|| number.to_string(), |whole| format!("{whole:.0}"));
        }
        value => return value.to_string(),
    };
    if let Ok(at) = text.parse::<Timestamp>() {
        return at.to_string();
    }
    let plain = plain(text);
    match is_code(argument) || is_address(&plain) {
        true => plain.to_lowercase(),
        false => plain,
    }
}

/// The text after Unicode normalisation, without surrounding, repeated and invisible characters.
pub(super) fn plain(text: &str) -> String {
    let is_seen = |char: &char| char.is_whitespace() || !(char.is_control() || is_invisible(*char));
    let visible: String = text.nfc().filter(is_seen).collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether values of the argument are codes.
pub(super) fn is_code(argument: &str) -> bool {
    let name = argument.rsplit('.').next().unwrap_or_default();
    let name = name.to_lowercase();
    CODES.iter().any(|code| name.contains(code))
}

/// Whether values of the argument are e-mail addresses.
pub(super) fn is_email(argument: &str) -> bool {
    argument == "email" || argument.ends_with("_email")
}

/// Whether no character is removed from values of the argument: it would become another address or code.
pub(super) fn is_strict(argument: &str) -> bool {
    is_code(argument) || CONTACTS.iter().any(|contact| argument.ends_with(contact))
}

/// Whether the text has the form of an e-mail address.
pub(super) fn is_address(text: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty() && !part.starts_with('.') && !part.ends_with('.') && !part.contains("..")
    };
    let is_odd = |char: char| char.is_whitespace() || ":,;<>()[]\"".contains(char);
    let parts = text.split_once('@').filter(|_| !text.contains(is_odd));
    parts.is_some_and(|(name, domain)| is_part(name) && is_part(domain) && !domain.contains('@'))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_key_is_the_same_if_it_is_equal() {
        for (argument, one, other, is_same) in [
            (
                "title",
                json!("Ana Sá"),
                json!("  Ana\u{a0} Sa\u{301}\u{200b} "),
                true,
            ),
            ("title", json!("Ana Sá"), json!("Ana Sa"), false),
            ("title", json!("Ana"), json!("ana"), false),
            ("title", json!("Workshop C++"), json!("Workshop C#"), false),
            ("title", json!("Gate -1"), json!("Gate 1"), false),
            (
                "email",
                json!("Ana@Example.org"),
                json!("ana@example.org"),
                true,
            ),
            (
                "email",
                json!("ana.maria@example.org"),
                json!("anamaria@example.org"),
                false,
            ),
            ("title", json!("Ana @ home"), json!("ana @ home"), false),
            ("tags.ticket_code", json!("ab-1"), json!("AB-1"), true),
            ("tags.ticket_code", json!("007"), json!("7"), false),
            ("number", json!(5), json!(5.0), true),
            (
                "number",
                json!(9_007_199_254_740_993_i64),
                json!(9_007_199_254_740_992_i64),
                false,
            ),
            (
                "starts_at",
                json!("2026-03-12T18:30:00Z"),
                json!("2026-03-12T15:30:00-03:00"),
                true,
            ),
        ] {
            let is = value(argument, &one) == value(argument, &other);
            assert_eq!(is, is_same, "{argument}: {one} and {other}");
        }
    }
}
