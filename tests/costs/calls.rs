//! What each call costs, and each list of tools, for `tests/costs/run`: the calls are those of the tables of rights.

use std::collections::BTreeMap;
use std::path::PathBuf;

use frontdesk_protocol::{Declaration, Host, Role};
use frontdesk_server::database::{Database, Location};
use frontdesk_server::server::{Server, Settings};
use frontdesk_tests::Relay;
use frontdesk_tests::blocking::{Answer, Http, Organization, Owner, world};
use frontdesk_tests::world::{identity, run};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::access::hosts::{AREAS, Area, Case, Made};

mod among;
mod largest;

/// About as many records of each kind as the organisation has.
const SIZES: [usize; 2] = [1_000, 100_000];

/// The statements of the last call, apart from those that begin and end its transaction.
const STATEMENTS: &str = "\
    select coalesce(sum(s.calls), 0)::bigint, coalesce(sum(s.rows), 0)::bigint, \
           coalesce(sum(s.shared_blks_hit + s.shared_blks_read), 0)::bigint \
    from pg_stat_statements s where s.userid = 'authenticated'::regrole and s.query not like '%app.enter(%' \
       and s.query not like 'select set_config(%'";

/// What a call costs: the most of a tool's calls.
#[derive(Debug, Default, Clone, Copy, Serialize)]
struct Cost {
    /// Round trips between server and database.
    flights: usize,
    statements: i64,
    /// Rows that the statements returned or wrote.
    rows: i64,
    /// Pages of 8 KiB that the statements touched.
    buffers: i64,
    /// The length of the result.
    bytes: usize,
}

impl Cost {
    fn max(self, other: Cost) -> Cost {
        Cost {
            flights: self.flights.max(other.flights),
            statements: self.statements.max(other.statements),
            rows: self.rows.max(other.rows),
            buffers: self.buffers.max(other.buffers),
            bytes: self.bytes.max(other.bytes),
        }
    }
}

/// A server behind a relay that counts flights, and the owner's view of its statements.
struct Scale {
    relay: Relay,
    server: Server,
    owner: Owner,
}

impl Scale {
    /// A server behind the relay, or beside it if `is_direct`: it counts no flights then, and takes no time.
    fn new(is_direct: bool) -> Scale {
        let owner = world().owner();
        let set_up = "reset role; create extension if not exists pg_stat_statements";
        owner.batch_execute(set_up).expect("pg_stat_statements");
        let socket = "select current_setting('unix_socket_directories') || '/.s.PGSQL.' || current_setting('port')";
        let socket: String = owner.query_one(socket, &[]).expect("a socket").get(0);
        let relay = run(Relay::before(PathBuf::from(socket)));
        let location = match frontdesk_tests::server::location() {
            Some(location) if is_direct => location,
            _ => relay.address().parse().expect("an address"),
        };
        // One connection, so that a call finds its statements prepared.
        let database = run(Database::open(&location, 1)).expect("a database");
        let settings = Settings {
            calls_per_minute: 0,
            identity: identity(),
            ..Settings::local(Location::Memory)
        };
        let server = run(Server::over(database, settings)).expect("it starts");
        Scale {
            relay,
            server,
            owner,
        }
    }

    /// The cost of this call.
    fn weigh(&self, call: impl FnOnce() -> Answer) -> Result<Cost, String> {
        let reset = "select pg_stat_statements_reset()";
        self.owner.batch_execute(reset).expect("it is reset");
        let flights = self.relay.flights();
        let answer = call();
        let flights = self.relay.flights() - flights;
        if answer.body["result"]["isError"] != false {
            return Err(answer.body.to_string());
        }
        let row = self.owner.query_one(STATEMENTS, &[]).expect("statements");
        Ok(Cost {
            flights,
            statements: row.get(0),
            rows: row.get(1),
            buffers: row.get(2),
            bytes: answer.body["result"].to_string().len(),
        })
    }
}

/// The sessions of an organisation's accounts, one for each host and role.
struct Callers<'a> {
    organization: Organization,
    scale: &'a Scale,
    signed_in: BTreeMap<&'static str, Http>,
    at: BTreeMap<(Host, &'static str), Http>,
}

impl Callers<'_> {
    fn at(&mut self, host: Host, role: Role) -> &mut Http {
        let signed_in = self.signed_in.entry(role.name()).or_insert_with(|| {
            let http = self.organization.sign_in(role);
            let http = http.with_person(&self.organization.email(role));
            let mut http = http.at(&self.scale.server.url());
            // As the app does, which asks people itself: other programs pay a read every ten seconds for the
            // organisation's rule.
            http.agent = Some("frontdesk/costs");
            http
        });
        self.at
            .entry((host, role.name()))
            .or_insert_with(|| signed_in.clone())
    }
}

/// A tool's calls, with their callers: those of the tables, and of a list one with as few arguments as possible.
fn calls(area: &Area, made: &Made, tool: &str) -> Vec<(Role, Value)> {
    // Its preview searches a history of a hundred thousand calls, which on a slow machine takes longer than a statement may.
    if tool == "forget_person" {
        return Vec::new();
    }
    let cases = area.cases.iter().filter(|case| case.tool == tool);
    let caller = |case: &Case| {
        Role::ALL
            .into_iter()
            .find(|role| case.may.includes(*role, 80))
    };
    let mut calls: Vec<_> = cases
        .filter_map(|case| Some((caller(case)?, (case.arguments)(made))))
        .collect();
    let declared = area.host.tool(tool).expect(tool);
    if tool.starts_with("list_") || declared.effect.read_only && calls.is_empty() {
        let (role, full) = calls.first().cloned().unwrap_or((Role::Owner, json!({})));
        calls.extend(bare(declared, &full).map(|bare| (role, bare)));
    }
    calls
}

/// These arguments without the optional ones; `None` if a required one is missing.
fn bare(declared: &Declaration, full: &Value) -> Option<Value> {
    let schema = declared.input_schema();
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let bare: Option<Map<_, _>> = (required.iter().filter_map(Value::as_str))
        .map(|name| Some((name.to_owned(), full.get(name)?.clone())))
        .collect();
    Some(bare?.into())
}

/// The costs of each tool, by `host.tool`, and the refusals of the calls that could not be weighed.
type Costs = (BTreeMap<String, Cost>, BTreeMap<String, String>);

/// The records of each host's tables.
type Records = BTreeMap<Host, Made>;

/// A call beside the tables, by the owner: a host, a tool, its arguments.
type Also = (Host, &'static str, fn(&Records) -> Value);

/// Creates what the tables create only with a call, so that there is more of it.
const BEFORE: &[Also] = &[
    (
        Host::Learn,
        "mark_lesson_complete",
        |m| json!({ "lesson_id": m[&Host::Learn]["lesson"] }),
    ),
    (
        Host::Proposals,
        "set_submission_answer",
        |m| json!({ "id": m[&Host::Proposals]["submission"], "question": 2, "answer": "Now." }),
    ),
    (
        Host::Staff,
        "record_payment",
        |m| json!({ "invoice_id": m[&Host::Staff]["sent"], "amount": 1 }),
    ),
    (
        Host::Studio,
        "set_slides",
        |m| json!({ "video_lesson_id": m[&Host::Studio]["video"], "slides": [{ "title": "Why" }] }),
    ),
];

/// Tools that the tables do not call, because their records are of several hosts.
const ELSEWHERE: &[Also] = &[
    (
        Host::Events,
        "resolve_chat_id",
        |m| json!({ "guest_id": m[&Host::Events]["own_guest"] }),
    ),
    (
        Host::Learn,
        "get_profile",
        |m| json!({ "id": m[&Host::Learn]["owner_user"] }),
    ),
    (
        Host::Ops,
        "agenda",
        |_| json!({ "from": "2026-03-01", "to": "2026-03-31" }),
    ),
    (Host::Ops, "search", |_| json!({ "text": "Ana" })),
    (
        Host::Ops,
        "event_report",
        |m| json!({ "event_id": m[&Host::Events]["event"] }),
    ),
    (
        Host::Ops,
        "cohort_milestones",
        |m| json!({ "cohort_id": m[&Host::Learn]["cohort"] }),
    ),
    (
        Host::Ops,
        "suggest_matches",
        |m| json!({ "account_id": m[&Host::Financing]["bank"] }),
    ),
    (
        Host::Ops,
        "check_in_guests",
        |m| json!({ "event_id": m[&Host::Events]["event"], "ids": [m[&Host::Events]["other_guest"]] }),
    ),
    (
        Host::Ops,
        "add_guests",
        |m| json!({ "event_id": m[&Host::Events]["event"], "guests": [{ "name": "Ana Souza" }, { "name": "Bia" }] }),
    ),
    (Host::Ops, "create_work_tree", |m| {
        json!({ "name": "Launch", "tasks": [{
            "name": "Text", "stage_id": "spec", "context": {}, "owner_id": m[&Host::Ops]["fellow"],
        }] })
    }),
    (
        Host::Ops,
        "remove_guest",
        |m| json!({ "id": m[&Host::Events]["other_guest"] }),
    ),
    (Host::Quiz, "list_attempts", |_| json!({})),
    (
        Host::Studio,
        "list_slides",
        |m| json!({ "video_lesson_id": m[&Host::Studio]["video"] }),
    ),
    (
        Host::Studio,
        "list_thumbnails",
        |m| json!({ "video_lesson_id": m[&Host::Studio]["video"] }),
    ),
];

/// Fills the tables of an organisation: `sizes` is empty, or a list of values with the sizes of single tables.
fn fill(owner: &Owner, organization: &Organization, size: usize, sizes: &str) {
    let fill = include_str!("fill.sql").replace("{organization}", &organization.id.to_string());
    let sizes = match sizes {
        "" => "select null, null where false".to_owned(),
        values => format!("values {values}"),
    };
    let fill = fill.replace("{size}", &size.to_string());
    let fill = fill.replace("{sizes}", &sizes);
    owner.batch_execute("reset role").expect("a superuser");
    owner.batch_execute(&fill).expect("it is filled");
    let after = "drop table filled, long, many, sizes; reset session_replication_role";
    owner.batch_execute(after).expect("it is filled");
    let vacuum = owner.batch_execute("vacuum (analyze)");
    vacuum.expect("statistics");
}

/// Creates the records of all hosts' tables in a new organisation, and so many copies of them.
fn prepare(size: usize, sizes: &str) -> (Organization, Records) {
    let organization = Organization::create();
    for role in Role::ALL {
        organization.level(role, 80);
    }
    let mut owner = organization.sign_in(Role::Owner);
    let records = AREAS
        .iter()
        .map(|area| (area.host, Made::of(area, organization, &mut owner)));
    let records = Records::from_iter(records);
    for (host, tool, arguments) in BEFORE {
        owner.call(*host, tool, arguments(&records)).output();
    }
    let series = organization.series("Daily");
    let occurrence = organization.occurrence(series, "2026-03-04", None, None);
    let segment = "insert into work.transcript_segments (organization_id, occurrence_id, position, content) values ($1, $2, 1, 'Hello')";
    let database = world().owner();
    let added = database.execute(segment, &[&organization.id.0, &occurrence.0]);
    added.expect("a segment");
    fill(&database, &organization, size, sizes);
    (organization, records)
}

fn every_call(scale: &Scale, size: usize) -> Costs {
    let (organization, records) = prepare(size, "");
    let mut callers = Callers {
        organization,
        scale,
        signed_in: BTreeMap::new(),
        at: BTreeMap::new(),
    };
    let mut areas: Vec<_> = AREAS.iter().collect();
    // These delete members and accounts, which the other hosts' calls name.
    areas.sort_by_key(|area| {
        [Host::Staff, Host::Learn, Host::Ops]
            .iter()
            .position(|host| *host == area.host)
    });
    let (mut costs, mut refused) = Costs::default();
    for area in areas {
        let mut tools: Vec<_> = area.cases.iter().map(|case| case.tool).collect();
        let others = area.host.tools().map(|tool| tool.name);
        tools.extend(others.filter(|name| !area.cases.iter().any(|case| case.tool == *name)));
        tools.dedup();
        for tool in tools {
            let name = format!("{}.{tool}", area.host);
            let is_read = area.host.tool(tool).expect(tool).effect.read_only;
            let mut calls = calls(area, &records[&area.host], tool);
            let also = ELSEWHERE
                .iter()
                .filter(|(host, other, _)| (*host, *other) == (area.host, tool));
            calls.extend(also.map(|(.., arguments)| (Role::Owner, arguments(&records))));
            for (role, arguments) in calls {
                let caller = callers.at(area.host, role);
                let mut params = json!({ "name": tool, "arguments": arguments });
                // The first time prepares the statements.
                let mut first = params.clone();
                first["_meta"] = json!({ "frontdesk/preview": !is_read });
                caller.rpc(area.host, "tools/call", first);
                match scale.weigh(|| caller.rpc(area.host, "tools/call", params.take())) {
                    Ok(cost) => {
                        let most = costs.entry(name.clone()).or_default();
                        *most = cost.max(*most);
                    }
                    Err(refusal) => {
                        refused.insert(name.clone(), refusal);
                    }
                }
            }
        }
    }
    (costs, refused)
}

/// The length of the tools that each role is offered, by host and role.
fn every_list(organization: Organization) -> BTreeMap<String, BTreeMap<&'static str, usize>> {
    let mut lists = BTreeMap::<_, BTreeMap<_, _>>::new();
    for role in Role::ALL {
        let mut caller = organization.sign_in(role);
        for host in Host::ALL {
            // A host can be closed to a role.
            let opened = caller.initialize(host, "2025-11-25");
            if opened.body["error"].is_object() {
                continue;
            }
            let (mut bytes, mut params) = (0, json!({}));
            loop {
                let answer = caller.rpc(host, "tools/list", params);
                bytes += answer.result()["tools"].to_string().len();
                let next = &answer.result()["nextCursor"];
                if next.is_null() {
                    break;
                }
                params = json!({ "cursor": next });
            }
            let of_host = lists.entry(host.to_string()).or_default();
            of_host.insert(role.name(), bytes / 4);
        }
    }
    lists
}

#[test]
#[ignore = "run by tests/costs/run"]
fn every_call_is_weighed() {
    if !frontdesk_tests::is_asked_for() {
        return;
    }
    let output = std::env::var("FRONTDESK_COSTS").expect("where the costs go");
    let scale = Scale::new(false);
    let tokens = every_list(Organization::create());
    let [small, large] = SIZES.map(|size| every_call(&scale, size));
    let costs = json!({ "tokens": tokens, "small": small, "large": large });
    std::fs::write(output, costs.to_string()).expect("a file");
}
