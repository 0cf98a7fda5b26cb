//! Search: anywhere in the name, ignoring case and accents, with `%`, `_` and `\` taken literally.
//! Guests are also found by words in any order, by their e-mail address, and by a name with one
//! wrong letter.

use serde_json::{Value, json};

use super::{Desk, pluck};

const NAMES: &[&str] = &[
    "Zoë Müller",
    // The same with combining accents.
    "Zoe\u{308} Mu\u{308}ller junior",
    "ZOE MULLER senior",
    "100% Ana",
    "100 Ana",
    "snake_case",
    "snakeXcase",
    "back\\slash",
    "backslash",
    "José O'Neil",
    "Łukasz \"Quote\" Żółć",
    "Strauß",
    "李小龍",
    "محمد علي",
    "Мария Ильинична",
    "ΣΟΦΊΑ Παππά",
    "Ｆｕｌｌ Ｗｉｄｔｈ",
    "ﬁnal",
    "  spaced   out  ",
];

/// Searches, and the indexes in `NAMES` of their results.
const SEARCHES: &[(&str, &[usize])] = &[
    ("Zoë Müller", &[0, 1, 2]),
    ("zoe muller", &[0, 1, 2]),
    ("ZOË MÜLLER", &[0, 1, 2]),
    ("zoe\u{308}", &[0, 1, 2]),
    ("mü", &[0, 1, 2]),
    ("muller j", &[1]),
    ("muller zoe", &[]),
    ("%", &[3]),
    ("100%", &[3]),
    ("100", &[3, 4]),
    ("0_ana", &[]),
    ("_", &[5]),
    ("snake_", &[5]),
    ("snake_c_se", &[]),
    ("\\", &[7]),
    ("k\\s", &[7]),
    ("\\%", &[]),
    ("back", &[7, 8]),
    ("jose o'n", &[9]),
    ("lukasz \"quote\" zolc", &[10]),
    ("strauss", &[11]),
    ("STRAUSS", &[11]),
    ("小", &[12]),
    ("محمد", &[13]),
    ("мария", &[14]),
    ("МАРИЯ", &[14]),
    ("σοφία", &[15]),
    ("full width", &[16]),
    ("final", &[17]),
    ("spaced   out", &[18]),
    ("spaced out", &[18]),
    (" Spaced  out ", &[18]),
    ("nobody", &[]),
    ("'; drop table events.guests; --", &[]),
];

/// Searches among guests, and the indexes of their results.
const SEARCHES_OF_GUESTS: &[(&str, &[usize])] = &[
    ("muller zoe", &[0, 1, 2]),
    // Similar.
    ("snake_c_se", &[5]),
];

/// Creates a record of each name, runs all searches, and compares the names of the results.
fn searches(create: &str, list: &str, key: &str, field: &str) {
    let mut desk = Desk::open();
    for name in NAMES {
        let mut arguments = json!({ field: name });
        if create == "create_event" {
            arguments["strategy_business_unit_id"] = json!(desk.organization.business_unit);
        } else {
            arguments["event_id"] = json!(desk.event);
        }
        desk.get(create, arguments);
    }
    let mut wrong = Vec::new();
    for (search, expected) in SEARCHES {
        let of_guests = SEARCHES_OF_GUESTS.iter().find(|(of, _)| of == search);
        let expected = match of_guests {
            Some((_, expected)) if key == "guests" => expected,
            _ => expected,
        };
        let mut arguments = json!({ "search": search });
        if list != "list_events" {
            arguments["event_id"] = json!(desk.event);
        }
        let mut found = pluck(&desk.get(list, arguments)[key], field);
        found.sort();
        let mut expected: Vec<_> = expected.iter().map(|at| NAMES[*at].to_owned()).collect();
        expected.sort();
        if found != expected {
            wrong.push(format!("{search:?} finds {found:?}, not {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{list}: {}", wrong.join("\n"));
}

#[test]
fn guests_are_found_by_name() {
    searches("create_event_guest", "list_event_guests", "guests", "name");
}

#[test]
fn events_are_found_by_name() {
    searches("create_event", "list_events", "events", "name");
}

#[test]
fn sessions_are_found_by_title() {
    searches(
        "create_event_session",
        "list_event_sessions",
        "sessions",
        "title",
    );
}

#[test]
fn tasks_are_found_by_title() {
    searches("create_event_task", "list_event_tasks", "tasks", "title");
}

#[test]
fn expenses_are_found_by_vendor() {
    searches(
        "create_event_expense",
        "list_event_expenses",
        "expenses",
        "vendor_name",
    );
}

#[test]
fn an_empty_search_finds_everyone_and_null_is_no_search() {
    let mut desk = Desk::open();
    desk.organization.guests(desk.event, &["Ana", "Bia"]);
    for search in [json!(""), Value::Null] {
        let arguments = json!({ "event_id": desk.event, "search": search });
        let listed = desk.get("list_event_guests", arguments);
        assert_eq!(pluck(&listed["guests"], "name"), ["Ana", "Bia"]);
    }
}

#[test]
fn a_guest_is_found_by_the_new_name_after_a_change() {
    let mut desk = Desk::open();
    let guest = desk.organization.guest(desk.event, "Ana");
    desk.get(
        "update_event_guest",
        json!({ "id": guest, "name": "Bárbara" }),
    );
    for (search, found) in [("ana", 0), ("barbara", 1)] {
        let arguments = json!({ "event_id": desk.event, "search": search });
        let listed = desk.get("list_event_guests", arguments);
        assert_eq!(
            listed["guests"].as_array().map(Vec::len),
            Some(found),
            "{search}"
        );
    }
}

#[test]
fn a_search_stays_within_its_event_and_organisation() {
    let mut desk = Desk::open();
    let other = Desk::open();
    let elsewhere = desk.organization.event("Elsewhere");
    desk.organization.guest(elsewhere, "Ana");
    other.organization.guest(other.event, "Ana");
    for (event, found) in [(desk.event, 0), (elsewhere, 1), (other.event, 0)] {
        let listed = desk.get(
            "list_event_guests",
            json!({ "event_id": event, "search": "ana" }),
        );
        assert_eq!(listed["guests"].as_array().map(Vec::len), Some(found));
    }
}

/// Guests, some with an e-mail address to search for.
const WRITTEN: &[(&str, Option<&str>)] = &[
    ("Zoë Müller", Some("zoe@example.org")),
    ("Ana d'Ávila", None),
    ("Beatriz Sant’Anna", None),
    ("Edilson Sampaio", Some("Edilson.S@example.org")),
    ("Marta Reis", None),
    ("Maria Luz", None),
    ("Ivo Lind", None),
];

/// Searches and their results, in order.
#[rustfmt::skip]
const FOUND: &[(&str, &[(&str, &str)])] = &[
    ("mueller", &[("Zoë Müller", "prefix")]),
    ("davila", &[("Ana d'Ávila", "prefix")]),
    ("d’avila", &[("Ana d'Ávila", "prefix")]),
    ("santanna", &[("Beatriz Sant’Anna", "prefix")]),
    ("sampaio, edilson", &[("Edilson Sampaio", "name")]),
    ("luz. mar", &[("Maria Luz", "prefix")]),
    ("ampaio", &[("Edilson Sampaio", "part")]),
    // An e-mail address, and its beginning; the part after the @ is not a name.
    ("edilson.s@example.org", &[("Edilson Sampaio", "prefix")]),
    (" Zoe@", &[("Zoë Müller", "prefix")]),
    ("example", &[]),
    // A wrong letter, a missing one, an additional one, two swapped.
    ("sanpaio", &[("Edilson Sampaio", "similar")]),
    ("edison", &[("Edilson Sampaio", "similar")]),
    ("ediilson", &[("Edilson Sampaio", "similar")]),
    ("eidlson", &[("Edilson Sampaio", "similar")]),
    ("sampaio edislon", &[("Edilson Sampaio", "similar")]),
    // After the names that contain the text.
    ("maria", &[("Maria Luz", "prefix"), ("Marta Reis", "similar")]),
    // Not with two wrong letters, not in words of four letters, and not for a word without a match.
    ("sanpalo", &[]),
    ("linb", &[]),
    ("sanpaio zoe", &[]),
];

#[test]
fn a_guest_is_found_as_people_write_and_mistype_names() {
    let mut desk = Desk::open();
    for (name, email) in WRITTEN {
        let guest = json!({ "event_id": desk.event, "name": name, "email": email });
        desk.get("create_event_guest", guest);
    }
    for (search, expected) in FOUND {
        let found = found(&mut desk, search, 50, 0);
        let found: Vec<_> = pairs(&found).collect();
        assert_eq!(found, *expected, "{search}");
    }
}

/// Guests who share words of their names.
const NAMESAKES: &[&str] = &[
    "Jo",
    "Joana Reis",
    "José Jo",
    "Reis, Joana",
    "Banjo Reis",
    "Ana Ana",
    "Ana",
    "Joana Ana",
    "Maria de Souza",
    "De-Souza Maria!",
    "Jürgen Müller",
    "Mueller, Jurgen",
    "Müller",
    "Marja de Souza",
];

/// Searches and their results, in order.
#[rustfmt::skip]
const RANKED: &[(&str, &[(&str, &str)])] = &[
    ("jo", &[
        ("Jo", "name"),
        ("Joana Ana", "prefix"), ("Joana Reis", "prefix"), ("José Jo", "prefix"), ("Reis, Joana", "prefix"),
        ("Banjo Reis", "part"),
    ]),
    ("JOÃNA REIS", &[("Joana Reis", "name"), ("Reis, Joana", "name")]),
    ("reis jo", &[("Joana Reis", "prefix"), ("Reis, Joana", "prefix"), ("Banjo Reis", "part")]),
    ("jo jo", &[
        ("José Jo", "prefix"),
        ("Banjo Reis", "part"), ("Jo", "part"), ("Joana Ana", "part"), ("Joana Reis", "part"), ("Reis, Joana", "part"),
    ]),
    ("ana", &[
        ("Ana", "name"),
        ("Ana Ana", "prefix"), ("Joana Ana", "prefix"),
        ("Joana Reis", "part"), ("Reis, Joana", "part"),
    ]),
    ("ana ana", &[
        ("Ana Ana", "name"),
        ("Ana", "part"), ("Joana Ana", "part"), ("Joana Reis", "part"), ("Reis, Joana", "part"),
    ]),
    ("an ana", &[
        ("Ana Ana", "prefix"),
        ("Ana", "part"), ("Joana Ana", "part"), ("Joana Reis", "part"), ("Reis, Joana", "part"),
    ]),
    ("souza, maria de", &[("De-Souza Maria!", "name"), ("Maria de Souza", "name"), ("Marja de Souza", "similar")]),
    // Each word of a name may be spelled either way, and counts once.
    ("jürgen müller", &[("Jürgen Müller", "name"), ("Mueller, Jurgen", "similar")]),
    ("juergen mueller", &[("Jürgen Müller", "name"), ("Mueller, Jurgen", "similar")]),
    ("Mueller, Jurgen", &[("Jürgen Müller", "name"), ("Mueller, Jurgen", "name")]),
    ("muell jur", &[("Jürgen Müller", "prefix"), ("Mueller, Jurgen", "prefix")]),
    ("muller mueller", &[("Jürgen Müller", "part"), ("Müller", "part"), ("Mueller, Jurgen", "similar")]),
    // A search without words finds everybody, and nobody by name.
    ("-", &[
        ("Ana", "part"), ("Ana Ana", "part"), ("Banjo Reis", "part"), ("De-Souza Maria!", "part"), ("Jo", "part"),
        ("Joana Ana", "part"), ("Joana Reis", "part"), ("José Jo", "part"), ("Jürgen Müller", "part"),
        ("Maria de Souza", "part"), ("Marja de Souza", "part"), ("Mueller, Jurgen", "part"), ("Müller", "part"),
        ("Reis, Joana", "part"),
    ]),
];

#[test]
fn guests_are_ranked_by_how_they_were_found_across_pages() {
    let mut desk = Desk::open();
    desk.organization.guests(desk.event, NAMESAKES);
    for (search, expected) in RANKED {
        let whole = found(&mut desk, search, 50, 0);
        let whole: Vec<_> = pairs(&whole).collect();
        assert_eq!(whole, *expected, "{search}");
        for limit in 1..=expected.len() {
            for offset in 0..=expected.len() {
                let page = found(&mut desk, search, limit, offset);
                let listed: Vec<_> = pairs(&page).collect();
                let end = expected.len().min(offset + limit);
                let of_page = &expected[offset..end];
                assert_eq!(listed, of_page, "{search}: {limit} from {offset}");
                assert_eq!(
                    page["has_more"],
                    end < expected.len(),
                    "{search}: {limit} from {offset}"
                );
            }
        }
    }
}

fn found(desk: &mut Desk, search: &str, limit: usize, offset: usize) -> Value {
    let event = desk.event;
    let arguments =
        json!({ "event_id": event, "search": search, "limit": limit, "offset": offset });
    desk.get("list_event_guests", arguments)
}

/// The names of the listed guests, with the way in which each matched.
fn pairs(listed: &Value) -> impl Iterator<Item = (&str, &str)> {
    let guests = listed["guests"].as_array().expect("guests");
    guests
        .iter()
        .map(|guest| (text(&guest["name"]), text(&guest["matched"])))
}

fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}

#[test]
fn a_list_without_a_search_says_nothing_of_matches() {
    let mut desk = Desk::open();
    desk.organization.guest(desk.event, "Ana");
    let listed = desk.get("list_event_guests", json!({ "event_id": desk.event }));
    assert_eq!(listed["guests"][0].get("matched"), None);
}
