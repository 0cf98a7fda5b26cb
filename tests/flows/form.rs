//! Forms of tools: an update that begins with the record, presets, and an editor of one's own.

use frontdesk_protocol::Role;
use frontdesk_tests::{Desk, desk, run, selected};

use crate::launch::launch;
use crate::tools::at_the_form;

/// Moves on to this field.
async fn go_to(t: &mut Desk, label: &str) {
    for _ in 0..20 {
        if t.screen().contains(&format!("▸ {label}")) {
            return;
        }
        t.press("tab").await;
    }
    panic!("there is no field {label}");
}

#[test]
fn an_update_begins_with_the_record_and_sends_what_was_changed() {
    run(async {
        let (organization, event) = launch().await;
        let setup = desk(&organization).signed_in_as(Role::Staff);
        let mut t = at_the_form(setup, "update_event").await;
        t.press("enter enter").await.expect("Launch as of 09:45");
        t.expect("Main hall").expect("Only what you change is sent");
        t.snapshot("update_loaded").await;
        go_to(&mut t, "Location").await;
        t.press("ctrl-u").await.type_text("Garden").await;
        t.expect("1 changed of Launch").expect("was Main hall");
        t.snapshot("update_changed").await;
        t.press("ctrl-y").await;
        t.expect_toast("Copied as a command line");
        let command = t.copied().last().cloned().unwrap_or_default();
        let sent = format!("frontdesk call events update_event id={event} location=Garden");
        assert_eq!(command, sent);
        t.press("ctrl-s")
            .await
            .expect("Location: Main hall → Garden")
            .press("y")
            .await
            .expect("Garden");
        // The form goes on from there.
        t.press("esc").await.expect("Only what you change is sent");
    });
}

#[test]
fn arguments_that_were_kept_are_there_the_next_time() {
    run(async {
        let (organization, _) = launch().await;
        let setup = desk(&organization).signed_in_as(Role::Staff);
        let mut t = at_the_form(setup, "list_events").await;
        go_to(&mut t, "Limit").await;
        t.type_text("5").await.press("ctrl-b").await;
        t.expect("Keep what is entered")
            .type_text("only a few")
            .await;
        t.snapshot("preset_name").await;
        t.press("enter").await.expect_toast("Kept as “only a few”");
        // The next day.
        let setup = t.crash();
        let mut t = at_the_form(setup, "list_events").await;
        t.expect("ctrl-p 1 preset").press("ctrl-p").await;
        t.type_text("few").await.expect_row(selected("only a few"));
        t.snapshot("presets").await;
        t.press("enter").await;
        go_to(&mut t, "Limit").await;
        t.expect_row(selected("Limit").with("5"));
        t.press("ctrl-p ctrl-d").await.expect("Forget this preset?");
        t.press("y").await.expect_toast("Forgot “only a few”");
        t.press("esc").await;
        assert!(t.cannot_run("tool.presets").contains("nothing is kept"));
    });
}

#[test]
fn presets_that_cannot_be_read_are_put_aside_and_told_of() {
    run(async {
        let (organization, _) = launch().await;
        let setup = desk(&organization).signed_in_as(Role::Staff);
        let file = setup.directory().join("presets.json");
        std::fs::write(&file, "{ half").expect("is written");
        let mut t = at_the_form(setup, "list_events").await;
        t.expect_toast("The presets could not be read");
        let aside = std::fs::read_to_string(file.with_extension("damaged.json"));
        assert_eq!(aside.expect("is there"), "{ half");
        t.press("ctrl-b")
            .await
            .type_text("new")
            .await
            .press("enter")
            .await;
        t.expect_toast("Kept as “new”");
    });
}

#[cfg(unix)]
#[test]
fn a_long_text_is_written_in_an_editor_of_ones_own() {
    run(async {
        let (organization, _) = launch().await;
        let script = "printf \"# Programme\\n\\n- Doors open\\n- Talks\\n\" >>\"$1\"";
        let setup = desk(&organization)
            .signed_in_as(Role::Staff)
            .editor(format!("sh -c '{script}' editor"));
        let mut t = at_the_form(setup, "create_event").await;
        go_to(&mut t, "Description").await;
        t.expect("ctrl-e opens your editor").press("ctrl-e").await;
        t.expect("# Programme")
            .expect("- Talks")
            .snapshot("editor")
            .await;
    });
}

#[test]
fn without_an_editor_one_is_told_which_variable_names_it() {
    run(async {
        let (organization, _) = launch().await;
        let setup = desk(&organization).signed_in_as(Role::Staff);
        let mut t = at_the_form(setup, "create_event").await;
        go_to(&mut t, "Description").await;
        t.expect_no("ctrl-e").press("ctrl-e").await;
        t.expect_toast("neither $VISUAL nor $EDITOR names an editor");
    });
}
