//! The lists of tools: one compact text for each host, with a line for each argument, to be read beside the
//! specification's tables; and what a host lists over HTTP.

use std::collections::HashMap;
use std::fmt::Write;

use frontdesk_protocol::{Declaration, Host, Role};
use frontdesk_tests::{Http, Organization, run};
use serde_json::{Value, json};

use crate::contract::checked::{Tried, agree};

/// The type of a value in a few words: `integer 1..100`, `uuid`, `text ..200 | null`, `todo|done`.
fn notation(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str() {
        return name.replace("#/$defs/", "#");
    }
    if let Some(several) = schema["anyOf"].as_array() {
        let several: Vec<_> = several.iter().map(notation).collect();
        return several.join(" | ");
    }
    let (kind, is_nullable) = match &schema["type"] {
        Value::Array(kinds) => (kinds[0].as_str(), kinds.contains(&json!("null"))),
        kind => (kind.as_str(), false),
    };
    let kind = kind.unwrap_or("any");
    let bounds = |least: &str, most: &str| match (schema.get(least), schema.get(most)) {
        (None, None) => String::new(),
        (least, most) => {
            let [least, most] =
                [least, most].map(|bound| bound.map_or(String::new(), Value::to_string));
            format!(" {least}..{most}")
        }
    };
    let mut text = match (kind, &schema["enum"]) {
        (_, Value::Array(words)) => {
            let words: Vec<_> = words.iter().filter_map(Value::as_str).collect();
            words.join("|")
        }
        ("string", _) => {
            let format = schema["format"].as_str().or(schema["pattern"].as_str());
            format.unwrap_or("text").to_owned() + &bounds("minLength", "maxLength")
        }
        ("array", _) => {
            let most = bounds("minItems", "maxItems");
            format!("[{}]{most}", notation(&schema["items"]))
        }
        ("object", _) if schema["additionalProperties"] == true => {
            "object with any keys".to_owned()
        }
        (kind, _) => kind.to_owned() + &bounds("minimum", "maximum"),
    };
    if is_nullable {
        text += " | null";
    }
    if let Some(default) = schema.get("default") {
        let _ = write!(text, " = {default}");
    }
    text
}

/// Blocks of fields of the host, each with the first tool that has it.
#[derive(Default)]
struct Blocks(HashMap<String, &'static str>);

/// What each page of a list has beside its records.
const PAGE: &str = "  has_more*: boolean\n  next_offset: integer\n  total: integer\n  total_is_estimate: boolean\n";
/// The least number of lines of a block that is shown once only.
const LONG: usize = 3;

/// A line for each property, `*` if it is required, and below a record the lines of its own.
fn properties(schema: &Value, inner: &mut dyn FnMut(&Value) -> String) -> String {
    let mut text = String::new();
    let required = schema["required"].as_array();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let is_required = required.is_some_and(|all| all.contains(&json!(name)));
        let mark = if is_required { "*" } else { "" };
        let _ = write!(text, "  {name}{mark}: {}", notation(property));
        if let Some(said) = property["description"].as_str() {
            let _ = write!(text, " -- {said}");
        }
        let inner = inner(property.get("items").unwrap_or(property));
        match inner.strip_prefix(' ') {
            Some(_) => inner
                .lines()
                .for_each(|line| text += &format!("\n  {line}")),
            None => text += &inner,
        }
        text.push('\n');
    }
    text
}

/// The same with the lines of all records.
fn whole(schema: &Value) -> String {
    properties(schema, &mut whole)
}

impl Blocks {
    /// The same, but a block that another tool has as well is shown for the first of them only.
    fn properties(&mut self, schema: &Value, tool: &'static str) -> String {
        properties(schema, &mut |inner| {
            let block = whole(inner);
            if let Some(first) = self.0.get(&block) {
                return format!("; see {first}");
            }
            let shown = self.properties(inner, tool);
            if block.lines().count() >= LONG {
                self.0.insert(block, tool);
            }
            shown
        })
    }
}

fn described(tool: &'static Declaration, blocks: &mut Blocks) -> String {
    let roles = Role::ALL.into_iter();
    let roles = roles.filter(|role| tool.audience.contains(*role));
    let roles: Vec<_> = roles.map(Role::name).collect();
    let listed = tool.to_listing();
    let hints = listed["annotations"].as_object().into_iter().flatten();
    let hints: Vec<_> = hints.map(|(name, hint)| format!("{name}={hint}")).collect();
    let mut text = format!(
        "\n{} for {}; {}\n{}\n",
        tool.name,
        roles.join(", "),
        hints.join(", "),
        tool.description()
    );
    text += &blocks.properties(&listed["inputSchema"], tool.name);
    if tool.structured {
        text.push_str("->\n");
        let output = &listed["outputSchema"];
        let fields = blocks.properties(output, tool.name);
        text += &fields.replace(PAGE, "  … as every page\n");
        for (name, definition) in output["$defs"].as_object().into_iter().flatten() {
            let _ = writeln!(text, "  #{name}");
            for line in blocks.properties(definition, tool.name).lines() {
                let _ = writeln!(text, "  {line}");
            }
        }
    } else {
        text.push_str("-> content blocks\n");
    }
    text
}

#[test]
fn every_tool_is_listed_as_it_was_agreed_on() {
    for host in Host::ALL {
        let mut blocks = Blocks::default();
        let tools: String = host
            .tools()
            .map(|tool| described(tool, &mut blocks))
            .collect();
        insta::with_settings!({
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!(host.area(), tools);
        });
    }
}

/// The tools that the host lists.
async fn listed(http: &mut Http, host: Host, outputs: bool) -> Vec<Value> {
    let params = match outputs {
        true => json!({ "_meta": { "frontdesk/outputSchemas": true } }),
        false => json!({}),
    };
    let listed = http.rpc(host, "tools/list", params).await;
    listed.result()["tools"].as_array().expect("tools").clone()
}

#[test]
fn the_hosts_list_the_declared_tools_and_what_checks_their_arguments() {
    run(async {
        let organization = Organization::create().await;
        let mut owner = organization.sign_in(Role::Owner).await;
        let mut tried = Tried::default();
        for host in Host::ALL {
            let offered = host.tools();
            let offered = offered.filter(|tool| tool.audience.contains(Role::Owner));
            let offered: Vec<_> = offered.collect();
            let mut declared: Vec<_> = offered.iter().map(|tool| tool.to_listing()).collect();
            assert_eq!(listed(&mut owner, host, true).await, declared, "{host}");
            for tool in declared.iter_mut().filter_map(Value::as_object_mut) {
                tool.shift_remove("outputSchema");
            }
            let listed = listed(&mut owner, host, false).await;
            assert_eq!(listed, declared, "{host}");
            for (tool, listed) in offered.iter().zip(&listed) {
                agree(tool, &listed["inputSchema"], &mut tried);
            }
        }
    });
}
