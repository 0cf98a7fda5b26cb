//! Who passes an entrance, at the host: the cases of fixtures/door.txt, and the log and the numbers that they leave.

use std::collections::HashMap;

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Http, Organization, run};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value, json};

const CASES: &str = include_str!("../../../fixtures/door.txt");

/// An event with the places and guests of the file.
struct Evening {
    desk: Http,
    teacher: Http,
    event: Value,
    /// The ids by name.
    ids: HashMap<String, Value>,
    session: Value,
}

fn time(text: &str) -> String {
    format!("2026-03-12T{text}:00Z")
}

fn facts(line: &str) -> (&str, Vec<(&str, &str)>) {
    let mut facts = line.split(" | ");
    let name = facts.next().expect("a name");
    let facts = facts.map(|fact| fact.split_once('=').unwrap_or((fact, "")));
    (name, facts.collect())
}

impl Evening {
    async fn begin(organization: &Organization) -> Evening {
        let event = json!(organization.event("Launch").await);
        let mut desk = organization.sign_in(Role::Staff).await;
        let session = json!({ "event_id": event, "title": "Workshop" });
        let session =
            desk.events("create_event_session", session).await.output()["session"]["id"].clone();
        Evening {
            desk,
            teacher: organization.sign_in(Role::Teacher).await,
            event,
            ids: HashMap::new(),
            session,
        }
    }

    async fn add_place(&mut self, line: &str) {
        let (name, facts) = facts(line);
        let mut place = json!({ "event_id": self.event, "name": name });
        for (fact, value) in facts {
            match fact {
                "roles" => place["roles"] = value.split(", ").collect(),
                "once" => place["once"] = json!(true),
                "session" => place["session_id"] = self.session.clone(),
                "capacity" => place["capacity"] = json!(value.parse::<u32>().expect("a number")),
                "opens" | "closes" => place[format!("{fact}_at")] = json!(time(value)),
                "empties" => {
                    let at: Timestamp = time(value).parse().expect("a time");
                    let at = at.in_tz("America/Sao_Paulo").expect("a time");
                    place["empties_at"] = json!(at.strftime("%H:%M").to_string());
                }
                _ => place[fact] = json!(value),
            }
        }
        let made = self.desk.events("create_event_place", place).await;
        self.ids
            .insert(name.to_owned(), made.output()["place"]["id"].clone());
    }

    async fn add_guest(&mut self, line: &str) {
        let (name, facts) = facts(line);
        let mut guest = json!({ "event_id": self.event, "name": name });
        let mut tags = Map::new();
        for (fact, value) in &facts {
            match (*fact, *value) {
                ("role", role) => guest["role"] = json!(role),
                ("session", _) => {}
                (tag, "false") => drop(tags.insert(tag.to_owned(), json!(false))),
                (tag, value) => drop(tags.insert(tag.to_owned(), json!(value))),
            }
        }
        guest["tags"] = tags.into();
        let made = self.desk.events("create_event_guest", guest).await;
        self.ids
            .insert(name.to_owned(), made.output()["guest"]["id"].clone());
    }

    /// The guests of the file's session.
    async fn fill_session(&mut self, names: &[&str]) {
        let guests: Vec<_> = names.iter().map(|name| &self.ids[*name]).collect();
        let update = json!({ "id": self.session, "guest_ids": guests });
        self.desk
            .events("update_event_session", update)
            .await
            .output();
    }

    /// The verdict about a case.
    async fn tries(&mut self, case: &str) -> String {
        let words: Vec<_> = case.split(' ').collect();
        let mut movement =
            json!({ "guest_id": self.ids[words[2]], "direction": words[1], "gate": "North" });
        let is_teacher = words.contains(&"teacher");
        for word in &words[3..] {
            match *word {
                "teacher" => {}
                "late" => movement["decided"] = json!("passed"),
                "south" => movement["gate"] = json!("South"),
                "back" => movement["takes_back"] = json!(true),
                "because" => movement["reason"] = json!("the host's guest"),
                place => movement["place_id"] = self.ids[place].clone(),
            }
        }
        let desk = match is_teacher {
            true => &mut self.teacher,
            false => &mut self.desk,
        };
        let answer = desk
            .events_at("record_movement", movement, &time(words[0]))
            .await;
        let movement = &answer.output()["movement"];
        let word = |field: &str| movement[field].as_str().map(str::to_owned);
        [word("verdict"), word("despite")]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// Asserts that each of these has this verdict, and leaves so many guests in the hall.
    async fn leaves(&mut self, cases: &[(&str, &str, u64)]) {
        for (case, verdict, inside) in cases {
            assert_eq!(self.tries(case).await, *verdict, "{case}");
            assert_eq!(self.in_hall().await, *inside, "{case}");
        }
    }

    /// The number of guests in the hall.
    async fn in_hall(&mut self) -> Value {
        let places = self.list("list_event_places", "places").await;
        let hall = places.iter().find(|place| place["name"] == "Hall");
        hall.expect("the hall")["inside_count"].clone()
    }

    async fn list(&mut self, tool: &str, kind: &str) -> Vec<Value> {
        let all = json!({ "event_id": self.event, "limit": 100 });
        let answer = self.desk.events(tool, all).await;
        answer.output()[kind].as_array().expect("a list").clone()
    }
}

#[test]
fn who_passes_is_as_the_file_says_and_the_numbers_are_those_who_passed() {
    let (_, cases) = CASES.split_once("\nentrances\n").expect("entrances");
    let mut wrong = Vec::new();
    run(async {
        let organization = Organization::create().await;
        let mut evening = Evening::begin(&organization).await;
        let (mut in_session, mut inside) = (Vec::new(), HashMap::<&str, i64>::new());
        let mut tried = 0;
        for line in cases
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
        {
            if let Some(line) = line.strip_prefix("place ") {
                evening.add_place(line).await;
            } else if let Some(line) = line.strip_prefix("guest ") {
                evening.add_guest(line).await;
                let (name, facts) = facts(line);
                in_session.extend(
                    facts
                        .iter()
                        .any(|(fact, _)| *fact == "session")
                        .then_some(name),
                );
            } else {
                if tried == 0 {
                    evening.fill_session(&in_session).await;
                }
                let (case, right) = line.split_once(" → ").expect("an arrow");
                tried += 1;
                let decided = evening.tries(case).await;
                if decided != right {
                    wrong.push(format!("{case} → {decided}, not {right}"));
                }
                let place = case
                    .split(' ')
                    .nth(3)
                    .filter(|word| !["late", "because", "teacher"].contains(word));
                if let Some(place) = place.filter(|_| right.starts_with("passed")) {
                    *inside.entry(place).or_default() += if case.contains(" in ") { 1 } else { -1 };
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        // Each movement is a row of the log, whatever became of it.
        let one = json!({ "event_id": evening.event, "limit": 1 });
        let meta = json!({ "frontdesk/total": "exact" });
        let params = json!({ "name": "list_movements", "arguments": one, "_meta": meta });
        let counted = evening.desk.rpc(Host::Events, "tools/call", params).await;
        assert_eq!(counted.output()["total"], tried);
        for place in evening.list("list_event_places", "places").await {
            let name = place["name"].as_str().expect("a name");
            if place["empties_at"].is_string() {
                inside.remove(name);
            }
            assert_eq!(
                place["inside_count"],
                inside.get(name).copied().unwrap_or(0),
                "{name}"
            );
        }
        // Who passed any entrance has come.
        let guests = evening.list("list_event_guests", "guests").await;
        for guest in guests {
            assert!(guest["check_in_at"].is_string(), "{guest}");
        }
    });
}

#[test]
fn a_place_that_nobody_may_enter_is_told_and_keeps_its_session() {
    run(async {
        let organization = Organization::create().await;
        let mut evening = Evening::begin(&organization).await;
        evening.add_guest("Ana | role=Speaker | VIP=yes").await;
        let place = json!({ "event_id": evening.event, "name": "Lounge", "roles": ["speaker", "crew"], "tag": "vip" });
        let made = evening.desk.events("create_event_place", place).await;
        let warnings = made.output()["warnings"].to_string();
        for warning in [
            "no guest has the role “crew”",
            "no guest has the tag “vip”; there is “VIP”",
        ] {
            assert!(warnings.contains(warning), "{warnings}");
        }
        assert!(!warnings.contains("“speaker”"), "{warnings}");
        evening.add_place("Workshop | session").await;
        let session = json!({ "id": evening.session });
        let gone = evening
            .desk
            .events("delete_event_session", session.clone())
            .await;
        assert_eq!(gone.tool_error()["code"], "conflict");
        let lounge =
            json!({ "id": evening.ids["Workshop"], "session_id": null, "roles": ["speaker"] });
        evening
            .desk
            .events("update_event_place", lounge)
            .await
            .output();
        evening
            .desk
            .events("delete_event_session", session)
            .await
            .output();
    });
}

#[test]
fn on_the_next_day_a_place_that_is_emptied_has_room_again() {
    run(async {
        let organization = Organization::create().await;
        let mut evening = Evening::begin(&organization).await;
        evening.add_guest("Ana").await;
        evening.add_guest("Bo").await;
        let noon = Timestamp::now().in_tz("America/Sao_Paulo").expect("now");
        let hours_ago = |hours| noon.timestamp() - SignedDuration::from_hours(hours);
        let emptied = hours_ago(2).in_tz("America/Sao_Paulo").expect("a time");
        for (name, empties) in [
            ("Hall", json!(null)),
            ("Camp", json!(emptied.strftime("%H:%M:%S").to_string())),
        ] {
            let place = json!({
                "event_id": evening.event, "name": name, "capacity": 1, "once": true, "empties_at": empties,
            });
            let made = evening.desk.events("create_event_place", place).await;
            let id = made.output()["place"]["id"].clone();
            evening.ids.insert(name.to_owned(), id);
        }
        let mut comes = async |guest: &str, place: &str, at: Timestamp| {
            let movement = json!({
                "guest_id": evening.ids[guest], "place_id": evening.ids[place], "direction": "in",
            });
            let at = at.to_string();
            let made = evening
                .desk
                .events_at("record_movement", movement, &at)
                .await;
            made.output()["movement"]["verdict"].clone()
        };
        for place in ["Hall", "Camp"] {
            assert_eq!(comes("Ana", place, hours_ago(3)).await, "passed");
        }
        assert_eq!(comes("Bo", "Hall", hours_ago(1)).await, "full");
        assert_eq!(comes("Bo", "Camp", hours_ago(1)).await, "passed");
        assert_eq!(comes("Ana", "Camp", hours_ago(1)).await, "full");
        assert_eq!(comes("Ana", "Camp", hours_ago(3)).await, "already");
        let never = json!({ "id": evening.ids["Hall"], "opens_at": time("12:00"), "closes_at": time("12:00") });
        let refused = evening.desk.events("update_event_place", never).await;
        assert_eq!(refused.tool_error()["message"], "must be after opens_at");
    });
}

#[test]
fn who_leaves_the_event_or_never_came_is_in_none_of_its_places() {
    run(async {
        let organization = Organization::create().await;
        let mut evening = Evening::begin(&organization).await;
        evening.add_guest("Ana").await;
        evening.add_place("Hall").await;
        let cases = [
            ("19:00 in Ana Hall", "passed", 1),
            ("19:10 out Ana", "passed", 0),
            ("19:20 in Ana", "passed", 0),
            ("19:30 in Ana Hall", "passed", 1),
        ];
        evening.leaves(&cases).await;
        let undone = json!({ "id": evening.ids["Ana"], "check_in_at": null });
        evening
            .desk
            .events("update_event_guest", undone)
            .await
            .output();
        assert_eq!(evening.in_hall().await, 0);
        evening
            .leaves(&[("19:40 in Ana Hall south", "passed", 1)])
            .await;
        let report = json!({ "event_id": evening.event });
        let report = evening.desk.call(Host::Ops, "event_report", report).await;
        let gates = &report.output()["gates"];
        assert_eq!(*gates, json!([{ "gate": "South", "arrivals": 1 }]));
    });
}

#[test]
fn a_passage_that_was_a_mistake_is_taken_back_by_its_account() {
    run(async {
        let organization = Organization::create().await;
        let mut evening = Evening::begin(&organization).await;
        evening.add_guest("Otto").await;
        evening.add_place("Hall | once").await;
        evening.leaves(&[("19:00 in Otto Hall", "passed", 1)]).await;
        let back = evening.tries("19:05 out Otto Hall back").await;
        assert_eq!(
            (back.as_str(), evening.in_hall().await),
            ("passed", json!(0))
        );
        assert_eq!(
            evening.list("list_movements", "movements").await,
            Vec::<Value>::new()
        );
        let guests = evening.list("list_event_guests", "guests").await;
        assert_eq!(guests[0]["check_in_at"], Value::Null);
        let cases = [
            ("19:10 in Otto Hall", "passed", 1),
            // Another account's desk lets out.
            ("19:15 out Otto Hall back teacher", "passed", 0),
            ("19:20 in Otto Hall", "once", 0),
        ];
        evening.leaves(&cases).await;
        assert_eq!(evening.list("list_movements", "movements").await.len(), 3);
    });
}

#[test]
fn a_merged_guest_keeps_the_movements_of_both() {
    run(async {
        let organization = Organization::create().await;
        let mut evening = Evening::begin(&organization).await;
        evening.add_guest("Rosa").await;
        evening.add_guest("Rose").await;
        evening.add_place("Hall | once").await;
        evening.leaves(&[("19:00 in Rose Hall", "passed", 1)]).await;
        let before = evening.list("list_movements", "movements").await;
        let merge = json!({ "keep_id": evening.ids["Rosa"], "remove_id": evening.ids["Rose"] });
        let merged = evening.desk.call(Host::Ops, "merge_guests", merge).await;
        assert_eq!(merged.output()["movements"], 1);
        let cases = [
            ("19:10 in Rosa Hall", "already", 1),
            ("19:15 out Rosa Hall", "passed", 0),
            ("19:20 in Rosa Hall", "once", 0),
        ];
        evening.leaves(&cases).await;
        let moved = evening.list("list_movements", "movements").await;
        let first = moved.last().expect("the entry");
        assert_eq!(first["guest_id"], evening.ids["Rosa"]);
        for field in ["at", "gate", "user_id", "verdict"] {
            assert_eq!(first[field], before[0][field], "{field}");
        }
    });
}
