//! The entrances, by the cases in fixtures/door.txt.

use std::collections::HashMap;

use jiff::civil::date;
use serde_json::{Map, json};
use uuid::Uuid;

use super::*;
use crate::id::{EventId, PlaceId, SessionId};
use crate::value::TimeOfDay;

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/door.txt");

fn time(text: &str) -> Timestamp {
    let (hour, minute) = text.split_once(':').expect("a time");
    let number = |text: &str| text.parse().expect("a number");
    let at = date(2026, 3, 12).at(number(hour), number(minute), 0, 0);
    at.in_tz("UTC").expect("a time").timestamp()
}

fn facts(line: &str) -> (&str, Vec<(&str, &str)>) {
    let mut facts = line.split(" | ");
    let name = facts.next().expect("a name");
    let facts = facts.map(|fact| fact.split_once('=').unwrap_or((fact, "")));
    (name, facts.collect())
}

fn place(facts: &[(&str, &str)]) -> Place {
    let fact = |name: &str| facts.iter().find(|(one, _)| *one == name);
    let value = |name: &str| fact(name).map(|(_, value)| *value);
    let roles = value("roles")
        .into_iter()
        .flat_map(|roles| roles.split(", "));
    Place {
        id: PlaceId(Uuid::nil()),
        event_id: EventId(Uuid::nil()),
        name: String::new(),
        session_id: fact("session").map(|_| SessionId(Uuid::nil())),
        roles: roles.map(str::to_owned).collect(),
        tag: value("tag").map(str::to_owned),
        opens_at: value("opens").map(time),
        closes_at: value("closes").map(time),
        once: fact("once").is_some(),
        empties_at: value("empties").map(|at| TimeOfDay::new(at).expect("a time")),
        emptied_at: value("empties").map(time),
        capacity: value("capacity").map(|number| number.parse().expect("a number")),
        inside_count: 0,
    }
}

/// Who passed where, and when.
type Log = Vec<(String, String, Direction, Timestamp)>;

fn inside(log: &Log, place: &str) -> usize {
    let mut passages: Vec<_> = log.iter().filter(|(_, of, ..)| of == place).collect();
    passages.sort_by_key(|(.., at)| *at);
    let last: HashMap<_, _> = passages.iter().map(|one| (&one.0, one.2)).collect();
    last.values().filter(|one| **one == Direction::In).count()
}

#[test]
fn who_passes_is_as_the_file_says() {
    let cases = std::fs::read_to_string(CASES).expect("the cases");
    let (_, cases) = cases.split_once("\nentrances\n").expect("entrances");
    let (mut places, mut guests) = (HashMap::new(), HashMap::new());
    let (mut log, mut wrong, mut count) = (Log::new(), Vec::new(), 0);
    for line in cases.lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(line) = line.strip_prefix("place ") {
            let (name, facts) = facts(line);
            places.insert(name, place(&facts));
            continue;
        }
        if let Some(line) = line.strip_prefix("guest ") {
            let (name, facts) = facts(line);
            let tags: Map<_, _> = facts
                .iter()
                .map(|(tag, value)| ((*tag).to_owned(), tag_value(value)))
                .collect();
            guests.insert(name, tags);
            continue;
        }
        let (case, right) = line.split_once(" → ").expect("an arrow");
        let mut words = case.split(' ').collect::<Vec<_>>();
        let claim = words.pop_if(|word| ["late", "because"].contains(word));
        let claim = claim.map(|word| {
            if word == "late" {
                Claim::Fact
            } else {
                Claim::Reason
            }
        });
        let is_teacher = words.pop_if(|word| *word == "teacher").is_some();
        let role = if is_teacher {
            Role::Teacher
        } else {
            Role::Staff
        };
        let (at, direction, guest) = (time(words[0]), words[1], words[2]);
        let direction = if direction == "in" {
            Direction::In
        } else {
            Direction::Out
        };
        let name = words.get(3).copied().unwrap_or("");
        let tags = &guests[guest];
        let mut own: Vec<_> = log
            .iter()
            .filter(|(of, place, _, then)| {
                let of_place = places.get(name);
                let period = |at| of_place.and_then(|place: &Place| place.emptied_before(at));
                of == guest && place == name && period(*then) == period(at)
            })
            .collect();
        own.sort_by_key(|(.., at)| *at);
        let visitor = Visitor {
            role: tags.get("role").and_then(Value::as_str),
            tags,
            is_of_session: tags.contains_key("session"),
            before: own.iter().rev().find(|(.., of)| *of <= at).map(|one| one.2),
            after: own.iter().find(|(.., of)| *of > at).map(|one| one.2),
        };
        let place = places.get_mut(name).map(|place| {
            place.inside_count = u32::try_from(inside(&log, name)).expect("few");
            &*place
        });
        let verdict = admit(direction, &visitor, place, at);
        let passes = |claim| may_pass(Some(role), false, claim, verdict);
        let Admission { verdict, despite } = admit_despite(verdict, claim.is_some_and(passes));
        if verdict == Verdict::Passed {
            let mut pass = |place: &str| log.push((guest.into(), place.into(), direction, at));
            pass(name);
            let comes = !name.is_empty() && direction == Direction::In;
            if comes
                && !log
                    .iter()
                    .any(|(of, place, ..)| of == guest && place.is_empty())
            {
                log.push((guest.into(), String::new(), direction, at));
            }
        }
        let decided = match despite {
            Some(despite) => format!("{}, {}", verdict.name(), despite.name()),
            None => verdict.name().to_owned(),
        };
        count += 1;
        if decided != right {
            wrong.push(format!("{case} → {decided}, not {right}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 90, "only {count} cases");
}

#[test]
fn nobody_passes_a_guest_at_a_locked_desk() {
    for role in [Role::Owner, Role::Admin, Role::Staff, Role::Teacher] {
        for verdict in Verdict::ALL.into_iter().filter(|one| one.turns_away()) {
            assert!(!may_pass(Some(role), true, Claim::Reason, verdict));
            assert!(!may_pass(None, false, Claim::Reason, verdict));
            let runs_events = Roles::DESK.contains(role);
            assert_eq!(
                may_pass(Some(role), false, Claim::Reason, verdict),
                runs_events
            );
        }
    }
}

fn tag_value(text: &str) -> Value {
    match text {
        "" => json!(true),
        "false" => json!(false),
        text => json!(text),
    }
}
