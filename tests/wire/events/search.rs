//! Search: somewhere in the name, whatever the case and accents, `%`, `_` and `\` as they are. Guests are also
//! found by words in any order, by their e-mail address, and by a name with a letter wrong.

use frontdesk_tests::run;
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

/// What is searched for, and whom it finds: by their place in `NAMES`.
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
    ("spaced out", &[]),
    ("nobody", &[]),
    ("'; drop table events.guests; --", &[]),
];

/// What is searched for among guests, and whom it finds there.
const SEARCHES_OF_GUESTS: &[(&str, &[usize])] = &[
    ("muller zoe", &[0, 1, 2]),
    ("spaced out", &[18]),
    // Similar.
    ("snake_c_se", &[5]),
];

/// Makes a record of each name, searches them all, and lets what is found be told by its name.
async fn searches(create: &str, list: &str, key: &str, field: &str) {
    let mut desk = Desk::open().await;
    for name in NAMES {
        let mut arguments = json!({ field: name });
        if create == "create_event" {
            arguments["strategy_business_unit_id"] = json!(desk.organization.business_unit);
        } else {
            arguments["event_id"] = json!(desk.event);
        }
        desk.get(create, arguments).await;
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
        let mut found = pluck(&desk.get(list, arguments).await[key], field);
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
    run(searches(
        "create_event_guest",
        "list_event_guests",
        "guests",
        "name",
    ));
}

#[test]
fn events_are_found_by_name() {
    run(searches("create_event", "list_events", "events", "name"));
}

#[test]
fn sessions_are_found_by_title() {
    run(searches(
        "create_event_session",
        "list_event_sessions",
        "sessions",
        "title",
    ));
}

#[test]
fn tasks_are_found_by_title() {
    run(searches(
        "create_event_task",
        "list_event_tasks",
        "tasks",
        "title",
    ));
}

#[test]
fn expenses_are_found_by_vendor() {
    run(searches(
        "create_event_expense",
        "list_event_expenses",
        "expenses",
        "vendor_name",
    ));
}

#[test]
fn an_empty_search_finds_everyone_and_null_is_none() {
    run(async {
        let mut desk = Desk::open().await;
        desk.organization.guests(desk.event, &["Ana", "Bia"]).await;
        for search in [json!(""), Value::Null] {
            let arguments = json!({ "event_id": desk.event, "search": search });
            let listed = desk.get("list_event_guests", arguments).await;
            assert_eq!(pluck(&listed["guests"], "name"), ["Ana", "Bia"]);
        }
    });
}

#[test]
fn a_guest_is_found_by_the_new_name_after_a_change() {
    run(async {
        let mut desk = Desk::open().await;
        let guest = desk.organization.guest(desk.event, "Ana").await;
        desk.get(
            "update_event_guest",
            json!({ "id": guest, "name": "Bárbara" }),
        )
        .await;
        for (search, found) in [("ana", 0), ("barbara", 1)] {
            let arguments = json!({ "event_id": desk.event, "search": search });
            let listed = desk.get("list_event_guests", arguments).await;
            assert_eq!(
                listed["guests"].as_array().map(Vec::len),
                Some(found),
                "{search}"
            );
        }
    });
}

#[test]
fn a_search_stays_within_its_event_and_organisation() {
    run(async {
        let mut desk = Desk::open().await;
        let other = Desk::open().await;
        let elsewhere = desk.organization.event("Elsewhere").await;
        desk.organization.guest(elsewhere, "Ana").await;
        other.organization.guest(other.event, "Ana").await;
        for (event, found) in [(desk.event, 0), (elsewhere, 1), (other.event, 0)] {
            let listed = desk
                .get(
                    "list_event_guests",
                    json!({ "event_id": event, "search": "ana" }),
                )
                .await;
            assert_eq!(listed["guests"].as_array().map(Vec::len), Some(found));
        }
    });
}

/// Guests as they are written, some with the e-mail address by which they are found.
const WRITTEN: &[(&str, Option<&str>)] = &[
    ("Zoë Müller", Some("zoe@example.org")),
    ("Ana d'Ávila", None),
    ("Beatriz Sant’Anna", None),
    ("Edilson Sampaio", Some("Edilson.S@example.org")),
    ("Marta Reis", None),
    ("Maria Luz", None),
    ("Ivo Lind", None),
];

/// What is searched for, whose names have it, and whose names are only similar.
#[rustfmt::skip]
const FOUND: &[(&str, &[&str], &[&str])] = &[
    ("mueller", &["Zoë Müller"], &[]),
    ("davila", &["Ana d'Ávila"], &[]),
    ("d’avila", &["Ana d'Ávila"], &[]),
    ("santanna", &["Beatriz Sant’Anna"], &[]),
    ("sampaio, edilson", &["Edilson Sampaio"], &[]),
    ("luz. mar", &["Maria Luz"], &[]),
    // An e-mail address, and its beginning; what stands behind the @ is no name.
    ("edilson.s@example.org", &["Edilson Sampaio"], &[]),
    (" Zoe@", &["Zoë Müller"], &[]),
    ("example", &[], &[]),
    // A letter wrong, one missing, one too many, two in the wrong order.
    ("sanpaio", &[], &["Edilson Sampaio"]),
    ("edison", &[], &["Edilson Sampaio"]),
    ("ediilson", &[], &["Edilson Sampaio"]),
    ("eidlson", &[], &["Edilson Sampaio"]),
    ("sampaio edislon", &[], &["Edilson Sampaio"]),
    // Behind what has the text.
    ("maria", &["Maria Luz"], &["Marta Reis"]),
    // Not two letters, not in words of four, and not for a word that is in no way there.
    ("sanpalo", &[], &[]),
    ("linb", &[], &[]),
    ("sanpaio zoe", &[], &[]),
];

#[test]
fn a_guest_is_found_as_people_write_and_mistype_names() {
    run(async {
        let mut desk = Desk::open().await;
        for (name, email) in WRITTEN {
            let guest = json!({ "event_id": desk.event, "name": name, "email": email });
            desk.get("create_event_guest", guest).await;
        }
        for (search, found, similar) in FOUND {
            let arguments = json!({ "event_id": desk.event, "search": search });
            let listed = desk.get("list_event_guests", arguments).await;
            let guests = listed["guests"].as_array().expect("guests");
            let guests: Vec<_> = guests
                .iter()
                .map(|one| (&one["name"], &one["similar"]))
                .collect();
            let (found, similar) = (json!(found), json!(similar));
            let found = found
                .as_array()
                .expect("names")
                .iter()
                .map(|name| (name, false));
            let similar = similar
                .as_array()
                .expect("names")
                .iter()
                .map(|name| (name, true));
            let expected: Vec<_> = found.chain(similar).collect();
            assert_eq!(guests.len(), expected.len(), "{search}: {guests:?}");
            for (guest, expected) in guests.iter().zip(expected) {
                assert_eq!(
                    (guest.0, guest.1),
                    (expected.0, &json!(expected.1)),
                    "{search}"
                );
            }
        }
    });
}

#[test]
fn similar_guests_are_on_the_pages_behind() {
    run(async {
        let mut desk = Desk::open().await;
        let names = ["Maria 1", "Maria 2", "Marja 3", "Marta 4", "Marta 5"];
        desk.organization.guests(desk.event, &names).await;
        for offset in 0..6 {
            let arguments =
                json!({ "event_id": desk.event, "search": "maria", "limit": 2, "offset": offset });
            let listed = desk.get("list_event_guests", arguments).await;
            let expected: Vec<_> = names.iter().copied().skip(offset).take(2).collect();
            assert_eq!(pluck(&listed["guests"], "name"), expected, "from {offset}");
            assert_eq!(
                listed["has_more"],
                offset + 2 < names.len(),
                "from {offset}"
            );
        }
    });
}
