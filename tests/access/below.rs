//! The policies by themselves, also for statements that no tool makes.

use frontdesk_protocol::Role;
use frontdesk_server::database::{Access, Actor, TransactionError};
use frontdesk_tests::blocking::world;
use frontdesk_tests::run;
use tokio_postgres::error::SqlState;
use uuid::Uuid;

use crate::access::stage::Stage;
use crate::access::who::Who;

/// Runs and commits one statement as this actor; returns the number of rows, or the SQLSTATE of the
/// refusal.
pub(crate) fn execute(actor: Actor, sql: &str, ids: &[Uuid]) -> Result<usize, SqlState> {
    let ids: Vec<_> = ids.iter().map(|id| id as _).collect();
    let mut transaction = world().database().transaction(actor, Access::Write);
    match run(transaction.query(sql, &ids)) {
        Ok(rows) => {
            run(transaction.commit()).expect("committed");
            Ok(rows.len())
        }
        Err(TransactionError::Statement(error)) => {
            run(transaction.rollback()).expect("rolled back");
            let state = error.code().cloned();
            Err(state.unwrap_or_else(|| panic!("{sql}: {error}")))
        }
        Err(error) => panic!("{sql}: {error}"),
    }
}

/// One actor of each role.
fn actors(stage: &Stage) -> impl Iterator<Item = (Who, Actor)> {
    Role::ALL.into_iter().flat_map(move |role| {
        [
            (Who::Ours(role), Actor::Caller(stage.ours.user(role))),
            (Who::Theirs(role), Actor::Caller(stage.theirs.user(role))),
        ]
    })
}

#[test]
#[ignore = "runs on PostgreSQL; here with --include-ignored"]
fn who_takes_part_and_who_is_tagged_is_changed_by_those_alone_who_write_it() {
    let stage = Stage::set();
    let rows = &stage.rows;
    let (session, event, guest) = (rows.session.0, rows.event.0, rows.own_guest.0);
    let (photo, member) = (rows.photo.0, stage.ours.member.0);
    for (remove, add, ids) in [
        (
            "delete from events.session_guests where session_id = $1 and event_id = $2 \
               and guest_id = $3 returning 1",
            "insert into events.session_guests (session_id, event_id, guest_id) \
             values ($1, $2, $3) returning 1",
            vec![session, event, guest],
        ),
        (
            "delete from events.photo_members where photo_id = $1 and member_id = $2 \
               returning 1",
            "insert into events.photo_members (photo_id, member_id) values ($1, $2) \
             returning 1",
            vec![photo, member],
        ),
    ] {
        for (who, actor) in actors(&stage) {
            let before = stage.snapshot();
            let removed = execute(actor, remove, &ids);
            if let Who::Ours(Role::Owner | Role::Admin | Role::Staff) = who {
                assert_eq!(removed, Ok(1), "{who:?}: {remove}");
                assert_ne!(stage.snapshot(), before);
                assert_eq!(execute(actor, add, &ids), Ok(1), "{who:?}: {add}");
            } else {
                assert_eq!(removed, Ok(0), "{who:?}: {remove}");
                let added = execute(actor, add, &ids);
                // Another organisation can make such rows, but its references do not exist.
                let refused = match who {
                    Who::Theirs(Role::Owner | Role::Admin | Role::Staff) => {
                        [SqlState::FOREIGN_KEY_VIOLATION, SqlState::UNIQUE_VIOLATION]
                    }
                    _ => [
                        SqlState::INSUFFICIENT_PRIVILEGE,
                        SqlState::INSUFFICIENT_PRIVILEGE,
                    ],
                };
                let state = added.expect_err("it is refused");
                assert!(refused.contains(&state), "{who:?}: {add}: {state:?}");
            }
            assert_eq!(stage.snapshot(), before, "{who:?}");
        }
    }
}

#[test]
#[ignore = "runs on PostgreSQL; here with --include-ignored"]
fn no_row_is_written_under_another_organisation_s_name() {
    let stage = Stage::set();
    let before = stage.snapshot();
    let theirs = stage.theirs.id;
    let owner = world().owner();
    let tables = owner
        .query(
            "select c.relname::text, \
               string_agg(quote_ident(a.attname), ', ' order by a.attnum), \
               string_agg(case a.attname when 'id' then 'gen_random_uuid()' \
                            when 'organization_id' then quote_literal($1) || '::uuid' \
                            else quote_ident(a.attname) end, ', ' order by a.attnum) \
             from pg_class c join pg_attribute a on a.attrelid = c.oid \
             where c.relnamespace = 'events'::regnamespace and c.relkind = 'r' \
               and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' \
             group by c.relname",
            &[&theirs.to_string()],
        )
        .expect("the catalogue");
    drop(owner);
    assert!(tables.len() >= 8);
    for role in [Role::Owner, Role::Staff] {
        let actor = Actor::Caller(stage.ours.user(role));
        for table in &tables {
            let (name, columns, values): (String, String, String) =
                (table.get(0), table.get(1), table.get(2));
            let copy =
                format!("insert into events.{name} ({columns}) select {values} from events.{name}");
            let copied = execute(actor, &copy, &[]);
            assert_eq!(
                copied,
                Err(SqlState::INSUFFICIENT_PRIVILEGE),
                "{role:?}: {copy}"
            );

            let give = format!("update events.{name} set organization_id = '{theirs}' returning 1");
            // No policy lets an association be changed, so no row qualifies.
            let given = match name.as_str() {
                "session_guests" | "photo_members" => Ok(0),
                _ => Err(SqlState::INSUFFICIENT_PRIVILEGE),
            };
            assert_eq!(execute(actor, &give, &[]), given, "{role:?}: {give}");
        }
    }
    assert_eq!(stage.snapshot(), before);
}
