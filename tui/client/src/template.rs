//! Templates of addresses of resources (RFC 6570).

use iri_string::spec::UriSpec;
use iri_string::template::UriTemplateStr;
use iri_string::template::simple_context::{self, SimpleContext};
use serde_json::{Map, Value};

/// A variable of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Whether the address is meaningless without it: it is not a part of the query.
    pub is_required: bool,
    /// Whether it is meant to be a list (`{path*}`).
    pub is_list: bool,
}

/// The variables of a template in order, each once.
pub fn variables(template: &str) -> Vec<Variable> {
    let mut variables: Vec<Variable> = Vec::new();
    for expression in template.split('{').skip(1) {
        let expression = expression.split('}').next().unwrap_or_default();
        let is_required = !expression.starts_with(['?', '&']);
        let names = expression.trim_start_matches(['+', '#', '.', '/', ';', '?', '&']);
        for name in names.split(',') {
            let is_list = name.ends_with('*');
            let name = name.split([':', '*']).next().unwrap_or_default();
            let is_new = variables.iter().all(|variable| variable.name != name);
            if !name.is_empty() && is_new {
                variables.push(Variable {
                    name: name.to_owned(),
                    is_required,
                    is_list,
                });
            }
        }
    }
    variables
}

/// The address for these values, which can be lists; a text without braces is returned as it is.
///
/// # Errors
/// Why it is not a template.
pub fn expand(template: &str, values: &Map<String, Value>) -> Result<String, String> {
    if !template.contains(['{', '}']) {
        return Ok(template.to_owned());
    }
    let wrong = |why: &dyn std::fmt::Display| format!("{template} is not a template: {why}");
    let quoted = quoted(template);
    let parsed = UriTemplateStr::new(&quoted).map_err(|error| wrong(&error))?;
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let mut context = SimpleContext::new();
    for (name, value) in values {
        let name = self::quoted(name);
        match value {
            Value::Array(values) => {
                let list = simple_context::Value::List(values.iter().map(text).collect());
                drop(context.insert(name, list));
            }
            Value::Null => {}
            other => drop(context.insert(name, text(other))),
        }
    }
    let expanded = parsed.expand::<UriSpec, _>(&context);
    expanded
        .map(|address| address.to_string())
        .map_err(|error| wrong(&error))
}

/// The same with what a template cannot contain as `%…`: letters beyond ASCII, spaces.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b' ' | b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | 0..0x20 | 0x7f.. => {
                quoted.push_str(&format!("%{byte:02X}"));
            }
            byte => quoted.push(char::from(byte)),
        }
    }
    quoted
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn expanded(template: &str) -> String {
        let values = json!({ "id": "a b/c", "q": "x&y", "n": 7, "path": "a/b",
            "letters": "\u{e9}", "list": ["a", "b"], "stra\u{df}e": "x" });
        expand(template, values.as_object().expect("an object")).expect(template)
    }

    #[test]
    fn values_are_quoted_as_their_place_demands() {
        for (template, address) in [
            ("notes://{id}", "notes://a%20b%2Fc"),
            ("file:///{+path}", "file:///a/b"),
            ("notes://all{?q,n,none}", "notes://all?q=x%26y&n=7"),
            ("notes://{n:1}/{none}", "notes://7/"),
            ("notes://all", "notes://all"),
            ("notes://caf\u{e9}/{id}", "notes://caf%C3%A9/a%20b%2Fc"),
            ("notes://{letters}", "notes://%C3%A9"),
            ("notes://all{?list*}", "notes://all?list=a&list=b"),
            ("notes://all{?list}", "notes://all?list=a,b"),
            ("notes://{stra\u{df}e}", "notes://x"),
        ] {
            assert_eq!(expanded(template), address);
        }
        for wrong in ["notes://{", "notes://a}"] {
            assert!(expand(wrong, &Map::new()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn variables_of_a_query_are_optional() {
        let named = |name: &str, is_required| Variable {
            name: name.to_owned(),
            is_required,
            is_list: name == "path",
        };
        assert_eq!(
            variables("notes://{area}/{id:3}/{+path*}{?q,id}{&more}"),
            [
                named("area", true),
                named("id", true),
                named("path", true),
                named("q", false),
                named("more", false),
            ]
        );
    }
}
