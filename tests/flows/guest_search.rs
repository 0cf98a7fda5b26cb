//! Finding a guest by a name as it is heard or read at a door.

use frontdesk_protocol::Role;
use frontdesk_tests::{LAUNCH, School, at_the_door, row, selected};

#[test]
fn case_and_accents_do_not_matter() {
    let mut t = at_the_door();
    for (typed, name) in [
        ("zoe", "Zoë Müller"),
        ("MÜLLER", "Zoë Müller"),
        ("muller zoe", "Zoë Müller"),
        ("lukasz zolc", "Łukasz Żółć"),
        ("asa", "Åsa Öberg"),
        ("nguyen", "Nguyễn Thị Minh Khai"),
        ("siobhan", "O'Brien, Siobhán"),
        ("o'br", "O'Brien, Siobhán"),
        ("דנה", "דנה כהן"),
        ("田中", "田中さくら"),
    ] {
        t.type_text(typed).expect_row(selected(name)).press("esc");
        t.expect_title("12 on this desk ✓");
    }
}

#[test]
fn of_two_people_of_one_name_the_one_who_is_expected_comes_first() {
    let mut t = at_the_door();
    t.type_text("joao").expect_rows([
        selected("João Silva").with("○ not yet"),
        row("João Silva").with("✓ in 09:41"),
    ]);
    t.expect_colour("✓ in 09:41", "Green");
    t.press("enter")
        .expect_banner(&["WHICH ONE?", "2 guests are named João Silva"])
        .press("enter")
        .expect_banner(&["✓ CHECKED IN", "João Silva"])
        .expect_head("3 of 12");
}

#[test]
fn the_arrows_and_their_letters_go_through_many_matches() {
    let school = School::new().with_crowd("Concert", 40);
    let mut t = school.desk(Role::Staff).at("Concert");
    t.type_text("guest 000").expect_title(" 9 found ");
    t.expect_rows([selected("Guest 0001"), row("Guest 0002"), row("Guest 0003")]);
    t.press("down down").expect_row(selected("Guest 0003"));
    t.press("ctrl-n").expect_row(selected("Guest 0004"));
    t.press("ctrl-p ctrl-p").expect_row(selected("Guest 0002"));
    t.press("up up up").expect_row(selected("Guest 0001"));
    t.press("pgdn").expect_row(selected("Guest 0009"));
    t.press("up")
        .press("enter")
        .expect_banner(&["CHECKED IN", "Guest 0008"]);
    t.database().guest("Guest 0008").is_checked_in();
    assert_eq!(t.database().here(), 1);
}

#[test]
fn an_unknown_name_is_reported() {
    let mut t = at_the_door();
    t.search("quentin").expect_row(row("Nobody by that name."));
    t.press("enter")
        .expect_banner(&["NOBODY BY THAT NAME", "quentin"]);
    t.text_snapshot("nobody");
    assert_eq!(t.database().here(), 2);
    t.type_text("x").expect_no("NOBODY BY THAT NAME");
}

#[test]
fn enter_in_an_empty_box_checks_nobody_in() {
    let mut t = at_the_door();
    t.press("enter")
        .expect_toast("Type a name or scan a code first");
    assert_eq!(t.database().here(), 2);
    assert!(
        t.cannot_run("guest.check_in")
            .contains("type a name or scan a code first")
    );
}

#[test]
fn somebody_who_was_added_a_moment_ago_is_found_at_the_host() {
    let mut t = at_the_door();
    t.database().add_guests(LAUNCH, &["Quentin Blake"]);
    t.type_text("quentin").expect_no("Quentin Blake");
    t.search("").expect_row(selected("Quentin Blake"));
    t.press("enter")
        .expect_banner(&["CHECKED IN", "Quentin Blake"]);
    t.database().guest("Quentin Blake").is_checked_in();
}

#[test]
fn a_list_of_several_pages_is_loaded_whole() {
    let school = School::new().with_crowd("Concert", 250);
    let mut t = school.desk(Role::Staff).at("Concert");
    t.expect_title("250 on this desk ✓")
        .type_text("guest 0249")
        .expect_row(selected("Guest 0249"));
}

#[test]
fn guests_that_are_not_loaded_yet_are_found_by_the_host() {
    let school = School::new().with_crowd("Stadium", 1200);
    let mut t = school.desk(Role::Staff).knowing_a_part().at("Stadium");
    t.expect_title("100 of 1,200 loaded");
    t.search("guest 1177").expect_row(selected("Guest 1177"));
    t.text_snapshot("stadium");
    t.press("enter")
        .expect_banner(&["CHECKED IN", "Guest 1177"]);
    t.database().guest("Guest 1177").is_checked_in();
}
