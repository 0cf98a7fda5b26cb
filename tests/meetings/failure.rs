//! Whichever statement fails, nothing is half done, and no transcript is lost.

use frontdesk_tests::{run, world};
use serde_json::{Value, json};

use frontdesk_tests::meetings::{CHILDREN, Stage};

/// Makes the n-th statement that writes to the organisation's meetings or webhooks fail. A sequence
/// counts them, since a rollback does not reset it. The triggers are made and dropped in a transaction
/// for each table: one that locked them all would be in a deadlock with the calls of other tests.
struct Faults;

impl Faults {
    fn tables() -> impl Iterator<Item = String> {
        let children = CHILDREN.iter().map(|(table, _)| format!("work.{table}"));
        [
            "work.meetings",
            "work.meeting_occurrences",
            "webhooks.events",
        ]
        .map(str::to_owned)
        .into_iter()
        .chain(children)
    }

    async fn install(stage: &Stage) -> Faults {
        let prepare = "create schema faults; create sequence faults.statements; \
             create sequence faults.failing; \
             create function faults.fail() returns trigger language plpgsql security definer \
               set search_path = '' as $$ begin \
                 if current_setting('app.organization_id', true) is not distinct from tg_argv[0] \
                   and nextval('faults.statements') = (select last_value from faults.failing) then \
                   raise 'a fault'; \
                 end if; \
                 return null; end $$;";
        stage.as_owner(prepare).await;
        for table in Faults::tables() {
            let sql = format!(
                "create trigger fault after insert or update or delete on {table} for each statement \
                   execute function faults.fail('{}')",
                stage.organization.id
            );
            stage.as_owner(&sql).await;
        }
        Faults
    }

    /// Makes the statement of this number fail.
    async fn set(&self, number: i64) {
        let sql = "select setval('faults.statements', 1, false), setval('faults.failing', $1)";
        let owner = world().owner().await;
        owner.query(sql, &[&number]).await.expect("it is set");
    }

    async fn remove(self, stage: &Stage) {
        for table in Faults::tables() {
            stage
                .as_owner(&format!("drop trigger fault on {table}"))
                .await;
        }
        stage.as_owner("drop schema faults cascade").await;
    }
}

/// A series with all records that each of the tools writes, and the arguments.
async fn scene(stage: &Stage, tool: &str) -> Value {
    let canonical = stage.series("Weekly", json!({})).await;
    let series = stage
        .series("Imported", json!({ "template": "weekly_leaders" }))
        .await;
    stage.occurrence(canonical, "2026-02-09", "", "").await;
    let spoken = stage
        .occurrence(series, "2026-02-02", "Said", &format!("{tool} 1"))
        .await;
    stage
        .occurrence(series, "2026-02-09", "Said, too", &format!("{tool} 2"))
        .await;
    stage.occurrence(series, "2026-02-16", "", "").await;
    match tool {
        "remove_meeting_series" => json!({ "series_meeting_id": series }),
        "promote_occurrence_to_standalone" => {
            stage
                .on_occurrence("transcript_segments", spoken, "Good morning")
                .await;
            json!({ "occurrence_id": spoken })
        }
        _ => {
            stage
                .on_meeting("meeting_participants", series, "Ada")
                .await;
            stage
                .on_meeting("meeting_participants", canonical, "Ada")
                .await;
            json!({ "canonical_meeting_id": canonical, "skeleton_meeting_id": series })
        }
    }
}

#[test]
fn whichever_statement_fails_nothing_is_half_done() {
    run(async {
        let mut stage = Stage::set().await;
        let faults = Faults::install(&stage).await;
        let mut failed = Vec::new();
        for tool in [
            "remove_meeting_series",
            "promote_occurrence_to_standalone",
            "merge_meetings",
        ] {
            stage.clear().await;
            let arguments = scene(&stage, tool).await;
            let before = stage.rows().await;
            let texts = stage.texts().await;
            let mut number = 1;
            loop {
                faults.set(number).await;
                let answer = stage.call(tool, arguments.clone()).await;
                if answer.status.is_success() {
                    answer.output();
                    break;
                }
                assert_eq!(
                    answer.status.as_u16(),
                    500,
                    "{tool} {number}: {}",
                    answer.body
                );
                assert_eq!(stage.rows().await, before, "{tool}, statement {number}");
                number += 1;
            }
            assert_eq!(stage.texts().await, texts, "{tool}");
            failed.push((tool, number - 1));
        }
        faults.remove(&stage).await;
        // The number of each tool's writing statements: every one was tried.
        assert_eq!(
            failed,
            [
                ("remove_meeting_series", 6),
                ("promote_occurrence_to_standalone", 8),
                ("merge_meetings", 22),
            ]
        );
    });
}
