//! Read-only: what writes is not there, until it is allowed again.

use frontdesk_protocol::Role;
use frontdesk_tests::{desk, run, selected};

use crate::launch::{LAUNCH, launch};

#[test]
fn what_writes_is_hidden_until_it_is_allowed_again() {
    run(async {
        let (organization, _) = launch().await;
        let setup = desk(&organization).signed_in_as(Role::Staff);
        let mut t = setup.at(LAUNCH).await;
        t.expect("check in").press("ctrl-o").await;
        t.expect_toast("Read-only: what writes is hidden, and check-ins that wait are kept")
            .expect("read-only")
            .snapshot("read_only_desk")
            .await;
        t.search("zoë").await.expect_row(selected("Zoë Müller"));
        t.press("enter")
            .await
            .expect_toast("Check in the selected guest or the scanned code: it is read-only now; ctrl-o allows to write");
        t.database().guest("Zoë Müller").await.is_not_checked_in();
        t.press("ctrl-o")
            .await
            .expect_toast("Writing is allowed again");
        t.press("enter").await;
        t.database().guest("Zoë Müller").await.is_checked_in();
    });
}

#[test]
fn tools_that_write_are_not_listed() {
    run(async {
        let (organization, _) = launch().await;
        let setup = desk(&organization).signed_in_as(Role::Owner);
        let mut t = setup.read_only().at_home().await;
        t.press("t").await.expect("list_members");
        t.expect_no("create_member")
            .snapshot("read_only_tools")
            .await;
        t.type_text("check_in_guest").await;
        t.expect_no("▸ events check_in_guest");
        t.press("esc esc :").await;
        t.type_text("check_in_guest").await;
        t.expect_no("events check_in_guest");
        t.press("esc").await;
        // It was started so: there is no way to allow it.
        assert!(
            t.cannot_run("app.read_only")
                .contains("started to read only")
        );
    });
}
