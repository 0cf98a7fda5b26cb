//! Every write of every tool can be undone and restored, and so can any sequence of them: the rows are the same, byte
//! by byte.

use std::collections::BTreeSet;

use frontdesk_protocol::guide::is_lasting;
use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Http, Organization};
use frontdesk_tests::property::holds;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestCaseError;
use serde_json::{Value, json};

use crate::access::hosts::{AREAS, Area, Case, Made};
use crate::access::stage::{Snapshot, snapshot, write};

/// The tools whose changes are not undone, with a part of the reason.
const LASTING: &[(&str, &str)] = &[
    ("post_journal_entry", "reverse_journal_entry"),
    ("reverse_journal_entry", "reverse_journal_entry"),
    ("invite_staff", "revoke_invitation"),
    ("invite_student", "revoke_invitation"),
    ("renew_invitation", "revoke_invitation"),
    ("revoke_invitation", "revoke_invitation"),
    ("issue_password_link", "issue another one"),
    ("issue_account_password_link", "issue another one"),
    ("remove_staff_user", "was deleted"),
    ("remove_account", "was deleted"),
    ("forget_person", "was deleted"),
    ("submit_submission", "submitted"),
    ("submit_response", "final"),
    ("submit_attempt", "counts"),
];

/// The tool whose undo is not undone: a fellow submits again.
const SUBMITS: &str = "submit_fellow_payment";

/// The tool whose changes are undone, though what it sent stays sent.
const SENDS: &str = "dispatch_interview";

/// The writes that leave no change of their own: they make calls of other tools.
const NO_CHANGE: [&str; 2] = ["apply_call", "undo_change"];

/// An organisation with records of some hosts, and its people, all of level 80.
struct Desk {
    organization: Organization,
    /// By role.
    people: Vec<Http>,
    /// The owner's separate session, because each caller has one.
    platform: Http,
    made: Vec<(&'static Area, Made)>,
}

impl Desk {
    fn of(areas: impl Iterator<Item = &'static Area>) -> Desk {
        let organization = Organization::create();
        let mut people: Vec<_> = Role::ALL
            .into_iter()
            .map(|role| {
                organization.level(role, 80);
                organization.sign_in(role)
            })
            .collect();
        let made = areas.map(|area| (area, Made::of(area, organization, &mut people[0])));
        Desk {
            made: made.collect(),
            platform: people[0].clone(),
            organization,
            people,
        }
    }

    /// The rows of the organisation, except for the history, the outbox, and the counter of task numbers: a number is
    /// never used twice.
    fn rows(&self) -> Snapshot {
        // An undo gives no sign-in and no link back that a deactivation has ended.
        for sql in [
            "update auth.users set epoch = 0 where organization_id = $1",
            "update staff.users set rights_taken_at = null where organization_id = $1",
            "update learn.profiles set rights_taken_at = null where organization_id = $1",
        ] {
            write(sql, &[&self.organization.id.0]);
        }
        let mut rows = snapshot(&[self.organization.id]);
        let is_outside = |table: &str| {
            table.starts_with("app.chang")
                || table == "webhooks.events"
                || table == "work.task_numbers"
        };
        rows.retain(|table, _| !is_outside(table));
        rows
    }

    /// The latest change of the organisation.
    fn latest(&mut self) -> Value {
        let listed = self
            .platform
            .call(Host::Ops, "list_changes", json!({ "limit": 1 }));
        listed.output()["changes"][0].clone()
    }

    /// Makes the call as an action of the first role that may; returns that, if anything has changed, with the id of the
    /// call's own entry as `call`.
    fn make(&mut self, area: usize, case: &Case) -> Option<Value> {
        let before = self.latest();
        let (area, made) = &self.made[area];
        let arguments = (case.arguments)(made);
        let meta = json!({ "frontdesk/action": "new" });
        let params = json!({ "name": case.tool, "arguments": arguments, "_meta": meta });
        let mut may = Role::ALL
            .into_iter()
            .map(|role| case.may.includes(role, 80));
        let by = may.position(|may| may).expect(case.tool);
        let answer = self.people[by].rpc(area.host, "tools/call", params);
        let is_done = answer.body["result"]["isError"] == false;
        let mut change = self.latest();
        change["by"] = json!(by);
        change["call"] = answer.body["result"]["_meta"]["frontdesk/change"].clone();
        assert!(is_done || change["id"] == before["id"], "{}", answer.body);
        (change["id"] != before["id"]).then_some(change)
    }

    /// Gives who made a change another role, without the right to it; returns that if they can undo it then.
    fn with_fewer_rights(&mut self, area: &Area, case: &Case, change: &Value) -> Option<Role> {
        let by = Role::ALL[change["by"].as_u64().expect("a role") as usize];
        let others = [Role::Finance, Role::Teacher, Role::Staff, Role::Automation];
        // A fellow has no other role.
        let mut others = others
            .into_iter()
            .filter(|_| by != Role::Fellow)
            .filter(|role| !area.useful(*role).contains(case.tool));
        let organization = self.organization;
        let (role, user) = (others.next()?, organization.user(by).0);
        let give = |role: Role, level: i32| {
            let sql = "update staff.users set role = $1 where id = $2";
            write(sql, &[&role.name(), &user]);
            organization.level(by, level);
        };
        give(role, 0);
        let undone = self.undo(change).is_ok();
        give(by, 80);
        undone.then_some(role)
    }

    /// Undoes a change as who made it; returns the undo, or the refusal.
    fn undo(&mut self, change: &Value) -> Result<Value, String> {
        let arguments = json!({ "change_id": change["id"] });
        let by = change["by"].as_u64().expect("a role") as usize;
        let answer = self.people[by].call(Host::Ops, "undo_change", arguments);
        match answer.body["result"]["isError"] == false {
            true => {
                let mut undo = answer.output()["change"].clone();
                undo["by"] = change["by"].clone();
                Ok(undo)
            }
            false => Err(answer.body.to_string()),
        }
    }
}

fn is_write(area: &Area, case: &Case) -> bool {
    area.host
        .tool(case.tool)
        .is_some_and(|tool| !tool.effect.read_only)
}

/// The tables in which two states differ.
fn differ(one: &Snapshot, other: &Snapshot) -> Vec<String> {
    let tables = one
        .iter()
        .filter(|(table, rows)| other.get(*table) != Some(rows));
    tables.map(|(table, _)| table.clone()).collect()
}

#[test]
#[ignore = "runs on PostgreSQL; here with --include-ignored"]
fn every_write_is_undone_and_restored() {
    let mut wrong = Vec::new();
    for area in AREAS {
        let mut desk = Desk::of([area].into_iter());
        for case in area.cases.iter().filter(|case| is_write(area, case)) {
            let before = desk.rows();
            let Some(change) = desk.make(0, case) else {
                continue;
            };
            let after = desk.rows();
            let undone = desk.undo(&change);
            let said = is_lasting(area.host.tool(case.tool).expect(case.tool));
            let lasting = LASTING.iter().any(|(tool, _)| *tool == case.tool);
            if said != (lasting || case.tool == SENDS) {
                wrong.push(format!("{} is called irreversible: {said}", case.tool));
            }
            if let Some((_, reason)) = LASTING.iter().find(|(tool, _)| *tool == case.tool) {
                match undone {
                    Ok(_) => wrong.push(format!("{} is undone", case.tool)),
                    Err(refusal) if refusal.contains(reason) => {}
                    Err(refusal) => wrong.push(format!("{}: {refusal}", case.tool)),
                }
                continue;
            }
            let restored = undone.and_then(|undo| {
                let left = differ(&before, &desk.rows());
                match left.is_empty() {
                    true if case.tool == SUBMITS => Err(String::new()),
                    true => desk.undo(&undo),
                    false => Err(format!("the undo left {left:?}")),
                }
            });
            match restored {
                Ok(_) => {
                    let left = differ(&after, &desk.rows());
                    if !left.is_empty() {
                        wrong.push(format!("{}: the undo of the undo left {left:?}", case.tool));
                    }
                }
                Err(refusal) if refusal.is_empty() => {}
                Err(refusal) => wrong.push(format!("{}: {refusal}", case.tool)),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "runs on PostgreSQL; here with --include-ignored"]
fn a_sequence_of_writes_of_all_hosts_is_undone_in_reverse_order() {
    let desk = std::cell::RefCell::new(Desk::of(AREAS.iter()));
    let writes: Vec<(usize, &Case)> = (AREAS.iter().enumerate())
        .flat_map(|(at, area)| {
            let writes = area.cases.iter().filter(|case| is_write(area, case));
            writes.map(move |case| (at, case))
        })
        .filter(|(_, case)| !LASTING.iter().any(|(tool, _)| *tool == case.tool))
        .collect();
    assert!(writes.len() > 80, "{}", writes.len());
    let sequences = prop::collection::vec(any::<Index>(), 1..15);
    holds(12, sequences, |sequence: Vec<Index>| {
        let mut desk = desk.borrow_mut();
        let mut done = Vec::new();
        for index in sequence {
            let (area, case) = *index.get(&writes);
            let before = desk.rows();
            if let Some(change) = desk.make(area, case) {
                done.push((case.tool, before, change));
            }
        }
        let tools: Vec<_> = done.iter().map(|(tool, ..)| *tool).collect();
        for (tool, before, change) in done.iter().rev() {
            let undone = desk.undo(change);
            prop_assert!(undone.is_ok(), "{tool} of {tools:?}: {undone:?}");
            let left = differ(before, &desk.rows());
            prop_assert!(left.is_empty(), "{tool} of {tools:?} left {left:?}");
        }
        Ok::<_, TestCaseError>(())
    });
}

/// The tool that does what an undo of this one does: often itself.
fn opposite(tool: &str) -> String {
    match tool {
        "create_event_guest" | "add_event_guest" => return "remove_guest".to_owned(),
        // Not only for themselves.
        "submit_fellow_payment" => return "create_fellow_payment".to_owned(),
        _ => {}
    }
    let pairs = [
        ("create_", "delete_"),
        ("delete_", "create_"),
        ("add_", "remove_"),
        ("remove_", "add_"),
        ("enroll_", "withdraw_"),
        ("withdraw_", "enroll_"),
    ];
    let opposite = pairs
        .iter()
        .find_map(|(from, to)| Some(format!("{to}{}", tool.strip_prefix(from)?)));
    opposite.unwrap_or_else(|| tool.to_owned())
}

/// Whether an account of this role and of level 80 may use the tool; `None` if no table says so.
fn may(tool: &str, role: Role) -> Option<bool> {
    if tool == "remove_guest" {
        return Some([Role::Owner, Role::Admin, Role::Staff].contains(&role));
    }
    let mut cases = AREAS.iter().flat_map(|area| area.cases.iter());
    let case = cases.find(|case| case.tool == tool)?;
    Some(case.may.includes(role, 80))
}

/// Whether each of these people is refused the undo of a change, and of the call's own entry, and its preview.
fn refused(desk: &mut Desk, roles: &[Role], change: &Value) -> Vec<String> {
    let mut done = Vec::new();
    for role in roles {
        for (meta, id) in [
            (json!({ "frontdesk/preview": true }), &change["id"]),
            (json!({}), &change["id"]),
            (json!({}), &change["call"]),
        ] {
            let params = json!({
                "name": "undo_change", "arguments": { "change_id": id }, "_meta": meta,
            });
            let answer = desk.people[*role as usize].rpc(Host::Ops, "tools/call", params);
            if !id.is_null() && answer.body["result"]["isError"] == false {
                done.push(format!("{role:?} with {meta}"));
            }
        }
    }
    done
}

#[test]
#[ignore = "runs on PostgreSQL; here with --include-ignored"]
fn who_may_not_do_a_thing_undoes_neither_it_nor_its_opposite() {
    let (mut wrong, mut tried) = (Vec::new(), BTreeSet::from(NO_CHANGE));
    // Nobody undoes it: tests/wire/factor.
    tried.insert("remove_second_factor");
    for area in AREAS {
        let mut desk = Desk::of([area].into_iter());
        for case in area.cases.iter().filter(|case| is_write(area, case)) {
            let opposite = opposite(case.tool);
            // Of all that is done in an organisation, its owner is in charge.
            let may_not = |role: &Role| match opposite == case.tool {
                true => *role != Role::Owner && !case.may.includes(*role, 80),
                // A fellow takes back what a fellow submitted.
                false => {
                    may(&opposite, *role) == Some(false)
                        && !(case.tool == SUBMITS && case.may.includes(*role, 80))
                }
            };
            let roles: Vec<_> = Role::ALL.into_iter().filter(may_not).collect();
            let Some(change) = desk.make(0, case) else {
                continue;
            };
            tried.insert(case.tool);
            if let Some(role) = desk.with_fewer_rights(area, case, &change) {
                wrong.push(format!("{}: {role:?} who had made it before", case.tool));
            }
            let done = refused(&mut desk, &roles, &change);
            wrong.extend(done.into_iter().map(|who| format!("{}: {who}", case.tool)));
            // A case can change the role of a caller; and an undo can be undone.
            if let Ok(undo) = desk.undo(&change) {
                let done = refused(&mut desk, &roles, &undo);
                wrong.extend(
                    done.into_iter()
                        .map(|who| format!("{} again: {who}", case.tool)),
                );
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let declared = Host::ALL.into_iter().flat_map(Host::tools);
    let writes = declared.filter(|tool| !tool.effect.read_only);
    assert_eq!(tried, writes.map(|tool| tool.name).collect());
}
