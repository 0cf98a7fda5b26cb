//! The journal on disk: its entries, and how they are struck out.

use frontdesk_protocol::Role;
use frontdesk_tests::{LAUNCH, Mode, NOW, School, at_a_shaky_door};

#[test]
fn a_check_in_is_struck_out_once_the_host_has_answered() {
    let mut t = at_a_shaky_door();
    t.network().set_for("check_in_guest", Mode::Hold);
    t.type_text("zoe").press_at_once("enter");
    t.reaches("check_in_guest");
    assert_eq!(t.on_disk().len(), 1);
    t.network().release();
    t.settle().expect_banner(&["CHECKED IN", "Zoë Müller"]);
    assert!(t.on_disk().is_empty());
    // The next start has nothing to deliver.
    let t = t.crash().at_home();
    assert_eq!(t.waiting(), 0);
}

#[test]
fn a_check_in_undone_while_it_is_written_is_never_delivered() {
    let mut t = at_a_shaky_door();
    t.network().go_down();
    t.type_text("zoe");
    t.press_at_once("enter ctrl-u")
        .settle()
        .expect_banner(&["UNDONE", "Zoë Müller"]);
    assert!(t.on_disk().is_empty());
    t.network().come_back();
    t.seconds(60);
    t.database().guest("Zoë Müller").is_not_checked_in();
}

#[test]
fn a_check_in_undone_while_it_is_delivered_is_undone_at_the_host() {
    let mut t = at_a_shaky_door();
    t.network().set_for("check_in_guest", Mode::Hold);
    t.type_text("zoe").press_at_once("enter");
    t.reaches("check_in_guest").press_at_once("ctrl-u");
    t.network().release();
    t.settle().expect_banner(&["UNDONE", "Zoë Müller"]);
    assert!(t.on_disk().is_empty());
    assert_eq!(t.network().count_of("check_in_guest"), 1);
    t.database().guest("Zoë Müller").is_not_checked_in();
}

#[test]
fn a_read_only_desk_keeps_waiting_check_ins() {
    let setup = School::launch().desk(Role::Staff).over_a_network();
    let mut t = setup.clone().at(LAUNCH);
    t.network().go_down();
    t.enter("zoe").expect_banner(&["WAITING"]);
    drop(t.crash());
    setup.network().come_back();

    let mut t = setup.clone().read_only().at_home();
    t.expect_toast("1 check-in from before, still to be delivered");
    t.seconds(60).press("r").expect_path("◌ 1 waiting");
    t.database().guest("Zoë Müller").is_not_checked_in();
    assert_eq!(t.on_disk().len(), 1);
    drop(t.crash());

    let mut t = setup.at_home();
    t.expect_toast("1 check-in from before, still to be delivered");
    t.expect_toast("1 waiting check-in delivered");
    t.database().guest("Zoë Müller").came_at(NOW);
}
