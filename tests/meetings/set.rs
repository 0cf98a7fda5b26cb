//! `set_meeting_recurrence_time` and `set_meeting_template`.

use frontdesk_tests::run;
use serde_json::json;

use frontdesk_tests::meetings::Stage;

#[test]
fn the_time_of_a_series_is_set_and_the_row_returned() {
    run(async {
        let mut stage = Stage::set().await;
        let series = stage.series("Weekly", json!({})).await;
        let arguments = json!({
            "meeting_id": series, "recurrence_start_time": "09:30", "recurrence_end_time": "10:15:30",
        });
        let answer = stage.call("set_meeting_recurrence_time", arguments).await;
        let meeting = &answer.output()["meeting"];
        assert_eq!(meeting["id"], json!(series));
        assert_eq!(meeting["recurrence_start_time"], "09:30:00");
        assert_eq!(meeting["recurrence_end_time"], "10:15:30");
        let stored = stage.meeting(series.0).await.expect("it is there");
        assert_eq!(stored["recurrence_start_time"], "09:30:00");
    });
}

#[test]
fn a_time_that_no_clock_shows_names_its_field() {
    run(async {
        let mut stage = Stage::set().await;
        let series = stage.series("Weekly", json!({})).await;
        for time in [
            "24:00", "9:30", "09:60", "09:30:60", "0930", "noon", "09:30Z", "",
        ] {
            let arguments = json!({
                "meeting_id": series, "recurrence_start_time": "09:00", "recurrence_end_time": time,
            });
            let answer = stage.call("set_meeting_recurrence_time", arguments).await;
            answer.refuses("invalid_argument", "recurrence_end_time");
        }
        let arguments = json!({
            "meeting_id": series, "recurrence_start_time": "09:00", "recurrence_end_time": "09:00:00",
        });
        let answer = stage.call("set_meeting_recurrence_time", arguments).await;
        answer.refuses("invalid_argument", "recurrence_end_time");
    });
}

#[test]
fn a_meeting_that_does_not_recur_has_no_time() {
    run(async {
        let mut stage = Stage::set().await;
        let meeting = stage.series("Once", json!({ "is_recurring": false })).await;
        let before = stage.rows().await;
        let arguments = json!({
            "meeting_id": meeting, "recurrence_start_time": "09:00", "recurrence_end_time": "10:00",
        });
        let answer = stage.call("set_meeting_recurrence_time", arguments).await;
        answer.refuses("refused", "meeting_id");
        assert_eq!(stage.rows().await, before);
    });
}

#[test]
fn the_template_is_set_and_returned_with_id_and_title() {
    run(async {
        let mut stage = Stage::set().await;
        let series = stage.series("Weekly", json!({})).await;
        for template in ["weekly_leaders", "default"] {
            let arguments = json!({ "meeting_id": series, "template": template });
            let answer = stage.call("set_meeting_template", arguments).await;
            let expected =
                json!({ "meeting": { "id": series, "title": "Weekly", "template": template } });
            assert_eq!(answer.output(), &expected);
        }
    });
}

#[test]
fn an_unknown_template_is_rejected() {
    run(async {
        let mut stage = Stage::set().await;
        let series = stage.series("Weekly", json!({})).await;
        let before = stage.rows().await;
        let arguments = json!({ "meeting_id": series, "template": "daily" });
        let answer = stage.call("set_meeting_template", arguments).await;
        answer.refuses("invalid_argument", "template");
        assert_eq!(stage.rows().await, before);
    });
}

#[test]
fn a_meeting_that_is_not_there_is_not_found() {
    run(async {
        let mut stage = Stage::set().await;
        let id = uuid::Uuid::now_v7();
        let arguments = json!({ "meeting_id": id, "template": "default" });
        let answer = stage.call("set_meeting_template", arguments).await;
        answer.refuses("not_found", "meeting_id");
        let arguments = json!({
            "meeting_id": id, "recurrence_start_time": "09:00", "recurrence_end_time": "10:00",
        });
        let answer = stage.call("set_meeting_recurrence_time", arguments).await;
        answer.refuses("not_found", "meeting_id");
    });
}

#[test]
fn a_single_meeting_is_changed_and_of_a_series_only_the_title() {
    run(async {
        let mut stage = Stage::set().await;
        let series = stage.series("Weekly", json!({})).await;
        let meeting = json!({ "title": "Kick-off", "meeting_date": "2026-03-05T09:00:00Z" });
        let made = stage.call("create_meeting", meeting).await;
        let id = made.output()["meeting"]["id"].clone();
        let moved = json!({ "id": id, "title": "Start", "meeting_date": "2026-03-06T10:00:00Z" });
        let moved = stage.call("update_meeting", moved).await;
        let meeting = &moved.output()["meeting"];
        assert_eq!(meeting["title"], "Start");
        assert_eq!(meeting["meeting_date"], "2026-03-06T10:00:00+00:00");

        let renamed = json!({ "id": series, "title": "Mondays" });
        let renamed = stage.call("update_meeting", renamed).await;
        assert_eq!(renamed.output()["meeting"]["title"], "Mondays");
        let moved = json!({ "id": series, "meeting_date": "2026-03-06T10:00:00Z" });
        let moved = stage.call("update_meeting", moved).await;
        moved.refuses("refused", "meeting_date");
    });
}
