//! Business units: docs/access.md as data, and every tool as everybody.

use frontdesk_protocol::work::business_unit::TOOLS;
use frontdesk_protocol::{Host, Role};
use frontdesk_tests::run;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::stage::{Stage, write};
use crate::verdict::{Verdict, ids};
use crate::who::Who;

/// Who reads and writes the business units of the own organisation. Others do not see them.
pub(crate) const MANAGERS: [Role; 3] = [Role::Owner, Role::Admin, Role::Finance];

/// What each tool is given, of this business unit.
fn arguments(tool: &str, unit: Uuid) -> Value {
    match tool {
        "list_business_units" => json!({}),
        "create_business_unit" => json!({ "name": "New", "tags": ["a"] }),
        "update_business_unit" => json!({ "id": unit, "name": "Renamed" }),
        _ => json!({ "id": unit }),
    }
}

#[test]
fn business_units_are_read_and_written_by_their_managers_alone() {
    run(async {
        let stage = Stage::set().await;
        for who in Who::all() {
            let unit = Uuid::now_v7();
            let sql = "insert into strategy.business_units (id, organization_id, name) \
                       values ($1, $2, 'Old')";
            write(sql, &[&unit, &stage.ours.id.0]).await;
            let mut http = who.sign_in(&stage).await;
            let is_manager = who.role().is_some_and(|role| MANAGERS.contains(&role));
            let is_ours = is_manager && matches!(who, Who::Ours(_));
            for tool in TOOLS {
                let before = stage.snapshot().await;
                let answer = http
                    .call(Host::Work, tool.name, arguments(tool.name, unit))
                    .await;
                let wrote = stage.snapshot().await != before;
                let name = format!("{tool:?} as {who:?}");
                let expected = match tool.name {
                    "list_business_units" => {
                        let listed = ids(answer.output(), "business_units");
                        assert_eq!(listed.contains(&unit.to_string()), is_ours, "{name}");
                        Verdict::Done
                    }
                    "get_business_unit" => {
                        let got = &answer.output()["business_unit"];
                        assert_eq!(!got.is_null(), is_ours, "{name}");
                        Verdict::Done
                    }
                    // Of one's own organisation.
                    "create_business_unit" if is_manager => Verdict::Done,
                    "create_business_unit" => Verdict::Forbidden,
                    _ if is_ours => Verdict::Done,
                    _ => Verdict::NotFound("id".to_owned()),
                };
                let writes = expected == Verdict::Done && !tool.effect.read_only;
                assert_eq!(Verdict::of(&answer), expected, "{name}");
                assert_eq!(wrote, writes, "{name}");
            }
        }
    });
}

#[test]
fn the_document_says_who_manages_business_units() {
    let managers = MANAGERS.map(Role::name).join(", ");
    let others = Role::ALL
        .into_iter()
        .filter(|role| !MANAGERS.contains(role));
    let others: Vec<_> = others.map(Role::name).collect();
    let documented: Vec<_> = include_str!("../../../docs/access.md")
        .lines()
        .skip_while(|line| !line.ends_with("| business units |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .collect();
    let expected = [
        format!("| {managers} | read, write |"),
        format!("| {} | – |", others.join(", ")),
        "| another organisation | – |".to_owned(),
    ];
    assert_eq!(documented, expected);
}
