//! The rights of the worker's role, and that nobody else sees the outbox.

use frontdesk_protocol::Role;
use frontdesk_server::database::{Access, Actor, TransactionError};
use frontdesk_tests::{Organization, world};
use tokio_postgres::error::SqlState;

use crate::webhooks::stage::run;

async fn state(actor: Actor, sql: &str) -> Option<SqlState> {
    let mut transaction = world().database().transaction(actor, Access::Write);
    let outcome = transaction.query(sql, &[]).await;
    transaction.rollback().await.expect("it is undone");
    match outcome {
        Ok(_) => None,
        Err(TransactionError::Statement(error)) => Some(
            error
                .code()
                .unwrap_or_else(|| panic!("{sql}: {error}"))
                .clone(),
        ),
        Err(error) => panic!("{sql}: {error}"),
    }
}

#[test]
fn the_worker_sees_the_outbox_and_nothing_else() {
    run(async {
        let owner = world().owner().await;
        let rows = owner
            .query(
                "select format('%I.%I', n.nspname, c.relname) from pg_class c \
                   join pg_namespace n on n.oid = c.relnamespace \
                 where c.relkind in ('r', 'p', 'v', 'm') and c.relrowsecurity",
                &[],
            )
            .await
            .expect("the catalogue");
        drop(owner);
        let tables: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
        assert!(
            tables.iter().any(|table| table == "work.meetings"),
            "{tables:?}"
        );
        for table in tables {
            let refused = state(Actor::Webhooks, &format!("select from {table}")).await;
            let expected = match table.as_str() {
                "webhooks.events" => None,
                _ => Some(SqlState::INSUFFICIENT_PRIVILEGE),
            };
            assert_eq!(refused, expected, "{table}");
        }
    });
}

#[test]
fn the_worker_settles_events_and_changes_not_what_they_say() {
    run(async {
        for sql in [
            "insert into webhooks.events (organization_id, type, subject_id) \
               values (gen_random_uuid(), 'meeting.created', gen_random_uuid())",
            "update webhooks.events set subject_id = gen_random_uuid()",
            "update webhooks.events set organization_id = gen_random_uuid()",
            "update webhooks.events set id = gen_random_uuid()",
            "delete from webhooks.events",
            "truncate webhooks.events",
            "set local role frontdesk_owner",
            "select webhooks.count_for('{}')",
        ] {
            let refused = state(Actor::Webhooks, sql).await;
            assert_eq!(refused, Some(SqlState::INSUFFICIENT_PRIVILEGE), "{sql}");
        }
        let settled = "update webhooks.events set lease = null where false";
        assert_eq!(state(Actor::Webhooks, settled).await, None);
    });
}

#[test]
fn no_caller_reaches_the_outbox() {
    run(async {
        let organization = Organization::create().await;
        let owner = Actor::Caller(organization.user(Role::Owner));
        for sql in [
            "select from webhooks.events",
            "insert into webhooks.events (organization_id, type, subject_id) \
               values (gen_random_uuid(), 'meeting.created', gen_random_uuid())",
            "update webhooks.events set due_at = now()",
            "delete from webhooks.events",
        ] {
            let refused = state(owner, sql).await;
            assert_eq!(refused, Some(SqlState::INSUFFICIENT_PRIVILEGE), "{sql}");
        }
    });
}
