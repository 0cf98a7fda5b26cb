//! JSON as a foldable tree: for answers without a better display, and for every answer on request.
//!
//! This is a custom widget, because `tui-tree-widget` needs the text of every node before drawing
//! the first: for an answer of one megabyte, 100,000 nodes for one screen.

mod draw;
mod nodes;
#[cfg(test)]
mod tests;

use serde_json::Value;

pub(super) use draw::draw;

use crate::ui::search::Search;
use crate::ui::table;
use nodes::{Node, Step};

/// Maximum number of nodes unfolded initially, about a page.
const OPEN_AT_FIRST: usize = 200;

/// A tree over an answer, which is not copied.
#[derive(Debug)]
pub(super) struct Tree {
    /// All nodes in preorder.
    nodes: Vec<Node>,
    /// The visible nodes.
    shown: Vec<usize>,
    /// The selected node.
    at: usize,
    search: Search,
}

impl Tree {
    /// The tree of this value, unfolded if it is small, and always at its root.
    pub(super) fn new(answer: &Value) -> Self {
        let mut tree = Tree {
            nodes: nodes::of(answer),
            shown: Vec::new(),
            at: 0,
            search: Search::default(),
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

    /// The path of the selected value in `jq` syntax: `.events[0].name`.
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

    /// Unfolds the selected node, or moves to its first child.
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

    /// Folds the selected node, or moves to its parent.
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

    /// Toggles the selected node.
    pub(super) fn turn(&mut self, answer: &Value) {
        if let Some(node) = self.nodes.get_mut(self.at) {
            node.is_open = !node.is_open;
            self.arrange(answer);
        }
    }

    /// Folds everything except the root, or unfolds everything.
    pub(super) fn turn_all(&mut self, answer: &Value) {
        let is_folded = |node: &Node| !node.is_open && node.is_nested;
        let to_open = self.nodes.iter().any(is_folded);
        for node in self.nodes.iter_mut().skip(1) {
            node.is_open = to_open;
        }
        if let Some(root) = self.nodes.first_mut() {
            root.is_open = true;
        }
        // If the selected node is folded away, its visible ancestor is selected.
        while !to_open && self.nodes[self.at].depth > 1 {
            self.at = self.nodes[self.at].parent;
        }
        self.arrange(answer);
    }

    /// The search.
    pub(super) fn search(&mut self) -> &mut Search {
        &mut self.search
    }

    /// How letters are handled.
    pub(super) fn typing(&self) -> crate::app::state::Typing {
        self.search.typing()
    }

    /// Recomputes the visible nodes: those in unfolded nodes; during a search, the matches and
    /// their ancestors.
    pub(super) fn arrange(&mut self, answer: &Value) {
        let text = self.search.folded();
        if text.is_empty() {
            self.open_to_selected();
            self.shown = self.unfolded();
        } else {
            let found = nodes::with(&self.nodes, answer, &text);
            // The next match, or the first after the last.
            let next = found.hits.partition_point(|hit| *hit < self.at);
            let next = found.hits.get(next).or(found.hits.first());
            self.at = next.copied().unwrap_or(self.at);
            self.shown = found.shown;
        }
    }

    /// Unfolds the ancestors of the selected match when the search ends.
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
