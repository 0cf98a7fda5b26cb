//! The wiki: the tree of articles, reading, following links, editing in the user's editor, publishing.

use frontdesk_protocol::Role;
use frontdesk_tests::{Desk, School, row, selected};
use serde_json::json;

use crate::flows::programs::add;

/// A school with a handbook that links to an article below it.
fn handbook() -> School {
    let school = School::new();
    let mut owner = school.colleague(Role::Owner);
    let article = json!({
        "title": "Handbook", "slug": "handbook", "status": "published",
        "content": "# Handbook\n\nRead about [the keys](keys) first.\n\n| Who | When |\n|---|---|\n| Ana | mornings |\n",
    });
    add(&mut owner, "create_wiki_article", article);
    let article = json!({
        "title": "Keys and alarms", "slug": "keys", "content": "Ask **Ana** for a key.\n",
        "metadata": { "parent_slug": "handbook" },
    });
    add(&mut owner, "create_wiki_article", article);
    school
}

/// Opens the wiki, with an editor that adds a line.
fn at_the_wiki(school: &School) -> Desk {
    let script = "echo \"Bring it back.\" >>\"$1\"";
    let setup = school.desk(Role::Owner);
    let mut t = setup.editor(format!("sh -c '{script}' editor")).at_home();
    t.go_to("wiki");
    t
}

#[test]
fn an_article_stands_below_the_one_above_it_and_links_lead_from_one_to_the_other() {
    let school = handbook();
    let mut t = at_the_wiki(&school);
    t.expect_rows([
        selected("▸ Handbook").with("✓ published"),
        row("    Keys and alarms").with("○ draft"),
    ]);
    t.press("enter")
        .expect_row(row("Read about the keys (keys) first."));
    t.expect("Ana │ mornings");
    t.press("enter").expect_row(row("Ask Ana for a key."));
    t.press("esc").expect_row(row("Read about"));
}

#[test]
fn the_body_is_edited_in_the_user_s_editor() {
    let school = handbook();
    let mut t = at_the_wiki(&school);
    t.select("Keys").press("enter").press("e");
    t.expect_toast("Saved Keys and alarms · U undoes")
        .expect_row(row("Bring it back."));
    t.press("r").expect_row(row("Bring it back."));
    t.press("C").expect_row(selected("changed wiki"));
    t.press("esc U a")
        .expect_toast("Undone: changed 1 wiki article");
    t.expect_no("Bring it back.");
}

#[test]
fn a_conflict_is_shown_with_a_choice() {
    let school = handbook();
    let mut t = at_the_wiki(&school);
    t.select("Keys").press("enter");
    let mut owner = school.colleague(Role::Owner);
    let theirs = json!({ "slug": "keys", "content": "Ask Zoë for a key.\n" });
    add(&mut owner, "update_wiki_article", theirs);

    t.press("e").expect_head("Somebody else saved this article");
    t.expect_row(row("- Ask Zoë for a key."))
        .expect_row(row("+ Bring it back."));
    t.press("n")
        .expect_row(row("Ask Zoë for a key."))
        .expect_no("Bring it back.");
    t.press("e")
        .expect_toast("Saved Keys")
        .expect_row(row("Bring it back."));
}

#[test]
fn an_article_is_published_and_archived_once_it_is_said_who_reads_it() {
    let school = handbook();
    let mut t = at_the_wiki(&school);
    t.select("Keys").press("enter").press("P");
    t.expect_row(row("Everybody can read it"))
        .expect_row(row("5 words and 0 links"))
        .expect_row(row("/learn/wiki/~"));
    t.press("y")
        .expect_toast("Keys and alarms is published now")
        .expect_head("✓ published");
    assert!(
        t.cannot_run("article.publish")
            .contains("published already")
    );
    t.press("A")
        .expect_row(row("Only its author and global admins"))
        .press("y");
    t.expect_toast("Keys and alarms is archived now");
}

#[test]
fn an_article_of_somebody_else_is_not_offered_for_editing() {
    let school = handbook();
    let mut t = school.desk(Role::Fellow).editor("true").at_home();
    t.go_to("wiki");
    t.expect_row(selected("▸ Handbook"));
    assert!(!t.screen().contains("e edit"), "{}", t.screen());
    t.press("enter")
        .expect_row(row("Read about the keys (keys) first."));
    assert!(!t.screen().contains("e edit"), "{}", t.screen());
    let why = t.cannot_run("article.edit");
    assert!(why.contains("only its author and global admins"), "{why}");
}
