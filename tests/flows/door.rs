//! The cases of fixtures/door.txt at the desk, as keystrokes; and what a desk does that knows only a part of the
//! guests.

use std::collections::BTreeSet;

use frontdesk_protocol::Role;
use frontdesk_protocol::id::GuestId;
use frontdesk_tests::{Desk, LAUNCH, School, Setup, at};
use serde_json::{Map, Value, json};

const CASES: &str = include_str!("../../fixtures/door.txt");

/// Guests of the file, and the cases of one way to arrive.
struct Hall {
    school: School,
    setup: Setup,
    guests: Vec<(String, GuestId, bool)>,
}

impl Hall {
    fn of(named: &[&str], lines: &[&str]) -> Hall {
        let school = School::new().with_event(LAUNCH);
        let name = "update app.organizations set ticket_tags = $2 where id = $1";
        school.change(name, &[&school.organization.id.0, &named]);
        let mut guests = Vec::new();
        for line in lines {
            let mut facts = line.split(" | ").map(str::trim);
            let name = facts.next().expect("a name").to_owned();
            let mut email = "";
            let (mut tags, mut is_in) = (Map::new(), false);
            for fact in facts {
                match fact.split_once('=') {
                    None => is_in = fact == "in",
                    Some(("email", address)) => email = address,
                    Some((tag, value)) => drop(tags.insert(tag.to_owned(), json!(value))),
                }
            }
            let id = school.add_guest_with(LAUNCH, &name, "", email);
            school.tag(id, &Value::Object(tags));
            guests.push((name, id, is_in));
        }
        Hall {
            setup: school.desk(Role::Staff),
            school,
            guests,
        }
    }

    fn named(&self, name: &str) -> GuestId {
        let (name, number) = name.split_once('#').unwrap_or((name, "1"));
        let mut namesakes = self.guests.iter().filter(|(own, ..)| own == name);
        let number: usize = number.parse().expect("a number");
        let guest = namesakes.nth(number - 1);
        guest.unwrap_or_else(|| panic!("no guest {name}")).1
    }

    fn text(&self, text: &str) -> String {
        let text = format!("\"{}\"", text.replace('"', "\\\""));
        let mut text: String = serde_json::from_str(&text).expect("as in JSON");
        for (name, id, _) in &self.guests {
            let id = id.to_string();
            for (mark, id) in [
                ("", id.clone()),
                (" upper", id.to_uppercase()),
                (" plain", id.replace('-', "")),
            ] {
                text = text.replace(&format!("<{name}{mark}>"), &id);
            }
        }
        text
    }

    /// Those who are in.
    fn here(&self) -> BTreeSet<GuestId> {
        let all = self.guests.iter().map(|(_, id, _)| *id);
        all.filter(|id| self.school.is_in(*id)).collect()
    }

    fn send(&self, t: &mut Desk, text: &str, is_scanned: bool) {
        let sent = self.text(text);
        if is_scanned {
            let has_end = sent.ends_with(['\r', '\n', '\t']);
            t.scan(&if has_end { sent } else { sent + "\r" });
        } else {
            t.type_text(sent.trim_end_matches('\r')).press("enter");
        }
    }

    /// Sends a text to a new desk without the network, and says what is wrong with the result: on the screen, and in
    /// the journal.
    fn tries_alone(
        &self,
        text: &str,
        right: &str,
        is_scanned: bool,
        is_part: bool,
    ) -> Option<String> {
        let mut t = self.setup.clone().at(LAUNCH);
        self.send(&mut t, text, is_scanned);
        let (mut came, mut unknown) = (BTreeSet::new(), 0);
        let mut verdict = "";
        for decision in right.split("; ") {
            let (kind, name) = decision.split_once(": ").unwrap_or((decision, ""));
            verdict = match kind {
                "in" => "WAITING",
                "already" => "ALREADY CHECKED IN",
                "unknown" | "unknown, other keyboard" if !is_part => "UNKNOWN TICKET",
                "no such name" => "NOT FOUND HERE",
                "not asked" | "unknown" => "NOT ASKED",
                _ => "WHICH ONE?",
            };
            match kind {
                "in" | "already" => drop(came.insert(self.named(name))),
                // A name that cannot be asked about is not written down, and a code is.
                "not asked" if name.is_empty() => {
                    unknown += usize::from(is_scanned || !text.chars().all(char::is_alphabetic));
                }
                _ if kind.starts_with("unknown") && name.is_empty() => unknown += 1,
                _ => {}
            }
        }
        let banner = t.banner();
        let is_known = |id: &GuestId| self.guests.iter().any(|(_, known, _)| known == id);
        let written = t.on_disk();
        let written: Vec<GuestId> = written.iter().map(|entry| entry.guest_id).collect();
        let known: BTreeSet<GuestId> = written.iter().copied().filter(is_known).collect();
        let hints = right.contains("other keyboard") == banner.contains("another layout");
        let is_right = banner.contains(verdict)
            && hints
            && known == came
            && written.len() == came.len() + unknown;
        let journal = frontdesk_client::paths::journal_file(t.directory());
        if journal.exists() {
            std::fs::remove_file(journal).expect("the journal goes");
        }
        (!is_right).then(|| format!("{text} → {banner}, {written:?}, not {right}"))
    }

    /// Sends a text to a new desk, and says what is wrong with the result.
    fn tries(&self, text: &str, right: &str, is_scanned: bool) -> Option<String> {
        self.school.change(
            "update events.guests set check_in_at = null where organization_id = $1",
            &[&self.school.organization.id.0],
        );
        let mut expected = BTreeSet::new();
        for (_, id, is_in) in &self.guests {
            if *is_in {
                self.school.came(*id, at("2025-03-12T12:20:00Z"));
                expected.insert(*id);
            }
        }
        let mut t = self.setup.clone().at(LAUNCH);
        self.send(&mut t, text, is_scanned);
        let mut verdict = "";
        for decision in right.split("; ") {
            let (kind, name) = decision.split_once(": ").unwrap_or((decision, ""));
            verdict = match kind {
                "in" => "✓ CHECKED IN",
                "already" => "ALREADY CHECKED IN",
                "unknown" | "unknown, other keyboard" => "UNKNOWN TICKET",
                "no such name" => "NOBODY BY THAT NAME",
                _ => "WHICH ONE?",
            };
            if kind == "in" {
                expected.insert(self.named(name));
            }
        }
        let banner = t.banner();
        let hints = right.contains("other keyboard") == banner.contains("another layout");
        let is_right = banner.contains(verdict) && hints && self.here() == expected;
        (!is_right).then(|| format!("{text} → {banner}, not {right}"))
    }
}

/// The hall and the cases under this heading: the text, and what is right.
fn cases(hall: usize, heading: &str) -> (Hall, Vec<(&'static str, &'static str)>) {
    let (halls, _) = CASES.split_once("\nentrances\n").expect("entrances");
    let hall = halls.split("\nguests").nth(hall).expect("a hall");
    let (named, hall) = hall.split_once('\n').expect("a hall");
    let named = named.strip_prefix(" with tickets in ").unwrap_or_default();
    let named: Vec<&str> = named.split_terminator(", ").collect();
    let is_guest = |line: &&str| line.starts_with("  ");
    let guests: Vec<&str> = hall.lines().take_while(is_guest).collect();
    let (_, cases) = hall.split_once(heading).expect("the heading");
    let cases = cases.split("\ngiven ").next().expect("cases");
    let cases = cases.lines().filter(|line| !line.starts_with('#'));
    let cases = cases.filter_map(|line| line.split_once(" → "));
    let cases = cases.filter(|(_, right)| !right.is_empty());
    (Hall::of(&named, &guests), cases.collect())
}

/// Tries the cases under this heading.
fn holds(hall: usize, heading: &str, is_scanned: bool) {
    let (hall, cases) = cases(hall, heading);
    assert!(cases.len() >= 6, "only {} cases", cases.len());
    let cases = cases.into_iter();
    let wrong: Vec<String> = cases
        .filter_map(|(text, right)| hall.tries(text, right, is_scanned))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Tries the cases under this heading at a desk that has its guests from its disk, without the network. If it knows
/// only a part, the event has more guests.
fn holds_alone(hall: usize, heading: &str, is_scanned: bool, is_part: bool) {
    let (mut hall, cases) = cases(hall, heading);
    if is_part {
        // More than fit into the first page.
        let others: Vec<String> = (0..200).map(|n| format!("Zz {n}")).collect();
        let others: Vec<&str> = others.iter().map(String::as_str).collect();
        hall.school.add_guests(LAUNCH, &others);
        hall.setup = hall.setup.knowing_a_part();
    }
    hall.setup = hall.setup.over_a_network();
    for (_, id, _) in hall.guests.iter().filter(|(.., is_in)| *is_in) {
        hall.school.came(*id, at("2025-03-12T12:20:00Z"));
    }
    let mut t = hall.setup.clone().at(LAUNCH);
    if is_part {
        t.expect_title("100 of 203 loaded");
    }
    t.press("ctrl-q");
    hall.setup.network().go_down();
    let cases = cases.into_iter();
    let wrong: Vec<String> = cases
        .filter_map(|(text, right)| hall.tries_alone(text, right, is_scanned, is_part))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_a_person_types_is_decided_as_the_file_says() {
    holds(1, "given typed, whole\n", false);
}

#[test]
fn what_a_scanner_types_is_decided_as_the_file_says() {
    holds(1, "given scanned, whole\n", true);
}

#[test]
fn tickets_in_tags_that_the_organisation_names_are_decided_as_the_file_says() {
    holds(3, "given typed, whole\n", false);
    holds_alone(3, "given typed, whole\n", false, false);
}

#[test]
fn what_a_person_types_is_decided_as_the_file_says_without_the_network() {
    holds_alone(1, "given typed, whole\n", false, false);
}

#[test]
fn what_a_scanner_types_is_decided_as_the_file_says_without_the_network() {
    holds_alone(1, "given scanned, whole\n", true, false);
}

#[test]
fn what_a_person_types_is_decided_as_the_file_says_where_others_may_be_meant() {
    holds_alone(2, "given typed, part\n", false, true);
}

#[test]
fn what_a_scanner_types_is_decided_as_the_file_says_where_others_may_be_meant() {
    holds_alone(2, "given scanned, part\n", true, true);
}

/// A desk of a large event of which it knows only a part, and whose network is down.
fn alone() -> Desk {
    let school = School::new().with_crowd("Stadium", 1200);
    school.add_guests("Stadium", &["Abel Zimmer", "Zuri Okoye", "Zuri Abara"]);
    school.give_ticket("Abel Zimmer", "SHARED-7");
    school.give_ticket("Zuri Abara", "SHARED-7");
    let mut t = school
        .desk(Role::Staff)
        .knowing_a_part()
        .over_a_network()
        .at("Stadium");
    t.expect_title("100 of 1,203 loaded");
    t.network().go_down();
    t
}

#[test]
fn a_ticket_is_not_taken_for_the_only_one_while_most_guests_are_unknown() {
    let mut t = alone();
    t.scan("SHARED-7\r").expect_banner(&[
        "NOT ASKED",
        "SHARED-7",
        "enter takes Abel Zimmer",
        "100 of 1,203",
    ]);
    t.expect_head("! 1 needs attention: ctrl-t");
    assert!(t.on_disk().is_empty());
    t.press("enter").expect_banner(&["WAITING", "Abel Zimmer"]);
    assert_eq!(t.on_disk().len(), 1);
}

#[test]
fn a_name_that_cannot_be_asked_about_is_not_called_unknown() {
    let mut t = alone();
    t.enter("zuri okoye").expect_banner(&[
        "NOT ASKED",
        "zuri okoye",
        "the host cannot be asked · 100 of 1,203 guests known here",
    ]);
    // Somebody who insists is asked once more.
    t.press("ctrl-a")
        .expect_path("Add a guest and check in")
        .press("ctrl-s")
        .expect_title("This guest may be on the list");
    t.press("n").press("esc");
    assert!(t.on_disk().is_empty());
}

#[test]
fn the_box_is_empty_for_the_next_one_whatever_was_decided() {
    let mut t = School::launch().desk(Role::Staff).at(LAUNCH);
    let zoe = t.database().guest("Zoë Müller");
    t.enter("joao")
        .expect_banner(&["WHICH ONE?"])
        .type_text("ulla")
        .expect_no("WHICH ONE?")
        .press("enter")
        .expect_banner(&["CHECKED IN", "Ulla Lindqvist"]);
    t.scan("4711\r")
        .expect_banner(&["UNKNOWN TICKET", "4711"])
        .expect_head("! 1 needs attention: ctrl-t");
    t.type_text("a").expect_no("UNKNOWN TICKET");
    // A scan replaces what stands there.
    t.scan(&format!("{}\r", zoe.id))
        .expect_banner(&["CHECKED IN", "Zoë Müller"]);
    t.enter("asa").expect_banner(&["CHECKED IN", "Åsa Öberg"]);
}

#[test]
fn a_ticket_in_the_form_of_an_id_is_found_among_guests_that_the_desk_does_not_know() {
    const TICKET: &str = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
    let school = School::new().with_crowd("Stadium", 1200);
    school.add_guests("Stadium", &["Zuri Okoye"]);
    school.give_ticket("Zuri Okoye", &TICKET.to_uppercase());
    let mut t = school.desk(Role::Staff).knowing_a_part().at("Stadium");
    t.scan(&format!("{TICKET}\r"))
        .expect_banner(&["CHECKED IN", "Zuri Okoye"]);
}

#[test]
fn a_code_of_letters_or_of_many_characters_is_found_among_guests_that_the_desk_does_not_know() {
    let school = School::new().with_crowd("Stadium", 1200);
    school.add_guests("Stadium", &["Zuri Okoye", "Zuri Abara"]);
    let long = "Ä/".repeat(200);
    school.give_ticket("Zuri Okoye", "QRSTUV");
    school.give_ticket("Zuri Abara", &long);
    let mut t = school.desk(Role::Staff).knowing_a_part().at("Stadium");
    t.scan("QRSTUV\r")
        .expect_banner(&["CHECKED IN", "Zuri Okoye"]);
    t.scan(&format!("{long}\r"))
        .expect_banner(&["CHECKED IN", "Zuri Abara"]);
    t.scan(r#"{"v":1,"ticket":"qrstuv"}"#).seconds(1);
    t.expect_banner(&["ALREADY CHECKED IN", "Zuri Okoye"]);
}

#[test]
fn a_scanner_without_a_suffix_is_answered_after_a_pause() {
    let t = School::launch().desk(Role::Staff).at(LAUNCH);
    t.database().give_ticket("Zoë Müller", "TX-4711");
    let mut t = School::of(&t.database().organization)
        .desk(Role::Staff)
        .at(LAUNCH);
    t.scan("TX-4711").expect_no("CHECKED IN");
    t.seconds(1).expect_banner(&["CHECKED IN", "Zoë Müller"]);
    // A person may pause.
    t.type_text("TX-4712")
        .seconds(1)
        .expect_no("UNKNOWN TICKET");
}

#[test]
fn a_ticket_counts_while_a_form_covers_the_desk_and_a_name_does_not() {
    let school = School::launch();
    school.give_ticket("Zoë Müller", "TX-4711");
    let mut t = school.desk(Role::Staff).at(LAUNCH);
    t.type_text("Quentin").press("ctrl-a");
    t.type_text(" Blake").scan("TX-4711\r");
    t.expect_toast("Code scanned; the desk shows the result");
    t.database().guest("Zoë Müller").is_checked_in();
    t.press("ctrl-s")
        .expect_banner(&["CHECKED IN", "Quentin Blake · "]);
}
