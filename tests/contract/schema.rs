//! Every tool as it is listed: one file a tool, so that a change of the surface shows in review.

use std::collections::BTreeSet;
use std::path::Path;

use frontdesk_protocol::listing::Listing;
use frontdesk_protocol::{Declaration, Effect, Host, Role};
use frontdesk_tests::{Example, Organization, run};
use serde_json::{Value, json};

fn tools() -> impl Iterator<Item = &'static Declaration> {
    Host::ALL.into_iter().flat_map(Host::tools)
}

/// The name of a tool's snapshot.
fn file(tool: &Declaration) -> String {
    format!("{}__{}", tool.host, tool.name)
}

#[test]
fn every_tool_is_listed_as_it_was_agreed_on() {
    for tool in tools() {
        let mut listing = tool.to_listing();
        // In full: the list abbreviates both.
        listing["inputSchema"] = tool.input_schema();
        if tool.structured {
            listing["outputSchema"] = tool.output_schema();
        }
        insta::with_settings!({
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_json_snapshot!(file(tool), listing);
        });
    }
}

#[test]
fn no_snapshot_is_left_of_a_tool_that_is_gone() {
    let declared: BTreeSet<_> = tools().map(|tool| format!("{}.snap", file(tool))).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("contract/snapshots");
    let files = std::fs::read_dir(folder).expect("the snapshots");
    let there: BTreeSet<_> = files
        .map(|file| {
            file.expect("a file")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    assert_eq!(there, declared);
}

#[test]
fn the_hosts_list_the_declared_tools() {
    run(async {
        let organization = Organization::create().await;
        let mut owner = organization.sign_in(Role::Owner).await;
        for host in Host::ALL {
            let offered = host
                .tools()
                .filter(|tool| tool.audience.contains(Role::Owner));
            let mut listing = Listing::default();
            let declared: Vec<_> = offered.map(|tool| listing.entry(tool)).collect();
            let listed = owner.rpc(host, "tools/list", json!({})).await;
            assert_eq!(listed.result()["tools"], json!(declared), "{host}");
        }
    });
}

/// The rule of `destructiveHint`: a tool is destructive if it removes records, merges or ends them, revokes rights, or
/// replaces a whole text or list.
#[test]
fn a_tool_says_that_it_destroys_something_exactly_if_it_does() {
    const REMOVES: [&str; 7] = [
        "delete", "remove", "merge", "cancel", "revoke", "end", "promote",
    ];
    const REPLACES: [&str; 6] = [
        "set_plan_tasks",
        "set_slides",
        "update_wiki_article",
        "upsert_tutor_profile",
        "set_account_level",
        "reconcile_line",
    ];
    for tool in tools().filter(|tool| tool.effect != Effect::ANY) {
        let verb = tool.name.split('_').next().unwrap_or_default();
        let destroys = REMOVES.contains(&verb) || REPLACES.contains(&tool.name);
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

/// The ends of the paths that an answer only has on request, if more records follow, or if a changed row has them.
const ON_DEMAND: [&str; 8] = [
    ".series[].occurrences",
    ".matched",
    ".next_offset",
    ".changes.rows[].kind",
    ".changes.rows[].label",
    ".changes.rows[].before",
    ".changes.rows[].after",
    ".changes.more[].kind",
];

/// Whether a description only repeats the argument's name: "The event." for `event_id`.
fn repeats(name: &str, description: &str) -> bool {
    let bare = description.trim_start_matches("The ").trim_end_matches('.');
    bare.to_lowercase().replace('-', "") == name.trim_end_matches("_id").replace('_', " ")
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
        assert!(ends_well(&tool.description()), "{tool:?}");
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
                        let is_of_page = path == tool.name && *name == "total";
                        let path = format!("{path}.{name}");
                        !is_of_page && !ON_DEMAND.iter().any(|end| path.ends_with(end))
                    })
                    .collect();
                assert_eq!(required, all, "{path}");
            }
        });
    }
}

/// Values of every type, in and out of bounds and formats.
fn values() -> Vec<Value> {
    let mut values = vec![
        json!(null),
        json!(true),
        json!(false),
        json!([]),
        json!({}),
        json!({ "a": { "b": [1, null] } }),
        json!(["x"]),
        json!([1]),
        json!([null]),
    ];
    for number in [
        0.0, 1.0, -1.0, 1.5, 50.0, 90.0, 91.0, 100.0, 101.0, 180.5, -180.0, 1e9, 1e10, 1e12, 1e13,
        -1e300,
    ] {
        values.push(json!(number));
        values.push(json!(number as i64));
    }
    for text in [
        "",
        "x",
        "todo",
        "in_progress",
        "Done",
        "1",
        "true",
        "null",
        "+5511987654321",
        "1234567",
        "123456",
        "0190a1b2-0000-7000-8000-000000000001",
        "0190A1B2-0000-7000-8000-000000000001",
        "0190a1b2",
        "2026-03-12",
        "2026-02-30",
        "2026-03-12T10:00:00Z",
        "2026-03-12T10:00:00.5-03:00",
        "2026-03-12t10:00:00z",
        "2026-03-12T10:00:00",
        "0001-01-01T00:00:00Z",
        "9999-12-30T00:00:00Z",
        "0001-01-01",
        "9999-12-31",
        "https://example.org/photo.jpg",
        "http://localhost:8080/?a=b#c",
        "example.org",
        "09:30",
        "23:59:59",
        "23:59:60",
        "24:00",
        "9:30",
        "weekly_leaders",
        "promote_all",
    ] {
        values.push(json!(text));
        values.push(json!([text]));
    }
    for length in [199, 200, 201, 500, 501, 2000, 2001, 20_000, 20_001] {
        values.push(json!("é".repeat(length)));
    }
    values.push(json!(vec!["0190a1b2-0000-7000-8000-000000000001"; 200]));
    values.push(json!(vec!["0190a1b2-0000-7000-8000-000000000001"; 201]));
    values.push(json!(vec!["0190a1b2-0000-7000-8000-000000000001"; 1001]));
    values
}

/// Asserts that the schema of the tool's arguments accepts the same values as the host, for each argument;
/// the number of values that both took.
pub(crate) fn agree(tool: &Declaration, full: &Value, required: &Value) -> usize {
    let mut both = 0;
    let schema = tool.input_schema();
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .unwrap_or_else(|error| panic!("{tool:?}: {error}"));
    for arguments in [full, required] {
        validator
            .validate(arguments)
            .unwrap_or_else(|error| panic!("{tool:?}: {error}"));
        tool.check(&arguments.to_string())
            .unwrap_or_else(|error| panic!("{tool:?}: {error}"));
    }
    for name in schema["properties"].as_object().expect("properties").keys() {
        for value in values() {
            let mut arguments = required.clone();
            arguments[name] = value.clone();
            let by_schema = validator.is_valid(&arguments);
            let by_host = tool.check(&arguments.to_string());
            assert!(
                !by_schema || by_host.is_ok(),
                "{tool:?} {name} = {value:.60}: {}",
                by_host.err().map_or(String::new(), |error| error.message)
            );
            // Conversely, the host also accepts null in place of a missing argument, and
            // with the time of a day.
            let is_day = schema["properties"][name]["format"] == "date";
            assert!(
                by_schema || by_host.is_err() || value.is_null() || is_day,
                "{tool:?} {name} = {value:.60} is taken"
            );
            both += usize::from(by_schema);
        }
    }
    both
}

#[test]
fn the_hosts_accept_all_input_that_their_schemas_accept() {
    run(async {
        let organization = Organization::create().await;
        let mut staff = organization.sign_in(Role::Staff).await;
        let example = Example::create(&organization, &mut staff).await;
        let mut both = 0;
        for tool in Host::Events.tools() {
            let (full, required) = (example.arguments(tool.name), example.required(tool.name));
            both += agree(tool, &full, &required);
        }
        assert!(both > 500, "{both}");
    });
}
