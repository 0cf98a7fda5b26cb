//! Limits the size of stored arguments and results.

use serde_json::{Map, Value};

/// Maximum size of a result, in bytes of JSON.
const RESULT: usize = 32_000;
/// Maximum size of the arguments, in bytes of JSON.
const ARGUMENTS: usize = 64_000;
/// Longer texts in a result are cut, in bytes.
const TEXT: usize = 2_000;

/// The arguments that fit, and JSON pointers to the removed ones.
pub(super) fn arguments(arguments: &Map<String, Value>) -> (Map<String, Value>, Vec<String>) {
    let mut kept = arguments.clone();
    let mut cut = Vec::new();
    let mut size: usize = kept
        .iter()
        .map(|(key, value)| key.len() + length(value))
        .sum();
    while size > ARGUMENTS {
        let largest = kept.iter().max_by_key(|(_, value)| length(value));
        let Some((key, bytes)) = largest.map(|(key, value)| (key.clone(), length(value))) else {
            break;
        };
        let words = Value::String("[too long to be kept]".to_owned());
        let after = length(&words);
        if bytes <= after {
            break;
        }
        cut.push(format!("/{}", escaped(&key)));
        kept.insert(key, words);
        size -= bytes - after;
    }
    (kept, cut)
}

/// The part of the result that fits, and whether it was cut.
pub(super) fn result(value: &Value) -> (Option<Value>, bool) {
    let (value, mut is_cut) = short(value);
    if length(&value) <= RESULT {
        return (Some(value), is_cut);
    }
    is_cut = true;
    // Keep at least the first records of a list.
    let value = match value {
        Value::Array(items) => Some(Value::Array(first(items, RESULT))),
        Value::Object(mut object) => {
            let list = object
                .iter()
                .filter(|(_, value)| value.is_array())
                .max_by_key(|(_, value)| length(value))
                .map(|(key, _)| key.clone());
            let list = list.and_then(|key| object.get_mut(&key).map(|list| (key, list.take())));
            match list {
                Some((key, Value::Array(items))) => {
                    let around = length(&Value::Object(object.clone()));
                    let items = first(items, RESULT.saturating_sub(around));
                    object.insert(key, Value::Array(items));
                    Some(Value::Object(object))
                }
                _ => None,
            }
        }
        _ => None,
    };
    (value.filter(|value| length(value) <= RESULT), is_cut)
}

/// The first entries that fit in `room` bytes.
fn first(items: Vec<Value>, room: usize) -> Vec<Value> {
    let mut left = room.saturating_sub(2);
    items
        .into_iter()
        .take_while(|item| {
            let bytes = length(item) + 1;
            let fits = bytes <= left;
            left = left.saturating_sub(bytes);
            fits
        })
        .collect()
}

/// The value with long texts cut at a space if possible, so no part of a word that must be redacted
/// remains.
fn short(value: &Value) -> (Value, bool) {
    match value {
        Value::String(text) if text.len() > TEXT => {
            let mut end = TEXT;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            let head = &text[..end];
            let head = head.rfind(char::is_whitespace).map_or("", |at| &head[..at]);
            (Value::String(format!("{head} […]")), true)
        }
        Value::Array(items) => {
            let (items, cut): (Vec<_>, Vec<_>) = items.iter().map(short).unzip();
            (Value::Array(items), cut.contains(&true))
        }
        Value::Object(object) => {
            let mut is_cut = false;
            let object = object.iter().map(|(key, value)| {
                let (value, cut) = short(value);
                is_cut |= cut;
                (key.clone(), value)
            });
            let object: Map<String, Value> = object.collect();
            (Value::Object(object), is_cut)
        }
        value => (value.clone(), false),
    }
}

/// The result in a few words.
pub(super) fn summary(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::String(text) => {
            let text: String = text.chars().take(60).collect();
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        }
        Value::Array(items) => counted(items.len(), "entries"),
        Value::Object(object) => {
            let list = object
                .iter()
                .find_map(|(key, value)| Some((key, value.as_array()?)));
            let mut keys = object.keys();
            match (list, keys.next(), keys.next()) {
                (Some((key, items)), ..) => {
                    let more = match object.get("has_more") {
                        Some(Value::Bool(true)) => ", and there are more",
                        _ => "",
                    };
                    format!("{}{more}", counted(items.len(), &words(key)))
                }
                (None, Some(key), None) => match &object[key] {
                    Value::Null => format!("no {}", words(key)),
                    Value::Object(_) => format!("one {}", words(key)),
                    _ => words(key),
                },
                (None, Some(_), Some(_)) => counted(object.len(), "fields"),
                (None, None, _) => "nothing".to_owned(),
            }
        }
        value => value.to_string(),
    }
}

fn words(key: &str) -> String {
    key.replace('_', " ")
}

fn counted(count: usize, things: &str) -> String {
    if count != 1 || things == "series" {
        return format!("{count} {things}");
    }
    let one = match things.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => things.strip_suffix('s').unwrap_or(things).to_owned(),
    };
    format!("1 {one}")
}

/// The size of the value as JSON, in bytes.
fn length(value: &Value) -> usize {
    struct Count(usize);

    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    let mut count = Count(0);
    // A JSON value serialises without errors, and counting cannot fail.
    let _ = serde_json::to_writer(&mut count, value);
    count.0
}

/// A key, escaped for a JSON pointer.
pub(super) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn of_a_long_list_the_first_records_are_kept() {
        let records: Vec<Value> = (0..5000)
            .map(|id| json!({ "id": id, "name": "x" }))
            .collect();
        let answer = json!({ "events": records, "has_more": true });
        let (kept, is_cut) = result(&answer);
        let kept = kept.expect("some of it is kept");
        assert!(is_cut);
        assert!(length(&kept) <= RESULT);
        assert_eq!(kept["events"][0]["id"], 0);
        assert_eq!(kept["has_more"], true);
        assert_eq!(summary(&answer), "5000 events, and there are more");
    }

    #[test]
    fn a_long_text_is_cut_between_words() {
        let text = format!(
            "{} zoe@example.org {}",
            "x".repeat(TEXT - 8),
            "y".repeat(99)
        );
        let (kept, is_cut) = result(&json!({ "text": text }));
        assert!(is_cut);
        let kept = kept.expect("is kept").to_string();
        assert!(!kept.contains("zoe"), "{kept}");
    }

    #[test]
    fn arguments_that_are_too_long_are_named() {
        let long = json!({ "id": 7, "text": "x".repeat(ARGUMENTS) });
        let (kept, cut) = arguments(long.as_object().expect("an object"));
        assert_eq!(kept["id"], 7);
        assert_eq!(cut, ["/text"]);
        assert!(length(&Value::Object(kept)) < 100);
    }

    #[test]
    fn a_summary_says_what_came() {
        for (value, words) in [
            (json!({ "guest": { "id": 1 } }), "one guest"),
            (json!({ "guest": null }), "no guest"),
            (json!({ "guests": [{}, {}], "limit": 5 }), "2 guests"),
            (json!({ "series": [{}] }), "1 series"),
            (json!([1, 2, 3]), "3 entries"),
            (json!([1]), "1 entry"),
            (json!("some\n text"), "some text"),
            (json!({ "a": 1, "b": 2 }), "2 fields"),
        ] {
            assert_eq!(summary(&value), words, "{value}");
        }
    }
}
