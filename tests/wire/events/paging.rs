//! Pages: a stable order, every record once, and `has_more` exact.

use std::collections::HashSet;

use frontdesk_protocol::Host;
use frontdesk_protocol::id::EventId;
use frontdesk_tests::blocking::world;
use serde_json::{Value, json};

use super::{Desk, pluck};

/// The list tools, with the key of their records.
const LISTS: [(&str, &str); 6] = [
    ("list_events", "events"),
    ("list_event_sessions", "sessions"),
    ("list_event_guests", "guests"),
    ("list_event_tasks", "tasks"),
    ("list_event_expenses", "expenses"),
    ("list_event_photos", "photos"),
];

impl Desk {
    /// Adds this many records, which only differ in their ids.
    fn fill(&self, records: &str, count: i32) {
        let (organization, unit, event) = (
            self.organization.id.0,
            self.organization.business_unit.0,
            self.event.0,
        );
        let (columns, values) = match records {
            "events" => ("strategy_business_unit_id, name", "$2::uuid, 'Same'"),
            "guests" => ("event_id, name", "$3::uuid, 'Same'"),
            "sessions" | "tasks" => ("event_id, title", "$3::uuid, 'Same'"),
            "expenses" => ("event_id, vendor_name", "$3::uuid, 'Same'"),
            "photos" => ("event_id, url", "$3::uuid, 'https://example.org/'"),
            records => panic!("{records}"),
        };
        let statement = format!(
            "with given as (select $2::uuid, $3::uuid) \
             insert into events.{records} (organization_id, {columns}) \
             select $1::uuid, {values} from given, generate_series(1, $4::int)"
        );
        let owner = world().owner();
        owner
            .execute(&statement, &[&organization, &unit, &event, &count])
            .expect("records");
    }

    /// The arguments that every call of a list needs.
    fn base(&self, tool: &str) -> Value {
        if tool == "list_events" {
            json!({})
        } else {
            json!({ "event_id": self.event })
        }
    }

    /// The ids of all records, page by page.
    fn walk(&mut self, tool: &str, key: &str, arguments: &Value, limit: usize) -> Vec<String> {
        let mut ids = Vec::new();
        loop {
            let mut arguments = arguments.clone();
            arguments["limit"] = json!(limit);
            arguments["offset"] = json!(ids.len());
            let page = self.get(tool, arguments);
            let found = pluck(&page[key], "id");
            let is_full = found.len() == limit;
            ids.extend(found);
            if page["has_more"] == false {
                return ids;
            }
            assert!(is_full, "a page before the last is full");
        }
    }
}

#[test]
fn has_more_is_exact() {
    for (tool, key) in LISTS {
        let mut desk = Desk::open();
        // The desk's event is the first.
        desk.fill(key, if key == "events" { 99 } else { 100 });
        for (limit, offset, length, has_more) in [
            (None, None, 50, true),
            (Some(100), None, 100, false),
            (Some(100), Some(0), 100, false),
            (Some(99), Some(0), 99, true),
            (Some(99), Some(1), 99, false),
            (Some(1), Some(0), 1, true),
            (Some(1), Some(98), 1, true),
            (Some(1), Some(99), 1, false),
            (None, Some(50), 50, false),
            (None, Some(51), 49, false),
            (Some(100), Some(100), 0, false),
            (Some(100), Some(i64::from(u32::MAX)), 0, false),
        ] {
            let mut arguments = desk.base(tool);
            arguments["limit"] = json!(limit);
            arguments["offset"] = json!(offset);
            let page = desk.get(tool, arguments);
            let what = format!("{tool} {limit:?} {offset:?}");
            assert_eq!(page[key].as_array().map(Vec::len), Some(length), "{what}");
            assert_eq!(page["has_more"], has_more, "{what}");
            assert_eq!(page["limit"], limit.unwrap_or(50), "{what}");
            assert_eq!(page["offset"], offset.unwrap_or(0), "{what}");
            let skipped = usize::try_from(offset.unwrap_or(0)).expect("an offset");
            let next = has_more.then(|| json!(skipped + length));
            assert_eq!(page.get("next_offset"), next.as_ref(), "{what}");
            // On the last page only: no other page counts.
            let is_counted = !has_more && length > 0;
            let total = is_counted.then(|| json!(100));
            assert_eq!(page.get("total"), total.as_ref(), "{what}");
            // Nothing is found after the last record.
            let is_noted = length == 0;
            assert_eq!(page.get("note").is_some(), is_noted, "{what}");
            let fields = page.as_object().map(serde_json::Map::len);
            let more = [has_more, is_counted, is_noted].map(usize::from);
            assert_eq!(fields, Some(4 + more.iter().sum::<usize>()), "{what}");
        }
    }
}

#[test]
fn a_list_is_counted_if_the_call_asks_for_it() {
    for (tool, key) in LISTS {
        let mut desk = Desk::open();
        desk.fill(key, if key == "events" { 99 } else { 100 });
        for offset in [0, 10, 200] {
            let mut arguments = desk.base(tool);
            arguments["limit"] = json!(20);
            arguments["offset"] = json!(offset);
            let mut counted = |how: &str| {
                let meta = json!({ "frontdesk/total": how });
                let params = json!({ "name": tool, "arguments": arguments, "_meta": meta });
                desk.staff.rpc(Host::Events, "tools/call", params)
            };
            for how in ["exact", "estimate"] {
                let page = counted(how).output().clone();
                assert_eq!(page["total"], 100, "{tool} from {offset}");
                assert_eq!(page.get("total_is_estimate"), None, "{tool}");
            }
            assert_eq!(counted("about").body["error"]["code"], -32602, "{tool}");
        }
    }
}

#[test]
fn an_estimate_counts_to_ten_thousand_of_the_caller_s_own() {
    let mut desk = Desk::open();
    desk.fill("guests", 10_000);
    let counted = |desk: &mut Desk, event: EventId| {
        let arguments = json!({ "event_id": event, "offset": 100_000 });
        let meta = json!({ "frontdesk/total": "estimate" });
        let params = json!({ "name": "list_event_guests", "arguments": arguments, "_meta": meta });
        let page = desk.staff.rpc(Host::Events, "tools/call", params);
        let page = page.output();
        (page["total"].clone(), page["total_is_estimate"] == true)
    };
    let event = desk.event;
    assert_eq!(counted(&mut desk, event), (json!(10_000), false));
    desk.organization.guest(event, "One more");
    assert_eq!(counted(&mut desk, event), (json!(10_000), true));
    let mut stranger = Desk::open();
    assert_eq!(counted(&mut stranger, event), (json!(0), false));
}

#[test]
fn the_pages_of_every_list_hold_every_record_once() {
    for (tool, key) in LISTS {
        let mut desk = Desk::open();
        desk.fill(key, 60);
        let base = desk.base(tool);
        let whole = desk.walk(tool, key, &base, 100);
        let expected = if key == "events" { 61 } else { 60 };
        assert_eq!(
            whole.iter().collect::<HashSet<_>>().len(),
            expected,
            "{tool}"
        );
        for limit in [1, 7, 60] {
            assert_eq!(
                desk.walk(tool, key, &base, limit),
                whole,
                "{tool} by {limit}"
            );
        }
    }
}

#[test]
fn the_pages_of_250_guests_with_the_same_names_hold_each_once() {
    let mut desk = Desk::open();
    let names: Vec<String> = (0..250).map(|at| format!("Zoë {}", at % 9)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let guests = desk.organization.guests(desk.event, &names);
    let all: HashSet<String> = guests.iter().map(ToString::to_string).collect();

    let base = desk.base("list_event_guests");
    let whole = desk.walk("list_event_guests", "guests", &base, 100);
    assert_eq!(whole.len(), 250);
    assert_eq!(whole.iter().cloned().collect::<HashSet<_>>(), all);
    for limit in [33, 50, 99] {
        assert_eq!(
            desk.walk("list_event_guests", "guests", &base, limit),
            whole,
            "by {limit}"
        );
    }

    // A search that finds everyone finds them in the same order.
    let mut search = base.clone();
    search["search"] = json!("ZOE");
    for limit in [33, 100] {
        assert_eq!(
            desk.walk("list_event_guests", "guests", &search, limit),
            whole,
            "by {limit}"
        );
    }
    // Of 250 numbers, 28 leave the remainder 3 modulo 9.
    search["search"] = json!("zoe 3");
    let some = desk.walk("list_event_guests", "guests", &search, 10);
    assert_eq!(some.len(), 28);
    let in_order: Vec<_> = whole
        .iter()
        .filter(|id| some.contains(id))
        .cloned()
        .collect();
    assert_eq!(some, in_order);
}

#[test]
fn a_search_with_a_filter_is_paged_as_a_whole() {
    let mut desk = Desk::open();
    for at in 0..12 {
        let role = if at % 2 == 0 { "speaker" } else { "guest" };
        let arguments =
            json!({ "event_id": desk.event, "name": format!("Ana {at:02}"), "role": role });
        desk.get("create_event_guest", arguments);
    }
    let mut arguments =
        json!({ "event_id": desk.event, "search": "ana", "role": "speaker", "limit": 4 });
    let first = desk.get("list_event_guests", arguments.clone());
    assert_eq!(
        pluck(&first["guests"], "name"),
        ["Ana 00", "Ana 02", "Ana 04", "Ana 06"]
    );
    assert_eq!(first["has_more"], true);
    arguments["offset"] = json!(4);
    let second = desk.get("list_event_guests", arguments.clone());
    assert_eq!(pluck(&second["guests"], "name"), ["Ana 08", "Ana 10"]);
    assert_eq!(second["has_more"], false);
    arguments["offset"] = json!(2);
    let last = desk.get("list_event_guests", arguments);
    assert_eq!(last["has_more"], false);
}

#[test]
fn guests_are_sorted_however_deep_the_page() {
    let mut desk = Desk::open();
    // md5 gives them another order.
    let fill = "insert into events.guests (organization_id, event_id, name) \
         select $1, $2, md5(n::text) from generate_series(1, 640) n";
    let owner = world().owner();
    let parameters: [&(dyn tokio_postgres::types::ToSql + Sync); 2] =
        [&desk.organization.id.0, &desk.event.0];
    owner.execute(fill, &parameters).expect("guests");
    drop(owner);
    let mut names = Vec::new();
    for offset in (0..640).step_by(80) {
        let page = json!({ "event_id": desk.event, "limit": 80, "offset": offset });
        let page = desk.get("list_event_guests", page);
        names.extend(pluck(&page["guests"], "name"));
    }
    let mut sorted = names.clone();
    sorted.sort();
    sorted.dedup();
    assert_eq!(sorted.len(), 640);
    assert_eq!(names, sorted);
}
