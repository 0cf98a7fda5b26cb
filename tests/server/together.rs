//! Two admins at once: one succeeds, the other gets an error, and nothing is duplicated. Only with
//! many sessions can a call wait for another.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::lock::waiting_for;
use frontdesk_tests::meetings::Stage;
use frontdesk_tests::{Answer, Http, run, world};
use serde_json::{Value, json};

/// Makes both calls while the test holds the series' row, releases it, and returns the answers, the
/// successful one first.
async fn both(stage: &Stage, series: uuid::Uuid, calls: [(&'static str, Value); 2]) -> [Answer; 2] {
    let callers = [
        stage.admin.clone(),
        stage.organization.sign_in(Role::Owner).await,
    ];
    race(Host::Work, "work.meetings", series, callers, calls).await
}

/// Makes the callers' calls while the test holds the row of a table, releases it, and returns the
/// answers, the successful one first.
pub(crate) async fn race(
    host: Host,
    table: &str,
    id: uuid::Uuid,
    mut callers: [Http; 2],
    calls: [(&'static str, Value); 2],
) -> [Answer; 2] {
    for caller in &mut callers {
        caller.session(host).await;
    }
    let [first, second] = callers;
    let call = |mut caller: Http, (tool, arguments): (&'static str, Value)| async move {
        caller.call(host, tool, arguments).await
    };
    let [one, other] = calls;
    let mut ended = held(table, id, call(first, one), call(second, other)).await;
    ended.sort_by_key(|answer| answer.result()["isError"].as_bool());
    ended
}

/// Begins both while the test holds the row of a table, releases it once they wait, and returns the
/// answers.
pub(crate) async fn held<T: Send + 'static>(
    table: &str,
    id: uuid::Uuid,
    one: impl Future<Output = T> + Send + 'static,
    other: impl Future<Output = T> + Send + 'static,
) -> [T; 2] {
    held_by(&format!("{table} where id = $1 for update"), id, one, other).await
}

/// The same with the rows of this query.
pub(crate) async fn held_by<T: Send + 'static>(
    lock: &str,
    id: uuid::Uuid,
    one: impl Future<Output = T> + Send + 'static,
    other: impl Future<Output = T> + Send + 'static,
) -> [T; 2] {
    let (mut holder, looker) = (world().owner().await, world().owner().await);
    let holding = holder.transaction().await.expect("a transaction");
    let session = holding
        .query_one(&format!("select pg_backend_pid() from {lock}"), &[&id])
        .await
        .expect("a lock")
        .get(0);
    let (one, other) = (tokio::spawn(one), tokio::spawn(other));
    waiting_for(&looker, session, &[&one, &other]).await;
    holding.commit().await.expect("let go");
    [one.await.expect("an end"), other.await.expect("an end")]
}

/// Asserts that one transcript is in one meeting, with one webhook.
async fn is_there_once(stage: &Stage, id: &str) {
    let has = format!("t.transcriber_transcript_id = '{id}'");
    let meetings = stage.select("t.id", "work.meetings", &has).await;
    assert_eq!(meetings.len(), 1, "{id}");
    let fired = format!(
        "t.subject_id = {}",
        meetings[0]["id"].to_string().replace('"', "'")
    );
    assert_eq!(
        stage.select("t.id", "webhooks.events", &fired).await.len(),
        1,
        "{id}"
    );
}

pub(crate) fn of_two_removals_of_a_series_one_is_done() {
    run(async {
        let stage = Stage::set().await;
        let series = stage.series("Weekly", json!({})).await;
        stage.occurrence(series, "2026-02-02", "Said", "t-1").await;
        let remove = || {
            (
                "remove_meeting_series",
                json!({ "series_meeting_id": series }),
            )
        };
        let [done, late] = both(&stage, series.0, [remove(), remove()]).await;
        assert_eq!(done.output()["totals"]["promote"], 1);
        late.refuses("not_found", "series_meeting_id");
        is_there_once(&stage, "t-1").await;
    });
}

pub(crate) fn of_two_promotions_of_an_occurrence_one_is_done() {
    run(async {
        let stage = Stage::set().await;
        let series = stage.series("Weekly", json!({})).await;
        let occurrence = stage.occurrence(series, "2026-02-02", "Said", "t-1").await;
        let promote = || {
            (
                "promote_occurrence_to_standalone",
                json!({ "occurrence_id": occurrence }),
            )
        };
        let [done, late] = both(&stage, series.0, [promote(), promote()]).await;
        assert_eq!(done.output()["already_there"], false);
        late.refuses("not_found", "occurrence_id");
        is_there_once(&stage, "t-1").await;
    });
}

pub(crate) fn of_two_merges_of_a_skeleton_one_is_done() {
    run(async {
        let stage = Stage::set().await;
        let canonical = stage.series("Weekly", json!({})).await;
        let skeleton = stage.series("Imported", json!({})).await;
        stage
            .occurrence(skeleton, "2026-02-02", "Said", "t-1")
            .await;
        let merge = || {
            let ids = json!({ "canonical_meeting_id": canonical, "skeleton_meeting_id": skeleton });
            ("merge_meetings", ids)
        };
        let [done, late] = both(&stage, canonical.0, [merge(), merge()]).await;
        assert_eq!(done.output()["skeleton_removed"], true);
        late.refuses("not_found", "skeleton_meeting_id");
        let moved = format!("t.meeting_id = '{canonical}'");
        assert_eq!(
            stage
                .select("t.id", "work.meeting_occurrences", &moved)
                .await
                .len(),
            1
        );
    });
}

pub(crate) fn merges_in_opposite_directions_do_not_wait_for_each_other_forever() {
    run(async {
        let stage = Stage::set().await;
        let one = stage.series("One", json!({})).await;
        let other = stage.series("Other", json!({})).await;
        let merge = |canonical, skeleton| {
            let ids = json!({ "canonical_meeting_id": canonical, "skeleton_meeting_id": skeleton });
            ("merge_meetings", ids)
        };
        let [done, late] = both(
            &stage,
            one.0.min(other.0),
            [merge(one, other), merge(other, one)],
        )
        .await;
        assert_eq!(done.output()["skeleton_removed"], true);
        assert_eq!(late.tool_error()["code"], "not_found");
        assert_eq!(
            stage
                .select("t.id", "work.meetings", "t.is_recurring")
                .await
                .len(),
            1
        );
    });
}

pub(crate) fn of_a_removal_and_a_promotion_from_the_same_series_nothing_is_there_twice() {
    run(async {
        let stage = Stage::set().await;
        let series = stage.series("Weekly", json!({})).await;
        let occurrence = stage.occurrence(series, "2026-02-02", "Said", "t-1").await;
        let calls = [
            (
                "remove_meeting_series",
                json!({ "series_meeting_id": series }),
            ),
            (
                "promote_occurrence_to_standalone",
                json!({ "occurrence_id": occurrence }),
            ),
        ];
        let [first, second] = both(&stage, series.0, calls).await;
        first.output();
        if second.result()["isError"] == true {
            second.refuses("not_found", "occurrence_id");
        }
        is_there_once(&stage, "t-1").await;
        assert_eq!(stage.texts().await, ["Said"]);
    });
}
