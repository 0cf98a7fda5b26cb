//! Views name kinds, fields, tools and tabs in words: each of them must exist.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::super::PARTS;
use crate::app::shared::Shared;
use crate::fields::{Field, Is};
use crate::records::kind::{self, Kind};
use crate::records::record::{Record, asked};
use crate::records::view::{NOTE, View};
use crate::testing::with_cx;

fn kind_of(view: &View) -> &'static Kind {
    let mut kinds = kind::all().iter();
    let kind = kinds.find(|kind| kind.peer == view.host.into() && kind.many == view.many);
    kind.unwrap_or_else(|| panic!("{} has no kind {}", view.host, view.many))
}

/// A value that the field could have; of a state, the word at this place.
fn value(field: &Field, at: usize) -> Value {
    match &field.is {
        Is::Id | Is::Reference(_) => json!("0190a1b2-0000-7000-8000-000000000001"),
        Is::References(_) => json!(["0190a1b2-0000-7000-8000-000000000001"]),
        Is::State(words) => json!(words[at.min(words.len() - 1)]),
        Is::Time => json!("2025-03-12T12:45:00Z"),
        Is::Day => json!("2025-03-12"),
        Is::Number => json!(1),
        Is::Amount => json!("1.00"),
        Is::Flag => json!(true),
        Is::Name | Is::Text | Is::Prose => json!("text"),
        Is::Rows(_) => json!([{}]),
        Is::Record(_) => json!({}),
        Is::Other => json!([]),
    }
}

/// Records of a kind: with nothing but an id, and with everything, in each of its states.
fn samples(kind: &Kind) -> Vec<Record> {
    let id = (
        "id".to_owned(),
        json!("0190a1b2-0000-7000-8000-000000000001"),
    );
    let full = (0..12).map(|at| {
        let fields = kind.fields.iter();
        let values = fields.map(|field| (field.name.clone(), value(field, at)));
        Map::from_iter(values.chain([id.clone()]))
    });
    let all = full.chain([Map::from_iter([id.clone()])]);
    all.filter_map(|map| Record::new(&Value::Object(map)))
        .collect()
}

/// The fields that a view asks a record for.
fn asked_by(view: &View, kind: &'static Kind, shared: &Shared) -> BTreeSet<String> {
    asked::take();
    let records = samples(kind);
    for record in &records {
        for column in view.columns {
            column.cell(record, shared);
            column.key(record, shared);
        }
        for (_, cell) in view.facts {
            cell(record, shared);
        }
        for (_, is_one) in view.filters {
            is_one(record);
        }
        if let Some(head) = view.head {
            head(record, shared, 80);
        }
        if let Some(prose) = view.prose {
            prose(record);
        }
        if let Some(is_past) = view.is_past {
            is_past(record, shared);
        }
        if let Some((_, above)) = view.parent {
            above(record);
        }
        if let Some(board) = view.board {
            (board.card)(record, "", shared);
        }
    }
    if let Some(foot) = view.foot {
        foot(&records, false, shared);
    }
    if let Some(notes) = view.notes {
        notes(&records);
    }
    let mut names = asked::take();
    names.extend(
        view.columns
            .iter()
            .filter_map(|column| column.named().map(str::to_owned)),
    );
    names.extend(view.covered.iter().map(ToString::to_string));
    names.extend(view.pivots.iter().map(|pivot| pivot.rows.to_owned()));
    names.extend(view.parent.map(|(field, _)| field.to_owned()));
    names.extend(view.board.map(|board| board.field.to_owned()));
    names.extend(
        view.indirect_filters
            .iter()
            .map(|through| through.field.to_owned()),
    );
    names
}

#[test]
fn a_view_names_only_what_its_kind_has() {
    let mut wrong = Vec::new();
    with_cx(|cx| {
        for view in PARTS.refinements {
            let Some(view) = view.downcast_ref::<View>() else {
                continue;
            };
            let kind = kind_of(view);
            let at = |what: &str| format!("{} {}: {what}", view.host, view.many);
            let is_held = |name: &str| {
                let mut kinds = kind::all().iter();
                kind.holds && kinds.any(|held| held.many.replace(' ', "_") == name)
            };
            let takes = |name: &String| kind.lists.iter().any(|list| list.tool.takes(name));
            for name in asked_by(view, kind, cx.shared) {
                let is_own = kind.field(&name).is_some() || ["id", NOTE].contains(&name.as_str());
                if !is_own && !is_held(&name) && !takes(&name) {
                    wrong.push(at(&format!("no field {name}")));
                }
            }
            let tabs = kind.tabs();
            for name in view.tabs {
                let is_tab = tabs.iter().any(|tab| tab.kind.many == *name);
                if !is_tab && !["facts", "tree"].contains(name) {
                    wrong.push(at(&format!("no tab {name}")));
                }
            }
            let asked = view.notes_from.map(|asked| (asked.host, asked.tool));
            let picture = view.picture.map(|tool| (view.host, tool));
            for (host, tool) in asked.into_iter().chain(picture) {
                if host.tool(tool).is_none() {
                    wrong.push(at(&format!("no tool {tool}")));
                }
            }
            for related in view.related {
                if related.host.tool(related.tool).is_none() {
                    wrong.push(at(&format!(
                        "no tool {} for {}",
                        related.tool, related.title
                    )));
                }
            }
        }
    });
    assert!(wrong.is_empty(), "{wrong:#?}");
}
