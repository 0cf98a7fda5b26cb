//! The ledger's rules hold for statements as for tools, and for the tables' owner as for callers.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Organization, run, world};
use serde_json::{Value, json};
use uuid::Uuid;

/// An organisation with an entry; its id and that of an account.
async fn posted() -> (Organization, Uuid, Uuid) {
    let organization = Organization::create().await;
    let mut owner = organization.sign_in(Role::Owner).await;
    let mut make = async |tool: &str, record: &str, arguments: Value| {
        let answer = owner.call(Host::Financing, tool, arguments).await;
        let id = answer.output()[record]["id"].as_str();
        id.and_then(|id| id.parse::<Uuid>().ok()).expect("an id")
    };
    let bank = json!({ "code": "1", "name": "Bank", "kind": "asset" });
    let bank = make("create_account", "account", bank).await;
    let sales = json!({ "code": "4", "name": "Sales", "kind": "income" });
    let sales = make("create_account", "account", sales).await;
    let entry = json!({ "entry_on": "2026-03-05", "description": "Sale", "lines": [
        { "account_id": bank, "side": "debit", "amount": 1 },
        { "account_id": sales, "side": "credit", "amount": 1 },
    ] });
    let entry = make("post_journal_entry", "journal_entry", entry).await;
    (organization, entry, bank)
}

#[test]
fn a_posted_entry_never_changes() {
    run(async {
        let (organization, entry, bank) = posted().await;
        let line = format!(
            "insert into financing.journal_lines (entry_id, organization_id, position, account_id, side, amount) \
             values ('{entry}', '{}', 3, '{bank}', 'debit', 1)",
            organization.id
        );
        for change in [
            format!("update financing.journal_lines set amount = 2 where entry_id = '{entry}'"),
            format!("delete from financing.journal_lines where entry_id = '{entry}'"),
            format!(
                "update financing.journal_entries set entry_on = '2026-03-06' where id = '{entry}'"
            ),
            format!("delete from financing.journal_entries where id = '{entry}'"),
            line,
        ] {
            let refused = world().owner().await.batch_execute(&change).await;
            let refused = refused.expect_err(&change);
            let told = refused
                .as_db_error()
                .map(|error| error.message().to_owned());
            let expected = "a posted entry never changes: reverse it and post another";
            assert_eq!(told.as_deref(), Some(expected), "{change}");
        }
    });
}

#[test]
fn a_transaction_that_leaves_an_entry_unbalanced_does_not_commit() {
    run(async {
        let (organization, _, bank) = posted().await;
        let (id, organization) = (Uuid::now_v7(), organization.id);
        let user = Uuid::now_v7();
        let entry = format!(
            "insert into financing.journal_entries (id, organization_id, entry_on, description, posted_by) \
             values ('{id}', '{organization}', '2026-03-05', 'Half', '{user}')"
        );
        let line = format!(
            "insert into financing.journal_lines (entry_id, organization_id, position, account_id, side, amount) \
             values ('{id}', '{organization}', 1, '{bank}', 'debit', 1)"
        );
        for (statements, told) in [
            (vec![&entry], "must be two or more"),
            (
                vec![&entry, &line],
                "must balance: debits are 1.00, credits 0",
            ),
        ] {
            let mut owner = world().owner().await;
            let transaction = owner.transaction().await.expect("a transaction");
            for statement in statements {
                transaction
                    .batch_execute(statement)
                    .await
                    .expect("deferred");
            }
            let refused = transaction.commit().await.expect_err(told);
            let error = refused
                .as_db_error()
                .map(|refusal| (refusal.column(), refusal.message()));
            assert_eq!(error, Some((Some("lines"), told)));
        }
    });
}
