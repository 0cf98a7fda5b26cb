//! The wiki: articles below one another, read, their links followed, edited in one's own editor, published.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Desk, Organization, desk, row, run, selected};
use serde_json::json;

use crate::launch::school;
use crate::programs::{add, other};

/// A school with a handbook, and an article below it to which it leads.
async fn handbook() -> Organization {
    let organization = school().await;
    let mut owner = other(&organization, Role::Owner).await;
    let article = json!({
        "title": "Handbook", "slug": "handbook", "status": "published",
        "content": "# Handbook\n\nRead about [the keys](keys) first.\n\n| Who | When |\n|---|---|\n| Ana | mornings |\n",
    });
    add(&mut owner, "create_wiki_article", article).await;
    let article = json!({
        "title": "Keys and alarms", "slug": "keys", "content": "Ask **Ana** for a key.\n",
        "metadata": { "parent_slug": "handbook" },
    });
    add(&mut owner, "create_wiki_article", article).await;
    organization
}

/// At the wiki, with an editor that adds a line.
async fn at_the_wiki(organization: &Organization) -> Desk {
    let script = "echo \"Bring it back.\" >>\"$1\"";
    let setup = desk(organization).signed_in_as(Role::Owner);
    let mut t = setup
        .editor(format!("sh -c '{script}' editor"))
        .at_home()
        .await;
    t.press(":")
        .await
        .type_text("wiki")
        .await
        .press("enter")
        .await;
    t
}

#[test]
fn an_article_stands_below_the_one_above_it_and_links_lead_from_one_to_the_other() {
    run(async {
        let organization = handbook().await;
        let mut t = at_the_wiki(&organization).await;
        t.expect_rows([
            selected("▸ Handbook").with("✓ published"),
            row("    Keys and alarms").with("○ draft"),
        ]);
        t.press("enter")
            .await
            .expect("Read about the keys (keys) first.");
        t.expect("Ana │ mornings");
        t.press("enter").await.expect("Ask Ana for a key.");
        t.press("esc").await.expect("Read about");
    });
}

#[test]
fn the_body_is_edited_in_ones_own_editor() {
    run(async {
        let organization = handbook().await;
        let mut t = at_the_wiki(&organization).await;
        t.select("Keys").await.press("enter").await.press("e").await;
        t.expect_toast("Saved Keys and alarms")
            .expect("Bring it back.");
        t.press("r").await.expect("Bring it back.");
    });
}

#[test]
fn what_somebody_else_saved_meanwhile_is_shown_and_one_chooses() {
    run(async {
        let organization = handbook().await;
        let mut t = at_the_wiki(&organization).await;
        t.select("Keys").await.press("enter").await;
        let mut owner = other(&organization, Role::Owner).await;
        let theirs = json!({ "slug": "keys", "content": "Ask Zoë for a key.\n" });
        owner
            .call(Host::Learn, "update_wiki_article", theirs)
            .await
            .output();

        t.press("e")
            .await
            .expect("Somebody else saved this article");
        t.expect("- Ask Zoë for a key.").expect("+ Bring it back.");
        t.press("n")
            .await
            .expect("Ask Zoë for a key.")
            .expect_no("Bring it back.");
        t.press("e")
            .await
            .expect_toast("Saved Keys")
            .expect("Bring it back.");
    });
}

#[test]
fn an_article_is_published_and_archived_once_it_is_said_who_reads_it() {
    run(async {
        let organization = handbook().await;
        let mut t = at_the_wiki(&organization).await;
        t.select("Keys").await.press("enter").await.press("P").await;
        t.expect("Everybody will read it")
            .expect("5 words and 0 links")
            .expect("/learn/wiki/keys");
        t.press("y")
            .await
            .expect_toast("Keys and alarms is published now")
            .expect("✓ published");
        assert!(
            t.cannot_run("article.publish")
                .contains("published already")
        );
        t.press("A")
            .await
            .expect("Only its author and global admins")
            .press("y")
            .await;
        t.expect_toast("Keys and alarms is archived now");
    });
}
