//! Previews: what a call would do, without doing it, and a call that does exactly this.

use frontdesk_protocol::changes::{Changes, RowOperation};
use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Answer, Http, Organization, at_once, world};
use frontdesk_tests::{meetings, run};
use serde_json::{Value, json};

fn call(http: &mut Http, host: Host, tool: &str, arguments: &Value, meta: Value) -> Answer {
    let params = json!({ "name": tool, "arguments": arguments, "_meta": meta });
    http.rpc(host, "tools/call", params)
}

fn changes(answer: &Answer) -> Changes {
    let changes = answer.result()["_meta"]["frontdesk/changes"].clone();
    serde_json::from_value(changes).unwrap_or_else(|error| panic!("{error}: {}", answer.body))
}

fn preview(http: &mut Http, host: Host, tool: &str, arguments: &Value) -> (Answer, Changes) {
    let answer = call(
        http,
        host,
        tool,
        arguments,
        json!({ "frontdesk/preview": true }),
    );
    let found = changes(&answer);
    (answer, found)
}

/// Calls the tool bound to this digest.
fn expecting(http: &mut Http, host: Host, tool: &str, arguments: &Value, digest: &str) -> Answer {
    let meta = json!({ "frontdesk/expectedPlan": digest });
    call(http, host, tool, arguments, meta)
}

fn guests(http: &mut Http, event: &Value) -> Value {
    let answer = http.events("list_event_guests", json!({ "event_id": event }));
    answer.output()["guests"].clone()
}

#[test]
fn a_preview_shows_the_new_row_and_adds_none() {
    let organization = Organization::create();
    let event = json!(organization.event("Launch"));
    let mut staff = organization.sign_in(Role::Staff);
    let add = json!({ "event_id": event, "name": "Ana", "role": "speaker" });
    let (answer, changes) = preview(&mut staff, Host::Events, "create_event_guest", &add);
    assert_eq!(answer.output()["guest"]["name"], "Ana");
    let [row] = changes.rows.as_slice() else {
        panic!("{changes:?}");
    };
    assert_eq!(
        (
            row.table.as_str(),
            row.kind.as_deref(),
            row.label.as_deref()
        ),
        ("events.guests", Some("guest"), Some("Ana"))
    );
    assert_eq!((row.operation, &row.before), (RowOperation::Insert, &None));
    assert_eq!(row.key["id"], answer.output()["guest"]["id"]);
    let after = row.after.as_ref().expect("a new row");
    assert_eq!(after["role"], "speaker");
    // Columns that PostgreSQL generates are no change.
    assert!(!after.contains_key("name_key"), "{after:?}");
    assert_eq!((changes.more.len(), changes.webhooks.len()), (0, 0));
    assert_eq!(guests(&mut staff, &event), json!([]));
}

#[test]
fn an_update_shows_the_changed_fields_only() {
    let organization = Organization::create();
    let event = organization.event("Launch");
    let guest = organization.guest(event, "Ana");
    let mut staff = organization.sign_in(Role::Staff);
    let rename = json!({ "id": guest, "name": "Eva", "role": null });
    let (_, changes) = preview(&mut staff, Host::Events, "update_event_guest", &rename);
    let row = &changes.rows[0];
    assert_eq!(row.operation, RowOperation::Update);
    assert_eq!(json!(row.before), json!({ "name": "Ana" }));
    assert_eq!(json!(row.after), json!({ "name": "Eva" }));
    let nothing = json!({ "id": guest, "name": "Ana" });
    let (_, changes) = preview(&mut staff, Host::Events, "update_event_guest", &nothing);
    assert!(changes.is_empty(), "{changes:?}");
}

#[test]
fn an_expected_plan_applies_exactly_or_not_at_all() {
    let organization = Organization::create();
    let event = organization.event("Launch");
    let guest = organization.guest(event, "Ana");
    let mut staff = organization.sign_in(Role::Staff);
    let tool = "update_event_guest";
    let rename = json!({ "id": guest, "name": "Eva" });
    let (_, seen) = preview(&mut staff, Host::Events, tool, &rename);
    // Somebody else is faster.
    staff
        .events(tool, json!({ "id": guest, "name": "Ida" }))
        .output();
    let refused = expecting(&mut staff, Host::Events, tool, &rename, &seen.digest);
    assert_eq!(refused.refusal(), "conflict");
    let now = changes(&refused);
    assert_eq!(json!(now.rows[0].before), json!({ "name": "Ida" }));
    assert_eq!(guests(&mut staff, &json!(event))[0]["name"], "Ida");
    // A digest is that of its tool and arguments.
    let other = json!({ "id": guest, "name": "Eve" });
    let refused = expecting(&mut staff, Host::Events, tool, &other, &now.digest);
    assert_eq!(refused.refusal(), "conflict");
    // It is that of its account, too.
    let mut admin = organization.sign_in(Role::Admin);
    let refused = expecting(&mut admin, Host::Events, tool, &rename, &now.digest);
    assert_eq!(refused.refusal(), "conflict");
    expecting(&mut staff, Host::Events, tool, &rename, &now.digest).output();
    assert_eq!(guests(&mut staff, &json!(event))[0]["name"], "Eva");
    // A digest of another kind, at a tool without a plan.
    let refused = expecting(&mut staff, Host::Events, tool, &rename, "0123abcd");
    assert_eq!(refused.refusal(), "conflict");
}

#[test]
fn a_preview_is_applied_once() {
    let organization = Organization::create();
    let event = organization.event("Launch");
    let mut staff = organization.sign_in(Role::Staff);
    let tool = "create_event_guest";
    let add = json!({ "event_id": event, "name": "Ana" });
    let (_, seen) = preview(&mut staff, Host::Events, tool, &add);
    staff.session(Host::Events);
    let answers = at_once((0..3).map(|_| {
        let (mut staff, add, digest) = (staff.clone(), &add, &seen.digest);
        move || expecting(&mut staff, Host::Events, tool, add, digest)
    }));
    let made = (answers.iter()).filter(|answer| answer.body["result"]["isError"] == false);
    assert_eq!(made.count(), 1, "{answers:?}");
    assert_eq!(
        guests(&mut staff, &json!(event)).as_array().map(Vec::len),
        Some(1)
    );
    // Another one is added after another look.
    let (_, seen) = preview(&mut staff, Host::Events, tool, &add);
    expecting(&mut staff, Host::Events, tool, &add, &seen.digest).output();
    let again = expecting(&mut staff, Host::Events, tool, &add, &seen.digest);
    assert_eq!(again.refusal(), "conflict");
}

#[test]
fn a_preview_of_a_link_is_applied_once_although_it_shows_nothing() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let someone = json!({ "id": organization.user(Role::Staff) });
    let tool = "issue_password_link";
    let (_, seen) = preview(&mut owner, Host::Staff, tool, &someone);
    let mut issue = || expecting(&mut owner, Host::Staff, tool, &someone, &seen.digest);
    issue().output();
    assert_eq!(issue().refusal(), "conflict");
}

#[test]
fn a_trial_returns_no_secret() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let user = json!(organization.user(Role::Staff));
    let email = format!("{}@school.test", uuid::Uuid::now_v7());
    let ana = json!({ "name": "Ana", "personal_email": email });
    let ana = owner.call(Host::Learn, "create_member", ana).output()["member"]["id"].clone();
    let bia = json!({ "email": format!("b{email}"), "name": "Bia", "role": "staff" });
    let open = owner.call(Host::Staff, "invite_staff", bia.clone());
    let open = open.output()["invitation"]["id"].clone();
    let cases = [
        (Host::Staff, "invite_staff", bia),
        (Host::Staff, "invite_student", json!({ "member_id": ana })),
        (Host::Staff, "renew_invitation", json!({ "id": open })),
        (Host::Staff, "issue_password_link", json!({ "id": user })),
        (
            Host::Ops,
            "issue_account_password_link",
            json!({ "id": user }),
        ),
    ];
    let all = Host::ALL.into_iter().flat_map(Host::tools);
    let all: Vec<_> = all.filter(|tool| !tool.secrets().is_empty()).collect();
    let mut names: Vec<_> = all.iter().map(|tool| tool.name).collect();
    names.sort_unstable();
    let mut tried = cases.each_ref().map(|case| case.1);
    tried.sort_unstable();
    assert_eq!(names, tried);
    for (host, tool, arguments) in cases {
        let secret = &host.tool(tool).expect("a tool").secrets()[0];
        let (previewed, _) = preview(&mut owner, host, tool, &arguments);
        let inner = json!({ "host": host, "tool": tool, "arguments": arguments });
        let agent = owner.call(Host::Ops, "preview_call", inner);
        let one = json!({ "tool": tool, "arguments": arguments });
        let mut batch = json!({ "host": host, "calls": [one] });
        let (all, _) = preview(&mut owner, Host::Ops, "run_batch", &batch);
        batch["dry_run"] = true.into();
        let dry = owner.call(Host::Ops, "run_batch", batch);
        for trial in [
            previewed.output(),
            &agent.output()["result"],
            &dry.output()["results"][0],
            &all.output()["results"][0],
        ] {
            assert_eq!(trial.get(secret), Some(&Value::Null), "{tool}: {trial}");
            assert!(trial["note"].is_string(), "{tool}: {trial}");
        }
        let made = owner.call(host, tool, arguments);
        let made = made.output();
        assert!(made[secret.as_str()].is_string(), "{tool}: {made}");
    }
}

#[test]
fn with_the_same_key_preview_and_call_make_the_same_ids() {
    let organization = Organization::create();
    let event = organization.event("Launch");
    let mut staff = organization.sign_in(Role::Staff);
    let add = json!({ "event_id": event, "name": "Ana" });
    let with = |meta: Value, staff: &mut Http| {
        let answer = call(staff, Host::Events, "create_event_guest", &add, meta);
        answer.output()["guest"]["id"].clone()
    };
    let previewed = with(
        json!({ "frontdesk/preview": true, "idempotencyKey": "k" }),
        &mut staff,
    );
    // The preview has not used up the key.
    let made = with(json!({ "idempotencyKey": "k" }), &mut staff);
    assert_eq!(previewed, made);
    assert_ne!(with(json!({ "idempotencyKey": "l" }), &mut staff), made);
    assert_ne!(with(json!({ "frontdesk/preview": true }), &mut staff), made);
    // The call with this key is done: repeating it changes nothing.
    let meta = json!({ "frontdesk/preview": true, "idempotencyKey": "k" });
    let again = call(&mut staff, Host::Events, "create_event_guest", &add, meta);
    assert!(changes(&again).is_empty(), "{}", again.body);
}

#[test]
fn a_call_bound_to_its_preview_can_be_repeated_after_a_lost_answer() {
    let organization = Organization::create();
    let event = organization.event("Launch");
    let guest = organization.guest(event, "Ana");
    let mut staff = organization.sign_in(Role::Staff);
    let tool = "update_event_guest";
    let rename = json!({ "id": guest, "name": "Eva" });
    let (_, seen) = preview(&mut staff, Host::Events, tool, &rename);
    let meta = json!({ "frontdesk/expectedPlan": seen.digest, "idempotencyKey": "k" });
    for _ in 0..2 {
        let answer = call(&mut staff, Host::Events, tool, &rename, meta.clone());
        assert_eq!(answer.output()["guest"]["name"], "Eva");
    }
}

#[test]
fn rows_that_the_caller_cannot_read_are_counted() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let mut make = |tool: &str, arguments: Value| {
        let answer = owner.call(Host::Learn, tool, arguments);
        let output = answer.output().as_object().expect("a record").clone();
        output.into_iter().next().expect("a record").1["id"].clone()
    };
    let course = make("create_course", json!({ "title": "Rust" }));
    let lesson = json!({ "course_id": course, "title": "Ownership", "status": "published" });
    let lesson = make("create_lesson", lesson);
    for role in [Role::Fellow, Role::Owner] {
        let mut viewer = organization.sign_in(role);
        let viewed = json!({ "lesson_id": lesson });
        viewer
            .call(Host::Learn, "mark_lesson_viewed", viewed)
            .output();
    }
    let delete = json!({ "id": lesson });
    let (_, changes) = preview(&mut owner, Host::Learn, "delete_lesson", &delete);
    let listed: Vec<_> = changes
        .rows
        .iter()
        .map(|row| (row.table.as_str(), row.operation, row.label.as_deref()))
        .collect();
    // Of the progress, the owner's own.
    assert_eq!(
        listed,
        [
            ("learn.lessons", RowOperation::Delete, Some("Ownership")),
            ("learn.lesson_progress", RowOperation::Delete, None),
        ]
    );
    let [hidden] = changes.more.as_slice() else {
        panic!("{changes:?}");
    };
    assert_eq!(
        (hidden.table.as_str(), hidden.count, hidden.hidden),
        ("learn.lesson_progress", 1, true)
    );
    expecting(
        &mut owner,
        Host::Learn,
        "delete_lesson",
        &delete,
        &changes.digest,
    )
    .output();
}

#[test]
fn a_preview_fails_as_the_call_would() {
    let organization = Organization::create();
    let event = organization.event("Launch");
    let mut teacher = organization.sign_in(Role::Teacher);
    let add = json!({ "event_id": event, "name": "Ana" });
    let meta = json!({ "frontdesk/preview": true });
    let refused = call(
        &mut teacher,
        Host::Events,
        "create_event_guest",
        &add,
        meta.clone(),
    );
    assert_eq!(refused.refusal(), "forbidden");
    // A constraint that is only checked at the commit.
    let mut finance = organization.sign_in(Role::Finance);
    let mut account = |code: &str| {
        let account = json!({ "code": code, "name": code, "kind": "asset" });
        let answer = finance.call(Host::Financing, "create_account", account);
        answer.output()["account"]["id"].clone()
    };
    let lines = json!([
        { "account_id": account("1"), "side": "debit", "amount": 10 },
        { "account_id": account("2"), "side": "credit", "amount": 9 },
    ]);
    let post = json!({ "entry_on": "2026-03-05", "description": "Rent", "lines": lines });
    let tool = "post_journal_entry";
    let alone = call(&mut finance, Host::Financing, tool, &post, json!({}));
    let previewed = call(&mut finance, Host::Financing, tool, &post, meta);
    assert_eq!(alone.tool_error(), previewed.tool_error());
}

#[test]
fn a_batch_is_previewed_as_a_whole() {
    let organization = Organization::create();
    let event = json!(organization.event("Launch"));
    let mut staff = organization.sign_in(Role::Staff);
    let guest = |name: &str| json!({ "tool": "create_event_guest", "arguments": { "event_id": event, "name": name } });
    let calls: Vec<_> = ["Ana", "Eva", "Ida"].map(guest).into();
    let batch = json!({ "host": "events", "calls": calls });
    let (_, changes) = preview(&mut staff, Host::Ops, "run_batch", &batch);
    let labels: Vec<_> = changes
        .rows
        .iter()
        .filter_map(|row| row.label.as_deref())
        .collect();
    assert_eq!(labels, ["Ana", "Eva", "Ida"]);
    assert_eq!(guests(&mut staff, &event), json!([]));
    expecting(&mut staff, Host::Ops, "run_batch", &batch, &changes.digest).output();
    assert_eq!(guests(&mut staff, &event).as_array().map(Vec::len), Some(3));
    let entries = entries(&organization);
    assert_eq!(entries, [("run_batch".to_owned(), 3)]);
}

/// The tools of the entries in the history, with their number of rows.
fn entries(organization: &Organization) -> Vec<(String, i64)> {
    let sql = "select c.tool, count(*) from app.changes c join app.changed_rows r on r.change_id = c.id \
         where c.organization_id = $1 group by c.id, c.tool order by c.id";
    let rows = world().owner().query(sql, &[&organization.id.0]);
    let rows = rows.expect("the history");
    rows.iter().map(|row| (row.get(0), row.get(1))).collect()
}

/// The deletion of a course with lessons that have texts of this length, by an owner.
fn large_deletion(lessons: i32, length: i32) -> (Http, Value) {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let course = owner.call(Host::Learn, "create_course", json!({ "title": "Rust" }));
    let course = course.output()["course"]["id"].clone();
    let sql = "insert into learn.lessons (organization_id, course_id, title, description, transcription) \
         select $1, $2::text::uuid, 'Lesson ' || n, t, t from generate_series(1, $3) n, repeat('ä', $4) t";
    let id = course.as_str().expect("an id");
    world()
        .owner()
        .execute(sql, &[&organization.id.0, &id, &lessons, &length])
        .expect("lessons");
    (owner, json!({ "id": course }))
}

#[test]
fn at_most_a_megabyte_is_listed() {
    let (mut owner, delete) = large_deletion(600, 1_000);
    let (answer, changes) = preview(&mut owner, Host::Learn, "delete_course", &delete);
    let listed = changes.rows.len();
    assert!((200..600).contains(&listed), "{listed} rows");
    let [more] = changes.more.as_slice() else {
        panic!("{:?}", changes.more);
    };
    assert_eq!(
        (more.table.as_str(), more.operation, more.hidden),
        ("learn.lessons", RowOperation::Delete, false)
    );
    assert_eq!(listed as u64 + more.count, 601);
    let bytes = answer.body.to_string().len();
    assert!(bytes <= 1 << 20, "{bytes} bytes");
    // The rows that are not listed count for the digest, too.
    let digest = &changes.digest;
    expecting(&mut owner, Host::Learn, "delete_course", &delete, digest).output();
}

#[test]
fn at_most_a_thousand_rows_are_listed() {
    let (mut owner, delete) = large_deletion(1_010, 0);
    let (answer, changes) = preview(&mut owner, Host::Learn, "delete_course", &delete);
    assert_eq!(changes.rows.len(), 1000);
    let more: u64 = changes.more.iter().map(|one| one.count).sum();
    assert_eq!(more, 11);
    assert!(
        changes.more.iter().all(|one| !one.hidden),
        "{:?}",
        changes.more
    );
    let listed = answer.result()["_meta"].to_string().len();
    assert!(listed < 1_100_000, "{listed} bytes");
}

#[test]
fn a_webhook_is_announced_and_not_sent() {
    run(async {
        let mut stage = meetings::Stage::set().await;
        let series = stage.series("Weekly", json!({})).await;
        let day = stage.occurrence(series, "2026-02-02", "Said", "t-1").await;
        let arguments = json!({ "occurrence_id": day, "dry_run": false });
        let params = json!({
            "name": "promote_occurrence_to_standalone", "arguments": arguments,
            "_meta": { "frontdesk/preview": true },
        });
        let before = stage.rows().await;
        let answer = stage.admin.rpc(Host::Work, "tools/call", params).await;
        let changes = &answer.result()["_meta"]["frontdesk/changes"];
        assert_eq!(
            changes["webhooks"],
            json!([{ "event": "meeting.created", "count": 1 }]),
            "{}",
            answer.body
        );
        assert_eq!(stage.rows().await, before);
    });
}

#[test]
fn an_attempt_at_a_quiz_cannot_be_tried() {
    let organization = Organization::create();
    let mut teacher = organization.caller(Role::Teacher, Host::Quiz);
    let quiz = json!({
        "title": "Ownership", "max_attempts": 1,
        "questions": [{ "prompt": "Who owns it?", "options": ["Nobody", "One"], "right": 2 }],
    });
    let quiz = teacher.record("create_quiz", quiz);
    let attempt = json!({ "quiz_id": quiz["id"], "answers": [1] });
    let mut fellow = organization.sign_in(Role::Fellow);
    for meta in [
        json!({ "frontdesk/preview": true }),
        json!({ "frontdesk/expectedPlan": "c-0" }),
    ] {
        let refused = call(&mut fellow, Host::Quiz, "submit_attempt", &attempt, meta);
        let error = refused.tool_error();
        assert_eq!(error["code"], "invalid_argument", "{error}");
        assert_eq!(refused.result()["_meta"], Value::Null);
    }
    let calls = json!([{ "tool": "submit_attempt", "arguments": attempt }]);
    let batch = json!({ "host": "quiz", "dry_run": true, "calls": calls });
    fellow.call(Host::Ops, "run_batch", batch).tool_error();
    fellow.call(Host::Quiz, "submit_attempt", attempt).output();
}

#[test]
fn a_read_is_previewed_without_changes() {
    let organization = Organization::create();
    let mut staff = organization.sign_in(Role::Staff);
    let (answer, changes) = preview(&mut staff, Host::Events, "list_events", &json!({}));
    assert_eq!(answer.output()["events"], json!([]));
    assert!(changes.is_empty());
}

/// The inner call of `preview_call` and `apply_call`.
fn inner(host: Host, tool: &str, arguments: &Value) -> Value {
    json!({ "host": host, "tool": tool, "arguments": arguments })
}

#[test]
fn a_model_sees_a_write_before_it_makes_it_and_takes_it_back() {
    let organization = Organization::create();
    let event = json!(organization.event("Launch"));
    let guest = organization.guest(
        event.as_str().expect("an id").parse().expect("an id"),
        "Ana",
    );
    let mut staff = organization.sign_in(Role::Staff);
    let mut call = inner(Host::Ops, "remove_guest", &json!({ "id": guest }));
    let shown = staff.call(Host::Ops, "preview_call", call.clone());
    let shown = shown.output();
    assert_eq!(shown["result"]["guest"]["name"], "Ana");
    assert_eq!(shown["rows"][0]["label"], "Ana");
    assert_eq!(shown["counts"][0]["operation"], "delete");
    assert_eq!(shown["obstacle"], json!(null));
    assert_eq!(guests(&mut staff, &event)[0]["name"], "Ana");

    call["expect"] = shown["digest"].clone();
    let applied = staff.call(Host::Ops, "apply_call", call.clone());
    assert_eq!(guests(&mut staff, &event), json!([]));
    let change = json!({ "change_id": applied.output()["change_id"] });
    staff.call(Host::Ops, "undo_change", change).output();
    assert_eq!(guests(&mut staff, &event)[0]["name"], "Ana");
    // A preview is applied once.
    let refused = staff.call(Host::Ops, "apply_call", call);
    assert_eq!(refused.tool_error()["code"], "conflict");
}

#[test]
fn a_call_with_other_effects_than_its_preview_is_refused() {
    let organization = Organization::create();
    let event = json!(organization.event("Launch"));
    let mut staff = organization.sign_in(Role::Staff);
    let update = json!({ "id": event, "name": "Opening" });
    let mut call = inner(Host::Events, "update_event", &update);
    let shown = staff.call(Host::Ops, "preview_call", call.clone());
    call["expect"] = shown.output()["digest"].clone();
    let other = json!({ "id": event, "name": "Start" });
    staff.events("update_event", other).output();
    let refused = staff.call(Host::Ops, "apply_call", call);
    assert_eq!(refused.tool_error()["code"], "conflict");
    let event = staff.events("get_event", json!({ "id": event }));
    assert_eq!(event.output()["event"]["name"], "Start");
}

#[test]
fn a_preview_of_a_call_says_what_lasts_and_counts_what_it_does_not_list() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let invite = json!({ "email": "ana@example.org", "name": "Ana", "role": "teacher" });
    let invite = inner(Host::Staff, "invite_staff", &invite);
    let shown = owner.call(Host::Ops, "preview_call", invite);
    let obstacle = shown.output()["obstacle"].to_string();
    assert!(obstacle.contains("revoke_invitation"), "{obstacle}");

    let event = json!(organization.event("Launch"));
    let add = |at: usize| {
        let guest = json!({ "event_id": event, "name": format!("Guest {at}") });
        json!({ "tool": "create_event_guest", "arguments": guest })
    };
    let calls: Vec<_> = (0..30).map(add).collect();
    let batch = json!({ "host": "events", "calls": calls });
    let shown = owner.call(
        Host::Ops,
        "preview_call",
        inner(Host::Ops, "run_batch", &batch),
    );
    let shown = shown.output();
    assert_eq!(shown["rows"].as_array().map(Vec::len), Some(20));
    let result = &shown["result"];
    assert_eq!(result["dry_run"], true);
    assert_eq!(result["results"].as_array().map(Vec::len), Some(20));
    assert_eq!(shown["cut"], json!({ "results": 30 }));
    assert_eq!(
        (&shown["counts"][0]["kind"], &shown["counts"][0]["count"]),
        (&json!("guest"), &json!(30))
    );
}

#[test]
fn what_cannot_be_previewed_is_refused_with_the_reason() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let mut refused = |host: Host, tool: &str, arguments: Value| {
        let answer = owner.call(Host::Ops, "preview_call", inner(host, tool, &arguments));
        answer.tool_error().clone()
    };
    let error = refused(Host::Events, "list_events", json!({}));
    assert_eq!(
        (&error["code"], &error["field"]),
        (&json!("refused"), &json!("tool"))
    );
    let error = refused(Host::Events, "add_guests", json!({}));
    assert_eq!(
        error["message"],
        "host events has no tool `add_guests`; host ops has it"
    );
    let error = refused(Host::Ops, "preview_call", json!({}));
    assert_eq!(error["code"], "refused");
    let error = refused(Host::Events, "update_event", json!({ "id": 1 }));
    assert_eq!(
        (&error["code"], &error["field"]),
        (&json!("invalid_argument"), &json!("arguments.id"))
    );
}

#[test]
fn an_edit_replaces_what_its_caller_saw_or_nothing() {
    let organization = Organization::create();
    let mut staff = organization.sign_in(Role::Staff);
    let event = json!(organization.event("Launch"));
    let mut rename = |from: &Value, to: &str| {
        let update = json!({ "id": event, "name": to, "start_at": null });
        let meta = json!({ "frontdesk/was": { "name": from, "start_at": null } });
        call(&mut staff, Host::Events, "update_event", &update, meta)
    };
    let renamed = rename(&json!("Launch"), "Opening");
    assert_eq!(renamed.output()["event"]["name"], "Opening");
    // Sent again, after its answer was lost.
    rename(&json!("Launch"), "Opening").output();
    let late = rename(&json!("Launch"), "Start");
    let error = late.tool_error();
    assert_eq!(
        (&error["code"], &error["details"]["current"]),
        (&json!("conflict"), &json!({ "name": "Opening" }))
    );
    assert!(error["message"].to_string().contains("(name)"), "{error}");
    let seen = staff.events("get_event", json!({ "id": event }));
    assert_eq!(seen.output()["event"]["name"], "Opening");
}

#[test]
fn every_edit_of_what_was_just_read_fits() {
    // The values are sent as they were returned: dates, amounts, lists and objects too.
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let event = json!(organization.event("Launch"));
    let guest = json!({ "event_id": event, "name": "Ana", "tags": { "table": 4 } });
    let guest = owner.events("create_event_guest", guest).output()["guest"].clone();
    let member = json!({ "name": "Ana", "tags": ["a", "b"] });
    let member = owner.call(Host::Learn, "create_member", member).output()["member"].clone();
    let invoice = json!({ "billed_to": "Ana", "description": "March", "amount": 12.5, "due_on": "2026-03-31" });
    let invoice = owner.call(Host::Staff, "create_invoice", invoice).output()["invoice"].clone();
    let session =
        json!({ "event_id": event, "title": "Talk", "start_time": "2026-03-05T09:00:00.123456Z" });
    let session = owner.events("create_event_session", session).output()["session"].clone();
    for (host, tool, record, fields) in [
        (
            Host::Events,
            "update_event_guest",
            guest,
            vec!["name", "email", "tags"],
        ),
        (
            Host::Learn,
            "update_member",
            member,
            vec!["name", "tags", "is_active"],
        ),
        (
            Host::Staff,
            "update_invoice",
            invoice,
            vec!["amount", "due_on", "member_id"],
        ),
        (
            Host::Events,
            "update_event_session",
            session,
            vec!["title", "start_time"],
        ),
    ] {
        let was: serde_json::Map<_, _> = fields
            .iter()
            .map(|name| ((*name).to_owned(), record[*name].clone()))
            .collect();
        let mut update = was.clone();
        update.insert("id".to_owned(), record["id"].clone());
        let answer = call(
            &mut owner,
            host,
            tool,
            &Value::Object(update),
            json!({ "frontdesk/was": was }),
        );
        answer.output();
    }
}
