//! `promote_occurrence_to_standalone`, rule by rule.

use frontdesk_tests::run;
use serde_json::{Value, json};

use frontdesk_tests::meetings::{Stage, guards, planned};

#[test]
fn rule_1_the_meeting_has_the_series_title_or_another_and_the_occurrences_content() {
    run(async {
        let mut stage = Stage::set().await;
        let series = stage
            .series("Weekly", json!({ "transcriber_calendar_id": "cal" }))
            .await;
        let first = stage.occurrence(series, "2026-02-02", "Said", "t-1").await;
        let second = stage
            .occurrence(series, "2026-02-09", "Said, too", "t-2")
            .await;
        let answer = stage.promote(first, json!({})).await;
        assert_eq!(answer.output()["meeting"]["title"], "Weekly");
        assert_eq!(
            answer.output()["meeting"]["meeting_date"],
            "2026-02-02T13:00:00Z"
        );
        let answer = stage
            .promote(second, json!({ "title_override": "Farewell" }))
            .await;
        assert_eq!(answer.output()["meeting"]["title"], "Farewell");
        let meeting = stage.meeting(second.0).await.expect("its meeting");
        assert_eq!(meeting["title"], "Farewell");
        assert_eq!(meeting["is_recurring"], false);
        assert_eq!(meeting["transcriber_calendar_id"], Value::Null);
        assert_eq!(meeting["transcript"], "Said, too");
        assert_eq!(meeting["transcriber_transcript_id"], "t-2");
    });
}

#[test]
fn rule_2_text_without_an_id_is_refused_unless_the_occurrence_is_kept() {
    run(async {
        let mut stage = Stage::set().await;
        let series = stage.series("Weekly", json!({})).await;
        let occurrence = stage
            .occurrence(series, "2026-02-02", "Said, not filed", "")
            .await;
        let before = stage.rows().await;
        let answer = stage.promote(occurrence, json!({})).await;
        assert_eq!(
            guards(&answer),
            [("transcript_without_id".to_owned(), vec![occurrence.0])]
        );
        assert_eq!(stage.rows().await, before);

        let arguments = json!({ "occurrence_id": occurrence, "keep_occurrence": true });
        let answer = stage
            .call("promote_occurrence_to_standalone", arguments.clone())
            .await;
        assert_eq!(answer.output()["occurrence_kept"], true);
        assert!(stage.occurrence_row(occurrence).await.is_some());
        let meeting = stage.meeting(occurrence.0).await.expect("its meeting");
        assert_eq!(meeting["transcript"], "Said, not filed");

        let before = stage.rows().await;
        let answer = stage
            .call("promote_occurrence_to_standalone", arguments)
            .await;
        assert_eq!(answer.output()["already_there"], true, "not a second one");
        assert_eq!(stage.rows().await, before);
    });
}

#[test]
fn rule_3_a_meeting_with_the_transcript_id_is_reported_and_not_made_again() {
    run(async {
        let mut stage = Stage::set().await;
        let series = stage.series("Weekly", json!({})).await;
        let occurrence = stage.occurrence(series, "2026-02-02", "Said", "t-1").await;
        let there = json!({ "title": "From before", "transcriber_transcript_id": "t-1" });
        let there = stage.row("meetings", there).await;
        let before = stage.rows().await;
        let answer = stage.promote(occurrence, json!({})).await;
        let output = answer.output();
        assert_eq!(output["already_there"], true);
        assert_eq!(output["occurrence_kept"], true);
        assert_eq!(output["meeting"]["id"], json!(there));
        assert_eq!(output["meeting"]["title"], "From before");
        assert_eq!(planned(output, occurrence)["action"], "skip_existing");
        assert_eq!(output["automation_webhook_inserts"], 0);
        assert_eq!(stage.rows().await, before);
    });
}

#[test]
fn rule_4_participants_and_underlines_refuse_unless_the_occurrence_is_kept() {
    run(async {
        let mut stage = Stage::set().await;
        for table in ["meeting_participants", "meeting_underlines"] {
            let series = stage.series("Weekly", json!({})).await;
            let occurrence = stage.occurrence(series, "2026-02-02", "Said", table).await;
            stage.on_occurrence(table, occurrence, "Ada").await;
            let before = stage.rows().await;
            let answer = stage.promote(occurrence, json!({})).await;
            assert_eq!(
                guards(&answer),
                [("has_children".to_owned(), vec![occurrence.0])]
            );
            assert_eq!(stage.rows().await, before);
            let answer = stage
                .promote(occurrence, json!({ "keep_occurrence": true }))
                .await;
            assert_eq!(answer.output()["already_there"], false);
            let hanging = format!("t.occurrence_id = '{occurrence}'");
            assert_eq!(
                stage
                    .select("t.id", &format!("work.{table}"), &hanging)
                    .await
                    .len(),
                1
            );
        }
    });
}

#[test]
fn rule_4_what_else_hangs_on_the_occurrence_goes_with_its_content() {
    run(async {
        let mut stage = Stage::set().await;
        let series = stage.series("Weekly", json!({})).await;
        let occurrence = stage.occurrence(series, "2026-02-02", "Said", "t-1").await;
        let tables = [
            "meeting_concepts",
            "meeting_expertise",
            "meeting_tools",
            "transcript_segments",
        ];
        for table in tables {
            stage
                .on_occurrence(table, occurrence, "Row-level security")
                .await;
        }
        stage.promote(occurrence, json!({})).await.output();
        for table in tables {
            let moved = format!("t.meeting_id = '{occurrence}' and t.occurrence_id is null");
            assert_eq!(
                stage
                    .select("t.id", &format!("work.{table}"), &moved)
                    .await
                    .len(),
                1,
                "{table}"
            );
        }
    });
}

#[test]
fn rule_5_the_occurrence_goes_when_its_meeting_is_there_unless_it_is_kept() {
    run(async {
        let mut stage = Stage::set().await;
        let series = stage.series("Weekly", json!({})).await;
        let gone = stage.occurrence(series, "2026-02-02", "Said", "t-1").await;
        let kept = stage
            .occurrence(series, "2026-02-09", "Said, too", "t-2")
            .await;
        let answer = stage.promote(gone, json!({})).await;
        assert_eq!(answer.output()["occurrence_kept"], false);
        assert_eq!(stage.occurrence_row(gone).await, None);
        let answer = stage
            .promote(kept, json!({ "keep_occurrence": true }))
            .await;
        assert_eq!(answer.output()["occurrence_kept"], true);
        assert!(stage.occurrence_row(kept).await.is_some());
        assert!(stage.meeting(series.0).await.is_some(), "the series stays");
    });
}

#[test]
fn rule_6_each_promotion_fires_one_webhook_and_reports_it() {
    run(async {
        let mut stage = Stage::set().await;
        let series = stage.series("Weekly", json!({})).await;
        let occurrence = stage.occurrence(series, "2026-02-02", "", "").await;
        let arguments = |dry_run| json!({ "occurrence_id": occurrence, "dry_run": dry_run });
        let fired = format!("t.subject_id = '{occurrence}'");
        let dry = stage
            .call("promote_occurrence_to_standalone", arguments(true))
            .await;
        assert_eq!(dry.output()["automation_webhook_inserts"], 1);
        assert_eq!(
            stage.select("t.id", "webhooks.events", &fired).await.len(),
            0
        );
        let real = stage
            .call("promote_occurrence_to_standalone", arguments(false))
            .await;
        assert_eq!(real.output()["automation_webhook_inserts"], 1);
        assert_eq!(
            stage.select("t.id", "webhooks.events", &fired).await.len(),
            1
        );
    });
}

#[test]
fn every_violated_guard_is_told_at_once() {
    run(async {
        let mut stage = Stage::set().await;
        let series = stage.series("Weekly", json!({})).await;
        let occurrence = stage.occurrence(series, "2026-02-02", "Said", "").await;
        stage
            .on_occurrence("meeting_underlines", occurrence, "Quote")
            .await;
        let answer = stage.promote(occurrence, json!({})).await;
        let names: Vec<_> = guards(&answer)
            .into_iter()
            .map(|(guard, _)| guard)
            .collect();
        assert_eq!(names, ["transcript_without_id", "has_children"]);
        let hint = answer.tool_error()["hint"].to_string();
        assert!(hint.contains("keep_occurrence"), "{hint}");
    });
}

#[test]
fn an_occurrence_that_is_not_there_is_not_found() {
    run(async {
        let mut stage = Stage::set().await;
        let arguments = json!({ "occurrence_id": uuid::Uuid::now_v7() });
        stage
            .call("promote_occurrence_to_standalone", arguments)
            .await
            .refuses("not_found", "occurrence_id");
    });
}
