//! The accounting ledger: debits equal credits, what is posted stays, a statement adds each line once, and a
//! line is reconciled once.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Answer, Caller, Organization};
use serde_json::{Value, json};

use crate::wire::events::pluck;

/// An organisation whose books have two accounts.
struct Books {
    organization: Organization,
    finance: Caller,
    bank: Value,
    sales: Value,
    /// The number of sales.
    sold: usize,
}

const HEADER: &str = "date,description,amount,reference\n";

impl Books {
    fn open() -> Books {
        let organization = Organization::create();
        let mut finance = organization.caller(Role::Finance, Host::Financing);
        let bank = json!({ "code": "1000", "name": "Bank", "kind": "asset" });
        let sales = json!({ "code": "4000", "name": "Sales", "kind": "income" });
        Books {
            bank: finance.make("create_account", bank),
            sales: finance.make("create_account", sales),
            organization,
            finance,
            sold: 0,
        }
    }

    fn sale(&self, debit: f64, credit: f64) -> Value {
        json!({ "entry_on": "2026-03-05", "description": "Sale", "lines": [
            { "account_id": self.bank, "side": "debit", "amount": debit },
            { "account_id": self.sales, "side": "credit", "amount": credit },
        ] })
    }

    /// Posts a sale; returns its entry.
    fn sell(&mut self, amount: f64) -> Value {
        let mut sale = self.sale(amount, amount);
        // Equal entries are refused.
        if self.sold > 0 {
            sale["description"] = format!("Sale {}", self.sold).into();
        }
        self.sold += 1;
        self.finance.make("post_journal_entry", sale)
    }

    fn ingest(&mut self, lines: &str) -> Answer {
        let statement = json!({ "account_id": self.bank, "content": format!("{HEADER}{lines}") });
        self.finance.call("ingest_statement", statement)
    }

    /// The only line that waits for its entry.
    fn line(&mut self, told: &str) -> Value {
        self.ingest(told).output();
        self.finance.record("list_unreconciled", json!({}))[0]["id"].clone()
    }

    fn reconcile(&mut self, line: &Value, entry: &Value) -> Answer {
        let arguments = json!({ "id": line, "journal_entry_id": entry });
        self.finance.call("reconcile_line", arguments)
    }
}

#[test]
fn an_entry_whose_debits_are_not_its_credits_to_the_cent_is_not_posted() {
    let mut books = Books::open();
    let one_sided = json!({ "entry_on": "2026-03-05", "description": "Sale", "lines": [
        { "account_id": books.bank, "side": "debit", "amount": 10 },
    ] });
    let empty = json!({ "entry_on": "2026-03-05", "description": "Sale", "lines": [] });
    for (entry, message) in [
        (
            books.sale(10.29, 10.28),
            "must balance: debits are 10.29, credits 10.28",
        ),
        (one_sided, "must balance: debits are 10.00, credits 0"),
        (empty, "must be two or more"),
        (books.sale(0.0, 0.0), "each amount must be more than 0"),
    ] {
        let refused = books.finance.call("post_journal_entry", entry);
        refused.refuses_with("invalid_argument", "lines", message);
    }
    let listed = books.finance.record("list_journal_entries", json!({}));
    assert_eq!(listed, json!([]), "nothing is half written");
}

#[test]
fn a_posted_entry_is_there_with_its_lines_in_their_order() {
    let mut books = Books::open();
    let id = books.sell(0.29);
    let entry = books
        .finance
        .record("get_journal_entry", json!({ "id": id }));
    assert_eq!(entry["amount"], 0.29);
    assert_eq!(
        entry["lines"],
        json!([
            { "account_id": books.bank, "side": "debit", "amount": 0.29, "memo": null },
            { "account_id": books.sales, "side": "credit", "amount": 0.29, "memo": null },
        ])
    );
}

#[test]
fn an_account_of_a_line_that_is_not_there_is_named() {
    let mut books = Books::open();
    books.sales = json!(books.organization.id);
    let entry = books.sale(1.0, 1.0);
    let refused = books.finance.call("post_journal_entry", entry);
    refused.refuses("not_found", "lines");
}

#[test]
fn an_entry_is_reversed_once_by_one_with_its_sides_exchanged() {
    let mut books = Books::open();
    let id = books.sell(7.5);
    let reverse = json!({ "id": id, "entry_on": "2026-03-06" });
    let reversal = books
        .finance
        .record("reverse_journal_entry", reverse.clone());
    assert_eq!(reversal["description"], "Reversal: Sale");
    assert_eq!(reversal["reverses_id"], id);
    assert_eq!(pluck(&reversal["lines"], "side"), ["credit", "debit"]);
    let entry = books
        .finance
        .record("get_journal_entry", json!({ "id": id }));
    assert_eq!(entry["reversed_by_id"], reversal["id"]);
    let again = books.finance.call("reverse_journal_entry", reverse);
    again.refuses_with("conflict", "id", "this entry is already reversed");
}

#[test]
fn a_code_is_of_one_account() {
    let mut books = Books::open();
    let same = json!({ "code": "1000", "name": "Cash", "kind": "asset" });
    let refused = books.finance.call("create_account", same);
    refused.refuses_with(
        "conflict",
        "code",
        "choose a different code: “1000” is in use",
    );
}

#[test]
fn ingesting_the_same_file_twice_adds_nothing() {
    let mut books = Books::open();
    // Two coffees on one day are two.
    let told = "2026-03-05,Coffee,-4.50,\n2026-03-05,Coffee,-4.50,\n2026-03-06,Sale,10.29,TED 1\n";
    let first = books.ingest(told);
    assert_eq!(
        *first.output(),
        json!({ "dry_run": false, "added": 3, "already_there": 0 })
    );
    let again = books.ingest(told);
    assert_eq!(
        *again.output(),
        json!({ "dry_run": false, "added": 0, "already_there": 3 })
    );
    // The next statement begins before this one ends.
    let next = books.ingest("2026-03-06,Sale,10.29,TED 1\r\n2026-03-06,Sale,10.29,TED 2\r\n");
    assert_eq!(
        *next.output(),
        json!({ "dry_run": false, "added": 1, "already_there": 1 })
    );
    let listed = books.finance.record("list_unreconciled", json!({}));
    let amounts: Vec<_> = listed
        .as_array()
        .into_iter()
        .flatten()
        .map(|line| &line["amount"])
        .collect();
    assert_eq!(amounts, [-4.5, -4.5, 10.29, 10.29]);
    let found = json!({ "search": "SALE", "account_id": books.bank });
    let found = books.finance.record("list_unreconciled", found);
    assert_eq!(found.as_array().map(Vec::len), Some(2));
}

#[test]
fn overlapping_statements_add_each_line_once_and_ask_about_a_changed_one() {
    let mut books = Books::open();
    let kiosk = "2027-04-12,Kiosk Central,-3.20,\n";
    let tram = "2027-04-12,Tram single,-2.90,\n";
    let pending = "2027-04-12,Pending: Hotel Mar,-180.00,\n";
    let evening = format!("{kiosk}{kiosk}{tram}{tram}{pending}");
    let added = |added, already_there| json!({ "dry_run": false, "added": added, "already_there": already_there });
    let noon = books.ingest(&format!("{kiosk}{tram}{pending}"));
    assert_eq!(*noon.output(), added(3, 0));
    assert_eq!(*books.ingest(&evening).output(), added(2, 3));
    assert_eq!(*books.ingest(&evening).output(), added(0, 5));
    let other = "2027-04-12,kiosk  CENTRAL,-3.20,\n";
    let other = books.ingest(&format!("{pending}{tram}{other}{tram}{kiosk}"));
    assert_eq!(*other.output(), added(0, 5));
    // The hotel is booked, on another day and with another text.
    let booked = "2027-04-13,Hotel Mar Lda,-180.00,HM-20270412\n";
    let tuesday = format!("{kiosk}{kiosk}{tram}{tram}{booked}");
    let mut asked = added(0, 4);
    asked["questionable"] = json!([{ "line": 6, "known": "2027-04-12 Pending: Hotel Mar" }]);
    assert_eq!(*books.ingest(&tuesday).output(), asked);
    // A later statement does not have the other lines, but the pending one still asks.
    let mut asked = added(0, 0);
    asked["questionable"] = json!([{ "line": 2, "known": "2027-04-12 Pending: Hotel Mar" }]);
    assert_eq!(*books.ingest(booked).output(), asked);
    let statement = json!({
        "account_id": books.bank, "content": format!("{HEADER}{booked}"), "accept": [2],
    });
    let accepted = books.finance.call("ingest_statement", statement);
    assert_eq!(accepted.output()["added"], 1);
    let listed = books.finance.record("list_unreconciled", json!({}));
    assert_eq!(listed.as_array().map(Vec::len), Some(6));
}

#[test]
fn a_column_that_is_not_read_is_said() {
    let mut books = Books::open();
    let content = "date,description,amount,Saldo\n2027-04-13,Miete,-12.50,1.00\n";
    let statement = json!({ "account_id": books.bank, "content": content });
    let ingested = books.finance.call("ingest_statement", statement);
    let expected =
        json!({ "dry_run": false, "added": 1, "already_there": 0, "unknown_columns": ["Saldo"] });
    assert_eq!(*ingested.output(), expected);
}

#[test]
fn of_a_statement_with_a_wrong_line_nothing_is_added() {
    let mut books = Books::open();
    let refused = books.ingest("2026-03-05,Coffee,-4.50,\n2026-03-05,Coffee,-4.505,\n");
    let message = "line 3: amount must have at most two decimal places, not 4.505";
    refused.refuses_with("invalid_argument", "content", message);
    let line =
        json!({ "line": 7, "date": "2026-03-05", "description": "Coffee", "amount": -4.505 });
    let lines = json!({ "account_id": books.bank, "lines": [line] });
    let refused = books.finance.call("ingest_statement", lines);
    let message = "line 7: amount must have at most two decimal places, not 4.505";
    refused.refuses_with("invalid_argument", "lines", message);
    let neither = books
        .finance
        .call("ingest_statement", json!({ "account_id": books.bank }));
    neither.refuses_with(
        "invalid_argument",
        "content",
        "give either content or lines",
    );
    let listed = books.finance.record("list_unreconciled", json!({}));
    assert_eq!(listed, json!([]));
}

#[test]
fn a_line_is_reconciled_once_with_an_entry_that_moves_its_amount_on_its_account() {
    let mut books = Books::open();
    let line = books.line("2026-03-05,Sale,10.29,\n");
    let other = books.sell(10.28);
    let refused = books.reconcile(&line, &other);
    let message = "must change the line's account by 10.29, not by 10.28";
    refused.refuses_with("invalid_argument", "journal_entry_id", message);

    let entry = books.sell(10.29);
    let reconciled = books.reconcile(&line, &entry);
    assert_eq!(
        reconciled.output()["statement_line"]["journal_entry_id"],
        entry
    );
    let open = books.finance.record("list_unreconciled", json!({}));
    assert_eq!(open, json!([]));

    let same = books.sell(10.29);
    let again = books.reconcile(&line, &same);
    again.refuses_with("conflict", "id", "this line is already reconciled");
    // And an entry accounts for one line of an account.
    let twin = books.line("2026-03-06,Sale,10.29,\n");
    let taken = books.reconcile(&twin, &entry);
    taken.refuses_with(
        "conflict",
        "journal_entry_id",
        "this entry is already reconciled with another line: choose another one",
    );
}

#[test]
fn a_line_that_was_paid_is_reconciled_with_an_entry_that_credits_its_account() {
    let mut books = Books::open();
    let line = books.line("2026-03-05,Refund,-4.50,\n");
    let received = books.sell(4.5);
    let refused = books.reconcile(&line, &received);
    let message = "must change the line's account by -4.50, not by 4.50";
    refused.refuses_with("invalid_argument", "journal_entry_id", message);

    let reverse = json!({ "id": received, "entry_on": "2026-03-05" });
    let paid = books.finance.make("reverse_journal_entry", reverse);
    let reconciled = books.reconcile(&line, &paid);
    assert_eq!(
        reconciled.output()["statement_line"]["journal_entry_id"],
        paid
    );
}

#[test]
fn a_reversed_entry_reconciles_no_line_and_its_line_is_open_again() {
    let mut books = Books::open();
    let line = books.line("2026-03-05,Sale,10.29,\n");
    let entry = books.sell(10.29);
    books.reconcile(&line, &entry).output();
    let reverse = json!({ "id": entry, "entry_on": "2026-03-06" });
    books.finance.output("reverse_journal_entry", reverse);
    let open = books.finance.record("list_unreconciled", json!({}));
    assert_eq!(
        (&open[0]["id"], &open[0]["journal_entry_id"]),
        (&line, &Value::Null)
    );
    let refused = books.reconcile(&line, &entry);
    let message = "this entry is reversed: choose another one";
    refused.refuses_with("invalid_argument", "journal_entry_id", message);
    let right = books.sell(10.29);
    books.reconcile(&line, &right).output();
}

#[test]
fn machines_bring_lines_the_office_sees_them_and_who_keeps_the_books_reconciles() {
    let mut books = Books::open();
    let entry = books.sell(10.0);
    books.line("2026-03-05,Sale,10,\n");
    for role in Role::ALL {
        let mut caller = books.organization.caller(role, Host::Financing);
        let listed = caller.record("list_unreconciled", json!({}));
        let line = listed[0]["id"].clone();
        let expected = !matches!(role, Role::Teacher | Role::Fellow);
        assert_eq!(line.is_string(), expected, "{role:?}");
        // The first who may takes it.
        if matches!(role, Role::Staff | Role::Automation) {
            let arguments = json!({ "id": line, "journal_entry_id": entry });
            let refused = caller.call("reconcile_line", arguments);
            assert_eq!(refused.refusal(), "forbidden", "{role:?}");
        }
    }
}

#[test]
fn the_trial_balance_adds_up_the_entries_until_a_day() {
    let mut books = Books::open();
    books.sell(10.1);
    books.sell(0.2);
    let mistake = books.sell(5.0);
    let reverse = json!({ "id": mistake, "entry_on": "2026-03-06" });
    books.finance.output("reverse_journal_entry", reverse);
    for (until, debit, credit, balance) in [
        (json!({ "until": "2026-03-04" }), json!(null), 0.0, 0.0),
        (json!({ "until": "2026-03-05" }), json!(15.3), 15.3, 15.3),
        (json!({}), json!(15.3), 20.3, 10.3),
    ] {
        let all = books.finance.output("get_trial_balance", until.clone());
        assert_eq!(all["debit"], all["credit"], "{until}");
        assert_eq!(all["debit"], credit, "{until}");
        let bank = &all["balances"][0];
        assert_eq!(bank["code"].is_null(), debit.is_null(), "{until}");
        assert_eq!(
            bank["balance"].as_f64().unwrap_or_default(),
            balance,
            "{until}"
        );
    }
}

#[test]
fn entries_are_listed_the_latest_first_and_found_by_words_accounts_and_days() {
    let mut books = Books::open();
    let rent = json!({ "code": "5000", "name": "Rent", "kind": "expense" });
    let rent = books.finance.make("create_account", rent);
    books.sell(1.0);
    let paid = json!({ "entry_on": "2026-03-06", "description": "Aluguel de março", "lines": [
        { "account_id": rent, "side": "debit", "amount": 3 },
        { "account_id": books.bank, "side": "credit", "amount": 3 },
    ] });
    books.finance.output("post_journal_entry", paid);
    for (arguments, expected) in [
        (json!({}), &["Aluguel de março", "Sale"][..]),
        (json!({ "search": "MARCO" }), &["Aluguel de março"]),
        (json!({ "account_id": books.sales }), &["Sale"]),
        (json!({ "until": "2026-03-05" }), &["Sale"]),
        (json!({ "since": "2026-03-06" }), &["Aluguel de março"]),
        (json!({ "limit": 1, "offset": 1 }), &["Sale"]),
    ] {
        let listed = books
            .finance
            .record("list_journal_entries", arguments.clone());
        assert_eq!(pluck(&listed, "description"), expected, "{arguments}");
    }
}

#[test]
fn a_reconciled_line_is_opened_again() {
    let mut books = Books::open();
    let line = books.line("2026-03-05,Sale,10.29,\n");
    let wrong = books.sell(10.29);
    books.reconcile(&line, &wrong).output();
    let entry = json!({ "id": wrong });
    let seen = books.finance.record("get_journal_entry", entry.clone());
    assert_eq!(seen["statement_line_ids"], json!([line]));
    let mut staff = books.organization.caller(Role::Staff, Host::Financing);
    let open = json!({ "id": line });
    assert_eq!(staff.call("unreconcile_line", open.clone()).status, 403);
    for _ in 0..2 {
        let opened = books.finance.record("unreconcile_line", open.clone());
        assert_eq!(opened["journal_entry_id"], Value::Null);
    }
    let seen = books.finance.record("get_journal_entry", entry);
    assert_eq!(seen["statement_line_ids"], json!([]));
    let right = books.sell(10.29);
    books.reconcile(&line, &right).output();
}

#[test]
fn a_line_in_doubt_is_shown_and_never_added_silently() {
    let mut books = Books::open();
    let read = json!([
        { "line": 2, "date": "2027-04-13", "description": "Cafe", "amount": -4.5, "currency": "BRL" },
        { "line": 3, "date": "2027-04-13", "description": "Hotel", "amount": -120.0, "doubt": "its status is Denied" },
        { "line": 4, "date": "2027-04-14", "description": "Gift", "amount": 20.0, "currency": "USD" },
    ]);
    let mut statement = json!({ "account_id": books.bank, "lines": read, "dry_run": true });
    let line = |line: u8, date: &str, amount: f64, description: &str, outcome: &str| json!({ "line": line, "date": date, "amount": amount, "description": description, "outcome": outcome });
    let questionable = json!([
        { "line": 3, "reason": "its status is Denied" },
        { "line": 4, "reason": "it is in USD, not BRL" },
    ]);
    let shown = books.finance.call("ingest_statement", statement.clone());
    let expected = json!({
        "dry_run": true, "added": 1, "already_there": 0, "questionable": questionable, "lines": [
            line(2, "2027-04-13", -4.5, "Cafe", "add"),
            line(3, "2027-04-13", -120.0, "Hotel", "questionable"),
            line(4, "2027-04-14", 20.0, "Gift", "questionable"),
        ],
    });
    assert_eq!(shown.output(), &expected);
    assert_eq!(
        books.finance.record("list_unreconciled", json!({})),
        json!([])
    );
    statement["dry_run"] = json!(false);
    let added = books.finance.call("ingest_statement", statement.clone());
    assert_eq!(added.output()["added"], 1);
    let stored = books.finance.record("list_unreconciled", json!({}));
    assert_eq!(stored[0]["amount"], -4.5);
    // Each for itself.
    for (line, already_there) in [(4, 1), (3, 2)] {
        statement["accept"] = json!([line]);
        let accepted = books.finance.call("ingest_statement", statement.clone());
        let accepted = accepted.output();
        assert_eq!(
            (&accepted["added"], &accepted["already_there"]),
            (&json!(1), &json!(already_there))
        );
    }
}
