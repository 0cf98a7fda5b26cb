//! The accounting ledger.

use frontdesk_protocol::{Host, Role};

use super::{Area, Case, May, OFFICE_AND_MACHINES, Record};

const KEEPERS: May = May(&[Role::Owner, Role::Admin, Role::Finance], &[]);
const OFFICE: May = May(&[Role::Owner, Role::Admin, Role::Staff, Role::Finance], &[]);
const KEEPERS_AND_MACHINES: May = May(
    &[Role::Owner, Role::Admin, Role::Finance, Role::Automation],
    &[],
);

pub(crate) const AREA: Area = Area {
    host: Host::Financing,
    records: RECORDS,
    cases: CASES,
    elsewhere: &[],
};

const RECORDS: &[Record] = records![
    "bank", "create_account", |_m| { "code": "1000", "name": "Bank", "kind": "asset" };
    "sales", "create_account", |_m| { "code": "4000", "name": "Sales", "kind": "income" };
    "entry", "post_journal_entry", |m| {
        "entry_on": "2026-03-05", "description": "A sale", "lines": [
            { "account_id": m["bank"], "side": "debit", "amount": 10.1, "memo": "by card" },
            { "account_id": m["sales"], "side": "credit", "amount": 10.1 },
        ],
    };
    "mistake", "post_journal_entry", |m| {
        "entry_on": "2026-03-05", "description": "Another", "lines": [
            { "account_id": m["bank"], "side": "debit", "amount": 1 },
            { "account_id": m["sales"], "side": "credit", "amount": 1 },
        ],
    };
    "lines", "ingest_statement", |m| {
        "account_id": m["bank"], "content": "date,description,amount\n2026-03-04,Coffee,-4.50\n2026-03-04,Refund,4.50\n",
    };
    "line", "list_unreconciled" at "/statement_lines/0/id", |m| { "account_id": m["bank"], "search": "coffee" };
    "refunded", "list_unreconciled" at "/statement_lines/0/id", |m| { "account_id": m["bank"], "search": "refund" };
    "refund", "post_journal_entry", |m| {
        "entry_on": "2026-03-04", "description": "Refund", "lines": [
            { "account_id": m["bank"], "side": "debit", "amount": 4.5 },
            { "account_id": m["sales"], "side": "credit", "amount": 4.5 },
        ],
    };
    "assigned", "reconcile_line", |m| { "id": m["refunded"], "journal_entry_id": m["refund"] };
    "coffee", "post_journal_entry", |m| {
        "entry_on": "2026-03-04", "description": "Coffee", "lines": [
            { "account_id": m["bank"], "side": "credit", "amount": 4.5 },
            { "account_id": m["sales"], "side": "debit", "amount": 4.5 },
        ],
    };
    "reversal", "reverse_journal_entry", |m| { "id": m["mistake"], "entry_on": "2026-03-06" };
];

const CASES: &[Case] = cases![
    "list_accounts", OFFICE_AND_MACHINES, |_m| { "kind": "asset", "search": "10" };
    "create_account", KEEPERS, |_m| { "code": "5000", "name": "Rent", "kind": "expense" };
    "list_journal_entries", OFFICE, |m| {
        "account_id": m["bank"], "since": "2026-03-05", "until": "2026-03-05", "search": "SALE",
    };
    "get_journal_entry", OFFICE, |m| { "id": m["reversal"] };
    "get_trial_balance", OFFICE, |_m| {};
    "post_journal_entry", KEEPERS, |m| {
        "entry_on": "2026-03-06", "description": "New", "lines": [
            { "account_id": m["bank"], "side": "credit", "amount": 5 },
            { "account_id": m["sales"], "side": "debit", "amount": 5 },
        ],
    };
    "reverse_journal_entry", KEEPERS, |m| { "id": m["entry"], "entry_on": "2026-03-07", "description": "Back" };
    "list_unreconciled", OFFICE_AND_MACHINES, |m| { "account_id": m["bank"], "search": "coffee" };
    "reconcile_line", KEEPERS, |m| { "id": m["line"], "journal_entry_id": m["coffee"] };
    "unreconcile_line", KEEPERS, |m| { "id": m["refunded"] };
    "ingest_statement", KEEPERS_AND_MACHINES, |m| {
        "account_id": m["bank"], "content": "date,description,amount\n2026-03-05,Sale,10.10\n",
    };
];
