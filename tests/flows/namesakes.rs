//! People with the same or similar names: the first Enter never takes the wrong one.

use frontdesk_protocol::Role;
use frontdesk_protocol::id::GuestId;
use frontdesk_tests::{Desk, LAUNCH, School, at, row, selected};
use serde_json::json;

/// The desk of the event with these guests (name, role, e-mail), the first `here` of whom came at 09:41.
fn at_the_desk_of(guests: &[(&str, &str, &str)], here: usize) -> (Desk, Vec<GuestId>) {
    let school = School::new().with_event(LAUNCH);
    let guests = guests.iter();
    let guests = guests.map(|(name, role, email)| school.add_guest_with(LAUNCH, name, role, email));
    let ids: Vec<GuestId> = guests.collect();
    for guest in &ids[..here] {
        school.came(*guest, at("2025-03-12T12:41:00Z"));
    }
    (school.desk(Role::Staff).at(LAUNCH), ids)
}

#[test]
fn a_full_name_that_is_in_already_is_not_taken_for_a_longer_one() {
    let (mut t, _) = at_the_desk_of(
        &[
            ("Zoë Müller", "guest", "zoe@one.example"),
            ("Zoë Müller-Brandt", "speaker", "brandt@two.example"),
        ],
        1,
    );
    t.enter("zoe muller").expect_banner(&[
        "WHICH ONE?",
        "2 guests match “zoe muller”",
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
    t.text_snapshot("which_one");
    assert_eq!(t.database().here(), 1);
    t.press("enter")
        .expect_banner(&["CHECKED IN", "Zoë Müller-Brandt"]);
    assert_eq!(t.database().here(), 2);
}

#[test]
fn part_of_a_name_stops_where_another_one_is_in_already() {
    let (mut t, _) = at_the_desk_of(
        &[
            ("Zoë Müller", "guest", ""),
            ("Zoë Müller-Brandt", "speaker", ""),
        ],
        1,
    );
    t.enter("zoe mu")
        .expect_banner(&["WHICH ONE?", "2 guests match “zoe mu”"]);
    assert_eq!(t.database().here(), 1);
    t.enter("zoe bra")
        .expect_banner(&["CHECKED IN", "Zoë Müller-Brandt"]);
    assert_eq!(t.database().here(), 2);
}

#[test]
fn of_two_of_exactly_one_name_the_person_at_the_desk_chooses() {
    let (mut t, ids) = at_the_desk_of(
        &[
            ("Ana Lima", "guest", "ana@one.example"),
            ("Ana Lima", "speaker", "lima@two.example"),
            ("Ana Limas", "guest", ""),
        ],
        0,
    );
    t.enter("ana").expect_banner(&[
        "WHICH ONE?",
        "3 guests match “ana”",
        "enter takes Ana Lima · guest · ana@one.example",
    ]);
    t.expect_rows([
        selected("Ana Lima").with("guest").with("ana@one.example"),
        row("Ana Lima").with("speaker").with("lima@two.example"),
    ]);
    t.press("down")
        .expect_banner(&["enter takes Ana Lima · speaker · lima@two.example"])
        .press("enter")
        .expect_banner(&["CHECKED IN", "Ana Lima · speaker"])
        .expect_row(row("✓ Ana Lima · speaker"));
    assert!(!t.database().is_in(ids[0]));
    assert!(t.database().is_in(ids[1]));
    // One of them is in: the other is still not taken without a choice.
    t.enter("ana lima")
        .expect_banner(&["WHICH ONE?", "3 guests match “ana lima”"])
        .press("enter")
        .expect_banner(&["CHECKED IN", "Ana Lima · guest"]);
    assert_eq!(t.database().here(), 2);
}

#[test]
fn namesakes_with_one_address_are_told_apart_by_remark_and_ticket() {
    let lima = ("Ana Lima", "guest", "ana@one.example");
    let (mut t, ids) = at_the_desk_of(&[lima, lima], 0);
    let tag = |t: &Desk, at: usize, tags| t.database().tag(ids[at], &tags);
    tag(&t, 0, json!({ "ticket_code": "TCK-2026-000123" }));
    tag(&t, 1, json!({ "ticket_code": "TCK-2026-000124" }));
    t.seconds(10)
        .enter("ana lima")
        .expect_banner(&["WHICH ONE?", "ticket TCK-2026-000123"])
        .expect_row(row("Ana Lima · ticket TCK-2026-000124"));
    tag(
        &t,
        1,
        json!({ "ticket_code": "TCK-2026-000124", "blocked": "unpaid" }),
    );
    t.seconds(10)
        .expect_row(selected("Ana Lima · ticket TCK-2026-000123"))
        .expect_row(row("Ana Lima · blocked: unpaid"));
    // What is legible of a damaged ticket offers the guest.
    t.press("esc").enter("000123").expect_banner(&[
        "UNKNOWN TICKET",
        "000123",
        "enter takes Ana Lima · ticket TCK-2026-000123",
    ]);
    t.press("enter").expect_banner(&["CHECKED IN", "Ana Lima"]);
    assert!(t.database().is_in(ids[0]));
}

#[test]
fn pressing_nothing_checks_in_nobody() {
    let (mut t, _) = at_the_desk_of(
        &[
            ("Ana Lima", "guest", "ana@one.example"),
            ("Ana Lima", "speaker", "lima@two.example"),
        ],
        0,
    );
    t.enter("ana lima")
        .press("esc")
        .expect_title("2 on this desk ✓")
        .expect_no("WHICH ONE?");
    t.enter("ana lima").expect_banner(&["WHICH ONE?"]);
    assert_eq!(t.database().here(), 0);
}

#[test]
fn details_of_namesakes_fit_on_a_small_screen() {
    let (mut t, _) = at_the_desk_of(
        &[
            ("Maximiliane Hohenstein", "guest", "max@one.example"),
            ("Maximiliane Hohenstein", "speaker", "hoh@two.example"),
            ("Ana Lima", "guest", ""),
        ],
        1,
    );
    t.resize(60, 16);
    t.type_text("maxi").expect_rows([
        selected("Max").with("· speaker"),
        row("Max").with("· guest"),
    ]);
    t.press("enter enter")
        .expect_banner(&["CHECKED IN", "Maximiliane Hohenstein · speaker"])
        .expect_row(row("✓ in 09:45").with("· speaker"));
    t.enter("maximiliane hohenstein")
        .expect_banner(&["WHICH ONE?", "2 guests are named"]);
}

#[test]
fn a_name_is_found_however_it_is_written() {
    let (mut t, _) = at_the_desk_of(
        &[
            ("Zoë Müller", "", ""),
            ("Íris d'Ávila", "", "iris@one.example"),
            ("Edilson Sampaio", "", ""),
        ],
        0,
    );
    for (typed, name) in [
        ("mueller", "Zoë Müller"),
        ("davila", "Íris d'Ávila"),
        ("sampaio, edilson", "Edilson Sampaio"),
        ("iris@one", "Íris d'Ávila"),
    ] {
        t.type_text(typed).expect_row(selected(name)).press("esc");
    }
}

#[test]
fn who_is_only_similar_is_never_taken_by_the_first_enter() {
    let (mut t, _) = at_the_desk_of(
        &[
            ("Zoë Hartmann", "speaker", "zoe@one.example"),
            ("Edilson Sampaio", "guest", ""),
        ],
        0,
    );
    t.search("hartmamn")
        .expect_row(selected("Zoë Hartm").with("· similar"));
    t.press("enter").expect_banner(&[
        "WHICH ONE?",
        "only similar to “hartmamn”",
        "enter takes Zoë Hartmann · speaker · zoe@one.example",
    ]);
    assert_eq!(t.database().here(), 0);
    t.press("enter")
        .expect_banner(&["CHECKED IN", "Zoë Hartmann"]);
    // Enter right after the name does the same.
    t.enter("sampoio")
        .expect_banner(&["WHICH ONE?", "only similar to “sampoio”"]);
    assert_eq!(t.database().here(), 1);
}

#[test]
fn enter_takes_nobody_where_several_may_be_meant() {
    let (mut t, ids) = at_the_desk_of(
        &[
            ("José Alves", "partner", ""),
            ("Joana Dias", "volunteer", ""),
            ("Major Tom", "guest", ""),
        ],
        0,
    );
    t.enter("jo")
        .expect_banner(&["WHICH ONE?", "2 guests match “jo”"]);
    t.expect_rows([
        selected("Joana Dias").with("volunteer"),
        row("José Alves").with("partner"),
        row("Major Tom"),
    ]);
    assert_eq!(t.database().here(), 0);
    assert_eq!(t.rings(), 1);
    t.press("esc")
        .enter("jos")
        .expect_banner(&["CHECKED IN", "José Alves"]);
    // A moved selection is taken at once.
    t.type_text("jo").press("down down enter");
    t.expect_banner(&["CHECKED IN", "Major Tom"]);
    assert!(!t.database().is_in(ids[1]));
}

#[test]
fn a_part_of_a_name_is_never_taken_by_the_first_enter() {
    let (mut t, _) = at_the_desk_of(&[("Ciarán Byrne", "guest", "")], 0);
    t.enter("iara")
        .expect_banner(&["WHICH ONE?", "no name begins with “iara”"]);
    assert_eq!(t.database().here(), 0);
    t.press("enter")
        .expect_banner(&["CHECKED IN", "Ciarán Byrne"]);
}

#[test]
fn among_many_guests_the_host_puts_names_that_begin_so_first() {
    let school = School::new().with_crowd("Stadium", 1200);
    for number in 0..60 {
        school.add_guests("Stadium", &[&format!("Ciarán {number:02}")]);
    }
    school.add_guests("Stadium", &["Iara Nunes"]);
    let mut t = school.desk(Role::Staff).knowing_a_part().at("Stadium");
    t.enter("iara").expect_banner(&["CHECKED IN", "Iara Nunes"]);
    assert_eq!(t.database().here(), 1);
}
