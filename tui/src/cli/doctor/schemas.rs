//! What strict clients refuse in a list of tools: the official SDKs, which read it as their types, and
//! the interfaces of models, which take the tools on.

use std::collections::HashSet;

use frontdesk_form::mistake;
use serde_json::Value;

/// The longest name that the interfaces of models take.
const LONGEST: usize = 64;

/// The faults of these tools, as received: each with the name of its tool.
pub(super) fn faults(tools: &[Value]) -> Vec<String> {
    let mut names = HashSet::new();
    let mut faults = Vec::new();
    for (at, tool) in tools.iter().enumerate() {
        let name = tool["name"].as_str().unwrap_or_default();
        let shown = match name {
            "" => format!("tool {}", at + 1),
            name => name.to_owned(),
        };
        let mut found = of_name(name);
        if !names.insert(name) {
            found.push("its name is listed twice".to_owned());
        }
        found.extend(of_words(tool));
        found.extend(of_schema("inputSchema", &tool["inputSchema"], true));
        found.extend(of_schema("outputSchema", &tool["outputSchema"], false));
        faults.extend(found.into_iter().map(|fault| format!("{shown}: {fault}")));
    }
    faults
}

fn of_name(name: &str) -> Vec<String> {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == '-';
    let mut found = Vec::new();
    if name.is_empty() {
        found.push("it has no name".to_owned());
    }
    if name.len() > LONGEST {
        found.push(format!("its name has more than {LONGEST} characters"));
    }
    if !name.chars().all(is_plain) {
        found.push("its name has other characters than letters, digits, _ and -".to_owned());
    }
    found
}

/// Texts and hints that are something else.
fn of_words(tool: &Value) -> Vec<String> {
    let texts = ["title", "description"].map(|name| (name, &tool[name]));
    let wrong = texts.into_iter();
    let wrong = wrong.filter(|(_, value)| !value.is_null() && !value.is_string());
    let mut found: Vec<_> = wrong
        .map(|(name, _)| format!("{name} is not a text"))
        .collect();
    let hints = [
        "readOnlyHint",
        "destructiveHint",
        "idempotentHint",
        "openWorldHint",
    ];
    let hints = hints
        .map(|name| (name, &tool["annotations"][name]))
        .into_iter();
    let wrong = hints.filter(|(_, value)| !value.is_null() && !value.is_boolean());
    found.extend(wrong.map(|(name, _)| format!("{name} is not true or false")));
    found
}

fn of_schema(which: &str, schema: &Value, is_required: bool) -> Vec<String> {
    let object = match schema {
        Value::Null if !is_required => return Vec::new(),
        Value::Null => {
            return vec![format!(
                "{which} is missing; `{{\"type\": \"object\"}}` takes no arguments"
            )];
        }
        Value::Object(object) => object,
        _ => return vec![format!("{which} is not an object")],
    };
    let mut found = Vec::new();
    if object.get("type").and_then(Value::as_str) != Some("object") {
        found.push(format!("{which} has not the type \"object\""));
    }
    let unions = ["anyOf", "oneOf", "allOf"].into_iter();
    for union in unions.filter(|union| is_required && object.contains_key(*union)) {
        found.push(format!("{which} has {union} at its top"));
    }
    found.extend(mistake(schema).map(|mistake| format!("{which} is no JSON Schema: {mistake}")));
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_strict_clients_refuse_is_named_with_its_tool() {
        let fine = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
        let with = |schema: Value| json!({ "name": "say", "inputSchema": schema });
        for (tool, said) in [
            (with(fine.clone()), ""),
            (json!({ "inputSchema": fine }), "tool 1: it has no name"),
            (
                json!({ "name": "say it", "inputSchema": fine }),
                "say it: its name has other characters",
            ),
            (
                json!({ "name": "x".repeat(65), "inputSchema": fine }),
                "its name has more than 64",
            ),
            (json!({ "name": "say" }), "say: inputSchema is missing"),
            (
                json!({ "name": "say", "inputSchema": fine, "description": ["a"] }),
                "say: description is not a text",
            ),
            (
                json!({ "name": "say", "inputSchema": fine, "annotations": { "readOnlyHint": "yes" } }),
                "say: readOnlyHint is not true or false",
            ),
            (with(json!([])), "say: inputSchema is not an object"),
            (
                with(json!({})),
                "say: inputSchema has not the type \"object\"",
            ),
            (
                with(json!({ "type": "object", "oneOf": [fine] })),
                "inputSchema has oneOf at its top",
            ),
            (
                with(json!({ "type": "object", "properties": { "a": { "type": "text" } } })),
                "inputSchema is no JSON Schema: properties.a.type: ",
            ),
            (
                with(json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/b" } } })),
                "inputSchema is no JSON Schema: ",
            ),
            (
                json!({ "name": "say", "inputSchema": fine, "outputSchema": { "type": "array" } }),
                "say: outputSchema has not the type",
            ),
        ] {
            let found = faults(std::slice::from_ref(&tool));
            match said {
                "" => assert!(found.is_empty(), "{found:?}"),
                said => assert!(found.join("\n").contains(said), "{tool}: {found:?}"),
            }
        }
        let twice = [with(fine.clone()), with(fine)];
        assert_eq!(faults(&twice), ["say: its name is listed twice"]);
    }
}
