//! Closed by default: a connection without a caller's transaction has no rights.

use frontdesk_protocol::Role;
use frontdesk_server::database::{Access, Actor, Transaction};
use frontdesk_tests::{Organization, run, world};
use tokio_postgres::error::SqlState;

use crate::database::connection::{refused, value};

/// A connection of the pool outside a transaction: the caller's transaction is ended first.
async fn outside(organization: &Organization) -> Transaction {
    let actor = Actor::Caller(organization.user(Role::Owner));
    let mut transaction = world().database().transaction(actor, Access::Write);
    let user: String = value(&mut transaction, "select current_user::text").await;
    assert_eq!(user, "authenticated");
    transaction.query("rollback", &[]).await.expect("it ends");
    transaction
}

async fn tables() -> Vec<String> {
    let owner = world().owner().await;
    let rows = owner
        .query(
            "select format('%I.%I', n.nspname, c.relname) from pg_class c \
               join pg_namespace n on n.oid = c.relnamespace \
             where c.relkind in ('r', 'p', 'v', 'm') and c.relrowsecurity \
             order by 1",
            &[],
        )
        .await
        .expect("the catalogue");
    rows.iter().map(|row| row.get(0)).collect()
}

#[test]
fn outside_a_caller_s_transaction_every_table_is_closed() {
    run(async {
        let organization = Organization::create().await;
        let tables = tables().await;
        assert!(tables.len() >= 18, "{tables:?}");
        let mut connection = outside(&organization).await;
        let user: String = value(&mut connection, "select current_user::text").await;
        assert_eq!(user, "authenticator");
        for table in &tables {
            for sql in [
                format!("select from {table}"),
                format!("insert into {table} default values"),
                format!("delete from {table}"),
                format!("truncate {table}"),
            ] {
                let state = refused(&mut connection, &sql).await;
                assert_eq!(state, SqlState::INSUFFICIENT_PRIVILEGE, "{sql}");
            }
        }
        connection.rollback().await.expect("the connection is well");
    });
}

#[test]
fn outside_a_caller_s_transaction_no_function_can_be_called() {
    run(async {
        let organization = Organization::create().await;
        let mut connection = outside(&organization).await;
        for call in [
            "app.enter(gen_random_uuid())",
            "app.caller_org()",
            "app.search_pattern('a')",
            "events.find_guests(gen_random_uuid(), '%', null, null, 1, 0)",
        ] {
            // A statement that a caller has prepared on this connection is planned: its functions are not asked for again.
            let sql = format!("select {call} as outside");
            let state = refused(&mut connection, &sql).await;
            assert_eq!(state, SqlState::INSUFFICIENT_PRIVILEGE, "{sql}");
        }
        connection.rollback().await.expect("the connection is well");
    });
}

#[test]
fn a_caller_becomes_nobody_else() {
    run(async {
        let organization = Organization::create().await;
        let actor = Actor::Caller(organization.user(Role::Owner));
        for (before, sql) in [
            (None, "set role frontdesk_owner"),
            (None, "set local role frontdesk_owner"),
            (None, "alter role authenticated bypassrls"),
            (
                Some("set local row_security = off"),
                "select from events.guests",
            ),
            (None, "alter table events.guests disable row level security"),
            (None, "create policy mine on events.guests using (true)"),
            (None, "create table events.mine (id int)"),
            (None, "update staff.users set role = 'owner'"),
            (None, "update learn.profiles set level = 100"),
            (
                None,
                "update staff.users set organization_id = gen_random_uuid()",
            ),
            (None, "select from auth.users"),
            (None, "select from app.secrets"),
            (None, "select from app.migrations"),
            (None, "select from app.functions"),
        ] {
            let mut transaction = world().database().transaction(actor, Access::Write);
            if let Some(before) = before {
                transaction.query(before, &[]).await.expect(before);
            }
            let state = refused(&mut transaction, sql).await;
            assert_eq!(state, SqlState::INSUFFICIENT_PRIVILEGE, "{sql}");
            transaction.rollback().await.expect("it is undone");
        }
    });
}

#[test]
fn sign_in_sees_accounts_and_nothing_else() {
    run(async {
        for table in tables().await {
            let mut transaction = world()
                .database()
                .transaction(Actor::Identity, Access::Write);
            let sql = format!("select from {table}");
            // Only functions see the links for new passwords.
            let is_open = table.starts_with("auth.") && table != "auth.password_links";
            if is_open || table == "app.secrets" {
                transaction.query(&sql, &[]).await.expect(&sql);
            } else {
                let state = refused(&mut transaction, &sql).await;
                assert_eq!(state, SqlState::INSUFFICIENT_PRIVILEGE, "{sql}");
            }
            transaction.rollback().await.expect("it is undone");
        }
    });
}

#[test]
fn a_caller_who_does_not_say_who_it_is_sees_no_row() {
    run(async {
        let organization = Organization::create().await;
        organization.event("Open day").await;
        let tables = tables().await;
        let actor = Actor::Caller(organization.user(Role::Owner));
        let mut transaction = world().database().transaction(actor, Access::Write);
        let seen: i64 = value(&mut transaction, "select count(*) from events.events").await;
        assert_eq!(seen, 1);
        for table in tables {
            // A transaction that set the role but never called `app.enter`.
            for statement in ["rollback", "begin", "set local role authenticated"] {
                transaction.query(statement, &[]).await.expect(statement);
            }
            let sql = format!("select 1 from {table}");
            match transaction.query(&sql, &[]).await {
                Ok(rows) => assert_eq!(rows.len(), 0, "{table}"),
                Err(error) => assert!(error.to_string().starts_with("42501"), "{table}: {error}"),
            }
        }
        transaction.rollback().await.expect("it is undone");
    });
}
