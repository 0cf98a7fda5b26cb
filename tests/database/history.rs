//! The history of changes: it is append-only, and kept by the day.

use std::collections::BTreeMap;

use frontdesk_protocol::Host;
use frontdesk_tests::{run, world};
use tokio_postgres::error::SqlState;
use uuid::Uuid;

#[test]
fn entries_are_kept_for_days_and_never_changed() {
    run(async {
        let mut owner = world().owner().await;
        let transaction = owner.transaction().await.expect("a transaction");
        // Days ago, and whether the entry is kept for 30 days.
        let mut ids = Vec::new();
        for days in [0, 29, 31, 400] {
            let id: Uuid = transaction
                .query_one(
                    "insert into app.changes (id, account_id, host, tool, arguments) \
                     select app.first_change_id(now() - make_interval(days => $1)), $2, 'events', 'x', '{}' \
                     returning id",
                    &[&days, &Uuid::now_v7()],
                )
                .await
                .expect("an entry")
                .get(0);
            ids.push(id);
        }
        transaction
            .execute(
                "insert into app.changed_rows (change_id, table_name, operation, key) \
                 values ($1, 'events.guests', 'insert', '{}')",
                &[&ids[0]],
            )
            .await
            .expect("a row");
        for write in [
            "update app.changes set tool = 'y'",
            "delete from app.changes",
            "delete from app.changed_rows",
            "update app.changed_rows set before = null",
        ] {
            transaction
                .batch_execute("savepoint s")
                .await
                .expect("a savepoint");
            let refused = transaction.batch_execute(write).await;
            let code = refused.err().and_then(|error| error.code().cloned());
            assert_eq!(code, Some(SqlState::INSUFFICIENT_PRIVILEGE), "{write}");
            transaction
                .batch_execute("rollback to s")
                .await
                .expect("rolled back");
        }
        let keep = "set local role frontdesk_webhooks; select app.keep_changes(30); reset role; \
             set local role frontdesk_owner";
        transaction.batch_execute(keep).await.expect("cut");
        let kept = transaction
            .query(
                "select id from app.changes where id = any ($1) order by id",
                &[&ids],
            )
            .await
            .expect("entries");
        let kept: Vec<Uuid> = kept.iter().map(|row| row.get(0)).collect();
        assert_eq!(kept, [ids[1], ids[0]]);
        let ahead: i64 = transaction
            .query_one(
                "select count(*) from pg_inherits where inhparent = 'app.changed_rows'::regclass \
                 and inhrelid::regclass::text ~ to_char(now() + interval '3 days', 'YYYYMMDD')",
                &[],
            )
            .await
            .expect("partitions")
            .get(0);
        assert_eq!(ahead, 1);
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
        // The lines of an entry are no kind of their own.
        let rows = owner
            .query(
                "select c.oid::regclass::text, app.lasting(c.oid::regclass::text) from pg_class c \
                 where c.relkind = 'r' and app.lasting(c.oid::regclass::text) is not null \
                   and c.oid <> 'financing.journal_lines'::regclass",
                &[],
            )
            .await
            .expect("tables");
        let stored: BTreeMap<String, &str> =
            rows.iter().map(|row| (row.get(0), row.get(1))).collect();
        assert_eq!(stored, declared);
    });
}
