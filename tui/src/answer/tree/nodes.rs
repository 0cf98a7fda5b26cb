//! The nodes of a tree in preorder. A node has its parent and its end, and no copy of its value.

use serde_json::Value;

use crate::look::text::fold;
use crate::tabular;

/// The step from a parent to a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    Root,
    Key(Box<str>),
    Place(usize),
}

/// One value of the answer.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) step: Step,
    /// The index of its parent; the root is its own parent.
    pub(super) parent: usize,
    pub(super) depth: usize,
    /// The index after its last descendant.
    pub(super) end: usize,
    /// Whether it is a non-empty object or list.
    pub(super) is_nested: bool,
    pub(super) is_open: bool,
}

/// All nodes of a value, starting with the root.
pub(super) fn of(answer: &Value) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    // A stack of the remaining values. Without recursion, because the server determines the depth.
    let mut waiting = vec![(answer, Step::Root, 0, 0)];
    while let Some((value, step, parent, depth)) = waiting.pop() {
        let at = nodes.len();
        let before = waiting.len();
        match value {
            Value::Object(fields) => waiting.extend(
                fields
                    .iter()
                    .map(|(key, value)| (value, Step::Key(key.as_str().into()), at, depth + 1)),
            ),
            Value::Array(items) => waiting.extend(
                items
                    .iter()
                    .enumerate()
                    .map(|(place, value)| (value, Step::Place(place), at, depth + 1)),
            ),
            _ => {}
        }
        waiting[before..].reverse();
        nodes.push(Node {
            step,
            parent,
            depth,
            end: at + 1,
            is_nested: waiting.len() > before,
            is_open: false,
        });
    }
    for at in (1..nodes.len()).rev() {
        let (end, parent) = (nodes[at].end, nodes[at].parent);
        nodes[parent].end = nodes[parent].end.max(end);
    }
    nodes
}

/// The steps from the root to a node.
pub(super) fn steps(nodes: &[Node], mut at: usize) -> Vec<&Step> {
    let mut steps = Vec::new();
    while at > 0 && at < nodes.len() {
        steps.push(&nodes[at].step);
        at = nodes[at].parent;
    }
    steps.reverse();
    steps
}

/// The value of a node.
pub(super) fn value<'a>(nodes: &[Node], at: usize, answer: &'a Value) -> Option<&'a Value> {
    steps(nodes, at).into_iter().try_fold(answer, inside)
}

fn inside<'a>(value: &'a Value, step: &Step) -> Option<&'a Value> {
    match step {
        Step::Root => Some(value),
        Step::Key(key) => value.get(key.as_ref()),
        Step::Place(place) => value.get(place),
    }
}

/// The matches of a search.
pub(super) struct Found {
    /// The nodes with the text in their name or value.
    pub(super) hits: Vec<usize>,
    /// The matches and their ancestors.
    pub(super) shown: Vec<usize>,
}

/// Searches the nodes for this text.
pub(super) fn with(nodes: &[Node], answer: &Value, text: &str) -> Found {
    let mut hits = Vec::new();
    let mut is_shown = vec![false; nodes.len()];
    // The values from the root to the current node.
    let mut way: Vec<&Value> = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        way.truncate(node.depth);
        let value = match way.last() {
            Some(outer) => inside(outer, &node.step),
            None => Some(answer),
        };
        let Some(value) = value else {
            continue;
        };
        way.push(value);
        let is_named = matches!(&node.step, Step::Key(key) if fold(key).contains(text));
        let is_found = || match value {
            Value::Array(_) | Value::Object(_) => false,
            Value::Null => "null".contains(text),
            value => fold(&tabular::cell(value)).contains(text),
        };
        if is_named || is_found() {
            is_shown[at] = true;
            hits.push(at);
        }
    }
    for at in (1..nodes.len()).rev() {
        let parent = nodes[at].parent;
        is_shown[parent] |= is_shown[at];
    }
    let shown = (0..nodes.len()).filter(|at| is_shown[*at]).collect();
    Found { hits, shown }
}
