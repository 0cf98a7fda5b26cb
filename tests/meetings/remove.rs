//! `remove_meeting_series`, rule by rule.

use frontdesk_tests::run;
use serde_json::{Value, json};

use frontdesk_tests::meetings::{CHILDREN, Stage, actions, guards, planned};

/// A series with one occurrence of each regular kind: text and id, id alone, empty.
async fn healthy(stage: &Stage) -> (frontdesk_protocol::id::MeetingId, [uuid::Uuid; 3]) {
    let series = stage
        .series(
            "Weekly",
            json!({ "template": "weekly_leaders", "transcriber_calendar_id": "cal-1" }),
        )
        .await;
    let occurrences = [
        stage
            .occurrence(series, "2026-02-02", "What was said", "t-1")
            .await
            .0,
        stage.occurrence(series, "2026-02-09", "", "t-2").await.0,
        stage.occurrence(series, "2026-02-16", "", "").await.0,
    ];
    (series, occurrences)
}

#[test]
fn rule_1_occurrences_become_meetings_before_the_series_goes() {
    run(async {
        let mut stage = Stage::set().await;
        let (series, [spoken, ..]) = healthy(&stage).await;
        let answer = stage.remove(series, json!({})).await;
        assert_eq!(answer.output()["meeting"]["title"], "Weekly");
        assert_eq!(stage.meeting(series.0).await, None);
        let rest = stage
            .select("t.id", "work.meeting_occurrences", "true")
            .await;
        assert_eq!(rest, Vec::<Value>::new());
        let meeting = stage.meeting(spoken).await.expect("its meeting");
        assert_eq!(meeting["transcript"], "What was said");
    });
}

#[test]
fn rule_1_a_series_that_carries_a_transcript_itself_is_not_removed_with_it() {
    run(async {
        let mut stage = Stage::set().await;
        let series = stage
            .series("Weekly", json!({ "transcript": "Of the first day" }))
            .await;
        let before = stage.rows().await;
        let answer = stage.remove(series, json!({})).await;
        assert_eq!(
            guards(&answer),
            [("series_has_transcript".to_owned(), vec![series.0])]
        );
        assert_eq!(stage.rows().await, before);
    });
}

#[test]
fn rule_2_the_default_policy_promotes_what_has_text_or_id_and_drops_what_is_empty() {
    run(async {
        let mut stage = Stage::set().await;
        let (series, [spoken, named, empty]) = healthy(&stage).await;
        let answer = stage.remove(series, json!({})).await;
        let output = answer.output();
        assert_eq!(output["occurrence_policy"], "promote_real_discard_empty");
        assert_eq!(
            actions(output),
            [
                (spoken, "promote".to_owned()),
                (named, "promote".to_owned()),
                (empty, "discard_empty".to_owned()),
            ]
        );
        assert_eq!(
            output["totals"],
            json!({ "promote": 2, "discard_empty": 1, "skip_existing": 0, "reparent": 0, "conflict": 0, "keep": 0 })
        );
        let rule = &output["occurrences"][2]["rule"];
        assert_eq!(rule, "remove_meeting_series rule 2");
        assert!(stage.meeting(named).await.is_some());
        assert_eq!(stage.meeting(empty).await, None);
    });
}

#[test]
fn rule_2_promote_all_promotes_what_is_empty_too() {
    run(async {
        let mut stage = Stage::set().await;
        let (series, occurrences) = healthy(&stage).await;
        let answer = stage
            .remove(series, json!({ "occurrence_policy": "promote_all" }))
            .await;
        assert_eq!(answer.output()["totals"]["promote"], 3);
        for occurrence in occurrences {
            assert!(stage.meeting(occurrence).await.is_some());
        }
    });
}

#[test]
fn rule_2_require_empty_refuses_a_series_with_occurrences_and_removes_one_without() {
    run(async {
        let mut stage = Stage::set().await;
        let (series, occurrences) = healthy(&stage).await;
        let before = stage.rows().await;
        let answer = stage
            .remove(series, json!({ "occurrence_policy": "require_empty" }))
            .await;
        assert_eq!(
            guards(&answer),
            [("not_empty".to_owned(), occurrences.to_vec())]
        );
        assert_eq!(stage.rows().await, before);

        let bare = stage.series("Bare", json!({})).await;
        stage
            .remove(bare, json!({ "occurrence_policy": "require_empty" }))
            .await
            .output();
        assert_eq!(stage.meeting(bare.0).await, None);
    });
}

#[test]
fn rule_3_transcript_text_without_an_id_stops_everything() {
    run(async {
        let mut stage = Stage::set().await;
        let (series, _) = healthy(&stage).await;
        let nameless = stage
            .occurrence(series, "2026-02-23", "Said, and not filed", "")
            .await;
        for policy in ["promote_real_discard_empty", "promote_all"] {
            let before = stage.rows().await;
            let answer = stage
                .remove(series, json!({ "occurrence_policy": policy }))
                .await;
            assert_eq!(
                guards(&answer),
                [("transcript_without_id".to_owned(), vec![nameless.0])]
            );
            let error = answer.tool_error();
            assert_eq!(planned(&error["details"], nameless)["action"], "keep");
            assert!(
                error["hint"]
                    .as_str()
                    .expect("a hint")
                    .contains("merge_meetings")
            );
            assert_eq!(stage.rows().await, before);
        }
    });
}

#[test]
fn rule_4_an_occurrence_whose_transcript_id_a_meeting_has_is_skipped() {
    run(async {
        let mut stage = Stage::set().await;
        let (series, [spoken, ..]) = healthy(&stage).await;
        let there = stage
            .row(
                "meetings",
                json!({ "title": "From before", "transcript": "What was said", "transcriber_transcript_id": "t-1" }),
            )
            .await;
        let answer = stage.remove(series, json!({})).await;
        let output = answer.output();
        let skipped = &output["occurrences"][0];
        assert_eq!(skipped["id"], json!(spoken));
        assert_eq!(skipped["action"], "skip_existing");
        assert_eq!(skipped["rule"], "remove_meeting_series rule 4");
        assert_eq!(skipped["standalone_meeting_id"], json!(there));
        assert_eq!(output["automation_webhook_inserts"], 1);
        assert_eq!(stage.meeting(spoken).await, None);
        assert_eq!(stage.texts().await, ["What was said"]);
    });
}

#[test]
fn rule_4_a_meeting_with_the_id_and_another_text_is_in_the_way() {
    run(async {
        let mut stage = Stage::set().await;
        let (series, [spoken, ..]) = healthy(&stage).await;
        for text in [Value::Null, json!("Something else")] {
            let there = json!({ "title": "From before", "transcript": text, "transcriber_transcript_id": "t-1" });
            let there = stage.row("meetings", there).await;
            let before = stage.rows().await;
            let answer = stage.remove(series, json!({})).await;
            assert_eq!(
                guards(&answer),
                [("existing_differs".to_owned(), vec![spoken])]
            );
            assert_eq!(stage.rows().await, before);
            stage
                .as_owner(&format!("delete from work.meetings where id = '{there}'"))
                .await;
        }
    });
}

#[test]
fn rule_4_two_occurrences_with_one_transcript_id_become_one_meeting() {
    run(async {
        let mut stage = Stage::set().await;
        let series = stage.series("Doubled", json!({})).await;
        let first = stage
            .occurrence(series, "2026-02-02", "Said once", "t-1")
            .await;
        let again = stage
            .occurrence(series, "2026-02-09", "Said once", "t-1")
            .await;
        let answer = stage.remove(series, json!({})).await;
        let output = answer.output();
        assert_eq!(planned(output, first)["action"], "promote");
        assert_eq!(planned(output, again)["action"], "skip_existing");
        assert_eq!(
            planned(output, again)["standalone_meeting_id"],
            json!(first)
        );
        assert_eq!(output["automation_webhook_inserts"], 1);
    });
}

#[test]
fn rule_5_whatever_hangs_on_the_series_or_an_occurrence_refuses() {
    run(async {
        let mut stage = Stage::set().await;
        for (table, _) in CHILDREN {
            let series = stage.series(table, json!({})).await;
            let occurrence = stage.occurrence(series, "2026-02-02", "", "").await;
            stage.on_meeting(table, series, "Above").await;
            stage.on_occurrence(table, occurrence, "Below").await;
            let before = stage.rows().await;
            let answer = stage.remove(series, json!({})).await;
            let mut concerned = vec![series.0, occurrence.0];
            concerned.sort_unstable();
            assert_eq!(
                guards(&answer),
                [("has_children".to_owned(), concerned)],
                "{table}"
            );
            let hint = answer.tool_error()["hint"].to_string();
            assert!(hint.contains("merge_meetings"), "{hint}");
            assert_eq!(stage.rows().await, before, "{table}");
        }
    });
}

#[test]
fn rule_6_an_occurrence_without_its_meeting_after_promotion_aborts_everything() {
    run(async {
        let mut stage = Stage::set().await;
        let (series, [spoken, ..]) = healthy(&stage).await;
        // A database that accepts the row and does not store it.
        let organization = stage.organization.id;
        stage
            .as_owner(&format!(
                "create function work.swallow() returns trigger language plpgsql set search_path = '' \
                   as $$ begin return case when new.id = '{spoken}' then null else new end; end $$; \
                 grant execute on function work.swallow() to authenticated; \
                 create trigger swallow before insert on work.meetings for each row \
                   when (new.organization_id = '{organization}') execute function work.swallow()"
            ))
            .await;
        let before = stage.rows().await;
        let answer = stage.remove(series, json!({})).await;
        let after = stage.rows().await;
        stage
            .as_owner("drop trigger swallow on work.meetings; drop function work.swallow()")
            .await;
        assert_eq!(guards(&answer), [("not_promoted".to_owned(), vec![spoken])]);
        assert_eq!(after, before);
    });
}

#[test]
fn rule_7_a_meeting_that_does_not_recur_is_refused_unless_it_is_allowed() {
    run(async {
        let mut stage = Stage::set().await;
        let meeting = stage.series("Once", json!({ "is_recurring": false })).await;
        let answer = stage.remove(meeting, json!({})).await;
        assert_eq!(
            guards(&answer),
            [("not_recurring".to_owned(), vec![meeting.0])]
        );
        assert!(stage.meeting(meeting.0).await.is_some());
        stage
            .remove(meeting, json!({ "allow_non_recurring": true }))
            .await
            .output();
        assert_eq!(stage.meeting(meeting.0).await, None);
    });
}

#[test]
fn rule_8_a_promoted_meeting_has_the_series_title_and_the_occurrences_content() {
    run(async {
        let mut stage = Stage::set().await;
        let (series, [spoken, ..]) = healthy(&stage).await;
        let answer = stage.remove(series, json!({})).await;
        let planned = &answer.output()["occurrences"][0];
        // 10:00 in São Paulo, three hours behind.
        assert_eq!(planned["meeting_date"], "2026-02-02T13:00:00Z");
        let meeting = stage.meeting(spoken).await.expect("its meeting");
        assert_eq!(meeting["title"], "Weekly");
        assert_eq!(meeting["is_recurring"], false);
        assert_eq!(meeting["transcriber_calendar_id"], Value::Null);
        assert_eq!(meeting["transcript"], "What was said");
        assert_eq!(meeting["transcriber_transcript_id"], "t-1");
        assert_eq!(meeting["meeting_date"], "2026-02-02T13:00:00+00:00");
        assert_eq!(meeting["template"], "weekly_leaders");
    });
}

#[test]
fn rule_8_the_time_of_day_is_the_recurrences_or_the_series_own_or_midnight() {
    run(async {
        let mut stage = Stage::set().await;
        let zone = format!(
            "update app.organizations set time_zone = 'America/New_York' where id = '{}'",
            stage.organization.id
        );
        stage.as_owner(&zone).await;
        let cases = [
            // Across the change of the clocks on 8 March 2026: 09:30 stays 09:30.
            (
                json!({ "recurrence_start_time": "09:30" }),
                "2026-03-06",
                "2026-03-06T14:30:00Z",
            ),
            (
                json!({ "recurrence_start_time": "09:30" }),
                "2026-03-09",
                "2026-03-09T13:30:00Z",
            ),
            // 02:30 is skipped that night: an hour later. And it comes twice in autumn: the first.
            (
                json!({ "recurrence_start_time": "02:30" }),
                "2026-03-08",
                "2026-03-08T07:30:00Z",
            ),
            (
                json!({ "recurrence_start_time": "01:30" }),
                "2026-11-01",
                "2026-11-01T05:30:00Z",
            ),
            // 18:00 in winter, there.
            (
                json!({ "recurrence_start_time": null, "meeting_date": "2026-01-05T23:00:00Z" }),
                "2026-07-06",
                "2026-07-06T22:00:00Z",
            ),
            (
                json!({ "recurrence_start_time": null }),
                "2026-07-06",
                "2026-07-06T04:00:00Z",
            ),
        ];
        for (fields, date, expected) in cases {
            let series = stage.series("Clocks", fields.clone()).await;
            stage
                .occurrence(series, date, "", &format!("t {date} {fields}"))
                .await;
            let answer = stage.remove(series, json!({})).await;
            let planned = &answer.output()["occurrences"][0];
            assert_eq!(planned["meeting_date"], expected, "{fields} on {date}");
        }
    });
}

#[test]
fn every_violated_guard_is_told_at_once() {
    run(async {
        let mut stage = Stage::set().await;
        let series = stage
            .series(
                "Everything",
                json!({ "is_recurring": false, "transcript": "Own" }),
            )
            .await;
        let nameless = stage.occurrence(series, "2026-02-02", "Said", "").await;
        stage
            .on_occurrence("meeting_underlines", nameless, "Quote")
            .await;
        let answer = stage
            .remove(series, json!({ "occurrence_policy": "require_empty" }))
            .await;
        let names: Vec<_> = guards(&answer)
            .into_iter()
            .map(|(guard, _)| guard)
            .collect();
        assert_eq!(
            names,
            [
                "not_recurring",
                "not_empty",
                "transcript_without_id",
                "series_has_transcript",
                "has_children"
            ]
        );
        let message = answer.tool_error()["message"].to_string();
        assert!(
            message.contains("underlines (1) on the series or its occurrences"),
            "{message}"
        );
    });
}

#[test]
fn a_series_that_is_not_there_is_not_found() {
    run(async {
        let mut stage = Stage::set().await;
        let arguments = json!({ "series_meeting_id": uuid::Uuid::now_v7() });
        stage
            .call("remove_meeting_series", arguments)
            .await
            .refuses("not_found", "series_meeting_id");
    });
}
