//! The check-in desk: finding a guest and checking them in.

use frontdesk_protocol::Role;
use frontdesk_tests::{desk, row, run, selected};

use crate::launch::{LAUNCH, launch};

#[test]
fn a_guest_is_found_by_a_few_letters_and_checked_in() {
    run(async {
        let (organization, _) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at(LAUNCH)
            .await;
        t.expect("2 of 12").expect("Type a name, or scan a code.");
        t.snapshot("desk").await;

        t.type_text("müller")
            .await
            .expect_row(selected("Zoë Müller").with("not yet"));
        t.snapshot("search").await;

        t.run("guest.check_in")
            .await
            .expect_banner(&["CHECKED IN", "Zoë Müller", "undoes it"]);
        t.expect("3 of 12").expect_row(row("✓ Zoë Müller"));
        t.database().guest("Zoë Müller").await.is_checked_in();
        t.snapshot("checked_in").await;
    });
}
