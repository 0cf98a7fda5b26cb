//! Tests of trees: folding, search, paths, and the amount of work.

use serde_json::{Value, json};

use super::Tree;
use super::nodes::{self, Step};
use crate::testing::with_cx;

fn answer() -> Value {
    json!({
        "events": [
            { "name": "Launch", "tags": { "floor": 2, "is open": true } },
            { "name": "Summer", "tags": {} },
        ],
        "total": 2,
    })
}

/// The paths of the visible nodes.
fn paths(tree: &mut Tree) -> Vec<String> {
    let shown = tree.shown.clone();
    let mut paths = Vec::new();
    for at in shown {
        tree.at = at;
        paths.push(tree.path());
    }
    paths
}

#[test]
fn every_value_has_a_path_that_leads_to_it() {
    let answer = answer();
    let mut tree = Tree::new(&answer);
    assert_eq!(
        paths(&mut tree),
        [
            ".",
            ".events",
            ".events[0]",
            ".events[0].name",
            ".events[0].tags",
            ".events[0].tags.floor",
            ".events[0].tags[\"is open\"]",
            ".events[1]",
            ".events[1].name",
            ".events[1].tags",
            ".total"
        ]
    );
    tree.at = tree.shown[5];
    assert_eq!(tree.value(&answer), Some(&json!(2)));
}

#[test]
fn what_is_folded_away_is_not_selected() {
    let answer = answer();
    let mut tree = Tree::new(&answer);
    tree.step(5);
    tree.left(&answer);
    assert_eq!(tree.path(), ".events[0].tags");
    tree.left(&answer);
    assert_eq!(paths(&mut tree).len(), 9);
    tree.at = 0;
    tree.step(5);
    assert_eq!(tree.path(), ".events[1]");
    tree.turn_all(&answer);
    tree.turn_all(&answer);
    assert_eq!(tree.path(), ".events");
    assert_eq!(paths(&mut tree), [".", ".events", ".total"]);
    tree.at = tree.shown[1];
    tree.right(&answer);
    assert_eq!(paths(&mut tree).len(), 5);
    tree.turn_all(&answer);
    assert_eq!(paths(&mut tree).len(), 11);
}

#[test]
fn what_is_found_is_shown_with_what_it_is_in_and_stays_in_sight() {
    let answer = answer();
    let mut tree = Tree::new(&answer);
    tree.turn_all(&answer);
    tree.search().begin();
    with_cx(|cx| tree.search().paste(cx, "FLÓOR"));
    tree.arrange(&answer);
    assert_eq!(tree.path(), ".events[0].tags.floor");
    assert_eq!(tree.shown.len(), 5);
    tree.search().clear();
    tree.arrange(&answer);
    assert_eq!(tree.path(), ".events[0].tags.floor");
    tree.search().begin();
    with_cx(|cx| tree.search().paste(cx, "nowhere"));
    tree.arrange(&answer);
    assert!(tree.shown.is_empty());
}

#[test]
fn a_deep_answer_is_no_danger() {
    let mut answer = json!(1);
    for _ in 0..100_000 {
        answer = Value::Array(vec![answer]);
    }
    let tree = Tree::new(&answer);
    assert_eq!(tree.nodes.len(), 100_001);
    // Dropped level by level, because dropping a value is recursive.
    while let Value::Array(mut items) = answer {
        answer = items.pop().unwrap_or_default();
    }
}

#[test]
fn a_long_list_is_shown_folded() {
    let records: Vec<Value> = (0..1000).map(|at| json!({ "id": at, "n": [1] })).collect();
    let answer = json!({ "records": records, "other": 1 });
    let tree = Tree::new(&answer);
    assert_eq!(tree.shown.len(), 3);
    assert_eq!(nodes::steps(&tree.nodes, 1), [&Step::Key("records".into())]);
}
