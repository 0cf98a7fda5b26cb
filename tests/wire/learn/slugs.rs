//! Slugs generated from a name or title.

use std::collections::BTreeSet;

use frontdesk_protocol::Role;
use frontdesk_tests::run;
use futures::future::join_all;
use serde_json::{Value, json};

use super::{Admin, stage};

/// The tools that generate a slug, with the returned record and the source argument.
const MAKERS: [(&str, &str, &str); 3] = [
    ("create_cohort", "cohort", "name"),
    ("create_program", "program", "name"),
    ("create_wiki_article", "wiki_article", "title"),
];

#[test]
fn a_title_in_any_script_has_a_slug() {
    run(async {
        let (_, mut admin) = stage().await;
        for (tool, record, argument) in MAKERS {
            let noun = record.trim_start_matches("wiki_");
            for (title, slug) in [
                ("Übung für Zoë", "ubung-fur-zoe".to_owned()),
                ("新しい仲間", noun.to_owned()),
                ("Добро пожаловать", format!("{noun}-2")),
                ("مرحبا", format!("{noun}-3")),
                ("***", format!("{noun}-4")),
                ("第2章", "2".to_owned()),
            ] {
                let made = admin.output(tool, json!({ argument: title })).await;
                assert_eq!(made[record]["slug"], slug, "{tool} {title}");
            }
        }
    });
}

#[test]
fn a_slug_fits_the_argument_that_takes_it() {
    run(async {
        let (_, mut admin) = stage().await;
        let name = format!("{} {}", "a".repeat(99), "b".repeat(100));
        for (tool, record, argument) in MAKERS {
            let mut slugs = Vec::new();
            for _ in 0..2 {
                let made = admin.output(tool, json!({ argument: name })).await;
                slugs.push(made[record]["slug"].as_str().expect("a slug").to_owned());
            }
            assert_eq!(
                slugs,
                ["a".repeat(99), format!("{}-2", "a".repeat(98))],
                "{tool}"
            );
        }
        let listed = admin.output("list_programs", json!({})).await;
        for program in listed["programs"].as_array().expect("programs") {
            let same = json!({ "id": program["id"], "slug": program["slug"] });
            admin.output("update_program", same).await;
        }
        let template = json!({ "name": "t".repeat(80) });
        let template = admin.make("create_program", template).await;
        let cohort = json!({ "name": "c".repeat(80) });
        let cohort = admin.make("create_cohort", cohort).await;
        let copy = json!({ "template_id": template, "cohort_id": cohort });
        let copied = admin.output("instantiate_program", copy).await;
        let program = json!({ "id": copied["program_id"] });
        let program = admin.output("get_program", program).await;
        let slug = program["program"]["slug"].as_str().expect("a slug");
        assert_eq!(slug, format!("{}-{}", "t".repeat(80), "c".repeat(19)));
    });
}

#[test]
fn a_slug_is_free_among_articles_that_the_caller_does_not_see() {
    run(async {
        let (organization, mut admin) = stage().await;
        let article = json!({ "title": "Salaries", "status": "archived" });
        admin.output("create_wiki_article", article).await;
        let mut fellow = Admin(organization.sign_in(Role::Fellow).await);
        let made = fellow
            .output("create_wiki_article", json!({ "title": "Salaries" }))
            .await;
        assert_eq!(made["wiki_article"]["slug"], "salaries-2");
    });
}

#[test]
fn an_instance_has_a_free_slug() {
    run(async {
        let (_, mut admin) = stage().await;
        let template = admin
            .make("create_program", json!({ "name": "Fellowship" }))
            .await;
        let cohort = admin.make("create_cohort", json!({ "name": "2026" })).await;
        let taken = json!({ "name": "Fellowship 2026" });
        admin.make("create_program", taken).await;
        let copy = json!({ "template_id": template, "cohort_id": cohort });
        let copied = admin.output("instantiate_program", copy).await;
        let program = json!({ "id": copied["program_id"] });
        let program = admin.output("get_program", program).await;
        assert_eq!(program["program"]["slug"], "fellowship-2026-2");
    });
}

/// Makes these calls of the tool at once.
async fn at_once(admin: &Admin, tool: &str, calls: Vec<Value>) -> Vec<Value> {
    let calls = calls.into_iter().map(|arguments| {
        let mut admin = admin.clone();
        async move { admin.output(tool, arguments).await }
    });
    join_all(calls).await
}

#[test]
fn sixteen_records_that_are_made_at_once_have_sixteen_slugs() {
    run(async {
        let (_, mut admin) = stage().await;
        for (tool, record, argument) in MAKERS {
            let made = at_once(&admin, tool, vec![json!({ argument: "Same" }); 16]).await;
            let slugs: BTreeSet<_> = made
                .iter()
                .map(|made| made[record]["slug"].to_string())
                .collect();
            assert_eq!(slugs.len(), 16, "{tool}: {slugs:?}");
        }
        // Cohorts `same` to `same-16` and a template: the slugs of its instances are equal before
        // they are cut to their length.
        let template = json!({ "name": "t".repeat(100) });
        let template = admin.make("create_program", template).await;
        let cohorts = admin.output("list_cohorts", json!({})).await;
        let cohorts = cohorts["cohorts"].as_array().expect("cohorts").iter();
        let copies =
            cohorts.map(|cohort| json!({ "template_id": template, "cohort_id": cohort["id"] }));
        let made = at_once(&admin, "instantiate_program", copies.collect()).await;
        assert!(made.iter().all(|made| made["created"] == true), "{made:?}");
        let instances = json!({ "kind": "instance" });
        let instances = admin.output("list_programs", instances).await;
        assert_eq!(instances["programs"].as_array().map(Vec::len), Some(16));
    });
}
