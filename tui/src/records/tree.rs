//! A tree of records. Each record contains its embedded records, or the lists that take its id,
//! which are loaded when unfolded.

use std::collections::{HashMap, HashSet};

use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::style::Style;
use ratatui::text::Line;
use serde_json::{Map, Value};

use super::addition::Addition;
use super::kind::{Kind, inside};
use super::listing::Listing;
use super::record::Record;
use super::view::View;
use crate::app::cx::Cx;
use crate::app::effects::call::{Answer, ToolCall};
use crate::app::owner::RequestId;
use crate::app::shared::Shared;
use crate::fields::cell::{self, Cell};
use crate::fields::title;
use crate::look::mark::spinner;
use crate::ui::panel::framed;
use crate::ui::problem::Problem;
use crate::ui::table::{self, Column, Row};

/// Indentation per level.
const INDENT: usize = 2;
/// Width of a state.
const STATE: u16 = 13;
/// Minimum width for states beside the names.
const WIDE: u16 = 60;
/// Minimum height for a last line with details of the selected record.
const TALL: u16 = 8;

/// A tree of records. Each node precedes its contents.
#[derive(Debug)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    at: usize,
    /// Records folded by the user.
    folded: HashSet<String>,
    /// A record added here, to be selected once it is in the tree.
    added: Option<String>,
    /// The last addition here, and the record that it has added.
    adding: Option<Box<(Addition, Option<String>)>>,
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

impl Node {
    /// Whether it is the record with this id.
    fn is(&self, id: &str) -> bool {
        matches!(&self.what, What::Record(_, record) if record.id() == id)
    }
}

/// The embedded records of all kinds; `None` for a kind without embedded records.
fn held(kind: &Kind, record: &Record) -> Option<Vec<(&'static Kind, Record)>> {
    let fields = record.all().iter();
    let mut fields = fields.filter_map(|(name, value)| {
        let items = value.as_array()?;
        Some((inside(&kind.peer, name)?, items))
    });
    let mut held = Vec::new();
    let (first, items) = fields.next()?;
    for (kind, items) in std::iter::once((first, items)).chain(fields) {
        let records = items.iter().filter_map(|item| Record::of(kind, item));
        held.extend(records.map(|record| (kind, record)));
    }
    Some(held)
}

impl Tree {
    /// The tree of a record, unfolded once.
    pub(crate) fn of(kind: &'static Kind, record: Record, shared: &mut Shared) -> Self {
        let root = Node {
            depth: 0,
            is_open: false,
            what: What::Record(kind, record),
        };
        let mut tree = Tree {
            nodes: vec![root],
            at: 0,
            folded: HashSet::new(),
            added: None,
            adding: None,
        };
        tree.open_record(0, shared);
        tree
    }

    /// Rebuilds the tree from newer data. Selection and folding are kept.
    pub(crate) fn renew(&mut self, kind: &'static Kind, record: Record, shared: &mut Shared) {
        if held(kind, &record).is_none() {
            return self.learn(&kind.id, &record);
        }
        let selected = self.selected().map(|(_, record)| record.id().to_owned());
        let place = self.at;
        let root = Node {
            depth: 0,
            is_open: false,
            what: What::Record(kind, record),
        };
        self.nodes = vec![root];
        self.at = 0;
        self.open_record(0, shared);
        let find = |id: &str| {
            let mut nodes = self.nodes.iter();
            nodes.position(|node| node.is(id))
        };
        let added = self.added.take();
        let found = added.as_deref().and_then(find);
        let found = found.or_else(|| selected.as_deref().and_then(find));
        self.at = found.unwrap_or(place.min(self.nodes.len().saturating_sub(1)));
    }

    /// The selected record: the node itself, or the owner of the selected list.
    pub(crate) fn selected(&self) -> Option<(&'static Kind, &Record)> {
        let nodes = self.nodes.get(..=self.at)?;
        nodes.iter().rev().find_map(|node| match &node.what {
            What::Record(kind, record) => Some((*kind, record)),
            What::List(_) => None,
        })
    }

    /// Applies a record returned by a write. A new one will be selected.
    pub(crate) fn know(&mut self, kind: &str, record: &Record) {
        let id = record.id();
        if let Some((addition, added)) = self.adding.as_deref_mut()
            && addition.kind.id == kind
            && !self.nodes.iter().any(|node| node.is(id))
        {
            *added = Some(id.to_owned());
            self.added = Some(id.to_owned());
        }
        if self.has(kind) {
            self.added = Some(id.to_owned());
        }
        self.learn(kind, record);
    }

    /// Applies newer data of a record.
    pub(crate) fn learn(&mut self, kind: &str, record: &Record) {
        for node in &mut self.nodes {
            if let What::Record(of, known) = &mut node.what
                && of.id == kind
                && known.id() == record.id()
            {
                *known = known.updated(record);
            }
        }
    }

    /// Reloads the open lists of these kinds.
    pub(crate) fn reload(&mut self, cx: &mut Cx, kinds: &[String]) {
        for node in self.nodes.iter_mut().filter(|node| node.is_open) {
            if let What::List(list) = &mut node.what {
                list.written(cx, kinds);
            }
        }
    }

    /// Reloads all open lists.
    pub(crate) fn reload_all(&mut self, cx: &mut Cx) {
        for node in self.nodes.iter_mut().filter(|node| node.is_open) {
            if let What::List(list) = &mut node.what {
                list.load(cx);
            }
        }
    }

    /// Loads the open lists again, except those being loaded.
    pub(crate) fn renew_lists(&mut self, cx: &mut Cx) {
        for node in self.nodes.iter_mut().filter(|node| node.is_open) {
            if let What::List(list) = &mut node.what {
                list.renew(cx);
            }
        }
    }

    /// Whether an open list is being loaded for the first time.
    pub(crate) fn awaits(&self) -> bool {
        let mut open = self.nodes.iter().filter(|node| node.is_open);
        open.any(|node| matches!(&node.what, What::List(list) if list.awaits()))
    }

    /// Whether it has nothing but its root.
    pub(crate) fn is_without_contents(&self) -> bool {
        self.nodes.len() == 1
    }

    /// Whether a list is being loaded.
    pub(crate) fn is_busy(&self) -> bool {
        let mut nodes = self.nodes.iter();
        nodes.any(|node| matches!(&node.what, What::List(list) if list.is_busy()))
    }

    /// Whether the root is selected.
    pub(crate) fn is_at_root(&self) -> bool {
        self.at == 0
    }

    /// Whether it contains records of this kind.
    pub(crate) fn has(&self, kind: &str) -> bool {
        let mut kinds = self.nodes.iter().map(|node| match &node.what {
            What::Record(kind, _) => kind,
            What::List(list) => list.kind,
        });
        kinds.any(|one| one.id == kind)
    }

    /// What can be added at the selection: inside it, then beside it, then further up. At the record
    /// that was added last, the same comes first, so that repeating adds siblings.
    pub(crate) fn additions(&self) -> Vec<Addition> {
        let mut found: Vec<Addition> = Vec::new();
        let mut depth = usize::MAX;
        for node in self.nodes.iter().take(self.at + 1).rev() {
            if node.depth >= depth {
                continue;
            }
            depth = node.depth;
            let here = match &node.what {
                What::Record(kind, record) => Addition::to(kind, record),
                What::List(list) => list.addition().into_iter().collect(),
            };
            for one in here {
                if !found.iter().any(|known| std::ptr::eq(known.kind, one.kind)) {
                    found.push(one);
                }
            }
        }
        let selected = self.selected().map(|(_, record)| record.id());
        if let Some((adding, added)) = self.adding.as_deref()
            && added.as_deref() == selected
            && let Some(at) = found.iter().position(|one| one.is_like(adding))
        {
            found[..=at].rotate_right(1);
        }
        found
    }

    /// The user adds this.
    pub(crate) fn adding(&mut self, addition: &Addition) {
        self.adding = Some(Box::new((addition.clone(), None)));
    }

    /// The calls that move the selected record up or down among its siblings; empty at the end, or
    /// if records have no position.
    pub(crate) fn shift(&self, by: isize) -> Vec<ToolCall> {
        let (beside, at) = self.beside();
        let to = at.saturating_add_signed(by);
        let Some((kind, _)) = beside.first() else {
            return Vec::new();
        };
        let Some((update, position)) = kind.update.as_ref().zip(kind.movable()) else {
            return Vec::new();
        };
        if to >= beside.len() || to == at {
            return Vec::new();
        }
        let places: Vec<f64> = beside
            .iter()
            .map(|(_, record)| record.number(position).unwrap_or(0.0))
            .collect();
        // Reuse the existing positions if they are distinct.
        let are_places = places.windows(2).all(|two| two[0] < two[1]);
        let mut order: Vec<usize> = (0..beside.len()).collect();
        order.swap(at, to);
        let moved = order.into_iter().enumerate().filter_map(|(place, from)| {
            let place = match are_places {
                true => places[place],
                false => (place + 1) as f64,
            };
            let (_, record) = beside[from];
            if record.number(position) == Some(place) {
                return None;
            }
            // Positions are integers if possible.
            let place = match place.fract() == 0.0 {
                true => Value::from(place as i64),
                false => Value::from(place),
            };
            let arguments = Map::from_iter([
                (update.argument.clone(), record.id().into()),
                (position.to_owned(), place),
            ]);
            Some(update.tool.writing(arguments))
        });
        moved.collect()
    }

    /// The siblings of the selected record of its kind, and its index among them.
    fn beside(&self) -> (Vec<(&'static Kind, &Record)>, usize) {
        let Some(selected) = self.nodes.get(self.at) else {
            return (Vec::new(), 0);
        };
        let What::Record(kind, own) = &selected.what else {
            return (Vec::new(), 0);
        };
        let depth = selected.depth;
        let is_inside = |node: &&Node| node.depth >= depth;
        let before = self.nodes[..self.at].iter().rev().take_while(is_inside);
        let first = self.at - before.count();
        let nodes = self.nodes[first..].iter().take_while(is_inside);
        let beside = nodes.filter_map(|node| match &node.what {
            What::Record(other, record) if node.depth == depth && other.id == kind.id => {
                Some((*other, record))
            }
            _ => None,
        });
        let beside: Vec<_> = beside.collect();
        let at = beside.iter().position(|(_, one)| one.id() == own.id());
        (beside, at.unwrap_or(0))
    }

    /// Moves the selection.
    pub(crate) fn step(&mut self, by: isize) {
        self.at = table::moved(self.nodes.len(), Some(self.at), by).unwrap_or(0);
    }

    /// Unfolds the node, or moves to its first child.
    pub(crate) fn right(&mut self, cx: &mut Cx) {
        match self.nodes.get_mut(self.at) {
            Some(node) if node.is_open => self.step(1),
            Some(Node {
                what: What::Record(_, record),
                ..
            }) => {
                let id = record.id().to_owned();
                self.folded.remove(&id);
                self.open_record(self.at, cx.shared);
            }
            Some(node) => {
                if let What::List(list) = &mut node.what {
                    node.is_open = true;
                    list.load(cx);
                }
            }
            None => {}
        }
    }

    /// Folds the node, or moves to its parent.
    pub(crate) fn left(&mut self) {
        let Some(node) = self.nodes.get_mut(self.at) else {
            return;
        };
        if std::mem::take(&mut node.is_open) {
            if let What::Record(_, record) = &node.what {
                self.folded.insert(record.id().to_owned());
            }
            self.fold(self.at);
        } else {
            let depth = node.depth;
            let mut above = self.nodes[..self.at].iter();
            self.at = above
                .rposition(|node| node.depth < depth)
                .unwrap_or(self.at);
        }
    }

    /// Handles the answer for one of its lists.
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
            if node.is_open {
                self.refill(at, depth, kind, records);
            } else {
                self.fold(at);
            }
            return true;
        }
        false
    }

    /// Shows the contents of a record.
    fn open_record(&mut self, at: usize, shared: &mut Shared) {
        let Node {
            depth,
            is_open,
            what: What::Record(kind, record),
        } = &mut self.nodes[at]
        else {
            return;
        };
        let depth = *depth + 1;
        if let Some(records) = held(kind, record) {
            *is_open = !records.is_empty();
            for (kind, record) in &records {
                shared.names.note(record.id(), &record.label(kind));
            }
            let number = records.len();
            let nodes = records.into_iter().map(|(kind, record)| Node {
                depth,
                is_open: false,
                what: What::Record(kind, record),
            });
            self.insert(at + 1, nodes.collect());
            // Backwards, so the indices of the others stay valid.
            for inner in (at + 1..=at + number).rev() {
                let is_folded = match &self.nodes[inner].what {
                    What::Record(kind, record) => {
                        // Lists are loaded on demand.
                        held(kind, record).is_none() || self.folded.contains(record.id())
                    }
                    What::List(_) => true,
                };
                if !is_folded {
                    self.open_record(inner, shared);
                }
            }
            return;
        }
        if kind.holds {
            // The record must be loaded first.
            return;
        }
        let lists = kind.tabs().into_iter().map(|tab| {
            let given = Map::from_iter([(tab.argument.name.clone(), record.id().into())]);
            Node {
                depth,
                is_open: false,
                what: What::List(Box::new(Listing::new(tab.kind, tab.list, given, shared))),
            }
        });
        let lists: Vec<Node> = lists.collect();
        *is_open = !lists.is_empty();
        self.insert(at + 1, lists);
    }

    fn insert(&mut self, at: usize, nodes: Vec<Node>) {
        if self.at >= at {
            self.at += nodes.len();
        }
        self.nodes.splice(at..at, nodes);
    }

    /// Replaces the records of a list. What is unfolded inside them and the selection stay.
    fn refill(&mut self, at: usize, depth: usize, kind: &'static Kind, records: Vec<Record>) {
        let inside = self.nodes[at + 1..]
            .iter()
            .take_while(|node| node.depth >= depth)
            .count();
        let end = at + 1 + inside;
        let mut selected = None;
        let mut known: HashMap<String, Vec<Node>> = HashMap::new();
        let mut id = String::new();
        for (place, node) in (at + 1..).zip(self.nodes.drain(at + 1..end)) {
            if let What::Record(_, record) = &node.what
                && node.depth == depth
            {
                id = record.id().to_owned();
            }
            let nodes = known.entry(id.clone()).or_default();
            if place == self.at {
                selected = Some((id.clone(), nodes.len()));
            }
            nodes.push(node);
        }
        let mut nodes = Vec::new();
        let mut found = None;
        for record in records {
            if let Some((id, offset)) = &selected
                && id == record.id()
            {
                found = Some(at + 1 + nodes.len() + offset);
            }
            let mut own = known.remove(record.id()).unwrap_or_default().into_iter();
            nodes.push(Node {
                depth,
                is_open: own.next().is_some_and(|node| node.is_open),
                what: What::Record(kind, record),
            });
            nodes.extend(own);
        }
        let number = nodes.len();
        self.nodes.splice(at + 1..at + 1, nodes);
        self.at = match (selected, found) {
            (None, _) if self.at > at => self.at + number - inside,
            (None, _) => self.at,
            (Some(_), Some(found)) => found,
            // The selected record is gone.
            (Some(_), None) => self.at.min(at + number),
        };
    }

    /// Removes the contents of a node.
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
        let mut inside = framed(frame, area, " Tree ", shared.settings.theme.border);
        // The details of the selected record are shown in full.
        let told = self.nodes.get(self.at).and_then(|node| match &node.what {
            What::Record(kind, record) => self.text_of(kind, record, shared),
            What::List(_) => None,
        });
        if inside.height >= TALL {
            let [rest, place] = Layout::vertical([Fill(1), Length(1)]).areas(inside);
            inside = rest;
            if let Some(told) = told {
                let style = told.tone.style(&shared.settings.theme);
                frame.render_widget(Line::styled(format!("  {}", told.text), style), place);
            }
        }
        let columns = [
            Column::share("", 1),
            Column::fixed("", STATE).only_from(WIDE),
            Column::share("", 1).only_from(WIDE),
        ];
        let number = self.nodes.len();
        let selected = Some(self.at);
        table::draw(frame, inside, shared, &columns, number, selected, |at| {
            self.row(at, shared)
        });
    }

    /// The details beside a record.
    fn text_of(&self, kind: &Kind, record: &Record, shared: &Shared) -> Option<Cell> {
        let text = View::of(kind, shared).tree_text?;
        match &self.nodes.first()?.what {
            What::Record(_, root) => Some(text(record, root, shared)),
            What::List(_) => None,
        }
    }

    fn row(&self, at: usize, shared: &Shared) -> Row {
        let theme = &shared.settings.theme;
        let node = &self.nodes[at];
        let indent = " ".repeat(node.depth * INDENT);
        let sign = |is_open| if is_open { "-" } else { "+" };
        match &node.what {
            What::Record(kind, record) => {
                let is_leaf = match held(kind, record) {
                    Some(held) => held.is_empty(),
                    None => kind.tabs().is_empty(),
                };
                let sign = if is_leaf { " " } else { sign(node.is_open) };
                let state = kind.state_field().map(|(field, _)| {
                    let cell = cell::cell(field, record.get(&field.name), shared);
                    (cell.text, cell.tone.style(theme))
                });
                let (state, style) = state.unwrap_or_default();
                let beside = self.text_of(kind, record, shared);
                let beside = beside.map(|cell| (cell.text, cell.tone.style(theme)));
                let (beside, beside_style) = beside.unwrap_or_default();
                let name_style = match node.depth == 0 || node.is_open {
                    true => theme.title,
                    false => Style::new(),
                };
                Row::new()
                    .styled(format!("{indent}{sign} {}", record.label(kind)), name_style)
                    .styled(state, style)
                    .styled(beside, beside_style)
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
    }
}
