//! Several calls of one host in one transaction.

use std::time::Duration;

use frontdesk_protocol::id::EventId;
use frontdesk_protocol::{Host, Role};
use frontdesk_server::clock::Clock;
use frontdesk_server::database::Location;
use frontdesk_server::server::{Limits, Settings};
use frontdesk_tests::world::{PATIENT, identity};
use frontdesk_tests::{Answer, Http, Organization, run, world};
use serde_json::{Value, json};

fn guest(event: EventId, name: &str) -> Value {
    let arguments = json!({ "event_id": event, "name": name });
    json!({ "tool": "create_event_guest", "arguments": arguments })
}

fn several(event: EventId, count: usize) -> Vec<Value> {
    (0..count)
        .map(|at| guest(event, &format!("Guest {at:03}")))
        .collect()
}

async fn batch(http: &mut Http, host: &str, calls: &[Value]) -> Answer {
    let arguments = json!({ "host": host, "calls": calls });
    http.call(Host::Ops, "run_batch", arguments).await
}

async fn guests(http: &mut Http, event: EventId) -> Vec<Value> {
    let arguments = json!({ "event_id": event, "limit": 100 });
    let answer = http
        .call(Host::Events, "list_event_guests", arguments)
        .await;
    answer.output()["guests"]
        .as_array()
        .expect("guests")
        .clone()
}

async fn staff() -> (Organization, EventId, Http) {
    let organization = Organization::create().await;
    let event = organization.event("Launch").await;
    let staff = organization.sign_in(Role::Staff).await;
    (organization, event, staff)
}

#[test]
fn all_calls_are_made_and_each_result_is_returned() {
    run(async {
        let (_, event, mut staff) = staff().await;
        let answer = batch(&mut staff, "events", &several(event, 60)).await;
        let output = answer.output();
        assert_eq!(output["dry_run"], false);
        let results = output["results"].as_array().expect("results");
        assert_eq!(results.len(), 60);
        let there = guests(&mut staff, event).await;
        let made: Vec<_> = results.iter().map(|result| &result["guest"]).collect();
        assert_eq!(made, there.iter().collect::<Vec<_>>());
    });
}

#[test]
fn one_wrong_call_is_named_and_nothing_is_written() {
    run(async {
        let (_, event, mut staff) = staff().await;
        let nowhere = EventId(uuid::Uuid::now_v7());
        for (wrong, code, field) in [
            (
                guest(nowhere, "Bia"),
                "not_found",
                "calls[1].arguments.event_id",
            ),
            (
                guest(event, ""),
                "invalid_argument",
                "calls[1].arguments.name",
            ),
            (
                json!({ "tool": "add_guest" }),
                "invalid_argument",
                "calls[1]",
            ),
            (
                json!({ "tool": "list_projects" }),
                "invalid_argument",
                "calls[1]",
            ),
        ] {
            let calls = [guest(event, "Ana"), wrong.clone(), guest(event, "Caio")];
            let answer = batch(&mut staff, "events", &calls).await;
            answer.refuses(code, field);
            let error = answer.tool_error();
            assert_eq!(error["details"]["index"], 1);
            assert_eq!(error["details"]["tool"], wrong["tool"]);
            assert_eq!(error["details"]["error"]["code"], code);
            let message = error["message"].as_str().expect("a message");
            let tool = wrong["tool"].as_str().expect("a tool");
            assert!(
                message.starts_with(&format!("calls[1], {tool}: ")),
                "{message}"
            );
        }
        assert_eq!(guests(&mut staff, event).await, [] as [Value; 0]);
    });
}

#[test]
fn a_rule_that_is_checked_last_names_its_call() {
    run(async {
        let organization = Organization::create().await;
        let mut finance = organization.caller(Role::Finance, Host::Financing).await;
        let account = |code: &str, kind: &str| json!({ "code": code, "name": code, "kind": kind });
        let bank = finance
            .make("create_account", account("1000", "asset"))
            .await;
        let sales = finance
            .make("create_account", account("4000", "income"))
            .await;
        let entry = |credit: u32| {
            json!({ "tool": "post_journal_entry", "arguments": {
                "entry_on": "2026-03-05", "description": "Sale",
                "lines": [
                    { "account_id": bank, "side": "debit", "amount": 10 },
                    { "account_id": sales, "side": "credit", "amount": credit },
                ],
            } })
        };
        let mut http = organization.sign_in(Role::Finance).await;
        let answer = batch(&mut http, "financing", &[entry(10), entry(9), entry(10)]).await;
        assert_eq!(
            answer.tool_error()["details"]["index"],
            1,
            "{}",
            answer.body
        );
        let entries = finance.output("list_journal_entries", json!({})).await;
        assert_eq!(entries["journal_entries"], json!([]));
        batch(&mut http, "financing", &[entry(10), entry(10)])
            .await
            .output();
    });
}

#[test]
fn each_call_needs_the_rights_of_a_call_alone() {
    run(async {
        let (organization, event, _) = staff().await;
        let mut teacher = organization.sign_in(Role::Teacher).await;
        let list = json!({ "tool": "list_event_guests", "arguments": { "event_id": event } });
        batch(&mut teacher, "events", std::slice::from_ref(&list))
            .await
            .output();
        let answer = batch(&mut teacher, "events", &[list, guest(event, "Ana")]).await;
        assert_eq!(answer.status, 403, "{}", answer.body);
        assert_eq!(answer.body["error"]["data"]["details"]["index"], 1);
        // At a host for staff only, and a tool that the role is not offered there.
        let mut fellow = organization.sign_in(Role::Fellow).await;
        let students = [json!({ "tool": "list_students" })];
        let answer = batch(&mut fellow, "staff", &students).await;
        assert_eq!(answer.status, 403);
        assert_eq!(
            answer.body["error"]["data"]["message"],
            "calls[0], list_students: Caller is not a registered staff user"
        );
        batch(&mut teacher, "staff", &students).await.output();
        let invoices = [json!({ "tool": "list_invoices" })];
        assert_eq!(batch(&mut teacher, "staff", &invoices).await.status, 403);
    });
}

#[test]
fn a_call_has_the_rights_that_the_call_before_left() {
    run(async {
        let organization = Organization::create().await;
        organization.level(Role::Admin, 90).await;
        let mut admin = organization.sign_in(Role::Admin).await;
        let level = |role, level| {
            let arguments = json!({ "id": organization.user(role), "level": level });
            json!({ "tool": "set_account_level", "arguments": arguments })
        };
        let calls = [level(Role::Admin, 10), level(Role::Staff, 90)];
        let answer = batch(&mut admin, "ops", &calls).await;
        assert_eq!(answer.status, 403, "{}", answer.body);
        assert_eq!(answer.body["error"]["data"]["details"]["index"], 1);
    });
}

#[test]
fn a_call_has_the_role_that_the_call_before_left() {
    run(async {
        let organization = Organization::create().await;
        organization.level(Role::Admin, 90).await;
        let mut admin = organization.sign_in(Role::Admin).await;
        let role = |of, role: &str| {
            let arguments = json!({ "id": organization.user(of), "role": role });
            json!({ "tool": "update_staff_user", "arguments": arguments })
        };
        let list = json!({ "tool": "list_staff" });
        for last in [list.clone(), role(Role::Staff, "teacher")] {
            let calls = [list.clone(), role(Role::Admin, "finance"), last];
            let answer = batch(&mut admin, "staff", &calls).await;
            assert_eq!(answer.status, 403, "{}", answer.body);
            assert_eq!(answer.body["error"]["data"]["details"]["index"], 2);
        }
        // The whole batch was rolled back, and the role with it.
        let calls = [list, role(Role::Staff, "teacher")];
        batch(&mut admin, "staff", &calls).await.output();
    });
}

#[test]
fn a_batch_contains_no_batch_and_no_picture() {
    run(async {
        let (_, _, mut staff) = staff().await;
        let inner = json!({ "tool": "run_batch", "arguments": { "host": "ops", "calls": [] } });
        batch(&mut staff, "ops", &[inner])
            .await
            .refuses("refused", "calls[0]");
        let picture = json!({ "tool": "generate_thumbnail", "arguments": { "title": "Rust" } });
        batch(&mut staff, "studio", &[picture])
            .await
            .refuses("refused", "calls[0]");
        batch(&mut staff, "ops", &[])
            .await
            .refuses("invalid_argument", "calls");
        let many = several(EventId(uuid::Uuid::now_v7()), 501);
        batch(&mut staff, "events", &many)
            .await
            .refuses("invalid_argument", "calls");
    });
}

#[test]
fn a_dry_run_makes_all_calls_and_writes_nothing() {
    run(async {
        let (_, event, mut staff) = staff().await;
        let arguments =
            |calls: &[Value]| json!({ "host": "events", "calls": calls, "dry_run": true });
        let dry = arguments(&[guest(event, "Ana"), guest(event, "Bia")]);
        let answer = staff.call(Host::Ops, "run_batch", dry).await;
        assert_eq!(answer.output()["dry_run"], true);
        assert_eq!(answer.output()["results"][1]["guest"]["name"], "Bia");
        // The result of a call in the batch is marked, too.
        let all = json!({ "tool": "check_in_guests", "arguments": { "event_id": event, "role": "guest" } });
        let dry = json!({ "host": "ops", "calls": [all], "dry_run": true });
        let answer = staff.call(Host::Ops, "run_batch", dry).await;
        assert_eq!(answer.output()["results"][0]["dry_run"], true);
        let wrong = arguments(&[
            guest(event, "Ana"),
            guest(EventId(uuid::Uuid::now_v7()), "Bia"),
        ]);
        let answer = staff.call(Host::Ops, "run_batch", wrong).await;
        answer.refuses("not_found", "calls[1].arguments.event_id");
        assert_eq!(guests(&mut staff, event).await.len(), 0);
    });
}

#[test]
fn a_batch_and_a_call_that_is_tried_hold_records_for_a_limited_time() {
    run(async {
        let (_, event, mut staff) = staff().await;
        let limits = Limits {
            trial: Duration::ZERO,
            ..PATIENT
        };
        let settings = Settings {
            limits,
            identity: identity(),
            ..Settings::local(Location::Memory)
        };
        let server = world().server_with(settings).await;
        let mut http = staff.at(&server.url());
        let lists = json!({ "tool": "list_event_guests", "arguments": { "event_id": event } });
        let writes = vec![guest(event, "Ana"), lists.clone()];
        for (calls, dry_run, is_refused) in [
            (writes.clone(), true, true),
            (writes, false, true),
            (vec![lists.clone(), lists], false, false),
        ] {
            let batch = json!({ "host": "events", "calls": calls, "dry_run": dry_run });
            let answer = http.call(Host::Ops, "run_batch", batch).await;
            match is_refused {
                true => assert_eq!(answer.refusal(), "conflict"),
                false => drop(answer.output()),
            }
        }
        let preview = json!({
            "name": "create_event_guest", "arguments": guest(event, "Eva")["arguments"],
            "_meta": { "frontdesk/preview": true },
        });
        let answer = http.rpc(Host::Events, "tools/call", preview).await;
        assert_eq!(answer.refusal(), "conflict");
        assert_eq!(guests(&mut staff, event).await.len(), 0);
    });
}

#[test]
fn a_tools_own_dry_run_writes_nothing_in_a_batch_that_writes() {
    run(async {
        let organization = Organization::create().await;
        let (one, two) = (
            organization.series("One").await,
            organization.series("Two").await,
        );
        let mut owner = organization.sign_in(Role::Owner).await;
        let remove = |series, dry_run: bool| {
            let arguments = json!({ "series_meeting_id": series, "dry_run": dry_run });
            json!({ "tool": "remove_meeting_series", "arguments": arguments })
        };
        let calls = [remove(one, true), remove(two, false), remove(one, true)];
        let answer = batch(&mut owner, "work", &calls).await;
        assert_eq!(answer.output()["results"][0], answer.output()["results"][2]);
        let left = owner
            .call(Host::Work, "list_meeting_series", json!({}))
            .await;
        let left = left.output().to_string();
        assert!(
            left.contains("\"One\"") && !left.contains("\"Two\""),
            "{left}"
        );
    });
}

#[test]
fn a_batch_with_a_key_is_run_once() {
    run(async {
        let (_, event, mut staff) = staff().await;
        let arguments = json!({ "host": "events", "calls": several(event, 3) });
        let meta = json!({ "idempotencyKey": "k" });
        let params = json!({ "name": "run_batch", "arguments": arguments, "_meta": meta });
        let first = staff.rpc(Host::Ops, "tools/call", params.clone()).await;
        let again = staff.rpc(Host::Ops, "tools/call", params).await;
        assert_eq!(first.output(), again.output());
        assert_eq!(guests(&mut staff, event).await.len(), 3);
    });
}

#[test]
fn a_batch_with_a_secret_in_its_result_is_not_stored() {
    run(async {
        let organization = Organization::create().await;
        let mut owner = organization.sign_in(Role::Owner).await;
        let invite = json!({ "email": "new@example.org", "name": "New", "role": "staff" });
        let calls = [json!({ "tool": "invite_staff", "arguments": invite })];
        let arguments = json!({ "host": "staff", "calls": calls });
        let meta = json!({ "idempotencyKey": "k" });
        let params = json!({ "name": "run_batch", "arguments": arguments, "_meta": meta });
        let first = owner.rpc(Host::Ops, "tools/call", params.clone()).await;
        let again = owner.rpc(Host::Ops, "tools/call", params).await;
        let link = |answer: &Answer| answer.output()["results"][0]["link"].clone();
        assert!(link(&first).is_string());
        assert_ne!(link(&first), link(&again));
    });
}

#[test]
fn a_hundred_calls_count_as_one_of_their_host() {
    run(async {
        let organization = Organization::create().await;
        let event = organization.event("Launch").await;
        let clock = Clock::with_manual_limits();
        let server = world().server(clock.clone(), 4).await;
        let mut staff = organization.sign_in(Role::Staff).await.at(&server.url());
        // Two of the four of the Events host.
        batch(&mut staff, "events", &several(event, 101))
            .await
            .output();
        let mut events = staff.clone();
        for _ in 0..2 {
            events.rpc(Host::Events, "ping", json!({})).await.result();
        }
        let answer = events.rpc(Host::Events, "ping", json!({})).await;
        assert_eq!(answer.refusal(), "rate_limited");
        let answer = batch(&mut staff, "events", &several(event, 1)).await;
        assert_eq!(answer.status, 429, "{}", answer.body);
        assert!(!answer.header("retry-after").is_empty());
        clock.advance(Duration::from_secs(60));
        // A batch that is larger than the limit would wait for ever.
        let answer = batch(&mut staff, "events", &several(event, 401)).await;
        assert_eq!(answer.refusal(), "invalid_argument");
    });
}

#[test]
fn an_answer_stays_below_4_mb() {
    run(async {
        let (_, event, mut staff) = staff().await;
        for _ in 0..2 {
            let calls: Vec<_> = (0..50)
                .map(|_| {
                    let tags = json!({ "text": "\"".repeat(8_000) });
                    let arguments = json!({ "event_id": event, "name": "Ana", "tags": tags });
                    json!({ "tool": "create_event_guest", "arguments": arguments })
                })
                .collect();
            batch(&mut staff, "events", &calls).await.output();
        }
        let list = json!({ "tool": "list_event_guests", "arguments": { "event_id": event, "limit": 100 } });
        let answer = batch(&mut staff, "events", &vec![list; 4]).await;
        assert_eq!(
            answer.refusal(),
            "refused",
            "{}",
            answer.body.to_string().len()
        );
    });
}

/// A batch that adds these addresses, each unless the event has it.
async fn unless_there(http: &mut Http, event: EventId, addresses: &[&str]) -> Answer {
    let calls: Vec<_> = addresses
        .iter()
        .map(|email| {
            let arguments = json!({ "event_id": event, "name": "Ana", "email": email });
            json!({ "tool": "create_event_guest", "arguments": arguments })
        })
        .collect();
    let params = json!({
        "name": "run_batch", "arguments": { "host": "events", "calls": calls },
        "_meta": { "frontdesk/unique": ["event_id", "email"] },
    });
    http.rpc(Host::Ops, "tools/call", params).await
}

#[test]
fn of_batches_at_once_that_add_the_same_records_one_is_made() {
    run(async {
        let (organization, event, mut staff) = staff().await;
        let other = organization.event("Dinner").await;
        staff.session(Host::Ops).await;
        let batches = (0..4).map(|at| {
            let mut staff = staff.clone();
            async move {
                let addresses = ["ana@example.org", "Eva@example.org"];
                let order = if at % 2 == 0 { [0, 1] } else { [1, 0] };
                unless_there(&mut staff, event, &order.map(|at| addresses[at])).await
            }
        });
        let answers = futures::future::join_all(batches).await;
        let made = answers
            .iter()
            .filter(|answer| answer.body["result"]["isError"] == false);
        assert_eq!(made.count(), 1, "{answers:?}");
        assert_eq!(guests(&mut staff, event).await.len(), 2);

        let refused =
            unless_there(&mut staff, event, &["ida@example.org", "EVA@example.org"]).await;
        assert_eq!(refused.refusal(), "conflict");
        let details = refused.tool_error()["details"].clone();
        assert_eq!(details["index"], 1, "{details}");
        let twice = unless_there(&mut staff, event, &["ida@example.org", "ida@example.org"]).await;
        assert_eq!(twice.refusal(), "conflict");
        unless_there(&mut staff, event, &["ida@example.org"])
            .await
            .output();
        unless_there(&mut staff, other, &["eva@example.org"])
            .await
            .output();
        assert_eq!(guests(&mut staff, event).await.len(), 3);
    });
}

#[test]
fn records_differ_only_in_what_can_be_compared() {
    run(async {
        let (_, event, mut staff) = staff().await;
        let mut add = async |unique: Value| {
            let params = json!({
                "name": "create_event_guest",
                "arguments": { "event_id": event, "name": "Ana", "tags": { "vip": true } },
                "_meta": { "frontdesk/unique": unique },
            });
            staff.rpc(Host::Events, "tools/call", params).await
        };
        for unknown in ["email", "tags", "id'; drop table events.guests"] {
            add(json!(["name", unknown]))
                .await
                .refuses("invalid_argument", "_meta.frontdesk/unique");
        }
        add(json!(["name"])).await.output();
        assert_eq!(add(json!(["name"])).await.refusal(), "conflict");
        // Another refusal stays what it is.
        let params = json!({
            "name": "create_event_guest",
            "arguments": { "event_id": uuid::Uuid::now_v7(), "name": "Bia" },
            "_meta": { "frontdesk/unique": ["name"] },
        });
        let elsewhere = staff.rpc(Host::Events, "tools/call", params).await;
        elsewhere.refuses("not_found", "event_id");
    });
}

#[test]
fn capitals_make_another_record_but_in_an_address() {
    run(async {
        let (_, event, mut staff) = staff().await;
        let mut add = async |unique: &str, name: &str, email: &str| {
            let params = json!({
                "name": "create_event_guest",
                "arguments": { "event_id": event, "name": name, "email": email },
                "_meta": { "frontdesk/unique": ["event_id", unique] },
            });
            staff.rpc(Host::Events, "tools/call", params).await
        };
        add("name", "New", "ana@example.org").await.output();
        add("name", "NEW", "bia@example.org").await.output();
        let same = add("email", "Ana", "Ana@Example.org").await;
        assert_eq!(same.refusal(), "conflict");
    });
}
