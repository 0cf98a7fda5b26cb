//! People who are called the same, or nearly so: the wrong one is never taken by the first Enter.

use frontdesk_protocol::Role;
use frontdesk_protocol::id::{EventId, GuestId};
use frontdesk_tests::{Desk, Organization, desk, row, run, selected};

use crate::launch::{LAUNCH, at, came, event_today, school};

/// The event with these guests: name, role, e-mail.
async fn event_with(guests: &[(&str, &str, &str)]) -> (Organization, EventId, Vec<GuestId>) {
    let organization = school().await;
    let event = event_today(&organization, LAUNCH).await;
    let mut ids = Vec::new();
    for (name, role, email) in guests {
        ids.push(organization.guest_with(event, name, role, email).await);
    }
    (organization, event, ids)
}

async fn at_the_desk(organization: &Organization) -> Desk {
    desk(organization)
        .signed_in_as(Role::Staff)
        .at(LAUNCH)
        .await
}

#[test]
fn a_full_name_that_is_in_already_is_not_taken_for_a_longer_one() {
    run(async {
        let (organization, event, ids) = event_with(&[
            ("Zoë Müller", "guest", "zoe@one.example"),
            ("Zoë Müller-Brandt", "speaker", "brandt@two.example"),
        ])
        .await;
        came(ids[0], at("2025-03-12T12:41:00Z")).await;
        let mut t = at_the_desk(&organization).await;
        t.type_text("zoe muller")
            .await
            .press("enter")
            .await
            .expect_banner(&[
                "WHICH ONE?",
                "Zoë Müller is in",
                "enter takes Zoë Müller-Brandt · speaker · brandt@two.example",
            ]);
        t.expect_rows([
            selected("Zoë Müller-Brandt")
                .with("○ not yet")
                .with("speaker")
                .with("brandt@two.example"),
            row("Zoë Müller")
                .with("✓ in 09:41")
                .with("guest")
                .with("zoe@one.example"),
        ]);
        t.snapshot("which_one").await;
        assert_eq!(t.database().here(event).await, 1);
        t.press("enter")
            .await
            .expect_banner(&["CHECKED IN", "Zoë Müller-Brandt"]);
        assert_eq!(t.database().here(event).await, 2);
    });
}

#[test]
fn part_of_a_name_stays_one_enter() {
    run(async {
        let (organization, event, ids) = event_with(&[
            ("Zoë Müller", "guest", ""),
            ("Zoë Müller-Brandt", "speaker", ""),
        ])
        .await;
        came(ids[0], at("2025-03-12T12:41:00Z")).await;
        let mut t = at_the_desk(&organization).await;
        t.type_text("zoe mu")
            .await
            .press("enter")
            .await
            .expect_banner(&["CHECKED IN", "Zoë Müller-Brandt"]);
        assert_eq!(t.database().here(event).await, 2);
    });
}

#[test]
fn of_two_of_exactly_one_name_the_person_at_the_desk_chooses() {
    run(async {
        let (organization, event, ids) = event_with(&[
            ("Ana Lima", "guest", "ana@one.example"),
            ("Ana Lima", "speaker", "lima@two.example"),
            ("Ana Limas", "guest", ""),
        ])
        .await;
        let mut t = at_the_desk(&organization).await;
        t.type_text("ana")
            .await
            .press("enter")
            .await
            .expect_banner(&[
                "WHICH ONE?",
                "2 guests are called Ana Lima",
                "enter takes Ana Lima · guest · ana@one.example",
            ]);
        t.expect_rows([
            selected("Ana Lima").with("guest").with("ana@one.example"),
            row("Ana Lima").with("speaker").with("lima@two.example"),
        ]);
        t.press("down")
            .await
            .expect_banner(&["enter takes Ana Lima · speaker · lima@two.example"])
            .press("enter")
            .await
            .expect_banner(&["CHECKED IN", "Ana Lima · speaker"])
            .expect_row(row("✓ Ana Lima · speaker"));
        assert_eq!(organization.checked_in_at(ids[0]).await, None);
        assert!(organization.checked_in_at(ids[1]).await.is_some());
        // Only one is left who is not in; a part of the name is enough.
        t.type_text("ana l")
            .await
            .press("enter")
            .await
            .expect_banner(&["CHECKED IN", "Ana Lima · guest"]);
        assert_eq!(t.database().here(event).await, 2);
    });
}

#[test]
fn who_hesitates_checks_in_nobody() {
    run(async {
        let (organization, event, _) = event_with(&[
            ("Ana Lima", "guest", "ana@one.example"),
            ("Ana Lima", "speaker", "lima@two.example"),
        ])
        .await;
        let mut t = at_the_desk(&organization).await;
        t.type_text("ana lima")
            .await
            .press("enter esc")
            .await
            .expect("2 guests")
            .expect_no("WHICH ONE?");
        t.type_text("ana lima")
            .await
            .press("enter")
            .await
            .expect_banner(&["WHICH ONE?"]);
        assert_eq!(t.database().here(event).await, 0);
    });
}

#[test]
fn what_tells_namesakes_apart_has_room_on_a_small_screen() {
    run(async {
        let (organization, _, ids) = event_with(&[
            ("Maximiliane Hohenstein", "guest", "max@one.example"),
            ("Maximiliane Hohenstein", "speaker", "hoh@two.example"),
            ("Ana Lima", "guest", ""),
        ])
        .await;
        came(ids[0], at("2025-03-12T12:41:00Z")).await;
        let mut t = at_the_desk(&organization).await;
        t.resize(60, 16).await;
        t.type_text("maxi").await.expect_rows([
            selected("Max").with("· speaker"),
            row("Max").with("· guest"),
        ]);
        t.expect_row(row("09:41 ✓ Max").with("· guest"));
        t.press("enter")
            .await
            .expect_banner(&["CHECKED IN", "Maximiliane Hohenstein · speaker"])
            .expect_row(row("✓ Max").with("· speaker"));
        t.type_text("maximiliane hohenstein")
            .await
            .press("enter")
            .await
            .expect_banner(&["ALREADY CHECKED IN"]);
    });
}

#[test]
fn a_name_is_found_however_it_is_written() {
    run(async {
        let (organization, _, _) = event_with(&[
            ("Zoë Müller", "", ""),
            ("Íris d'Ávila", "", "iris@one.example"),
            ("Edilson Sampaio", "", ""),
        ])
        .await;
        let mut t = at_the_desk(&organization).await;
        for (typed, name) in [
            ("mueller", "Zoë Müller"),
            ("davila", "Íris d'Ávila"),
            ("sampaio, edilson", "Edilson Sampaio"),
            ("iris@one", "Íris d'Ávila"),
        ] {
            t.type_text(typed)
                .await
                .expect_row(selected(name))
                .press("esc")
                .await;
        }
    });
}

#[test]
fn who_is_only_similar_is_never_taken_by_the_first_enter() {
    run(async {
        let (organization, event, _) = event_with(&[
            ("Zoë Hartmann", "speaker", "zoe@one.example"),
            ("Edilson Sampaio", "guest", ""),
        ])
        .await;
        let mut t = at_the_desk(&organization).await;
        t.search("hartmamn")
            .await
            .expect_row(selected("Zoë Hartm").with("· similar"));
        t.press("enter").await.expect_banner(&[
            "WHICH ONE?",
            "only similar to hartmamn",
            "enter takes Zoë Hartmann · speaker · zoe@one.example",
        ]);
        assert_eq!(t.database().here(event).await, 0);
        t.press("enter")
            .await
            .expect_banner(&["CHECKED IN", "Zoë Hartmann"]);
        // Enter right behind the name is no other.
        t.type_text("sampoio")
            .await
            .press("enter")
            .await
            .expect_banner(&["WHICH ONE?", "only similar to sampoio"]);
        assert_eq!(t.database().here(event).await, 1);
    });
}
