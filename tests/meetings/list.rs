//! `list_meeting_series`.

use frontdesk_tests::run;
use serde_json::{Value, json};

use frontdesk_tests::meetings::Stage;

fn titles(output: &Value) -> Vec<&str> {
    let series = output["series"].as_array().expect("series");
    series
        .iter()
        .map(|series| series["title"].as_str().expect("a title"))
        .collect()
}

#[test]
fn series_are_listed_oldest_first_with_what_their_occurrences_carry() {
    run(async {
        let mut stage = Stage::set().await;
        let made = |at: &str| json!({ "created_at": at, "transcriber_calendar_id": "cal" });
        let second = stage.series("Second", made("2026-02-02T00:00:00Z")).await;
        stage.series("First", made("2026-02-01T00:00:00Z")).await;
        stage.series("Once", json!({ "is_recurring": false })).await;
        stage.occurrence(second, "2026-02-16", "", "").await;
        stage.occurrence(second, "2026-02-02", "Said", "t-1").await;
        stage
            .occurrence(second, "2026-02-09", "Said, not filed", "")
            .await;
        stage.occurrence(second, "2026-02-23", "", "t-2").await;
        let answer = stage.call("list_meeting_series", json!({})).await;
        let output = answer.output();
        assert_eq!(titles(output), ["First", "Second"]);
        assert_eq!(
            (&output["limit"], &output["has_more"]),
            (&json!(100), &json!(false))
        );
        let series = &output["series"][1];
        for (field, expected) in [
            ("id", json!(second)),
            ("transcriber_calendar_id", json!("cal")),
            ("created_at", json!("2026-02-02T00:00:00+00:00")),
            ("occurrence_count", json!(4)),
            ("occurrences_with_transcript", json!(2)),
            ("occurrences_with_transcript_id", json!(2)),
            ("occurrences_with_transcript_without_id", json!(1)),
        ] {
            assert_eq!(series[field], expected, "{field}");
        }
        assert_eq!(series.get("occurrences"), None);
        assert_eq!(output["series"][0]["occurrence_count"], 0);
    });
}

#[test]
fn occurrences_are_listed_by_date_where_they_are_asked_for_and_never_their_text() {
    run(async {
        let mut stage = Stage::set().await;
        let series = stage.series("Weekly", json!({})).await;
        let later = stage.occurrence(series, "2026-02-09", "", "").await;
        let earlier = stage
            .occurrence(series, "2026-02-02", "Said in confidence", "t-1")
            .await;
        stage.series("Bare", json!({})).await;
        let answer = stage
            .call(
                "list_meeting_series",
                json!({ "include_occurrences": true }),
            )
            .await;
        let output = answer.output();
        assert_eq!(
            output["series"][0]["occurrences"],
            json!([
                {
                    "id": earlier, "occurrence_date": "2026-02-02", "status": "held",
                    "has_transcript": true, "transcriber_transcript_id": "t-1",
                },
                {
                    "id": later, "occurrence_date": "2026-02-09", "status": "held",
                    "has_transcript": false, "transcriber_transcript_id": null,
                },
            ])
        );
        assert_eq!(output["series"][1]["occurrences"], json!([]));
        assert!(!answer.body.to_string().contains("confidence"));
    });
}

#[test]
fn each_argument_narrows_the_list() {
    run(async {
        let mut stage = Stage::set().await;
        let fields = |at: &str, calendar: &str| json!({ "created_at": at, "transcriber_calendar_id": calendar });
        stage
            .series(
                "Réunião de líderes",
                fields("2026-02-01T00:00:00Z", "CAL_100%"),
            )
            .await;
        stage
            .series("Daily", fields("2026-02-02T00:00:00Z", "cal_200"))
            .await;
        stage
            .series("Retro", json!({ "created_at": "2026-02-03T00:00:00Z" }))
            .await;
        for (arguments, expected) in [
            (
                json!({ "created_after": "2026-02-01T00:00:00Z" }),
                vec!["Daily", "Retro"],
            ),
            (
                json!({ "created_before": "2026-02-02T00:00:00Z" }),
                vec!["Réunião de líderes"],
            ),
            (
                json!({ "title_contains": "REUNIAO" }),
                vec!["Réunião de líderes"],
            ),
            (
                json!({ "title_contains": "r" }),
                vec!["Réunião de líderes", "Retro"],
            ),
            (
                json!({ "transcriber_calendar_id_contains": "cal_" }),
                vec!["Réunião de líderes", "Daily"],
            ),
            (
                json!({ "transcriber_calendar_id_contains": "100%" }),
                vec!["Réunião de líderes"],
            ),
            (json!({ "title_contains": "%" }), vec![]),
            (json!({ "limit": 1, "offset": 1 }), vec!["Daily"]),
        ] {
            let answer = stage.call("list_meeting_series", arguments.clone()).await;
            assert_eq!(titles(answer.output()), expected, "{arguments}");
        }
        let answer = stage
            .call("list_meeting_series", json!({ "limit": 2 }))
            .await;
        assert_eq!(answer.output()["has_more"], true);
    });
}

#[test]
fn what_cannot_be_asked_names_the_argument() {
    run(async {
        let mut stage = Stage::set().await;
        for (field, value) in [
            ("limit", json!(501)),
            ("limit", json!(0)),
            ("offset", json!(-1)),
            ("created_after", json!("yesterday")),
            ("created_before", json!("-000100-01-01T00:00:00Z")),
            ("include_occurrences", json!("yes")),
            ("title_contains", json!("a\u{0}b")),
            ("search", json!("Weekly")),
        ] {
            let mut arguments = serde_json::Map::new();
            arguments.insert(field.to_owned(), value);
            let answer = stage
                .call("list_meeting_series", Value::Object(arguments))
                .await;
            answer.refuses("invalid_argument", field);
        }
    });
}
