//! Two callers at once at the staff-management host: unique records exist once.

use std::collections::BTreeSet;

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::code_host::Browser;
use frontdesk_tests::{Http, Organization, run, world};
use reqwest::StatusCode;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::server::together::{held, race};

fn id(value: &Value) -> Uuid {
    value
        .as_str()
        .and_then(|id| id.parse().ok())
        .expect("an id")
}

pub(crate) fn of_two_owners_who_take_each_other_s_rights_one_stays() {
    run(async {
        let organization = Organization::create().await;
        let second = organization.user(Role::Admin).0;
        let promote = "update staff.users set role = 'owner' where id = $1";
        let owner = world().owner().await;
        owner.execute(promote, &[&second]).await.expect("an owner");
        let callers = [
            organization.sign_in(Role::Owner).await,
            organization.sign_in(Role::Admin).await,
        ];
        let take = |from: Uuid| {
            (
                "set_staff_active",
                json!({ "id": from, "is_active": false }),
            )
        };
        let calls = [take(second), take(organization.user(Role::Owner).0)];
        let locked = ("app.organizations", organization.id.0);
        let [_, refused] = race(Host::Staff, locked.0, locked.1, callers, calls).await;
        refused.refuses("invalid_argument", "is_active");
        let left = "select count(*) from staff.users where organization_id = $1 and role = 'owner' and is_active";
        let left = owner.query_one(left, &[&organization.id.0]).await;
        assert_eq!(left.expect("a count").get::<_, i64>(0), 1);
    });
}

async fn invoice(owner: &mut Http, amount: u32) -> Value {
    let written = json!({
        "billed_to": "Ana", "description": "March", "amount": amount, "due_on": "2026-03-31",
    });
    let written = owner.call(Host::Staff, "create_invoice", written).await;
    written.output()["invoice"].clone()
}

pub(crate) fn of_two_payments_that_are_too_much_together_one_is_recorded() {
    run(async {
        let organization = Organization::create().await;
        let mut owner = organization.sign_in(Role::Owner).await;
        let invoice = invoice(&mut owner, 100).await["id"].clone();
        let sent = json!({ "id": invoice });
        owner
            .call(Host::Staff, "mark_invoice_sent", sent.clone())
            .await
            .output();
        let pay = || {
            (
                "record_payment",
                json!({ "invoice_id": invoice, "amount": 60 }),
            )
        };
        let callers = [owner.clone(), organization.sign_in(Role::Finance).await];
        let [paid, refused] = race(
            Host::Staff,
            "staff.invoices",
            id(&invoice),
            callers,
            [pay(), pay()],
        )
        .await;
        assert_eq!(paid.output()["invoice"]["paid"], 60.0);
        refused.refuses("invalid_argument", "amount");
        let now = owner.call(Host::Staff, "get_invoice", sent).await;
        assert_eq!(now.output()["invoice"]["paid"], 60.0);
    });
}

pub(crate) fn invoices_written_at_once_are_numbered_without_a_gap() {
    run(async {
        let organization = Organization::create().await;
        let owner = organization.sign_in(Role::Owner).await;
        let written = (0..8).map(|_| {
            let mut owner = owner.clone();
            tokio::spawn(async move { invoice(&mut owner, 1).await["number"].as_u64() })
        });
        let mut numbers = BTreeSet::new();
        for number in written.collect::<Vec<_>>() {
            numbers.insert(number.await.expect("an invoice").expect("a number"));
        }
        assert_eq!(numbers, (1..=8).collect());
    });
}

pub(crate) fn of_two_who_open_one_link_one_joins() {
    run(async {
        let organization = Organization::create().await;
        let mut owner = organization.sign_in(Role::Owner).await;
        let email = format!("ana@{}.test", organization.id);
        let invite = json!({ "email": email, "name": "Ana", "role": "staff" });
        let invited = owner.call(Host::Staff, "invite_staff", invite).await;
        let invited = invited.output();
        let link = invited["link"].as_str().expect("a link").to_owned();
        let join = async |link: String, password: &str| {
            let mut browser = Browser::default();
            let page = browser.get(&link).await;
            let (token, ticket) = (page.field("token"), page.field("ticket"));
            let fields = [
                ("token", &*token),
                ("ticket", &*ticket),
                ("password", password),
            ];
            let (address, _) = link.split_once('?').expect("a query");
            browser.post(address, &fields).await.status
        };
        let invitation = id(&invited["invitation"]["id"]);
        let one = join(link.clone(), "the first password");
        let other = join(link, "the other password");
        let mut ended = held("staff.invitations", invitation, one, other).await;
        ended.sort();
        assert_eq!(ended, [StatusCode::OK, StatusCode::GONE]);
    });
}
