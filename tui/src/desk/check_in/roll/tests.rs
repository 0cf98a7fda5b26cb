//! The known guests: searches, namesakes, and answers that are out of date.

use frontdesk_protocol::events::guest::Matched;
use frontdesk_protocol::id::EventId;
use uuid::Uuid;

use super::*;

fn guest(number: u128, name: &str) -> Guest {
    Guest::new(GuestId(Uuid::from_u128(number)), EventId(Uuid::nil()), name)
}

fn names(roll: &Roll, text: &str) -> Vec<(Matched, String)> {
    let found = roll.find(text);
    let found = roll.order().iter().filter_map(|id| {
        let guest = roll.get(*id)?;
        Some((*found.get(id)?, guest.name.clone()))
    });
    let mut found: Vec<_> = found.collect();
    found.sort_by_key(|(matched, _)| *matched);
    found
}

fn assert_found(roll: &Roll, text: &str, matched: Matched, name: &str) {
    assert_eq!(names(roll, text), [(matched, name.to_owned())], "{text}");
}

#[test]
fn a_few_letters_find_a_guest() {
    let mut roll = Roll::default();
    roll.read(
        vec![
            guest(1, "Amüller Ott"),
            guest(2, "Zoë Müller"),
            guest(3, "Müller, Anna"),
            guest(4, "O'Brien-Muller"),
            guest(5, "田中さくら"),
        ],
        RequestId(1),
    );
    assert_eq!(
        names(&roll, "mull"),
        [
            (Matched::Prefix, "Müller, Anna".to_owned()),
            (Matched::Prefix, "O'Brien-Muller".to_owned()),
            (Matched::Prefix, "Zoë Müller".to_owned()),
            (Matched::Part, "Amüller Ott".to_owned()),
        ]
    );
    assert_found(&roll, "ZOE mu", Matched::Prefix, "Zoë Müller");
    assert_found(&roll, "mu zo", Matched::Prefix, "Zoë Müller");
    assert_found(&roll, "さくら", Matched::Part, "田中さくら");
    assert_eq!(names(&roll, "%"), []);
    // Each word of the search begins a different word of the name.
    assert_found(&roll, "zo zoe", Matched::Part, "Zoë Müller");
}

#[test]
fn names_are_found_however_they_are_written() {
    let mut roll = Roll::default();
    let mut davila = guest(2, "Íris d'Ávila");
    davila.email = Some("Iris@Example.org".to_owned());
    let others = [
        guest(1, "Zoë Müller"),
        guest(3, "Edilson Sampaio"),
        guest(5, "José Alves"),
    ];
    let all = others.into_iter().chain([davila, guest(4, "Sant’Anna")]);
    roll.read(all.collect(), RequestId(1));
    for (text, matched, name) in [
        ("mueller", Matched::Prefix, "Zoë Müller"),
        ("zoe mueller", Matched::Name, "Zoë Müller"),
        ("davila", Matched::Prefix, "Íris d'Ávila"),
        ("santanna", Matched::Name, "Sant’Anna"),
        ("sampaio, edilson", Matched::Name, "Edilson Sampaio"),
        ("iris@example", Matched::Prefix, "Íris d'Ávila"),
    ] {
        assert_found(&roll, text, matched, name);
    }
    assert_eq!(names(&roll, "joe"), []);
}

#[test]
fn a_whole_name_comes_before_a_longer_one() {
    let mut roll = Roll::default();
    roll.read(
        vec![guest(1, "Alves, Ana Lima"), guest(2, "Ana Lima")],
        RequestId(1),
    );
    assert_eq!(
        names(&roll, "lima ana"),
        [
            (Matched::Name, "Ana Lima".to_owned()),
            (Matched::Prefix, "Alves, Ana Lima".to_owned()),
        ]
    );
}

#[test]
fn namesakes_are_told_apart_by_what_only_one_of_them_has() {
    let mut roll = Roll::default();
    let with = |number, role: &str, email: &str| Guest {
        role: (!role.is_empty()).then(|| role.to_owned()),
        email: (!email.is_empty()).then(|| email.to_owned()),
        ..guest(number, "Ana Lima")
    };
    let apart = |roll: &Roll, number| {
        let id = GuestId(Uuid::from_u128(number));
        roll.apart(id).map(str::to_owned)
    };
    roll.read(vec![with(2, "guest", "a@x"), guest(9, "Bo")], RequestId(1));
    assert_eq!(apart(&roll, 2), None);
    roll.read(vec![with(4, "guest", "b@x"), with(6, "", "")], RequestId(2));
    assert_eq!(apart(&roll, 2).as_deref(), Some("a@x"));
    assert_eq!(apart(&roll, 4).as_deref(), Some("b@x"));
    assert_eq!(apart(&roll, 6).as_deref(), Some("no role"));
    roll.read(vec![with(8, "speaker", "a@x")], RequestId(3));
    assert_eq!(apart(&roll, 8).as_deref(), Some("speaker"));
    assert_eq!(apart(&roll, 2).as_deref(), Some("guest · a@x"));
}

#[test]
fn an_answer_from_before_a_write_does_not_undo_it() {
    let mut roll = Roll::default();
    roll.read(vec![guest(1, "Ana")], RequestId(1));
    // Requested as 2, written meanwhile, answered afterwards.
    let mut here = guest(1, "Ana");
    here.check_in_at = Some(Timestamp::UNIX_EPOCH);
    roll.wrote(here, RequestId(4));
    roll.read(vec![guest(1, "Ana")], RequestId(2));
    assert_eq!(roll.here(), 1);
    roll.read(vec![guest(1, "Ana")], RequestId(4));
    assert_eq!(roll.here(), 0);
}

#[test]
fn the_last_to_come_are_the_first_in_the_list() {
    let mut roll = Roll::default();
    let guests = (1..=9).map(|number| {
        let mut guest = guest(number, "Somebody");
        guest.check_in_at = Timestamp::from_second(number as i64).ok();
        guest
    });
    roll.read(guests.collect(), RequestId(1));
    let seconds = |listed: &[Arrival]| -> Vec<i64> {
        let recent = roll.recent(listed, 3);
        let at = recent.iter().map(|arrival| arrival.check_in_at.as_second());
        at.collect()
    };
    assert_eq!(seconds(&[]), [9, 8, 7]);
    let elsewhere = Arrival {
        guest_id: GuestId(Uuid::from_u128(99)),
        name: "Somebody else".to_owned(),
        check_in_at: Timestamp::from_second(8).expect("is a time"),
    };
    assert_eq!(seconds(&[elsewhere]), [9, 8, 8]);
}

#[test]
fn who_is_removed_is_no_arrival_until_it_is_back() {
    let mut roll = Roll::default();
    let mut ana = guest(1, "Ana");
    ana.check_in_at = Some(Timestamp::UNIX_EPOCH);
    roll.read(vec![ana.clone()], RequestId(1));
    // The host listed the last arrivals before.
    let listed = roll.recent(&[], 3);
    assert!(roll.forget(ana.id).is_some());
    assert_eq!(roll.recent(&listed, 3), []);
    roll.read(vec![ana], RequestId(2));
    assert_eq!(roll.recent(&listed, 3), listed);
}

#[test]
fn a_search_finds_whom_comparing_each_name_finds() {
    let all = [
        "Zoë Müller",
        "Amüller Ott",
        "Åsa Öberg",
        "O'Brien-Muller",
        "田中さくら",
        "דנה כהן",
        "Ana Lima",
        "Alves, Ana Lima",
        "Straße 12 B",
        "Li",
    ];
    let mut roll = Roll::default();
    let guests = all.iter().zip(1..).map(|(name, n)| guest(n, name));
    roll.read(guests.collect(), RequestId(1));
    let parts = all.iter().flat_map(|name| {
        let chars: Vec<char> = name.chars().collect();
        let lengths = 1..=chars.len();
        let parts = lengths.flat_map(|length| {
            chars
                .windows(length)
                .map(String::from_iter)
                .collect::<Vec<String>>()
        });
        parts.collect::<Vec<String>>()
    });
    let texts = parts.chain(["mueller", "aasa oeberg", "lim an", "ana ana"].map(str::to_owned));
    for text in texts {
        let search = Spelled::new(&text);
        let compared = all.iter().zip(1..).filter_map(|(name, n)| {
            let matched = Spelled::new(name).matched(&search)?;
            Some((GuestId(Uuid::from_u128(n)), matched))
        });
        let compared: HashMap<GuestId, Matched> = compared.collect();
        assert_eq!(roll.find(&text), compared, "{text}");
    }
}

#[test]
fn renamed_guests_take_their_new_places() {
    let mut roll = Roll::default();
    let named = |names: [&str; 3]| {
        names
            .into_iter()
            .zip(1..)
            .map(|(name, n)| guest(n, name))
            .collect()
    };
    roll.read(named(["Ana", "Bo", "Cleo"]), RequestId(1));
    roll.read(named(["Dora", "Bo", "Abel"]), RequestId(2));
    let order: Vec<&str> = roll
        .order()
        .iter()
        .filter_map(|id| Some(roll.get(*id)?.name.as_str()))
        .collect();
    assert_eq!(order, ["Abel", "Bo", "Dora"]);
    assert_eq!(names(&roll, "cle"), []);
    assert_found(&roll, "dor", Matched::Prefix, "Dora");
    assert_eq!(roll.place(GuestId(Uuid::from_u128(1))), Some(2));
}
