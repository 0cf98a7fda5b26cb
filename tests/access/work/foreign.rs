//! No change reaches into another organisation, and what is another's is answered like what is nowhere.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::run;
use serde_json::{Value, json};
use uuid::Uuid;

use super::stage::Meetings;
use crate::verdict::Verdict;

/// Each change of another organisation's meetings with the argument to be named, beside the same of
/// meetings that are nowhere.
fn reaches(meetings: &Meetings) -> Vec<(&'static str, &'static str, [Value; 2])> {
    let (ours, theirs) = (&meetings.ours, &meetings.theirs);
    let both = |foreign: Uuid, arguments: fn(Uuid, Uuid) -> Value, own: Uuid| {
        [arguments(foreign, own), arguments(Uuid::new_v4(), own)]
    };
    let mut reaches = vec![
        (
            "set_meeting_template",
            "meeting_id",
            both(
                theirs.series.0,
                |id, _| json!({ "meeting_id": id, "template": "weekly_leaders" }),
                ours.series.0,
            ),
        ),
        (
            "set_meeting_recurrence_time",
            "meeting_id",
            both(
                theirs.series.0,
                |id, _| {
                    json!({
                        "meeting_id": id,
                        "recurrence_start_time": "09:00", "recurrence_end_time": "10:00",
                    })
                },
                ours.series.0,
            ),
        ),
    ];
    let tried: [(_, _, _, fn(Uuid, Uuid) -> Value, _); 4] = [
        (
            "remove_meeting_series",
            "series_meeting_id",
            theirs.series.0,
            |id, _| json!({ "series_meeting_id": id }),
            ours.series.0,
        ),
        (
            "promote_occurrence_to_standalone",
            "occurrence_id",
            theirs.promoted.0,
            |id, _| json!({ "occurrence_id": id }),
            ours.series.0,
        ),
        (
            "merge_meetings",
            "skeleton_meeting_id",
            theirs.skeleton.0,
            |id, own| json!({ "canonical_meeting_id": own, "skeleton_meeting_id": id }),
            ours.canonical.0,
        ),
        (
            "merge_meetings",
            "canonical_meeting_id",
            theirs.canonical.0,
            |id, own| json!({ "canonical_meeting_id": id, "skeleton_meeting_id": own }),
            ours.skeleton.0,
        ),
    ];
    for (tool, field, foreign, arguments, own) in tried {
        let real = both(foreign, arguments, own);
        let mut dry = real.clone();
        for arguments in &mut dry {
            arguments["dry_run"] = json!(true);
        }
        reaches.extend([(tool, field, real), (tool, field, dry)]);
    }
    reaches
}

#[test]
fn no_tool_changes_another_organisation_s_meetings_nor_tells_that_they_are_there() {
    run(async {
        let meetings = Meetings::set().await;
        let mut owner = meetings.stage.ours.sign_in(Role::Owner).await;
        let before = meetings.stage.snapshot().await;
        for (tool, field, [foreign, unknown]) in reaches(&meetings) {
            let answer = owner.call(Host::Work, tool, foreign.clone()).await;
            let expected = Verdict::NotFound(field.to_owned());
            assert_eq!(Verdict::of(&answer), expected, "{tool} {foreign}");
            let nowhere = owner.call(Host::Work, tool, unknown).await;
            assert_eq!(answer.tool_error(), nowhere.tool_error(), "{tool}");
            assert_eq!(meetings.stage.snapshot().await, before, "{tool} {foreign}");
        }
    });
}

/// An id is unique in an organisation and not beyond: another's transcript is in nobody's way.
#[test]
fn another_organisation_s_transcript_is_no_meeting_of_this_one() {
    run(async {
        let meetings = Meetings::set().await;
        let mut owner = meetings.stage.ours.sign_in(Role::Owner).await;
        let mut neighbour = meetings.stage.theirs.sign_in(Role::Owner).await;
        for (http, rows) in [
            (&mut neighbour, &meetings.theirs),
            (&mut owner, &meetings.ours),
        ] {
            let arguments = json!({ "occurrence_id": rows.promoted });
            let tool = "promote_occurrence_to_standalone";
            let answer = http.call(Host::Work, tool, arguments).await;
            let output = answer.output();
            assert_eq!(output["already_there"], false, "{output}");
            assert_eq!(output["automation_webhook_inserts"], 1, "{output}");
            assert_eq!(output["meeting"]["id"], rows.promoted.to_string());
        }
    });
}
