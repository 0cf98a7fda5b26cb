//! `merge_meetings`, rule by rule.

use frontdesk_protocol::id::{MeetingId, OccurrenceId};
use frontdesk_tests::{Answer, run};
use serde_json::{Value, json};

use frontdesk_tests::meetings::{CHILDREN, Stage, planned};

struct Pair {
    canonical: MeetingId,
    skeleton: MeetingId,
}

impl Pair {
    async fn of(stage: &Stage) -> Pair {
        Pair {
            canonical: stage.series("Weekly", json!({})).await,
            skeleton: stage.series("Weekly (imported)", json!({})).await,
        }
    }

    async fn merge(&self, stage: &mut Stage) -> Answer {
        let arguments = json!({
            "canonical_meeting_id": self.canonical, "skeleton_meeting_id": self.skeleton,
        });
        stage.call("merge_meetings", arguments).await
    }
}

async fn parent(stage: &Stage, occurrence: OccurrenceId) -> Option<Value> {
    let row = stage.occurrence_row(occurrence).await?;
    Some(row["meeting_id"].clone())
}

#[test]
fn rule_1_a_date_in_both_is_compared_and_others_stay_where_they_are() {
    run(async {
        let mut stage = Stage::set().await;
        let pair = Pair::of(&stage).await;
        let alone = stage.occurrence(pair.canonical, "2026-02-02", "", "").await;
        let both = [
            stage
                .occurrence(pair.canonical, "2026-02-09", "Said", "t-1")
                .await,
            stage.occurrence(pair.skeleton, "2026-02-09", "", "").await,
        ];
        let answer = pair.merge(&mut stage).await;
        let output = answer.output();
        assert_eq!(planned(output, alone)["action"], "keep");
        assert_eq!(planned(output, alone)["rule"], "merge_meetings rule 1");
        assert_eq!(planned(output, both[0])["action"], "keep");
        assert_eq!(planned(output, both[1])["action"], "discard_empty");
        assert_eq!(parent(&stage, alone).await, Some(json!(pair.canonical)));
    });
}

#[test]
fn rule_2_a_transcript_of_the_skeleton_takes_the_place_of_an_empty_occurrence() {
    run(async {
        let mut stage = Stage::set().await;
        for (text, id) in [("Said", "t-1"), ("Said without a file", ""), ("", "t-2")] {
            let pair = Pair::of(&stage).await;
            let empty = stage.occurrence(pair.canonical, "2026-02-02", "", "").await;
            let real = stage
                .occurrence(pair.skeleton, "2026-02-02", text, id)
                .await;
            let answer = pair.merge(&mut stage).await;
            let output = answer.output();
            assert_eq!(planned(output, empty)["action"], "discard_empty");
            assert_eq!(planned(output, real)["action"], "reparent");
            assert_eq!(planned(output, real)["rule"], "merge_meetings rule 2");
            assert_eq!(parent(&stage, empty).await, None);
            assert_eq!(parent(&stage, real).await, Some(json!(pair.canonical)));
        }
        assert_eq!(stage.texts().await, ["Said", "Said without a file"]);
    });
}

#[test]
fn rule_2_transcript_segments_are_a_transcript_too() {
    run(async {
        let mut stage = Stage::set().await;
        let pair = Pair::of(&stage).await;
        stage.occurrence(pair.canonical, "2026-02-02", "", "").await;
        let real = stage.occurrence(pair.skeleton, "2026-02-02", "", "").await;
        let segment = stage
            .on_occurrence("transcript_segments", real, "Good morning")
            .await;
        let answer = pair.merge(&mut stage).await;
        assert_eq!(planned(answer.output(), real)["action"], "reparent");
        let kept = format!("t.id = '{segment}' and t.occurrence_id = '{real}'");
        assert_eq!(
            stage
                .select("t.id", "work.transcript_segments", &kept)
                .await
                .len(),
            1
        );
    });
}

#[test]
fn rule_3_transcripts_on_both_sides_are_a_conflict_and_both_stay() {
    run(async {
        let mut stage = Stage::set().await;
        let pair = Pair::of(&stage).await;
        let ours = stage
            .occurrence(pair.canonical, "2026-02-02", "Said here", "t-1")
            .await;
        let theirs = stage
            .occurrence(pair.skeleton, "2026-02-02", "Said there", "")
            .await;
        let answer = pair.merge(&mut stage).await;
        let output = answer.output();
        for occurrence in [ours, theirs] {
            assert_eq!(planned(output, occurrence)["action"], "conflict");
            assert_eq!(planned(output, occurrence)["rule"], "merge_meetings rule 3");
        }
        assert_eq!(output["skeleton_removed"], false);
        assert_eq!(parent(&stage, ours).await, Some(json!(pair.canonical)));
        assert_eq!(parent(&stage, theirs).await, Some(json!(pair.skeleton)));
        assert_eq!(stage.texts().await, ["Said here", "Said there"]);
    });
}

#[test]
fn rule_3_the_meetings_own_transcripts_are_held_to_the_same() {
    run(async {
        let mut stage = Stage::set().await;
        let pair = Pair {
            canonical: stage.series("Weekly", json!({})).await,
            skeleton: stage
                .series(
                    "Imported",
                    json!({ "transcript": "Of the day", "transcriber_transcript_id": "t-1" }),
                )
                .await,
        };
        let answer = pair.merge(&mut stage).await;
        assert_eq!(answer.output()["transcript"], "reparent");
        let meeting = stage.meeting(pair.canonical.0).await.expect("it stays");
        assert_eq!(meeting["transcript"], "Of the day");
        assert_eq!(meeting["transcriber_transcript_id"], "t-1");

        let again = Pair {
            canonical: pair.canonical,
            skeleton: stage
                .series("Imported", json!({ "transcript": "Of another day" }))
                .await,
        };
        let answer = again.merge(&mut stage).await;
        assert_eq!(answer.output()["transcript"], "conflict");
        assert_eq!(answer.output()["skeleton_removed"], false);
        assert_eq!(stage.texts().await, ["Of another day", "Of the day"]);
    });
}

#[test]
fn rule_4_empty_duplicates_go_and_new_dates_move() {
    run(async {
        let mut stage = Stage::set().await;
        let pair = Pair::of(&stage).await;
        let ours = stage.occurrence(pair.canonical, "2026-02-02", "", "").await;
        let double = stage.occurrence(pair.skeleton, "2026-02-02", "", "").await;
        let new = stage.occurrence(pair.skeleton, "2026-02-09", "", "").await;
        let answer = pair.merge(&mut stage).await;
        let output = answer.output();
        assert_eq!(planned(output, ours)["action"], "keep");
        assert_eq!(planned(output, double)["action"], "discard_empty");
        assert_eq!(planned(output, new)["action"], "reparent");
        assert_eq!(planned(output, new)["rule"], "merge_meetings rule 4");
        assert_eq!(parent(&stage, double).await, None);
        assert_eq!(parent(&stage, new).await, Some(json!(pair.canonical)));
    });
}

#[test]
fn rule_5_what_hangs_on_the_skeleton_or_on_what_goes_is_moved() {
    run(async {
        let mut stage = Stage::set().await;
        for (table, _) in CHILDREN {
            let pair = Pair::of(&stage).await;
            let ours = stage.occurrence(pair.canonical, "2026-02-02", "", "").await;
            let theirs = stage
                .occurrence(pair.skeleton, "2026-02-02", "Said", "")
                .await;
            // Segments count as a transcript, which would conflict.
            let is_transcript = table == "transcript_segments";
            let above = stage.on_meeting(table, pair.skeleton, "Above").await;
            let below = match is_transcript {
                true => stage.on_occurrence(table, theirs, "Below").await,
                false => stage.on_occurrence(table, ours, "Below").await,
            };
            let answer = pair.merge(&mut stage).await;
            assert_eq!(answer.output()["skeleton_removed"], true, "{table}");
            let table = format!("work.{table}");
            let on = |id| format!("t.id = '{id}'");
            let parents = "t.meeting_id, t.occurrence_id";
            assert_eq!(
                stage.select(parents, &table, &on(above)).await,
                [json!({ "meeting_id": pair.canonical, "occurrence_id": null })],
                "{table}"
            );
            assert_eq!(
                stage.select(parents, &table, &on(below)).await,
                [json!({ "meeting_id": null, "occurrence_id": theirs })],
                "{table}"
            );
        }
    });
}

#[test]
fn rule_5_a_participant_of_both_is_there_once_with_the_member_that_was_known() {
    run(async {
        let mut stage = Stage::set().await;
        let pair = Pair::of(&stage).await;
        let member = stage.organization.member;
        stage
            .on_meeting("meeting_participants", pair.canonical, "Ada")
            .await;
        let known = json!({ "meeting_id": pair.skeleton, "label": "Ada", "member_id": member });
        stage.row("meeting_participants", known).await;
        stage
            .on_meeting("meeting_participants", pair.skeleton, "Grace")
            .await;
        let answer = pair.merge(&mut stage).await;
        let children = &answer.output()["children"];
        assert_eq!(children["participants"], 1);
        assert_eq!(children["participants_already_there"], 1);
        let there = format!("t.meeting_id = '{}'", pair.canonical);
        let mut participants = stage
            .select("t.label, t.member_id", "work.meeting_participants", &there)
            .await;
        participants.sort_by_key(|participant| participant["label"].to_string());
        assert_eq!(
            participants,
            [
                json!({ "label": "Ada", "member_id": member }),
                json!({ "label": "Grace", "member_id": null }),
            ]
        );
    });
}

#[test]
fn rule_6_the_skeleton_goes_when_no_conflict_is_left() {
    run(async {
        let mut stage = Stage::set().await;
        let pair = Pair::of(&stage).await;
        let ours = stage
            .occurrence(pair.canonical, "2026-02-02", "Said here", "t-1")
            .await;
        let theirs = stage
            .occurrence(pair.skeleton, "2026-02-02", "Said there", "t-2")
            .await;
        let new = stage
            .occurrence(pair.skeleton, "2026-02-09", "Said", "t-3")
            .await;
        let answer = pair.merge(&mut stage).await;
        assert_eq!(answer.output()["totals"]["conflict"], 2);
        assert!(stage.meeting(pair.skeleton.0).await.is_some());
        assert_eq!(
            parent(&stage, new).await,
            Some(json!(pair.canonical)),
            "the rest has moved"
        );

        // One of the two becomes a separate meeting, which ends the conflict.
        stage.promote(ours, json!({})).await.output();
        let answer = pair.merge(&mut stage).await;
        assert_eq!(answer.output()["skeleton_removed"], true);
        assert_eq!(stage.meeting(pair.skeleton.0).await, None);
        assert_eq!(parent(&stage, theirs).await, Some(json!(pair.canonical)));
        assert_eq!(stage.texts().await, ["Said", "Said here", "Said there"]);
    });
}

#[test]
fn rule_7_a_template_is_taken_over_where_the_canonical_has_none() {
    run(async {
        let mut stage = Stage::set().await;
        let weekly = Some("weekly_leaders");
        let cases = [
            (None, weekly, json!("weekly_leaders"), true),
            (Some("default"), weekly, json!("weekly_leaders"), true),
            (weekly, Some("default"), json!("weekly_leaders"), false),
            (Some("default"), None, json!("default"), false),
            (None, Some("default"), Value::Null, false),
        ];
        for (ours, theirs, expected, is_taken) in cases {
            let pair = Pair {
                canonical: stage.series("Weekly", json!({ "template": ours })).await,
                skeleton: stage
                    .series("Imported", json!({ "template": theirs }))
                    .await,
            };
            let answer = pair.merge(&mut stage).await;
            let output = answer.output();
            assert_eq!(
                output["canonical"]["template"], expected,
                "{ours:?} {theirs:?}"
            );
            assert_eq!(
                output["template_taken"].is_string(),
                is_taken,
                "{ours:?} {theirs:?}"
            );
            let meeting = stage.meeting(pair.canonical.0).await.expect("it stays");
            assert_eq!(meeting["template"], expected);
        }
    });
}

#[test]
fn a_meeting_is_not_merged_into_itself_or_into_nothing() {
    run(async {
        let mut stage = Stage::set().await;
        let pair = Pair::of(&stage).await;
        let (one, none) = (pair.canonical, MeetingId(uuid::Uuid::now_v7()));
        let ids = |canonical, skeleton| json!({ "canonical_meeting_id": canonical, "skeleton_meeting_id": skeleton });
        let answer = stage.call("merge_meetings", ids(one, one)).await;
        answer.refuses("invalid_argument", "skeleton_meeting_id");
        let answer = stage.call("merge_meetings", ids(one, none)).await;
        answer.refuses("not_found", "skeleton_meeting_id");
        let answer = stage.call("merge_meetings", ids(none, one)).await;
        answer.refuses("not_found", "canonical_meeting_id");
    });
}
