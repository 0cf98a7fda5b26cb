//! The display of an answer, and the selection in it.

use crossterm::event::KeyEvent;
use ratatui::Frame;
use ratatui::layout::Rect;
use serde_json::Value;

use super::card::{self, Card};
use super::prose::{self, Prose};
use super::table::{self, Table};
use super::tree::{self, Tree};
use crate::app::cx::Cx;
use crate::app::shared::Shared;
use crate::app::state::Typing;
use crate::fields::names::is_beside;
use crate::fields::{Field, of_records};
use crate::tabular::{self, Tabular};
use crate::ui::search::Search;

/// Maximum length in bytes of a text that is completely visible in its cell.
const SHORT: usize = 40;

/// The display of an answer. The answer is not copied; methods take it as an argument.
#[derive(Debug)]
pub(super) enum Body {
    /// A list of records.
    Table(Box<Table>),
    /// A record.
    Card(Card),
    /// A text.
    Prose(Prose),
    /// Everything else, and any answer as JSON.
    Tree(Box<Tree>),
}

/// A selection, to be restored in another answer.
#[derive(Debug)]
pub(super) enum Bookmark {
    Record(table::Bookmark),
    Field(usize),
}

/// A part of an answer.
pub(super) struct Part<'a> {
    pub(super) name: Option<String>,
    /// The fields of its records.
    pub(super) fields: Vec<Field>,
    pub(super) value: &'a Value,
}

impl Body {
    /// The best display for an answer with these fields.
    pub(super) fn of(answer: &Value, fields: &[Field]) -> Self {
        match (table::records(answer), answer) {
            (Some(records), _) => {
                let table = Table::new(&inner(answer, fields), records);
                Body::Table(Box::new(table))
            }
            (None, Value::Object(object)) if !object.is_empty() => {
                Body::Card(Card::new(inner(answer, fields), 0))
            }
            (None, Value::String(_)) => Body::Prose(Prose::default()),
            (None, answer) => Body::json(answer),
        }
    }

    /// The best display for a part of an answer: here an empty list does not mean a list of
    /// records.
    pub(super) fn of_part(part: &Value, fields: &[Field]) -> Self {
        match (table::records(part), part) {
            (Some([]), Value::Object(_)) => Body::Card(Card::new(inner(part, fields), 0)),
            _ => Body::of(part, fields),
        }
    }

    /// The display as JSON.
    pub(super) fn json(answer: &Value) -> Self {
        Body::Tree(Box::new(Tree::new(answer)))
    }

    /// The current selection.
    pub(super) fn bookmark(&self, answer: &Value) -> Option<Bookmark> {
        match self {
            Body::Table(table) => {
                let bookmark = table.bookmark(table::records(answer)?);
                bookmark.map(Bookmark::Record)
            }
            Body::Card(card) => Some(Bookmark::Field(card.bookmark())),
            Body::Prose(_) | Body::Tree(_) => None,
        }
    }

    /// Adapts to a new answer with these fields.
    pub(super) fn renew(
        &mut self,
        answer: &Value,
        fields: &[Field],
        bookmark: Option<&Bookmark>,
        shared: &Shared,
    ) {
        match (&mut *self, table::records(answer), bookmark) {
            (Body::Table(table), Some(records), bookmark) => {
                let bookmark = match bookmark {
                    Some(Bookmark::Record(bookmark)) => Some(bookmark),
                    _ => None,
                };
                table.renew(&inner(answer, fields), records, bookmark, shared);
            }
            (Body::Card(card), None, Some(Bookmark::Field(at))) if answer.is_object() => {
                *card = Card::new(inner(answer, fields), *at);
            }
            _ => *self = Body::of(answer, fields),
        }
    }

    /// The selected record of a table.
    pub(super) fn record<'a>(&self, answer: &'a Value) -> Option<&'a Value> {
        match self {
            Body::Table(table) => table.selected(table::records(answer)?),
            _ => None,
        }
    }

    /// The part that can be opened: a record, or a value that is not completely visible.
    pub(super) fn part<'a>(&self, answer: &'a Value, fields: &[Field]) -> Option<Part<'a>> {
        let (name, fields, value) = match self {
            Body::Table(_) => {
                let (fields, value) = (inner(answer, fields), self.record(answer)?);
                return Some(Part {
                    name: None,
                    fields,
                    value,
                });
            }
            Body::Card(card) => {
                let (field, value) = card.field(answer)?;
                let fields = field.inner().map(<[Field]>::to_vec);
                (field.title.clone(), fields, value)
            }
            Body::Tree(tree) => (tree.path(), None, tree.value(answer)?),
            Body::Prose(_) => return None,
        };
        let is_more = match value {
            Value::Object(fields) => !fields.is_empty(),
            Value::Array(items) => !items.is_empty(),
            Value::String(text) => text.len() > SHORT || text.contains('\n'),
            _ => false,
        };
        is_more.then(|| Part {
            name: Some(name),
            fields: fields.unwrap_or_else(|| fields_of(None, value)),
            value,
        })
    }

    /// The selected value.
    pub(super) fn cell<'a>(&self, answer: &'a Value) -> Option<&'a Value> {
        match self {
            Body::Table(table) => table.cell(table::records(answer)?),
            Body::Card(card) => card.field(answer).map(|(_, value)| value),
            Body::Tree(tree) => tree.value(answer),
            Body::Prose(_) => Some(answer),
        }
    }

    /// The table, if this is one.
    pub(super) fn table(&self) -> Option<&Table> {
        match self {
            Body::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The tree, if this is one.
    pub(super) fn tree(&self) -> Option<&Tree> {
        match self {
            Body::Tree(tree) => Some(tree),
            _ => None,
        }
    }

    /// The text, if it is Markdown.
    pub(super) fn markdown(&mut self, answer: &Value) -> Option<&mut Prose> {
        match self {
            Body::Prose(prose) if Prose::is_markdown(answer) => Some(prose),
            _ => None,
        }
    }

    /// Whether it is a Markdown text.
    pub(super) fn is_markdown(&self, answer: &Value) -> bool {
        matches!(self, Body::Prose(_)) && Prose::is_markdown(answer)
    }

    fn search(&mut self) -> Option<&mut Search> {
        match self {
            Body::Table(table) => Some(table.search()),
            Body::Tree(tree) => Some(tree.search()),
            Body::Card(_) | Body::Prose(_) => None,
        }
    }

    /// Moves the selection by this many rows.
    pub(super) fn step(&mut self, answer: &Value, shared: &Shared, by: isize) {
        match self {
            Body::Table(table) => table.step(by),
            Body::Card(card) => card.step(by),
            Body::Prose(prose) => prose.step(answer, shared, by),
            Body::Tree(tree) => tree.step(by),
        }
    }

    /// Moves right: to the next column, or unfolds the node.
    pub(super) fn right(&mut self, answer: &Value) {
        match self {
            Body::Table(table) => table.step_column(1),
            Body::Tree(tree) => tree.right(answer),
            Body::Card(_) | Body::Prose(_) => {}
        }
    }

    /// Moves left: to the previous column, or folds the node.
    pub(super) fn left(&mut self, answer: &Value) {
        match self {
            Body::Table(table) => table.step_column(-1),
            Body::Tree(tree) => tree.left(answer),
            Body::Card(_) | Body::Prose(_) => {}
        }
    }

    /// How letters are handled.
    pub(super) fn typing(&self) -> Typing {
        match self {
            Body::Table(table) => table.typing(),
            Body::Tree(tree) => tree.typing(),
            Body::Card(_) | Body::Prose(_) => Typing::No,
        }
    }

    /// Whether it supports a search.
    pub(super) fn can_search(&self) -> bool {
        matches!(self, Body::Table(_) | Body::Tree(_))
    }

    /// Focuses the search field.
    pub(super) fn begin_search(&mut self) {
        if let Some(search) = self.search() {
            search.begin();
        }
    }

    /// Leaves the search field and keeps the text.
    pub(super) fn end_search(&mut self) {
        if let Some(search) = self.search() {
            search.end();
        }
    }

    /// Clears the search. Returns whether there was a text.
    pub(super) fn clear_search(&mut self, answer: &Value, shared: &Shared) -> bool {
        let was_open = self.search().is_some_and(Search::clear);
        if was_open {
            self.arrange(answer, shared);
        }
        was_open
    }

    /// A key in the search field.
    pub(super) fn key(&mut self, answer: &Value, shared: &Shared, key: KeyEvent) {
        if self.search().is_some_and(|search| search.key(key)) {
            self.arrange(answer, shared);
        }
    }

    /// Pasted text in the search field.
    pub(super) fn paste(&mut self, answer: &Value, cx: &mut Cx, text: &str) {
        if self.search().is_some_and(|search| search.paste(cx, text)) {
            self.arrange(answer, cx.shared);
        }
    }

    fn arrange(&mut self, answer: &Value, shared: &Shared) {
        match (self, table::records(answer)) {
            (Body::Table(table), Some(records)) => table.arrange(records, shared),
            (Body::Tree(tree), _) => tree.arrange(answer),
            _ => {}
        }
    }

    /// Runs an action on the table and its records.
    pub(super) fn on_table(&mut self, answer: &Value, act: impl FnOnce(&mut Table, &[Value])) {
        if let (Body::Table(table), Some(records)) = (self, table::records(answer)) {
            act(table, records);
        }
    }

    /// Runs an action on the tree and its value.
    pub(super) fn on_tree(&mut self, answer: &Value, act: impl FnOnce(&mut Tree, &Value)) {
        if let Body::Tree(tree) = self {
            act(tree, answer);
        }
    }

    /// Draws an answer with these fields.
    pub(super) fn draw(
        &self,
        answer: &Value,
        fields: &[Field],
        shared: &Shared,
        frame: &mut Frame,
        area: Rect,
    ) {
        match self {
            Body::Table(table) => table::draw(table, answer, fields, shared, frame, area),
            Body::Card(card) => card::draw(card, answer, shared, frame, area),
            Body::Prose(prose) => prose::draw(prose, answer, shared, frame, area),
            Body::Tree(tree) => tree::draw(tree, answer, shared, frame, area),
        }
    }
}

/// The fields of a result, or of the records in a list: as the schema says, otherwise as the values
/// look.
pub(super) fn fields_of(schema: Option<&Value>, value: &Value) -> Vec<Field> {
    let one = std::slice::from_ref(value);
    let records = value.as_array().map_or(one, Vec::as_slice);
    let fields = of_records(schema, records.iter().filter_map(Value::as_object));
    let shown = fields.iter().filter(|field| !is_beside(field, &fields));
    shown.cloned().collect()
}

/// The fields of the records that an answer with these fields shows.
fn inner(answer: &Value, fields: &[Field]) -> Vec<Field> {
    let list = Tabular::of(answer).and_then(|shape| shape.list);
    let first = answer.as_object().and_then(|object| object.iter().next());
    let shown = match (list, first) {
        (Some((name, _)), _) if answer.is_object() => name,
        (None, Some((name, value))) if std::ptr::eq(tabular::record(answer), value) => name,
        (_, _) => return fields.to_vec(),
    };
    let declared = fields.iter().find(|field| field.name == shown);
    let declared = declared.and_then(Field::inner).map(<[Field]>::to_vec);
    let mut inner = declared.unwrap_or_else(|| fields_of(None, &answer[shown]));
    if let Some(record) = answer[shown].as_object() {
        inner.retain(|field| record.contains_key(&field.name));
    }
    inner
}
