//! The wiki.

use frontdesk_protocol::Role;
use frontdesk_tests::run;
use serde_json::{Value, json};

use super::{Admin, each, stage};

#[test]
fn an_article_is_written_by_its_author_and_by_admins() {
    run(async {
        let (organization, mut admin) = stage().await;
        let mut author = Admin(organization.sign_in(Role::Fellow).await);
        let article = json!({ "title": "Primeiros passos", "content": "# Oi" });
        let made = author.output("create_wiki_article", article).await;
        let article = &made["wiki_article"];
        assert_eq!(
            (&article["slug"], &article["status"]),
            (&json!("primeiros-passos"), &json!("draft"))
        );
        assert_eq!(article["content_type"], "guide");
        let change = json!({ "slug": "primeiros-passos", "excerpt": "Oi" });
        let mut teacher = Admin(organization.sign_in(Role::Teacher).await);
        assert_eq!(
            teacher
                .call("update_wiki_article", change.clone())
                .await
                .status,
            403
        );
        author.output("update_wiki_article", change.clone()).await;
        admin.output("update_wiki_article", change).await;
        let archive = json!({ "slug": "primeiros-passos", "status": "archived" });
        author.output("publish_wiki_article", archive).await;
        let hidden = teacher
            .output("get_wiki_article", json!({ "slug": "primeiros-passos" }))
            .await;
        assert_eq!(hidden["wiki_article"], Value::Null);
        let listed = admin.output("list_wiki_articles", json!({})).await;
        assert_eq!(each(&listed, "wiki_articles", "slug"), ["primeiros-passos"]);
        assert_eq!(listed["wiki_articles"][0].get("content"), None);
    });
}

#[test]
fn metadata_is_merged_and_null_removes_a_key() {
    run(async {
        let (_, mut admin) = stage().await;
        let article = json!({ "title": "A", "metadata": { "a": 1, "b": 2 } });
        let id = admin.make("create_wiki_article", article).await;
        let merge = json!({ "id": id, "metadata": { "b": null, "c": 3 } });
        let merged = admin.output("update_wiki_article", merge).await;
        assert_eq!(
            merged["wiki_article"]["metadata"],
            json!({ "a": 1, "c": 3 })
        );
        let replace = json!({ "id": id, "metadata": { "d": 4 }, "replace_metadata": true });
        let replaced = admin.output("update_wiki_article", replace).await;
        assert_eq!(replaced["wiki_article"]["metadata"], json!({ "d": 4 }));
        let list = json!({ "id": id, "metadata": [] });
        admin
            .call("update_wiki_article", list)
            .await
            .refuses("invalid_argument", "metadata");
    });
}

#[test]
fn a_parent_exists_and_closes_no_cycle() {
    run(async {
        let (_, mut admin) = stage().await;
        let below = |title: &str, parent: &str| json!({ "title": title, "metadata": { "parent_slug": parent } });
        let missing = admin
            .call("create_wiki_article", below("A", "nothing"))
            .await;
        missing.refuses("invalid_argument", "metadata.parent_slug");
        admin
            .make("create_wiki_article", json!({ "title": "A" }))
            .await;
        admin.make("create_wiki_article", below("B", "a")).await;
        admin.make("create_wiki_article", below("C", "b")).await;
        let cycle = json!({ "slug": "a", "metadata": { "parent_slug": "c" } });
        let refused = admin.call("update_wiki_article", cycle).await;
        refused.refuses("invalid_argument", "metadata.parent_slug");
        let renamed = json!({ "slug": "a", "new_slug": "z" });
        admin.output("update_wiki_article", renamed).await;
        let child = admin
            .output("get_wiki_article", json!({ "slug": "b" }))
            .await;
        assert_eq!(child["wiki_article"]["metadata"]["parent_slug"], "a");
    });
}

#[test]
fn a_parent_closes_no_cycle_through_articles_that_the_caller_does_not_see() {
    run(async {
        let (organization, _) = stage().await;
        let mut one = Admin(organization.sign_in(Role::Fellow).await);
        let mut other = Admin(organization.sign_in(Role::Teacher).await);
        one.make("create_wiki_article", json!({ "title": "A" }))
            .await;
        for title in ["B", "C"] {
            other
                .make("create_wiki_article", json!({ "title": title }))
                .await;
        }
        let below = |slug: &str, parent: &str| json!({ "slug": slug, "metadata": { "parent_slug": parent } });
        one.output("update_wiki_article", below("a", "b")).await;
        other.output("update_wiki_article", below("c", "a")).await;
        let archive = json!({ "slug": "a", "status": "archived" });
        one.output("publish_wiki_article", archive).await;
        // A is below B and C is below A, which this author cannot see.
        let refused = other.call("update_wiki_article", below("b", "c")).await;
        refused.refuses("invalid_argument", "metadata.parent_slug");
    });
}

#[test]
fn who_may_not_write_an_article_is_refused_before_its_parent_is_looked_at() {
    run(async {
        let (organization, mut admin) = stage().await;
        let below = |title: &str, parent: &str| json!({ "title": title, "metadata": { "parent_slug": parent } });
        admin
            .make("create_wiki_article", json!({ "title": "A" }))
            .await;
        admin.make("create_wiki_article", below("B", "a")).await;
        let mut fellow = Admin(organization.sign_in(Role::Fellow).await);
        for parent in ["b", "nothing"] {
            let change = json!({ "slug": "a", "metadata": { "parent_slug": parent } });
            let refused = fellow.call("update_wiki_article", change).await;
            assert_eq!(refused.status, 403, "{}", refused.body);
        }
    });
}

#[test]
fn an_article_is_named_once() {
    run(async {
        let (_, mut admin) = stage().await;
        let id = admin
            .make("create_wiki_article", json!({ "title": "A" }))
            .await;
        admin
            .call("get_wiki_article", json!({}))
            .await
            .refuses("invalid_argument", "id");
        let twice = json!({ "id": id, "slug": "a" });
        admin
            .call("publish_wiki_article", twice)
            .await
            .refuses("invalid_argument", "slug");
        let unknown = json!({ "title": "B", "content_type_slug": "poem" });
        let refused = admin.call("create_wiki_article", unknown).await;
        refused.refuses("not_found", "content_type_slug");
        let long = json!({ "title": "B", "content": "x".repeat(262_145) });
        admin
            .call("create_wiki_article", long)
            .await
            .refuses("invalid_argument", "content");
    });
}
