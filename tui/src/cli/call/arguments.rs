//! The arguments of a call, from the command line and JSON. The form of the schema reads texts and
//! finds what is wrong.

use std::io::Read;

use frontdesk::import::text;
use frontdesk_form::kind::Additional;
use frontdesk_form::{Entry, FieldError, Form, Kind, Path};
use frontdesk_protocol::exact;
use serde_json::{Map, Value};

use crate::cli::Failure;
use crate::cli::suggest::closest;

/// A longer value is not repeated in an error.
const LONGEST: usize = 40;

/// The given arguments, before the schema is known.
#[derive(Debug, Clone)]
pub(in crate::cli) struct Given {
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
    /// Parses `name=value`, `name:=json` and `name:@FILE`, which take precedence over the object in `file`.
    ///
    /// # Errors
    /// [`Failure::Usage`] with the invalid arguments.
    pub(in crate::cli) fn read<'a>(
        words: impl IntoIterator<Item = &'a String>,
        file: Option<&str>,
    ) -> Result<Given, Failure> {
        let base = match file {
            Some(file) => object(file)?,
            None => Map::new(),
        };
        let mut named: Vec<(String, Word)> = Vec::new();
        let (mut wrong, mut unread) = (Vec::new(), Vec::new());
        for word in words {
            match split(word) {
                Ok((name, _)) if named.iter().any(|(there, _)| *there == name) => {
                    wrong.push(format!("{name} is given twice"));
                }
                Ok(one) => named.push(one),
                Err(Failure::Usage(error)) => wrong.push(error),
                Err(failure) => unread.push(failure),
            }
        }
        all_right(wrong)?;
        unread.into_iter().next().map_or(Ok(()), Err)?;
        Ok(Given { base, named })
    }

    /// Whether this argument was given.
    pub(super) fn has(&self, name: &str) -> bool {
        self.base.contains_key(name) || self.named.iter().any(|(there, _)| there == name)
    }

    /// Adds `name=value`.
    pub(in crate::cli) fn add(&mut self, name: &str, text: &str) {
        let word = Word::Text(text.to_owned());
        self.named.push((name.to_owned(), word));
    }

    /// Whether no value was given.
    pub(super) fn are_none(&self) -> bool {
        self.base.is_empty() && self.named.is_empty()
    }

    /// Those for the fields of this schema, and the defaults of the others.
    pub(super) fn answering(&self, schema: &Value) -> Given {
        let fields = schema["properties"].as_object();
        let is_named = |name: &str| fields.is_some_and(|fields| fields.contains_key(name));
        let defaults = fields.into_iter().flatten();
        let mut base: Map<_, _> = defaults
            .filter_map(|(name, field)| Some((name.clone(), field.get("default")?.clone())))
            .collect();
        let given = self.base.iter().filter(|(name, _)| is_named(name));
        base.extend(given.map(|(name, value)| (name.clone(), value.clone())));
        let named = self.named.iter().filter(|(name, _)| is_named(name));
        Given {
            base,
            named: named.cloned().collect(),
        }
    }

    /// The arguments that can be names of records: texts, and values of the object.
    pub(super) fn names(&self) -> Map<String, Value> {
        let texts = self.named.iter().filter_map(|(name, word)| match word {
            Word::Text(text) if text != "null" && !text.starts_with(['[', '{']) => {
                Some((name.clone(), text.as_str().into()))
            }
            _ => None,
        });
        let mut names = self.base.clone();
        names.extend(texts);
        names
    }

    /// Puts these in their place.
    pub(super) fn put(&mut self, mut ids: Map<String, Value>) {
        for (name, word) in &mut self.named {
            if let (Word::Text(text), Some(Value::String(id))) = (word, ids.remove(name)) {
                *text = id;
            }
        }
        for (name, value) in &mut self.base {
            if let Some(id) = ids.remove(name) {
                *value = id;
            }
        }
    }

    /// The arguments, with texts converted to the types of the schema. A required argument with a
    /// single possible value can be left out.
    ///
    /// # Errors
    /// [`Failure::Usage`] with everything that does not fit the schema.
    pub(super) fn to_arguments(&self, schema: &Value) -> Result<Map<String, Value>, Failure> {
        let form = Form::new(schema);
        let read = forms(&form).into_iter().map(|form| self.read_by(&form));
        let best = read.min_by_key(|(_, wrong)| wrong.len());
        let (arguments, wrong) = best.unwrap_or_default();
        all_right(wrong)?;
        Ok(arguments)
    }

    fn read_by(&self, form: &Form) -> (Map<String, Value>, Vec<String>) {
        let mut arguments = self.base.clone();
        for (name, word) in &self.named {
            let value = match word {
                Word::Json(value) => value.clone(),
                Word::Text(text) => form.read(&Path::root().key(name), text),
            };
            arguments.insert(name.clone(), value);
        }
        for field in form.root().leaf().children() {
            if let (Some(name), Entry::Chosen(value)) = (field.key(), field.entry())
                && matches!(field.kind(), Kind::Const(_))
            {
                arguments.entry(name).or_insert_with(|| value.clone());
            }
        }
        let mut form = form.clone();
        form.fill(&Value::Object(arguments.clone()));
        let wrong = self.wrong(&form);
        (arguments, wrong)
    }

    /// What is wrong with the arguments in the form.
    fn wrong(&self, form: &Form) -> Vec<String> {
        let declared: Vec<&str> = match form.root().leaf().kind() {
            // Most servers ignore an argument that they do not know, so a misspelt one is lost.
            Kind::Object(object) if object.additional != Additional::Invited => names(form.root()),
            _ => Vec::new(),
        };
        let is_unknown = |name: &str| !declared.is_empty() && !declared.contains(&name);
        let named = self.named.iter().map(|(name, _)| name.as_str());
        let unknown: Vec<&str> = named.filter(|name| is_unknown(name)).collect();
        let errors = form.errors().into_iter();
        let errors = errors.filter(|error| {
            let path = error.path.to_string();
            !unknown.contains(&path.as_str())
        });
        let mut wrong: Vec<String> = errors.map(|error| told(form, &error)).collect();
        let unknown = unknown.into_iter();
        wrong.extend(unknown.map(|name| not_there(name, &declared)));
        wrong
    }
}

/// The form, or if the schema is a choice, the form of each alternative.
fn forms(form: &Form) -> Vec<Form> {
    let Kind::Variant(several) = form.root().kind() else {
        return vec![form.clone()];
    };
    let chosen = (0..several.len()).filter_map(|at| {
        let mut form = form.clone();
        form.choose_variant(&Path::root(), at).ok()?;
        Some(form)
    });
    chosen.collect()
}

/// The error as a sentence with the value.
fn told(form: &Form, error: &FieldError) -> String {
    let path = &error.path;
    let field = form.field(path);
    if let (Some(field), Some((above, _)), Some(key)) = (field, path.split_last(), path.last_key())
        && !field.is_declared()
        && let Some(object) = form.field(&above)
        && matches!(object.leaf().kind(), Kind::Object(object) if object.additional == Additional::Refused)
    {
        let unknown = not_there(key, &names(object));
        return match above.is_root() {
            true => unknown,
            false => format!("{above}: {unknown}"),
        };
    }
    let value = field.and_then(frontdesk_form::Field::value);
    let is_scalar = matches!(
        value,
        Some(Value::String(_) | Value::Bool(_) | Value::Number(_))
    );
    let kind = field.map(|field| (field.kind(), field.leaf().kind()));
    let message = match kind.filter(|_| is_scalar) {
        // The error is of one alternative; the message names all.
        Some((Kind::Variant(several), Kind::Const(_) | Kind::Choice(_))) => {
            let labels: Vec<_> = several.iter().map(|one| one.label.as_str()).collect();
            &format!("must be one of {}", labels.join(", "))
        }
        Some((_, Kind::List(_))) => "must be a JSON list such as [\"a\",\"b\"]",
        Some((_, Kind::Object(_) | Kind::Map(_))) => "must be a JSON object such as {\"a\":1}",
        _ => error.message.as_str(),
    };
    let given = match value {
        Some(Value::Object(_) | Value::Array(_)) | None => None,
        Some(value) => Some(exact::plain(&value)),
    };
    let is_said = message.contains(", not ");
    let given = given.filter(|given| given.chars().count() <= LONGEST && !is_said);
    let given = given.map_or(String::new(), |given| format!(", not `{given}`"));
    match path.is_root() {
        true => format!("{message}{given}"),
        false => format!("{path} {message}{given}"),
    }
}

fn names(object: &frontdesk_form::Field) -> Vec<&str> {
    let fields = object.leaf().children().iter();
    let declared = fields.filter(|field| field.is_declared());
    declared.filter_map(frontdesk_form::Field::key).collect()
}

fn not_there(name: &str, names: &[&str]) -> String {
    match (closest(name, names.iter().copied()), names) {
        (Some(close), _) => format!("there is no argument `{name}`; did you mean `{close}`?"),
        (None, []) => format!("there is no argument `{name}`"),
        (None, names) => format!(
            "there is no argument `{name}`; choose from {}",
            names.join(", ")
        ),
    }
}

fn all_right(mut wrong: Vec<String>) -> Result<(), Failure> {
    match wrong.len() {
        0 => Ok(()),
        1 => Err(Failure::Usage(wrong.remove(0))),
        count => {
            let lines: String = wrong.iter().map(|one| format!("\n  {one}")).collect();
            Err(Failure::Usage(format!(
                "{count} arguments are wrong:{lines}"
            )))
        }
    }
}

fn object(file: &str) -> Result<Map<String, Value>, Failure> {
    let text = match file {
        "-" => {
            let mut text = String::new();
            std::io::stdin()
                .lock()
                .read_to_string(&mut text)
                .map_err(|error| Failure::file("stdin", error))?;
            text
        }
        file => std::fs::read_to_string(file).map_err(|error| Failure::file(file, error))?,
    };
    match exact::read(&text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(Failure::Usage(format!("{file}: must be a JSON object"))),
        Err(error) => Err(Failure::Usage(format!("{file}: {error}"))),
    }
}

fn split(word: &str) -> Result<(String, Word), Failure> {
    let wrong = |what: &str| Failure::Usage(format!("`{word}` {what}"));
    if let Some((name, file)) = word.split_once(":@")
        && !name.is_empty()
        && !name.contains('=')
    {
        let bytes = std::fs::read(file).map_err(|error| Failure::file(file, error))?;
        let text = text(bytes).map_err(|error| Failure::sheet(file.as_ref(), error))?;
        return Ok((name.to_owned(), Word::Text(text)));
    }
    let (name, text) = word
        .split_once('=')
        .ok_or_else(|| wrong("is not an argument; write name=value, name:=json or name:@FILE"))?;
    let (name, word) = match name.strip_suffix(':') {
        Some(name) => {
            let value = exact::read(text)
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn arguments(schema: &Value, words: &[&str]) -> Result<Value, String> {
        let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
        let given = Given::read(&words, None).and_then(|given| given.to_arguments(schema));
        given.map(Value::Object).map_err(|error| error.to_string())
    }

    fn plain() -> Value {
        json!({ "properties": {
            "name": { "type": "string" },
            "limit": { "type": "integer", "maximum": 100 },
            "email": { "type": ["string", "null"] },
            "dry_run": { "type": "boolean" },
            "guest_ids": { "type": "array" },
            "tags": { "type": "object" },
        } })
    }

    /// What servers of every make write.
    fn unions() -> Value {
        json!({
            "type": "object",
            "required": ["version", "shape"],
            "additionalProperties": false,
            "properties": {
                "version": { "const": 2 },
                "shape": { "$ref": "#/$defs/shape" },
                "count": { "anyOf": [{ "type": "integer" }, { "type": "null" }] },
                "limit": { "anyOf": [{ "type": "integer" }, { "const": "all" }] },
                "paths": { "oneOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }] },
                "level": { "$ref": "#/$defs/level" },
                "note": { "type": "string", "nullable": true },
                "size": { "type": "number", "nullable": true },
                "rating": { "enum": [1, 2, 3] },
            },
            "$defs": {
                "level": { "type": "string", "enum": ["low", "high"] },
                "shape": { "oneOf": [
                    { "type": "object", "required": ["kind", "radius"], "additionalProperties": false,
                      "properties": { "kind": { "const": "circle" }, "radius": { "type": "number" } } },
                    { "type": "object", "required": ["kind", "side"], "additionalProperties": false,
                      "properties": { "kind": { "const": "square" }, "side": { "type": "number" } } },
                ] },
            },
        })
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
        ];
        assert_eq!(
            arguments(&plain(), &words),
            Ok(json!({
                "name": "12", "limit": 12, "email": "null", "dry_run": true,
                "guest_ids": ["a"], "tags": { "a": 1 },
            }))
        );
    }

    #[test]
    fn a_text_follows_unions_references_and_constants() {
        let shape = "shape={\"kind\":\"square\",\"side\":2}";
        let read = |word: &str| {
            let (name, _) = word.split_once('=').expect("an argument");
            arguments(&unions(), &[shape, word]).map(|read| read[name].clone())
        };
        for (word, expected) in [
            ("count=3", json!(3)),
            ("count=null", json!(null)),
            ("limit=3", json!(3)),
            ("limit=all", json!("all")),
            ("paths=a", json!("a")),
            ("paths=[\"a\"]", json!(["a"])),
            ("paths=[draft]", json!("[draft]")),
            ("level=high", json!("high")),
            ("note=null", json!("null")),
            ("note:=null", json!(null)),
            ("size=null", json!(null)),
            ("rating=2", json!(2)),
            ("version=2", json!(2)),
        ] {
            assert_eq!(read(word), Ok(expected), "{word}");
        }
        let read = arguments(&unions(), &[shape]).expect("the constant is known");
        assert_eq!(
            read,
            json!({ "shape": { "kind": "square", "side": 2 }, "version": 2 })
        );
    }

    #[test]
    fn a_schema_that_is_a_union_is_read_by_the_alternative_that_fits() {
        let schema = json!({ "anyOf": [
            { "type": "object", "required": ["id"], "additionalProperties": false,
              "properties": { "id": { "type": "integer" } } },
            { "type": "object", "required": ["id", "name"], "additionalProperties": false,
              "properties": { "id": { "type": "string" }, "name": { "type": "string" } } },
        ] });
        assert_eq!(arguments(&schema, &["id=5"]), Ok(json!({ "id": 5 })));
        assert_eq!(
            arguments(&schema, &["id=5", "name=x"]),
            Ok(json!({ "id": "5", "name": "x" }))
        );
    }

    #[test]
    fn a_text_is_read_from_a_file() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("a=b.txt");
        std::fs::write(&file, "Two\nlines").expect("it is written");
        let schema = json!({ "type": "object", "properties": { "text": { "type": "string" } } });
        let word = format!("text:@{}", file.display());
        let expected = json!({ "text": "Two\nlines" });
        assert_eq!(arguments(&schema, &[&word]), Ok(expected));
        assert!(arguments(&schema, &["text:@/nowhere/at/all"]).is_err());
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
        assert_eq!(
            arguments(&json!({ "type": "object" }), &words),
            Ok(expected)
        );
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        for (words, expected) in [
            (
                vec!["limit=many"],
                "limit must be a whole number, not `many`",
            ),
            (vec!["limit=101"], "limit must be at most 100, not `101`"),
            (
                vec!["dry_run=maybe"],
                "dry_run must be yes or no, not `maybe`",
            ),
            (
                vec!["guest_ids=a,b"],
                "guest_ids must be a JSON list such as [\"a\",\"b\"], not `a,b`",
            ),
            (
                vec!["name"],
                "`name` is not an argument; write name=value, name:=json or name:@FILE",
            ),
            (vec!["=x"], "`=x` has no name before ="),
            (vec!["name=a", "name=b"], "name is given twice"),
            (
                vec!["nam=a"],
                "there is no argument `nam`; did you mean `name`?",
            ),
            (
                vec!["colour=a"],
                "there is no argument `colour`; choose from name, limit, email, dry_run, guest_ids, tags",
            ),
        ] {
            assert_eq!(
                arguments(&plain(), &words),
                Err(expected.to_owned()),
                "{words:?}"
            );
        }
        let error = arguments(&plain(), &["tags:={"]).expect_err("no JSON");
        assert!(
            error.starts_with("`tags:={` has no JSON after :="),
            "{error}"
        );
    }

    #[test]
    fn everything_that_is_wrong_is_reported_at_once() {
        let words = [
            "shap=x",
            "level=medium",
            "count=many",
            "rating=9",
            "limit=some",
        ];
        assert_eq!(
            arguments(&unions(), &words).expect_err("it is wrong"),
            "6 arguments are wrong:\n  \
             shape is required\n  \
             count must be a whole number, not `many`\n  \
             limit must be one of whole number, all, not `some`\n  \
             level must be one of low, high, not `medium`\n  \
             rating must be one of 1, 2, 3, not `9`\n  \
             there is no argument `shap`; did you mean `shape`?"
        );
        let nested = ["shape={\"kind\":\"circle\",\"radus\":2}"];
        assert_eq!(
            arguments(&unions(), &nested).expect_err("it is wrong"),
            "2 arguments are wrong:\n  \
             shape.radius is required\n  \
             shape: there is no argument `radus`; did you mean `radius`?"
        );
    }
}
