//! The decision, by the cases in fixtures/door.txt.

use std::collections::HashMap;

use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::*;
use crate::id::GuestId;

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/door.txt");

/// The known guests of a part of the file, and what is known of them.
#[derive(Default)]
struct Hall {
    /// The tags with tickets, in addition to `ticket_code`.
    named: Vec<String>,
    guests: Vec<Guest>,
    pace: Option<Pace>,
    extent: Option<Extent>,
}

struct Guest {
    id: GuestId,
    name: String,
    key: String,
    spelled: Spelled,
    email: Option<String>,
    tickets: Vec<String>,
    is_in: bool,
}

impl Guest {
    fn read(line: &str, number: usize, named: &[String]) -> Guest {
        let mut facts = line.split(" | ").map(str::trim);
        let name = facts.next().expect("a name").to_owned();
        let mut guest = Guest {
            id: GuestId(Uuid::from_u128(
                0x0190_a1b2_0000_7000_8000_0000_0000_0000 + number as u128,
            )),
            key: fold(&name),
            spelled: Spelled::new(&name),
            name,
            email: None,
            tickets: Vec::new(),
            is_in: false,
        };
        let mut tags = Map::new();
        for fact in facts {
            match fact.split_once('=') {
                None => guest.is_in = fact == "in",
                Some(("email", email)) => guest.email = Some(email.to_owned()),
                Some((tag, value)) => drop(tags.insert(tag.to_owned(), json!(value))),
            }
        }
        guest.tickets = tickets(&tags, named).collect();
        guest
    }
}

impl Hall {
    /// The text with its control characters, and the ids of the guests in braces.
    fn text(&self, text: &str) -> String {
        let text: String = serde_json::from_str(&format!("\"{}\"", text.replace('"', "\\\"")))
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        let names: HashMap<_, _> = self
            .guests
            .iter()
            .map(|guest| (&guest.name, guest.id))
            .collect();
        names.iter().fold(text, |text, (name, id)| {
            let id = id.to_string();
            let text = text.replace(&format!("<{name}>"), &id);
            text.replace(&format!("<{name} upper>"), &id.to_uppercase())
                .replace(&format!("<{name} plain>"), &id.replace('-', ""))
        })
    }

    fn decides(&self, text: &str) -> Vec<String> {
        let people = self.guests.iter().map(|guest| Person {
            id: guest.id,
            name: &guest.spelled,
            key: &guest.key,
            email: guest.email.as_deref(),
            tickets: &guest.tickets,
            is_in: guest.is_in,
            is_similar: false,
        });
        let pace = self.pace.expect("a pace");
        let extent = self.extent.expect("an extent");
        let arrived = read(&self.text(text), pace).into_iter();
        arrived
            .map(|one| self.words(&decide(&one.with_keys(&self.named), people.clone(), extent)))
            .collect()
    }

    /// A decision as the file writes it.
    fn words(&self, decision: &Decision) -> String {
        let name = |id: &GuestId| {
            let guest = self
                .guests
                .iter()
                .find(|guest| guest.id == *id)
                .expect("is known");
            let before = self.guests.iter().take_while(|other| other.id != *id);
            match before.filter(|other| other.name == guest.name).count() {
                0 => guest.name.clone(),
                earlier => format!("{}#{}", guest.name, earlier + 1),
            }
        };
        let names = |ids: &[GuestId]| ids.iter().map(name).collect::<Vec<_>>().join(", ");
        match decision {
            Decision::In(id) => format!("in: {}", name(id)),
            Decision::Already(id) => format!("already: {}", name(id)),
            Decision::Which { why, guests } => {
                let why = match why {
                    Doubt::Tickets => "one ticket",
                    Doubt::TicketOrName => "ticket or name",
                    Doubt::Namesakes => "one name",
                    Doubt::Names => "names",
                    Doubt::Part => "part of a name",
                    Doubt::Similar => "similar",
                };
                format!("which, {why}: {}", names(guests))
            }
            Decision::UnknownCode { fits: Some(id), .. } => {
                format!("unknown, other keyboard: {}", name(id))
            }
            Decision::UnknownCode {
                is_other_keyboard: true,
                ..
            } => "unknown, other keyboard".to_owned(),
            Decision::UnknownCode { .. } => "unknown".to_owned(),
            Decision::NoSuchName => "no such name".to_owned(),
            Decision::NotAsked { guests } if guests.is_empty() => "not asked".to_owned(),
            Decision::NotAsked { guests } => format!("not asked: {}", names(guests)),
        }
    }
}

#[test]
fn what_arrives_is_decided_as_the_file_says() {
    let mut hall = Hall::default();
    let mut wrong = Vec::new();
    let mut count = 0;
    let cases = std::fs::read_to_string(CASES).expect("the cases");
    let (cases, _) = cases.split_once("\nentrances\n").expect("entrances");
    for line in cases.lines() {
        let is_comment = line.is_empty() || line.starts_with('#');
        if is_comment {
            continue;
        }
        if let Some(title) = line.strip_prefix("guests") {
            let named = title.strip_prefix(" with tickets in ").unwrap_or(title);
            hall = Hall {
                named: named.split_terminator(", ").map(str::to_owned).collect(),
                ..Hall::default()
            };
        } else if let Some(guest) = line.strip_prefix("  ") {
            let guest = Guest::read(guest, hall.guests.len(), &hall.named);
            hall.guests.push(guest);
        } else if let Some(how) = line.strip_prefix("given ") {
            hall.pace = Some(if how.contains("scanned") {
                Pace::Scanned
            } else {
                Pace::Typed
            });
            hall.extent = Some(if how.contains("part") {
                Extent::Part
            } else {
                Extent::Whole
            });
        } else {
            let (text, right) = line
                .split_once(" → ")
                .unwrap_or_else(|| panic!("no arrow: {line}"));
            let decided = hall.decides(text.trim()).join("; ");
            count += 1;
            if decided != right {
                wrong.push(format!("{text} → {decided}, not {right}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 120, "only {count} cases");
}

#[test]
fn any_text_is_read_without_losing_its_place() {
    for text in [
        "",
        " \r\n",
        "]Q3",
        "*",
        "**",
        "é]Q3x",
        "\u{2}\u{3}",
        "{",
        "http://",
        "}{",
    ] {
        for pace in [Pace::Typed, Pace::Scanned] {
            for one in read(text, pace) {
                assert!(text.is_char_boundary(one.start), "{text:?}");
                assert!(
                    text[one.start..].starts_with(&one.text) || one.kind == Kind::Code,
                    "{text:?}"
                );
            }
        }
    }
    let tags = json!({ "ticket_code": ["A", 7, null, " "], "country_code": "BE" });
    let Value::Object(tags) = tags else {
        unreachable!()
    };
    assert_eq!(tickets(&tags, &[]).collect::<Vec<_>>(), ["A", "7"]);
}
