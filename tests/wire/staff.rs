//! The staff-management host (specification, section 4.2): what its tools promise beyond their tables.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Answer, Http, Organization, run, world};
use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio_postgres::types::ToSql;

use crate::learn::{Admin, each};

async fn call(http: &mut Http, tool: &str, arguments: Value) -> Answer {
    http.call(Host::Staff, tool, arguments).await
}

/// Writes as the database's owner.
async fn write(sql: &str, values: &[&(dyn ToSql + Sync)]) {
    let written = world().owner().await.execute(sql, values).await;
    assert_eq!(written.expect("a row"), 1);
}

/// An invoice of 100, written by the owner.
async fn invoice(owner: &mut Http) -> Value {
    let written = json!({
        "billed_to": "Ana", "description": "March", "amount": 100, "due_on": "2026-03-31",
    });
    let written = call(owner, "create_invoice", written).await;
    written.output()["invoice"]["id"].clone()
}

#[test]
fn students_are_the_members_of_cohorts_with_phase_and_progress() {
    run(async {
        let organization = Organization::create().await;
        let mut admin = Admin(organization.sign_in(Role::Owner).await);
        let template = admin
            .make("create_program", json!({ "name": "Fellowship" }))
            .await;
        let stage = json!({ "program_id": template, "title": "A" });
        let stage = admin.make("create_stage", stage).await;
        let course = admin
            .make("create_course", json!({ "title": "Rust" }))
            .await;
        let lesson = json!({ "course_id": course, "title": "A", "status": "published" });
        let lesson = admin.make("create_lesson", lesson).await;
        for material in [lesson.clone(), json!(uuid::Uuid::new_v4())] {
            let milestone =
                json!({ "stage_id": stage, "title": "Demo", "linked_material_id": material });
            admin.make("create_milestone", milestone).await;
        }
        let cohort = admin
            .make("create_cohort", json!({ "name": "Turma 1" }))
            .await;
        let copy = json!({ "template_id": template, "cohort_id": cohort });
        admin.output("instantiate_program", copy).await;
        organization.join_cohort(&cohort, organization.fellow).await;
        let phase = json!({ "id": organization.fellow, "phase_id": "active" });
        admin.output("update_member", phase).await;
        let mut fellow = organization.sign_in(Role::Fellow).await;
        let done = json!({ "lesson_id": lesson });
        fellow
            .call(Host::Learn, "mark_lesson_complete", done)
            .await
            .output();

        for role in [
            Role::Owner,
            Role::Admin,
            Role::Staff,
            Role::Teacher,
            Role::Finance,
        ] {
            let mut staff = organization.sign_in(role).await;
            let listed = call(&mut staff, "list_students", json!({})).await;
            let students = listed.output()["students"].as_array().expect("students");
            let student = json!({
                "id": organization.fellow, "name": "Fellow", "email": null, "phase_id": "active",
                "is_active": true, "cohorts": ["Turma 1"], "cohort_ids": [cohort],
                "total": 2, "done": 1, "percentage": 50.0,
            });
            assert_eq!(*students, [student], "{role:?}");
            let others = json!({ "cohort_id": uuid::Uuid::new_v4() });
            let none = call(&mut staff, "list_students", others).await;
            assert_eq!(none.output()["students"], json!([]));
        }
        // What the learn host says of progress stays an admin's.
        let mut teacher = Admin(organization.sign_in(Role::Teacher).await);
        let all = teacher
            .output("get_program_member_progress", json!({}))
            .await;
        assert_eq!(all["progress"], json!([]));
    });
}

#[test]
fn who_has_no_active_staff_row_is_no_registered_staff_user() {
    run(async {
        let organization = Organization::create().await;
        let mut owner = organization.sign_in(Role::Owner).await;
        let mut teacher = organization.sign_in(Role::Teacher).await;
        call(&mut teacher, "list_students", json!({}))
            .await
            .output();
        let off = json!({ "id": organization.user(Role::Teacher), "is_active": false });
        let set = call(&mut owner, "set_staff_active", off).await;
        assert_eq!(set.output()["staff_user"]["is_active"], false);
        let mut fellow = organization.sign_in(Role::Fellow).await.clone();
        let refused = [
            call(&mut teacher, "list_students", json!({})).await,
            fellow.initialize(Host::Staff, "2025-06-18").await,
        ];
        for answer in refused {
            assert_eq!(answer.status, StatusCode::FORBIDDEN);
            let message = &answer.body["error"]["message"];
            assert_eq!(message, "Caller is not a registered staff user");
        }
        drop(fellow.session(Host::Events).await);
    });
}

#[test]
fn who_is_no_longer_staff_keeps_a_member_s_rights_and_no_others() {
    run(async {
        let organization = Organization::create().await;
        let (admin, member) = (organization.user(Role::Admin).0, organization.member.0);
        organization.level(Role::Admin, 80).await;
        let mut caller = organization.sign_in(Role::Admin).await;
        let off = "update staff.users set is_active = false where id = $1";
        write(off, &[&admin]).await;
        let nothing = caller.rpc(Host::Learn, "tools/list", json!({})).await;
        assert_eq!(nothing.result()["tools"], json!([]));
        let link = "update learn.profiles set member_id = $2 where id = $1";
        write(link, &[&admin, &member]).await;
        let own = caller.call(Host::Learn, "list_members", json!({})).await;
        assert_eq!(each(own.output(), "members", "name"), ["Member"]);
        let new = json!({ "title": "Mine" });
        let refused = caller.call(Host::Learn, "create_course", new).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN);
    });
}

#[test]
fn the_staff_is_listed_with_names_and_addresses() {
    run(async {
        let organization = Organization::create().await;
        organization.level(Role::Teacher, 0).await;
        let mut admin = organization.sign_in(Role::Admin).await;
        let listed = call(&mut admin, "list_staff", json!({ "role": "teacher" })).await;
        let teacher = &listed.output()["staff_users"][0];
        assert_eq!(teacher["name"], "teacher");
        assert_eq!(teacher["email"], organization.email(Role::Teacher));
        let all = call(&mut admin, "list_staff", json!({})).await;
        assert_eq!(each(all.output(), "staff_users", "role").len(), 6);
    });
}

#[test]
fn the_last_active_owner_stays_active() {
    run(async {
        let organization = Organization::create().await;
        let mut owner = organization.sign_in(Role::Owner).await;
        let off = json!({ "id": organization.user(Role::Owner), "is_active": false });
        let refused = call(&mut owner, "set_staff_active", off.clone()).await;
        refused.refuses("invalid_argument", "is_active");
        let promote = "update staff.users set role = 'owner' where id = $1";
        let second = organization.user(Role::Admin).0;
        write(promote, &[&second]).await;
        call(&mut owner, "set_staff_active", off).await.output();
        // And now the second one is the last.
        let mut second_owner = organization.sign_in(Role::Admin).await;
        let off = json!({ "id": second, "is_active": false });
        let refused = call(&mut second_owner, "set_staff_active", off).await;
        refused.refuses("invalid_argument", "is_active");
    });
}

#[test]
fn another_organisation_s_staff_is_not_found() {
    run(async {
        let (ours, theirs) = (Organization::create().await, Organization::create().await);
        let mut owner = ours.sign_in(Role::Owner).await;
        let off = json!({ "id": theirs.user(Role::Teacher), "is_active": false });
        call(&mut owner, "set_staff_active", off)
            .await
            .refuses("not_found", "id");
    });
}

#[test]
fn an_invoice_s_payments_never_exceed_it() {
    run(async {
        let organization = Organization::create().await;
        let mut owner = organization.sign_in(Role::Owner).await;
        let invoice = invoice(&mut owner).await;
        let pay = |amount: f64| json!({ "invoice_id": invoice, "amount": amount });
        let early = call(&mut owner, "record_payment", pay(10.0)).await;
        early.refuses("invalid_argument", "invoice_id");
        call(&mut owner, "mark_invoice_sent", json!({ "id": invoice }))
            .await
            .output();
        let paid = call(&mut owner, "record_payment", pay(99.99)).await;
        assert_eq!(paid.output()["invoice"]["status"], "sent");
        let too_much = call(&mut owner, "record_payment", pay(0.02)).await;
        too_much.refuses("invalid_argument", "amount");
        call(&mut owner, "record_payment", pay(0.0))
            .await
            .refuses("invalid_argument", "amount");
        let rest = call(&mut owner, "record_payment", pay(0.01)).await;
        assert_eq!(rest.output()["invoice"]["status"], "paid");
        let found = call(&mut owner, "get_invoice", json!({ "id": invoice })).await;
        let found = &found.output()["invoice"];
        assert_eq!(found["paid"], 100.0);
        assert_eq!(found["payments"].as_array().map(Vec::len), Some(2));
    });
}

#[test]
fn an_invoice_that_was_sent_is_cancelled_and_not_changed() {
    run(async {
        let organization = Organization::create().await;
        let mut owner = organization.sign_in(Role::Owner).await;
        let invoice = invoice(&mut owner).await;
        let id = json!({ "id": invoice });
        let dearer = json!({ "id": invoice, "amount": 120 });
        call(&mut owner, "update_invoice", dearer.clone())
            .await
            .output();
        call(&mut owner, "mark_invoice_sent", id.clone())
            .await
            .output();
        call(&mut owner, "update_invoice", dearer).await.output();
        let cheaper = json!({ "id": invoice, "amount": 80 });
        let refused = call(&mut owner, "update_invoice", cheaper.clone()).await;
        refused.refuses("invalid_argument", "id");
        for _ in 0..2 {
            let cancelled = call(&mut owner, "cancel_invoice", id.clone()).await;
            assert_eq!(cancelled.output()["invoice"]["status"], "cancelled");
        }
        for (tool, arguments) in [
            ("update_invoice", cheaper),
            (
                "record_payment",
                json!({ "invoice_id": invoice, "amount": 1 }),
            ),
        ] {
            let refused = call(&mut owner, tool, arguments).await.tool_error();
            assert_eq!(refused["code"], "invalid_argument", "{tool}");
        }
    });
}

#[test]
fn an_invoice_with_payments_is_not_cancelled() {
    run(async {
        let organization = Organization::create().await;
        let mut owner = organization.sign_in(Role::Owner).await;
        let invoice = invoice(&mut owner).await;
        let id = json!({ "id": invoice });
        call(&mut owner, "mark_invoice_sent", id.clone())
            .await
            .output();
        let pay = json!({ "invoice_id": invoice, "amount": 1 });
        call(&mut owner, "record_payment", pay).await.output();
        let refused = call(&mut owner, "cancel_invoice", id).await;
        refused.refuses("invalid_argument", "id");
    });
}

#[test]
fn due_are_drafts_and_unpaid_invoices_up_to_a_day() {
    run(async {
        let organization = Organization::create().await;
        let mut owner = organization.sign_in(Role::Owner).await;
        let mut write = async |what: &str, due_on: &str| {
            let written = json!({
                "billed_to": "Ana", "description": what, "amount": 5, "due_on": due_on,
            });
            let written = call(&mut owner, "create_invoice", written).await;
            written.output()["invoice"]["id"].clone()
        };
        write("Draft", "2026-03-02").await;
        write("Later", "2026-03-03").await;
        let (sent, paid) = (
            write("Sent", "2026-03-01").await,
            write("Paid", "2026-03-01").await,
        );
        let gone = write("Cancelled", "2026-03-01").await;
        let mut machine = organization.sign_in(Role::Automation).await;
        for invoice in [&sent, &paid] {
            let marked = call(&mut machine, "mark_invoice_sent", json!({ "id": invoice })).await;
            assert_eq!(marked.output()["invoice"]["status"], "sent");
        }
        let pay = json!({ "invoice_id": paid, "amount": 5 });
        call(&mut owner, "record_payment", pay).await.output();
        call(&mut owner, "cancel_invoice", json!({ "id": gone }))
            .await
            .output();
        let due = call(
            &mut machine,
            "list_due_invoices",
            json!({ "until": "2026-03-02" }),
        )
        .await;
        assert_eq!(
            each(due.output(), "invoices", "description"),
            ["Sent", "Draft"]
        );
        let refused = call(&mut machine, "mark_invoice_sent", json!({ "id": gone })).await;
        refused.refuses("invalid_argument", "id");
    });
}
