//! Reads the JSON arguments of a call. Errors name the wrong field.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::error::{ErrorCode, ToolError};
use crate::tool::{Declaration, Tool};
use crate::wire::{self, Cut, Reader, Shape, Table};

/// Reads the arguments of a tool from JSON text.
///
/// # Errors
/// `invalid_argument` for the first argument that is missing, unknown, given twice, of the wrong type, out of bounds, or
/// contains a NUL character; with all wrong arguments and an example of right ones in `details`.
pub fn read<T: Tool>(json: &str) -> Result<T, ToolError> {
    read_from(&parse(json)?)
}

/// Reads the arguments of a tool from parsed JSON; also of one that is not declared.
///
/// # Errors
/// As [`read`].
pub fn read_from<T: Table>(value: &Value) -> Result<T, ToolError> {
    let mut reader = Reader::default();
    match T::read(value, &mut reader) {
        Some(arguments) if reader.is_content() => Ok(arguments),
        _ => Err(wire::refusal(T::SHAPE, value, reader.into_complaints())),
    }
}

impl Declaration {
    /// Checks arguments, given as JSON text, without calling the tool. Returns them as their types understand them, without
    /// those whose omission means the same.
    ///
    /// # Errors
    /// The first wrong argument; `details` has all of them, and an example of right ones.
    pub fn check(&self, arguments: &str) -> Result<Map<String, Value>, ToolError> {
        check(self.shape, arguments)
    }
}

/// Checks arguments by their table. Returns them as their types understand them.
///
/// # Errors
/// As [`read`].
pub fn check(shape: &'static Shape, json: &str) -> Result<Map<String, Value>, ToolError> {
    check_from(shape, &parse(json)?)
}

/// Checks parsed arguments by their table.
///
/// # Errors
/// As [`read`].
pub fn check_from(shape: &'static Shape, value: &Value) -> Result<Map<String, Value>, ToolError> {
    let mut reader = Reader::default();
    match wire::normal(shape, value, &mut reader) {
        Some(arguments) if reader.is_content() => Ok(arguments),
        _ => Err(wire::refusal(shape, value, reader.into_complaints())),
    }
}

/// Removes what says nothing of a filter: null and blank texts, where the argument can be omitted. Some models send each
/// argument that a schema has.
pub fn without_blank(shape: &'static Shape, arguments: &mut Value) {
    if let Value::Object(arguments) = arguments {
        arguments.retain(|name, value| {
            let says_nothing = value.is_null() || wire::is_blank(value);
            let field = says_nothing.then(|| shape.field(name)).flatten();
            field.is_none_or(|field| field.default().is_none())
        });
    }
}

/// Parses JSON text.
///
/// # Errors
/// `invalid_argument` if it is not JSON, or for the first key that is given twice or text with a NUL character.
pub fn parse(json: &str) -> Result<Value, ToolError> {
    let mut parser = serde_json::Deserializer::from_str(json);
    let mut found = Found::default();
    let value = Parse(&mut found).deserialize(&mut parser);
    let value = value.and_then(|value| parser.end().map(|()| value));
    let value = value.map_err(|error| {
        let text = error.to_string();
        let message = text.rfind(" at line ").map_or(&*text, |at| &text[..at]);
        match found.failed.take() {
            Some(path) => ToolError::invalid(path, format!("must be JSON: {message}")),
            None => ToolError::new(
                ErrorCode::InvalidArgument,
                format!("the arguments must be JSON: {message}"),
            ),
        }
    })?;
    match found.complaint {
        Some((path, message)) => Err(ToolError::invalid(path, message)),
        None => Ok(value),
    }
}

/// What a parsed text has that no argument can have.
#[derive(Default)]
struct Found {
    /// The first of them, with its path. Until it is complete, the path is that within the current value.
    complaint: Option<(String, &'static str)>,
    /// The path of the value that is no JSON.
    failed: Option<String>,
}

impl Found {
    fn add(&mut self, path: &dyn fmt::Display, message: &'static str) {
        // A NUL in a key is shown as a picture of it.
        let path = || path.to_string().replace('\0', "\u{2400}");
        self.complaint.get_or_insert_with(|| (path(), message));
    }

    fn text(&mut self, text: &str) {
        if text.contains('\0') {
            self.add(&"", "must not contain a NUL character");
        } else if wire::is_placeholder(text) {
            self.add(&"", "is the placeholder of an example: write the value");
        }
    }

    /// Parses a value below `step`, and prepends it to the path of what is found there.
    fn below<T, E>(
        &mut self,
        step: impl fmt::Display,
        parse: impl FnOnce(&mut Found) -> Result<T, E>,
    ) -> Result<T, E> {
        let had_one = self.complaint.is_some();
        let parsed = parse(self);
        let complaint = self.complaint.as_mut().filter(|_| !had_one);
        if let Some((path, _)) = complaint {
            prepend(path, &step);
        }
        if parsed.is_err() {
            prepend(self.failed.get_or_insert_default(), &step);
        }
        parsed
    }
}

fn prepend(path: &mut String, step: &impl fmt::Display) {
    let dot = match path.is_empty() || path.starts_with('[') {
        true => "",
        false => ".",
    };
    *path = format!("{step}{dot}{path}");
}

/// Parses a value, and looks at it in the same pass.
struct Parse<'a>(&'a mut Found);

impl<'de> DeserializeSeed<'de> for Parse<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Parse<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        self.0.text(text);
        Ok(text.into())
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        self.0.text(&text);
        Ok(text.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        loop {
            let step = format_args!("[{}]", values.len());
            let value = self
                .0
                .below(step, |found| list.next_element_seed(Parse(found)))?;
            match value {
                Some(value) => values.push(value),
                None => return Ok(values.into()),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut values = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            if key.contains('\0') {
                self.0.add(&Cut(&key), "must not contain a NUL character");
            } else if wire::is_placeholder(&key) {
                self.0.add(
                    &Cut(&key),
                    "is the placeholder of an example: write the value",
                );
            }
            let value = self
                .0
                .below(Cut(&key), |found| map.next_value_seed(Parse(found)))?;
            if values.contains_key(&key) {
                self.0.add(&Cut(&key), "is given twice");
            }
            values.insert(key, value);
        }
        Ok(values.into())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::role::Roles;
    use crate::tool::{Effect, Tool};
    use crate::value::{Change, Flag, Latitude, Limit, Object, Patch, UpTo, WebUrl};
    use crate::wire::{Table, Wire};

    /// A tool with arguments of many types.
    #[derive(Debug, Wire)]
    #[wire(strict)]
    struct Sample {
        id: uuid::Uuid,
        limit: Limit,
        name: Change<String>,
        note: Patch<String>,
        tags: Option<Object>,
        latitude: Option<Latitude>,
        url: Option<WebUrl>,
        at: Option<jiff::Timestamp>,
        ids: Option<UpTo<uuid::Uuid, 3>>,
        dry_run: Flag<false>,
    }

    impl Tool for Sample {
        type Output = bool;
        const NAME: &'static str = "sample";
        const HOST: crate::Host = crate::Host::Work;
        const EFFECT: Effect = Effect::READ;
        const AUDIENCE: Roles = Roles::DESK;
    }

    const ID: &str = "0190a1b2-0000-7000-8000-000000000001";

    fn refused(more: Value) -> ToolError {
        let mut arguments = json!({ "id": ID });
        if let (Some(map), Value::Object(more)) = (arguments.as_object_mut(), more) {
            map.extend(more);
        }
        read::<Sample>(&arguments.to_string()).expect_err("should be refused")
    }

    #[test]
    fn each_error_names_the_field() {
        let cases = [
            (
                json!({ "limit": 101 }),
                "limit",
                "must be from 1 to 100, not 101",
            ),
            (
                json!({ "limit": 1.5 }),
                "limit",
                "must be a whole number, not 1.5",
            ),
            (
                json!({ "limit": "ten" }),
                "limit",
                "must be a number, not the text \"ten\"",
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
            (
                json!({ "ids": [ID, "x"] }),
                "ids[1]",
                "must be a UUID: 32 hexadecimal digits in five groups",
            ),
            (
                json!({ "url": "photo" }),
                "url",
                "must be a web address such as https://example.org/photo.jpg",
            ),
            (
                json!({ "at": "tomorrow" }),
                "at",
                "must be a time with its offset, such as 2026-03-12T18:30:00-03:00",
            ),
        ];
        for (arguments, field, message) in cases {
            let error = refused(arguments);
            assert_eq!(error.code, ErrorCode::InvalidArgument);
            assert_eq!(error.field.as_deref(), Some(field));
            assert_eq!(error.message, message);
        }
        let missing = read::<Sample>("{}").expect_err("id is required");
        assert_eq!(missing.field.as_deref(), Some("id"));
        assert_eq!(missing.message, "is required");
        let list = read::<Sample>("[]").expect_err("a list");
        assert_eq!(list.message, "the arguments must be an object, not a list");
    }

    #[test]
    fn a_key_counts_once() {
        for (text, field) in [
            (r#"{"id": 1, "id": 2}"#, "id"),
            (r#"{"tags": {"a": [{"b": 1, "b": 1}]}}"#, "tags.a[0].b"),
        ] {
            let error = parse(text).expect_err("should be refused");
            assert_eq!(error.field.as_deref(), Some(field));
            assert_eq!(error.message, "is given twice");
        }
    }

    #[test]
    fn an_escaped_backslash_is_not_a_nul() {
        let text = json!({ "id": ID, "name": "\\u0000" }).to_string();
        let sample: Sample = read(&text).expect("is fine");
        assert_eq!(sample.name, Change::To("\\u0000".to_owned()));
    }

    #[test]
    fn absent_null_and_a_value_are_three_things() {
        let sample = |more: &str| -> Sample {
            read(&format!(r#"{{"id": "{ID}"{more}}}"#)).expect("is fine")
        };
        assert_eq!(sample("").note, Patch::Keep);
        assert_eq!(sample(r#", "note": null"#).note, Patch::Clear);
        assert_eq!(sample(r#", "note": """#).note, Patch::Clear);
        assert_eq!(sample(r#", "note": "x""#).note, Patch::To("x".to_owned()));
        let whole = sample(r#", "limit": 50.0"#);
        assert_eq!(whole.limit, Limit::default());
        assert_eq!(whole.id.to_string(), ID);
    }

    #[test]
    fn what_is_checked_is_what_is_read() {
        let text = format!(
            r#"{{"dry_run": false, "note": null, "limit": 50.0, "at": "2026-03-12T18:30:00-03:00", "id": "{}"}}"#,
            ID.to_uppercase()
        );
        let checked = check(Sample::SHAPE, &text).expect("is fine");
        let read: Sample = read(&text).expect("is fine");
        let mut written = Map::new();
        for (name, value) in [("id", json!(read.id)), ("note", Value::Null)] {
            written.insert(name.to_owned(), value);
        }
        written.insert("at".to_owned(), json!("2026-03-12T21:30:00Z"));
        assert_eq!(checked, written);
    }

    /// The wrong fields in the details of a refusal.
    fn wrong(error: &ToolError) -> Vec<Value> {
        let details: Value = error.details().expect("details");
        let wrong = details["wrong"].as_array().expect("a list");
        wrong.iter().map(|one| one["field"].clone()).collect()
    }

    #[test]
    fn all_that_is_wrong_is_said_at_once_in_the_order_of_the_call() {
        let error = refused(json!({ "limit": 0, "colour": 1, "latitude": "north" }));
        assert_eq!(wrong(&error), ["limit", "colour", "latitude"]);
    }

    /// The example in the refusal of these arguments.
    fn example(arguments: Value) -> Value {
        let error = read::<Sample>(&arguments.to_string()).expect_err("should be refused");
        let details: Option<Value> = error.details();
        details.map_or(Value::Null, |details| details["example"].clone())
    }

    #[test]
    fn an_example_has_what_can_be_understood() {
        assert_eq!(
            example(json!({
                "id": ID, "limit": "5", "ids": ID, "tags": "{\"a\": 1}", "latitude": "12.5",
                "name": 7, "dry_run": "false",
            })),
            json!({
                "id": ID, "limit": 5, "ids": [ID], "tags": { "a": 1 }, "latitude": 12.5,
                "name": "7", "dry_run": true,
            })
        );
    }

    #[test]
    fn what_cannot_be_understood_is_refused_again() {
        let example = example(json!({ "limit": "many", "ids": ["x"], "name": null }));
        let again = read::<Sample>(&example.to_string()).expect_err("should be refused");
        // A text would be right.
        assert_eq!(again.field.as_deref(), Some("name"));
        let again = read_from::<Sample>(&example).expect_err("should be refused");
        assert_eq!(wrong(&again), ["id", "limit", "ids[0]"]);
    }

    /// The complaint about this value of a field, and what it is read as.
    fn checked(field: &'static wire::Field, value: &Value) -> (Option<ToolError>, Option<Value>) {
        let wire::Of::Type(of) = &field.of else {
            return (None, None);
        };
        let mut reader = Reader::default();
        let read = (of.check)(value, &mut reader).flatten();
        (reader.into_complaints().pop(), read)
    }

    #[test]
    fn no_field_of_a_tool_keeps_a_control_character_or_repeats_a_long_text() {
        let long = "x".repeat(5000);
        for tool in crate::Host::ALL.into_iter().flat_map(crate::Host::tools) {
            for field in tool.shape.fields {
                let (_, kept) = checked(field, &"a\u{7}b\u{1b}[2J".into());
                let kept = kept.map_or(String::new(), |kept| kept.to_string());
                assert!(!kept.contains("\\u00"), "{tool:?}.{}: {kept}", field.name);
                let (complaint, _) = checked(field, &long.as_str().into());
                let said = complaint.map_or(String::new(), |error| format!("{error:?}"));
                assert!(said.len() < 1000, "{tool:?}.{}: {said}", field.name);
            }
            let unknown = serde_json::json!({ long.as_str(): 1 });
            let refused = tool
                .check(&unknown.to_string())
                .expect_err("should be refused");
            assert!(format!("{refused:?}").len() < 5000, "{tool:?}: {refused:?}");
        }
    }

    #[test]
    fn examples_of_all_tools_have_values_of_the_right_type_and_are_refused() {
        for tool in crate::Host::ALL.into_iter().flat_map(crate::Host::tools) {
            let Err(error) = tool.check("{}") else {
                continue;
            };
            let details: Value = error.details().expect("details");
            let properties = &tool.input_schema()["properties"];
            for (name, value) in details["example"].as_object().expect("an example") {
                let is_right = match properties[name]["type"].as_str() {
                    Some("array") => value.is_array(),
                    Some("object") => value.is_object(),
                    _ => value.is_string(),
                };
                assert!(is_right, "{tool:?}.{name}: {value}");
                let alone = serde_json::json!({ name: value }).to_string();
                let refused = tool.check(&alone).expect_err("should be refused");
                let is_about = |field: &String| field.starts_with(name);
                assert!(refused.field.as_ref().is_some_and(is_about), "{refused:?}");
            }
        }
    }

    #[test]
    fn an_example_never_asks_for_more() {
        for tried in [json!("true"), json!(1), json!("yes"), json!(false)] {
            let example = example(json!({ "id": ID, "limit": 0, "dry_run": tried }));
            assert_eq!(example["dry_run"], true);
        }
        let misspelled = example(json!({ "id": ID, "dryrun": true }));
        assert_eq!(misspelled["dry_run"], true);
    }
}
