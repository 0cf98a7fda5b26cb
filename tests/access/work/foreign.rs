//! No change reaches into another organisation, and what is another's is answered like what is nowhere.

use frontdesk_protocol::{Host, Role};
use serde_json::{Value, json};
use uuid::Uuid;

use super::stage::{Meetings, Rows};
use crate::access::stage::changed;
use crate::access::verdict::Verdict;

/// What is reached for: another organisation's, or nowhere.
struct Reach {
    series: Uuid,
    occurrence: Uuid,
    canonical: Uuid,
    skeleton: Uuid,
}

impl Reach {
    fn foreign(theirs: &Rows) -> Reach {
        Reach {
            series: theirs.series.0,
            occurrence: theirs.promoted.0,
            canonical: theirs.canonical.0,
            skeleton: theirs.skeleton.0,
        }
    }

    fn nowhere() -> Reach {
        Reach {
            series: Uuid::new_v4(),
            occurrence: Uuid::new_v4(),
            canonical: Uuid::new_v4(),
            skeleton: Uuid::new_v4(),
        }
    }
}

/// Every way in which a change can reach for what is not the organisation's, and the argument that is
/// to be named.
fn changes(ours: &Rows, reach: &Reach) -> Vec<(&'static str, &'static str, Value)> {
    let mut changes = vec![
        (
            "remove_meeting_series",
            "series_meeting_id",
            json!({ "series_meeting_id": reach.series }),
        ),
        (
            "promote_occurrence_to_standalone",
            "occurrence_id",
            json!({ "occurrence_id": reach.occurrence }),
        ),
        (
            "merge_meetings",
            "skeleton_meeting_id",
            json!({
                "canonical_meeting_id": ours.canonical, "skeleton_meeting_id": reach.skeleton,
            }),
        ),
        (
            "merge_meetings",
            "canonical_meeting_id",
            json!({
                "canonical_meeting_id": reach.canonical, "skeleton_meeting_id": ours.skeleton,
            }),
        ),
    ];
    let mut tried = changes.clone();
    for (_, _, arguments) in &mut tried {
        arguments["dry_run"] = json!(true);
    }
    changes.extend(tried);
    changes.push((
        "set_meeting_template",
        "meeting_id",
        json!({ "meeting_id": reach.series, "template": "weekly_leaders" }),
    ));
    changes.push((
        "set_meeting_recurrence_time",
        "meeting_id",
        json!({
            "meeting_id": reach.series,
            "recurrence_start_time": "09:00", "recurrence_end_time": "10:00",
        }),
    ));
    changes
}

#[test]
#[ignore = "runs on PostgreSQL; here with --include-ignored"]
fn no_tool_changes_or_reveals_another_organisation_s_meetings() {
    let meetings = Meetings::set();
    let mut owner = meetings.stage.ours.sign_in(Role::Owner);
    let before = meetings.stage.snapshot();
    let foreign = changes(&meetings.ours, &Reach::foreign(&meetings.theirs));
    let unknown = changes(&meetings.ours, &Reach::nowhere());
    for ((tool, field, foreign), (_, _, unknown)) in foreign.into_iter().zip(unknown) {
        let answer = owner.call(Host::Work, tool, foreign.clone());
        let expected = Verdict::NotFound(field.to_owned());
        assert_eq!(Verdict::of(&answer), expected, "{tool} {foreign}");
        let nowhere = owner.call(Host::Work, tool, unknown);
        assert_eq!(answer.tool_error(), nowhere.tool_error(), "{tool}");
    }
    let after = meetings.stage.snapshot();
    assert_eq!(changed(&before, &after), [""; 0]);
}

/// An id is unique within an organisation: another organisation's transcript does not block it.
#[test]
#[ignore = "runs on PostgreSQL; here with --include-ignored"]
fn another_organisation_s_transcript_is_no_meeting_of_this_one() {
    let meetings = Meetings::set();
    let mut owner = meetings.stage.ours.sign_in(Role::Owner);
    let mut neighbour = meetings.stage.theirs.sign_in(Role::Owner);
    for (http, rows) in [
        (&mut neighbour, &meetings.theirs),
        (&mut owner, &meetings.ours),
    ] {
        let arguments = json!({ "occurrence_id": rows.promoted });
        let tool = "promote_occurrence_to_standalone";
        let answer = http.call(Host::Work, tool, arguments);
        let output = answer.output();
        assert_eq!(output["already_there"], false, "{output}");
        assert_eq!(output["automation_webhook_inserts"], 1, "{output}");
        assert_eq!(output["meeting"]["id"], rows.promoted.to_string());
    }
}
