//! Who is removed for good is nowhere in the database, not in the history and not in a stored result.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Browser, Http, Organization, join, world};
use serde_json::{Value, json};

/// The rows of all tables that have this text.
fn rows_with(text: &str) -> Vec<String> {
    let owner = world().owner();
    let tables = owner
        .query(
            "select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace \
             where c.relkind = 'r' and n.nspname <> 'information_schema' and n.nspname not like 'pg!_%' escape '!'",
            &[],
        )
        .expect("tables");
    let mut found = Vec::new();
    for table in &tables {
        let table: &str = table.get(0);
        let sql = format!("select t::text from {table} t where strpos(lower(t::text), $1) > 0");
        for row in owner.query(&sql, &[&text]).expect("rows") {
            found.push(format!("{table}: {}", row.get::<_, &str>(0)));
        }
    }
    found
}

/// A call with an idempotency key.
fn keyed(http: &mut Http, host: Host, tool: &str, arguments: Value, key: &str) -> Value {
    let params =
        json!({ "name": tool, "arguments": arguments, "_meta": { "idempotencyKey": key } });
    http.rpc(host, "tools/call", params).output().clone()
}

#[test]
fn a_deleted_member_is_nowhere() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let mark = format!("mark{}", organization.id.0.simple());
    let fields = [
        "name",
        "personal_email",
        "corporate_email",
        "phone",
        "city",
        "state",
    ];
    let mut person = json!({ "tags": [format!("{mark}-tag")] });
    for field in fields {
        person[field] = json!(format!("{mark}-{field}"));
    }
    let add =
        json!({ "host": "learn", "calls": [{ "tool": "create_member", "arguments": person }] });
    let added = keyed(&mut owner, Host::Ops, "run_batch", add, "1");
    let id = &added["results"][0]["member"]["id"];
    let change = json!({ "id": id, "city": format!("{mark}-other-city") });
    keyed(&mut owner, Host::Learn, "update_member", change, "2");
    assert!(rows_with(&mark).len() > 4, "{:?}", rows_with(&mark));

    let delete = json!({ "id": id, "hard_delete": true });
    keyed(
        &mut owner,
        Host::Learn,
        "delete_member",
        delete.clone(),
        "3",
    );
    assert_eq!(rows_with(&mark), [] as [String; 0]);
    // The deletion is not made again, and says nothing about the person.
    let params = json!({
        "name": "delete_member", "arguments": delete, "_meta": { "idempotencyKey": "3" },
    });
    let again = owner.rpc(Host::Learn, "tools/call", params);
    assert_eq!(again.refusal(), "refused");
    assert!(
        again.body.to_string().contains("was made"),
        "{}",
        again.body
    );
}

#[test]
fn of_a_removed_account_only_the_name_stays() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let mark = format!("mark{}", organization.id.0.simple());
    let email = format!("{mark}@frontdesk.test");
    let password = "a long password";
    let invite = json!({ "email": email, "name": "Ana Souza", "role": "staff" });
    let invited = owner.call(Host::Staff, "invite_staff", invite);
    let link = invited.output()["link"]
        .as_str()
        .expect("a link")
        .to_owned();
    join(&mut Browser::default(), &link, password);
    let mut ana = Http::sign_in(&world().url(), &email, password);
    let listed = owner.call(Host::Staff, "list_staff", json!({}));
    let users = listed.output()["staff_users"].clone();
    let user = users
        .as_array()
        .and_then(|users| users.iter().find(|user| user["email"] == email.as_str()));
    let user = user.unwrap_or_else(|| panic!("{users}"));
    let (id, member) = (user["id"].clone(), user["member_id"].clone());
    let change = json!({
        "id": id, "chat_user_id": format!("{mark}-chat"), "code_host_login": format!("{mark}-login"),
    });
    keyed(&mut owner, Host::Staff, "update_staff_user", change, "1");
    let event = organization.event("Launch");
    let rename = json!({ "id": event, "name": "Opening" });
    keyed(&mut ana, Host::Events, "update_event", rename, &mark);
    assert!(rows_with(&mark).len() > 4, "{:?}", rows_with(&mark));

    keyed(
        &mut owner,
        Host::Staff,
        "remove_staff_user",
        json!({ "id": id }),
        "2",
    );
    let is_member = |row: &String| row.starts_with("learn.members");
    assert!(rows_with(&mark).iter().any(is_member), "the member stays");
    let delete = json!({ "id": member, "hard_delete": true });
    keyed(&mut owner, Host::Learn, "delete_member", delete, "3");
    let stays = rows_with(&mark);
    let is_own_key = |row: &String| row.starts_with("app.changes") && row.contains("update_event");
    assert!(stays.iter().all(is_own_key), "{stays:#?}");
    assert!(!rows_with("ana souza (former)").is_empty());
}

#[test]
fn what_a_batch_searched_for_is_forgotten_with_the_member() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let mark = format!("mark{}@example.org", organization.id.0.simple());
    let person = json!({ "name": "Ana Souza", "personal_email": mark });
    let added = owner.call(Host::Learn, "create_member", person);
    let id = &added.output()["member"]["id"];
    let calls = json!([
        { "tool": "list_members", "arguments": { "search": mark } },
        { "tool": "create_cohort", "arguments": { "name": "2026" } },
    ]);
    keyed(
        &mut owner,
        Host::Ops,
        "run_batch",
        json!({ "host": "learn", "calls": calls }),
        "1",
    );
    assert!(!rows_with(&mark).is_empty());
    let delete = json!({ "id": id, "hard_delete": true });
    owner.call(Host::Learn, "delete_member", delete).output();
    assert_eq!(rows_with(&mark), [] as [String; 0]);
}

#[test]
fn a_person_is_forgotten_but_for_what_the_law_keeps() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let mark = format!("mark{}", organization.id.0.simple());
    let email = format!("{mark}@example.org");
    let person = json!({ "name": format!("Ana {mark}"), "personal_email": email, "phone": "+5511987654321" });
    let member = owner.call(Host::Learn, "create_member", person).output()["member"]["id"].clone();
    let event = json!(organization.event("Launch"));
    for guest in [
        json!({ "event_id": event, "name": format!("Ana {mark}"), "member_id": member, "tags": { "note": mark } }),
        json!({ "event_id": organization.event("Other"), "name": "A. S.", "email": email }),
    ] {
        owner.events("create_event_guest", guest).output();
    }
    let invoice = json!({
        "billed_to": format!("Ana {mark}"), "email": email, "member_id": member, "description": "March", "amount": 5,
        "due_on": "2026-03-31",
    });
    let sent = owner
        .call(Host::Staff, "create_invoice", invoice.clone())
        .output()["invoice"]["id"]
        .clone();
    owner
        .call(Host::Staff, "mark_invoice_sent", json!({ "id": sent }))
        .output();
    owner.call(Host::Staff, "create_invoice", invoice).output();
    owner
        .call(Host::Learn, "list_members", json!({ "search": email }))
        .output();

    let forget = json!({ "member_id": member });
    let previewed = json!({ "host": "ops", "tool": "forget_person", "arguments": forget });
    let shown = owner.call(Host::Ops, "preview_call", previewed);
    assert_eq!(shown.output()["result"]["records"][0]["kind"], "member");
    assert!(rows_with(&mark).len() > 6);
    let forgotten = owner.call(Host::Ops, "forget_person", forget.clone());
    let records: Vec<_> = (forgotten.output()["records"]
        .as_array()
        .expect("records")
        .iter())
    .map(|one| format!("{} {} {}", one["number"], one["kind"], one["outcome"]).replace('"', ""))
    .collect();
    assert_eq!(
        records,
        [
            "1 member anonymous",
            "2 guest anonymous",
            "1 invoice anonymous",
            "1 invoice kept"
        ]
    );
    let stays = rows_with(&mark);
    assert!(
        stays.iter().all(|row| row.starts_with("staff.invoices")),
        "{stays:#?}"
    );
    assert_eq!(stays.len(), 1);
    // The events still count their guests.
    let counted = owner.events("get_event", json!({ "id": event }));
    assert_eq!(counted.output()["event"]["guest_count"], 1);
    owner
        .call(Host::Ops, "forget_person", forget)
        .refuses("not_found", "member_id");
}

#[test]
fn a_fellow_is_forgotten_with_the_account_and_staff_are_not() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let fellow = organization.sign_in(Role::Fellow);
    let forget = json!({ "member_id": organization.fellow });
    owner.call(Host::Ops, "forget_person", forget).output();
    let used = fellow.initialize(Host::Learn, "2025-06-18");
    assert_eq!(used.body["error"]["message"], "the account was removed");
    let link = json!({ "id": organization.user(Role::Teacher), "member_id": organization.member });
    owner.call(Host::Staff, "update_staff_user", link).output();
    let forget = json!({ "member_id": organization.member });
    owner
        .call(Host::Ops, "forget_person", forget.clone())
        .refuses("invalid_argument", "member_id");
    let refused = organization
        .sign_in(Role::Admin)
        .call(Host::Ops, "forget_person", forget);
    assert_eq!(refused.refusal(), "forbidden");
}
