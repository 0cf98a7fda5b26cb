//! Every tool's real output: it reads as the declared type, it fits the declared schema, and it holds
//! nothing that was not declared.

use frontdesk_protocol::{Declaration, Host, Role};
use frontdesk_tests::contract::fits;
use frontdesk_tests::{Example, Http, Organization, run};
use serde_json::{Value, json};
use uuid::Uuid;

/// Whether the tool finds nothing the second time.
fn is_deletion(tool: &Declaration) -> bool {
    tool.name.starts_with("delete_")
}

#[test]
fn every_output_matches_its_declaration() {
    run(async {
        let organization = Organization::create().await;
        let mut staff = organization.sign_in(Role::Staff).await;
        let example = Example::create(&organization, &mut staff).await;
        // Twice: with nothing but what is required, then with everything.
        for tool in Host::Events
            .tools()
            .filter(|tool| tool.name != "resolve_chat_id")
        {
            fits(
                tool,
                &staff.events(tool.name, example.required(tool.name)).await,
            );
        }
        for tool in Host::Events.tools().filter(|tool| !is_deletion(tool)) {
            fits(
                tool,
                &staff.events(tool.name, example.arguments(tool.name)).await,
            );
        }
        // The lists again, with records that have and lack each field.
        for tool in Host::Events
            .tools()
            .filter(|tool| tool.name.starts_with("list_"))
        {
            let listed = staff.events(tool.name, example.required(tool.name)).await;
            fits(tool, &listed);
            let records = listed
                .output()
                .as_object()
                .expect("an object")
                .values()
                .find_map(Value::as_array);
            assert!(records.is_some_and(|records| records.len() > 1), "{tool:?}");
        }
    });
}

#[test]
fn outputs_of_unknown_ids_match_their_declarations() {
    run(async {
        let organization = Organization::create().await;
        let mut staff = organization.sign_in(Role::Staff).await;
        let nobody = Uuid::now_v7();
        for tool in Host::Events.tools().filter(|tool| tool.effect.read_only) {
            let arguments = match tool.name {
                "list_events" => json!({}),
                "resolve_chat_id" => json!({ "member_id": nobody }),
                name if name.starts_with("list_") => json!({ "event_id": nobody }),
                _ => json!({ "id": nobody }),
            };
            fits(tool, &staff.events(tool.name, arguments).await);
        }
    });
}

#[test]
fn extreme_values_are_as_declared_too() {
    run(async {
        let organization = Organization::create().await;
        let mut staff = organization.sign_in(Role::Staff).await;
        let example = Example::create(&organization, &mut staff).await;
        for (tool, change) in [
            (
                "update_event",
                json!({ "start_at": "0001-01-01T00:00:00Z", "end_at": "9999-12-30T21:59:59.999999Z" }),
            ),
            (
                "update_event",
                json!({ "latitude": -90, "longitude": 1e-300, "description": "\u{1}\u{7f}\u{2028}" }),
            ),
            (
                "update_event_session",
                json!({ "order": -1_000_000_000, "start_time": "1969-12-31T23:59:59.999999Z" }),
            ),
            (
                "update_event_task",
                json!({ "start_date": "0001-01-01", "due_date": "9999-12-31" }),
            ),
            (
                "update_event_expense",
                json!({ "amount_estimated": 999_999_999_999.0_f64, "amount_paid": 0.01 }),
            ),
            (
                "update_event_guest",
                json!({ "tags": { "deep": [[[{ "a": 1e-300 }]]], "": null, "big": u64::MAX } }),
            ),
            (
                "update_event_photo",
                json!({ "sort_order": 1e-9, "caption": "" }),
            ),
        ] {
            let mut arguments = example.required(tool);
            for (name, value) in change.as_object().expect("an object") {
                arguments[name] = value.clone();
            }
            let declared = Host::Events.tool(tool).expect("a tool");
            fits(declared, &staff.events(tool, arguments).await);
        }
        for tool in Host::Events
            .tools()
            .filter(|tool| tool.name.starts_with("list_"))
        {
            fits(
                tool,
                &staff.events(tool.name, example.required(tool.name)).await,
            );
        }
    });
}

/// Everything that the lists show.
async fn everything(staff: &mut Http, example: &Example) -> Vec<Value> {
    let mut all = Vec::new();
    for tool in Host::Events
        .tools()
        .filter(|tool| tool.name.starts_with("list_"))
    {
        let mut arguments = example.required(tool.name);
        for event in ["event", "other"] {
            if arguments.get("event_id").is_some() {
                arguments["event_id"] = example.id(event);
            }
            arguments["limit"] = json!(100);
            all.push(
                staff
                    .events(tool.name, arguments.clone())
                    .await
                    .output()
                    .clone(),
            );
        }
    }
    all
}

#[test]
fn a_call_may_be_repeated_where_the_tool_says_so_and_only_there() {
    run(async {
        let organization = Organization::create().await;
        let mut staff = organization.sign_in(Role::Staff).await;
        let example = Example::create(&organization, &mut staff).await;
        for tool in Host::Events.tools() {
            let arguments = match tool.name {
                // A member is a guest once; a guest without a member is added each time.
                name @ ("add_event_guest" | "create_event_guest") => example.required(name),
                name => example.arguments(name),
            };
            // Only a guest who is not in can arrive.
            let out = json!({ "id": example.id("guest"), "check_in_at": null });
            staff.events("update_event_guest", out).await.output();
            let before = everything(&mut staff, &example).await;
            staff.events(tool.name, arguments.clone()).await.output();
            let once = everything(&mut staff, &example).await;
            let again = staff.events(tool.name, arguments).await;
            match is_deletion(tool) {
                true => again.refuses("not_found", "id"),
                false => {
                    again.output();
                }
            }
            let twice = everything(&mut staff, &example).await;
            assert_eq!(before == once, tool.effect.read_only, "{tool:?}");
            assert_eq!(once == twice, tool.effect.idempotent, "{tool:?}");
        }
    });
}
