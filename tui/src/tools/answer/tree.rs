//! JSON as a tree that folds: what fits nothing else, and every answer as it came.
//!
//! A widget of our own: `tui-tree-widget` wants every node as text before the first one is drawn,
//! which for an answer of a megabyte is a hundred thousand of them for a screenful.

mod draw;
mod nodes;
#[cfg(test)]
mod tests;

use serde_json::Value;

pub(super) use draw::draw;

use super::search::Search;
use crate::ui::table;
use nodes::{Node, Step};

/// As many nodes are open at first: a page of them can be read.
const OPEN_AT_FIRST: usize = 200;

/// A tree over an answer, which stays where it is.
#[derive(Debug)]
pub(super) struct Tree {
    /// All nodes, each before what is in it.
    nodes: Vec<Node>,
    /// The nodes that are shown.
    shown: Vec<usize>,
    /// The selected node.
    at: usize,
    search: Search,
}

impl Tree {
    /// The tree of this value: opened as far as it is short, and at least at its root.
    pub(super) fn new(answer: &Value) -> Self {
        let mut tree = Tree {
            nodes: nodes::of(answer),
            shown: Vec::new(),
            at: 0,
            search: Search::new(),
        };
        let mut is_open_to = 0;
        for depth in 0.. {
            let depths = tree.nodes.iter().map(|node| node.depth);
            let up_to = depths.clone().filter(|at| *at <= depth + 1).count();
            is_open_to = depth;
            if up_to > OPEN_AT_FIRST || up_to == tree.nodes.len() {
                is_open_to += usize::from(up_to <= OPEN_AT_FIRST);
                break;
            }
        }
        for node in &mut tree.nodes {
            node.is_open = node.depth == 0 || node.depth < is_open_to;
        }
        tree.arrange(answer);
        tree
    }

    /// The selected value.
    pub(super) fn value<'a>(&self, answer: &'a Value) -> Option<&'a Value> {
        nodes::value(&self.nodes, self.at, answer)
    }

    /// Where the selected value is, as `jq` writes it: `.events[0].name`.
    pub(super) fn path(&self) -> String {
        let mut path = String::new();
        for step in nodes::steps(&self.nodes, self.at) {
            match step {
                Step::Root => {}
                Step::Place(at) => path += &format!("[{at}]"),
                Step::Key(key) if is_word(key) => path += &format!(".{key}"),
                Step::Key(key) => path += &format!("[{}]", Value::from(key.as_ref())),
            }
        }
        match path.starts_with('.') {
            true => path,
            false => format!(".{path}"),
        }
    }

    /// Moves the selection by this many lines.
    pub(super) fn step(&mut self, by: isize) {
        if let Some(at) = table::step(&self.shown, Some(self.at), by) {
            self.at = at;
        }
    }

    /// Unfolds the selected node, or goes into it.
    pub(super) fn right(&mut self, answer: &Value) {
        let Some(node) = self.nodes.get_mut(self.at) else {
            return;
        };
        match node.is_open || node.end == self.at + 1 {
            false => {
                node.is_open = true;
                self.arrange(answer);
            }
            true if node.end > self.at + 1 => self.step(1),
            true => {}
        }
    }

    /// Folds the selected node, or goes to the one that it is in.
    pub(super) fn left(&mut self, answer: &Value) {
        let Some(node) = self.nodes.get_mut(self.at) else {
            return;
        };
        match node.is_open && node.end > self.at + 1 {
            true => {
                node.is_open = false;
                self.arrange(answer);
            }
            false => self.at = node.parent,
        }
    }

    /// Folds the selected node, or unfolds it.
    pub(super) fn turn(&mut self, answer: &Value) {
        if let Some(node) = self.nodes.get_mut(self.at) {
            node.is_open = !node.is_open;
            self.arrange(answer);
        }
    }

    /// Folds everything but the root, or unfolds everything.
    pub(super) fn turn_all(&mut self, answer: &Value) {
        let is_folded = |node: &Node| !node.is_open && node.is_nested;
        let to_open = self.nodes.iter().any(is_folded);
        for node in self.nodes.iter_mut().skip(1) {
            node.is_open = to_open;
        }
        if let Some(root) = self.nodes.first_mut() {
            root.is_open = true;
        }
        // What is folded away is not selected: what it is in is.
        while !to_open && self.nodes[self.at].depth > 1 {
            self.at = self.nodes[self.at].parent;
        }
        self.arrange(answer);
    }

    /// What is looked for.
    pub(super) fn search(&mut self) -> &mut Search {
        &mut self.search
    }

    /// How letters are to be taken.
    pub(super) fn typing(&self) -> crate::app::state::Typing {
        self.search.typing()
    }

    /// Finds out anew which nodes are shown: those that are not folded away; while something is
    /// looked for, those that have it, and what they are in.
    pub(super) fn arrange(&mut self, answer: &Value) {
        let text = self.search.folded();
        if text.is_empty() {
            self.open_to_selected();
            self.shown = self.unfolded();
        } else {
            let found = nodes::with(&self.nodes, answer, &text);
            // The next place where it is; behind the last one, the first.
            let next = found.hits.partition_point(|hit| *hit < self.at);
            let next = found.hits.get(next).or(found.hits.first());
            self.at = next.copied().unwrap_or(self.at);
            self.shown = found.shown;
        }
    }

    /// What was found stays in sight once nothing is looked for any more.
    fn open_to_selected(&mut self) {
        let mut at = self.at;
        while at > 0 {
            at = self.nodes[at].parent;
            self.nodes[at].is_open = true;
        }
    }

    fn unfolded(&self) -> Vec<usize> {
        let mut shown = Vec::new();
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            shown.push(at);
            at = if node.is_open { at + 1 } else { node.end };
        }
        shown
    }
}

/// Whether a key needs no quotes in a path.
fn is_word(key: &str) -> bool {
    let mut chars = key.chars();
    chars
        .next()
        .is_some_and(|char| char.is_ascii_alphabetic() || char == '_')
        && chars.all(|char| char.is_ascii_alphanumeric() || char == '_')
}
