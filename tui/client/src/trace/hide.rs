//! Secrets in messages: values under names that [`secret::is_secret_name`] knows, bearer tokens, and
//! what the configuration keeps secret.

use std::borrow::Cow;

use frontdesk_protocol::exact::end_of_string;

use crate::secret::is_secret_name;

/// What stands in place of a secret.
pub const HIDDEN: &str = "[hidden]";
/// Known secrets of at least this length are found everywhere. Shorter ones occur in other words.
const SHORTEST: usize = 4;
const BEARER: &[u8] = b"bearer ";

/// Whether something was hidden in this text.
pub fn has_hidden(text: &str) -> bool {
    text.contains(HIDDEN)
}

/// JSON without its secrets. What is not JSON is read as far as it resembles it.
pub(super) fn in_json(text: &str, known: &[String]) -> String {
    everywhere(values(text, is_secret_name, |_| {}), known)
}

/// JSON without the values under secret names; `found` gets each of them, as JSON.
pub(super) fn values(
    text: &str,
    is_secret_name: impl Fn(&str) -> bool,
    mut found: impl FnMut(&str),
) -> String {
    let bytes = text.as_bytes();
    let mut shown = String::with_capacity(text.len());
    // For each open list and object, whether the values directly in it are secret.
    let mut open: Vec<bool> = Vec::new();
    let (mut at, mut is_secret) = (0, false);
    while let Some(byte) = bytes.get(at) {
        let end = end(bytes, at);
        let token = text.get(at..end).unwrap_or_default();
        let is_value = matches!(byte, b'"' | b'-' | b'0'..=b'9');
        match byte {
            b'"' if is_name(bytes, end) => is_secret = is_secret_name(token),
            b'{' | b'[' => open.push(*byte == b'[' && std::mem::take(&mut is_secret)),
            b'}' | b']' => drop(open.pop()),
            b',' => is_secret = false,
            _ => {}
        }
        let is_hidden = is_secret || open.last() == Some(&true);
        match is_value && is_hidden && !is_name(bytes, end) {
            true => {
                found(token);
                shown.push_str(&format!("\"{HIDDEN}\""));
            }
            false => shown.push_str(token),
        }
        at = end;
    }
    shown
}

/// A line without its secrets: also without values as in `TOKEN=value` and `password: value`.
pub(super) fn in_line(line: &str, known: &[String]) -> String {
    let mut shown = String::with_capacity(line.len());
    let mut is_secret = false;
    for word in line.split_inclusive(char::is_whitespace) {
        let bare = word.trim_end();
        let space = word.get(bare.len()..).unwrap_or_default();
        let named = bare
            .split_once(['=', ':'])
            .filter(|(name, _)| is_secret_name(name));
        match named {
            Some((name, value)) if !value.is_empty() => {
                let sign = bare.get(name.len()..=name.len()).unwrap_or_default();
                shown.push_str(&format!("{name}{sign}{HIDDEN}{space}"));
            }
            _ if is_secret && !bare.is_empty() && !is_bearer(bare) => {
                shown.push_str(&format!("{HIDDEN}{space}"));
            }
            _ => shown.push_str(word),
        }
        let goes_on = is_secret && (bare.is_empty() || is_bearer(bare));
        is_secret = goes_on || named.is_some_and(|(_, value)| value.is_empty());
    }
    everywhere(shown, known)
}

fn is_bearer(word: &str) -> bool {
    word.eq_ignore_ascii_case("bearer")
}

/// The end of the token that begins here.
fn end(bytes: &[u8], begin: usize) -> usize {
    let rest = bytes.get(begin..).unwrap_or_default();
    let while_all = |is_part: fn(&u8) -> bool| {
        begin
            + rest
                .iter()
                .position(|byte| !is_part(byte))
                .unwrap_or(rest.len())
    };
    match rest.first() {
        Some(b'"') => end_of_string(bytes, begin),
        Some(b'-' | b'0'..=b'9') => {
            while_all(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'))
        }
        Some(b'{' | b'}' | b'[' | b']' | b',' | b':') => begin + 1,
        _ => while_all(|byte| !b"\"-0123456789{}[],:".contains(byte)),
    }
}

/// Whether the string that ends here is the name of a field.
fn is_name(bytes: &[u8], end: usize) -> bool {
    let mut rest = bytes.get(end..).unwrap_or_default().iter();
    rest.find(|byte| !byte.is_ascii_whitespace()) == Some(&b':')
}

/// Hides bearer tokens and known secrets wherever they stand.
pub(super) fn everywhere(text: String, known: &[String]) -> String {
    let mut text = without_bearers(text);
    for secret in known.iter().filter(|secret| secret.len() >= SHORTEST) {
        let quoted = serde_json::to_string(secret).unwrap_or_default();
        let quoted = quoted.trim_matches('"');
        if text.contains(secret.as_str()) || text.contains(quoted) {
            text = text
                .replace(secret.as_str(), HIDDEN)
                .replace(quoted, HIDDEN);
        }
    }
    text
}

fn without_bearers(text: String) -> String {
    let mut shown = String::new();
    let mut rest = text.as_str();
    while let Some(at) = after_bearer(rest.as_bytes()) {
        let (before, after) = rest.split_at(at);
        let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(byte);
        let length = after.bytes().take_while(is_token).count();
        shown.push_str(before);
        let token = after.get(..length).unwrap_or_default();
        shown.push_str(match length >= 2 * SHORTEST && !is_parameter(token) {
            true => HIDDEN,
            false => token,
        });
        rest = after.get(length..).unwrap_or_default();
    }
    match shown.is_empty() {
        true => text,
        false => shown + rest,
    }
}

/// Whether this is the first parameter of a challenge: `resource_metadata=`.
fn is_parameter(token: &str) -> bool {
    let is_name = |name: &str| name.bytes().all(|it| it.is_ascii_lowercase() || it == b'_');
    token.strip_suffix('=').is_some_and(is_name)
}

/// The place after the next `Bearer `.
fn after_bearer(bytes: &[u8]) -> Option<usize> {
    let mut windows = bytes.windows(BEARER.len());
    let at = windows.position(|window| window.eq_ignore_ascii_case(BEARER))?;
    Some(at + BEARER.len())
}

/// The text of bytes that may not be UTF-8.
pub(super) fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_hidden_wherever_they_stand() {
        let known = ["s3cr\"et-of-env".to_owned(), "abc".to_owned()];
        for (sent, shown) in [
            (
                r#"{"password":"x","name":"Ana"}"#,
                r#"{"password":"[hidden]","name":"Ana"}"#,
            ),
            (
                r#"{"apiKey" : "x\"y" , "n": 1}"#,
                r#"{"apiKey" : "[hidden]" , "n": 1}"#,
            ),
            (r#"{"pin":1234,"pink":1}"#, r#"{"pin":"[hidden]","pink":1}"#),
            (
                r#"{"token":["a",{"b":"c"}],"d":"e"}"#,
                r#"{"token":["[hidden]",{"b":"c"}],"d":"e"}"#,
            ),
            (r#"{"token":null,"a":"b"}"#, r#"{"token":null,"a":"b"}"#),
            (
                r#"{"properties":{"password":{"type":"string"}}}"#,
                r#"{"properties":{"password":{"type":"string"}}}"#,
            ),
            (
                r#"{"_meta":{"progressToken":3},"maxTokens":5}"#,
                r#"{"_meta":{"progressToken":3},"maxTokens":5}"#,
            ),
            (
                r#"{"text":"Authorization: Bearer eyJhbGciOi.x"}"#,
                r#"{"text":"Authorization: Bearer [hidden]"}"#,
            ),
            (
                r#"{"text":"Bearer eyJhbGciOiabcdef=\""}"#,
                r#"{"text":"Bearer [hidden]\""}"#,
            ),
            (
                r#"{"text":"the bearer is Bearer Ana"}"#,
                r#"{"text":"the bearer is Bearer Ana"}"#,
            ),
            (
                r#"{"text":"Bearer resource_metadata=\"x\""}"#,
                r#"{"text":"Bearer resource_metadata=\"x\""}"#,
            ),
            (
                r#"{"text":"key s3cr\"et-of-env, abc"}"#,
                r#"{"text":"key [hidden], abc"}"#,
            ),
            (
                r#"{"accessToken":"x","rest":"é"#,
                r#"{"accessToken":"[hidden]","rest":"é"#,
            ),
            (
                r#"{"number":12345678901234567890.10}"#,
                r#"{"number":12345678901234567890.10}"#,
            ),
        ] {
            assert_eq!(in_json(sent, &known), shown, "{sent}");
        }
        for (sent, shown) in [
            ("listening on port: 3000", "listening on port: 3000"),
            ("API_TOKEN=x-1 ready", "API_TOKEN=[hidden] ready"),
            ("password: hunter2\n", "password: [hidden]\n"),
            (
                "Authorization: Bearer abcdefgh1",
                "Authorization: Bearer [hidden]",
            ),
            ("env s3cr\"et-of-env", "env [hidden]"),
        ] {
            assert_eq!(in_line(sent, &known), shown, "{sent}");
        }
        assert!(has_hidden("[hidden]"));
    }

    #[test]
    fn what_is_not_json_is_neither_lost_nor_an_endless_loop() {
        for text in ["", "\"", "\\", "\"a\\", "é{é", "]]}}", "--1", "{\"token\":"] {
            assert_eq!(in_json(text, &[]), text);
        }
    }
}
