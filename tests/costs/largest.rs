//! Every tool with the largest input that it accepts, among 10,000 records:
//!
//! ```text
//! cargo test --workspace --test suite -- --ignored --nocapture largest        # on the embedded database
//! tests/with-postgres cargo test --workspace --test suite -- --ignored --nocapture largest
//! ```

use std::collections::BTreeMap;
use std::io::Write;
use std::time::{Duration, Instant};

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Http, Organization, world};
use serde_json::{Map, Value, json};

use super::{AREAS, ELSEWHERE, calls, prepare};

/// The number of records of each kind that an organisation has many of.
const SIZE: usize = 10_000;
/// Calls that take longer are listed.
const LISTED: Duration = Duration::from_millis(500);
/// No call may hold the embedded database longer.
const MOST: Duration = Duration::from_secs(2);

/// The longest contents of foreign formats, which a text of words is not.
fn content(tool: &str) -> Option<String> {
    let weekly = |n| {
        format!(
            "BEGIN:VEVENT\r\nUID:{n}\r\nDTSTART:20270104T090000Z\r\nRRULE:FREQ=WEEKLY\r\nEND:VEVENT\r\n"
        )
    };
    let line = |n| format!("2026-03-{:02},Line {n},7.50\n", 1 + n % 28);
    Some(match tool {
        "import_calendar" => format!(
            "BEGIN:VCALENDAR\r\n{}END:VCALENDAR\r\n",
            (0..500).map(weekly).collect::<String>()
        ),
        "ingest_statement" => format!(
            "date,description,amount\n{}",
            (0..2000).map(line).collect::<String>()
        ),
        _ => return None,
    })
}

/// The table whose ids a list of this name has.
fn table(list: &str) -> Option<&'static str> {
    Some(match list {
        "ids" | "guest_ids" => "events.guests",
        "member_ids" => "learn.members",
        "lesson_ids" => "learn.lessons",
        _ => return None,
    })
}

/// What grows; of a call that is refused, less.
#[derive(Debug, Clone, Copy)]
struct Size {
    /// Also texts that the call does not need.
    has_optional: bool,
    /// Also short texts.
    has_short: bool,
    /// Lists have the maximum, divided by this.
    share: usize,
}

impl Size {
    /// From the largest on.
    const ALL: [Size; 4] = [
        Size::of(true, true, 1),
        Size::of(false, true, 1),
        Size::of(false, false, 1),
        Size::of(false, false, 4),
    ];

    const fn of(has_optional: bool, has_short: bool, share: usize) -> Size {
        Size {
            has_optional,
            has_short,
            share,
        }
    }
}

/// The arguments of one tool, made as large as its schema admits.
#[derive(Clone)]
struct Growing<'a> {
    tool: &'a str,
    schema: Value,
    size: Size,
    organization: Organization,
}

impl Growing<'_> {
    /// These arguments, and the optional ones that can be large.
    fn arguments(&self, given: &Map<String, Value>) -> Value {
        self.object(&self.schema, given, "")
    }

    fn object(&self, schema: &Value, given: &Map<String, Value>, mark: &str) -> Value {
        let properties = schema["properties"].as_object().into_iter().flatten();
        let grown = properties.filter_map(|(name, schema)| {
            let schema = self.resolved(schema);
            let value = self.value(name, schema, given.get(name), mark);
            Some((name.clone(), value.or_else(|| given.get(name).cloned())?))
        });
        Value::Object(grown.collect())
    }

    /// The schema itself, or what it refers to.
    fn resolved<'s>(&'s self, schema: &'s Value) -> &'s Value {
        let pointer = schema["$ref"]
            .as_str()
            .and_then(|pointer| pointer.strip_prefix('#'));
        pointer
            .and_then(|pointer| self.schema.pointer(pointer))
            .unwrap_or(schema)
    }

    fn value(
        &self,
        name: &str,
        schema: &Value,
        given: Option<&Value>,
        mark: &str,
    ) -> Option<Value> {
        let size = |key: &str| {
            schema[key]
                .as_u64()
                .and_then(|size| usize::try_from(size).ok())
        };
        match (given, schema["type"].as_str()) {
            _ if name == "limit" => Some(schema["maximum"].clone()),
            (Some(Value::Object(given)), _) => Some(self.object(schema, given, mark)),
            (Some(Value::Array(given)), _) => {
                let most = size("maxItems")? / self.size.share;
                let first = given.first()?;
                if let (Some(table), Some(first)) = (table(name), first.as_str()) {
                    return Some(self.ids(table, first, most));
                }
                let items = self.resolved(&schema["items"]);
                let item = |n: usize| {
                    let grown = self.value("", items, Some(first), &format!("{n} "));
                    grown.unwrap_or_else(|| first.clone())
                };
                Some((0..most).map(item).collect())
            }
            (_, Some("string"))
                if schema["pattern"].is_null()
                    && schema["format"].is_null()
                    && schema["enum"].is_null() =>
            {
                let most = size("maxLength")?;
                let is_grown = (self.size.has_optional || given.is_some())
                    && (self.size.has_short || most >= 10_000);
                if !is_grown || name.ends_with("slug") {
                    return None;
                }
                let text = content(self.tool).filter(|_| most > 100_000);
                Some(text.unwrap_or_else(|| words(mark, most)).into())
            }
            _ => None,
        }
    }

    /// The ids of records beside this one: guests of its event.
    fn ids(&self, table: &str, first: &str, most: usize) -> Value {
        let beside = match table {
            "events.guests" => {
                format!("event_id = (select event_id from {table} where id = '{first}')")
            }
            _ => format!("organization_id = '{}'", self.organization.id),
        };
        let sql = format!("select id::text from {table} where {beside} limit {most}");
        let rows = world().owner().query(&sql, &[]).expect("ids");
        rows.iter().map(|row| row.get::<_, &str>(0)).collect()
    }
}

/// A text of this length.
fn words(mark: &str, most: usize) -> String {
    mark.chars()
        .chain("words of a text ".chars().cycle())
        .take(most)
        .collect::<String>()
        .trim_end()
        .to_owned()
}

/// A call, and what came of it.
struct Made {
    took: Duration,
    tool: String,
    bytes: usize,
    /// Empty if it was accepted.
    refusal: String,
}

/// Previews or makes the largest call of a tool that is accepted, and the larger ones before it.
fn made(
    growing: Growing<'_>,
    host: Host,
    caller: &mut Http,
    given: &Map<String, Value>,
) -> Vec<Made> {
    let declared = host.tool(growing.tool).expect("a tool");
    let mut all: Vec<Made> = Vec::new();
    for size in Size::ALL {
        let arguments = Growing {
            size,
            ..growing.clone()
        }
        .arguments(given);
        let bytes = arguments.to_string().len();
        let meta = json!({ "frontdesk/preview": !declared.effect.read_only });
        let params = json!({ "name": declared.name, "arguments": arguments, "_meta": meta });
        let begun = Instant::now();
        let answer = caller.rpc(host, "tools/call", params);
        let took = begun.elapsed();
        let is_accepted = answer.body["result"]["isError"] == false;
        all.push(Made {
            took,
            tool: format!("{host}.{}", declared.name),
            bytes,
            refusal: match is_accepted {
                true => String::new(),
                false => answer.body.to_string(),
            },
        });
        if is_accepted {
            break;
        }
    }
    all
}

#[test]
#[ignore = "takes a minute, and what it prints is for people"]
fn no_call_holds_the_database_with_the_largest_input_that_it_accepts() {
    if !frontdesk_tests::is_asked_for() {
        return;
    }
    let (organization, records) = prepare(SIZE, "");
    let (mut all, mut callers) = (Vec::new(), BTreeMap::new());
    for area in AREAS {
        for declared in area.host.tools() {
            let mut of_tool = calls(area, &records[&area.host], declared.name);
            let also = ELSEWHERE
                .iter()
                .filter(|(host, tool, _)| (*host, *tool) == (area.host, declared.name));
            of_tool.extend(also.map(|(.., arguments)| (Role::Owner, arguments(&records))));
            for (role, given) in of_tool {
                let caller = callers
                    .entry(role.name())
                    .or_insert_with(|| organization.sign_in(role));
                let growing = Growing {
                    tool: declared.name,
                    schema: declared.input_schema(),
                    size: Size::ALL[0],
                    organization,
                };
                let given = given.as_object().cloned().unwrap_or_default();
                all.extend(made(growing, area.host, caller, &given));
            }
        }
    }
    all.sort_by_key(|made| std::cmp::Reverse(made.took));
    let listed = all.iter().filter(|made| made.took >= LISTED);
    let listed = listed.map(|made| {
        let took = made.took.as_millis();
        format!(
            "{took:5} ms  {}  {} bytes  {:.200}\n",
            made.tool, made.bytes, made.refusal
        )
    });
    let _ = std::io::stdout().write_all(listed.collect::<String>().as_bytes());
    let above: Vec<_> = all
        .iter()
        .filter(|made| made.took > MOST)
        .map(|made| &made.tool)
        .collect();
    assert!(above.is_empty(), "{above:?}");
}
