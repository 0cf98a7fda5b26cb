//! The size of answers: below 4 MB, with nothing lost. An answer names the parts that it leaves out.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Answer, Caller, Organization, world};
use serde_json::{Value, json};
use uuid::Uuid;

/// The longest text that grows most in an answer.
fn quotes(length: usize) -> String {
    "\"".repeat(length)
}

/// What the tool returned, which is small enough.
#[track_caller]
fn small(answer: &Answer) -> Value {
    let bytes: usize = answer.header("content-length").parse().expect("a length");
    assert!(bytes < 4_000_000, "{bytes}");
    answer.output().clone()
}

fn names(records: &Value, field: &str) -> Vec<String> {
    let records = records.as_array().expect("records").iter();
    let names = records.map(|record| record[field].as_str().expect("a name").to_owned());
    names.collect()
}

/// All pages of a list, each from the `next_offset` of the page before; and their number.
fn pages(
    caller: &mut Caller,
    tool: &str,
    list: &str,
    field: &str,
    mut arguments: Value,
) -> (Vec<String>, usize) {
    let (mut all, mut count) = (Vec::new(), 0);
    loop {
        let page = small(&caller.call(tool, arguments.clone()));
        let here = names(&page[list], field);
        assert_eq!(page["has_more"], page.get("next_offset").is_some());
        all.extend(here);
        count += 1;
        match page.get("next_offset") {
            Some(next) => arguments["offset"] = next.clone(),
            None => return (all, count),
        }
    }
}

/// Asserts that a list of the record is cut, and that the call which the record names returns the rest of it.
fn is_completed(caller: &mut Caller, record: &Value, list: &str, field: &str, expected: &[String]) {
    let missing = record["missing"].as_array().expect("what is missing");
    let missing = missing.iter().find(|missing| missing["field"] == list);
    let missing = missing.unwrap_or_else(|| panic!("{list} is whole"));
    let tool = missing["tool"].as_str().expect("a tool");
    let mut shown = names(&record[list], field);
    assert!(!shown.is_empty() && shown.len() < expected.len(), "{list}");
    let key = tool.trim_start_matches("list_");
    let (rest, _) = pages(caller, tool, key, field, missing["arguments"].clone());
    shown.extend(rest);
    assert_eq!(shown, expected, "{list}");
}

/// `Item 1000` to `Item 1000 + count - 1`, which is their order by name.
fn items(count: usize) -> Vec<String> {
    (1000..1000 + count).map(|n| format!("Item {n}")).collect()
}

/// Writes as the database's owner, with the organisation as `$1`.
fn fill(organization: &Organization, sql: &str, id: &Value, count: usize, text: &str) {
    let id: Uuid = serde_json::from_value(id.clone()).expect("an id");
    let last = 999 + i32::try_from(count).expect("a number");
    let owner = world().owner();
    let filled = owner.execute(sql, &[&organization.id.0, &id, &last, &text]);
    filled.expect("records");
}

fn caller(host: Host) -> (Organization, Caller) {
    let organization = Organization::create();
    let caller = organization.caller(Role::Owner, host);
    (organization, caller)
}

#[test]
fn a_page_that_ends_for_its_size_says_where_the_next_one_begins() {
    let (organization, mut owner) = caller(Host::Learn);
    let nobody = json!(Uuid::now_v7());
    let sql = "insert into learn.courses (organization_id, title, about, author_id) \
               select $1, 'Item ' || n, $4, $2 from generate_series(1000, $3) n";
    fill(&organization, sql, &nobody, 150, &quotes(20_000));
    let list = json!({ "limit": 100 });
    let (all, count) = pages(&mut owner, "list_courses", "courses", "title", list);
    assert_eq!(all, items(150));
    assert!(count > 2, "{count} pages");
    let whole = owner.output("list_courses", json!({ "limit": 5 }));
    assert_eq!(whole["next_offset"], 5);
}

#[test]
fn a_project_and_an_epic_name_the_lists_that_they_cut() {
    let (organization, mut owner) = caller(Host::Work);
    let project = owner.make("create_project", json!({ "name": "P" }));
    let epic = json!({ "name": "E", "project_id": project });
    let epic = owner.make("create_epic", epic);
    let whole = owner.record("get_epic", json!({ "id": epic }));
    assert_eq!(whole["missing"], json!([]));
    let project_ = json!({ "name": "Q" });
    let other = owner.make("create_project", project_);
    let sql = "insert into work.epics (organization_id, project_id, name, notes) \
               select $1, $2, 'Item ' || n, $4 from generate_series(1000, $3) n";
    fill(&organization, sql, &other, 100, &quotes(20_000));
    let got = small(&owner.call("get_project", json!({ "id": other })));
    is_completed(&mut owner, &got["project"], "epics", "name", &items(100));

    let sql = "insert into work.deliveries (organization_id, epic_id, name, notes) \
               select $1, $2, 'Item ' || n, $4 from generate_series(1000, $3) n";
    fill(&organization, sql, &epic, 100, &quotes(20_000));
    let sql = "insert into work.tasks (organization_id, epic_id, name, owner_id, identifier, priority, \
                 stage_id, context) \
               select $1, $2, 'Item ' || n, m.id, 'X-' || n, n, 'spec', jsonb_build_object('why', $4::text) \
               from generate_series(1000, $3) n, \
                 (select id from learn.members where organization_id = $1 limit 1) m";
    fill(&organization, sql, &epic, 2100, "x");
    let got = small(&owner.call("get_epic", json!({ "id": epic })));
    is_completed(&mut owner, &got["epic"], "deliveries", "name", &items(100));
    is_completed(&mut owner, &got["epic"], "tasks", "name", &items(2100));
}

#[test]
fn a_program_names_the_lists_that_it_cuts_in_each_stage() {
    let (organization, mut owner) = caller(Host::Learn);
    let program = owner.make("create_program", json!({ "name": "P" }));
    let sql = "insert into learn.stages (organization_id, program_id, title, position, subtitle) \
               select $1, $2, 'Item ' || n, n, $4 from generate_series(1000, $3) n";
    fill(&organization, sql, &program, 400, &quotes(500));
    let sql = "insert into learn.milestones (organization_id, stage_id, title, position, description) \
               select $1, s.id, 'Item ' || n, n, $4 \
               from learn.stages s, generate_series(1000, $3) n \
               where s.program_id = $2 and s.position < 1003";
    fill(&organization, sql, &program, 20, &quotes(9_000));
    let sql = "insert into learn.stage_dependencies (organization_id, program_id, node_kind, predecessor_id, \
                 successor_id) \
               select $1, $2, 'stage', one.id, other.id from learn.stages one, learn.stages other \
               where one.program_id = $2 and other.program_id = $2 and one.position < other.position \
                 and $3 > 0 and $4 = '' limit 1500";
    fill(&organization, sql, &program, 1, "");
    let got = small(&owner.call("get_program", json!({ "id": program })));
    let got = &got["program"];
    is_completed(&mut owner, got, "stages", "title", &items(400));
    let edges = json!({ "program_id": program });
    let (edges, _) = pages(
        &mut owner,
        "list_stage_dependencies",
        "stage_dependencies",
        "id",
        edges,
    );
    assert_eq!(edges.len(), 1500);
    is_completed(&mut owner, got, "dependencies", "id", &edges);

    // Of the first three stages, 20 milestones each, some fit.
    let missing = got["missing"].as_array().expect("what is missing");
    let missing = missing.iter();
    let mut missing = missing.filter(|missing| missing["field"] == "stages.milestones");
    let mut left_out = 0;
    for stage in &got["stages"].as_array().expect("stages")[..3] {
        let mut shown = names(&stage["milestones"], "title");
        if shown.len() < 20 {
            let rest = missing.next().expect("the rest");
            assert_eq!(rest["arguments"]["stage_id"], stage["id"]);
            assert_eq!(rest["tool"], "list_milestones");
            let rest = rest["arguments"].clone();
            let rest = pages(&mut owner, "list_milestones", "milestones", "title", rest);
            left_out += 20 - shown.len();
            shown.extend(rest.0);
        }
        assert_eq!(shown, items(20));
    }
    assert!((1..60).contains(&left_out), "{left_out}");
    assert!(missing.next().is_none());
}

#[test]
fn an_invoice_names_the_payments_that_it_leaves_out() {
    let (organization, mut owner) = caller(Host::Staff);
    let invoice = json!({
        "billed_to": "Ana", "description": "March", "amount": 2000, "due_on": "2026-03-31",
    });
    let invoice = owner.make("create_invoice", invoice);
    owner.output("mark_invoice_sent", json!({ "id": invoice }));
    let sql = "insert into staff.payments (organization_id, invoice_id, amount, paid_on, note) \
               select $1, $2, 1, date '2026-01-01' + n, 'Item ' || n || $4 from generate_series(1000, $3) n";
    let text = quotes(1_900);
    fill(&organization, sql, &invoice, 500, &text);
    let got = small(&owner.call("get_invoice", json!({ "id": invoice })));
    let expected: Vec<_> = items(500)
        .iter()
        .map(|item| format!("{item}{text}"))
        .collect();
    is_completed(&mut owner, &got["invoice"], "payments", "note", &expected);
}

#[test]
fn a_question_names_the_answers_that_it_leaves_out() {
    let (organization, mut owner) = caller(Host::Plans);
    let question = owner.make("ask_question", json!({ "title": "Where?" }));
    let sql = "insert into plans.answers (organization_id, question_id, answer, answered_at) \
               select $1, $2, 'Item ' || n || $4, timestamptz '2026-01-01' + n * interval '1 hour' \
               from generate_series(1000, $3) n";
    let text = quotes(9_000);
    fill(&organization, sql, &question, 200, &text);
    let listed = small(&owner.call("list_questions", json!({})));
    let expected: Vec<_> = items(200)
        .iter()
        .map(|item| format!("{item}{text}"))
        .collect();
    let question = &listed["questions"][0];
    is_completed(&mut owner, question, "answers", "answer", &expected);
}

#[test]
fn a_submission_names_the_answers_that_it_leaves_out() {
    let (organization, mut owner) = caller(Host::Proposals);
    let tender = json!({
        "title": "Training", "issuer": "City", "deadline_at": "2099-03-01T12:00:00Z",
        "questions": items(100),
    });
    let tender = owner.make("create_tender", tender);
    let submission = json!({ "tender_id": tender });
    let submission = owner.make("create_submission", submission);
    let sql = "insert into proposals.submission_answers (organization_id, submission_id, question, answer) \
               select $1, $2, 'Item ' || n, $4 from generate_series(1000, $3) n";
    fill(&organization, sql, &submission, 100, &quotes(20_000));
    let got = small(&owner.call("get_submission", json!({ "id": submission })));
    let got = &got["submission"];
    assert_eq!(got["unanswered"], 0);
    is_completed(&mut owner, got, "answers", "question", &items(100));
    let set = json!({ "id": submission, "question": 1, "answer": "Yes." });
    let set = small(&owner.call("set_submission_answer", set));
    assert_eq!(set["submission"]["answers"][0]["answer"], "Yes.");
}

#[test]
fn an_answer_that_would_be_too_large_all_the_same_is_refused() {
    let (organization, mut owner) = caller(Host::Learn);
    let nobody = json!(Uuid::now_v7());
    let sql = "insert into learn.members (organization_id, id, name, tags) \
               select $1, case n when 1000 then $2::uuid else gen_random_uuid() end, 'Item ' || n, \
                 array_fill($4::text, array[100]) from generate_series(1000, $3) n";
    fill(&organization, sql, &nobody, 100, &quotes(200));
    let few = json!({ "name": "item" });
    small(&owner.call("lookup_member", few));
    let many = json!({ "name": "item", "limit": 100 });
    let refused = owner.call("lookup_member", many);
    assert_eq!(refused.tool_error()["code"], "refused");
    let message = refused.tool_error()["message"].to_string();
    assert!(message.contains("4 MB"), "{message}");
}
