//! Members, profiles, cohorts.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::world;
use serde_json::{Value, json};

use super::{each, stage};

#[test]
fn a_member_is_looked_up_by_the_exact_name_first_then_by_a_part() {
    let (_, mut admin) = stage();
    for name in ["João Silva Neto", "JOAO SILVA", "Maria João Silva", "Zoe"] {
        admin.make("create_member", json!({ "name": name }));
    }
    let gone = admin.make("create_member", json!({ "name": "João Silva" }));
    admin.output("delete_member", json!({ "id": gone }));
    let found = admin.output("lookup_member", json!({ "name": "joão silva" }));
    let names = each(&found, "members", "name");
    assert_eq!(names, ["JOAO SILVA", "João Silva Neto", "Maria João Silva"]);
    let all = json!({ "name": "joão silva", "include_inactive": true, "limit": 2 });
    let found = admin.output("lookup_member", all);
    assert_eq!(each(&found, "members", "is_active"), ["true", "false"]);
}

/// A search with few results uses an index; one with more than 2,000 is read in the list's order.
#[test]
fn a_search_that_finds_many_pages_through_all_of_them() {
    let (organization, mut admin) = stage();
    let fill = "insert into learn.members (organization_id, name) \
                select $1, 'Ana ' || lpad(n::text, 4, '0') from generate_series(1, 2001) n";
    // The owner's connection is released before the caller needs one.
    let filled = world().owner().execute(fill, &[&organization.id.0]);
    filled.expect("members");
    for (search, offset, expected, has_more) in [
        ("ana", 0, json!(["Ana 0001", "Ana 0002"]), true),
        ("ana", 2000, json!(["Ana 2001"]), false),
        ("ANA 200", 0, json!(["Ana 2000", "Ana 2001"]), false),
        ("ana 2001", 0, json!(["Ana 2001"]), false),
        ("ana%1", 0, json!([]), false),
    ] {
        let page = json!({ "search": search, "limit": 2, "offset": offset });
        let found = admin.output("list_members", page);
        assert_eq!(json!(each(&found, "members", "name")), expected, "{search}");
        assert_eq!(found["has_more"], has_more, "{search}");
    }
    for (name, expected) in [("ana", "Ana 0001"), ("Ana 2001", "Ana 2001")] {
        let one = json!({ "name": name, "limit": 1 });
        let found = admin.output("lookup_member", one);
        assert_eq!(each(&found, "members", "name"), [expected]);
    }
}

#[test]
fn a_member_with_references_is_not_removed_for_good() {
    let (organization, mut admin) = stage();
    let course = admin.make("create_course", json!({ "title": "Rust" }));
    let tutor = json!({ "course_id": course, "tutor_member_id": organization.member });
    admin.output("set_course_tutor", tutor);
    let hard = json!({ "id": organization.member, "hard_delete": true });
    let refused = admin.call("delete_member", hard.clone());
    refused.refuses("conflict", "id");
    let message = refused.tool_error()["message"].to_string();
    assert!(message.contains("course"), "{message}");
    let free = json!({ "course_id": course, "tutor_member_id": null });
    admin.output("set_course_tutor", free);
    admin.output("delete_member", hard);
    let gone = admin.output("get_member", json!({ "id": organization.member }));
    assert_eq!(gone["member"], Value::Null);
}

#[test]
fn a_fellow_slug_belongs_to_one_user() {
    let (organization, mut admin) = stage();
    let (owner, fellow) = (
        organization.user(Role::Owner),
        organization.user(Role::Fellow),
    );
    let slug = |user, dry_run| json!({ "user_id": user, "fellow_slug": "ana", "dry_run": dry_run });
    let tried = admin.output("set_profile_fellow_slug", slug(fellow, true));
    assert_eq!(
        (&tried["outcome"], &tried["dry_run"]),
        (&json!("set"), &json!(true))
    );
    let none = admin.output("list_profile_fellow_slugs", json!({}));
    assert_eq!(none["fellow_slugs"], json!([]));
    admin.output("set_profile_fellow_slug", slug(fellow, false));
    let taken = admin.output("set_profile_fellow_slug", slug(owner, false));
    assert_eq!(
        (&taken["outcome"], &taken["held_by"]),
        (&json!("slug_taken"), &json!(fellow))
    );
    let clear = json!({ "user_id": fellow, "fellow_slug": null });
    admin.output("set_profile_fellow_slug", clear);
    let taken = admin.output("set_profile_fellow_slug", slug(owner, false));
    assert_eq!(taken["outcome"], "set");
    let missing = admin.call("set_profile_fellow_slug", json!({ "user_id": owner }));
    missing.refuses("invalid_argument", "fellow_slug");
    let mut staff = organization.caller(Role::Admin, Host::Learn);
    assert_eq!(
        staff.call("list_profile_fellow_slugs", json!({})).status,
        403
    );
    assert_eq!(
        staff
            .call("set_profile_fellow_slug", slug(fellow, true))
            .status,
        403
    );
}

#[test]
fn a_fellow_slug_is_any_combination_of_letters_digits_and_hyphens() {
    let (organization, mut admin) = stage();
    let fellow = organization.user(Role::Fellow);
    let give = |slug: &str| json!({ "user_id": fellow, "fellow_slug": slug });
    for slug in ["a", "-", "--", "-ana-", "a--b", "0-9", &"a".repeat(100)] {
        let given = admin.output("set_profile_fellow_slug", give(slug));
        assert_eq!(
            (&given["outcome"], &given["fellow_slug"]),
            (&json!("set"), &json!(slug))
        );
    }
    for slug in ["", "Ana", "a b", "a_b", "á", &"a".repeat(101)] {
        let refused = admin.call("set_profile_fellow_slug", give(slug));
        refused.refuses("invalid_argument", "fellow_slug");
    }
}

#[test]
fn a_profile_is_found_by_the_address_that_its_owner_signs_in_with() {
    let (organization, mut admin) = stage();
    organization.level(Role::Teacher, 0);
    let address = organization.email(Role::Teacher);
    let teacher = json!([organization.user(Role::Teacher)]);
    let search = json!({ "search": address.to_uppercase() });
    let found = admin.output("list_profiles", search.clone());
    assert_eq!(json!(each(&found, "profiles", "id")), teacher);
    let (_, mut stranger) = stage();
    let none = stranger.output("list_profiles", search.clone());
    assert_eq!(none["profiles"], json!([]));
    let mut fellow = organization.caller(Role::Fellow, Host::Learn);
    let none = fellow.output("list_profiles", search);
    assert_eq!(none["profiles"], json!([]));
    let own = json!({ "search": organization.email(Role::Fellow) });
    let found = fellow.output("list_profiles", own);
    assert_eq!(each(&found, "profiles", "name"), ["Fellow"]);
}

#[test]
fn a_profile_is_changed_by_its_owner_alone() {
    let (organization, _) = stage();
    let mut fellow = organization.caller(Role::Fellow, Host::Learn);
    let picture = json!({ "name": "Ana", "avatar_url": "https://example.org/a.png" });
    let changed = fellow.output("update_profile", picture);
    assert_eq!(
        changed["profile"]["id"],
        json!(organization.user(Role::Fellow))
    );
    let cleared = fellow.output("update_profile", json!({ "avatar_url": null }));
    assert_eq!(cleared["profile"]["name"], "Ana");
    assert_eq!(cleared["profile"]["avatar_url"], Value::Null);
}

#[test]
fn the_slug_of_a_cohort_comes_from_its_name_and_is_unique() {
    let (_, mut admin) = stage();
    let made = admin.output("create_cohort", json!({ "name": "Turma de Março" }));
    assert_eq!(made["cohort"]["slug"], "turma-de-marco");
    let again = admin.output("create_cohort", json!({ "name": "Turma de Março" }));
    assert_eq!(again["cohort"]["slug"], "turma-de-marco-2");
    let taken = json!({ "name": "Other", "slug": "turma-de-marco" });
    admin
        .call("create_cohort", taken)
        .refuses("conflict", "slug");
    let no_day = json!({ "name": "A", "starts_on": "2026-02-30" });
    admin
        .call("create_cohort", no_day)
        .refuses("invalid_argument", "starts_on");
}
