//! A preview is applied exactly or not at all.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::run;
use serde_json::{Value, json};

use frontdesk_tests::meetings::Stage;

const TOOLS: [&str; 3] = [
    "remove_meeting_series",
    "promote_occurrence_to_standalone",
    "merge_meetings",
];

/// The arguments of each tool, for a series with one occurrence and another series.
async fn arguments(stage: &Stage, tool: &str) -> Value {
    let series = stage.series("Weekly", json!({})).await;
    let occurrence = stage
        .occurrence(series, "2026-02-02", "Said", &format!("t-{tool}"))
        .await;
    let other = stage.series("Other", json!({})).await;
    match tool {
        "remove_meeting_series" => json!({ "series_meeting_id": series }),
        "promote_occurrence_to_standalone" => json!({ "occurrence_id": occurrence }),
        _ => json!({ "canonical_meeting_id": other, "skeleton_meeting_id": series }),
    }
}

async fn preview(stage: &mut Stage, tool: &str, arguments: &Value) -> String {
    let mut arguments = arguments.clone();
    arguments["dry_run"] = json!(true);
    let answer = stage.call(tool, arguments).await;
    answer.output()["digest"]
        .as_str()
        .expect("a digest")
        .to_owned()
}

#[test]
fn the_plan_that_was_previewed_is_carried_out() {
    run(async {
        let mut stage = Stage::set().await;
        for tool in TOOLS {
            let arguments = arguments(&stage, tool).await;
            let plan = preview(&mut stage, tool, &arguments).await;
            let answer = stage.call_expecting(tool, arguments, &plan).await;
            assert_eq!(answer.output()["digest"], plan, "{tool}");
            assert_eq!(answer.output()["dry_run"], false, "{tool}");
        }
    });
}

#[test]
fn a_plan_is_of_the_account_that_was_shown_it() {
    run(async {
        let mut stage = Stage::set().await;
        stage.organization.level(Role::Owner, 80).await;
        let mut other = stage.organization.sign_in(Role::Owner).await;
        for tool in TOOLS {
            let arguments = arguments(&stage, tool).await;
            let plan = preview(&mut stage, tool, &arguments).await;
            let meta = json!({ "frontdesk/expectedPlan": plan });
            let params = json!({ "name": tool, "arguments": arguments, "_meta": meta });
            let answer = other.rpc(Host::Work, "tools/call", params).await;
            assert_eq!(answer.refusal(), "conflict", "{tool}");
        }
    });
}

#[test]
fn another_plan_than_the_one_that_was_previewed_is_not() {
    run(async {
        let mut stage = Stage::set().await;
        // The changes between preview and real run.
        let changes = [
            "update work.meeting_occurrences set status = 'cancelled'",
            "update work.meeting_occurrences set occurrence_date = occurrence_date + 1",
            "update work.meeting_occurrences set transcript = 'Said otherwise'",
            "update work.meetings set title = title || ' (renamed)'",
        ];
        for tool in TOOLS {
            for change in changes {
                stage.clear().await;
                let arguments = arguments(&stage, tool).await;
                let plan = preview(&mut stage, tool, &arguments).await;
                let organization = stage.organization.id;
                stage
                    .as_owner(&format!(
                        "{change} where organization_id = '{organization}'"
                    ))
                    .await;
                let before = stage.rows().await;
                let answer = stage.call_expecting(tool, arguments.clone(), &plan).await;
                assert_eq!(answer.tool_error()["code"], "conflict", "{tool} {change}");
                assert_eq!(stage.rows().await, before, "{tool} {change}");
                let plan = preview(&mut stage, tool, &arguments).await;
                stage.call_expecting(tool, arguments, &plan).await.output();
            }
        }
    });
}

#[test]
fn what_hangs_on_a_meeting_is_part_of_the_plan_that_moves_it() {
    run(async {
        let mut stage = Stage::set().await;
        let series = stage.series("Weekly", json!({})).await;
        let occurrence = stage.occurrence(series, "2026-02-02", "Said", "t-1").await;
        let other = stage.series("Other", json!({})).await;
        stage
            .on_meeting("meeting_participants", series, "Ana")
            .await;
        stage
            .on_occurrence("transcript_segments", occurrence, "Said")
            .await;
        let organization = stage.organization.id;
        let merge = json!({ "canonical_meeting_id": other, "skeleton_meeting_id": series });
        let promote = json!({ "occurrence_id": occurrence });
        // The same number as before, but different ones.
        for (tool, arguments, change) in [
            (
                "merge_meetings",
                &merge,
                "update work.meeting_participants set label = 'Bia'",
            ),
            (
                "merge_meetings",
                &merge,
                "update work.transcript_segments set content = 'Not said'",
            ),
            (
                "promote_occurrence_to_standalone",
                &promote,
                "update work.transcript_segments set speaker = 'Ana'",
            ),
        ] {
            let plan = preview(&mut stage, tool, arguments).await;
            let change = format!("{change} where organization_id = '{organization}'");
            stage.as_owner(&change).await;
            let answer = stage.call_expecting(tool, arguments.clone(), &plan).await;
            assert_eq!(answer.tool_error()["code"], "conflict", "{change}");
        }
        // Another segment, too.
        let plan = preview(&mut stage, "promote_occurrence_to_standalone", &promote).await;
        stage
            .on_occurrence("transcript_segments", occurrence, "And more")
            .await;
        let answer = stage
            .call_expecting("promote_occurrence_to_standalone", promote, &plan)
            .await;
        assert_eq!(answer.tool_error()["code"], "conflict");
    });
}

#[test]
fn a_plan_for_other_arguments_is_another_plan() {
    run(async {
        let mut stage = Stage::set().await;
        let series = stage.series("Bare", json!({})).await;
        let arguments =
            |policy: &str| json!({ "series_meeting_id": series, "occurrence_policy": policy });
        let plan = preview(
            &mut stage,
            "remove_meeting_series",
            &arguments("promote_all"),
        )
        .await;
        let answer = stage
            .call_expecting("remove_meeting_series", arguments("require_empty"), &plan)
            .await;
        assert_eq!(answer.tool_error()["code"], "conflict");
    });
}

#[test]
fn a_dry_run_is_held_to_constraints_that_are_deferred_to_the_commit() {
    run(async {
        let mut stage = Stage::set().await;
        let organization = stage.organization.id;
        stage
            .as_owner(&format!(
                "create function work.too_late() returns trigger language plpgsql set search_path = '' \
                   as $$ begin raise check_violation using message = 'not at the commit'; end $$; \
                 grant execute on function work.too_late() to authenticated; \
                 create constraint trigger too_late after insert on work.meetings \
                   deferrable initially deferred for each row \
                   when (new.organization_id = '{organization}' and not new.is_recurring) \
                   execute function work.too_late()"
            ))
            .await;
        let arguments = arguments(&stage, "remove_meeting_series").await;
        let before = stage.rows().await;
        let mut dry = arguments.clone();
        dry["dry_run"] = json!(true);
        let dry = stage.call("remove_meeting_series", dry).await;
        let real = stage.call("remove_meeting_series", arguments).await;
        let after = stage.rows().await;
        stage
            .as_owner("drop trigger too_late on work.meetings; drop function work.too_late()")
            .await;
        assert_eq!(real.tool_error()["code"], "invalid_argument");
        assert_eq!(dry.tool_error(), real.tool_error());
        assert_eq!(after, before);
    });
}
