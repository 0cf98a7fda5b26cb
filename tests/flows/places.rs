//! Desks at the entrances of places: the cases of fixtures/door.txt, as keystrokes.

use std::collections::{BTreeMap, BTreeSet};

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Colleague, Desk, LAUNCH, NOW, School};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

const CASES: &str = include_str!("../../fixtures/door.txt");

/// How long after the file's 9:00 a time is. At the desks, a minute takes three seconds.
fn seconds(time: &str) -> i64 {
    let (hours, minutes) = time.split_once(':').expect("a time");
    let number = |text: &str| text.parse::<i64>().expect("a number");
    ((number(hours) - 9) * 60 + number(minutes)) * 3
}

/// The event with the places and guests of the file.
struct Evening {
    school: School,
    colleague: Colleague,
    in_session: Vec<Value>,
}

impl Evening {
    fn begin() -> Evening {
        let school = School::new().with_event(LAUNCH);
        Evening {
            colleague: school.colleague(Role::Staff),
            school,
            in_session: Vec::new(),
        }
    }

    fn add(&mut self, line: &str) {
        let (kind, line) = line.split_once(' ').expect("a kind");
        let mut facts = line.split(" | ");
        let name = facts.next().expect("a name");
        let facts = facts.map(|fact| fact.split_once('=').unwrap_or((fact, "")));
        if kind == "place" {
            self.add_place(name, facts);
        } else {
            self.add_guest(name, facts);
        }
    }

    fn add_place<'a>(&mut self, name: &str, facts: impl Iterator<Item = (&'a str, &'a str)>) {
        let event = json!(self.school.event_id(LAUNCH));
        let mut place = json!({ "event_id": event, "name": name });
        for (fact, value) in facts {
            match fact {
                "roles" => place["roles"] = value.split(", ").collect(),
                "once" => place["once"] = json!(true),
                "capacity" => place["capacity"] = json!(value.parse::<u32>().expect("a number")),
                "opens" | "closes" => {
                    let at = NOW + SignedDuration::from_secs(seconds(value));
                    place[format!("{fact}_at")] = json!(at);
                }
                "empties" => {
                    let at = NOW + SignedDuration::from_secs(seconds(value));
                    let at = at.in_tz("America/Sao_Paulo").expect("a time");
                    place["empties_at"] = json!(at.strftime("%H:%M:%S").to_string());
                }
                "session" => {
                    let session = json!({ "event_id": event, "title": name });
                    let tool = "create_event_session";
                    let session = self.colleague.make(Host::Events, tool, session);
                    place["session_id"] = session["id"].clone();
                }
                _ => place[fact] = json!(value),
            }
        }
        self.colleague
            .make(Host::Events, "create_event_place", place);
    }

    fn add_guest<'a>(&mut self, name: &str, facts: impl Iterator<Item = (&'a str, &'a str)>) {
        let mut guest =
            json!({ "event_id": self.school.event_id(LAUNCH), "name": name, "tags": {} });
        let mut is_of_session = false;
        for (fact, value) in facts {
            match (fact, value) {
                ("role", role) => guest["role"] = json!(role),
                ("session", _) => is_of_session = true,
                (tag, "false") => guest["tags"][tag] = json!(false),
                (tag, value) => guest["tags"][tag] = json!(value),
            }
        }
        let guest = self
            .colleague
            .make(Host::Events, "create_event_guest", guest);
        self.in_session
            .extend(is_of_session.then(|| guest["id"].clone()));
    }

    fn fill_session(&mut self) {
        let sql = "select id::text from events.sessions where organization_id = $1";
        let session = self.school.value(sql, &[&self.school.organization.id.0]);
        let update = json!({ "id": session, "guest_ids": self.in_session });
        self.colleague
            .make(Host::Events, "update_event_session", update);
    }

    /// The guests inside each place, and, without a name, at the event.
    fn inside(&self) -> BTreeMap<String, i64> {
        let sql = "select concat(p.name, ' ', count(*) filter (where s.direction = 'in')) \
             from (select id, name from events.places where organization_id = $1 union all select null, '') p \
             left join events.presence s on s.organization_id = $1 and s.place_id is not distinct from p.id \
             group by p.id, p.name";
        let counts = self.school.texts(sql, &[&self.school.organization.id.0]);
        let counts = counts.iter().flatten().map(|text| {
            let (name, count) = text.split_once(' ').expect("a name and a count");
            (name.to_owned(), count.parse().expect("a number"))
        });
        counts.collect()
    }

    /// The log has each of these movements once, and none besides that passed.
    fn log_is(&self, done: &[Done]) {
        let sql = "select concat_ws('|', g.name, direction, to_char(m.at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS'), p.name) \
             || case verdict when 'passed' then '' else '?' end \
             from events.movements m left join events.places p on p.id = m.place_id join events.guests g on g.id = m.guest_id \
             where m.organization_id = $1 and verdict in ('passed', 'already')";
        let rows = self.school.texts(sql, &[&self.school.organization.id.0]);
        let mut rows: BTreeSet<String> = rows.into_iter().flatten().collect();
        for (name, direction, at, place) in done {
            let at = at
                .to_zoned(TimeZone::UTC)
                .strftime("%Y-%m-%dT%H:%M:%S.%3f")
                .to_string();
            let place = if place.is_empty() {
                String::new()
            } else {
                format!("|{place}")
            };
            let row = format!("{name}|{direction}|{at}{place}");
            // A second desk's entry of a guest who is inside is `already`.
            let is_there = rows.remove(&row) || rows.remove(&format!("{row}?"));
            assert!(is_there, "{row} is lost");
        }
        rows.retain(|row| !row.ends_with('?'));
        assert!(rows.is_empty(), "nobody did {rows:?}");
    }

    /// Direction and verdict of each movement at a place, in the order of their times.
    fn log(&self) -> Vec<String> {
        let sql = "select concat_ws(' ', direction, g.name, p.name, '→', concat_ws(', ', verdict, despite)) \
             from events.movements m join events.places p on p.id = m.place_id join events.guests g on g.id = m.guest_id \
             where m.organization_id = $1 and verdict <> 'already' order by at, m.created_at";
        let log = self.school.texts(sql, &[&self.school.organization.id.0]);
        log.into_iter().flatten().collect()
    }
}

/// A guest comes to a desk or leaves. What the desk says, in the words of the file.
fn tries(t: &mut Desk, direction: &str, guest: &str, is_let_in: bool) -> String {
    if direction == "out" {
        t.search(guest).press("f3");
        if !["OUT", "WAITING"]
            .iter()
            .any(|word| t.banner().contains(word))
        {
            t.expect_toast("The guest is not inside").press("esc");
            return "not_inside".to_owned();
        }
    } else {
        t.search(guest).press("enter");
    }
    let said = said(t);
    if !is_let_in || said == "passed" {
        return said;
    }
    t.press("ctrl-d").enter("the host's guest");
    format!("{}, {said}", self::said(t))
}

/// The verdict of the banner.
fn said(t: &mut Desk) -> String {
    let banner = t.banner();
    let verdicts = [
        ("ALREADY CHECKED IN", "already"),
        ("CHECKED IN", "passed"),
        ("OUT", "passed"),
        ("WAITING", "passed"),
        ("WRONG ENTRANCE", "wrong_entrance"),
        ("FULL", "full"),
        ("NOT YET", "not_yet"),
        ("CLOSED", "closed"),
        ("ONLY ONCE", "once"),
        ("BLOCKED", "blocked"),
    ];
    let said = verdicts.iter().find(|(words, _)| banner.contains(words));
    said.map_or(banner.clone(), |(_, verdict)| (*verdict).to_owned())
}

/// Plays what the file says about places, at a desk for each, with the network or without.
fn plays(is_online: bool) {
    let (_, cases) = CASES.split_once("\nentrances\n").expect("entrances");
    let (cases, _) = cases
        .split_once("\n# Heard of late")
        .expect("what only hosts decide");
    let lines = cases
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (cases, facts): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.contains(" → "));
    let mut evening = Evening::begin();
    facts.iter().for_each(|line| evening.add(line));
    evening.fill_session();
    let mut desks: BTreeMap<&str, Desk> = BTreeMap::new();
    for (number, place) in ["Hall", "Stage", "Lounge", "Lunch", "Workshop", "Camp"]
        .into_iter()
        .enumerate()
    {
        let setup = evening.school.desk(Role::Staff).over_a_network();
        let setup = setup.gate("North").place(place).number(number as u64 * 256);
        let mut desk = setup.at(LAUNCH);
        desk.expect_title("on this desk ✓").expect_head(place);
        if !is_online {
            desk.network().go_down();
        }
        desks.insert(place, desk);
    }
    let (mut wrong, mut right_log) = (Vec::new(), Vec::new());
    let mut inside: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for line in cases {
        let (case, right) = line.split_once(" → ").expect("an arrow");
        let words: Vec<&str> = case.split(' ').collect();
        let [time, direction, guest, place, ref more @ ..] = words[..] else {
            continue;
        };
        let Some(t) = desks.get_mut(place) else {
            continue;
        };
        let at = NOW + SignedDuration::from_secs(seconds(time));
        t.passes(at.duration_since(t.now()));
        let decided = tries(t, direction, guest, !more.is_empty());
        if decided != right {
            wrong.push(format!("{case} → {decided}, not {right}"));
        }
        // Who was let in for a reason was turned away first. Of the others the desk, or the host, need not tell.
        let rule = right.strip_prefix("passed, ");
        let rows = rule.into_iter().chain([right]);
        let rows = rows.filter(|right| !["not_inside", "already"].contains(right));
        right_log.extend(rows.map(|right| format!("{direction} {guest} {place} → {right}")));
        if right.starts_with("passed") {
            let there = inside.entry(place.to_owned()).or_default();
            match direction {
                "in" => there.insert(guest),
                _ => there.remove(guest),
            };
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for t in desks.values_mut() {
        t.network().come_back();
        t.seconds(30);
        if !is_online {
            t.expect_toast("waiting check-ins delivered");
        }
    }
    assert_eq!(evening.log(), right_log);
    let of_places = evening
        .inside()
        .into_iter()
        .filter(|(name, _)| !name.is_empty());
    let inside = inside
        .into_iter()
        .map(|(place, there)| (place, there.len() as i64));
    assert_eq!(
        of_places.collect::<BTreeMap<_, _>>(),
        inside.collect::<BTreeMap<_, _>>()
    );
}

#[test]
fn who_enters_a_place_is_decided_as_the_file_says() {
    plays(true);
}

#[test]
fn who_enters_a_place_is_decided_as_the_file_says_without_the_network() {
    plays(false);
}

/// What a robot makes of chance: the same in each run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(self.0 >> 33).expect("a number") % most
    }
}

/// A movement that a desk has accepted: who, the direction, when, and where.
type Done = (String, &'static str, Timestamp, &'static str);

/// Where a robot's desk stands: the gate, and the place.
const POSTS: [(&str, &str); 5] = [
    ("North", ""),
    ("South", ""),
    ("East", ""),
    ("East", "Hall"),
    ("South", "Stage"),
];

/// A robot's evening: which guests are where, by what the desks have accepted.
struct Robots {
    desks: Vec<Desk>,
    inside: BTreeSet<(&'static str, usize)>,
    done: Vec<Done>,
    chance: Chance,
}

impl Robots {
    /// One guest tries one desk: in, if they are outside there, or out.
    fn step(&mut self, guests: usize) {
        let guest = self.chance.below(guests);
        let desk = self.chance.below(POSTS.len());
        let (_, place) = POSTS[desk];
        let is_in = self.inside.contains(&(place, guest));
        let is_elsewhere = POSTS.iter().any(|(_, other)| {
            !other.is_empty() && *other != place && self.inside.contains(&(other, guest))
        });
        let is_at_event = self.inside.contains(&("", guest));
        // Nobody is in two places, or in a place and not at the event.
        if is_elsewhere || !place.is_empty() && !is_at_event {
            return;
        }
        let direction = if is_in { "out" } else { "in" };
        let name = format!("Guest {guest:02}");
        let t = &mut self.desks[desk];
        let is_let_in = self.chance.below(4) == 0;
        let decided = tries(t, direction, &name, is_let_in);
        if decided.starts_with("passed") {
            self.done.push((name, direction, t.now(), place));
            match is_in {
                true => drop(self.inside.remove(&(place, guest))),
                false => drop(self.inside.insert((place, guest))),
            }
        }
    }
}

#[test]
fn after_an_evening_of_robots_with_two_outages_the_numbers_are_what_they_did() {
    const GUESTS: usize = 40;
    const STEPS: usize = 400;
    let mut evening = Evening::begin();
    evening.add("place Hall | tag=vip | capacity=6");
    evening.add("place Stage | roles=crew, speaker");
    for guest in 0..GUESTS {
        let facts = [
            "",
            " | vip=true",
            " | role=crew",
            " | role=speaker | vip=gold",
        ];
        evening.add(&format!("guest Guest {guest:02}{}", facts[guest % 4]));
    }
    let desks = POSTS.iter().enumerate().map(|(number, (gate, place))| {
        let setup = evening.school.desk(Role::Staff).over_a_network();
        let setup = setup.gate(gate).number(number as u64 * 256);
        let setup = if place.is_empty() {
            setup
        } else {
            setup.place(place)
        };
        let mut desk = setup.at(LAUNCH);
        desk.expect_title("on this desk ✓");
        desk
    });
    let mut robots = Robots {
        desks: desks.collect(),
        inside: BTreeSet::new(),
        done: Vec::new(),
        chance: Chance(71),
    };
    // The network of these desks is down during these steps.
    let outages = [(100..160, vec![0, 3]), (240..300, vec![1, 3, 4])];
    for step in 0..STEPS {
        for (during, desks) in &outages {
            for desk in desks {
                match step {
                    step if step == during.start => robots.desks[*desk].network().go_down(),
                    step if step == during.end => robots.desks[*desk].network().come_back(),
                    _ => {}
                }
            }
        }
        let at = NOW + SignedDuration::from_secs(step as i64 * 7);
        for t in &mut robots.desks {
            t.passes(at.duration_since(t.now()));
        }
        robots.step(GUESTS);
    }
    for t in &mut robots.desks {
        t.seconds(60);
        assert_eq!(t.waiting(), 0);
        t.read_messages();
    }
    let mut right: BTreeMap<String, i64> = BTreeMap::new();
    for place in ["", "Hall", "Stage"] {
        let inside = robots.inside.iter().filter(|(of, _)| *of == place);
        right.insert(place.to_owned(), inside.count() as i64);
    }
    assert_eq!(evening.inside(), right);
    assert!(robots.done.len() > 150, "{}", robots.done.len());
    evening.log_is(&robots.done);
}
