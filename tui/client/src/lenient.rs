//! Messages of servers, read before rmcp sees them. What has one meaning is read; for the rest, the
//! reason and the text are known at once.

use std::collections::HashMap;

use rmcp::model::{ErrorCode, ErrorData, RequestId};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::failure::shorten;

/// A message from a server.
#[derive(Debug)]
pub(crate) enum Incoming {
    /// A request or a notification, as JSON-RPC.
    Asked(String),
    /// The answer to a request. Without an id, the server could not read it.
    Answer(Option<RequestId>, Outcome),
}

/// The outcome of a request.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// The JSON of the result, as received.
    Result(String),
    Error(ErrorData),
    /// An answer without one meaning, and why.
    Unreadable(String),
}

/// Why a text is no message.
#[derive(Debug, PartialEq)]
pub(crate) enum Odd {
    /// It is JSON of another kind, or no JSON: a greeting, a log line.
    Other,
    /// It seems to be an answer to this request, but cannot be read.
    Broken(Option<RequestId>, String),
}

/// Reads one message, or a batch.
///
/// # Errors
/// Why it is no message.
pub(crate) fn read(bytes: &[u8]) -> Result<Vec<Incoming>, Odd> {
    let text = decode(bytes);
    let text = text.trim().trim_start_matches('\u{feff}');
    let broken = |why: String| match seems_an_answer(text) {
        true => Odd::Broken(id_within(text), shown(&why, text)),
        false => Odd::Other,
    };
    let mended;
    let text = match serde_json::from_str::<&RawValue>(text) {
        Ok(_) => text,
        Err(_) => {
            mended = mend(text);
            if let Err(error) = serde_json::from_str::<&RawValue>(&mended) {
                return Err(broken(format!("it is not JSON ({error})")));
            }
            &mended
        }
    };
    if !text.starts_with('[') {
        return Ok(vec![one(text)?]);
    }
    let batch: Vec<&RawValue> = serde_json::from_str(text).map_err(|_| Odd::Other)?;
    batch
        .into_iter()
        .map(|message| one(message.get()))
        .collect()
}

type Members<'a> = HashMap<String, &'a RawValue>;

fn one(text: &str) -> Result<Incoming, Odd> {
    let members: Members<'_> = serde_json::from_str(text).map_err(|_| Odd::Other)?;
    let some = |name: &str| members.get(name).filter(|raw| raw.get() != "null").copied();
    if some("method").is_some() {
        return match members.contains_key("jsonrpc") {
            true => Ok(Incoming::Asked(text.to_owned())),
            false => Ok(Incoming::Asked(text.replacen(
                '{',
                "{\"jsonrpc\":\"2.0\",",
                1,
            ))),
        };
    }
    let id = some("id").and_then(|raw| serde_json::from_str(raw.get()).ok());
    let outcome = match (members.get("result"), some("error")) {
        (Some(result), Some(_)) if result.get() != "null" => {
            Outcome::Unreadable(shown("it has both a result and an error", text))
        }
        (_, Some(error)) => Outcome::Error(error_data(error.get())),
        (Some(result), None) => Outcome::Result(result.get().to_owned()),
        (None, None) if members.contains_key("jsonrpc") && id.is_some() => {
            Outcome::Unreadable(shown("it has neither a result nor an error", text))
        }
        (None, None) => return Err(Odd::Other),
    };
    Ok(Incoming::Answer(id, outcome))
}

/// The value of a result, as exactly as it was sent.
///
/// # Errors
/// Why it cannot be read.
pub(crate) fn value(text: &str) -> Result<Value, String> {
    let read = serde_json::from_str(text).or_else(|_| serde_json::from_str(&mend(text)));
    read.map_err(|error: serde_json::Error| shown(&error.to_string(), text))
}

/// The error of an answer. Its code can be a text.
pub(crate) fn error_data(text: &str) -> ErrorData {
    let error = value(text).unwrap_or_default();
    let message = match (&error["message"], &error) {
        (Value::String(message), _) | (_, Value::String(message)) => message.clone(),
        _ => text.to_owned(),
    };
    let number = error["code"].as_f64().map(|code| code as i32);
    let message = match &error["code"] {
        Value::String(code) => format!("{code}: {message}"),
        _ => message,
    };
    let data = error.get("data").filter(|data| !data.is_null()).cloned();
    ErrorData::new(ErrorCode(number.unwrap_or(-32000)), message, data)
}

/// UTF-8, otherwise the older encoding of its system. Where both occur, what is broken is marked.
fn decode(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    let text = String::from_utf8_lossy(bytes);
    let is_utf8 = |it: char| !it.is_ascii() && it != char::REPLACEMENT_CHARACTER;
    match text.contains(char::REPLACEMENT_CHARACTER) && !text.contains(is_utf8) {
        true => {
            encoding_rs::WINDOWS_1252
                .decode_without_bom_handling(bytes)
                .0
        }
        false => text,
    }
}

/// JSON of what some programs write instead: control characters within strings, halves of characters,
/// NaN and infinities, which become strings.
pub(crate) fn mend(text: &str) -> String {
    let mut mended = String::with_capacity(text.len());
    let mut rest = text;
    let mut is_string = false;
    while let Some(next) = rest.chars().next() {
        let mut taken = next.len_utf8();
        match (is_string, next) {
            (_, '"') => {
                is_string = !is_string;
                mended.push('"');
            }
            (true, '\\') => {
                let escape = escape(rest);
                mended.push_str(escape.unwrap_or("\\ufffd"));
                taken = escape.map_or("\\ufffd".len(), str::len);
            }
            (true, '\0'..='\u{1f}') => mended.push_str(&format!("\\u{:04x}", u32::from(next))),
            (false, 'N' | 'I' | '-') => {
                let words = ["NaN", "Infinity", "-Infinity"];
                let word = words.into_iter().find(|word| rest.starts_with(word));
                match word {
                    Some(word) => {
                        mended.push_str(&format!("\"{word}\""));
                        taken = word.len();
                    }
                    None => mended.push(next),
                }
            }
            _ => mended.push(next),
        }
        rest = rest.get(taken..).unwrap_or_default();
    }
    mended
}

/// The escape at the beginning of this text, with both halves of a character; `None` if the other
/// half is missing.
fn escape(text: &str) -> Option<&str> {
    let unit = |text: &str| {
        let digits = text.strip_prefix("\\u")?.get(..4)?;
        u16::from_str_radix(digits, 16).ok()
    };
    let both = text.get(..12);
    match unit(text) {
        Some(0xd800..=0xdbff) => {
            let low = both.and_then(|both| unit(&both[6..]))?;
            (0xdc00..=0xdfff).contains(&low).then_some(())?;
            both
        }
        Some(0xdc00..=0xdfff) => None,
        Some(_) => text.get(..6),
        None => {
            let end = text
                .char_indices()
                .nth(2)
                .map_or(text.len(), |(end, _)| end);
            text.get(..end)
        }
    }
}

fn seems_an_answer(text: &str) -> bool {
    let has = |name: &str| text.contains(name);
    text.starts_with(['{', '[']) && (has("jsonrpc") || has("\"result\"") || has("\"error\""))
}

/// The id in a text that is no JSON.
pub(crate) fn id_within(text: &str) -> Option<RequestId> {
    let name = ["\"id\"", "'id'"]
        .into_iter()
        .find(|name| text.contains(name))?;
    let (_, rest) = text.split_once(name)?;
    let rest = rest.trim_start().strip_prefix(':')?.trim_start();
    let end = rest.find([',', '}', ' ', '\n', '\r', '\t']);
    serde_json::from_str(&rest[..end.unwrap_or(rest.len())]).ok()
}

/// The reason with the text in question.
fn shown(why: &str, text: &str) -> String {
    format!("{why}: {}", shorten(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of the result of request 1.
    fn said(line: &[u8]) -> String {
        let read = read(line).expect("a message");
        let [Incoming::Answer(Some(RequestId::Number(1)), Outcome::Result(text))] = read.as_slice()
        else {
            panic!("{read:?}");
        };
        let value = value(text).expect("a value");
        value["text"]
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned)
    }

    #[test]
    fn what_has_one_meaning_is_read() {
        for (line, text) in [
            (
                r#"{"jsonrpc":"2.0","id":1,"result":{"text":"a"}}"#.as_bytes(),
                "a",
            ),
            (br#"{"id":1,"result":{"text":"a"},"error":null}"#, "a"),
            (br#"{"id":1.0,"result":{"text":"a"}}"#, "a"),
            (br#"[{"id":1,"result":{"text":"a"}}]"#, "a"),
            (
                b"\xef\xbb\xbf{\"id\":1,\"result\":{\"text\":\"a\"}}\r\n",
                "a",
            ),
            (b"{\n \"id\": 1,\n \"result\": {\"text\": \"a\"}\n}", "a"),
            (b"{\"id\":1,\"result\":{\"text\":\"a\tb\"}}", "a\tb"),
            (
                b"{\"id\":1,\"result\":{\"text\":\"caf\xe9 \x80\"}}",
                "caf\u{e9} \u{20ac}",
            ),
            (br#"{"id":1,"result":{"text":"\ud83d!"}}"#, "\u{fffd}!"),
            (
                br#"{"id":1,"result":{"text":"\ude00\ud83d\ude00\\\""}}"#,
                "\u{fffd}\u{1f600}\\\"",
            ),
            (
                br#"{"id":1,"result":{"n":NaN,"t":"NaN","i":-Infinity}}"#,
                r#"{"n":"NaN","t":"NaN","i":"-Infinity"}"#,
            ),
            (br#"{"id":1,"result":null}"#, "null"),
        ] {
            assert_eq!(said(line), text, "{}", String::from_utf8_lossy(line));
        }
    }

    #[test]
    fn what_cannot_be_read_is_shown_and_related_to_its_request() {
        for (line, why) in [
            (
                r#"{"jsonrpc":"2.0","id":1,"result":{"text":"a"}"#,
                "it is not JSON (EOF",
            ),
            (
                r#"{"jsonrpc":"2.0","id": 1, "result":{'text':'a'}}"#,
                "it is not JSON (key must be",
            ),
        ] {
            let Err(Odd::Broken(Some(RequestId::Number(1)), reason)) = read(line.as_bytes()) else {
                panic!("{line}");
            };
            assert!(
                reason.starts_with(why) && reason.ends_with(line),
                "{reason}"
            );
        }
        let both = read(br#"{"id":1,"result":{},"error":{"code":1,"message":"a"}}"#);
        let both = both.expect("an answer");
        let [Incoming::Answer(_, Outcome::Unreadable(why))] = both.as_slice() else {
            panic!("unreadable");
        };
        assert!(why.starts_with("it has both"), "{why}");
        for line in [
            "starting",
            "{\"level\":\"info\"}",
            "[info] begun",
            "{ begun",
            "12",
            "{}",
        ] {
            assert_eq!(read(line.as_bytes()).expect_err(line), Odd::Other);
        }
    }

    #[test]
    fn an_error_has_a_code_and_a_message() {
        for (error, code, message) in [
            (r#"{"code":-32602,"message":"a"}"#, -32602, "a"),
            (r#"{"code":"EFAIL","message":"a"}"#, -32000, "EFAIL: a"),
            (r#"{"message":"a"}"#, -32000, "a"),
            (r#""a""#, -32000, "a"),
            (r#"{"reason":1}"#, -32000, r#"{"reason":1}"#),
        ] {
            let data = error_data(error);
            assert_eq!(
                (data.code.0, data.message.as_ref()),
                (code, message),
                "{error}"
            );
        }
    }
}
