//! Slugs generated from a name or title.

use std::collections::BTreeSet;

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Caller, at_once};
use serde_json::{Value, json};

use super::stage;

/// The tools that generate a slug, with the returned record and the source argument.
const MAKERS: [(&str, &str, &str); 3] = [
    ("create_cohort", "cohort", "name"),
    ("create_program", "program", "name"),
    ("create_wiki_article", "wiki_article", "title"),
];

#[test]
fn a_title_in_any_script_has_a_slug() {
    let (_, mut admin) = stage();
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
            let made = admin.output(tool, json!({ argument: title }));
            assert_eq!(made[record]["slug"], slug, "{tool} {title}");
        }
    }
}

#[test]
fn a_slug_fits_the_argument_that_takes_it() {
    let (_, mut admin) = stage();
    let name = format!("{} {}", "a".repeat(99), "b".repeat(100));
    for (tool, record, argument) in MAKERS {
        let mut slugs = Vec::new();
        for _ in 0..2 {
            let made = admin.output(tool, json!({ argument: name }));
            slugs.push(made[record]["slug"].as_str().expect("a slug").to_owned());
        }
        assert_eq!(
            slugs,
            ["a".repeat(99), format!("{}-2", "a".repeat(98))],
            "{tool}"
        );
    }
    let listed = admin.output("list_programs", json!({}));
    for program in listed["programs"].as_array().expect("programs") {
        let same = json!({ "id": program["id"], "slug": program["slug"] });
        admin.output("update_program", same);
    }
    let template = json!({ "name": "t".repeat(80) });
    let template = admin.make("create_program", template);
    let cohort = json!({ "name": "c".repeat(80) });
    let cohort = admin.make("create_cohort", cohort);
    let copy = json!({ "template_id": template, "cohort_id": cohort });
    let copied = admin.output("instantiate_program", copy);
    let program = json!({ "id": copied["program_id"] });
    let program = admin.output("get_program", program);
    let slug = program["program"]["slug"].as_str().expect("a slug");
    assert_eq!(slug, format!("{}-{}", "t".repeat(80), "c".repeat(19)));
}

#[test]
fn a_slug_is_free_among_articles_that_the_caller_does_not_see() {
    let (organization, mut admin) = stage();
    let article = json!({ "title": "Salaries", "status": "archived" });
    admin.output("create_wiki_article", article);
    let mut fellow = organization.caller(Role::Fellow, Host::Learn);
    let made = fellow.output("create_wiki_article", json!({ "title": "Salaries" }));
    assert_eq!(made["wiki_article"]["slug"], "salaries-2");
}

#[test]
fn an_instance_has_a_free_slug() {
    let (_, mut admin) = stage();
    let template = admin.make("create_program", json!({ "name": "Fellowship" }));
    let cohort = admin.make("create_cohort", json!({ "name": "2026" }));
    let taken = json!({ "name": "Fellowship 2026" });
    admin.make("create_program", taken);
    let copy = json!({ "template_id": template, "cohort_id": cohort });
    let copied = admin.output("instantiate_program", copy);
    let program = json!({ "id": copied["program_id"] });
    let program = admin.output("get_program", program);
    assert_eq!(program["program"]["slug"], "fellowship-2026-2");
}

/// Makes these calls of the tool at once.
fn all(admin: &Caller, tool: &str, calls: Vec<Value>) -> Vec<Value> {
    at_once(calls.into_iter().map(|arguments| {
        let mut admin = admin.clone();
        move || admin.output(tool, arguments)
    }))
}

#[test]
fn sixteen_records_that_are_made_at_once_have_sixteen_slugs() {
    let (_, mut admin) = stage();
    for (tool, record, argument) in MAKERS {
        let made = all(&admin, tool, vec![json!({ argument: "Same" }); 16]);
        let slugs: BTreeSet<_> = made
            .iter()
            .map(|made| made[record]["slug"].to_string())
            .collect();
        assert_eq!(slugs.len(), 16, "{tool}: {slugs:?}");
    }
    // Cohorts `same` to `same-16` and a template: the slugs of its instances are equal before
    // they are cut to their length.
    let template = json!({ "name": "t".repeat(100) });
    let template = admin.make("create_program", template);
    let cohorts = admin.output("list_cohorts", json!({}));
    let cohorts = cohorts["cohorts"].as_array().expect("cohorts").iter();
    let copies =
        cohorts.map(|cohort| json!({ "template_id": template, "cohort_id": cohort["id"] }));
    let made = all(&admin, "instantiate_program", copies.collect());
    assert!(made.iter().all(|made| made["created"] == true), "{made:?}");
    let instances = json!({ "kind": "instance" });
    let instances = admin.output("list_programs", instances);
    assert_eq!(instances["programs"].as_array().map(Vec::len), Some(16));
}
