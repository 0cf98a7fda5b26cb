//! The signature of a tool and its effect.

use frontdesk_client::ToolInfo;
use frontdesk_client::seen::Change;
use serde_json::{Map, Value};
use similar::{ChangeTag, TextDiff};

use crate::look::mark::Mark;
use crate::look::text::clean;

/// `check_in_guest(id, at?)`: optional arguments have a question mark.
pub(crate) fn signature(tool: &ToolInfo) -> String {
    let empty = Map::new();
    let properties = tool.input_schema.get("properties");
    let properties = properties.and_then(Value::as_object).unwrap_or(&empty);
    let required = tool.input_schema.get("required").and_then(Value::as_array);
    let is_required =
        |name: &str| required.is_some_and(|names| names.iter().any(|one| one == name));
    // Required arguments first.
    let (first, then): (Vec<_>, Vec<_>) = properties.keys().partition(|name| is_required(name));
    let names: Vec<String> = first
        .into_iter()
        .cloned()
        .chain(then.into_iter().map(|name| format!("{name}?")))
        .collect();
    clean(&format!("{}({})", tool.name, names.join(", "))).into_owned()
}

/// The effect of a call in a word or two.
pub(crate) fn effect(tool: &ToolInfo) -> (Mark, &'static str) {
    match (tool.read_only, tool.destructive) {
        (true, _) => (Mark::Good, "reads"),
        (false, false) => (Mark::Info, "writes"),
        (false, true) => (Mark::Warn, "may delete"),
    }
}

/// Whether it supports a dry run.
pub(crate) fn has_dry_run(tool: &ToolInfo) -> bool {
    let properties = tool.input_schema.get("properties");
    properties.is_some_and(|properties| properties.get("dry_run").is_some())
}

/// The lines in which a tool is not what it was.
pub(crate) fn difference(change: &Change) -> Vec<String> {
    let [before, after] = [&change.before, &change.after].map(|text| text.as_deref());
    let diff = TextDiff::from_lines(before.unwrap_or_default(), after.unwrap_or_default());
    let lines = diff.iter_all_changes().filter_map(|line| {
        let sign = match line.tag() {
            ChangeTag::Equal => return None,
            ChangeTag::Delete => '-',
            ChangeTag::Insert => '+',
        };
        Some(format!("{sign} {}", clean(line.value()).trim_end()))
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool(schema: Value) -> ToolInfo {
        ToolInfo {
            name: "find".to_owned(),
            title: None,
            description: None,
            input_schema: schema.as_object().cloned().unwrap_or_default(),
            output_schema: None,
            read_only: true,
            destructive: false,
            idempotent: true,
            previews: false,
        }
    }

    #[test]
    fn what_has_to_be_there_comes_first() {
        let some = tool(json!({
            "properties": { "limit": {}, "event_id": {}, "after": {} },
            "required": ["event_id"],
        }));
        let signature = signature(&some);
        assert!(signature.starts_with("find(event_id, "), "{signature}");
        assert!(signature.contains("limit?"), "{signature}");
    }

    #[test]
    fn a_schema_that_says_nothing_takes_nothing() {
        assert_eq!(signature(&tool(json!({}))), "find()");
        let odd = tool(json!({ "properties": [], "required": "x" }));
        assert_eq!(signature(&odd), "find()");
    }

    #[test]
    fn a_dry_run_is_an_argument() {
        assert!(has_dry_run(&tool(
            json!({ "properties": { "dry_run": {} } })
        )));
        assert!(!has_dry_run(&tool(json!({ "properties": {} }))));
    }
}
