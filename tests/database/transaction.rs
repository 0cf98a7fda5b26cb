//! A caller's transaction: its rights, and what it leaves behind.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use frontdesk_protocol::id::{EventId, GuestId};
use frontdesk_protocol::mcp::CallMeta;
use frontdesk_protocol::{Host, Role};
use frontdesk_server::call::{Call, Given, Server};
use frontdesk_server::database::{Access, Actor, Database, Proof, Transaction};
use frontdesk_server::hosts::Hosts;
use frontdesk_server::identity::Verified;
use frontdesk_tests::{Organization, prepared, run, server, world};
use jiff::Timestamp;
use serde_json::json;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;

use crate::database::connection::{refused, single, value};

const CHECK_IN: &str = "update events.guests set check_in_at = now() where id = $1 returning id";

struct Desk {
    organization: Organization,
    event: EventId,
    guest: GuestId,
    staff: Actor,
}

impl Desk {
    async fn open() -> Desk {
        let organization = Organization::create().await;
        let event = organization.event("Open day").await;
        Desk {
            organization,
            event,
            guest: organization.guest(event, "Ana").await,
            staff: Actor::Caller(organization.user(Role::Staff)),
        }
    }

    async fn is_checked_in(&self) -> bool {
        self.organization.checked_in_at(self.guest).await.is_some()
    }

    /// An open transaction that has checked the guest in.
    async fn checking_in(&self, database: &Database) -> Transaction {
        let mut transaction = database.transaction(self.staff, Access::Write);
        let rows = transaction.query(CHECK_IN, &[&self.guest.0]).await;
        assert_eq!(rows.expect("a check-in").len(), 1);
        transaction
    }

    async fn guests_seen(&self, database: &Database) -> i64 {
        let mut transaction = database.transaction(self.staff, Access::Read);
        let sql = "select count(*) from events.guests where event_id = $1";
        let rows = transaction.query(sql, &[&self.event.0]).await;
        rows.expect("guests")[0].get(0)
    }
}

/// Takes a statement's first step and drops it, whatever it waits for.
fn begin_and_drop(transaction: &mut Transaction, sql: &str, params: &[&(dyn ToSql + Sync)]) {
    let statement = pin!(transaction.query(sql, params));
    let _ = statement.poll(&mut Context::from_waker(Waker::noop()));
}

/// Polls a future this many times, or until it is ready, and drops it.
async fn steps<T>(steps: usize, future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    let mut left = steps;
    std::future::poll_fn(|context| {
        if left == 0 {
            return Poll::Ready(None);
        }
        left -= 1;
        future.as_mut().poll(context).map(Some)
    })
    .await
}

#[test]
fn a_read_cannot_write_whoever_reads() {
    run(async {
        let desk = Desk::open().await;
        for statement in [
            "update events.guests set check_in_at = now()",
            "insert into events.session_guests select * from events.session_guests",
            "delete from events.session_guests",
            "select id from events.guests for update",
        ] {
            let mut read = world().database().transaction(desk.staff, Access::Read);
            let state = refused(&mut read, statement).await;
            assert_eq!(state, SqlState::READ_ONLY_SQL_TRANSACTION, "{statement}");
            // The statement is prepared by now, so it is sent in one flight.
            let state = refused(&mut read, statement).await;
            assert_eq!(state, SqlState::READ_ONLY_SQL_TRANSACTION, "{statement}");
        }
        assert!(!desk.is_checked_in().await);
    });
}

#[test]
fn the_transaction_of_a_token_that_only_reads_cannot_write_whatever_tool_it_is_for() {
    run(async {
        let desk = Desk::open().await;
        let hosts = Hosts::default();
        let route = hosts.route(Host::Events, "check_in_guest").expect("a tool");
        let given = Given::of(&route.tool, json!({ "id": desk.guest }));
        for reads_only in [true, false] {
            let caller = Verified {
                user: desk.organization.user(Role::Staff),
                proof: Proof::IssuedAt(Timestamp::now()),
                reads_only,
                is_person: false,
                expires_at: Timestamp::MAX,
            };
            let (database, meta) = (world().database(), CallMeta::default());
            let mut call =
                Call::begin(route, database, caller, meta, Server::NONE, &given).expect("a call");
            let made = call.make(route, &given).await;
            let (made, _) = call.end(route, &given, made).await;
            assert_eq!(made.is_err(), reads_only, "{made:?}");
            assert_eq!(desk.is_checked_in().await, !reads_only);
        }
    });
}

#[test]
fn the_tools_that_run_read_only_are_those_whose_names_say_so() {
    for tool in Host::ALL.into_iter().flat_map(Host::tools) {
        let begins = [
            "list_", "get_", "lookup_", "resolve_", "search_", "preview_", "suggest_", "export_",
        ];
        let ends = ["_milestones", "_report", "agenda", "search"];
        let reads = begins.iter().any(|begin| tool.name.starts_with(begin))
            || ends.iter().any(|end| tool.name.ends_with(end));
        assert_eq!(tool.effect.read_only, reads, "{tool:?}");
    }
}

#[test]
fn a_write_is_there_when_it_is_committed_and_gone_when_it_is_rolled_back() {
    run(async {
        let desk = Desk::open().await;
        let database = world().database();
        let transaction = desk.checking_in(database).await;
        transaction.rollback().await.expect("rolled back");
        assert!(!desk.is_checked_in().await);
        let transaction = desk.checking_in(database).await;
        transaction.commit().await.expect("committed");
        assert!(desk.is_checked_in().await);
    });
}

#[test]
fn what_a_caller_is_does_not_outlive_the_transaction() {
    run(async {
        const STATE: &str = "select concat_ws(',', \
              nullif(current_setting('app.user_id', true), ''), \
              nullif(current_setting('app.organization_id', true), ''), \
              nullif(current_setting('app.role', true), ''), \
              nullif(current_setting('app.level', true), ''), \
              nullif(current_setting('app.member_id', true), ''))";
        const CONNECTION: &str = "select pg_backend_pid()";
        let desk = Desk::open().await;
        let database = single().await;
        let fellow = Actor::Caller(desk.organization.user(Role::Fellow));

        let mut transaction = database.transaction(fellow, Access::Write);
        let connection: i32 = value(&mut transaction, CONNECTION).await;
        let state: String = value(&mut transaction, STATE).await;
        assert_eq!(state.split(',').count(), 5, "{state}");
        for end in ["commit", "rollback"] {
            transaction.query(end, &[]).await.expect(end);
            let state: String = value(&mut transaction, STATE).await;
            assert_eq!(state, "", "after {end}");
            let user: String = value(&mut transaction, "select current_user::text").await;
            assert_eq!(user, "authenticator", "after {end}");
            transaction.query("begin", &[]).await.expect("begin");
            for setting in ["app.user_id", "app.role", "app.level"] {
                let sql = format!("select set_config('{setting}', '7', true)");
                transaction.query(&sql, &[]).await.expect(&sql);
            }
        }
        transaction.rollback().await.expect("rolled back");

        let mut next = database.transaction(Actor::Identity, Access::Read);
        let state: String = value(&mut next, STATE).await;
        assert_eq!(state, "");
        let same: i32 = value(&mut next, CONNECTION).await;
        assert_eq!(same, connection);

        let teacher = Actor::Caller(desk.organization.user(Role::Teacher));
        let mut next = database.transaction(teacher, Access::Read);
        let state: String = value(&mut next, STATE).await;
        let (user, organization) = (desk.organization.user(Role::Teacher), desk.organization.id);
        assert_eq!(state, format!("{user},{organization},teacher,0"));
    });
}

#[test]
fn a_refused_statement_leaves_the_connection_as_it_was() {
    run(async {
        let desk = Desk::open().await;
        let database = single().await;
        for access in [Access::Read, Access::Write] {
            let mut transaction = database.transaction(desk.staff, access);
            let state = refused(&mut transaction, "select 1 / 0").await;
            assert_eq!(state, SqlState::DIVISION_BY_ZERO);
            transaction.rollback().await.expect("rolled back");
            assert_eq!(desk.guests_seen(&database).await, 1);
        }
    });
}

#[test]
fn a_transaction_that_is_dropped_is_rolled_back() {
    run(async {
        let desk = Desk::open().await;
        let database = single().await;
        drop(desk.checking_in(&database).await);
        assert!(!desk.is_checked_in().await);
        assert_eq!(desk.guests_seen(&database).await, 1);
    });
}

#[test]
fn a_transaction_that_is_dropped_in_the_middle_of_a_statement_is_rolled_back() {
    run(async {
        let desk = Desk::open().await;
        let database = single().await;
        // More rounds than the pool has connections: none is lost.
        for _ in 0..12 {
            let mut transaction = desk.checking_in(&database).await;
            begin_and_drop(&mut transaction, CHECK_IN, &[&desk.guest.0]);
            drop(transaction);
            assert_eq!(desk.guests_seen(&database).await, 1);
        }
        assert!(!desk.is_checked_in().await);
    });
}

#[test]
fn a_call_that_is_dropped_at_any_step_leaves_the_pool_well() {
    run(async {
        let desk = Desk::open().await;
        let database = single().await;
        for access in [Access::Read, Access::Write] {
            let mut taken = 0;
            loop {
                let mut transaction = database.transaction(desk.staff, access);
                let count = transaction.query("select count(*) from events.guests", &[]);
                let finished = steps(taken, count).await.is_some();
                drop(transaction);
                assert_eq!(desk.guests_seen(&database).await, 1, "{taken} steps");
                if finished {
                    break;
                }
                taken += 1;
            }
        }
        assert!(!desk.is_checked_in().await);
    });
}

#[test]
fn what_the_owner_leaves_open_is_rolled_back_and_its_rights_are_gone() {
    run(async {
        let desk = Desk::open().await;
        let database = single().await;
        let owner = database.owner().await.expect("the owner");
        owner.batch_execute("begin").await.expect("begin");
        let changed = owner.query(CHECK_IN, &[&desk.guest.0]).await;
        assert_eq!(changed.expect("a check-in").len(), 1);
        drop(owner);
        assert_eq!(desk.guests_seen(&database).await, 1);
        assert!(!desk.is_checked_in().await);
        let mut next = database.transaction(Actor::Identity, Access::Write);
        next.query("rollback", &[]).await.expect("it ends");
        let user: String = value(&mut next, "select current_user::text").await;
        assert_eq!(user, "authenticator");
        let state = refused(&mut next, "set role frontdesk_owner").await;
        assert_eq!(state, SqlState::INSUFFICIENT_PRIVILEGE);
    });
}

#[test]
fn every_transaction_has_its_time_outs() {
    run(async {
        let database = match server::location() {
            Some(location) => Database::open(&location, 1).await.expect("it opens"),
            None => prepared::open().await,
        };
        for access in [Access::Read, Access::Write] {
            let mut transaction = database.transaction(Actor::Identity, access);
            for (setting, expected) in [
                ("statement_timeout", "10s"),
                ("lock_timeout", "3s"),
                ("idle_in_transaction_session_timeout", "30s"),
            ] {
                let found: String = value(&mut transaction, &format!("show {setting}")).await;
                assert_eq!(found, expected, "{setting}");
            }
        }
    });
}
