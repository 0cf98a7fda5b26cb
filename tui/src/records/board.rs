//! A board: the records of a list as cards in columns by their state. A card is moved by the tool that
//! changes such a record.

use frontdesk_client::CallError;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use serde_json::{Map, Value};

use super::cell;
use super::kind::Field;
use super::listing::Listing;
use super::names::reading;
use super::record::Record;
use crate::app::cx::Cx;
use crate::app::effect::{Answer, RequestId, ToolCall, Work};
use crate::app::remote::Remote;
use crate::app::shared::Shared;
use crate::ui::mark::{Mark, spinner};
use crate::ui::panel::titled;
use crate::ui::problem::Problem;
use crate::ui::table::{self, Column, Row};

/// A board over a list.
#[derive(Debug)]
pub(crate) struct Board {
    /// The field that says in which column a card is.
    field: &'static Field,
    words: &'static [String],
    column: usize,
    selected: Option<String>,
    /// The card that is being moved, and where to.
    moving: Option<(String, usize)>,
    request: Remote<()>,
}

impl Board {
    /// A board of the list, if its records have a state.
    pub(crate) fn of(list: &Listing) -> Option<Self> {
        let (field, words) = list.kind.state_field()?;
        let mut board = Board {
            field,
            words,
            column: 0,
            selected: None,
            moving: None,
            request: Remote::Idle,
        };
        if let Some(record) = list.selected() {
            board.column = board.column_of(record).unwrap_or(0);
            board.selected = Some(record.id().to_owned());
        }
        Some(board)
    }

    fn column_of(&self, record: &Record) -> Option<usize> {
        let word = record.text(&self.field.name)?;
        self.words.iter().position(|one| one == word)
    }

    /// The cards of a column, in the list's order.
    fn cards<'a>(&self, list: &'a Listing, column: usize) -> Vec<&'a Record> {
        let shown = list.shown();
        shown
            .filter(|record| self.column_of(record) == Some(column))
            .collect()
    }

    fn place(&self, cards: &[&Record]) -> usize {
        let mut ids = cards.iter().map(|card| card.id());
        let at = ids.position(|id| Some(id) == self.selected.as_deref());
        at.unwrap_or(0)
    }

    /// The selected card.
    pub(crate) fn selected<'a>(&self, list: &'a Listing) -> Option<&'a Record> {
        let cards = self.cards(list, self.column);
        cards.get(self.place(&cards)).copied()
    }

    /// Goes up or down in the column.
    pub(crate) fn step(&mut self, list: &Listing, by: isize) {
        let cards = self.cards(list, self.column);
        let at = table::moved(cards.len(), Some(self.place(&cards)), by);
        self.selected = at.map(|at| cards[at].id().to_owned());
    }

    /// Goes to another column.
    pub(crate) fn step_column(&mut self, list: &Listing, by: isize) {
        let at = self.place(&self.cards(list, self.column));
        let last = self.words.len().saturating_sub(1);
        self.column = self.column.saturating_add_signed(by).min(last);
        let cards = self.cards(list, self.column);
        let card = cards.get(at).or(cards.last());
        self.selected = card.map(|card| card.id().to_owned());
    }

    /// Moves the selected card to another column, unless one is on its way.
    pub(crate) fn move_card(&mut self, cx: &mut Cx, list: &Listing, by: isize) {
        let Some(card) = self.selected(list).filter(|_| !self.request.is_loading()) else {
            return;
        };
        let to = self.column.saturating_add_signed(by);
        let (Some(word), Some(update)) = (self.words.get(to), &list.kind.update) else {
            return;
        };
        if to == self.column {
            return;
        }
        let arguments = Map::from_iter([
            (update.argument.clone(), card.id().into()),
            (self.field.name.clone(), Value::from(word.as_str())),
        ]);
        let call = ToolCall {
            changes_nothing: false,
            by_hand: true,
            ..reading(update.tool, arguments)
        };
        self.moving = Some((card.id().to_owned(), to));
        self.selected = Some(card.id().to_owned());
        self.request.begin(cx.run(Work::Call(call)));
    }

    /// Takes the answer to a move, if it is one.
    pub(crate) fn answered(
        &mut self,
        cx: &mut Cx,
        list: &mut Listing,
        request: RequestId,
        answer: &Answer,
    ) -> bool {
        if !self.request.waits_for(request) {
            return false;
        }
        let moved = self.moving.take();
        let result = answer.result.as_ref().map_err(Clone::clone);
        match (&result, moved) {
            (Ok(reply), Some((id, to))) => {
                let mut results = reply.value.as_object().into_iter().flat_map(Map::values);
                let record = results
                    .find_map(Record::new)
                    .filter(|record| record.id() == id);
                if let Some(record) = record {
                    list.update(cx.shared, &record);
                }
                self.column = to;
                self.selected = Some(id);
            }
            (Err(error), _) => {
                let problem = Problem::of_write(error);
                cx.toast(Mark::Bad, format!("Not moved. {}", problem.line()));
                if matches!(error, CallError::OutcomeUnknown(_)) {
                    list.load(cx);
                }
            }
            _ => {}
        }
        self.request.finish(request, cx.now(), result.map(drop));
        true
    }

    /// Whether the person waits for a move.
    pub(crate) fn is_busy(&self) -> bool {
        self.request.is_loading()
    }

    /// Draws the columns side by side.
    pub(crate) fn draw(&self, list: &Listing, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.theme;
        let places = Layout::horizontal(self.words.iter().map(|_| Constraint::Fill(1))).split(area);
        for ((column, word), place) in self.words.iter().enumerate().zip(places.iter()) {
            let cards = self.cards(list, column);
            let more = if list.has_more() { "+" } else { "" };
            let title = format!(" {} {}{more} ", cell::state(word).text, cards.len());
            let border = match column == self.column {
                true => theme.focus,
                false => theme.border,
            };
            let block = titled(title, border);
            let inside = block.inner(*place);
            frame.render_widget(block, *place);
            let at = (column == self.column).then(|| self.place(&cards));
            let at = at.filter(|_| !cards.is_empty());
            let columns = [Column::share("", 1)];
            table::draw(frame, inside, theme, &columns, cards.len(), at, |at| {
                let card = cards[at];
                let moving = self.moving.as_ref().is_some_and(|(id, _)| id == card.id());
                let name = card.label(list.kind);
                match moving {
                    true => {
                        Row::new().styled(format!("{} {name}", spinner(shared.spin)), theme.busy)
                    }
                    false => Row::new().styled(name, Style::new()),
                }
            });
        }
    }
}
