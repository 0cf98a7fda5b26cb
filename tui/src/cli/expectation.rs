//! What a call should return: `path=value` and `path:=json`.

use std::str::FromStr;

use frontdesk_protocol::exact;
use serde_json::Value;

/// A value that should stand at a path of a result.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Expectation {
    path: String,
    wanted: Wanted,
}

#[derive(Debug, Clone, PartialEq)]
enum Wanted {
    /// A text, or a number, a boolean or null that is written so.
    Text(String),
    Json(Value),
}

impl FromStr for Expectation {
    type Err = String;

    /// # Errors
    /// It has no `=`, or what follows `:=` is no JSON.
    fn from_str(word: &str) -> Result<Self, String> {
        let split = word.split_once('=');
        let (path, value) =
            split.ok_or_else(|| format!("`{word}` is no expectation; write path=value"))?;
        match path.strip_suffix(':') {
            Some(path) => match exact::read(value) {
                Ok(value) => Ok(Expectation::new(path, value)),
                Err(error) => Err(format!("{path}: `{value}` is not JSON ({error})")),
            },
            None => Ok(Expectation {
                path: path.to_owned(),
                wanted: Wanted::Text(value.to_owned()),
            }),
        }
    }
}

impl Expectation {
    /// This value at this path.
    pub(super) fn new(path: &str, value: Value) -> Self {
        Expectation {
            path: path.to_owned(),
            wanted: Wanted::Json(value),
        }
    }

    /// How a result differs from it, as a sentence.
    pub(super) fn unmet(&self, result: &Value) -> Option<String> {
        let path = match self.path.as_str() {
            "" => "the result",
            path => path,
        };
        let Some(found) = at(result, &self.path) else {
            return Some(format!("{path} is missing"));
        };
        let is_met = match &self.wanted {
            Wanted::Text(text) => exact::plain(found) == *text,
            Wanted::Json(value) => is_same(found, value),
        };
        (!is_met).then(|| format!("{path} is {}, not {}", shown(found), self.wanted.shown()))
    }
}

impl Wanted {
    fn shown(&self) -> String {
        match self {
            Wanted::Text(text) => format!("“{text}”"),
            Wanted::Json(value) => shown(value),
        }
    }
}

/// Whether two values are the same; numbers are, if they are as numbers.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(a, b)| is_same(a, b))
        }
        (Value::Object(one), Value::Object(other)) => {
            let is_there = |(name, value)| other.get(name).is_some_and(|it| is_same(value, it));
            one.len() == other.len() && one.iter().all(is_there)
        }
        (Value::Number(one), Value::Number(other)) if !one.is_f64() && !other.is_f64() => {
            one == other
        }
        (one, other) => match (exact::as_f64(one), exact::as_f64(other)) {
            (Some(one), Some(other)) => one == other,
            _ => one == other,
        },
    }
}

fn shown(value: &Value) -> String {
    let text = match value {
        Value::String(text) if exact::digits(value).is_none() => format!("“{text}”"),
        value => exact::text(value),
    };
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The value at `files[0].name`; the empty path is the whole.
fn at<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    if path.is_empty() {
        return Some(value);
    }
    // A key that contains a dot.
    if let Some(found) = value.get(path) {
        return Some(found);
    }
    let end = path.find(['.', '[']).unwrap_or(path.len());
    let (step, rest) = match path.strip_prefix('[') {
        Some(after) => after.split_once(']')?,
        None => path.split_at(end),
    };
    let inner = match value {
        Value::Array(items) => items.get(step.parse::<usize>().ok()?),
        value => value.get(step),
    };
    at(inner?, rest.strip_prefix('.').unwrap_or(rest))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_result_is_compared_at_a_path() {
        let result = json!({
            "files": [{ "name": "a", "bytes": 1.0 }, { "name": "b,c", "tags": ["x"] }],
            "a.b": { "c": null }, "is_open": true,
        });
        for (word, said) in [
            ("files[0].name=a", ""),
            ("files.1.name=b,c", ""),
            ("files[1].tags:=[\"x\"]", ""),
            ("files[0].bytes:=1", ""),
            ("is_open=true", ""),
            ("a.b:={\"c\":null}", ""),
            ("files[0].name=b", "files[0].name is “a”, not “b”"),
            ("files[2].name=b", "files[2].name is missing"),
            ("files[0].bytes:=2", "files[0].bytes is 1.0, not 2"),
            ("is_open:=\"true\"", "is_open is true, not “true”"),
        ] {
            let expectation: Expectation = word.parse().expect("is one");
            assert_eq!(
                expectation.unmet(&result).unwrap_or_default(),
                said,
                "{word}"
            );
        }
        let whole: Expectation = "=12 it is".parse().expect("is one");
        assert_eq!(whole.unmet(&json!("12 it is")), None);
        assert!(
            whole
                .unmet(&json!(12))
                .expect("differs")
                .starts_with("the result is 12, not")
        );
    }

    #[test]
    fn what_is_no_expectation_is_refused() {
        let refused = |word: &str| word.parse::<Expectation>().expect_err("is none");
        assert!(refused("name").contains("write path=value"));
        assert!(refused("name:=[").contains("is not JSON"));
    }
}
