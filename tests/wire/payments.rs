//! The Payments host: a payment is paid by one transaction of its amount.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Caller, Organization};
use serde_json::{Value, json};

use crate::wire::events::pluck;

const PAY: &str = "pay_fellow_payment";

fn finance() -> (Organization, Caller) {
    let organization = Organization::create();
    let caller = organization.caller(Role::Finance, Host::Payments);
    (organization, caller)
}

fn transaction(finance: &mut Caller, direction: &str, amount: f64) -> Value {
    let arguments = json!({
        "direction": direction, "amount": amount, "occurred_on": "2026-03-05", "counterparty": "Fellow",
    });
    finance.make("record_transaction", arguments)
}

fn payment(finance: &mut Caller, to: &Organization, amount: f64) -> Value {
    let arguments = json!({ "member_id": to.fellow, "amount": amount, "description": "March" });
    finance.make("create_fellow_payment", arguments)
}

#[test]
fn a_payment_is_paid_by_an_outgoing_transaction_of_its_amount_to_the_cent() {
    let (organization, mut finance) = finance();
    let id = payment(&mut finance, &organization, 1200.29);
    for (direction, amount, message) in [
        (
            "outgoing",
            1200.28,
            "must have the amount of the payment, 1200.29, not 1200.28",
        ),
        ("incoming", 1200.29, "must be an outgoing transaction"),
    ] {
        let other = transaction(&mut finance, direction, amount);
        let paid = json!({ "id": id, "transaction_id": other });
        let refused = finance.call(PAY, paid);
        refused.refuses_with("invalid_argument", "transaction_id", message);
    }
    let due = json!({ "status": "due" });
    let due = finance.record("list_fellow_payments", due);
    assert_eq!(due[0]["id"], id);
    let right = transaction(&mut finance, "outgoing", 1200.29);
    let paid = json!({ "id": id, "transaction_id": right });
    let paid = finance.record(PAY, paid);
    assert_eq!(
        (&paid["status"], &paid["transaction_id"]),
        (&json!("paid"), &right)
    );
}

#[test]
fn a_payment_is_paid_once() {
    let (organization, mut finance) = finance();
    let id = payment(&mut finance, &organization, 80.0);
    let first = transaction(&mut finance, "outgoing", 80.0);
    let second = transaction(&mut finance, "outgoing", 80.0);
    let paid = json!({ "id": id, "transaction_id": first });
    let once = finance.record(PAY, paid.clone());
    assert_eq!(finance.record(PAY, paid), once, "said again");
    let refused = finance.call(PAY, json!({ "id": id, "transaction_id": second }));
    refused.refuses_with("conflict", "id", "this payment is already paid");
}

#[test]
fn a_transaction_pays_one_payment() {
    let (organization, mut finance) = finance();
    let paying = transaction(&mut finance, "outgoing", 80.0);
    let first = payment(&mut finance, &organization, 80.0);
    let second = payment(&mut finance, &organization, 80.0);
    let paid = json!({ "id": first, "transaction_id": paying });
    finance.output(PAY, paid);
    let refused = finance.call(PAY, json!({ "id": second, "transaction_id": paying }));
    refused.refuses_with(
        "conflict",
        "transaction_id",
        "this transaction already pays another payment: choose another one",
    );
}

#[test]
fn a_transaction_reported_twice_is_recorded_once() {
    let (_, mut finance) = finance();
    let told = json!({
        "direction": "incoming", "amount": 5, "occurred_on": "2026-03-05", "counterparty": "Client",
        "reference": "PIX 7",
    });
    finance.output("record_transaction", told.clone());
    let again = finance.call("record_transaction", told);
    again.refuses_with(
        "conflict",
        "reference",
        "a transaction with this reference is already recorded",
    );
}

#[test]
fn nothing_of_nothing_is_no_amount() {
    let (organization, mut finance) = finance();
    let arguments =
        json!({ "member_id": organization.fellow, "amount": 0, "description": "March" });
    let refused = finance.call("create_fellow_payment", arguments);
    refused.refuses_with("invalid_argument", "amount", "must be more than 0");
}

#[test]
fn transactions_are_listed_the_latest_first_and_found_by_words_and_days() {
    let (_, mut finance) = finance();
    for (who, day, direction) in [
        ("Padaria São João", "2026-03-01", "outgoing"),
        ("Estúdio", "2026-03-03", "incoming"),
        ("Gráfica", "2026-03-02", "outgoing"),
    ] {
        let told = json!({
            "direction": direction, "amount": 5, "occurred_on": day, "counterparty": who, "description": "Lanche",
        });
        finance.output("record_transaction", told);
    }
    for (arguments, expected) in [
        (json!({}), &["Estúdio", "Gráfica", "Padaria São João"][..]),
        (json!({ "search": "sao" }), &["Padaria São João"]),
        (
            json!({ "search": "lanche", "limit": 1, "offset": 1 }),
            &["Gráfica"],
        ),
        (json!({ "direction": "incoming" }), &["Estúdio"]),
        (
            json!({ "since": "2026-03-02", "until": "2026-03-02" }),
            &["Gráfica"],
        ),
    ] {
        let listed = finance.record("list_transactions", arguments.clone());
        assert_eq!(pluck(&listed, "counterparty"), expected, "{arguments}");
    }
}

#[test]
fn a_delivery_s_transaction_is_one_of_the_organisation_s() {
    let (organization, mut finance) = finance();
    let mut work = organization.caller(Role::Owner, Host::Work);
    let project = work.make("create_project", json!({ "name": "Site" }));
    let epic = json!({ "name": "Door", "project_id": project });
    let epic = work.make("create_epic", epic);
    let delivery = |transaction: &Value| json!({ "name": "First half", "epic_id": epic, "transaction_id": transaction });
    let paid = transaction(&mut finance, "incoming", 500.0);
    let paid = work.record("create_delivery", delivery(&paid));
    assert!(paid["transaction_id"].is_string());
    let unknown = work.call("create_delivery", delivery(&json!(organization.id)));
    unknown.refuses("not_found", "transaction_id");
}

#[test]
fn a_fellow_submits_a_payment_for_themselves() {
    let (organization, mut finance) = finance();
    let mut fellow = organization.caller(Role::Fellow, Host::Payments);
    let asked = json!({ "amount": 80, "description": "Mentoring", "due_on": "2026-04-01" });
    let submitted = fellow.record("submit_fellow_payment", asked.clone());
    assert_eq!(
        (&submitted["status"], &submitted["member_id"]),
        (&json!("submitted"), &json!(organization.fellow))
    );
    let others = json!({ "amount": 80, "description": "x", "member_id": organization.member });
    fellow
        .call("submit_fellow_payment", others)
        .refuses("invalid_argument", "member_id");
    assert_eq!(finance.call("submit_fellow_payment", asked).status, 403);
    let waiting = finance.record("list_fellow_payments", json!({ "status": "submitted" }));
    assert_eq!(waiting[0]["id"], submitted["id"]);
    let paying = transaction(&mut finance, "outgoing", 80.0);
    let paid = json!({ "id": submitted["id"], "transaction_id": paying });
    assert_eq!(finance.record(PAY, paid)["status"], "paid");
}
