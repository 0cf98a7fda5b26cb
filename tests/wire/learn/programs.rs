//! Programs, their dependencies, and their instances.

use frontdesk_tests::run;
use serde_json::{Value, json};

use super::{Admin, each, stage};

/// A template with stages of these titles, which are returned.
async fn template(admin: &mut Admin, titles: &[&str]) -> (Value, Vec<Value>) {
    let program = admin
        .make("create_program", json!({ "name": "Fellowship" }))
        .await;
    let mut stages = Vec::new();
    for (position, title) in titles.iter().enumerate() {
        let stage = json!({ "program_id": program, "title": title, "position": position });
        stages.push(admin.make("create_stage", stage).await);
    }
    (program, stages)
}

fn edge(program: &Value, from: &Value, to: &Value) -> Value {
    json!({ "program_id": program, "node_kind": "stage", "predecessor_id": from, "successor_id": to })
}

#[test]
fn a_template_has_no_cohort_and_an_instance_has_one() {
    run(async {
        let (_, mut admin) = stage().await;
        let cohort = admin.make("create_cohort", json!({ "name": "2026" })).await;
        let template = json!({ "name": "A", "cohort_id": cohort });
        admin
            .call("create_program", template)
            .await
            .refuses("invalid_argument", "cohort_id");
        let instance = json!({ "name": "A", "kind": "instance" });
        admin
            .call("create_program", instance)
            .await
            .refuses("invalid_argument", "cohort_id");
        let instance = json!({ "name": "A", "kind": "instance", "cohort_id": cohort });
        admin.make("create_program", instance.clone()).await;
        admin
            .call("create_program", instance)
            .await
            .refuses("conflict", "cohort_id");
        admin
            .call("get_program", json!({}))
            .await
            .refuses("invalid_argument", "id");
    });
}

#[test]
fn a_stage_is_gated_until_its_predecessors_are_done() {
    run(async {
        let (_, mut admin) = stage().await;
        let (program, stages) = template(&mut admin, &["A", "B"]).await;
        admin
            .output(
                "add_stage_dependency",
                edge(&program, &stages[0], &stages[1]),
            )
            .await;
        let tree = admin.output("get_program", json!({ "id": program })).await;
        assert_eq!(each(&tree["program"], "stages", "gated"), ["false", "true"]);
        assert_eq!(tree["program"]["stages"][1]["gated_by"], json!([stages[0]]));
        admin
            .output("update_stage", json!({ "id": stages[0], "status": "done" }))
            .await;
        let listed = admin
            .output("list_stages", json!({ "program_id": program }))
            .await;
        assert_eq!(each(&listed, "stages", "gated"), ["false", "false"]);
    });
}

#[test]
fn a_dependency_closes_no_cycle_and_says_the_way_round() {
    run(async {
        let (_, mut admin) = stage().await;
        let (program, stages) = template(&mut admin, &["A", "B", "C"]).await;
        for (from, to) in [(0, 1), (1, 2)] {
            admin
                .output(
                    "add_stage_dependency",
                    edge(&program, &stages[from], &stages[to]),
                )
                .await;
        }
        let closes = admin
            .call(
                "add_stage_dependency",
                edge(&program, &stages[2], &stages[0]),
            )
            .await;
        closes.refuses("invalid_argument", "successor_id");
        let message = closes.tool_error()["message"].to_string();
        assert!(message.contains("A → B → C → A"), "{message}");
        let itself = admin
            .call(
                "add_stage_dependency",
                edge(&program, &stages[0], &stages[0]),
            )
            .await;
        itself.refuses("invalid_argument", "successor_id");
        let (_, others) = template(&mut admin, &["X"]).await;
        let foreign = admin
            .call(
                "add_stage_dependency",
                edge(&program, &stages[0], &others[0]),
            )
            .await;
        foreign.refuses("not_found", "successor_id");
    });
}

#[test]
fn a_dependency_is_removed_by_its_id_or_by_all_of_the_rest() {
    run(async {
        let (_, mut admin) = stage().await;
        let (program, stages) = template(&mut admin, &["A", "B"]).await;
        let whole = edge(&program, &stages[0], &stages[1]);
        admin.output("add_stage_dependency", whole.clone()).await;
        let half = json!({ "program_id": program, "node_kind": "stage" });
        admin
            .call("remove_stage_dependency", half)
            .await
            .refuses("invalid_argument", "id");
        admin.output("remove_stage_dependency", whole).await;
        let left = admin
            .output("list_stage_dependencies", json!({ "program_id": program }))
            .await;
        assert_eq!(left["stage_dependencies"], json!([]));
    });
}

#[test]
fn a_template_is_copied_once_for_a_cohort_with_all_that_hangs_on_it() {
    run(async {
        let (_, mut admin) = stage().await;
        let (program, stages) = template(&mut admin, &["A", "B"]).await;
        let milestone = json!({ "stage_id": stages[1], "title": "Demo", "points": 5 });
        admin.make("create_milestone", milestone).await;
        admin
            .output(
                "add_stage_dependency",
                edge(&program, &stages[0], &stages[1]),
            )
            .await;
        let cohort = admin.make("create_cohort", json!({ "name": "2026" })).await;
        let copy = json!({ "template_id": program, "cohort_id": cohort });
        let copied = admin.output("instantiate_program", copy.clone()).await;
        assert_eq!(copied["created"], true);
        let tree = admin
            .output("get_program", json!({ "id": copied["program_id"] }))
            .await;
        let tree = &tree["program"];
        assert_eq!(
            (&tree["kind"], &tree["cohort_id"]),
            (&json!("instance"), &cohort)
        );
        assert_eq!(tree["source_program_id"], program);
        assert_eq!(each(tree, "stages", "title"), ["A", "B"]);
        assert_ne!(tree["stages"][0]["id"], stages[0]);
        assert_eq!(
            tree["stages"][1]["gated_by"],
            json!([tree["stages"][0]["id"]])
        );
        assert_eq!(tree["stages"][1]["milestones"][0]["points"], 5.0);
        let again = admin.output("instantiate_program", copy).await;
        assert_eq!(
            (&again["created"], &again["program_id"]),
            (&json!(false), &copied["program_id"])
        );
        let of_a_copy = json!({ "template_id": copied["program_id"], "cohort_id": cohort });
        let refused = admin.call("instantiate_program", of_a_copy).await;
        refused.refuses("invalid_argument", "template_id");
        let (_, mut stranger) = stage().await;
        let theirs = stranger
            .make("create_cohort", json!({ "name": "2026" }))
            .await;
        let foreign = json!({ "template_id": program, "cohort_id": theirs });
        admin
            .call("instantiate_program", foreign)
            .await
            .refuses("not_found", "cohort_id");
    });
}
