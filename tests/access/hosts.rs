//! The tools of a host as data: a call of each, and the callers with the right to it. A host is a
//! file of two tables.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Index;
use std::sync::LazyLock;

use frontdesk_protocol::{Host, Role};
use frontdesk_server::hosts::Hosts;
use frontdesk_tests::blocking::{Answer, Http, Organization, world};
use frontdesk_tests::contract::fits;
use frontdesk_tests::{World, run};
use futures::FutureExt;
use serde_json::{Value, json};

use crate::access::stage::{changed, snapshot};

/// A host's tools.
pub(crate) struct Area {
    pub(crate) host: Host,
    /// One record of each kind, in the order of their creation.
    pub(crate) records: &'static [Record],
    /// Every tool at least once; those that delete come last.
    pub(crate) cases: &'static [Case],
    /// The tools with tests outside this folder, each with the right to it. Of a tool that occurs several times, the
    /// rights are to different records.
    pub(crate) elsewhere: &'static [(&'static str, May)],
}

/// A record that is created or found before the calls.
pub(crate) struct Record {
    /// Its name in the tables.
    pub(crate) name: &'static str,
    /// A tool of any host.
    pub(crate) tool: &'static str,
    pub(crate) by: Role,
    /// Where the result has its id (RFC 6901), if not in the first object.
    pub(crate) at: Option<&'static str>,
    pub(crate) arguments: fn(&Made) -> Value,
}

/// A call, and the callers with the right to it.
pub(crate) struct Case {
    pub(crate) tool: &'static str,
    pub(crate) may: May,
    pub(crate) arguments: fn(&Made) -> Value,
}

/// The roles with the right to a call: those of any level, and those that need level 80.
///
/// A read is a right if it shows something; otherwise it shows nothing or is refused.
#[derive(Debug, Clone, Copy)]
pub(crate) struct May(pub(crate) &'static [Role], pub(crate) &'static [Role]);

impl Area {
    /// The tools with a permitted call for this role below level 80.
    pub(crate) fn useful(&self, role: Role) -> BTreeSet<String> {
        let cases = self.cases.iter().map(|case| (case.tool, case.may));
        let all = cases.chain(self.elsewhere.iter().copied());
        let useful = all.filter(|(_, may)| may.includes(role, 0));
        useful.map(|(tool, _)| tool.to_owned()).collect()
    }
}

impl May {
    pub(crate) fn includes(self, role: Role, level: i32) -> bool {
        self.0.contains(&role) || level >= 80 && self.1.contains(&role)
    }
}

/// Everybody except machines.
pub(crate) const PEOPLE: May = May(
    &[
        Role::Owner,
        Role::Admin,
        Role::Staff,
        Role::Teacher,
        Role::Finance,
        Role::Fellow,
    ],
    &[],
);
/// Everybody with a staff row, except machines.
pub(crate) const STAFF: May = May(
    &[
        Role::Owner,
        Role::Admin,
        Role::Staff,
        Role::Teacher,
        Role::Finance,
    ],
    &[],
);
/// The office, with the finance role, and machines.
pub(crate) const OFFICE_AND_MACHINES: May = May(
    &[
        Role::Owner,
        Role::Admin,
        Role::Staff,
        Role::Finance,
        Role::Automation,
    ],
    &[],
);
/// Everybody with a staff row.
pub(crate) const ALL_BUT_FELLOWS: May = May(
    &[
        Role::Owner,
        Role::Admin,
        Role::Staff,
        Role::Teacher,
        Role::Finance,
        Role::Automation,
    ],
    &[],
);
/// Everybody except the finance role and machines.
pub(crate) const ALL_BUT_FINANCE: May = May(
    &[
        Role::Owner,
        Role::Admin,
        Role::Staff,
        Role::Teacher,
        Role::Fellow,
    ],
    &[],
);
/// The office, with the finance role, and fellows.
pub(crate) const OFFICE_AND_FELLOW: May = May(
    &[
        Role::Owner,
        Role::Admin,
        Role::Staff,
        Role::Finance,
        Role::Fellow,
    ],
    &[],
);
/// The staff that teaches, and machines.
pub(crate) const TEACHING_AND_MACHINES: May = May(
    &[
        Role::Owner,
        Role::Admin,
        Role::Staff,
        Role::Teacher,
        Role::Automation,
    ],
    &[],
);
/// The roles that run the organisation from day to day.
pub(crate) const OWNERS: May = May(&[Role::Owner], &[]);
pub(crate) const DESK: May = May(&[Role::Owner, Role::Admin, Role::Staff], &[]);
/// `"tool", MAY, |made| { arguments };` as [`Case`]s.
macro_rules! cases {
    ($($tool:literal, $may:expr, |$made:ident| $arguments:tt;)+) => {
        &[$(crate::access::hosts::Case {
            tool: $tool,
            may: $may,
            arguments: |$made| serde_json::json!($arguments),
        }),+]
    };
}

/// `"name", "tool", |made| { arguments };` as [`Record`]s of the owner; of another role, `"tool" by Admin`; found elsewhere
/// in the result, `"tool" at "/answers/0/id"`.
macro_rules! records {
    ($($name:literal, $tool:literal $(by $role:ident)? $(at $path:literal)?, |$made:ident| $arguments:tt;)+) => {
        &[$(crate::access::hosts::Record {
            name: $name,
            tool: $tool,
            by: [$(frontdesk_protocol::Role::$role,)? frontdesk_protocol::Role::Owner][0],
            at: [$(Some($path),)? None][0],
            arguments: |$made| serde_json::json!($arguments),
        }),+]
    };
}

impl Record {
    /// Creates or finds it, at this host if it has the tool.
    fn make(&self, at: Host, caller: &mut Http, made: &Made) -> Answer {
        let mut hosts = [at].into_iter().chain(Host::ALL);
        let host = hosts.find(|host| host.tool(self.tool).is_some());
        caller.call(host.expect(self.tool), self.tool, (self.arguments)(made))
    }
}

/// An organisation and the ids of its records, by name. Always present: `member`, the `fellow`'s
/// member, `business_unit`, and the account of each role, such as `owner_user`.
pub(crate) struct Made {
    pub(crate) organization: Organization,
    ids: BTreeMap<String, Value>,
}

impl Made {
    /// Creates the records of a host, in a new organisation.
    pub(crate) fn new(area: &Area) -> Made {
        let organization = Organization::create();
        Made::of(area, organization, &mut organization.sign_in(Role::Owner))
    }

    /// Creates the records of a host, in this organisation, as its owner.
    pub(crate) fn of(area: &Area, organization: Organization, owner: &mut Http) -> Made {
        let mut ids = BTreeMap::from([
            ("member".to_owned(), json!(organization.member)),
            ("fellow".to_owned(), json!(organization.fellow)),
            (
                "business_unit".to_owned(),
                json!(organization.business_unit),
            ),
        ]);
        for role in Role::ALL {
            let user = json!(organization.user(role));
            ids.insert(format!("{}_user", role.name()), user);
        }
        let mut made = Made { organization, ids };
        for record in area.records {
            let answer = match record.by {
                Role::Owner => record.make(area.host, owner, &made),
                by => record.make(area.host, &mut organization.sign_in(by), &made),
            };
            let output = answer.output();
            let first = output.as_object().and_then(|output| output.values().next());
            let first = first.unwrap_or_else(|| panic!("{}: {}", record.tool, answer.body));
            // A tool that returns a count returns no record.
            let id = match record.at {
                Some(path) => output.pointer(path).cloned().unwrap_or_default(),
                None => first["id"].clone(),
            };
            assert!(
                !id.is_null() || !first.is_object(),
                "{}: {}",
                record.tool,
                answer.body
            );
            made.ids.insert(record.name.to_owned(), id);
        }
        made
    }
}

impl Made {
    /// All ids, each once.
    pub(crate) fn ids(&self) -> impl Iterator<Item = String> {
        let ids = self.ids.values().filter_map(Value::as_str);
        let ids: BTreeSet<&str> = ids.collect();
        ids.into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
            .into_iter()
    }
}

impl Index<&str> for Made {
    type Output = Value;

    fn index(&self, name: &str) -> &Value {
        let id = self.ids.get(name);
        id.unwrap_or_else(|| panic!("no record is called {name}"))
    }
}

/// Whether a read shows something: a record, a text other than a list's note, or a list that is not empty.
fn shows(output: &Value) -> bool {
    let fields = output.as_object().into_iter().flatten();
    let mut values = fields
        .filter(|(name, _)| *name != "note")
        .map(|(_, value)| value);
    values.any(|value| match value {
        Value::Object(_) | Value::String(_) => true,
        Value::Array(records) => !records.is_empty(),
        _ => false,
    })
}

/// Whether the call had an effect for its caller, or was refused because of the caller; `Err` for
/// any other refusal.
fn is_done(answer: &Answer, is_read: bool) -> Result<bool, String> {
    if answer.body["result"]["isError"] == false {
        return Ok(!is_read || shows(answer.output()));
    }
    // An invisible record is not found.
    match answer.refusal().as_str() {
        "forbidden" | "not_found" => Ok(false),
        _ => Err(answer.body.to_string()),
    }
}

/// The names of the caller's tools in `tools/list`.
pub(crate) fn offered(host: Host, http: &mut Http) -> BTreeSet<String> {
    let answer = http.rpc(host, "tools/list", json!({}));
    let listed = answer.body["result"]["tools"].as_array();
    let names = listed.into_iter().flatten().map(|tool| &tool["name"]);
    names
        .filter_map(|name| Some(name.as_str()?.to_owned()))
        .collect()
}

/// The arguments with content that the tool cannot read, if reading it takes work.
fn unreadable(host: Host, tool: &str, arguments: &Value) -> Option<Value> {
    Hosts::default().route(host, tool)?.admission()?;
    let content = match tool {
        "import_calendar" => json!({ "calendar": "BEGIN:A\n".repeat(5000) }),
        "create_meeting_series" => {
            json!({ "recurrence_rule": "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30" })
        }
        "ingest_statement" => json!({ "content": "neither a date nor an amount" }),
        "create_document" | "update_document" => json!({ "content": "a,b\n1,2,3\n" }),
        "create_wiki_article" | "update_wiki_article" => json!({ "content": ">".repeat(200) }),
        "generate_thumbnail" => json!({ "picture": "AAAA" }),
        // It reads the rule that is stored.
        "add_meeting_occurrences" => return None,
        _ => panic!("{tool} reads its arguments' content: add some that it cannot read"),
    };
    let mut arguments = arguments.as_object().cloned()?;
    arguments.extend(content.as_object().cloned()?);
    Some(arguments.into())
}

/// Makes every call of the host as this role, in a new organisation; returns the deviations from
/// the tables. Calls without the right come first, and write nothing.
fn every_call_as(area: &Area, role: Role, level: i32) -> Vec<String> {
    let mut wrong = Vec::new();
    let made = Made::new(area);
    // A machine only has a profile for its level.
    if role != Role::Automation || level > 0 {
        made.organization.level(role, level);
    }
    let mut caller = made.organization.sign_in(role);
    // A host can be closed to a role.
    let opened = caller.initialize(area.host, "2025-11-25");
    if opened.body["error"]["data"]["code"] == "forbidden" {
        let promised = area
            .cases
            .iter()
            .filter(|case| case.may.includes(role, level));
        return promised
            .map(|case| format!("{} is closed to {role:?}", case.tool))
            .collect();
    }
    let mut through = caller.clone();
    let offered = offered(area.host, &mut caller);
    let who = format!("{role:?} of level {level}");
    let (allowed, refused): (Vec<_>, Vec<_>) =
        (area.cases.iter()).partition(|case| case.may.includes(role, level));
    let mut make = |case: &Case| {
        let name = format!("{} as {who}", case.tool);
        let tool = area.host.tool(case.tool).expect(case.tool);
        if case.may.includes(role, 0) && !offered.contains(case.tool) {
            wrong.push(format!("{name} is not offered"));
        }
        let arguments = (case.arguments)(&made);
        // Through another tool nobody may more.
        if level == 0 && !case.may.includes(role, 0) && !tool.effect.read_only && tool.structured {
            let inner = json!({ "host": area.host, "tool": case.tool, "arguments": arguments });
            let answer = through.call(Host::Ops, "preview_call", inner);
            if answer.body["result"]["isError"] == false {
                wrong.push(format!("{name}, previewed: {}", answer.body));
            }
        }
        // Content is read for those who may do it only: others are refused first.
        if let Some(unreadable) = unreadable(area.host, case.tool, &arguments) {
            let answer = caller.call(area.host, case.tool, unreadable);
            let is_read = answer.refusal() == "invalid_argument";
            if is_read != case.may.includes(role, level) {
                wrong.push(format!("{name}, unreadable: {}", answer.body));
            }
        }
        let answer = caller.call(area.host, case.tool, arguments);
        let is_done = is_done(&answer, tool.effect.read_only);
        if is_done != Ok(case.may.includes(role, level)) {
            wrong.push(format!("{name}: {}", answer.body));
        }
        if is_done == Ok(true) {
            fits(tool, &answer);
        }
    };
    let before = snapshot(&[made.organization.id]);
    refused.into_iter().for_each(&mut make);
    let after = snapshot(&[made.organization.id]);
    // Of these, reads cannot write: their transactions are read-only.
    allowed.into_iter().for_each(make);
    let written = changed(&before, &after);
    if !written.is_empty() {
        wrong.push(format!("a refused call wrote to {written:?} as {who}"));
    }
    for tool in &offered {
        let mut cases = area.cases.iter().filter(|case| case.tool == tool);
        let is_of_use = cases.any(|case| case.may.includes(role, 80));
        if !is_of_use && !area.elsewhere.iter().any(|(name, _)| name == tool) {
            wrong.push(format!("{tool} is offered to {role:?}"));
        }
    }
    wrong
}

fn every_call(area: &'static Area) {
    let mut wrong = Vec::new();
    for (role, level) in Role::ALL.iter().flat_map(|role| [(*role, 0), (*role, 80)]) {
        wrong.extend(every_call_as(area, role, level));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn every_tool_is_tried(area: &Area) {
    let tried: BTreeSet<_> = area.cases.iter().map(|case| case.tool).collect();
    let elsewhere = area.elsewhere.iter().map(|(name, _)| *name);
    let declared: BTreeSet<_> = area.host.tools().map(|tool| tool.name).collect();
    assert_eq!(
        tried.into_iter().chain(elsewhere).collect::<BTreeSet<_>>(),
        declared
    );
}

/// Makes each write of a host, as the first role with the right to it.
fn each_write(area: &Area, mut make: impl FnMut(&Made, &mut Http, &Case)) {
    let made = Made::new(area);
    let mut callers: Vec<(Role, Http)> = Vec::new();
    for case in area.cases {
        if area.host.tool(case.tool).expect(case.tool).effect.read_only {
            continue;
        }
        let permitted = |role: &Role| case.may.includes(*role, 80);
        let role = Role::ALL.into_iter().find(permitted).expect(case.tool);
        let at = callers.iter().position(|(of, _)| *of == role);
        let at = at.unwrap_or_else(|| {
            made.organization.level(role, 80);
            callers.push((role, made.organization.sign_in(role)));
            callers.len() - 1
        });
        make(&made, &mut callers[at].1, case);
    }
}

/// The tables with rows that each write changes.
fn tables_of_each_write(area: &Area) -> String {
    let mut lines = String::new();
    each_write(area, |made, caller, case| {
        let arguments = (case.arguments)(made);
        let before = snapshot(&[made.organization.id]);
        let answer = caller.call(area.host, case.tool, arguments);
        assert_eq!(
            is_done(&answer, false),
            Ok(true),
            "{}: {}",
            case.tool,
            answer.body
        );
        let after = snapshot(&[made.organization.id]);
        lines += &format!("{}: {}\n", case.tool, changed(&before, &after).join(", "));
    });
    lines
}

/// A database of its own: the test below hears what rings in it.
static APART: LazyLock<World> = LazyLock::new(World::separate);

/// The worker sends an event at once if the call that wrote it says so; otherwise the event waits for the next poll.
#[test]
fn each_write_that_fills_the_outbox_wakes_its_worker() {
    APART.with(|| {
        let mut silent = Vec::new();
        let mut told = 0;
        let has_rung = || world().database().outbox_changed().now_or_never().is_some();
        for area in AREAS {
            each_write(area, |made, caller, case| {
                let arguments = (case.arguments)(made);
                let before = events();
                has_rung();
                caller.call(area.host, case.tool, arguments);
                if events() > before {
                    told += 1;
                    if !has_rung() {
                        silent.push(case.tool);
                    }
                }
            });
        }
        assert!(told > 4, "{told}");
        assert_eq!(silent, [""; 0]);
    });
}

/// The number of events that were written so far.
fn events() -> i64 {
    let sql = "select coalesce(max(sequence), 0) from webhooks.events";
    run(world().as_owner(sql, &[]))[0].get(0)
}

/// Tables that no caller reads, and the history itself: a preview does not list them.
const NOT_PREVIEWED: [&str; 6] = [
    "app.changes",
    "app.changes_default",
    "auth.users",
    // Made from the log of movements.
    "events.presence",
    "webhooks.events",
    "work.task_numbers",
];

/// A preview changes nothing, twice promises the same, and its call does what it promises.
fn each_write_is_previewed(area: &Area) {
    each_write(area, |made, caller, case| {
        let name = case.tool;
        let arguments = (case.arguments)(made);
        let mut call = |meta: Value| {
            let params = json!({ "name": name, "arguments": arguments, "_meta": meta });
            caller.rpc(area.host, "tools/call", params)
        };
        let before = snapshot(&[made.organization.id]);
        let preview = call(json!({ "frontdesk/preview": true }));
        if name == "submit_attempt" {
            // It would tell the score.
            preview.tool_error();
            call(json!({})).output();
            return;
        }
        let tool = area.host.tool(name).expect(name);
        fits(tool, &preview);
        let changes = &preview.result()["_meta"]["frontdesk/changes"];
        let again = call(json!({ "frontdesk/preview": true }));
        let again = &again.result()["_meta"]["frontdesk/changes"];
        assert_eq!(
            changes["digest"], again["digest"],
            "{name}: {changes}\n{again}"
        );
        let unchanged = snapshot(&[made.organization.id]);
        assert_eq!(before, unchanged, "{name} was only previewed");

        let other = call(json!({ "frontdesk/expectedPlan": "c-0" }));
        assert_eq!(other.refusal(), "conflict", "{name}");
        assert_eq!(
            other.result()["_meta"]["frontdesk/changes"]["digest"],
            changes["digest"]
        );
        let done = call(json!({ "frontdesk/expectedPlan": changes["digest"] }));
        assert_eq!(done.result()["isError"], false, "{name}: {}", done.body);
        let after = snapshot(&[made.organization.id]);
        let written: BTreeSet<_> = changed(&before, &after)
            .into_iter()
            .filter(|table| !NOT_PREVIEWED.contains(table))
            .collect();
        let listed = changes["rows"].as_array().into_iter().flatten();
        let counted = changes["more"].as_array().into_iter().flatten();
        let promised: BTreeSet<_> = listed
            .chain(counted)
            .filter_map(|row| row["table"].as_str())
            .collect();
        // Rows without an organisation are not in the snapshot.
        let promised: BTreeSet<_> = promised
            .intersection(&before.keys().map(String::as_str).collect())
            .copied()
            .collect();
        assert_eq!(written, promised, "{name}: {changes}");
        // The history says what was done to which kind of record.
        let change = done.result()["_meta"]["frontdesk/change"].clone();
        let known = caller.call(Host::Ops, "list_changes", json!({ "limit": 5 }));
        let known = known.body["result"]["structuredContent"]["changes"].clone();
        let mut known = known.as_array().into_iter().flatten();
        if let Some(known) = known.find(|one| one["id"] == change) {
            let summary = known["summary"].as_str().unwrap_or_default();
            let words = summary.split([' ', ':']).nth(1).unwrap_or_default();
            assert!(!words.is_empty(), "{name}: {summary:?}");
        }
    });
}

/// A write that is given the id of another kind of record says so.
fn each_wrong_id_is_explained(area: &Area) {
    let mut silent = BTreeSet::new();
    each_write(area, |made, caller, case| {
        let tool = area.host.tool(case.tool).expect(case.tool);
        let arguments = (case.arguments)(made);
        for (name, kind) in tool.references() {
            let other = match kind.as_str() {
                "user" | "profile" | "staff_user" | "platform_account" => &made["member"],
                _ => &made["owner_user"],
            };
            let other = match &arguments[&name] {
                Value::String(_) => other.clone(),
                Value::Array(ids) if ids.len() == 1 => json!([other]),
                _ => continue,
            };
            let mut wrong = arguments.clone();
            wrong[&name] = other;
            let answer = caller.call(area.host, case.tool, wrong);
            if !answer
                .body
                .to_string()
                .contains("is the id of another kind of record")
            {
                silent.insert(format!(
                    "{} {name} ({kind}): {}",
                    case.tool, answer.body["result"]["content"]
                ));
            }
        }
    });
    let silent: Vec<_> = silent.into_iter().collect();
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

/// Another organisation's owner sees and changes nothing.
fn nothing_crosses_over(area: &'static Area) {
    let made = Made::new(area);
    let stranger = Organization::create();
    let mut stranger = stranger.sign_in(Role::Owner);
    let before = snapshot(&[made.organization.id]);
    for case in area.cases {
        let arguments = (case.arguments)(&made);
        let given = arguments.to_string();
        let answer = stranger.call(area.host, case.tool, arguments);
        let shown = answer.body["result"]["structuredContent"].to_string();
        let ids = made.ids.values().filter_map(Value::as_str);
        let (given, others): (Vec<_>, Vec<_>) = ids.partition(|id| given.contains(id));
        let is_shown = others.iter().any(|id| shown.contains(id));
        assert!(!is_shown, "{}: {shown}", case.tool);
        if !given.is_empty() {
            let tool = area.host.tool(case.tool).expect(case.tool);
            let is_done = is_done(&answer, tool.effect.read_only);
            assert_eq!(is_done, Ok(false), "{}: {}", case.tool, answer.body);
        }
    }
    assert_eq!(before, snapshot(&[made.organization.id]));
}

macro_rules! hosts {
    ($($(#[$mark:meta])? $area:ident),+ $(,)?) => {
        $(pub(crate) mod $area;)+

        /// Every host with tables.
        pub(crate) const AREAS: &[Area] = &[$($area::AREA),+];

        mod tests {$(
            mod $area {
                use crate::access::hosts::{self, $area::AREA};

                #[test]
                fn every_tool_is_tried() {
                    hosts::every_tool_is_tried(&AREA);
                }

                $(#[$mark])?
                #[test]
                fn each_role_may_what_is_promised_and_no_more() {
                    hosts::every_call(&AREA);
                }

                #[test]
                fn each_write_changes_its_tables_and_no_others() {
                    let lines = hosts::tables_of_each_write(&AREA);
                    let name = concat!("writes_", stringify!($area));
                    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
                        insta::assert_snapshot!(name, lines);
                    });
                }

                #[test]
                fn each_write_does_what_its_preview_shows() {
                    hosts::each_write_is_previewed(&AREA);
                }

                #[test]
                fn each_wrong_id_is_explained() {
                    hosts::each_wrong_id_is_explained(&AREA);
                }

                #[test]
                fn nothing_crosses_over_to_another_organisation() {
                    hosts::nothing_crosses_over(&AREA);
                }
            }
        )+}
    };
}

hosts![
    #[ignore = "runs on PostgreSQL; here with --include-ignored"]
    campaigns,
    #[ignore = "runs on PostgreSQL; here with --include-ignored"]
    engineering,
    events,
    #[ignore = "runs on PostgreSQL; here with --include-ignored"]
    financing,
    #[ignore = "runs on PostgreSQL; here with --include-ignored"]
    learn,
    #[ignore = "runs on PostgreSQL; here with --include-ignored"]
    ops,
    #[ignore = "runs on PostgreSQL; here with --include-ignored"]
    payments,
    #[ignore = "runs on PostgreSQL; here with --include-ignored"]
    plans,
    #[ignore = "runs on PostgreSQL; here with --include-ignored"]
    proposals,
    #[ignore = "runs on PostgreSQL; here with --include-ignored"]
    quiz,
    #[ignore = "runs on PostgreSQL; here with --include-ignored"]
    skills,
    #[ignore = "runs on PostgreSQL; here with --include-ignored"]
    staff,
    #[ignore = "runs on PostgreSQL; here with --include-ignored"]
    strategy,
    #[ignore = "runs on PostgreSQL; here with --include-ignored"]
    studio,
    #[ignore = "runs on PostgreSQL; here with --include-ignored"]
    work,
];
