//! The arguments of a call, from the command line and JSON.

use std::io::Read;

use serde_json::{Map, Value};

use crate::cli::Failure;

/// The given arguments, before the schema is known.
#[derive(Debug)]
pub(super) struct Given {
    base: Map<String, Value>,
    named: Vec<(String, Word)>,
}

/// The notation of a value.
#[derive(Debug, Clone, PartialEq)]
enum Word {
    /// `name=value`
    Text(String),
    /// `name:=json`
    Json(Value),
}

impl Given {
    /// Parses `name=value` and `name:=json`, which take precedence over the object in `file`.
    ///
    /// # Errors
    /// [`Failure::Usage`] with the invalid argument.
    pub(super) fn read(words: &[String], file: Option<&str>) -> Result<Given, Failure> {
        let base = match file {
            Some(file) => object(file)?,
            None => Map::new(),
        };
        let mut named: Vec<(String, Word)> = Vec::new();
        for word in words {
            let (name, value) = split(word)?;
            if named.iter().any(|(there, _)| *there == name) {
                return Err(Failure::Usage(format!("{name} is given twice")));
            }
            named.push((name, value));
        }
        Ok(Given { base, named })
    }

    /// The arguments, with texts converted to the types of the schema.
    ///
    /// # Errors
    /// [`Failure::Usage`] if a text does not fit the schema.
    pub(super) fn to_arguments(&self, schema: &Value) -> Result<Map<String, Value>, Failure> {
        let mut arguments = self.base.clone();
        for (name, word) in &self.named {
            let value = match word {
                Word::Json(value) => value.clone(),
                Word::Text(text) => typed(name, text, &schema["properties"][name])?,
            };
            arguments.insert(name.clone(), value);
        }
        Ok(arguments)
    }
}

fn object(file: &str) -> Result<Map<String, Value>, Failure> {
    let text = match file {
        "-" => {
            let mut text = String::new();
            std::io::stdin()
                .lock()
                .read_to_string(&mut text)
                .map_err(|error| Failure::Usage(format!("stdin: {error}")))?;
            text
        }
        file => std::fs::read_to_string(file)
            .map_err(|error| Failure::Usage(format!("{file}: {error}")))?,
    };
    match serde_json::from_str(&text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(Failure::Usage(format!("{file}: must be a JSON object"))),
        Err(error) => Err(Failure::Usage(format!("{file}: {error}"))),
    }
}

fn split(word: &str) -> Result<(String, Word), Failure> {
    let wrong = |what: &str| Failure::Usage(format!("`{word}` {what}"));
    let (name, text) = word
        .split_once('=')
        .ok_or_else(|| wrong("is not an argument; write name=value or name:=json"))?;
    let (name, word) = match name.strip_suffix(':') {
        Some(name) => {
            let value = serde_json::from_str(text)
                .map_err(|error| wrong(&format!("has no JSON after := ({error})")))?;
            (name, Word::Json(value))
        }
        None => (name, Word::Text(text.to_owned())),
    };
    match name {
        "" => Err(wrong("has no name before =")),
        name => Ok((name.to_owned(), word)),
    }
}

/// The text as a value of a type that the schema allows.
fn typed(name: &str, text: &str, schema: &Value) -> Result<Value, Failure> {
    let allows = |kind: &str| match &schema["type"] {
        Value::String(only) => only == kind,
        Value::Array(kinds) => kinds.iter().any(|one| one == kind),
        _ => false,
    };
    let is_text = allows("string") || schema["type"].is_null();
    if is_text {
        return Ok(Value::String(text.to_owned()));
    }
    let value: Option<Value> = serde_json::from_str(text).ok();
    let fits = value.as_ref().is_some_and(|value| match value {
        Value::Bool(_) => allows("boolean"),
        Value::Number(_) => allows("number") || allows("integer"),
        Value::Array(_) => allows("array"),
        Value::Object(_) => allows("object"),
        Value::Null => allows("null"),
        Value::String(_) => false,
    });
    match value {
        Some(value) if fits => Ok(value),
        _ => {
            let expected = [
                ("boolean", "true or false"),
                ("integer", "a whole number"),
                ("number", "a number"),
                ("array", "a JSON list, such as [\"a\",\"b\"]"),
                ("object", "a JSON object, such as {\"a\":1}"),
            ];
            let expected = expected.into_iter().find(|(kind, _)| allows(kind));
            let expected = expected.map_or("another value", |(_, words)| words);
            Err(Failure::Usage(format!(
                "{name} must be {expected}, not `{text}`"
            )))
        }
    }
}

/// Validates arguments against the schema of an undeclared tool.
///
/// # Errors
/// [`Failure::Usage`] with the invalid argument.
pub(super) fn validate(schema: &Value, arguments: &Value) -> Result<(), Failure> {
    let Ok(validator) = jsonschema::validator_for(schema) else {
        // With an invalid schema, only the host can check.
        return Ok(());
    };
    match validator.iter_errors(arguments).next() {
        None => Ok(()),
        Some(error) => {
            let path = error.instance_path().to_string();
            let path = path.trim_start_matches('/').replace('/', ".");
            let field = match path.as_str() {
                "" => String::new(),
                path => format!("{path}: "),
            };
            Err(Failure::Usage(format!("{field}{error}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn schema() -> Value {
        json!({ "properties": {
            "name": { "type": "string" },
            "limit": { "type": "integer" },
            "email": { "type": ["string", "null"] },
            "dry_run": { "type": "boolean" },
            "guest_ids": { "type": "array" },
            "tags": { "type": "object" },
        } })
    }

    fn arguments(words: &[&str]) -> Result<Value, String> {
        let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
        let given = Given::read(&words, None).and_then(|given| given.to_arguments(&schema()));
        given.map(Value::Object).map_err(|error| error.to_string())
    }

    #[test]
    fn a_text_is_read_as_the_schemas_type() {
        let words = [
            "name=12",
            "limit=12",
            "email=null",
            "dry_run=true",
            "guest_ids=[\"a\"]",
            "tags={\"a\":1}",
            "other=1",
        ];
        assert_eq!(
            arguments(&words),
            Ok(json!({
                "name": "12", "limit": 12, "email": "null", "dry_run": true,
                "guest_ids": ["a"], "tags": { "a": 1 }, "other": "1",
            }))
        );
    }

    #[test]
    fn json_is_taken_as_it_is_written() {
        let words = [
            "name:=12",
            "email:=null",
            "other:={\"=\":[]}",
            "text=a:=b=c",
        ];
        let expected = json!({ "name": 12, "email": null, "other": { "=": [] }, "text": "a:=b=c" });
        assert_eq!(arguments(&words), Ok(expected));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        for (words, expected) in [
            (
                vec!["limit=many"],
                "limit must be a whole number, not `many`",
            ),
            (
                vec!["dry_run=yes"],
                "dry_run must be true or false, not `yes`",
            ),
            (
                vec!["guest_ids=a,b"],
                "guest_ids must be a JSON list, such as [\"a\",\"b\"], not `a,b`",
            ),
            (
                vec!["name"],
                "`name` is not an argument; write name=value or name:=json",
            ),
            (vec!["=x"], "`=x` has no name before ="),
            (vec!["name=a", "name=b"], "name is given twice"),
        ] {
            assert_eq!(arguments(&words), Err(expected.to_owned()), "{words:?}");
        }
        let error = arguments(&["tags:={"]).expect_err("no JSON");
        assert!(
            error.starts_with("`tags:={` has no JSON after :="),
            "{error}"
        );
    }

    #[test]
    fn a_schema_that_is_not_ours_is_checked_too() {
        let schema = json!({
            "type": "object", "required": ["path"],
            "properties": { "path": { "type": "string" }, "edits": { "type": "array", "maxItems": 1 } },
        });
        assert!(validate(&schema, &json!({ "path": "a" })).is_ok());
        let missing = validate(&schema, &json!({})).expect_err("it is required");
        assert!(missing.to_string().contains("path"), "{missing}");
        let long =
            validate(&schema, &json!({ "path": "a", "edits": [1, 2] })).expect_err("too long");
        assert!(long.to_string().starts_with("edits: "), "{long}");
    }
}
