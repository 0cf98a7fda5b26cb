//! The history of changes: it is append-only, and kept by the day.

use std::collections::BTreeMap;

use frontdesk_protocol::Host;
use frontdesk_server::changes::Stake;
use frontdesk_tests::{run, world};
use tokio_postgres::Transaction;
use tokio_postgres::error::SqlState;
use uuid::Uuid;

/// Empties the history in this transaction, and adds an entry for each of these numbers of days ago. The transaction does not
/// see what others write meanwhile.
async fn with_entries(transaction: &Transaction<'_>, days: &[i32]) {
    let empty = "set transaction isolation level repeatable read; set local app.erasing = 'on'; delete from app.changes; delete from app.changed_rows; \
         delete from app.retention; delete from app.idempotency_keys; set local app.erasing = ''";
    transaction.batch_execute(empty).await.expect("empty");
    for days in days {
        let add = "insert into app.changes (id, account_id, host, tool, arguments) \
             select app.first_change_id(now() - make_interval(days => $1)), $2, 'events', 'x', '{}'";
        let add = transaction.execute(add, &[days, &Uuid::now_v7()]).await;
        add.expect("an entry");
        let key = "insert into app.idempotency_keys (user_id, key, tool, arguments, rights, created_at) \
             values ($2, 'key', 'x', '', '', now() - make_interval(days => $1))";
        let key = transaction.execute(key, &[days, &Uuid::now_v7()]).await;
        key.expect("a key");
    }
}

/// Cuts the history as a server process does. Returns the ages in days of the entries and keys that are left, and why
/// nothing was removed.
async fn cut(transaction: &Transaction<'_>, at_least: i32) -> (Vec<i32>, Vec<i32>, Option<String>) {
    let role = |name| format!("set local role {name}");
    let worker = role("frontdesk_webhooks");
    transaction.batch_execute(&worker).await.expect("a role");
    let cut = "select refusal from app.cut_history($1)";
    let refusal = transaction
        .query_one(cut, &[&at_least])
        .await
        .expect("cut")
        .get(0);
    let owner = format!("reset role; {}", role("frontdesk_owner"));
    transaction.batch_execute(&owner).await.expect("the owner");
    let mut left = Vec::new();
    for (table, at) in [
        ("app.changes", "app.day_of_change(id)"),
        (
            "app.idempotency_keys",
            "(created_at at time zone 'UTC')::date",
        ),
    ] {
        let ages =
            format!("select (now() at time zone 'UTC')::date - {at} from {table} order by 1");
        let ages = transaction.query(&ages, &[]).await.expect("ages");
        left.push(ages.iter().map(|row| row.get(0)).collect());
    }
    let keys = left.pop().expect("keys");
    (left.pop().expect("entries"), keys, refusal)
}

#[test]
fn the_oldest_day_beyond_those_kept_is_removed_at_a_time() {
    run(async {
        let mut owner = world().owner().await;
        let transaction = owner.transaction().await.expect("a transaction");
        with_entries(&transaction, &[0, 29, 31, 400]).await;
        let (entries, keys, _) = cut(&transaction, 3).await;
        assert_eq!((entries, keys), (vec![0, 29, 31], vec![0, 29, 31]));
        let (entries, keys, _) = cut(&transaction, 2).await;
        // A process that asks for less does not shorten what another has lengthened.
        assert_eq!((entries, keys), (vec![0, 29, 31], vec![0, 29]));
        let ahead = "select from pg_inherits where inhparent = 'app.changed_rows'::regclass \
             and inhrelid::regclass::text ~ to_char(now() + interval '3 days', 'YYYYMMDD')";
        let ahead = transaction.query(ahead, &[]).await.expect("partitions");
        assert_eq!(ahead.len(), 1);
        transaction.rollback().await.expect("rolled back");
    });
}

#[test]
fn a_clock_far_ahead_of_the_entries_removes_nothing() {
    run(async {
        let mut owner = world().owner().await;
        let transaction = owner.transaction().await.expect("a transaction");
        with_entries(&transaction, &[60, 61, 62, 63]).await;
        for _ in 0..3 {
            let (entries, keys, refusal) = cut(&transaction, 1).await;
            assert_eq!((entries.len(), keys.len()), (4, 4));
            let refusal = refusal.expect("a reason");
            assert!(
                refusal.starts_with("nothing is removed: the latest entry is of"),
                "{refusal}"
            );
        }
        transaction.rollback().await.expect("rolled back");
    });
}

/// Were it asked of all entries whether they were undone, and not only of the undos of the action, it would ask itself
/// without an end.
#[test]
fn which_calls_of_an_action_are_in_effect_does_not_depend_on_the_plan() {
    run(async {
        let mut owner = world().owner().await;
        let transaction = owner.transaction().await.expect("a transaction");
        with_entries(&transaction, &[]).await;
        let [action, first, last, undo] = [(); 4].map(|()| Uuid::now_v7());
        let entry = "insert into app.changes (id, account_id, host, tool, arguments, action_id, is_action, undoes, takes_back) \
             values ($1, $1, 'events', 'x', '{}', $2, $3, $4, $5)";
        let none: Option<Uuid> = None;
        let part = Some(action);
        for (id, of, is_action, undoes, back) in [
            (action, none, true, none, None),
            (first, part, false, none, None),
            (last, part, false, none, None),
            (undo, none, false, part, Some(vec![last])),
        ] {
            let added = transaction
                .execute(entry, &[&id, &of, &is_action, &undoes, &back])
                .await;
            added.expect("an entry");
        }
        let plan = "set local enable_indexscan = off; set local enable_bitmapscan = off; set local enable_nestloop = off";
        transaction.batch_execute(plan).await.expect("settings");
        let asked =
            "select array(select app.calls_in_effect($1)), app.undone_by($1), app.undone_by($2)";
        let row = transaction.query_one(asked, &[&action, &last]).await;
        let row = row.expect("an answer");
        let found: (Vec<Uuid>, Option<Uuid>, Option<Uuid>) = (row.get(0), row.get(1), row.get(2));
        assert_eq!(found, (vec![first], None, Some(undo)));
        transaction.rollback().await.expect("rolled back");
    });
}

#[test]
fn entries_are_never_changed() {
    run(async {
        let mut owner = world().owner().await;
        let transaction = owner.transaction().await.expect("a transaction");
        with_entries(&transaction, &[0]).await;
        let row = "insert into app.changed_rows (change_id, table_name, operation, key) \
             select id, 'events.guests', 'insert', '{}' from app.changes";
        transaction.batch_execute(row).await.expect("a row");
        for write in [
            "update app.changes set tool = 'y'",
            "delete from app.changes",
            "delete from app.changed_rows",
            "update app.changed_rows set before = null",
        ] {
            let savepoint = transaction.batch_execute("savepoint s").await;
            savepoint.expect("a savepoint");
            let refused = transaction.batch_execute(write).await;
            let code = refused.err().and_then(|error| error.code().cloned());
            assert_eq!(code, Some(SqlState::INSUFFICIENT_PRIVILEGE), "{write}");
            let back = transaction.batch_execute("rollback to s").await;
            back.expect("rolled back");
        }
        transaction.rollback().await.expect("rolled back");
    });
}

#[test]
fn the_database_and_the_declarations_agree_about_what_lasts() {
    run(async {
        let declared: BTreeMap<String, &str> = Host::ALL
            .into_iter()
            .flat_map(|host| host.kinds().map(move |kind| (host, kind)))
            .filter_map(|(host, kind)| {
                Some((format!("{}.{}", host.area(), kind.plural), kind.lasting?))
            })
            .collect();
        let owner = world().owner().await;
        // The lines of an entry, and links, are no kinds of their own.
        let rows = owner
            .query(
                "select c.oid::regclass::text, app.lasting(c.oid::regclass::text) from pg_class c \
                 where c.relkind = 'r' and app.lasting(c.oid::regclass::text) is not null \
                   and c.oid not in ('financing.journal_lines'::regclass, 'auth.password_links'::regclass)",
                &[],
            )
            .await
            .expect("tables");
        let stored: BTreeMap<String, &str> =
            rows.iter().map(|row| (row.get(0), row.get(1))).collect();
        assert_eq!(stored, declared);
    });
}

/// A new column is looked at: whether it is plain, or what is at stake in it.
#[test]
fn it_is_said_of_each_captured_column_what_is_at_stake() {
    run(async {
        let owner = world().owner().await;
        let sql = "select c.oid::regclass::text, array_agg(a.attname::text order by a.attnum) \
             from pg_class c join pg_attribute a on a.attrelid = c.oid \
             where exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'a_capture') \
               and a.attnum > 0 and not a.attisdropped group by c.oid order by 1";
        let tables = owner.query(sql, &[]).await.expect("tables");
        let lines = tables.iter().map(|row| {
            let (table, columns): (&str, Vec<String>) = (row.get(0), row.get(1));
            let said = columns.iter().map(|column| match Stake::of(table, column) {
                Some(stake) => format!("\n  {column}: {stake:?}"),
                None => format!(" {column}"),
            });
            let (at_stake, plain): (Vec<_>, Vec<_>) = said.partition(|it| it.starts_with('\n'));
            format!("{table}{}{}", plain.concat(), at_stake.concat())
        });
        insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"));
    });
}
