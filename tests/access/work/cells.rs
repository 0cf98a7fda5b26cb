//! Every work tool as everybody: what the table promises is what happens, and a refused change leaves
//! nothing behind, not even a webhook.

use frontdesk_protocol::{Host, Role};
use serde_json::Value;

use super::case::{Act, CASES};
use super::rank::Ranked;
use super::stage::{Meetings, Rows};
use super::table::Right;
use crate::access::hosts;
use crate::access::stage::changed;
use crate::access::verdict::Verdict;
use crate::access::who::Who;

#[test]
fn every_tool_for_meetings_is_tried() {
    let mut tried: Vec<_> = CASES.iter().map(|case| case.tool).collect();
    tried.sort_unstable();
    tried.dedup();
    let stated = hosts::work::AREA.elsewhere.iter();
    assert_eq!(tried, stated.map(|(name, _)| *name).collect::<Vec<_>>());
    for case in CASES {
        let tool = Host::Work.tools().find(|tool| tool.name == case.tool);
        let read_only = tool.map(|tool| tool.effect.read_only);
        assert_eq!(read_only, Some(case.act == Act::List), "{}", case.tool);
    }
}

macro_rules! everybody {
    ($($test:ident: $who:expr, levels $($level:literal)+;)+) => {$(
        #[test]
        #[ignore = "runs on PostgreSQL; here with --include-ignored"]
        fn $test() {
            $(every_tool_as(Ranked { who: $who, level: $level });)+
        }
    )+

    #[test]
    fn everybody_has_a_turn_at_work() {
        let tried = [$($(Ranked { who: $who, level: $level }),+),+];
        for ranked in Ranked::all() {
            assert!(tried.contains(&ranked), "{ranked:?}");
        }
    }};
}

everybody! {
    an_owner_changes_meetings: Who::Ours(Role::Owner), levels 0 79 80;
    an_admin_changes_meetings_from_level_80: Who::Ours(Role::Admin), levels 79 80;
    staff_change_meetings_from_level_80: Who::Ours(Role::Staff), levels 0 79 80 100;
    a_teacher_changes_meetings_from_level_80: Who::Ours(Role::Teacher), levels 79 80;
    finance_changes_meetings_from_level_80: Who::Ours(Role::Finance), levels 79 80;
    a_fellow_sees_no_meetings: Who::Ours(Role::Fellow), levels 79 80;
    automation_sees_no_meetings: Who::Ours(Role::Automation), levels 79 80;
    an_owner_of_another_organisation_sees_its_own_meetings: Who::Theirs(Role::Owner), levels 79 80;
    an_admin_of_another_organisation_sees_its_own_meetings: Who::Theirs(Role::Admin), levels 79 80;
    staff_of_another_organisation_see_its_own_meetings: Who::Theirs(Role::Staff), levels 79 80;
    a_teacher_of_another_organisation_sees_its_own_meetings: Who::Theirs(Role::Teacher), levels 79 80;
    finance_of_another_organisation_sees_its_own_meetings: Who::Theirs(Role::Finance), levels 79 80;
    a_fellow_of_another_organisation_sees_no_meetings: Who::Theirs(Role::Fellow), levels 79 80;
    automation_of_another_organisation_sees_no_meetings: Who::Theirs(Role::Automation), levels 79 80;
    an_account_without_staff_row_and_profile_sees_no_meetings: Who::Nobody, levels 0;
    somebody_whose_staff_row_is_inactive_sees_no_meetings: Who::Inactive, levels 0;
}

fn every_tool_as(ranked: Ranked) {
    let meetings = Meetings::set();
    let mut http = ranked.sign_in(&meetings);
    let (writes, others): (Vec<_>, Vec<_>) = CASES
        .iter()
        .partition(|case| matches!(case.act, Act::Change(_)) && ranked.right() == Right::Change);
    let mut before = meetings.stage.snapshot();
    for case in others {
        let answer = http.call(Host::Work, case.tool, (case.arguments)(&meetings.ours));
        let expected = match (case.act, ranked.right()) {
            (Act::List, _) => {
                check_list(ranked, &meetings, answer.output());
                Verdict::Done
            }
            (_, Right::Change) => Verdict::Done,
            (_, Right::Read) => Verdict::Forbidden,
            (Act::Try(field) | Act::Change(field), Right::Nothing) => {
                Verdict::NotFound(field.to_owned())
            }
        };
        let name = format!("{} ({:?}) as {ranked:?}", case.tool, case.act);
        assert_eq!(Verdict::of(&answer), expected, "{name}");
    }
    let after = meetings.stage.snapshot();
    assert_eq!(
        changed(&before, &after),
        [""; 0],
        "a read or a refused call wrote as {ranked:?}"
    );
    for case in writes {
        let name = format!("{} as {ranked:?}", case.tool);
        let answer = http.call(Host::Work, case.tool, (case.arguments)(&meetings.ours));
        assert_eq!(Verdict::of(&answer), Verdict::Done, "{name}");
        let after = meetings.stage.snapshot();
        assert_ne!(before, after, "{name} wrote nothing");
        before = after;
    }
}

/// The list is of the caller's organisation, whichever that is, and holds no word that was said.
fn check_list(ranked: Ranked, meetings: &Meetings, output: &Value) {
    let own: Option<&Rows> = match ranked.who {
        Who::Ours(_) => Some(&meetings.ours),
        Who::Theirs(_) => Some(&meetings.theirs),
        Who::Nobody | Who::Inactive => None,
    };
    let sees = match ranked.who.role() {
        Some(role) => super::table::right(role, ranked.level) != Right::Nothing,
        None => false,
    };
    let listed = own.filter(|_| sees).map_or(&[][..], |rows| &rows.listed);
    let found = output["series"].as_array().expect("series");
    let expected: Vec<_> = listed.iter().map(|(id, _)| id.to_string()).collect();
    assert_eq!(in_order(found), expected, "{ranked:?}");
    for (series, (_, occurrences)) in found.iter().zip(listed) {
        assert_eq!(series["occurrence_count"], occurrences.len(), "{ranked:?}");
        if let Some(listed) = series["occurrences"].as_array() {
            let expected: Vec<_> = occurrences.iter().map(ToString::to_string).collect();
            assert_eq!(in_order(listed), expected, "{ranked:?}");
        }
    }
    assert!(!output.to_string().contains("Words"), "{output}");
}

/// The records' ids, as they come.
fn in_order(records: &[Value]) -> Vec<&str> {
    let ids = records.iter().map(|record| record["id"].as_str());
    ids.map(|id| id.expect("an id")).collect()
}
