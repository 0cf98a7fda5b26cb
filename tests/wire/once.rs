//! Writes with an idempotency key.

use frontdesk_protocol::id::EventId;
use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Answer, Http, Organization, run, world};
use serde_json::{Value, json};

async fn call(http: &mut Http, host: Host, key: &str, tool: &str, arguments: Value) -> Answer {
    let meta = json!({ "idempotencyKey": key });
    let params = json!({ "name": tool, "arguments": arguments, "_meta": meta });
    http.rpc(host, "tools/call", params).await
}

/// Adds a guest under this key.
async fn add(http: &mut Http, key: &str, event: EventId, name: &str) -> Answer {
    let arguments = json!({ "event_id": event, "name": name });
    call(http, Host::Events, key, "create_event_guest", arguments).await
}

async fn guests(http: &mut Http, event: EventId) -> usize {
    let answer = http
        .events("list_event_guests", json!({ "event_id": event }))
        .await;
    answer.output()["guests"].as_array().expect("guests").len()
}

async fn staff() -> (Organization, EventId, Http) {
    let organization = Organization::create().await;
    let event = organization.event("Launch").await;
    let staff = organization.sign_in(Role::Staff).await;
    (organization, event, staff)
}

#[test]
fn the_same_call_again_returns_what_it_returned_first_and_does_nothing_more() {
    run(async {
        let (_, event, mut staff) = staff().await;
        let first = add(&mut staff, "k", event, "Ana").await;
        let again = add(&mut staff, "k", event, "Ana").await;
        assert_eq!(first.output(), again.output());
        // However the arguments are written.
        let written = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"create_event_guest",
               "_meta":{{"idempotencyKey":"k"}},"arguments":{{"name":"\u0041na","event_id":"{event}"}}}}}}"#
        );
        let again = staff.send(Host::Events, written).await;
        assert_eq!(first.output(), again.output());
        assert_eq!(guests(&mut staff, event).await, 1);
        add(&mut staff, "another", event, "Ana").await.output();
        assert_eq!(guests(&mut staff, event).await, 2);
    });
}

#[test]
fn the_order_of_keys_makes_no_other_call() {
    run(async {
        let (_, event, mut staff) = staff().await;
        let mut answers = Vec::new();
        for tags in [
            r#"{"a":1,"b":{"c":[{"d":1,"e":2}],"f":3}}"#,
            r#"{"b":{"f":3,"c":[{"e":2,"d":1}]},"a":1}"#,
        ] {
            let body = format!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"create_event_guest",
                   "_meta":{{"idempotencyKey":"k"}},
                   "arguments":{{"event_id":"{event}","name":"Ana","tags":{tags}}}}}}}"#
            );
            answers.push(staff.send(Host::Events, body).await.output().clone());
        }
        assert_eq!(answers[0], answers[1]);
        assert_eq!(guests(&mut staff, event).await, 1);
    });
}

#[test]
fn a_repeated_call_asks_again_what_the_caller_may_do() {
    run(async {
        let (organization, event, mut staff) = staff().await;
        let first = add(&mut staff, "k", event, "Ana").await.output().clone();
        let user = organization.user(Role::Staff).0;
        let set = async |change: &str| {
            let owner = world().owner().await;
            let sql = format!("update staff.users set {change} where id = $1");
            owner.execute(&sql, &[&user]).await.expect("a change");
        };
        // Teachers cannot add guests, and a former staff member sees no event.
        for revoked in ["role = 'teacher'", "is_active = false"] {
            set(revoked).await;
            let again = add(&mut staff, "k", event, "Ana").await;
            let anew = add(&mut staff, "another", event, "Ana").await;
            assert_eq!(again.status.as_u16(), 403, "{revoked}");
            assert_eq!(again.body["error"], anew.body["error"], "{revoked}");
        }
        // With other rights that permit the call, the first result returns, and nothing is
        // repeated.
        set("is_active = true, role = 'admin'").await;
        let again = add(&mut staff, "k", event, "Ana").await;
        assert_eq!(*again.output(), first);
        assert_eq!(guests(&mut staff, event).await, 1);
    });
}

#[test]
fn a_key_stands_for_one_call_of_one_caller() {
    run(async {
        let (organization, event, mut staff) = staff().await;
        let guest = add(&mut staff, "k", event, "Ana").await.output()["guest"]["id"].clone();
        let other = add(&mut staff, "k", event, "Bia").await;
        other.refuses("conflict", "_meta.idempotencyKey");
        let arguments = json!({ "id": guest });
        let other = call(&mut staff, Host::Events, "k", "check_in_guest", arguments).await;
        other.refuses("conflict", "_meta.idempotencyKey");
        assert_eq!(guests(&mut staff, event).await, 1);
        let mut admin = organization.sign_in(Role::Admin).await;
        add(&mut admin, "k", event, "Bia").await.output();
        assert_eq!(guests(&mut staff, event).await, 2);
    });
}

#[test]
fn a_key_belongs_to_its_tool_although_another_takes_the_same_arguments() {
    run(async {
        let (organization, event, mut staff) = staff().await;
        let guest = json!({ "id": organization.guest(event, "Ana").await });
        let (first, second) = ("check_in_guest", "update_event_guest");
        let arrived = call(&mut staff, Host::Events, "k", first, guest.clone()).await;
        let arrived = arrived.output().clone();
        let other = call(&mut staff, Host::Events, "k", second, guest.clone()).await;
        other.refuses("conflict", "_meta.idempotencyKey");
        let again = call(&mut staff, Host::Events, "k", first, guest).await;
        assert_eq!(*again.output(), arrived);
    });
}

#[test]
fn a_call_that_was_refused_leaves_its_key_free() {
    run(async {
        let (organization, event, mut staff) = staff().await;
        let nowhere = EventId(uuid::Uuid::now_v7());
        add(&mut staff, "k", nowhere, "Ana")
            .await
            .refuses("not_found", "event_id");
        add(&mut staff, "k", event, "Ana").await.output();
        let mut teacher = organization.sign_in(Role::Teacher).await;
        assert_eq!(
            add(&mut teacher, "k", event, "Ana").await.status.as_u16(),
            403
        );
    });
}

#[test]
fn what_is_only_tried_takes_no_key() {
    run(async {
        let organization = Organization::create().await;
        let series = organization.series("Weekly").await;
        let mut owner = organization.sign_in(Role::Owner).await;
        let arguments = |dry_run| json!({ "series_meeting_id": series, "dry_run": dry_run });
        let tool = "remove_meeting_series";
        let dry = call(&mut owner, Host::Work, "k", tool, arguments(true)).await;
        assert_eq!(dry.output()["dry_run"], true);
        let first = call(&mut owner, Host::Work, "k", tool, arguments(false)).await;
        assert_eq!(first.output()["dry_run"], false);
        // Repeated after a lost answer: it returns the result instead of `not_found`.
        let again = call(&mut owner, Host::Work, "k", tool, arguments(false)).await;
        assert_eq!(first.output(), again.output());
    });
}

#[test]
fn a_key_is_forgotten_after_a_day() {
    run(async {
        let (organization, event, mut staff) = staff().await;
        add(&mut staff, "k", event, "Ana").await.output();
        let age = "update app.idempotency_keys set created_at = created_at - $2::text::interval where user_id = $1";
        let user = organization.user(Role::Staff).0;
        for (age_by, expected) in [("23 hours", 1), ("2 hours", 2)] {
            let owner = world().owner().await;
            owner.execute(age, &[&user, &age_by]).await.expect("aged");
            drop(owner);
            add(&mut staff, "k", event, "Ana").await.output();
            assert_eq!(guests(&mut staff, event).await, expected, "{age_by} later");
        }
    });
}

#[test]
fn a_key_that_is_none_is_named() {
    run(async {
        let (_, event, mut staff) = staff().await;
        for key in ["", "a\0b", &"k".repeat(201)] {
            let answer = add(&mut staff, key, event, "Ana").await;
            answer.refuses("invalid_argument", "_meta.idempotencyKey");
        }
        add(&mut staff, &"ü".repeat(200), event, "Ana")
            .await
            .output();
        assert_eq!(guests(&mut staff, event).await, 1);
    });
}

#[test]
fn of_two_at_once_one_is_made() {
    run(async {
        let (_, event, staff) = staff().await;
        let calls = (0..4).map(|_| {
            let mut staff = staff.clone();
            tokio::spawn(async move { add(&mut staff, "k", event, "Ana").await.output().clone() })
        });
        let mut answers = Vec::new();
        for call in calls.collect::<Vec<_>>() {
            answers.push(call.await.expect("an answer"));
        }
        assert!(
            answers.iter().all(|answer| *answer == answers[0]),
            "{answers:?}"
        );
        assert_eq!(guests(&mut staff.clone(), event).await, 1);
    });
}
