//! The check-in desk: finding a guest and checking them in.

use frontdesk_tests::{at_the_door, row, selected};

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
