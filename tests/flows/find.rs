//! Finding a guest by what one can hear or read at a door.

use frontdesk_protocol::Role;
use frontdesk_tests::{desk, row, run, selected};

use crate::launch::{LAUNCH, crowd, launch, school};

#[test]
fn case_and_accents_do_not_matter() {
    run(async {
        let (organization, _) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at(LAUNCH)
            .await;
        for (typed, name) in [
            ("zoe", "Zoë Müller"),
            ("MÜLLER", "Zoë Müller"),
            ("muller zoe", "Zoë Müller"),
            ("lukasz zolc", "Łukasz Żółć"),
            ("asa", "Åsa Öberg"),
            ("nguyen", "Nguyễn Thị Minh Khai"),
            ("siobhan", "O'Brien, Siobhán"),
            ("o'b", "O'Brien, Siobhán"),
            ("דנה", "דנה כהן"),
            ("田中", "田中さくら"),
        ] {
            t.type_text(typed)
                .await
                .expect_row(selected(name))
                .press("esc")
                .await;
            t.expect("12 guests");
        }
    });
}

#[test]
fn of_two_people_of_one_name_the_one_who_is_expected_comes_first() {
    run(async {
        let (organization, _) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at(LAUNCH)
            .await;
        t.type_text("joao").await.expect_rows([
            selected("João Silva").with("○ not yet"),
            row("João Silva").with("✓ in 09:41"),
        ]);
        t.styled_snapshot("two_of_one_name_styled").await;
        t.press("enter")
            .await
            .expect_banner(&["✓ CHECKED IN", "João Silva"])
            .expect("3 of 12");
    });
}

#[test]
fn the_arrows_and_their_letters_go_through_many_matches() {
    run(async {
        let organization = school().await;
        let event = crowd(&organization, "Concert", 40).await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at("Concert")
            .await;
        t.type_text("guest 000").await.expect(" 9 found ");
        t.expect_rows([selected("Guest 0001"), row("Guest 0002"), row("Guest 0003")]);
        t.press("down down")
            .await
            .expect_row(selected("Guest 0003"));
        t.press("ctrl-n").await.expect_row(selected("Guest 0004"));
        t.press("ctrl-p ctrl-p")
            .await
            .expect_row(selected("Guest 0002"));
        t.press("up up up").await.expect_row(selected("Guest 0001"));
        t.press("pgdn").await.expect_row(selected("Guest 0009"));
        t.press("up")
            .await
            .press("enter")
            .await
            .expect_banner(&["CHECKED IN", "Guest 0008"]);
        t.database().guest("Guest 0008").await.is_checked_in();
        assert_eq!(t.database().here(event).await, 1);
    });
}

#[test]
fn a_name_that_nobody_has_is_said_to_be_nobodys() {
    run(async {
        let (organization, event) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at(LAUNCH)
            .await;
        t.search("quentin").await.expect("Nobody by that name.");
        t.press("enter")
            .await
            .expect_banner(&["NOBODY BY THAT NAME", "quentin"]);
        t.snapshot("nobody").await;
        assert_eq!(t.database().here(event).await, 2);
        t.type_text("x").await.expect_no("NOBODY BY THAT NAME");
    });
}

#[test]
fn enter_in_an_empty_box_checks_nobody_in() {
    run(async {
        let (organization, event) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at(LAUNCH)
            .await;
        t.press("enter")
            .await
            .expect_toast("type a name or scan a code first");
        assert_eq!(t.database().here(event).await, 2);
        assert!(
            t.cannot_run("guest.check_in")
                .contains("type a name or scan a code first")
        );
    });
}

#[test]
fn somebody_who_was_added_a_moment_ago_is_found_at_the_host() {
    run(async {
        let (organization, event) = launch().await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at(LAUNCH)
            .await;
        organization.guest(event, "Quentin Blake").await;
        t.type_text("quentin").await.expect_no("Quentin Blake");
        t.search("").await.expect_row(selected("Quentin Blake"));
        t.press("enter")
            .await
            .expect_banner(&["CHECKED IN", "Quentin Blake"]);
        t.database().guest("Quentin Blake").await.is_checked_in();
    });
}

#[test]
fn a_list_of_several_pages_is_loaded_whole() {
    run(async {
        let organization = school().await;
        crowd(&organization, "Concert", 250).await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at("Concert")
            .await;
        t.expect("250 guests")
            .type_text("0249")
            .await
            .expect_row(selected("Guest 0249"));
    });
}

#[test]
fn a_list_too_long_to_load_is_searched_by_the_host() {
    run(async {
        let organization = school().await;
        crowd(&organization, "Stadium", 1200).await;
        let mut t = desk(&organization)
            .signed_in_as(Role::Staff)
            .at("Stadium")
            .await;
        t.expect("100 of 1200 guests");
        t.search("1177").await.expect_row(selected("Guest 1177"));
        t.snapshot("stadium").await;
        t.press("enter")
            .await
            .expect_banner(&["CHECKED IN", "Guest 1177"]);
        t.database().guest("Guest 1177").await.is_checked_in();
    });
}
