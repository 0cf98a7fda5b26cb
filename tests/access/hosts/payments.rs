//! The Payments host.

use frontdesk_protocol::{Host, Role};

use super::{Area, Case, May, OFFICE_AND_FELLOW, OFFICE_AND_MACHINES, Record};

const KEEPERS: May = May(&[Role::Owner, Role::Admin, Role::Finance], &[]);
const KEEPERS_AND_MACHINES: May = May(
    &[Role::Owner, Role::Admin, Role::Finance, Role::Automation],
    &[],
);
const FELLOW: May = May(&[Role::Fellow], &[]);
/// Also a fellow, for the transactions that paid them.
const ALL_BUT_TEACHERS: May = May(
    &[
        Role::Owner,
        Role::Admin,
        Role::Staff,
        Role::Finance,
        Role::Automation,
        Role::Fellow,
    ],
    &[],
);

pub(crate) const AREA: Area = Area {
    host: Host::Payments,
    records: RECORDS,
    cases: CASES,
    elsewhere: &[],
};

const RECORDS: &[Record] = records![
    "transaction", "record_transaction", |_m| {
        "direction": "outgoing", "amount": 120.5, "occurred_on": "2026-03-05", "counterparty": "Fellow",
        "description": "March", "reference": "TED 1",
    };
    "payment", "create_fellow_payment", |m| { "member_id": m["member"], "amount": 120.5, "description": "March" };
    "paying", "record_transaction", |_m| {
        "direction": "outgoing", "amount": 80, "occurred_on": "2026-03-06", "counterparty": "Fellow",
    };
    "owed", "create_fellow_payment", |m| {
        "member_id": m["fellow"], "amount": 80, "description": "Mentoring", "due_on": "2026-03-10",
    };
    "paid", "pay_fellow_payment", |m| { "id": m["owed"], "transaction_id": m["paying"] };
];

const CASES: &[Case] = cases![
    "list_transactions", ALL_BUT_TEACHERS, |_m| { "search": "fellow", "since": "2026-03-06" };
    "list_transactions", OFFICE_AND_MACHINES, |_m| { "direction": "outgoing", "until": "2026-03-05" };
    "get_transaction", ALL_BUT_TEACHERS, |m| { "id": m["paying"] };
    "get_transaction", OFFICE_AND_MACHINES, |m| { "id": m["transaction"] };
    "record_transaction", KEEPERS_AND_MACHINES, |_m| {
        "direction": "incoming", "amount": 0.01, "occurred_on": "2026-03-07", "counterparty": "Client",
    };
    "list_fellow_payments", OFFICE_AND_FELLOW, |m| { "member_id": m["fellow"], "status": "paid", "search": "mentor" };
    "list_fellow_payments", May(&[Role::Owner, Role::Admin, Role::Staff, Role::Finance], &[]), |_m| { "status": "due" };
    "create_fellow_payment", KEEPERS, |m| { "member_id": m["fellow"], "amount": 1, "description": "New" };
    "submit_fellow_payment", FELLOW, |_m| { "amount": 12.5, "description": "Mentoring", "due_on": "2026-04-01" };
    "pay_fellow_payment", KEEPERS, |m| { "id": m["payment"], "transaction_id": m["transaction"] };
];
