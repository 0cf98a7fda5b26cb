//! The weekly update.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Caller, Organization, world};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{add_task, each, stage};

fn write(sql: &str, params: &[&(dyn tokio_postgres::types::ToSql + Sync)]) {
    let owner = world().owner();
    owner.execute(sql, params).expect(sql);
}

/// A pull request of this member that was merged just now.
fn merged(organization: &Organization, member: Uuid, number: i32, title: &str) {
    write(
        "insert into engineering.pull_requests (organization_id, repository, number, title, url, author_login, \
           author_id, created_at, merged_at) \
         values ($1, 'acme/painel-web', $3, $4, 'https://forge.example.org/acme/painel-web/pull/1', 'ana', $2, now(), now())",
        &[&organization.id.0, &member, &number, &title],
    );
}

/// A meeting of today with these lines, each with its speaker and the speaker's member.
fn meeting(organization: &Organization, title: &str, lines: &[(&str, Option<Uuid>, &str)]) {
    let id = Uuid::now_v7();
    write(
        "insert into work.meetings (id, organization_id, title, meeting_date) values ($1, $2, $3, now())",
        &[&id, &organization.id.0, &title],
    );
    for (position, (speaker, member, content)) in (1_i32..).zip(lines) {
        write(
            "insert into work.transcript_segments (organization_id, meeting_id, position, speaker, member_id, content) \
             values ($1, $2, $3, $4, $5, $6)",
            &[&organization.id.0, &id, &position, speaker, member, content],
        );
    }
}

fn updates(caller: &mut Caller, member: impl Into<Value>) -> Value {
    caller.output("get_weekly_updates", json!({ "member_id": member.into() }))
}

/// The sources of an update.
const SOURCES: [&str; 5] = [
    "tasks_completed",
    "tasks_in_progress",
    "pull_requests",
    "daily_lines",
    "plans",
];

/// A week with work of the member in every source.
fn week(organization: &Organization, owner: &mut Caller) {
    let member = json!(organization.member);
    for (name, status) in [
        ("A", "done"),
        ("B", "dev_completed"),
        ("C", "in_progress"),
        ("D", "blocked"),
    ] {
        let task = add_task(owner, name, member.clone());
        let change = json!({ "id": task["id"], "status": status });
        owner.output("update_task", change);
    }
    // Done and taken up again: it is not done.
    let task = add_task(owner, "E", member);
    for status in ["done", "in_progress"] {
        let change = json!({ "id": task["id"], "status": status });
        owner.output("update_task", change);
    }
    let mut plans = owner.at(Host::Plans);
    let plan = plans.make("create_plan", json!({ "name": "March" }));
    let shown = json!({ "slug": "march", "tasks": [{ "task_id": task["id"] }] });
    plans.output("set_plan_tasks", shown);
    let active = json!({ "id": plan, "status": "active" });
    plans.output("update_plan", active);
    merged(organization, organization.member.0, 7, "F");
    let said = [("x", Some(organization.member.0), "G")];
    meeting(organization, "Daily", &said);
    meeting(organization, "Weekly", &said);
}

#[test]
fn each_source_lists_the_member_s_work() {
    let (organization, mut owner) = stage();
    week(&organization, &mut owner);
    let updates = updates(&mut owner, json!(organization.member));
    let names = |source: &str, field: &str| json!(each(&updates[source], "items", field));
    assert_eq!(names("tasks_completed", "name"), json!(["B", "A"]));
    assert_eq!(names("tasks_in_progress", "name"), json!(["C", "E"]));
    assert_eq!(names("pull_requests", "title"), json!(["F"]));
    assert_eq!(names("daily_lines", "line"), json!(["G"]));
    assert_eq!(names("plans", "to_status"), json!(["active"]));
    for source in SOURCES {
        assert_eq!(updates[source]["unavailable"], false, "{source}");
        assert_eq!(updates[source]["truncated"], false, "{source}");
    }
    assert_eq!(
        updates["daily_text"],
        "Bom dia\n\nOntem\n- B\n- A\n- F\n- Plano March: em andamento\n\nHoje\n- C\n- E\n\nBlockers\n- D\n"
    );
}

#[test]
fn a_plan_whose_name_begins_with_plano_is_called_so_once() {
    let (organization, mut owner) = stage();
    let mut plans = owner.at(Host::Plans);
    let plan = plans.make("create_plan", json!({ "name": "Plano de março" }));
    let active = json!({ "id": plan, "status": "active" });
    plans.output("update_plan", active);
    let member = json!(organization.member);
    let task = add_task(&mut owner, "A", member.clone());
    let shown = json!({ "slug": "plano-de-marco", "tasks": [{ "task_id": task["id"] }] });
    plans.output("set_plan_tasks", shown);
    let updates = updates(&mut owner, member);
    let text = updates["daily_text"].as_str().unwrap_or_default();
    assert!(text.contains("- Plano de março: em andamento"), "{text}");
}

#[test]
fn a_source_with_more_than_fifty_says_that_it_is_cut() {
    let (organization, mut owner) = stage();
    for number in 1..=51 {
        merged(
            &organization,
            organization.member.0,
            number,
            &format!("Change {number}"),
        );
    }
    let updates = updates(&mut owner, json!(organization.member));
    assert_eq!(updates["pull_requests"]["truncated"], true);
    assert_eq!(
        updates["pull_requests"]["items"].as_array().map(Vec::len),
        Some(50)
    );
}

#[test]
fn a_source_that_fails_takes_no_other_along() {
    let (organization, mut owner) = stage();
    week(&organization, &mut owner);
    for (broken, table) in [
        ("tasks_completed", "work.task_status_changes"),
        ("pull_requests", "engineering.pull_requests"),
        ("plans", "plans.plan_status_changes"),
    ] {
        // A policy that fails where a row of this organisation is read, and nowhere else.
        let policy = format!(
            "create policy broken on {table} as restrictive for select to authenticated \
             using (1 / (organization_id <> '{}')::integer = 1)",
            organization.id
        );
        write(&policy, &[]);
        let updates = updates(&mut owner, json!(organization.member));
        write(&format!("drop policy broken on {table}"), &[]);
        for source in SOURCES {
            let is_broken = source == broken;
            assert_eq!(updates[source]["unavailable"], is_broken, "{source}");
            let items = updates[source]["items"].as_array().map(Vec::len);
            assert_eq!(items == Some(0), is_broken, "{source} without {broken}");
        }
    }
}

#[test]
fn without_a_code_host_its_source_is_empty() {
    let (organization, mut owner) = stage();
    let updates = updates(&mut owner, json!(organization.member));
    assert_eq!(updates["pull_requests"]["unavailable"], false);
    assert_eq!(updates["pull_requests"]["items"], json!([]));
}

#[test]
fn a_line_is_its_attributed_member_s_then_the_top_alias_s_then_that_of_exactly_this_name() {
    let (organization, mut owner) = stage();
    let name = "select name from learn.members where id = $1";
    let mut names = Vec::new();
    for member in [organization.member, organization.fellow] {
        let database = world().owner();
        let row = database.query_one(name, &[&member.0]).expect("a member");
        names.push(row.get::<_, String>(0));
    }
    for (alias, member, confidence) in [
        ("ana", organization.member, 0.9),
        ("ana", organization.fellow, 0.5),
        ("both", organization.member, 0.5),
        ("both", organization.fellow, 0.5),
        // An alias is before a name.
        (names[1].as_str(), organization.member, 1.0),
    ] {
        let alias = json!({ "alias": alias, "member_id": member, "confidence": confidence });
        owner.output("create_member_label_alias", alias);
    }
    let lines = [
        ("ana", None, "top alias"),
        ("Ana", None, "no alias to the letter"),
        ("both", None, "two aliases"),
        (names[0].as_str(), None, "exact name"),
        (names[1].as_str(), None, "alias before name"),
        ("zoe", Some(organization.member.0), "attributed"),
        ("zoe", None, "the same label in this meeting"),
    ];
    meeting(&organization, "Daily da Casa", &lines);
    // In another meeting the label is somebody else.
    meeting(&organization, "Daily", &[("zoe", None, "another meeting")]);
    let updates = updates(&mut owner, json!(organization.member));
    let said = json!(each(&updates["daily_lines"], "items", "line"));
    let expected = [
        "top alias",
        "exact name",
        "alias before name",
        "attributed",
        "the same label in this meeting",
    ];
    assert_eq!(said, json!(expected));
}

#[test]
fn the_days_are_those_of_brasilia() {
    let database = world().owner();
    for (at, days, begins) in [
        // A second before midnight in Brasília, and midnight, at the turn of the year.
        ("2026-01-01T02:59:59Z", 1, "2025-12-31T03:00:00Z"),
        ("2026-01-01T03:00:00Z", 1, "2026-01-01T03:00:00Z"),
        ("2026-01-01T02:59:59Z", 7, "2025-12-25T03:00:00Z"),
        ("2026-01-01T03:00:00Z", 14, "2025-12-19T03:00:00Z"),
    ] {
        let sql = format!("select work.days_begin('{at}', {days}) = '{begins}'::timestamptz");
        let row = database.query_one(&sql, &[]).expect(&sql);
        assert!(row.get::<_, bool>(0), "{sql}");
    }
}

#[test]
fn tasks_moved_before_the_days_are_left_out() {
    let (organization, mut owner) = stage();
    for (name, ago) in [("today", "0 seconds"), ("before", "8 days")] {
        let task = add_task(&mut owner, name, json!(organization.member));
        owner.output("update_task", json!({ "id": task["id"], "status": "done" }));
        let id: Uuid = task["id"].as_str().expect("an id").parse().expect("an id");
        let sql = format!(
            "update work.task_status_changes set changed_at = changed_at - interval '{ago}' where task_id = $1"
        );
        write(&sql, &[&id]);
    }
    for (days, names) in [(7, json!(["today"])), (14, json!(["today", "before"]))] {
        let asked = json!({ "member_id": organization.member, "days": days });
        let updates = owner.output("get_weekly_updates", asked);
        assert_eq!(
            json!(each(&updates["tasks_completed"], "items", "name")),
            names
        );
    }
    for days in [0, 15] {
        let refused = owner.call("get_weekly_updates", json!({ "days": days }));
        refused.refuses("invalid_argument", "days");
    }
}

/// The days from today, in Brasília, on which something is inserted: today, before a week of seven days, and tomorrow.
const DAYS: [(&str, i32); 3] = [("today", 0), ("before", 8), ("tomorrow", -1)];

#[test]
fn every_source_leaves_out_earlier_days() {
    let (organization, mut owner) = stage();
    let member = organization.member.0;
    let mut plans = owner.at(Host::Plans);
    for (number, (name, ago)) in (1..).zip(&DAYS[..2]) {
        merged(&organization, member, number, name);
        write(
            "update engineering.pull_requests set merged_at = merged_at - make_interval(days => $2) \
             where organization_id = $1 and title = $3",
            &[&organization.id.0, ago, name],
        );
        meeting(&organization, "Daily", &[("x", Some(member), name)]);
        write(
            "update work.meetings m set meeting_date = meeting_date - make_interval(days => $2) \
             from work.transcript_segments s \
             where s.meeting_id = m.id and m.organization_id = $1 and s.content = $3",
            &[&organization.id.0, ago, name],
        );
        let task = add_task(&mut owner, name, json!(organization.member));
        let plan = plans.make("create_plan", json!({ "name": name }));
        let shown = json!({ "slug": name, "tasks": [{ "task_id": task["id"] }] });
        plans.output("set_plan_tasks", shown);
        let active = json!({ "id": plan, "status": "active" });
        plans.output("update_plan", active);
        write(
            "update plans.plan_status_changes c set changed_at = changed_at - make_interval(days => $2) \
             from plans.plans p where p.id = c.plan_id and c.organization_id = $1 and p.name = $3",
            &[&organization.id.0, ago, name],
        );
    }
    for (days, names) in [(7, json!(["today"])), (14, json!(["today", "before"]))] {
        let asked = json!({ "member_id": organization.member, "days": days });
        let updates = owner.output("get_weekly_updates", asked);
        for (source, field) in [
            ("pull_requests", "title"),
            ("daily_lines", "line"),
            ("plans", "name"),
        ] {
            let told = json!(each(&updates[source], "items", field));
            assert_eq!(told, names, "{source} of {days} days");
        }
    }
}

#[test]
fn lines_of_recurring_dailies_are_found() {
    let (organization, mut owner) = stage();
    for title in ["Daily da Casa", "Weekly"] {
        let series = Uuid::now_v7();
        write(
            "insert into work.meetings (id, organization_id, title, is_recurring, meeting_date) \
             values ($1, $2, $3, true, now() - interval '90 days')",
            &[&series, &organization.id.0, &title],
        );
        for (name, ago) in DAYS {
            let occurrence = Uuid::now_v7();
            write(
                "insert into work.meeting_occurrences (id, organization_id, meeting_id, occurrence_date, status) \
                 values ($1, $2, $3, (now() at time zone 'America/Sao_Paulo')::date - $4::integer, 'held')",
                &[&occurrence, &organization.id.0, &series, &ago],
            );
            write(
                "insert into work.transcript_segments \
                   (organization_id, occurrence_id, position, speaker, member_id, content) \
                 values ($1, $2, 1, 'x', $3, $4)",
                &[
                    &organization.id.0,
                    &occurrence,
                    &organization.member.0,
                    &format!("{title} {name}"),
                ],
            );
        }
    }
    for (days, lines) in [
        (7, json!(["Daily da Casa today"])),
        (14, json!(["Daily da Casa today", "Daily da Casa before"])),
    ] {
        let asked = json!({ "member_id": organization.member, "days": days });
        let updates = owner.output("get_weekly_updates", asked);
        assert_eq!(json!(each(&updates["daily_lines"], "items", "line")), lines);
    }
}

#[test]
fn the_daily_text_is_plain_whatever_stands_in_the_titles() {
    let (organization, mut owner) = stage();
    let member = organization.member.0;
    let task = add_task(&mut owner, "Fix", json!(organization.member));
    let identifier = task["identifier"].as_str().expect("an identifier");
    let change = json!({
        "id": task["id"], "status": "in_progress",
        "name": format!("{identifier}: rever texto (veja https://example.org/a?b=1#c)"),
    });
    owner.output("update_task", change);
    for (number, title) in (1..).zip([
        "Corrige login (#42)",
        "acme/painel-web#17: cores novas",
        "painel-web: ajusta [rodapé](https://example.org/x) após PR 9",
        "https://forge.example.org/acme/painel-web/pull/3",
        &format!("Segue {identifier}, duas\nlinhas"),
        "Menu (PR-77)",
        "Busca do PR nº 15",
        "GH-78: mapa",
        "Filtro, veja pull/16",
        "Lista: acme/painel-web/pull/18/files",
        "Ícones em bit.ly/3xYz e PRs 20, 21",
        "Rota do PR número 22 e !23",
    ]) {
        merged(&organization, member, number, title);
    }
    let updates = updates(&mut owner, json!(organization.member));
    let text = updates["daily_text"].as_str().expect("a text");
    let mut lines: Vec<_> = text.lines().filter(|line| line.starts_with('-')).collect();
    lines.sort_unstable();
    assert_eq!(
        lines,
        [
            "- Busca do",
            "- Corrige login",
            "- Filtro, veja",
            "- Lista",
            "- Menu",
            "- Rota do e",
            "- Segue, duas linhas",
            "- ajusta rodapé após",
            "- cores novas",
            "- mapa",
            "- rever texto (veja)",
            "- Ícones em e"
        ]
    );
}

#[test]
fn a_fellow_sees_only_their_own_week() {
    let (organization, _) = stage();
    let mut fellow = organization.caller(Role::Fellow, Host::Work);
    let said = [("x", Some(organization.fellow.0), "Mine")];
    meeting(&organization, "Daily", &said);
    let own = fellow.output("get_weekly_updates", json!({}));
    assert_eq!(own["member_id"], json!(organization.fellow));
    assert_eq!(
        json!(each(&own["daily_lines"], "items", "line")),
        json!(["Mine"])
    );
    let other = json!({ "member_id": organization.member });
    fellow
        .call("get_weekly_updates", other)
        .refuses("not_found", "member_id");
    // The owner's account has no member.
    let mut owner = organization.caller(Role::Owner, Host::Work);
    owner
        .call("get_weekly_updates", json!({}))
        .refuses("invalid_argument", "member_id");
}
