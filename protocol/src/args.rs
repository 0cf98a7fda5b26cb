//! Parses the JSON arguments of a call. Errors name the wrong field.

mod complaint;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::ToolError;
use crate::tool::Tool;

/// Reads the arguments of a tool from JSON text.
///
/// # Errors
/// As [`parse`], with all wrong arguments and an example of right ones in `details`.
pub fn read<T: Tool>(json: &str) -> Result<T, ToolError> {
    parse(json).map_err(|error| complaint::complete::<T>(json, error))
}

/// Reads arguments from JSON text.
///
/// # Errors
/// `invalid_argument` for the first argument that is missing, unknown, of the wrong type, out of
/// bounds, or contains a NUL character.
pub fn parse<T: DeserializeOwned>(json: &str) -> Result<T, ToolError> {
    // Search the text first, and walk the values only after a hit, which can also be an escaped `\\u0000`.
    if json.contains("\\u0000")
        && let Ok(value) = serde_json::from_str::<Value>(json)
        && let Some(field) = find_nul(&value, String::new())
    {
        return Err(ToolError::invalid(
            field,
            "must not contain a NUL character",
        ));
    }
    // serde would also accept a list with the arguments in order.
    if json.trim_start().starts_with('[') {
        return Err(explain(".", "invalid type: a list"));
    }
    // Track the path only after an error: parse a second time.
    serde_json::from_str(json).map_err(|error| match misplaced::<T>(json) {
        Some((path, error)) => explain(&path, &error.to_string()),
        None => explain(".", &error.to_string()),
    })
}

/// The error in the arguments, with its path.
fn misplaced<T: DeserializeOwned>(json: &str) -> Option<(String, serde_json::Error)> {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let error = serde_path_to_error::deserialize::<_, T>(&mut deserializer).err()?;
    Some((error.path().to_string(), error.into_inner()))
}

fn find_nul(value: &Value, path: String) -> Option<String> {
    match value {
        Value::String(text) => text.contains('\0').then_some(path),
        Value::Array(values) => values
            .iter()
            .enumerate()
            .find_map(|(at, value)| find_nul(value, format!("{path}[{at}]"))),
        Value::Object(map) => map.iter().find_map(|(key, value)| {
            let below = if path.is_empty() {
                key.clone()
            } else {
                format!("{path}.{key}")
            };
            if key.contains('\0') {
                return Some(below.replace('\0', "\u{2400}"));
            }
            find_nul(value, below)
        }),
        _ => None,
    }
}

/// Rewrites serde's message for a person who fills in a form.
fn explain(path: &str, message: &str) -> ToolError {
    let message = match message.rfind(" at line ") {
        Some(at) => &message[..at],
        None => message,
    };
    let below = |field: &str| match path {
        "." | "" => field.to_owned(),
        path if path.ends_with(field) => path.to_owned(),
        path => format!("{path}.{field}"),
    };
    if let Some(rest) = message.strip_prefix("unknown field `") {
        let (field, expected) = rest.split_once('`').unwrap_or((rest, ""));
        let error = ToolError::invalid(below(field), "there is no such argument");
        let known = expected.trim_start_matches(", expected one of ");
        let known = known.trim_start_matches(", expected ").replace('`', "");
        return match known.as_str() {
            "" | ", there are no fields" => error.hint("this tool takes no arguments"),
            known => error.hint(format!("the arguments are {known}")),
        };
    }
    if let Some(rest) = message.strip_prefix("missing field `") {
        let field = rest.trim_end_matches('`');
        return ToolError::invalid(below(field), "is required");
    }
    if let Some(rest) = message.strip_prefix("duplicate field `") {
        let field = rest.trim_end_matches('`');
        return ToolError::invalid(below(field), "is given twice");
    }
    if let Some(rest) = message.strip_prefix("unknown variant `") {
        let known = rest.split_once("expected ").map_or("", |(_, known)| known);
        let known = known.trim_start_matches("one of ").replace('`', "");
        return ToolError::invalid(path, format!("must be one of {known}"));
    }
    if let Some(rest) = message.strip_prefix("invalid type: ") {
        let (got, expected) = rest.split_once(", expected ").unwrap_or((rest, ""));
        let expected = kind(expected);
        if path == "." {
            return ToolError::new(
                crate::error::ErrorCode::InvalidArgument,
                format!("the arguments must be an object, not {got}"),
            );
        }
        return ToolError::invalid(path, format!("must be {expected}, not {got}"));
    }
    if message.starts_with("UUID parsing failed") {
        return ToolError::invalid(path, "must be a UUID: 32 hexadecimal digits in five groups");
    }
    if path == "." {
        return ToolError::new(crate::error::ErrorCode::InvalidArgument, message);
    }
    ToolError::invalid(path, message)
}

/// The expected type without Rust's type names.
fn kind(expected: &str) -> String {
    match expected {
        "f64" | "f32" => "a number".to_owned(),
        "u32" | "u64" | "i32" | "i64" => "a whole number".to_owned(),
        "a map" => "an object".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a boolean" => "true or false".to_owned(),
        expected if expected.starts_with("struct ") => "an object".to_owned(),
        expected if expected.contains("Uuid") || expected.contains("UUID") => {
            "a UUID string".to_owned()
        }
        expected => expected.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;
    use crate::error::ErrorCode;
    use crate::value::{Change, Latitude, Limit, Object, Patch, WebUrl};

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "some fields are only tested for refusal")]
    struct Sample {
        id: uuid::Uuid,
        #[serde(default)]
        limit: Limit,
        #[serde(default)]
        name: Change<String>,
        #[serde(default)]
        note: Patch<String>,
        #[serde(default)]
        tags: Object,
        #[serde(default)]
        latitude: Option<Latitude>,
        #[serde(default)]
        url: Option<WebUrl>,
        #[serde(default)]
        at: Option<jiff::Timestamp>,
    }

    const ID: &str = "0190a1b2-0000-7000-8000-000000000001";

    fn refused(more: Value) -> ToolError {
        let mut arguments = json!({ "id": ID });
        if let (Some(map), Value::Object(more)) = (arguments.as_object_mut(), more) {
            map.extend(more);
        }
        parse::<Sample>(&arguments.to_string()).expect_err("should be refused")
    }

    #[test]
    fn each_error_names_the_field() {
        let cases = [
            (
                json!({ "limit": 101 }),
                "limit",
                "must be from 1 to 100, not 101",
            ),
            (json!({ "limit": 1.5 }), "limit", "must be a whole number"),
            (
                json!({ "limit": "ten" }),
                "limit",
                "must be a number, not string \"ten\"",
            ),
            (
                json!({ "colour": 1 }),
                "colour",
                "there is no such argument",
            ),
            (
                json!({ "name": "a\0b" }),
                "name",
                "must not contain a NUL character",
            ),
            (
                json!({ "tags": { "a": ["\0"] } }),
                "tags.a[0]",
                "must not contain a NUL character",
            ),
            (
                json!({ "name": null }),
                "name",
                "must be a string, not null",
            ),
            (
                json!({ "latitude": 91 }),
                "latitude",
                "must be from -90 to 90, not 91",
            ),
        ];
        for (arguments, field, message) in cases {
            let error = refused(arguments);
            assert_eq!(error.code, ErrorCode::InvalidArgument);
            assert_eq!(error.field.as_deref(), Some(field));
            assert_eq!(error.message, message);
        }
        assert_eq!(
            refused(json!({ "url": "photo" })).field.as_deref(),
            Some("url")
        );
        assert_eq!(
            refused(json!({ "at": "tomorrow" })).field.as_deref(),
            Some("at")
        );
        let missing = parse::<Sample>("{}").expect_err("id is required");
        assert_eq!(missing.field.as_deref(), Some("id"));
        assert_eq!(missing.message, "is required");
    }

    #[test]
    fn an_escaped_backslash_is_not_a_nul() {
        let sample: Sample =
            parse(&json!({ "id": ID, "name": "\\u0000" }).to_string()).expect("is fine");
        assert_eq!(sample.name, Change::To("\\u0000".to_owned()));
    }

    #[test]
    fn absent_null_and_a_value_are_three_things() {
        let sample = |more: &str| -> Sample {
            parse(&format!(r#"{{"id": "{ID}"{more}}}"#)).expect("is fine")
        };
        assert_eq!(sample("").note, Patch::Keep);
        assert_eq!(sample(r#", "note": null"#).note, Patch::Clear);
        assert_eq!(sample(r#", "note": """#).note, Patch::To(String::new()));
        let whole = sample(r#", "limit": 50.0"#);
        assert_eq!(whole.limit, Limit::default());
        assert_eq!(whole.id.to_string(), ID);
    }
}
