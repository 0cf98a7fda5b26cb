//! Below the tools: what the policies of the work tables say by themselves.

use frontdesk_protocol::Role;
use frontdesk_server::database::Actor;
use tokio_postgres::error::SqlState;

use super::rank::{Ranked, set_level};
use super::stage::{CHILDREN, Meetings};
use super::table::Right;
use crate::access::below::execute;
use crate::access::who::Who;

/// The tables in an order in which their rows can be removed.
fn tables() -> impl Iterator<Item = &'static str> {
    let children = CHILDREN.iter().map(|(table, ..)| *table);
    children.chain(["meeting_occurrences", "meetings"])
}

/// This account, with its level, where a transaction can be opened for it by its role.
fn actor(ranked: Ranked, meetings: &Meetings) -> Option<Actor> {
    let (organization, role) = match ranked.who {
        Who::Ours(role) => (&meetings.stage.ours, role),
        Who::Theirs(role) => (&meetings.stage.theirs, role),
        Who::Nobody | Who::Inactive => return None,
    };
    let user = organization.user(role);
    set_level(user, organization.id, ranked.level);
    Some(Actor::Caller(user))
}

#[test]
#[ignore = "runs on PostgreSQL; here with --include-ignored"]
fn each_work_table_is_read_by_staff_and_changed_by_admins() {
    let meetings = Meetings::set();
    let stage = &meetings.stage;
    let ours = stage.ours.id;
    for ranked in Ranked::all() {
        let Some(actor) = actor(ranked, &meetings) else {
            continue;
        };
        let before = stage.snapshot();
        for table in tables() {
            let name = format!("{table} as {ranked:?}");
            let of_ours = format!("from work.{table} where organization_id = '{ours}'");
            let read = format!("select 1 {of_ours}");
            let seen = execute(actor, &read, &[]).expect("a read");
            assert_eq!(seen > 0, ranked.right() != Right::Nothing, "{name}");
            let touch = format!(
                "update work.{table} set id = id where organization_id = '{ours}' returning 1"
            );
            let touched = match ranked.right() {
                Right::Change => Ok(seen),
                Right::Read => Err(SqlState::INSUFFICIENT_PRIVILEGE),
                Right::Nothing => Ok(0),
            };
            assert_eq!(execute(actor, &touch, &[]), touched, "{name}");
            if ranked.right() != Right::Change {
                let remove = format!("delete {of_ours} returning 1");
                assert_eq!(execute(actor, &remove, &[]), Ok(0), "{name}");
            }
        }
        assert_eq!(stage.snapshot(), before, "{ranked:?}");
        for (table, columns, values) in CHILDREN {
            let add = format!(
                "insert into work.{table} (organization_id, meeting_id, {columns}) \
                 values ('{ours}', $1, {values}) returning 1"
            );
            let ids = [meetings.ours.series.0];
            let added = execute(actor, &add, &ids);
            if ranked.right() == Right::Change {
                assert_eq!(added, Ok(1), "{table} as {ranked:?}");
                let remove = format!("delete from work.{table} where meeting_id = $1 returning 1");
                assert_eq!(
                    execute(actor, &remove, &ids),
                    Ok(1),
                    "{table} as {ranked:?}"
                );
            } else {
                let refused = Err(SqlState::INSUFFICIENT_PRIVILEGE);
                assert_eq!(added, refused, "{table} as {ranked:?}");
            }
        }
        assert_eq!(stage.snapshot(), before, "{ranked:?}");
    }
}

#[test]
#[ignore = "runs on PostgreSQL; here with --include-ignored"]
fn nothing_is_hung_on_another_organisation_s_meeting() {
    let meetings = Meetings::set();
    let owner = Actor::Caller(meetings.stage.ours.user(Role::Owner));
    let before = meetings.stage.snapshot();
    let (series, theirs) = (meetings.theirs.series.0, meetings.stage.theirs.id);
    for (table, columns, values) in CHILDREN {
        let hang = format!(
            "insert into work.{table} (meeting_id, {columns}) values ($1, {values}) returning 1"
        );
        let hung = execute(owner, &hang, &[series]);
        assert_eq!(hung, Err(SqlState::FOREIGN_KEY_VIOLATION), "{table}");
        let give = format!("update work.{table} set organization_id = '{theirs}' returning 1");
        let given = execute(owner, &give, &[]);
        assert_eq!(given, Err(SqlState::INSUFFICIENT_PRIVILEGE), "{table}");
    }
    let add = format!(
        "insert into work.meetings (organization_id, title) values ('{theirs}', 'Theirs') returning 1"
    );
    let added = execute(owner, &add, &[]);
    assert_eq!(added, Err(SqlState::INSUFFICIENT_PRIVILEGE));
    let add = "insert into work.meeting_occurrences (meeting_id, occurrence_date) \
         values ($1, '2026-03-05') returning 1";
    let added = execute(owner, add, &[series]);
    assert_eq!(added, Err(SqlState::FOREIGN_KEY_VIOLATION));
    assert_eq!(meetings.stage.snapshot(), before);
}

#[test]
#[ignore = "runs on PostgreSQL; here with --include-ignored"]
fn no_caller_touches_the_outbox_of_webhooks() {
    let meetings = Meetings::set();
    let before = meetings.stage.snapshot();
    for role in Role::ALL {
        let actor = Actor::Caller(meetings.stage.ours.user(role));
        for sql in [
            "select 1 from webhooks.events",
            "update webhooks.events set delivered_at = now() returning 1",
            "delete from webhooks.events returning 1",
            "insert into webhooks.events (organization_id, type, subject_id) \
             values (app.caller_org(), 'meeting.created', gen_random_uuid()) returning 1",
        ] {
            let refused = Err(SqlState::INSUFFICIENT_PRIVILEGE);
            assert_eq!(execute(actor, sql, &[]), refused, "{role:?}: {sql}");
        }
    }
    assert_eq!(meetings.stage.snapshot(), before);
}
