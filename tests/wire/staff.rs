//! The staff-management host (specification, section 4.2): the rules beyond its tables.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Answer, Http, Organization, world};
use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio_postgres::types::ToSql;

use crate::wire::learn::each;

fn call(http: &mut Http, tool: &str, arguments: Value) -> Answer {
    http.call(Host::Staff, tool, arguments)
}

/// Writes as the database's owner.
fn write(sql: &str, values: &[&(dyn ToSql + Sync)]) {
    let written = world().owner().execute(sql, values);
    assert_eq!(written.expect("a row"), 1);
}

/// An invoice of 100, written by the owner.
fn invoice(owner: &mut Http) -> Value {
    let written = json!({
        "billed_to": "Ana", "description": "March", "amount": 100, "due_on": "2026-03-31",
    });
    let written = call(owner, "create_invoice", written);
    written.output()["invoice"]["id"].clone()
}

#[test]
fn students_are_the_members_of_cohorts_with_phase_and_progress() {
    let organization = Organization::create();
    let mut admin = organization.caller(Role::Owner, Host::Learn);
    let template = admin.make("create_program", json!({ "name": "Fellowship" }));
    let stage = json!({ "program_id": template, "title": "A" });
    let stage = admin.make("create_stage", stage);
    let course = admin.make("create_course", json!({ "title": "Rust" }));
    let lesson = json!({ "course_id": course, "title": "A", "status": "published" });
    let lesson = admin.make("create_lesson", lesson);
    for material in [lesson.clone(), json!(uuid::Uuid::new_v4())] {
        let milestone =
            json!({ "stage_id": stage, "title": "Demo", "linked_material_id": material });
        admin.make("create_milestone", milestone);
    }
    let cohort = admin.make("create_cohort", json!({ "name": "Turma 1" }));
    let copy = json!({ "template_id": template, "cohort_id": cohort });
    admin.output("instantiate_program", copy);
    organization.join_cohort(&cohort, organization.fellow);
    let phase = json!({ "id": organization.fellow, "phase_id": "active" });
    admin.output("update_member", phase);
    let mut fellow = organization.sign_in(Role::Fellow);
    let done = json!({ "lesson_id": lesson });
    fellow
        .call(Host::Learn, "mark_lesson_complete", done)
        .output();

    for role in [
        Role::Owner,
        Role::Admin,
        Role::Staff,
        Role::Teacher,
        Role::Finance,
    ] {
        let mut staff = organization.sign_in(role);
        let listed = call(&mut staff, "list_students", json!({}));
        let students = listed.output()["students"].as_array().expect("students");
        let student = json!({
            "id": organization.fellow, "name": "Fellow", "email": null, "phase_id": "active",
            "is_active": true, "cohorts": ["Turma 1"], "cohort_ids": [cohort],
            "total": 2, "done": 1, "percentage": 50.0,
        });
        assert_eq!(*students, [student], "{role:?}");
        let others = json!({ "cohort_id": uuid::Uuid::new_v4() });
        let none = call(&mut staff, "list_students", others);
        assert_eq!(none.output()["students"], json!([]));
    }
    // Progress on the learn host is still only visible to admins.
    let mut teacher = organization.caller(Role::Teacher, Host::Learn);
    let all = teacher.output("get_program_member_progress", json!({}));
    assert_eq!(all["progress"], json!([]));
}

#[test]
fn who_has_no_active_staff_row_is_no_registered_staff_user() {
    let organization = Organization::create();
    let mut teacher = organization.sign_in(Role::Teacher);
    call(&mut teacher, "list_students", json!({})).output();
    // Without set_staff_active, as an outside provider's account.
    let off = "update staff.users set is_active = false where id = $1";
    write(off, &[&organization.user(Role::Teacher).0]);
    let mut fellow = organization.sign_in(Role::Fellow).clone();
    let refused = [
        call(&mut teacher, "list_students", json!({})),
        fellow.initialize(Host::Staff, "2025-06-18"),
    ];
    for answer in refused {
        assert_eq!(answer.status, StatusCode::FORBIDDEN);
        let message = &answer.body["error"]["message"];
        assert_eq!(message, "Caller is not a registered staff user");
    }
    drop(fellow.session(Host::Events));
}

#[test]
fn who_is_no_longer_staff_keeps_a_member_s_rights_and_no_others() {
    let organization = Organization::create();
    let (admin, member) = (organization.user(Role::Admin).0, organization.member.0);
    organization.level(Role::Admin, 80);
    let mut caller = organization.sign_in(Role::Admin);
    let off = "update staff.users set is_active = false where id = $1";
    write(off, &[&admin]);
    let nothing = caller.rpc(Host::Learn, "tools/list", json!({}));
    assert_eq!(nothing.result()["tools"], json!([]));
    let link = "update learn.profiles set member_id = $2 where id = $1";
    write(link, &[&admin, &member]);
    let own = caller.call(Host::Learn, "list_members", json!({}));
    assert_eq!(each(own.output(), "members", "name"), ["Member"]);
    let new = json!({ "title": "Mine" });
    let refused = caller.call(Host::Learn, "create_course", new);
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
}

#[test]
fn the_staff_is_listed_with_names_and_addresses() {
    let organization = Organization::create();
    organization.level(Role::Teacher, 0);
    let mut admin = organization.sign_in(Role::Admin);
    let listed = call(&mut admin, "list_staff", json!({ "role": "teacher" }));
    let teacher = &listed.output()["staff_users"][0];
    assert_eq!(teacher["name"], "teacher");
    assert_eq!(teacher["email"], organization.email(Role::Teacher));
    let all = call(&mut admin, "list_staff", json!({}));
    assert_eq!(each(all.output(), "staff_users", "role").len(), 6);
}

#[test]
fn the_last_active_owner_stays_active() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let off = json!({ "id": organization.user(Role::Owner), "is_active": false });
    let refused = call(&mut owner, "set_staff_active", off.clone());
    refused.refuses("invalid_argument", "is_active");
    let promote = "update staff.users set role = 'owner' where id = $1";
    let second = organization.user(Role::Admin).0;
    write(promote, &[&second]);
    let mut second_owner = organization.sign_in(Role::Admin);
    call(&mut owner, "set_staff_active", off).output();
    // Now the second one is the last.
    let off = json!({ "id": second, "is_active": false });
    let refused = call(&mut second_owner, "set_staff_active", off);
    refused.refuses("invalid_argument", "is_active");
}

#[test]
fn another_organisation_s_staff_is_not_found() {
    let (ours, theirs) = (Organization::create(), Organization::create());
    let mut owner = ours.sign_in(Role::Owner);
    let off = json!({ "id": theirs.user(Role::Teacher), "is_active": false });
    call(&mut owner, "set_staff_active", off).refuses("not_found", "id");
}

#[test]
fn an_invoice_s_payments_never_exceed_it() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let invoice = invoice(&mut owner);
    let pay = |amount: f64| json!({ "invoice_id": invoice, "amount": amount });
    let early = call(&mut owner, "record_payment", pay(10.0));
    early.refuses("invalid_argument", "invoice_id");
    call(&mut owner, "mark_invoice_sent", json!({ "id": invoice })).output();
    let paid = call(&mut owner, "record_payment", pay(99.99));
    assert_eq!(paid.output()["invoice"]["status"], "sent");
    let too_much = call(&mut owner, "record_payment", pay(0.02));
    too_much.refuses_with("invalid_argument", "amount", "at most 0.01 is outstanding");
    call(&mut owner, "record_payment", pay(0.0)).refuses("invalid_argument", "amount");
    let rest = call(&mut owner, "record_payment", pay(0.01));
    assert_eq!(rest.output()["invoice"]["status"], "paid");
    let more = call(&mut owner, "record_payment", pay(0.01));
    more.refuses_with(
        "invalid_argument",
        "invoice_id",
        "this invoice is already paid",
    );
    let found = call(&mut owner, "get_invoice", json!({ "id": invoice }));
    let found = &found.output()["invoice"];
    assert_eq!(found["paid"], 100.0);
    assert_eq!(found["outstanding"], 0.0);
    assert_eq!(found["currency"], "BRL");
    assert_eq!(found["name"], "1 · Ana");
    let by_number = call(&mut owner, "list_invoices", json!({ "search": "1" }));
    assert_eq!(each(by_number.output(), "invoices", "number"), ["1"]);
    assert_eq!(found["payments"].as_array().map(Vec::len), Some(2));
}

#[test]
fn an_invoice_that_was_sent_is_cancelled_and_not_changed() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let invoice = invoice(&mut owner);
    let id = json!({ "id": invoice });
    let dearer = json!({ "id": invoice, "amount": 120 });
    call(&mut owner, "update_invoice", dearer.clone()).output();
    call(&mut owner, "mark_invoice_sent", id.clone()).output();
    call(&mut owner, "update_invoice", dearer).output();
    let cheaper = json!({ "id": invoice, "amount": 80 });
    let refused = call(&mut owner, "update_invoice", cheaper.clone());
    refused.refuses("invalid_argument", "id");
    for _ in 0..2 {
        let cancelled = call(&mut owner, "cancel_invoice", id.clone());
        assert_eq!(cancelled.output()["invoice"]["status"], "cancelled");
    }
    for (tool, arguments) in [
        ("update_invoice", cheaper),
        (
            "record_payment",
            json!({ "invoice_id": invoice, "amount": 1 }),
        ),
    ] {
        let refused = call(&mut owner, tool, arguments).tool_error();
        assert_eq!(refused["code"], "invalid_argument", "{tool}");
    }
}

#[test]
fn an_invoice_with_payments_is_not_cancelled() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let invoice = invoice(&mut owner);
    let id = json!({ "id": invoice });
    call(&mut owner, "mark_invoice_sent", id.clone()).output();
    let pay = json!({ "invoice_id": invoice, "amount": 1 });
    call(&mut owner, "record_payment", pay).output();
    let refused = call(&mut owner, "cancel_invoice", id);
    refused.refuses("invalid_argument", "id");
}

#[test]
fn due_are_drafts_and_unpaid_invoices_up_to_a_day() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let mut write = |what: &str, due_on: &str| {
        let written = json!({
            "billed_to": "Ana", "description": what, "amount": 5, "due_on": due_on,
        });
        let written = call(&mut owner, "create_invoice", written);
        written.output()["invoice"]["id"].clone()
    };
    write("Draft", "2026-03-02");
    write("Later", "2026-03-03");
    let (sent, paid) = (write("Sent", "2026-03-01"), write("Paid", "2026-03-01"));
    let gone = write("Cancelled", "2026-03-01");
    let mut machine = organization.sign_in(Role::Automation);
    for invoice in [&sent, &paid] {
        let marked = call(&mut machine, "mark_invoice_sent", json!({ "id": invoice }));
        assert_eq!(marked.output()["invoice"]["status"], "sent");
    }
    let pay = json!({ "invoice_id": paid, "amount": 5 });
    call(&mut owner, "record_payment", pay).output();
    call(&mut owner, "cancel_invoice", json!({ "id": gone })).output();
    let due = call(
        &mut machine,
        "list_due_invoices",
        json!({ "until": "2026-03-02" }),
    );
    assert_eq!(
        each(due.output(), "invoices", "description"),
        ["Sent", "Draft"]
    );
    let refused = call(&mut machine, "mark_invoice_sent", json!({ "id": gone }));
    refused.refuses("invalid_argument", "id");
}

#[test]
fn a_payment_that_was_recorded_by_mistake_is_reversed_and_stays_listed() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let invoice = invoice(&mut owner);
    let id = json!({ "id": invoice });
    call(&mut owner, "mark_invoice_sent", id.clone()).output();
    let pay = json!({ "invoice_id": invoice, "amount": 100 });
    let paid = call(&mut owner, "record_payment", pay);
    assert_eq!(paid.output()["invoice"]["status"], "paid");
    let of = json!({ "invoice_id": invoice });
    let payments = call(&mut owner, "list_payments", of.clone());
    let payment = json!({ "id": payments.output()["payments"][0]["id"] });
    let mut teacher = organization.sign_in(Role::Teacher);
    assert_eq!(
        call(&mut teacher, "reverse_payment", payment.clone()).status,
        403
    );
    for _ in 0..2 {
        let reversed = call(&mut owner, "reverse_payment", payment.clone());
        let reversed = &reversed.output()["invoice"];
        assert_eq!(
            (
                &reversed["status"],
                &reversed["paid"],
                &reversed["outstanding"]
            ),
            (&json!("sent"), &json!(0.0), &json!(100.0))
        );
    }
    let payments = call(&mut owner, "list_payments", of);
    assert!(payments.output()["payments"][0]["reversed_at"].is_string());
    // The reversal is undone like any other change, and the invoice is paid again.
    let changes = owner.call(Host::Ops, "list_changes", json!({ "limit": 1 }));
    let change = json!({ "change_id": changes.output()["changes"][0]["id"] });
    owner.call(Host::Ops, "undo_change", change).output();
    let found = call(&mut owner, "get_invoice", id);
    assert_eq!(found.output()["invoice"]["status"], "paid");
}
