//! The check-in desk: finding a guest and checking them in.

use frontdesk_tests::{at_the_door, row, selected};

#[test]
fn the_first_guest_of_an_event_that_was_moved_to_tomorrow_is_asked_about() {
    let mut t = at_the_door();
    t.database().change(
        "update events.events set start_at = start_at + interval '1 day', end_at = end_at + interval '1 day' \
         where organization_id = $1",
        &[&t.database().organization.id.0],
    );
    t.seconds(30).enter("zoe").expect_banner(&[
        "NOT TODAY",
        "Zoë Müller",
        "the event is tomorrow 10:00 · enter checks in",
    ]);
    t.database().guest("Zoë Müller").is_not_checked_in();
    // The next guest is not the answer.
    t.enter("ulla")
        .expect_banner(&["NOT TODAY", "Ulla Lindqvist"])
        .press("enter")
        .expect_banner(&["CHECKED IN", "Ulla Lindqvist"]);
    t.enter("zoe").expect_banner(&["CHECKED IN", "Zoë Müller"]);
}

#[test]
fn a_guest_is_found_by_a_few_letters_and_checked_in() {
    let mut t = at_the_door();
    t.expect_head("2 of 12")
        .expect_row(row("Type a name, or scan a code."));
    t.snapshot("desk");

    t.type_text("müller")
        .expect_row(selected("Zoë Müller").with("not yet"));
    t.text_snapshot("search");

    t.run("guest.check_in")
        .expect_banner(&["CHECKED IN", "Zoë Müller", "undoes it"]);
    t.expect_head("3 of 12").expect_row(row("✓ Zoë Müller"));
    t.database().guest("Zoë Müller").is_checked_in();
    t.text_snapshot("checked_in");
}
