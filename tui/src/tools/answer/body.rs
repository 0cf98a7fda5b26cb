//! What an answer is shown as, and where one is in it.

use crossterm::event::KeyEvent;
use ratatui::Frame;
use ratatui::layout::Rect;
use serde_json::Value;

use super::card::{self, Card};
use super::prose::{self, Prose};
use super::search::Search;
use super::table::{self, Table};
use super::tree::{self, Tree};
use crate::app::shared::Shared;
use crate::app::state::Typing;

/// A text of no more bytes than this is read where it stands.
const SHORT: usize = 40;

/// What an answer is shown as. The answer itself stays where it is, and is given to what needs it.
#[derive(Debug)]
pub(super) enum Body {
    /// A list of records.
    Table(Box<Table>),
    /// A record.
    Card(Card),
    /// A text.
    Prose(Prose),
    /// Everything else, and everything as JSON.
    Tree(Box<Tree>),
}

/// What was selected, to be found again in another answer.
#[derive(Debug)]
pub(super) enum Bookmark {
    Record(table::Bookmark),
    Field(usize),
}

impl Body {
    /// What it looks like best.
    pub(super) fn of(answer: &Value) -> Self {
        match (table::records(answer), answer) {
            (Some(records), _) => Body::Table(Box::new(Table::new(records))),
            (None, Value::Object(fields)) if !fields.is_empty() => Body::Card(Card::default()),
            (None, Value::String(_)) => Body::Prose(Prose::default()),
            (None, answer) => Body::json(answer),
        }
    }

    /// What a part of an answer looks like best: an empty list in a record does not make it a list.
    pub(super) fn of_part(part: &Value) -> Self {
        match (table::records(part), part) {
            (Some([]), Value::Object(_)) => Body::Card(Card::default()),
            _ => Body::of(part),
        }
    }

    /// As JSON, whatever else it could be.
    pub(super) fn json(answer: &Value) -> Self {
        Body::Tree(Box::new(Tree::new(answer)))
    }

    /// What is selected, to find it again in another answer.
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

    /// The answer is another one.
    pub(super) fn renew(&mut self, answer: &Value, bookmark: Option<&Bookmark>) {
        match (&mut *self, table::records(answer), bookmark) {
            (Body::Table(table), Some(records), bookmark) => {
                let bookmark = match bookmark {
                    Some(Bookmark::Record(bookmark)) => Some(bookmark),
                    _ => None,
                };
                table.renew(records, bookmark);
            }
            (Body::Card(card), None, Some(Bookmark::Field(at))) if answer.is_object() => {
                *card = Card::at(answer, *at);
            }
            _ => *self = Body::of(answer),
        }
    }

    /// The selected record of a table.
    pub(super) fn record<'a>(&self, answer: &'a Value) -> Option<&'a Value> {
        match self {
            Body::Table(table) => table.selected(table::records(answer)?),
            _ => None,
        }
    }

    /// What can be opened, with its name if it has one: a record, or what there is more of than one sees.
    pub(super) fn part<'a>(&self, answer: &'a Value) -> Option<(Option<String>, &'a Value)> {
        let (name, part) = match self {
            Body::Table(_) => return Some((None, self.record(answer)?)),
            Body::Card(card) => {
                let (name, value) = card.field(answer)?;
                (name.clone(), value)
            }
            Body::Tree(tree) => (tree.path(), tree.value(answer)?),
            Body::Prose(_) => return None,
        };
        let is_more = match part {
            Value::Object(fields) => !fields.is_empty(),
            Value::Array(items) => !items.is_empty(),
            Value::String(text) => text.len() > SHORT || text.contains('\n'),
            _ => false,
        };
        is_more.then_some((Some(name), part))
    }

    /// The value under the cursor.
    pub(super) fn cell<'a>(&self, answer: &'a Value) -> Option<&'a Value> {
        match self {
            Body::Table(table) => table.cell(table::records(answer)?),
            Body::Card(card) => card.field(answer).map(|(_, value)| value),
            Body::Tree(tree) => tree.value(answer),
            Body::Prose(_) => Some(answer),
        }
    }

    /// The table, if it is one.
    pub(super) fn table(&self) -> Option<&Table> {
        match self {
            Body::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The tree, if it is one.
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

    /// Whether it is a text in Markdown.
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

    /// Moves on by this many rows.
    pub(super) fn step(&mut self, answer: &Value, shared: &Shared, by: isize) {
        match self {
            Body::Table(table) => table.step(by),
            Body::Card(card) => card.step(answer, by),
            Body::Prose(prose) => prose.step(answer, shared, by),
            Body::Tree(tree) => tree.step(by),
        }
    }

    /// To the right: the next column, or into what is folded.
    pub(super) fn right(&mut self, answer: &Value) {
        match self {
            Body::Table(table) => table.step_column(1),
            Body::Tree(tree) => tree.right(answer),
            Body::Card(_) | Body::Prose(_) => {}
        }
    }

    /// To the left: the previous column, or out of what is unfolded.
    pub(super) fn left(&mut self, answer: &Value) {
        match self {
            Body::Table(table) => table.step_column(-1),
            Body::Tree(tree) => tree.left(answer),
            Body::Card(_) | Body::Prose(_) => {}
        }
    }

    /// How letters are to be taken.
    pub(super) fn typing(&self) -> Typing {
        match self {
            Body::Table(table) => table.typing(),
            Body::Tree(tree) => tree.typing(),
            Body::Card(_) | Body::Prose(_) => Typing::No,
        }
    }

    /// Whether something can be looked for.
    pub(super) fn can_search(&self) -> bool {
        matches!(self, Body::Table(_) | Body::Tree(_))
    }

    /// Puts the cursor into the search field.
    pub(super) fn begin_search(&mut self) {
        if let Some(search) = self.search() {
            search.begin();
        }
    }

    /// Leaves the search field; what was typed stays.
    pub(super) fn end_search(&mut self) {
        if let Some(search) = self.search() {
            search.end();
        }
    }

    /// Looks for nothing any more; says whether that was different.
    pub(super) fn clear_search(&mut self, answer: &Value) -> bool {
        let was_open = self.search().is_some_and(Search::clear);
        if was_open {
            self.arrange(answer);
        }
        was_open
    }

    /// A key for the search field.
    pub(super) fn key(&mut self, answer: &Value, key: KeyEvent) {
        if self.search().is_some_and(|search| search.key(key)) {
            self.arrange(answer);
        }
    }

    /// Pasted text for the search field.
    pub(super) fn paste(&mut self, answer: &Value, text: &str) {
        if self.search().is_some_and(|search| search.paste(text)) {
            self.arrange(answer);
        }
    }

    fn arrange(&mut self, answer: &Value) {
        match (self, table::records(answer)) {
            (Body::Table(table), Some(records)) => table.arrange(records),
            (Body::Tree(tree), _) => tree.arrange(answer),
            _ => {}
        }
    }

    /// Lets the table act on its records.
    pub(super) fn on_table(&mut self, answer: &Value, act: impl FnOnce(&mut Table, &[Value])) {
        if let (Body::Table(table), Some(records)) = (self, table::records(answer)) {
            act(table, records);
        }
    }

    /// Lets the tree act on the answer.
    pub(super) fn on_tree(&mut self, answer: &Value, act: impl FnOnce(&mut Tree, &Value)) {
        if let Body::Tree(tree) = self {
            act(tree, answer);
        }
    }

    /// Draws it.
    pub(super) fn draw(&self, answer: &Value, shared: &Shared, frame: &mut Frame, area: Rect) {
        match self {
            Body::Table(table) => table::draw(table, answer, shared, frame, area),
            Body::Card(card) => card::draw(card, answer, shared, frame, area),
            Body::Prose(prose) => prose::draw(prose, answer, shared, frame, area),
            Body::Tree(tree) => tree::draw(tree, answer, shared, frame, area),
        }
    }
}
