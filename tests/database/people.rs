//! Members and their progress at size: unrequested rows are not read.

use frontdesk_protocol::{Host, Role};
use frontdesk_server::database::{Access, Actor};
use frontdesk_tests::lock::all_see;
use frontdesk_tests::{Organization, run, world};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::database::session::{Session, nodes};

/// Creates a cohort of this size and a program of three milestones, two of them completed by each
/// member.
async fn fill(organization: &Organization, members: u32) -> Uuid {
    let cohort = Uuid::now_v7();
    let of = organization.id;
    let statements = [
        format!(
            "insert into learn.cohorts (id, owner_id, name, slug) values ('{cohort}', '{of}', 'Large', 'large')"
        ),
        format!(
            "insert into learn.programs (organization_id, cohort_id, name, slug, kind) \
             values ('{of}', '{cohort}', 'Large', 'large', 'instance')"
        ),
        format!(
            "insert into learn.stages (organization_id, program_id, title) \
             select '{of}', id, 'Stage' from learn.programs where cohort_id = '{cohort}'"
        ),
        format!(
            "insert into learn.milestones (organization_id, stage_id, title) \
             select '{of}', id, 'Milestone ' || n from learn.stages, generate_series(1, 3) n \
             where organization_id = '{of}'"
        ),
        format!(
            "insert into learn.members (organization_id, name) \
             select '{of}', 'Student ' || lpad(n::text, 5, '0') from generate_series(1, {members}) n"
        ),
        format!(
            "insert into learn.cohort_members (organization_id, cohort_id, member_id) \
             select '{of}', '{cohort}', id from learn.members \
             where organization_id = '{of}' and name like 'Student %'"
        ),
        format!(
            "insert into learn.milestone_completions (organization_id, milestone_id, member_id) \
             select '{of}', m.id, c.member_id from learn.cohort_members c, learn.milestones m \
             where c.cohort_id = '{cohort}' and m.organization_id = '{of}' and m.title <> 'Milestone 3'"
        ),
    ];
    for statement in statements {
        // The embedded database has one session: other tests get their turn in between.
        let owner = world().owner().await;
        owner.batch_execute(&statement).await.expect(&statement);
    }
    let owner = world().owner().await;
    all_see(&owner).await;
    let vacuumed =
        "vacuum (analyze) learn.members, learn.cohort_members, learn.milestone_completions";
    owner.batch_execute(vacuumed).await.expect("statistics");
    cohort
}

/// The number of the table's rows that the plan read.
fn read(plan: &Value, table: &str) -> f64 {
    let mut rows = 0.0;
    nodes(plan, &mut |node| {
        if node["Relation Name"] == table {
            let number = |field: &str| node[field].as_f64().unwrap_or(0.0);
            let each = number("Actual Rows") + number("Rows Removed by Filter");
            rows += each * number("Actual Loops");
        }
    });
    rows
}

#[test]
fn progress_is_counted_for_the_members_of_the_page_alone() {
    run(async {
        let organization = Organization::create().await;
        let cohort = fill(&organization, 5_000).await;
        organization.level(Role::Staff, 80).await;
        let mut session = Session::of(&organization).await;
        // The complete list reads the members in order; that of a cohort reads the cohort.
        for (arguments, parameters, members) in [
            (json!({ "limit": 20 }), "20, 0".to_owned(), 100.0),
            (
                json!({ "limit": 20, "cohort_id": cohort }),
                format!("'{cohort}', 20, 0"),
                10_000.0,
            ),
        ] {
            let listed = session
                .http
                .call(Host::Learn, "get_program_member_progress", arguments);
            let listed = listed.await.output().clone();
            assert_eq!(listed["progress"].as_array().map(Vec::len), Some(20));
            for row in listed["progress"].as_array().into_iter().flatten() {
                assert_eq!((&row["done"], &row["total"]), (&json!(2), &json!(3)));
            }
            let condition = "statement like '%with page as%'";
            let plan = session.explain(
                condition,
                &parameters,
                "analyze, format json",
                "force_generic_plan",
            );
            let plan = Value::Array(plan.await);
            for (table, most) in [("milestone_completions", 200.0), ("members", members)] {
                let rows = read(&plan, table);
                assert!(rows <= most, "{rows} rows of {table}: {plan}");
            }
        }
    });
}

#[test]
fn a_caller_s_own_progress_is_looked_up_by_the_member() {
    run(async {
        let organization = Organization::create().await;
        fill(&organization, 5_000).await;
        organization.level(Role::Staff, 0).await;
        let own = "update learn.profiles set member_id = \
                     (select id from learn.members where organization_id = $2 and name = 'Student 00007') \
                   where id = $1";
        let user = organization.user(Role::Staff).0;
        let owner = world().owner().await;
        let linked = owner.execute(own, &[&user, &organization.id.0]).await;
        assert_eq!(linked.expect("a member"), 1);
        drop(owner);
        let mut session = Session::of(&organization).await;
        let listed = session
            .http
            .call(Host::Learn, "get_program_member_progress", json!({}));
        let listed = listed.await.output().clone();
        assert_eq!(listed["progress"].as_array().map(Vec::len), Some(1));
        let condition = "statement like '%with page as%'";
        let plan = session
            .explain(
                condition,
                "100, 0",
                "analyze, format json",
                "force_generic_plan",
            )
            .await;
        let plan = Value::Array(plan);
        for table in ["cohort_members", "members", "milestone_completions"] {
            let rows = read(&plan, table);
            assert!(rows <= 2.0, "{rows} rows of {table}: {plan}");
        }
    });
}

/// A search's duration must not reveal members that the caller cannot see.
#[test]
fn a_search_looks_at_no_member_whom_the_caller_does_not_see() {
    run(async {
        let organization = Organization::create().await;
        for (role, search, members, profiles) in [
            (Role::Staff, "member", 1, 0),
            (Role::Staff, "fellow", 1, 1),
            (Role::Fellow, "member", 0, 0),
            (Role::Fellow, "fellow", 1, 1),
            (Role::Automation, "fellow", 0, 0),
        ] {
            let caller = Actor::Caller(organization.user(role));
            let mut transaction = world().database().transaction(caller, Access::Read);
            let sql =
                "select cardinality(learn.find_members($1)), cardinality(learn.find_profiles($1))";
            let found = transaction.query(sql, &[&search]).await.expect("ids");
            let found: (i32, i32) = (found[0].get(0), found[0].get(1));
            assert_eq!(found, (members, profiles), "{role:?} {search}");
            transaction.rollback().await.expect("an end");
        }
    });
}
