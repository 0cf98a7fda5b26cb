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

/// The calls in the history that have this text among their arguments.
fn called_with(text: &str) -> Vec<String> {
    let sql = "select c.tool from app.changes c where strpos(lower(c.arguments), $1) > 0";
    let rows = world().owner().query(sql, &[&text]).expect("changes");
    rows.iter().map(|row| row.get(0)).collect()
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
        let domain = if field.ends_with("email") {
            "@example.org"
        } else {
            ""
        };
        person[field] = json!(format!("{mark}-{field}{domain}"));
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
    assert_eq!(called_with(&email), [] as [String; 0]);
    let delete = json!({ "id": member, "hard_delete": true });
    keyed(&mut owner, Host::Learn, "delete_member", delete, "3");
    let stays = rows_with(&mark);
    let is_own_key = |row: &String| row.starts_with("app.changes") && row.contains("update_event");
    assert!(stays.iter().all(is_own_key), "{stays:#?}");
    assert!(!rows_with("ana souza (former)").is_empty());
}

#[test]
fn the_address_of_an_account_that_the_operator_removes_is_in_no_call() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let email = format!("{}@frontdesk.test", organization.id.0.simple());
    let invite = json!({ "email": email, "name": "Ana Souza", "role": "staff" });
    let invited = owner.call(Host::Staff, "invite_staff", invite);
    let link = invited.output()["link"]
        .as_str()
        .expect("a link")
        .to_owned();
    join(&mut Browser::default(), &link, "a long password");
    assert_eq!(called_with(&email), ["invite_staff"]);
    let remove = "select auth.remove_account(u.id) from auth.users u where u.email = $1";
    world().owner().query(remove, &[&email]).expect("removed");
    assert_eq!(called_with(&email), [] as [String; 0]);
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
        json!({ "event_id": organization.event("Other"), "name": format!("ana {mark}"), "email": email }),
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
            "1 invoice kept",
            "6 history entry erased"
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

/// Each table that refers to members or guests, and what `forget_person` does to its rows.
const ABOUT_PEOPLE: &[(&str, &str)] = &[
    ("engineering.pull_requests", "without the login"),
    ("events.guests", "anonymous"),
    ("events.movements", "times and gates, without the reason"),
    ("events.photo_members", "ids only"),
    ("events.presence", "times and gates only"),
    ("events.session_guests", "ids only"),
    ("events.tasks", "about the event"),
    ("learn.cohort_members", "ids only"),
    ("learn.courses", "about the course"),
    ("learn.milestone_completions", "ids only"),
    ("learn.profiles", "anonymous"),
    ("learn.tutor_profiles", "erased"),
    ("payments.fellow_payments", "kept by law"),
    ("quiz.attempts", "numbers only"),
    ("quiz.dispatches", "erased"),
    ("staff.invitations", "erased"),
    ("staff.invoices", "kept by law, but for drafts"),
    ("work.deliveries", "about the work"),
    ("work.meeting_participants", "anonymous"),
    ("work.member_label_aliases", "erased"),
    ("work.placements", "erased"),
    ("work.task_status_changes", "about the work"),
    ("work.tasks", "about the work"),
    ("work.transcript_segments", "anonymous"),
];

/// The columns of a person's own rows that stay: a word of the organisation, and no fact about the person.
const STAYS: &[&str] = &["phase_id"];

#[test]
fn whatever_a_person_s_rows_say_goes() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let event = organization.event("Launch");
    let guest = json!({ "event_id": event, "name": "Fellow", "member_id": organization.fellow });
    let guest = owner.events("create_event_guest", guest).output()["guest"]["id"].clone();
    let mark = format!("mark{}", organization.id.0.simple());
    let admitted =
        json!({ "guest_id": guest, "direction": "in", "reason": format!("{mark}-reason") });
    owner.events("record_movement", admitted).output();
    let database = world().owner();
    let tables = "select distinct c.conrelid::regclass::text from pg_constraint c \
         where c.contype = 'f' and c.confrelid in ('learn.members'::regclass, 'events.guests'::regclass) order by 1";
    let tables = database.query(tables, &[]).expect("tables");
    let tables: Vec<&str> = tables.iter().map(|row| row.get(0)).collect();
    let decided: Vec<&str> = ABOUT_PEOPLE.iter().map(|(table, _)| *table).collect();
    assert_eq!(
        tables, decided,
        "another table refers to people: decide what becomes of its rows"
    );
    let (fellow, user) = (organization.fellow.0, organization.user(Role::Fellow).0);
    for (table, key, id) in [
        ("learn.members", "id", fellow),
        ("learn.profiles", "id", user),
        ("events.guests", "member_id", fellow),
    ] {
        let columns = "select a.attname::text, format_type(a.atttypid, null) from pg_attribute a \
             where a.attrelid = $1::text::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' \
               and a.atttypid in ('text'::regtype, 'text[]'::regtype, 'json'::regtype, 'jsonb'::regtype)";
        for column in &database.query(columns, &[&table]).expect("columns") {
            let (name, kind): (&str, &str) = (column.get(0), column.get(1));
            if STAYS.contains(&name) {
                continue;
            }
            let text = format!("{mark}-{}", name.replace('_', "-"));
            let value = match kind {
                "text" => text,
                "text[]" => format!("{{{text}}}"),
                _ => json!({ "note": text }).to_string(),
            };
            let fill = format!("update {table} set {name} = '{value}' where {key} = $1");
            let filled = database.query(&fill, &[&id]);
            filled.unwrap_or_else(|error| panic!("{table}.{name}: {error:?}"));
        }
    }
    drop(database);
    assert!(rows_with(&mark).len() > 2, "{:?}", rows_with(&mark));
    let forget = json!({ "member_id": organization.fellow });
    owner.call(Host::Ops, "forget_person", forget).output();
    assert_eq!(rows_with(&mark), [] as [String; 0]);
}

#[test]
fn a_word_that_was_given_as_an_address_takes_no_entry_of_others() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let event = organization.event("Open day");
    let guest = json!({ "event_id": event, "name": "Guest", "phone_number": "2026-12-01", "chat_id": "confirmed" });
    let guest = owner.events("create_event_guest", guest).output()["guest"]["id"].clone();
    // As an earlier version took it.
    let id: uuid::Uuid = serde_json::from_value(guest.clone()).expect("an id");
    let sql = "update events.guests set email = 'vip@' where id = $1";
    world().owner().execute(sql, &[&id]).expect("a guest");
    for (tool, arguments) in [
        (
            "create_event_guest",
            json!({ "event_id": event, "name": "Ana", "role": "vip@", "tags": { "state": "confirmed" } }),
        ),
        (
            "create_event_task",
            json!({ "event_id": event, "title": "confirmed", "due_date": "2026-12-01" }),
        ),
        (
            "create_event_guest",
            json!({ "event_id": event, "name": "Rosa", "tags": { "phone_number": "2026-12-02" } }),
        ),
    ] {
        owner.events(tool, arguments).output();
    }
    owner
        .call(Host::Ops, "forget_person", json!({ "guest_id": guest }))
        .output();
    let listed = owner.call(Host::Ops, "list_changes", json!({ "limit": 5 }));
    for change in &listed.output()["changes"].as_array().expect("changes")[1..4] {
        assert_eq!(change["can_undo"], true, "{change}");
        let got = owner.call(
            Host::Ops,
            "get_change",
            json!({ "change_id": change["id"] }),
        );
        assert!(got.output()["change"]["arguments"].is_object(), "{change}");
    }
}

#[test]
fn a_shared_address_is_no_identity() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let event = organization.event("Open day");
    let mut guest = |name: &str, email: &str, phone: &str| {
        let guest =
            json!({ "event_id": event, "name": name, "email": email, "phone_number": phone });
        owner.events("create_event_guest", guest).output()["guest"]["id"].clone()
    };
    let address = format!("mark{}@example.org", organization.id.0.simple());
    let child = guest("Bea", &address, "12000");
    let mother = guest("Rosa", &address.to_uppercase(), "");
    let sister = guest("Lia", &address, "");
    let unit = json!({ "name": "Unit 12000" });
    owner
        .call(Host::Work, "create_business_unit", unit)
        .output();
    let names = |owner: &mut Http| {
        let listed = owner.events("list_event_guests", json!({ "event_id": event }));
        let listed = listed.output()["guests"]
            .as_array()
            .expect("guests")
            .clone();
        let mut names: Vec<_> = listed
            .iter()
            .map(|guest| guest["name"].to_string())
            .collect();
        names.sort();
        names
    };
    let forgotten = owner.call(Host::Ops, "forget_person", json!({ "guest_id": child }));
    let records = &forgotten.output()["records"];
    let kept = records[1]["reason"].as_str().expect("a reason");
    assert_eq!(
        (&records[1]["number"], &records[1]["outcome"]),
        (&json!(2), &json!("kept"))
    );
    for (name, id) in [("Lia", &sister), ("Rosa", &mother)] {
        let who = format!("“{name}” ({})", id.as_str().expect("an id"));
        assert!(kept.contains(&who), "{kept}");
    }
    assert_eq!(
        names(&mut owner),
        ["\"Forgotten person\"", "\"Lia\"", "\"Rosa\""]
    );
    // What only resembles it can still be undone, and others' entries are whole.
    let listed = owner.call(Host::Ops, "list_changes", json!({ "limit": 4 }));
    let undoable = |tool: &str, name: &str| {
        let changes = listed.output()["changes"].as_array().expect("changes");
        let change = changes.iter().find(|change| {
            change["tool"] == tool
                && change["summary"]
                    .as_str()
                    .is_some_and(|said| said.contains(name))
        });
        change.map(|change| change["can_undo"].clone())
    };
    assert_eq!(
        undoable("create_business_unit", "Unit 12000"),
        Some(json!(true))
    );
    assert_eq!(undoable("create_event_guest", "Rosa"), Some(json!(true)));
    let forget = json!({ "guest_id": mother, "guest_ids": [sister] });
    owner.call(Host::Ops, "forget_person", forget).output();
    assert_eq!(names(&mut owner), ["\"Forgotten person\""; 3]);
    assert_eq!(rows_with(&address), [] as [String; 0]);
}
