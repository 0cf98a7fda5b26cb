//! What a call would change, what has changed, and undoing it.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Desk, School, row, selected};
use serde_json::json;

use crate::flows::board::museum;
use crate::flows::programs::{add, at_the, fellowship};
use crate::flows::removal::{LEADERS, OCCURRENCES, SERIES, meetings, weekly};

/// The owner looks at the tree of the template Fellowship.
fn at_the_tree(school: &School) -> Desk {
    let mut t = at_the(school, Role::Owner, "programs");
    t.press("enter").expect_row(row("Meet the house"));
    t
}

#[test]
fn a_deletion_shows_what_goes_with_it_and_is_undone() {
    let school = fellowship();
    let mut t = at_the_tree(&school);
    t.select("Arrival").press("d");
    t.expect_title("Delete stage?").expect_row(row(
        "Delete stage “Arrival”, 1 stage dependency, 2 milestones.",
    ));
    t.press("esc")
        .expect_head("Delete stage “Arrival”")
        .expect_row(row("- delete stage  Arrival"))
        .expect_row(row("- delete milestone  Meet the house"));
    t.text_snapshot("changes_preview");
    t.press("a").type_text("arrival").press("ctrl-y");
    t.expect_toast("Deleted stage “Arrival” · U undoes")
        .expect_row(selected("Craft"))
        .expect_no("Meet the house");
    t.press("U")
        .expect_head("add stage “Arrival”, 1 stage dependency, 2 milestones")
        .expect_row(row("+ add stage  Arrival"));
    t.press("a")
        .expect_toast("Undone: ")
        .expect_rows([row("Arrival"), row("Meet the house"), row("Set up")])
        .expect_row(selected("Craft").with("! waits for Arrival"));
}

#[test]
fn something_empty_is_deleted_with_one_key_and_one_confirmation() {
    let school = fellowship();
    let mut t = at_the_tree(&school);
    t.select("Build it").press("d");
    t.expect_title("Delete milestone “Build it”?").press("y");
    t.expect_toast("Deleted milestone “Build it”")
        .expect_row(selected("Craft").with("0 milestones"));
}

#[test]
fn a_deletion_that_is_refused_says_why() {
    let school = museum();
    let mut t = school.desk(Role::Staff).at_home();
    t.go_to("projects");
    t.press("d")
        .expect_toast("still has 1 epic (“Tickets”)")
        .expect_row(selected("Museum"));
}

#[test]
fn only_what_was_previewed_is_done() {
    let school = fellowship();
    let mut t = at_the_tree(&school);
    t.select("Arrival").press("d").type_text("arrival");
    // Somebody adds a milestone meanwhile.
    let mut other = school.colleague(Role::Owner);
    let stages = school.texts(
        "select id::text from learn.stages where organization_id = $1 and title = 'Arrival'",
        &[&school.organization.id.0],
    );
    let late = json!({ "stage_id": stages[0], "title": "Late", "position": 3 });
    add(&mut other, "create_milestone", late);
    t.press("ctrl-y")
        .expect_row(row(
            "! Nothing was done: the data has changed since the preview",
        ))
        .expect_row(row("new: delete milestone “Late”"));
    t.press("a").type_text("arrival").press("ctrl-y");
    t.expect_toast("Deleted stage “Arrival”")
        .expect_row(selected("Craft"));
}

#[test]
fn any_form_of_a_tool_that_writes_is_previewed() {
    let school = fellowship();
    let mut t = at_the_tree(&school);
    t.select("Build it").press("e");
    t.type_text(" well").press("ctrl-o");
    t.expect_head("change milestone “Build it”")
        .expect_row(row("Title").with("Build it → Build it well"));
    t.press("a")
        .expect_toast("Saved Build it · U undoes")
        .expect_row(selected("Build it well"));
}

#[test]
fn a_moved_card_goes_back() {
    let school = museum();
    let mut t = school.desk(Role::Staff).size(160, 40).at_home();
    t.go_to("board");
    t.expect_row(selected("RS-1")).press("shift-right");
    t.expect_toast("Moved “Sell at the door” to Ideation · U undoes");
    t.expect_title("Ideation 1").press("U");
    t.expect_row(row("design → spec")).press("a");
    t.expect_toast("Undone: changed 1 task")
        .expect_title("Ideation 0");
    // Later, on the card.
    t.press("shift-right").expect_toast("Moved “Sell at");
    t.expect_title("Ideation 1").seconds(60);
    t.press("U")
        .expect_row(row("~ change task  Sell at the door"))
        .expect_row(row("design → spec"));
    t.press("a")
        .expect_toast("Undone: changed 1 task")
        .expect_title("Ideation 0");
    // The task was added by somebody else.
    t.seconds(60).press("U");
    t.expect_toast("No change of “Sell at the door” is left to undo");
}

#[test]
fn a_state_and_a_whole_move_in_a_tree_are_undone() {
    let school = fellowship();
    let mut t = at_the_tree(&school);
    t.select("Arrival").press("= d");
    t.expect_toast("Set “Arrival” to done · U undoes")
        .expect_row(selected("Arrival").with("✓ done"));
    t.press("U a").expect_toast("Undone: changed 1 stage");
    t.expect_row(selected("Arrival").with("○ upcoming"));
    let before = [selected("Meet the house"), row("Set up")];
    t.select("Meet the house").press("J");
    t.expect_toast("Moved “Meet the house” · U undoes")
        .expect_rows([row("Set up"), selected("Meet the house")]);
    t.press("U")
        .expect_row(row("~ change milestone  Set up"))
        .expect_row(row("~ change milestone  Meet the house"));
    t.press("a").expect_toast("Undone: changed 2 milestones");
    t.expect_rows(before);
}

#[test]
fn a_record_that_is_deleted_on_its_own_screen_leaves_it() {
    let school = fellowship();
    let mut t = at_the_tree(&school);
    t.select("Build it").press("enter").press("d y");
    t.expect_toast("Deleted milestone “Build it” · U undoes")
        .expect_row(selected("Craft").with("0 milestones"));
    t.press("U a").expect_toast("Undone: added 1 milestone");
    t.expect_row(row("Build it"));
    // The root of a tree.
    t.press("home d")
        .expect("Delete template “Fellowship”, 2 stages, 1 stage dependency, 3 milestones");
    t.type_text("fellowship").press("ctrl-y");
    t.expect_toast("Deleted program “Fellowship” · U undoes");
    t.expect_title(" 0 programs ");
}

#[test]
fn screens_without_tabs_show_their_changes_and_undo_them() {
    let school = weekly();
    let mut t = school.desk(Role::Owner).at_home();
    t.press("R").select(LEADERS).press("enter");
    t.press("t space space ctrl-s y").expect_toast("Saved");
    t.expect_head("template weekly_leaders").seconds(60);
    t.press("C").expect_row(selected("changed ")).press("esc");
    t.press("U").expect_row(row("~ change ")).press("a");
    t.expect_toast("Undone: changed 1 ");
    t.expect_head("template default");
}

#[test]
fn a_removed_series_comes_back_with_its_transcripts() {
    let school = weekly();
    let (before, occurrences) = (meetings(&school), school.count(OCCURRENCES));
    let mut t = school.at_removal();
    t.press("v")
        .expect_row(row("- delete meeting").with(LEADERS));
    t.text_snapshot("changes_of_a_series");
    t.press("v a").type_text(LEADERS).press("ctrl-y");
    t.expect_head("REMOVED");
    assert_eq!(school.count(SERIES), 0);
    t.press("U").expect_row(row("+ add meeting")).press("a");
    t.expect_toast("Undone: ").expect_no("REMOVED");
    assert_eq!(school.count(SERIES), 1);
    assert_eq!(
        (meetings(&school), school.count(OCCURRENCES)),
        (before, occurrences)
    );
    t.press("U").expect_row(row("- delete meeting")).press("a");
    t.expect_toast("Undone: ");
    assert_eq!(school.count(SERIES), 0);
}

#[test]
fn a_record_has_its_changes_and_a_refused_undo_shows_what_differs() {
    let school = fellowship();
    let mut t = at_the_tree(&school);
    t.select("Set up").press("e").type_text(" early");
    t.press("ctrl-s y").expect_toast("Saved Set up").seconds(60);
    let milestones = school.texts(
        "select id::text from learn.milestones where organization_id = $1 and title like 'Set up%'",
        &[&school.organization.id.0],
    );
    let other = json!({ "id": milestones[0], "title": "Move in" });
    school.calls(Role::Owner, Host::Learn, [("update_milestone", other)]);
    t.press("r").select("Move in").press("C");
    t.expect_row(selected("changed miles"));
    t.press("down enter")
        .expect_row(row("U undoes it"))
        .expect_row(row("Title").with("Set up → Set up early"));
    t.text_snapshot("change");
    t.press("U")
        .expect_row(row(
            "Nothing was undone: the title of milestone “Move in” is now “Move in”",
        ))
        .expect_row(row("Title").with("Set up early → Move in"));
    t.text_snapshot("undo_refused");
    t.press("esc esc up enter U a");
    t.expect_toast("Undone: changed 1 milestone")
        .expect_row(row("↺ undone"));
}
