//! A tree of records: below each record the lists that take its id, loaded when they are unfolded.

use ratatui::Frame;
use ratatui::layout::Rect;
use serde_json::Map;

use super::kind::{Kind, title};
use super::listing::Listing;
use super::record::Record;
use crate::app::cx::Cx;
use crate::app::effect::{Answer, RequestId};
use crate::app::shared::Shared;
use crate::ui::mark::spinner;
use crate::ui::panel::titled;
use crate::ui::problem::Problem;
use crate::ui::table::{self, Column, Row};

/// Cells that what is inside stands further in.
const INDENT: usize = 2;

/// A tree of records. Each node stands before what is in it.
#[derive(Debug)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    at: usize,
}

#[derive(Debug)]
struct Node {
    depth: usize,
    is_open: bool,
    what: What,
}

#[derive(Debug)]
enum What {
    Record(&'static Kind, Record),
    List(Box<Listing>),
}

impl Tree {
    /// The tree of a record, its lists in sight.
    pub(crate) fn of(kind: &'static Kind, record: Record, shared: &Shared) -> Self {
        let root = Node {
            depth: 0,
            is_open: false,
            what: What::Record(kind, record),
        };
        let mut tree = Tree {
            nodes: vec![root],
            at: 0,
        };
        tree.open_record(0, shared);
        tree
    }

    /// The selected record: the node itself, or the record that a list belongs to.
    pub(crate) fn selected(&self) -> Option<(&'static Kind, &Record)> {
        let nodes = self.nodes.get(..=self.at)?;
        nodes.iter().rev().find_map(|node| match &node.what {
            What::Record(kind, record) => Some((*kind, record)),
            What::List(_) => None,
        })
    }

    /// Goes up or down.
    pub(crate) fn step(&mut self, by: isize) {
        self.at = table::moved(self.nodes.len(), Some(self.at), by).unwrap_or(0);
    }

    /// Unfolds the node, or goes into it.
    pub(crate) fn right(&mut self, cx: &mut Cx) {
        match self.nodes.get_mut(self.at) {
            Some(node) if node.is_open => self.step(1),
            Some(Node {
                what: What::Record(..),
                ..
            }) => self.open_record(self.at, cx.shared),
            Some(node) => {
                if let What::List(list) = &mut node.what {
                    node.is_open = true;
                    list.load(cx);
                }
            }
            None => {}
        }
    }

    /// Folds the node, or goes to the one that it is in.
    pub(crate) fn left(&mut self) {
        let Some(node) = self.nodes.get_mut(self.at) else {
            return;
        };
        if std::mem::take(&mut node.is_open) {
            self.fold(self.at);
        } else {
            let depth = node.depth;
            let mut above = self.nodes[..self.at].iter();
            self.at = above
                .rposition(|node| node.depth < depth)
                .unwrap_or(self.at);
        }
    }

    /// Takes an answer, if it is that of one of its lists.
    pub(crate) fn answered(&mut self, cx: &mut Cx, request: RequestId, answer: &Answer) -> bool {
        for at in 0..self.nodes.len() {
            let node = &mut self.nodes[at];
            let depth = node.depth + 1;
            let What::List(list) = &mut node.what else {
                continue;
            };
            if !list.answered(cx, request, answer) {
                continue;
            }
            let kind = list.kind;
            let records: Vec<Record> = list.shown().cloned().collect();
            let is_open = node.is_open;
            self.fold(at);
            if is_open {
                let nodes = records.into_iter().map(|record| Node {
                    depth,
                    is_open: false,
                    what: What::Record(kind, record),
                });
                self.insert(at + 1, nodes.collect());
            }
            return true;
        }
        false
    }

    /// Shows the lists below a record.
    fn open_record(&mut self, at: usize, shared: &Shared) {
        let Node {
            depth,
            is_open,
            what: What::Record(kind, record),
        } = &mut self.nodes[at]
        else {
            return;
        };
        let depth = *depth + 1;
        *is_open = true;
        let lists = kind.tabs().into_iter().map(|tab| {
            let given = Map::from_iter([(tab.argument.name.clone(), record.id().into())]);
            Node {
                depth,
                is_open: false,
                what: What::List(Box::new(Listing::new(tab.kind, tab.list, given, shared))),
            }
        });
        let lists = lists.collect();
        self.insert(at + 1, lists);
    }

    fn insert(&mut self, at: usize, nodes: Vec<Node>) {
        if self.at >= at {
            self.at += nodes.len();
        }
        self.nodes.splice(at..at, nodes);
    }

    /// Takes away what is in a node.
    fn fold(&mut self, at: usize) {
        let depth = self.nodes[at].depth;
        let inside = self.nodes[at + 1..]
            .iter()
            .take_while(|node| node.depth > depth)
            .count();
        self.nodes.drain(at + 1..at + 1 + inside);
        if self.at > at {
            self.at = self.at.saturating_sub(inside).max(at);
        }
    }

    /// Draws the tree.
    pub(crate) fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.theme;
        let block = titled(" Tree ", theme.border);
        let inside = block.inner(area);
        frame.render_widget(block, area);
        let columns = [Column::share("", 1)];
        let row = |at: usize| {
            let node = &self.nodes[at];
            let indent = " ".repeat(node.depth * INDENT);
            let sign = |is_open| if is_open { "-" } else { "+" };
            match &node.what {
                What::Record(kind, record) => {
                    let sign = if kind.tabs().is_empty() {
                        " "
                    } else {
                        sign(node.is_open)
                    };
                    Row::new().cell(format!("{indent}{sign} {}", record.label(kind)))
                }
                What::List(list) => {
                    let state = match list.error() {
                        Some(error) => format!(" ✗ {}", Problem::of(error).title),
                        None if list.is_busy() => format!(" {}", spinner(shared.spin)),
                        None if !node.is_open => String::new(),
                        None => {
                            let more = if list.has_more() { "+" } else { "" };
                            format!(" {}{more}", list.shown().count())
                        }
                    };
                    let name = title(&list.kind.many);
                    let words = format!("{indent}{} {name}{state}", sign(node.is_open));
                    Row::new().styled(words, theme.dim)
                }
            }
        };
        table::draw(
            frame,
            inside,
            theme,
            &columns,
            self.nodes.len(),
            Some(self.at),
            row,
        );
    }
}
