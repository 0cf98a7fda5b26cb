//! Two callers at once where a rule permits one: one succeeds, the other gets an error, and nothing
//! is duplicated.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::lock::waiting_for;
use frontdesk_tests::{Answer, Http, Organization, run, world};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::server::together::held_by;

/// An organisation, and two callers of a host.
struct Stage {
    organization: Organization,
    host: Host,
    callers: [Http; 2],
}

impl Stage {
    async fn set(host: Host, roles: [Role; 2]) -> Stage {
        let organization = Organization::create().await;
        let [first, second] = roles;
        let mut callers = [
            organization.sign_in(first).await,
            organization.sign_in(second).await,
        ];
        for caller in &mut callers {
            caller.session(host).await;
        }
        Stage {
            organization,
            host,
            callers,
        }
    }

    /// Calls a tool as the first caller; returns the id of its record.
    async fn make(&mut self, tool: &str, arguments: Value) -> Value {
        let made = self.callers[0].call(self.host, tool, arguments).await;
        let output = made.output().as_object();
        let record = output.and_then(|output| output.values().next());
        record.expect("a record")["id"].clone()
    }

    /// Makes both calls while the test holds the row of this table, releases it, and returns the
    /// answers, the successful one first.
    async fn both(
        &self,
        table: &str,
        row: &Value,
        calls: [(&'static str, Value); 2],
    ) -> [Answer; 2] {
        let (mut holder, looker) = (world().owner().await, world().owner().await);
        let holding = holder.transaction().await.expect("a transaction");
        let id: Uuid = row.as_str().and_then(|id| id.parse().ok()).expect("an id");
        let lock = format!("select pg_backend_pid() from {table} where id = $1 for update");
        let session = holding.query_one(&lock, &[&id]).await;
        let session: i32 = session.expect("a lock").get(0);
        let pairs = self.callers.clone().into_iter().zip(calls);
        let host = self.host;
        let mut running = Vec::new();
        for (mut caller, (tool, arguments)) in pairs {
            running.push(tokio::spawn(async move {
                caller.call(host, tool, arguments).await
            }));
        }
        waiting_for(&looker, session, &running.iter().collect::<Vec<_>>()).await;
        holding.commit().await.expect("let go");
        let mut ended = Vec::new();
        for call in running {
            ended.push(call.await.expect("an answer"));
        }
        ended.sort_by_key(|answer| answer.result()["isError"].as_bool());
        ended.try_into().expect("two answers")
    }
}

#[track_caller]
fn says(answer: &Answer, code: &str, field: &str, message: &str) {
    answer.refuses(code, field);
    assert_eq!(answer.tool_error()["message"], message);
}

async fn books() -> (Stage, [Value; 2]) {
    let mut stage = Stage::set(Host::Financing, [Role::Finance, Role::Owner]).await;
    let bank = json!({ "code": "1000", "name": "Bank", "kind": "asset" });
    let bank = stage.make("create_account", bank).await;
    let sales = json!({ "code": "4000", "name": "Sales", "kind": "income" });
    let sales = stage.make("create_account", sales).await;
    (stage, [bank, sales])
}

async fn sale(stage: &mut Stage, [bank, sales]: &[Value; 2]) -> Value {
    // Equal entries are refused.
    let description = format!("Sale {}", Uuid::now_v7());
    let entry = json!({ "entry_on": "2026-03-05", "description": description, "lines": [
        { "account_id": bank, "side": "debit", "amount": 10 },
        { "account_id": sales, "side": "credit", "amount": 10 },
    ] });
    stage.make("post_journal_entry", entry).await
}

const STATEMENT: &str = "date,description,amount\n2026-03-05,Sale,10\n2026-03-05,Sale,10\n";

/// Ingests two lines; returns their ids.
async fn lines(stage: &mut Stage, bank: &Value) -> [Value; 2] {
    let statement = json!({ "account_id": bank, "content": STATEMENT });
    let caller = &mut stage.callers[0];
    let told = caller
        .call(Host::Financing, "ingest_statement", statement)
        .await;
    told.output();
    let listed = caller
        .call(Host::Financing, "list_unreconciled", json!({}))
        .await;
    [0, 1].map(|at| listed.output()["statement_lines"][at]["id"].clone())
}

pub(crate) fn of_two_reconciliations_of_a_line_one_is_done() {
    run(async {
        let (mut stage, accounts) = books().await;
        let [line, _] = lines(&mut stage, &accounts[0]).await;
        let mut with = Vec::new();
        for _ in 0..2 {
            let entry = sale(&mut stage, &accounts).await;
            with.push((
                "reconcile_line",
                json!({ "id": line, "journal_entry_id": entry }),
            ));
        }
        let calls = with.try_into().expect("two calls");
        let [done, late] = stage.both("financing.statement_lines", &line, calls).await;
        assert!(done.output()["statement_line"]["journal_entry_id"].is_string());
        says(&late, "conflict", "id", "this line is already reconciled");
    });
}

pub(crate) fn no_line_is_left_with_an_entry_that_is_reversed_meanwhile() {
    run(async {
        let (mut stage, accounts) = books().await;
        let [line, _] = lines(&mut stage, &accounts[0]).await;
        let entry = sale(&mut stage, &accounts).await;
        let id: Uuid = serde_json::from_value(entry.clone()).expect("an id");
        let call = |at: usize, tool: &'static str, arguments: Value| {
            let mut caller = stage.callers[at].clone();
            async move { caller.call(Host::Financing, tool, arguments).await }
        };
        let reconcile = json!({ "id": line, "journal_entry_id": entry });
        let reconcile = call(0, "reconcile_line", reconcile);
        let reverse = json!({ "id": entry, "entry_on": "2026-03-06" });
        let reverse = call(1, "reverse_journal_entry", reverse);
        let [_, reversed] = held_by("financing.lock_entry($1)", id, reconcile, reverse).await;
        reversed.output();
        let open = call(0, "list_unreconciled", json!({})).await;
        let open = open.output()["statement_lines"].as_array().expect("lines");
        assert_eq!(open.len(), 2);
    });
}

pub(crate) fn of_two_lines_that_are_reconciled_with_one_entry_one_is() {
    run(async {
        let (mut stage, accounts) = books().await;
        let lines = lines(&mut stage, &accounts[0]).await;
        let entry = sale(&mut stage, &accounts).await;
        let calls = lines.map(|line| {
            (
                "reconcile_line",
                json!({ "id": line, "journal_entry_id": entry }),
            )
        });
        let [done, late] = stage.both("financing.journal_entries", &entry, calls).await;
        assert_eq!(done.output()["statement_line"]["journal_entry_id"], entry);
        says(
            &late,
            "conflict",
            "journal_entry_id",
            "this entry is already reconciled with another line: choose another one",
        );
    });
}

pub(crate) fn of_two_ingests_of_a_statement_each_line_is_added_once() {
    run(async {
        let (stage, [bank, _]) = books().await;
        let ingest = || {
            (
                "ingest_statement",
                json!({ "account_id": bank, "content": STATEMENT }),
            )
        };
        let [one, other] = stage
            .both("financing.accounts", &bank, [ingest(), ingest()])
            .await;
        let added = [&one, &other].map(|answer| answer.output()["added"].as_u64());
        assert_eq!(added.into_iter().flatten().sum::<u64>(), 2);
    });
}

pub(crate) fn of_two_reversals_of_an_entry_one_is_posted() {
    run(async {
        let (mut stage, accounts) = books().await;
        let entry = sale(&mut stage, &accounts).await;
        let reverse = || {
            (
                "reverse_journal_entry",
                json!({ "id": entry, "entry_on": "2026-03-06" }),
            )
        };
        let [done, late] = stage
            .both("financing.journal_entries", &entry, [reverse(), reverse()])
            .await;
        assert_eq!(done.output()["journal_entry"]["reverses_id"], entry);
        says(&late, "conflict", "id", "this entry is already reversed");
    });
}

pub(crate) fn of_two_payments_by_one_transaction_one_is_paid() {
    run(async {
        let mut stage = Stage::set(Host::Payments, [Role::Finance, Role::Owner]).await;
        let transaction = json!({
            "direction": "outgoing", "amount": 80, "occurred_on": "2026-03-05", "counterparty": "Fellow",
        });
        let transaction = stage.make("record_transaction", transaction).await;
        let mut pays = Vec::new();
        for _ in 0..2 {
            let owed = json!({ "member_id": stage.organization.fellow, "amount": 80, "description": "March" });
            let owed = stage.make("create_fellow_payment", owed).await;
            pays.push((
                "pay_fellow_payment",
                json!({ "id": owed, "transaction_id": transaction }),
            ));
        }
        let calls = pays.try_into().expect("two calls");
        let [done, late] = stage
            .both("payments.transactions", &transaction, calls)
            .await;
        assert_eq!(done.output()["fellow_payment"]["status"], "paid");
        says(
            &late,
            "conflict",
            "transaction_id",
            "this transaction already pays another payment: choose another one",
        );
    });
}

pub(crate) fn of_two_updates_of_a_version_of_a_document_one_is_written() {
    run(async {
        let mut stage = Stage::set(Host::Engineering, [Role::Staff, Role::Fellow]).await;
        let document = json!({ "kind": "document", "title": "Plan" });
        let id = stage.make("create_document", document).await;
        let calls = ["Mine", "Yours"].map(|content| {
            (
                "update_document",
                json!({ "id": id, "version": 1, "content": content }),
            )
        });
        let [done, late] = stage.both("engineering.documents", &id, calls).await;
        assert_eq!(done.output()["document"]["version"], 2);
        says(
            &late,
            "conflict",
            "version",
            "the current version is 2: read the document again",
        );
    });
}

pub(crate) fn of_a_review_and_a_change_of_the_text_no_text_is_approved_that_nobody_read() {
    run(async {
        let mut stage = Stage::set(Host::Campaigns, [Role::Staff, Role::Admin]).await;
        let post = json!({ "title": "Open day", "channel": "x", "body": "Come" });
        let id = stage.make("create_post", post).await;
        stage.make("submit_post", json!({ "id": id })).await;
        let calls = [
            ("update_post", json!({ "id": id, "body": "Buy" })),
            (
                "review_post",
                json!({ "id": id, "revision": 1, "verdict": "approved" }),
            ),
        ];
        let [_, other] = stage.both("campaigns.posts", &id, calls).await;
        // In either order the text waits for a review.
        if other.result()["isError"] == true {
            says(
                &other,
                "conflict",
                "revision",
                "the current revision is 2: read the post again",
            );
        }
        let queue = stage.callers[0]
            .call(Host::Campaigns, "list_review_queue", json!({}))
            .await;
        assert_eq!(queue.output()["posts"][0]["id"], id);
    });
}

pub(crate) fn of_two_reviews_of_a_post_one_counts() {
    run(async {
        let mut stage = Stage::set(Host::Campaigns, [Role::Staff, Role::Admin]).await;
        let mut owner = stage.organization.sign_in(Role::Owner).await;
        let post = json!({ "title": "Open day", "channel": "x" });
        let post = owner.call(Host::Campaigns, "create_post", post).await;
        let id = post.output()["post"]["id"].clone();
        stage.make("submit_post", json!({ "id": id })).await;
        let calls = ["approved", "changes_requested"].map(|verdict| {
            (
                "review_post",
                json!({ "id": id, "revision": 1, "verdict": verdict }),
            )
        });
        let [done, late] = stage.both("campaigns.posts", &id, calls).await;
        assert_ne!(done.output()["post"]["status"], "in_review");
        says(
            &late,
            "conflict",
            "id",
            "this post is not in the review queue",
        );
    });
}
