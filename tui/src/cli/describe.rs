//! `describe`: a tool, with everything that a call can contain, and an example.

use clap::Args;
use frontdesk::plain;
use frontdesk_client::ToolInfo;
use frontdesk_form::kind::{Bounds, Format, List, Text};
use frontdesk_form::{Field, Form, Kind, Path};
use serde_json::{Map, Value};

use super::callee;
use super::options::Options;
use super::reach::Reach;
use super::tools::to_json;
use super::{Failure, completions, say, say_json, terminal_width};

/// The depth to which nested arguments are described.
const DEEPEST: usize = 6;
/// The widest column of names and of types; longer ones push the description to the next line.
const WIDEST: usize = 36;
/// The width of text that is not written to a terminal.
const USUAL_WIDTH: usize = 120;

/// Describes a tool and its arguments.
#[derive(Debug, Args)]
#[command(override_usage = "frontdesk describe [OPTIONS] HOST TOOL\n       \
    frontdesk describe [OPTIONS] TOOL -- COMMAND…")]
pub(super) struct Describe {
    /// The host; or a server, by its configured name or its address. Left out before `-- COMMAND`.
    #[arg(value_name = "HOST", add = completions::peers())]
    host: String,
    /// The tool.
    #[arg(value_name = "TOOL", required_unless_present = "command", conflicts_with = "command", add = completions::tools())]
    tool: Option<String>,
    #[command(flatten)]
    reach: Reach,
}

impl Describe {
    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        let (host, tool) = match &self.tool {
            Some(tool) => (Some(self.host.as_str()), tool),
            None => (None, &self.host),
        };
        let callee = self.reach.callee(options, host)?;
        let found = callee::tool(&callee, tool);
        let tool = callee::until_done(&callee, self.reach.timeout, found).await?;
        if options.json() {
            return say_json(&to_json(callee.name(), &tool));
        }
        let width = terminal_width().unwrap_or(USUAL_WIDTH);
        let page = page(callee.name(), self.reach.command(), &tool, width);
        for line in page.lines() {
            say(&plain(line))?;
        }
        Ok(())
    }
}

/// The description of a tool for people.
fn page(name: &str, command: &[String], tool: &ToolInfo, width: usize) -> String {
    let effect = match (tool.read_only, tool.destructive, tool.idempotent) {
        (true, ..) => "reads only",
        (false, true, _) => "may remove or overwrite",
        (false, false, true) => "writes; the same call again changes nothing more",
        (false, false, false) => "writes; each call adds another change",
    };
    let mut page = format!("{name} {}   ({effect})\n", tool.name);
    for line in tool.description.iter().flat_map(|text| text.lines()) {
        page += &textwrap::fill(line, width);
        page.push('\n');
    }
    let form = Form::new(&Value::Object(tool.input_schema.clone()));
    for (heading, lines) in sections(&form) {
        page += &format!("\n{heading}\n{}", aligned(&lines, width));
    }
    let host = Some(name).filter(|_| command.is_empty());
    let example = example(host, command, &tool.name, &form);
    page += &format!("\nExample\n  {example}\n");
    page
}

/// A line about an argument, a nested field or an alternative.
struct Line {
    depth: usize,
    name: String,
    kind: String,
    about: String,
}

/// The required and the optional arguments; of a schema that is a choice, those of each alternative.
fn sections(form: &Form) -> Vec<(String, Vec<Line>)> {
    let root = Path::root();
    let mut sections = Vec::new();
    let alternatives = match form.root().kind() {
        Kind::Variant(several) => several.iter().map(|one| Some(one.label.clone())).collect(),
        _ => vec![None],
    };
    for (at, label) in alternatives.into_iter().enumerate() {
        let mut form = form.clone();
        if label.is_some() {
            // The alternative is there.
            let _ = form.choose_variant(&root, at);
        }
        for (heading, is_required) in [("Required", true), ("Optional", false)] {
            let mut lines = Vec::new();
            let fields = form.root().leaf().children().iter();
            let fields = fields.filter(|field| field.is_required() == is_required);
            let names: Vec<_> = fields.filter_map(Field::key).map(str::to_owned).collect();
            for name in names {
                describe(&mut form, &root.key(&name), 1, name, &mut lines);
            }
            let heading = match &label {
                Some(label) => format!("{heading} ({label})"),
                None => heading.to_owned(),
            };
            if !lines.is_empty() {
                sections.push((heading, lines));
            }
        }
    }
    sections
}

/// Adds the lines of a field.
fn describe(form: &mut Form, path: &Path, depth: usize, name: String, lines: &mut Vec<Line>) {
    let kind = notation(form, path);
    let Some(field) = form.field(path) else {
        return;
    };
    let mut about = field.description().unwrap_or_default().to_owned();
    let example = field.examples().first();
    if let Some(example) = example.filter(|_| !matches!(field.kind(), Kind::Choice(_))) {
        about = format!("{about} Such as {}.", word(example));
    }
    lines.push(Line {
        depth,
        name,
        kind,
        about: about.split_whitespace().collect::<Vec<_>>().join(" "),
    });
    nested(form, path, depth + 1, lines);
}

/// Adds the lines of the fields or alternatives inside a field.
fn nested(form: &mut Form, path: &Path, depth: usize, lines: &mut Vec<Line>) {
    let Some(field) = form.field(path).map(Field::leaf) else {
        return;
    };
    if depth > DEEPEST || field.is_recursive() {
        return;
    }
    match field.kind().clone() {
        Kind::Object(_) => {
            let _ = form.include(path);
            let fields = form.field(path).map(Field::leaf);
            let fields = fields.into_iter().flat_map(Field::children);
            let keys =
                fields.filter_map(|field| Some((field.key()?.to_owned(), field.is_required())));
            let keys: Vec<_> = keys.collect();
            for (key, is_required) in keys {
                let name = match is_required {
                    true => key.clone(),
                    false => format!("{key}?"),
                };
                describe(form, &path.key(key), depth, name, lines);
            }
        }
        Kind::List(_) => {
            if let Ok(item) = form.add_item(path) {
                nested(form, &item, depth, lines);
            }
        }
        Kind::Map(_) => {
            if let Ok(value) = form.add_key(path, "name") {
                nested(form, &value, depth, lines);
            }
        }
        kind @ Kind::Variant(_) if kind.is_anything() => {}
        Kind::Variant(several) if has_fields(form, path, several.len()) => {
            for (at, alternative) in several.into_iter().enumerate() {
                let mut form = form.clone();
                let _ = form.choose_variant(path, at);
                lines.push(Line {
                    depth,
                    kind: body(&mut form, path),
                    name: format!("· {}", alternative.label),
                    about: alternative.description.unwrap_or_default(),
                });
                nested(&mut form, path, depth + 1, lines);
            }
        }
        _ => {}
    }
}

/// Whether an alternative has fields, which need lines of their own.
fn has_fields(form: &Form, path: &Path, alternatives: usize) -> bool {
    (0..alternatives).any(|at| {
        let mut form = form.clone();
        let _ = form.choose_variant(path, at);
        let mut path = path.clone();
        loop {
            let field = form.field(&path).map(Field::leaf);
            match field.map(Field::kind) {
                Some(Kind::Object(_)) => return true,
                Some(Kind::List(_)) => match form.add_item(&path) {
                    Ok(item) => path = item,
                    Err(_) => return false,
                },
                _ => return false,
            }
        }
    })
}

/// The type of a field in short: `integer 1..100 = 50`, `string | null`, `todo|done`.
fn notation(form: &mut Form, path: &Path) -> String {
    let mut kind = body(form, path);
    let Some(field) = form.field(path) else {
        return kind;
    };
    if field.is_nullable() && !field.kind().is_anything() {
        kind += " | null";
    }
    if let Some(default) = field.default() {
        kind += &format!(" = {}", word(default));
    }
    kind
}

fn body(form: &mut Form, path: &Path) -> String {
    let Some(field) = form.field(path).map(Field::leaf) else {
        return "any".to_owned();
    };
    let is_variant = matches!(field.kind(), Kind::Variant(_));
    if field.is_recursive() && (is_variant || field.kind().is_container()) {
        return "(as above)".to_owned();
    }
    match field.kind().clone() {
        Kind::Text(text) => string(&text),
        Kind::Number(bounds) => number(&bounds),
        Kind::Boolean => "boolean".to_owned(),
        Kind::Choice(choices) => {
            let words: Vec<_> = choices.iter().map(|choice| word(&choice.value)).collect();
            words.join("|")
        }
        Kind::Const(value) => word(&value),
        Kind::Object(_) => "object".to_owned(),
        Kind::Map(_) => {
            let inner = form.add_key(path, "name").ok();
            match inner.map(|value| notation(form, &value)) {
                Some(inner) if inner != "any" => format!("object of {inner}"),
                _ => "object".to_owned(),
            }
        }
        Kind::List(list) => {
            let mut form = form.clone();
            let inner = form.add_item(path).ok();
            let inner = inner.map(|item| notation(&mut form, &item));
            list_of(&list, inner.as_deref())
        }
        kind @ Kind::Variant(_) if kind.is_anything() => "any".to_owned(),
        Kind::Variant(several) if has_fields(form, path, several.len()) => "one of".to_owned(),
        Kind::Variant(several) => {
            let alternatives = (0..several.len()).map(|at| {
                let mut form = form.clone();
                let _ = form.choose_variant(path, at);
                body(&mut form, path)
            });
            alternatives.collect::<Vec<_>>().join(" | ")
        }
        Kind::Raw => "any".to_owned(),
    }
}

fn string(text: &Text) -> String {
    let mut kind = match &text.format {
        Some(Format::Date) => "date".to_owned(),
        Some(Format::DateTime) => "date-time".to_owned(),
        Some(Format::Time) => "time".to_owned(),
        Some(Format::Uuid) => "uuid".to_owned(),
        Some(Format::Uri) => "uri".to_owned(),
        Some(Format::Email) => "email".to_owned(),
        Some(Format::Other(name)) => name.clone(),
        None => "string".to_owned(),
    };
    if let Some(size) = range(text.min.filter(|min| *min > 1), text.max) {
        kind += &format!(" {size} characters");
    }
    if let Some(like) = text.like() {
        kind += &format!(" like {like}");
    }
    kind
}

fn number(bounds: &Bounds) -> String {
    let mut kind = match bounds.integer {
        true => "integer".to_owned(),
        false => "number".to_owned(),
    };
    if let Some(range) = range(bounds.min.as_ref(), bounds.max.as_ref()) {
        kind += &format!(" {range}");
    }
    if let Some(above) = &bounds.above {
        kind += &format!(" >{above}");
    }
    if let Some(below) = &bounds.below {
        kind += &format!(" <{below}");
    }
    if let Some(step) = &bounds.step {
        kind += &format!(" in steps of {step}");
    }
    kind
}

fn list_of(list: &List, inner: Option<&str>) -> String {
    let mut kind = match inner {
        None | Some("any") => "array".to_owned(),
        Some(inner) if inner.contains('|') => format!("array of ({inner})"),
        Some(inner) => format!("array of {inner}"),
    };
    if let Some(size) = range(list.min.filter(|min| *min > 0), list.max) {
        kind += &format!(", {size} entries");
    }
    if list.unique {
        kind += ", unique";
    }
    kind
}

fn range<T: ToString>(least: Option<T>, most: Option<T>) -> Option<String> {
    let text = |bound: Option<T>| bound.map_or(String::new(), |bound| bound.to_string());
    match (least, most) {
        (None, None) => None,
        (least, most) => Some(format!("{}..{}", text(least), text(most))),
    }
}

fn word(value: &Value) -> String {
    match value {
        Value::String(text) if text.is_empty() => "\"\"".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The lines in columns. A description that does not fit is wrapped below.
fn aligned(lines: &[Line], width: usize) -> String {
    let indented = |line: &Line| "  ".repeat(line.depth) + &line.name;
    let widest = |widths: &mut dyn Iterator<Item = usize>| {
        let widths = widths.filter(|width| *width <= WIDEST);
        widths.max().unwrap_or(0)
    };
    let names = widest(&mut lines.iter().map(|line| indented(line).chars().count()));
    let kinds = widest(&mut lines.iter().map(|line| line.kind.chars().count()));
    let mut text = String::new();
    for line in lines {
        let name = indented(line);
        let start = format!("{name:<names$}  {:<kinds$}  ", line.kind);
        if line.about.is_empty() {
            text += start.trim_end();
            text.push('\n');
            continue;
        }
        let room = width.saturating_sub(start.chars().count());
        let is_beside = room >= line.about.chars().count() || room >= WIDEST;
        let (start, indent) = match is_beside {
            true => (start.clone(), " ".repeat(start.chars().count())),
            false => {
                text += start.trim_end();
                text.push('\n');
                let indent = "  ".repeat(line.depth + 2);
                (indent.clone(), indent)
            }
        };
        let options = textwrap::Options::new(width)
            .initial_indent(&start)
            .subsequent_indent(&indent);
        for wrapped in textwrap::wrap(&line.about, options) {
            text += wrapped.trim_end();
            text.push('\n');
        }
    }
    text
}

/// A call with the required arguments. A callee without a name is the program.
fn example(host: Option<&str>, command: &[String], tool: &str, form: &Form) -> String {
    let mut form = form.clone();
    // Fails unless the schema is a choice.
    let _ = form.choose_variant(&Path::root(), 0);
    let mut words = vec!["frontdesk".to_owned(), "call".to_owned()];
    words.extend(host.into_iter().chain([tool]).map(quoted));
    let fields = form.root().leaf().children().iter();
    let fields = fields.filter(|field| field.is_required());
    let names: Vec<_> = fields.filter_map(Field::key).map(str::to_owned).collect();
    for name in names {
        let value = sample(&mut form, &Path::root().key(&name), 0);
        words.push(match value {
            Value::String(text) => pair(&name, "=", &text),
            value @ (Value::Array(_) | Value::Object(_)) => pair(&name, ":=", &value.to_string()),
            value => pair(&name, "=", &value.to_string()),
        });
    }
    if !command.is_empty() {
        words.push("--".to_owned());
        words.extend(command.iter().map(|word| quoted(word)));
    }
    words.join(" ")
}

/// An argument as one word of a shell; a plain name stays outside the quotation marks.
fn pair(name: &str, sign: &str, value: &str) -> String {
    match quoted(name) == name {
        true => format!("{name}{sign}{}", quoted(value)),
        false => quoted(&format!("{name}{sign}{value}")),
    }
}

/// The text as one word of a shell.
fn quoted(text: &str) -> String {
    let quoted = shlex::try_quote(text);
    quoted.map_or_else(|_| String::new(), std::borrow::Cow::into_owned)
}

/// A value that the field accepts, or a placeholder.
fn sample(form: &mut Form, path: &Path, depth: usize) -> Value {
    let Some(field) = form.field(path) else {
        return Value::Null;
    };
    let said = field.examples().first().or(field.default());
    if let Some(said) = said.filter(|said| !said.is_null()) {
        return said.clone();
    }
    let placeholder = path.last_key().unwrap_or("value").to_uppercase();
    match field.leaf().kind().clone() {
        Kind::Text(text) => match &text.format {
            Some(Format::Uuid) | None => placeholder.into(),
            Some(format) => format.example().map_or(placeholder, str::to_owned).into(),
        },
        Kind::Number(bounds) => bounds.min.map_or(1.into(), Value::Number),
        Kind::Boolean => true.into(),
        Kind::Choice(choices) => choices
            .first()
            .map(|one| one.value.clone())
            .unwrap_or_default(),
        Kind::Const(value) => value,
        Kind::List(_) if depth < DEEPEST => {
            let item = form.add_item(path);
            let item = item.map(|item| sample(form, &item, depth + 1));
            item.into_iter().collect()
        }
        Kind::Object(_) if depth < DEEPEST => {
            let _ = form.include(path);
            let fields = form.field(path).map(Field::leaf);
            let fields = fields.into_iter().flat_map(Field::children);
            let required = fields.filter(|field| field.is_required());
            let keys: Vec<_> = required.filter_map(Field::key).map(str::to_owned).collect();
            let entries = keys.into_iter().map(|key| {
                let value = sample(form, &path.key(&key), depth + 1);
                (key, value)
            });
            Value::Object(entries.collect::<Map<_, _>>())
        }
        Kind::List(_) => Value::Array(Vec::new()),
        Kind::Object(_) | Kind::Map(_) => Value::Object(Map::new()),
        kind if kind.is_anything() => placeholder.into(),
        Kind::Variant(_) if depth < DEEPEST => {
            let _ = form.choose_variant(path, 0);
            sample(form, path, depth + 1)
        }
        Kind::Variant(_) | Kind::Raw => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use serde_json::json;

    use super::*;

    fn described(schema: &Value, width: usize) -> String {
        let schema = schema.as_object().expect("an object").clone();
        let tool = ToolInfo {
            name: "draw".to_owned(),
            title: None,
            description: Some("Draws.".to_owned()),
            input_schema: schema,
            output_schema: None,
            read_only: false,
            destructive: false,
            idempotent: false,
            previews: false,
        };
        page("stub", &[], &tool, width)
    }

    #[test]
    fn null_unions_nesting_and_defaults_are_described() {
        let schema = json!({
            "type": "object",
            "required": ["version", "shape", "title"],
            "properties": {
                "version": { "const": 2 },
                "title": { "type": "string", "minLength": 1, "maxLength": 80, "description": "Shown above." },
                "shape": { "$ref": "#/$defs/shape", "description": "What is drawn." },
                "limit": { "anyOf": [{ "type": "integer", "minimum": 1 }, { "const": "all" }], "default": "all" },
                "colour": { "anyOf": [{ "$ref": "#/$defs/colour" }, { "type": "null" }] },
                "tags": { "type": "object", "additionalProperties": { "type": "string" } },
                "points": { "type": "array", "minItems": 2, "items": {
                    "type": "object", "required": ["x"],
                    "properties": { "x": { "type": "number" }, "label": { "type": "string", "nullable": true } } } },
                "tree": { "$ref": "#/$defs/tree" },
                "extra": true,
            },
            "$defs": {
                "colour": { "type": "string", "enum": ["red", "blue"] },
                "shape": { "oneOf": [
                    { "type": "object", "required": ["kind", "radius"],
                      "properties": { "kind": { "const": "circle" }, "radius": { "type": "number", "exclusiveMinimum": 0 } } },
                    { "type": "object", "required": ["kind"],
                      "properties": { "kind": { "const": "square" }, "side": { "type": "number", "default": 1 } } },
                ] },
                "tree": { "type": "object", "properties": {
                    "name": { "type": "string" }, "children": { "type": "array", "items": { "$ref": "#/$defs/tree" } } } },
            },
        });
        assert_snapshot!(described(&schema, 80), @r#"
        stub draw   (writes; each call adds another change)
        Draws.

        Required
          version     2
          shape       one of                  What is drawn.
            · circle  object
              kind    circle
              radius  number >0
            · square  object
              kind    square
              side?   number = 1
          title       string ..80 characters  Shown above.

        Optional
          limit        integer 1.. | all = all
          colour       red|blue | null
          tags         object of string
          points       array of object, 2.. entries
            x          number
            label?     string | null
          tree         object
            name?      string
            children?  array of (as above)
          extra        any

        Example
          frontdesk call stub draw version=2 shape:='{"kind":"circle","radius":1}' title=TITLE
        "#);
    }

    #[test]
    fn alternatives_that_repeat_themselves_are_offered_once() {
        let level = |at: usize| {
            let next = json!({ "$ref": format!("#/$defs/{}", at + 1) });
            (
                at.to_string(),
                json!({ "anyOf": [next.clone(), next.clone(), next] }),
            )
        };
        let mut levels: serde_json::Map<_, _> = (0..25).map(level).collect();
        levels.insert("25".to_owned(), json!({ "type": "string" }));
        let schema = json!({ "properties": { "deep": { "$ref": "#/$defs/0" } }, "$defs": levels });
        let text = described(&schema, 80);
        assert!(text.contains("  deep  string\n"), "{text}");
    }

    #[test]
    fn every_known_schema_is_described() {
        let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/schemas");
        for file in std::fs::read_dir(corpus).expect("schemas") {
            let file = file.expect("a file").path();
            if file.extension().is_some_and(|ending| ending == "json") {
                let text = std::fs::read_to_string(&file).expect("text");
                let example: Value = serde_json::from_str(&text).expect("JSON");
                if example["schema"].is_object() {
                    described(&example["schema"], 80);
                }
            }
        }
    }
}
