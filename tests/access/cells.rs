//! Every tool as every caller: the result agrees with the matrix, and a refused write changes
//! nothing.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::Answer;

use crate::case::{Act, CASES, Case, Whose, sees};
use crate::matrix::{self, Cell, Resource};
use crate::stage::{Stage, changed};
use crate::verdict::{Verdict, ids};
use crate::who::Who;

#[test]
fn every_tool_is_tried() {
    let mut tried: Vec<_> = CASES.iter().map(|case| case.tool).collect();
    let mut declared: Vec<_> = Host::Events.tools().map(|tool| tool.name).collect();
    tried.sort_unstable();
    tried.dedup();
    declared.sort_unstable();
    assert_eq!(tried, declared);
    for case in CASES {
        let tool = Host::Events.tools().find(|tool| tool.name == case.tool);
        let read_only = tool.map(|tool| tool.effect.read_only);
        assert_eq!(read_only, Some(case.act.is_read()), "{}", case.tool);
    }
}

macro_rules! everybody {
    ($($test:ident: $who:expr;)+) => {$(
        #[test]
        fn $test() {
            every_tool_as($who);
        }
    )+

    #[test]
    fn everybody_has_a_turn() {
        let tried = [$($who),+];
        assert!(Who::all().all(|who| tried.contains(&who)));
    }};
}

everybody! {
    an_owner_reads_and_writes_everything: Who::Ours(Role::Owner);
    an_admin_reads_and_writes_everything: Who::Ours(Role::Admin);
    staff_read_and_write_everything: Who::Ours(Role::Staff);
    a_teacher_reads_events_sessions_and_guests_and_checks_in: Who::Ours(Role::Teacher);
    finance_reads_everything_and_writes_expenses: Who::Ours(Role::Finance);
    a_fellow_reads_what_is_shared_and_what_is_the_fellows_own: Who::Ours(Role::Fellow);
    automation_sees_nothing: Who::Ours(Role::Automation);
    an_owner_of_another_organisation_sees_nothing_of_this_one: Who::Theirs(Role::Owner);
    an_admin_of_another_organisation_sees_nothing_of_this_one: Who::Theirs(Role::Admin);
    staff_of_another_organisation_see_nothing_of_this_one: Who::Theirs(Role::Staff);
    a_teacher_of_another_organisation_sees_nothing_of_this_one: Who::Theirs(Role::Teacher);
    finance_of_another_organisation_sees_nothing_of_this_one: Who::Theirs(Role::Finance);
    a_fellow_of_another_organisation_sees_nothing_of_this_one: Who::Theirs(Role::Fellow);
    automation_of_another_organisation_sees_nothing_of_this_one: Who::Theirs(Role::Automation);
    an_account_without_staff_row_and_profile_sees_nothing: Who::Nobody;
    somebody_whose_staff_row_is_inactive_sees_nothing: Who::Inactive;
}

fn every_tool_as(who: Who) {
    let stage = Stage::set();
    let mut http = who.sign_in(&stage);
    let (writes, others): (Vec<_>, Vec<_>) = CASES
        .iter()
        .partition(|case| !case.act.is_read() && case.is_allowed(who));
    let mut before = stage.snapshot();
    for case in others {
        let answer = http.events(case.tool, (case.arguments)(&stage));
        let verdict = Verdict::of(&answer);
        if case.act.is_read() {
            assert_eq!(verdict, Verdict::Done, "{}", case.name(who));
            check_read(who, case, &stage, &answer);
        } else {
            assert_eq!(verdict, refusal(who, case), "{}", case.name(who));
        }
    }
    let after = stage.snapshot();
    assert_eq!(
        changed(&before, &after),
        [""; 0],
        "a read or a refused call wrote as {who:?}"
    );
    for case in writes {
        let name = case.name(who);
        let answer = http.events(case.tool, (case.arguments)(&stage));
        assert_eq!(Verdict::of(&answer), Verdict::Done, "{name}");
        let after = stage.snapshot();
        assert_ne!(before, after, "{name} wrote nothing");
        before = after;
    }
}

/// The expected verdict of a write that is not allowed.
fn refusal(who: Who, case: &Case) -> Verdict {
    match case.act {
        // In its own organisation the caller can make the row, but its reference does not exist.
        Act::Create(field) if writes_at_home(who, case.resource) => {
            Verdict::NotFound(field.to_owned())
        }
        Act::Change(whose) if !sees(who, case.resource, whose) => {
            Verdict::NotFound("id".to_owned())
        }
        _ => Verdict::Forbidden,
    }
}

fn writes_at_home(who: Who, resource: Resource) -> bool {
    who.role()
        .is_some_and(|role| matrix::cell(role, resource) == Cell::Write)
}

fn check_read(who: Who, case: &Case, stage: &Stage, answer: &Answer) {
    let name = case.name(who);
    let output = answer.output();
    let rows = &stage.rows;
    match case.act {
        Act::List => {
            let (plural, mut visible) = match case.resource {
                // The list of events shows the caller's own organisation.
                Resource::Events => ("events", events_of(who, stage)),
                Resource::Sessions => ("sessions", vec![(Whose::Other, rows.session.0)]),
                Resource::Guests | Resource::CheckIn => (
                    "guests",
                    vec![
                        (Whose::Own, rows.own_guest.0),
                        (Whose::Other, rows.other_guest.0),
                    ],
                ),
                Resource::Tasks => (
                    "tasks",
                    vec![
                        (Whose::Own, rows.own_task.0),
                        (Whose::Other, rows.other_task.0),
                    ],
                ),
                Resource::Expenses => ("expenses", vec![(Whose::Other, rows.expense.0)]),
                Resource::Photos => ("photos", vec![(Whose::Other, rows.photo.0)]),
            };
            if case.resource != Resource::Events {
                visible.retain(|(whose, _)| sees(who, case.resource, *whose));
            }
            let mut visible: Vec<_> = visible.iter().map(|(_, id)| id.to_string()).collect();
            visible.sort();
            assert_eq!(ids(output, plural), visible, "{name}");
        }
        Act::Get(whose) => {
            let record = match case.resource {
                Resource::Events => &output["event"],
                Resource::Photos => &output["photo"],
                _ => &output["guest"],
            };
            assert_eq!(
                record.is_object(),
                sees(who, case.resource, whose),
                "{name}: {output}"
            );
            assert_eq!(
                record.is_null(),
                !sees(who, case.resource, whose),
                "{name}: {output}"
            );
        }
        Act::Resolve(whose) => {
            assert_eq!(
                output["resolved"],
                sees(who, case.resource, whose),
                "{name}: {output}"
            );
            let text = output.to_string();
            assert!(
                !text.contains("chat-0123456789") && !text.contains("chat-fellow"),
                "{text}"
            );
        }
        Act::Create(_) | Act::Change(_) => {}
    }
}

/// The events in this caller's list.
fn events_of(who: Who, stage: &Stage) -> Vec<(Whose, uuid::Uuid)> {
    let event = match who {
        Who::Ours(_) => stage.rows.event,
        Who::Theirs(_) => stage.their_rows.event,
        Who::Nobody | Who::Inactive => return Vec::new(),
    };
    let reads = who.role().map(|role| matrix::cell(role, Resource::Events));
    match reads {
        None | Some(Cell::Nothing) => Vec::new(),
        Some(_) => vec![(Whose::Other, event.0)],
    }
}
