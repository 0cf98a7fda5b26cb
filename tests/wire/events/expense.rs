//! Expenses of an event.

use serde_json::{Value, json};

use super::{Desk, Null, pluck};

#[test]
fn an_expense_needs_an_event_and_nothing_else() {
    let mut desk = Desk::open();
    let created = desk.get("create_event_expense", json!({ "event_id": desk.event }));
    let expense = &created["expense"];
    assert_eq!(
        *expense,
        json!({
            "id": expense["id"], "event_id": desk.event, "vendor_name": null, "vendor_category": null,
            "vendor_email": null, "vendor_phone": null, "amount_estimated": null, "amount_paid": null,
            "note": null,
        })
    );
    let listed = desk.get("list_event_expenses", json!({ "event_id": desk.event }));
    assert_eq!(listed["expenses"], json!([expense]));
}

#[test]
fn an_expense_keeps_everything_that_it_is_created_with() {
    let mut desk = Desk::open();
    let given = json!({
        "event_id": desk.event, "vendor_name": "Bakery", "vendor_category": "catering",
        "vendor_email": "bills@bakery.test", "vendor_phone": "(11) 98765-4321",
        "amount_estimated": 1250.75, "amount_paid": 99.01, "note": "Half in advance",
    });
    let expense = desk.keeps("create_event_expense", "expense", given);
    let listed = desk.get("list_event_expenses", json!({ "event_id": desk.event }));
    assert_eq!(listed["expenses"], json!([expense]));
}

#[test]
fn an_update_changes_the_named_fields_only() {
    let mut desk = Desk::open();
    let created = desk.get("create_event_expense", json!({ "event_id": desk.event }));
    desk.updates(
        "update_event_expense",
        "expense",
        &created["expense"]["id"],
        &[
            ("vendor_name", json!("Florist"), Null::Clears),
            ("vendor_category", json!("flowers"), Null::Clears),
            ("vendor_email", json!("bills@florist.test"), Null::Clears),
            ("vendor_phone", json!("+5511987654321"), Null::Clears),
            ("amount_estimated", json!(10.5), Null::Clears),
            ("amount_paid", json!(10.25), Null::Clears),
            ("note", json!("On Friday"), Null::Clears),
        ],
    );
}

#[test]
fn an_amount_is_exact_to_the_cent_and_never_negative() {
    let mut desk = Desk::open();
    for amount in [
        0.0,
        0.01,
        0.1,
        0.29,
        1.15,
        4.35,
        1_000_000.99,
        999_999_999_999.0,
    ] {
        let arguments =
            json!({ "event_id": desk.event, "amount_estimated": amount, "amount_paid": amount });
        let created = desk.get("create_event_expense", arguments);
        assert_eq!(
            created["expense"]["amount_estimated"].as_f64(),
            Some(amount)
        );
        assert_eq!(created["expense"]["amount_paid"].as_f64(), Some(amount));
    }
    for field in ["amount_estimated", "amount_paid"] {
        // Negative, too large, and amounts that would have to be rounded.
        for amount in [-0.01, -1.0, 1e12, 12.345, 0.001, 1e-9] {
            let arguments = json!({ "event_id": desk.event, field: amount });
            desk.call("create_event_expense", arguments)
                .refuses("invalid_argument", field);
        }
    }
}

#[test]
fn expenses_are_listed_by_vendor_and_those_without_one_last() {
    let mut desk = Desk::open();
    for vendor in [
        Value::Null,
        json!("Zoo"),
        json!("árvore"),
        json!("Bakery"),
        json!("ARENA"),
    ] {
        desk.get(
            "create_event_expense",
            json!({ "event_id": desk.event, "vendor_name": vendor }),
        );
    }
    let listed = desk.get("list_event_expenses", json!({ "event_id": desk.event }));
    assert_eq!(
        pluck(&listed["expenses"], "vendor_name"),
        ["ARENA", "árvore", "Bakery", "Zoo", "null"]
    );
}

#[test]
fn expenses_are_listed_by_category_and_vendor_together() {
    let mut desk = Desk::open();
    for (vendor, category) in [
        ("Bakery", json!("catering")),
        ("Bakery II", json!("Catering")),
        ("Butcher", json!("catering")),
        ("Florist", Value::Null),
    ] {
        let arguments =
            json!({ "event_id": desk.event, "vendor_name": vendor, "vendor_category": category });
        desk.get("create_event_expense", arguments);
    }
    for (filter, expected) in [
        (
            json!({ "vendor_category": "catering" }),
            vec!["Bakery", "Butcher"],
        ),
        (json!({ "vendor_category": "cater" }), vec![]),
        (json!({ "search": "bakery" }), vec!["Bakery", "Bakery II"]),
        (
            json!({ "search": "bakery", "vendor_category": "catering" }),
            vec!["Bakery"],
        ),
    ] {
        let mut arguments = filter;
        arguments["event_id"] = json!(desk.event);
        let listed = desk.get("list_event_expenses", arguments.clone());
        assert_eq!(
            pluck(&listed["expenses"], "vendor_name"),
            expected,
            "{arguments}"
        );
    }
}
