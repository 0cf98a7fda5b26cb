//! Templates of addresses of resources (RFC 6570).

use iri_string::spec::UriSpec;
use iri_string::template::{UriTemplateStr, simple_context::SimpleContext};
use serde_json::{Map, Value};

/// A variable of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Whether the address is meaningless without it: it is not a part of the query.
    pub is_required: bool,
}

/// The variables of a template in order, each once.
pub fn variables(template: &str) -> Vec<Variable> {
    let mut variables: Vec<Variable> = Vec::new();
    for expression in template.split('{').skip(1) {
        let expression = expression.split('}').next().unwrap_or_default();
        let is_required = !expression.starts_with(['?', '&']);
        let names = expression.trim_start_matches(['+', '#', '.', '/', ';', '?', '&']);
        for name in names.split(',') {
            let name = name.split([':', '*']).next().unwrap_or_default();
            let is_new = variables.iter().all(|variable| variable.name != name);
            if !name.is_empty() && is_new {
                variables.push(Variable {
                    name: name.to_owned(),
                    is_required,
                });
            }
        }
    }
    variables
}

/// The address for these values; a text without variables is returned as it is.
///
/// # Errors
/// Why it is not a template.
pub fn expand(template: &str, values: &Map<String, Value>) -> Result<String, String> {
    if !template.contains('{') {
        return Ok(template.to_owned());
    }
    let wrong = |why: &dyn std::fmt::Display| format!("{template} is not a template: {why}");
    let parsed = UriTemplateStr::new(template).map_err(|error| wrong(&error))?;
    let mut context = SimpleContext::new();
    for (name, value) in values {
        match value {
            Value::String(text) => drop(context.insert(name.as_str(), text.as_str())),
            Value::Null => {}
            other => drop(context.insert(name.as_str(), other.to_string())),
        }
    }
    let expanded = parsed.expand::<UriSpec, _>(&context);
    expanded
        .map(|address| address.to_string())
        .map_err(|error| wrong(&error))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn expanded(template: &str) -> String {
        let values = json!({ "id": "a b/c", "q": "x&y", "n": 7, "path": "a/b" });
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
        ] {
            assert_eq!(expanded(template), address);
        }
        assert!(expand("notes://{", &Map::new()).is_err());
    }

    #[test]
    fn variables_of_a_query_are_optional() {
        let named = |name: &str, is_required| Variable {
            name: name.to_owned(),
            is_required,
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
