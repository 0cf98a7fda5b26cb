//! Rules for the schemas, descriptions and hints of all tools.

use std::collections::BTreeSet;

use frontdesk_protocol::{Declaration, Effect, Host};
use frontdesk_server::wire::MAX_BODY;
use serde_json::{Value, json};

fn tools() -> impl Iterator<Item = &'static Declaration> {
    Host::ALL.into_iter().flat_map(Host::tools)
}

/// The rule of `destructiveHint`: a tool is destructive if it removes records, merges or ends them, revokes rights, or
/// replaces a whole text or list, or makes something final.
#[test]
fn a_tool_says_that_it_destroys_something_exactly_if_it_does() {
    const REMOVES: [&str; 8] = [
        "delete", "remove", "merge", "cancel", "revoke", "end", "promote", "forget",
    ];
    const REPLACES: [&str; 10] = [
        "set_plan_tasks",
        "set_slides",
        "set_occurrence_transcript",
        "update_wiki_article",
        "upsert_tutor_profile",
        "set_account_level",
        "reconcile_line",
        "set_account_active",
        "set_staff_active",
        "set_canvas_block",
    ];
    for tool in tools().filter(|tool| tool.effect != Effect::ANY) {
        let verb = tool.name.split('_').next().unwrap_or_default();
        let destroys =
            REMOVES.contains(&verb) || REPLACES.contains(&tool.name) || tool.effect.lasting;
        let hints = &tool.to_listing()["annotations"];
        let expected = match tool.effect.read_only {
            true => Value::Null,
            false => json!(destroys),
        };
        assert_eq!(hints["destructiveHint"], expected, "{tool:?}");
    }
}

/// Every schema in a schema: itself, its properties, its items, and its definitions.
fn walk(schema: &Value, path: &str, visit: &mut impl FnMut(&str, &Value)) {
    visit(path, schema);
    if let Some(definitions) = schema["$defs"].as_object() {
        for (name, definition) in definitions {
            walk(definition, &format!("{path}#{name}"), visit);
        }
    }
    if let Some(properties) = schema["properties"].as_object() {
        for (name, property) in properties {
            walk(property, &format!("{path}.{name}"), visit);
        }
    }
    if let Some(items) = schema.get("items") {
        walk(items, &format!("{path}[]"), visit);
    }
}

/// The ends of the paths that an answer only has on request, if more records follow, or if there is something to say.
const ON_DEMAND: [&str; 17] = [
    ".series[].occurrences",
    ".matched",
    ".passage",
    ".next_offset",
    ".changes.obstacle",
    ".rows[].kind",
    ".rows[].label",
    ".rows[].before",
    ".rows[].after",
    ".more[].kind",
    ".counts[].kind",
    ".questionable",
    ".unknown_columns",
    "ingest_statement.lines",
    "preview_call.cut",
    ".questionable[].known",
    ".questionable[].reason",
];

/// Whether a description only repeats the argument's name: "The event." for `event_id`.
fn repeats(name: &str, description: &str) -> bool {
    let bare = description.trim_start_matches("The ").trim_end_matches('.');
    bare.to_lowercase().replace('-', "") == name.trim_end_matches("_id").replace('_', " ")
}

#[test]
fn an_argument_for_an_e_mail_address_takes_nothing_else() {
    let mut found = 0;
    for tool in tools() {
        walk(&tool.input_schema(), tool.name, &mut |path, schema| {
            if path.ends_with("email") {
                found += 1;
                assert_eq!(schema["format"], "email", "{path}");
            }
        });
    }
    assert!(found > 8, "{found}");
}

#[test]
fn the_longest_text_of_an_argument_fits_a_request() {
    for tool in tools() {
        walk(&tool.input_schema(), tool.name, &mut |path, schema| {
            let longest = schema["maxLength"].as_u64().unwrap_or_default();
            assert!(longest + 4096 <= MAX_BODY as u64, "{path}: {longest}");
        });
    }
}

#[test]
fn schemas_have_the_keywords_that_clients_need_only() {
    const KNOWN: [&str; 18] = [
        "$defs",
        "$ref",
        "type",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "description",
        "format",
        "enum",
        "default",
        "minimum",
        "maximum",
        "minLength",
        "maxLength",
        "maxItems",
        "pattern",
        "title",
    ];
    for tool in tools() {
        let (input, output) = (tool.input_schema(), tool.output_schema());
        // Content blocks have no schema in the list.
        let listed = [Some(&input), tool.structured.then_some(&output)];
        for schema in listed.into_iter().flatten() {
            assert_eq!(schema["type"], "object", "{tool:?}");
            jsonschema::meta::validate(schema).unwrap_or_else(|error| panic!("{tool:?}: {error}"));
            walk(schema, tool.name, &mut |path, schema| {
                for keyword in schema.as_object().expect("a schema").keys() {
                    assert!(
                        KNOWN.contains(&keyword.as_str()) && keyword != "title",
                        "{path}: {keyword}"
                    );
                }
                let is_said = schema.get("type").or(schema.get("$ref"));
                assert!(is_said.is_some(), "{path} has no type");
                assert_ne!(schema.get("default"), Some(&Value::Null), "{path}");
            });
        }
        // Without its description a model guesses what a tool does.
        let ends_well = |text: &str| text.len() >= 5 && text.ends_with('.') && !text.contains('\n');
        assert!(ends_well(tool.description()), "{tool:?}");
        assert_eq!(input["additionalProperties"], false, "{tool:?}");
        for (name, argument) in input["properties"].as_object().into_iter().flatten() {
            if let Some(description) = argument["description"].as_str() {
                assert!(ends_well(description), "{tool:?} {name}: {description:?}");
                assert!(
                    !repeats(name, description),
                    "{tool:?} {name}: {description:?}"
                );
            }
        }
        // A record has every field, null or not, except those that were not asked for.
        walk(&output, tool.name, &mut |path, schema| {
            if let Some(properties) = schema["properties"].as_object() {
                let required: BTreeSet<_> = schema["required"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(Value::as_str)
                    .collect();
                let all: BTreeSet<_> = properties
                    .keys()
                    .map(String::as_str)
                    .filter(|name| {
                        let is_of_page =
                            path == tool.name && matches!(*name, "total" | "total_is_estimate");
                        let path = format!("{path}.{name}");
                        !is_of_page && !ON_DEMAND.iter().any(|end| path.ends_with(end))
                    })
                    .collect();
                assert_eq!(required, all, "{path}");
            }
        });
    }
}
