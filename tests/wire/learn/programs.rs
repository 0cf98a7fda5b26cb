//! Programs, their dependencies, and their instances.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::Caller;
use serde_json::{Value, json};

use super::{each, stage};

/// Creates a template with stages of these titles, and returns both.
fn template(admin: &mut Caller, titles: &[&str]) -> (Value, Vec<Value>) {
    let program = admin.make("create_program", json!({ "name": "Fellowship" }));
    let mut stages = Vec::new();
    for (position, title) in titles.iter().enumerate() {
        let stage = json!({ "program_id": program, "title": title, "position": position });
        stages.push(admin.make("create_stage", stage));
    }
    (program, stages)
}

fn edge(program: &Value, from: &Value, to: &Value) -> Value {
    json!({ "program_id": program, "node_kind": "stage", "predecessor_id": from, "successor_id": to })
}

#[test]
fn a_template_has_no_cohort_and_an_instance_has_one() {
    let (_, mut admin) = stage();
    let cohort = admin.make("create_cohort", json!({ "name": "2026" }));
    let template = json!({ "name": "A", "cohort_id": cohort });
    admin
        .call("create_program", template)
        .refuses("invalid_argument", "cohort_id");
    let instance = json!({ "name": "A", "kind": "instance" });
    admin
        .call("create_program", instance)
        .refuses("invalid_argument", "cohort_id");
    let instance = json!({ "name": "A", "kind": "instance", "cohort_id": cohort });
    admin.make("create_program", instance.clone());
    admin
        .call("create_program", instance)
        .refuses("conflict", "cohort_id");
    admin
        .call("get_program", json!({}))
        .refuses("invalid_argument", "id");
}

#[test]
fn a_stage_is_gated_until_its_predecessors_are_done() {
    let (_, mut admin) = stage();
    let (program, stages) = template(&mut admin, &["A", "B"]);
    admin.output(
        "add_stage_dependency",
        edge(&program, &stages[0], &stages[1]),
    );
    let tree = admin.output("get_program", json!({ "id": program }));
    assert_eq!(each(&tree["program"], "stages", "gated"), ["false", "true"]);
    assert_eq!(tree["program"]["stages"][1]["gated_by"], json!([stages[0]]));
    admin.output("update_stage", json!({ "id": stages[0], "status": "done" }));
    let listed = admin.output("list_stages", json!({ "program_id": program }));
    assert_eq!(each(&listed, "stages", "gated"), ["false", "false"]);
}

#[test]
fn a_gated_milestone_waits_for_done_and_for_no_other_status() {
    let (_, mut admin) = stage();
    let (program, stages) = template(&mut admin, &["A", "B"]);
    let mut milestones = Vec::new();
    for (stage, title) in [(0, "First"), (1, "Last")] {
        let milestone = json!({ "stage_id": stages[stage], "title": title });
        milestones.push(admin.make("create_milestone", milestone));
    }
    let mut between_milestones = edge(&program, &milestones[0], &milestones[1]);
    between_milestones["node_kind"] = json!("milestone");
    for edge in [edge(&program, &stages[0], &stages[1]), between_milestones] {
        admin.output("add_stage_dependency", edge);
    }
    let statuses = ["upcoming", "locked", "active", "done"];
    // Each status comes after each other one.
    let mut walk: Vec<&str> = Vec::new();
    for one in statuses {
        walk.extend(statuses.iter().flat_map(|other| [one, *other]));
    }
    for (tool, list, of, nodes) in [
        (
            "update_stage",
            "list_stages",
            json!({ "program_id": program }),
            &stages,
        ),
        (
            "update_milestone",
            "list_milestones",
            json!({ "stage_id": stages[1] }),
            &milestones,
        ),
    ] {
        for status in &walk {
            let change = json!({ "id": nodes[0], "status": status });
            admin.output(tool, change);
            let listed = admin.output(list, of.clone());
            let records = listed[list.trim_start_matches("list_")].as_array();
            let last = records.and_then(|records| records.last()).expect("a node");
            let gated_by = match *status {
                "done" => json!([]),
                _ => json!([nodes[0]]),
            };
            assert_eq!(last["id"], nodes[1]);
            assert_eq!(last["gated"], json!(*status != "done"), "{tool} {status}");
            assert_eq!(last["gated_by"], gated_by, "{tool} {status}");
        }
    }
    // A stage's own status neither gates nor opens it.
    let start = json!({ "id": stages[0], "status": "active" });
    admin.output("update_stage", start);
    for status in statuses {
        let change = json!({ "id": stages[1], "status": status });
        let changed = admin.output("update_stage", change);
        assert_eq!(changed["stage"]["gated"], true, "{status}");
    }
}

#[test]
fn an_instance_is_made_from_a_template() {
    let (_, mut admin) = stage();
    let (template, _) = template(&mut admin, &[]);
    let mut instance = json!({ "name": "A", "kind": "instance" });
    for (number, source) in [template, Value::Null].into_iter().enumerate() {
        let cohort = json!({ "name": format!("Cohort {number}") });
        instance["cohort_id"] = admin.make("create_cohort", cohort);
        if !source.is_null() {
            instance["source_program_id"] = source;
            instance["source_program_id"] = admin.make("create_program", instance.clone());
        }
    }
    let refused = admin.call("create_program", instance);
    refused.refuses("invalid_argument", "source_program_id");
}

#[test]
fn records_of_one_position_are_listed_in_the_order_of_their_creation() {
    let (_, mut admin) = stage();
    let titles = ["E", "B", "D", "A", "C", "F"];
    let program = admin.make("create_program", json!({ "name": "Fellowship" }));
    let mut stages = Vec::new();
    let mut course = Value::Null;
    for title in titles {
        let stage = json!({ "program_id": program, "title": title });
        stages.push(admin.make("create_stage", stage));
        course = admin.make("create_course", json!({ "title": title }));
    }
    for title in titles {
        let milestone = json!({ "stage_id": stages[0], "title": title });
        admin.make("create_milestone", milestone);
        let lesson = json!({ "course_id": course, "title": title, "status": "published" });
        let lesson = admin.make("create_lesson", lesson);
        admin.output("mark_lesson_viewed", json!({ "lesson_id": lesson }));
    }
    let cohort = admin.make("create_cohort", json!({ "name": "2026" }));
    let copy = json!({ "template_id": program, "cohort_id": cohort });
    let copied = admin.output("instantiate_program", copy);
    for program in [&program, &copied["program_id"]] {
        let tree = admin.output("get_program", json!({ "id": program }));
        let stages = &tree["program"]["stages"];
        assert_eq!(each(&tree["program"], "stages", "title"), titles);
        assert_eq!(each(&stages[0], "milestones", "title"), titles);
        let listed = json!({ "program_id": program });
        let listed = admin.output("list_stages", listed);
        assert_eq!(each(&listed, "stages", "title"), titles);
        let listed = json!({ "stage_id": stages[0]["id"] });
        let listed = admin.output("list_milestones", listed);
        assert_eq!(each(&listed, "milestones", "title"), titles);
    }
    let listed = admin.output("list_courses", json!({}));
    assert_eq!(each(&listed, "courses", "title"), titles);
    let of = json!({ "course_id": course });
    let listed = admin.output("list_lessons", of.clone());
    assert_eq!(each(&listed, "lessons", "title"), titles);
    let ids = each(&listed, "lessons", "id");
    let progress = admin.output("get_my_course_progress", of);
    let seen = each(&progress["course_progress"], "lessons", "lesson_id");
    assert_eq!(seen, ids);
}

#[test]
fn a_caller_without_the_right_to_add_dependencies_is_refused_before_they_are_read() {
    let (organization, mut admin) = stage();
    let (program, stages) = template(&mut admin, &["A", "B"]);
    let there = edge(&program, &stages[0], &stages[1]);
    admin.output("add_stage_dependency", there.clone());
    let nowhere = json!(uuid::Uuid::now_v7());
    for role in [Role::Admin, Role::Fellow, Role::Automation] {
        let mut caller = organization.caller(role, Host::Learn);
        for edge in [
            there.clone(),
            edge(&program, &stages[1], &stages[0]),
            edge(&program, &stages[0], &stages[0]),
            edge(&program, &stages[0], &nowhere),
            edge(&nowhere, &stages[0], &stages[1]),
        ] {
            let refused = caller.call("add_stage_dependency", edge);
            assert_eq!(refused.status, 403, "{role:?}: {}", refused.body);
        }
    }
}

#[test]
fn a_dependency_closes_no_cycle_and_says_the_way_round() {
    let (_, mut admin) = stage();
    let (program, stages) = template(&mut admin, &["A", "B", "C"]);
    for (from, to) in [(0, 1), (1, 2)] {
        admin.output(
            "add_stage_dependency",
            edge(&program, &stages[from], &stages[to]),
        );
    }
    let closes = admin.call(
        "add_stage_dependency",
        edge(&program, &stages[2], &stages[0]),
    );
    closes.refuses("invalid_argument", "successor_id");
    let message = closes.tool_error()["message"].to_string();
    assert!(message.contains("A → B → C → A"), "{message}");
    let itself = admin.call(
        "add_stage_dependency",
        edge(&program, &stages[0], &stages[0]),
    );
    itself.refuses("invalid_argument", "successor_id");
    let (_, others) = template(&mut admin, &["X"]);
    let foreign = admin.call(
        "add_stage_dependency",
        edge(&program, &stages[0], &others[0]),
    );
    foreign.refuses_with(
        "not_found",
        "successor_id",
        "there is no such stage in this program",
    );
}

#[test]
fn a_dependency_is_removed_by_its_id_or_by_all_of_the_rest() {
    let (_, mut admin) = stage();
    let (program, stages) = template(&mut admin, &["A", "B"]);
    let whole = edge(&program, &stages[0], &stages[1]);
    admin.output("add_stage_dependency", whole.clone());
    let half = json!({ "program_id": program, "node_kind": "stage" });
    admin
        .call("remove_stage_dependency", half)
        .refuses("invalid_argument", "id");
    admin.output("remove_stage_dependency", whole);
    let left = admin.output("list_stage_dependencies", json!({ "program_id": program }));
    assert_eq!(left["stage_dependencies"], json!([]));
}

#[test]
fn a_template_is_copied_once_for_a_cohort_with_all_that_hangs_on_it() {
    let (_, mut admin) = stage();
    let (program, stages) = template(&mut admin, &["A", "B"]);
    let milestone = json!({ "stage_id": stages[1], "title": "Demo", "points": 5 });
    admin.make("create_milestone", milestone);
    admin.output(
        "add_stage_dependency",
        edge(&program, &stages[0], &stages[1]),
    );
    let cohort = admin.make("create_cohort", json!({ "name": "2026" }));
    let copy = json!({ "template_id": program, "cohort_id": cohort });
    let copied = admin.output("instantiate_program", copy.clone());
    assert_eq!(copied["created"], true);
    let tree = admin.output("get_program", json!({ "id": copied["program_id"] }));
    let tree = &tree["program"];
    assert_eq!(
        (&tree["kind"], &tree["cohort_id"]),
        (&json!("instance"), &cohort)
    );
    assert_eq!(tree["source_program_id"], program);
    assert_eq!(tree["name"], "Fellowship · 2026");
    assert_eq!(each(tree, "stages", "title"), ["A", "B"]);
    assert_ne!(tree["stages"][0]["id"], stages[0]);
    assert_eq!(
        tree["stages"][1]["gated_by"],
        json!([tree["stages"][0]["id"]])
    );
    assert_eq!(tree["stages"][1]["milestones"][0]["points"], 5.0);
    let again = admin.output("instantiate_program", copy);
    assert_eq!(
        (&again["created"], &again["program_id"]),
        (&json!(false), &copied["program_id"])
    );
    let of_a_copy = json!({ "template_id": copied["program_id"], "cohort_id": cohort });
    let refused = admin.call("instantiate_program", of_a_copy);
    refused.refuses("invalid_argument", "template_id");
    let (_, mut stranger) = stage();
    let theirs = stranger.make("create_cohort", json!({ "name": "2026" }));
    let foreign = json!({ "template_id": program, "cohort_id": theirs });
    admin.call("instantiate_program", foreign).refuses_with(
        "not_found",
        "cohort_id",
        "there is no such cohort in your organisation",
    );
}
