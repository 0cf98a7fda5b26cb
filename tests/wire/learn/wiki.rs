//! The wiki.

use frontdesk_protocol::{Host, Role};
use serde_json::{Value, json};

use super::{each, stage};

#[test]
fn an_article_is_written_by_its_author_and_by_admins() {
    let (organization, mut admin) = stage();
    let mut author = organization.caller(Role::Fellow, Host::Learn);
    let article = json!({ "title": "Primeiros passos", "content": "# Oi" });
    let made = author.output("create_wiki_article", article);
    let article = &made["wiki_article"];
    assert_eq!(
        (&article["slug"], &article["status"]),
        (&json!("primeiros-passos"), &json!("draft"))
    );
    assert_eq!(article["content_type"], "guide");
    let change = json!({ "slug": "primeiros-passos", "excerpt": "Oi" });
    let mut teacher = organization.caller(Role::Teacher, Host::Learn);
    assert_eq!(
        teacher.call("update_wiki_article", change.clone()).status,
        403
    );
    author.output("update_wiki_article", change.clone());
    admin.output("update_wiki_article", change);
    let archive = json!({ "slug": "primeiros-passos", "status": "archived" });
    author.output("publish_wiki_article", archive);
    let hidden = teacher.output("get_wiki_article", json!({ "slug": "primeiros-passos" }));
    assert_eq!(hidden["wiki_article"], Value::Null);
    let listed = admin.output("list_wiki_articles", json!({}));
    assert_eq!(each(&listed, "wiki_articles", "slug"), ["primeiros-passos"]);
    assert_eq!(listed["wiki_articles"][0].get("content"), None);
}

#[test]
fn metadata_is_merged_and_null_removes_a_key() {
    let (_, mut admin) = stage();
    let article = json!({ "title": "A", "metadata": { "a": 1, "b": 2 } });
    let id = admin.make("create_wiki_article", article);
    let merge = json!({ "id": id, "metadata": { "b": null, "c": 3 } });
    let merged = admin.output("update_wiki_article", merge);
    assert_eq!(
        merged["wiki_article"]["metadata"],
        json!({ "a": 1, "c": 3 })
    );
    let replace = json!({ "id": id, "metadata": { "d": 4 }, "replace_metadata": true });
    let replaced = admin.output("update_wiki_article", replace);
    assert_eq!(replaced["wiki_article"]["metadata"], json!({ "d": 4 }));
    let list = json!({ "id": id, "metadata": [] });
    admin
        .call("update_wiki_article", list)
        .refuses("invalid_argument", "metadata");
}

#[test]
fn a_parent_exists_and_closes_no_cycle() {
    let (_, mut admin) = stage();
    let below = |title: &str, parent: &str| json!({ "title": title, "metadata": { "parent_slug": parent } });
    let missing = admin.call("create_wiki_article", below("A", "nothing"));
    missing.refuses("invalid_argument", "metadata.parent_slug");
    admin.make("create_wiki_article", json!({ "title": "A" }));
    admin.make("create_wiki_article", below("B", "a"));
    admin.make("create_wiki_article", below("C", "b"));
    let cycle = json!({ "slug": "a", "metadata": { "parent_slug": "c" } });
    let refused = admin.call("update_wiki_article", cycle);
    refused.refuses("invalid_argument", "metadata.parent_slug");
    let renamed = json!({ "slug": "a", "new_slug": "z" });
    let renamed = admin.output("update_wiki_article", renamed);
    let warning = "their parent is still “a”: b; set the parent_slug of their metadata to “z”";
    assert_eq!(renamed["warnings"], json!([warning]));
    let child = admin.output("get_wiki_article", json!({ "slug": "b" }));
    assert_eq!(child["wiki_article"]["metadata"]["parent_slug"], "a");
}

#[test]
fn a_parent_closes_no_cycle_through_articles_that_the_caller_does_not_see() {
    let (organization, _) = stage();
    let mut one = organization.caller(Role::Fellow, Host::Learn);
    let mut other = organization.caller(Role::Teacher, Host::Learn);
    one.make("create_wiki_article", json!({ "title": "A" }));
    for title in ["B", "C"] {
        other.make("create_wiki_article", json!({ "title": title }));
    }
    let below =
        |slug: &str, parent: &str| json!({ "slug": slug, "metadata": { "parent_slug": parent } });
    one.output("update_wiki_article", below("a", "b"));
    other.output("update_wiki_article", below("c", "a"));
    let archive = json!({ "slug": "a", "status": "archived" });
    one.output("publish_wiki_article", archive);
    // A is below B and C is below A, which this author cannot see.
    let refused = other.call("update_wiki_article", below("b", "c"));
    refused.refuses("invalid_argument", "metadata.parent_slug");
}

#[test]
fn a_caller_without_the_right_to_an_article_is_refused_before_its_parent_is_read() {
    let (organization, mut admin) = stage();
    let below = |title: &str, parent: &str| json!({ "title": title, "metadata": { "parent_slug": parent } });
    admin.make("create_wiki_article", json!({ "title": "A" }));
    admin.make("create_wiki_article", below("B", "a"));
    let mut fellow = organization.caller(Role::Fellow, Host::Learn);
    for parent in ["b", "nothing"] {
        let change = json!({ "slug": "a", "metadata": { "parent_slug": parent } });
        let refused = fellow.call("update_wiki_article", change);
        assert_eq!(refused.status, 403, "{}", refused.body);
    }
}

#[test]
fn an_article_is_named_once() {
    let (_, mut admin) = stage();
    let id = admin.make("create_wiki_article", json!({ "title": "A" }));
    admin
        .call("get_wiki_article", json!({}))
        .refuses("invalid_argument", "id");
    let twice = json!({ "id": id, "slug": "a" });
    admin
        .call("publish_wiki_article", twice)
        .refuses("invalid_argument", "slug");
    let unknown = json!({ "title": "B", "content_type_slug": "poem" });
    let refused = admin.call("create_wiki_article", unknown);
    refused.refuses("not_found", "content_type_slug");
    let long = json!({ "title": "B", "content": "x".repeat(262_145) });
    admin
        .call("create_wiki_article", long)
        .refuses("invalid_argument", "content");
}
