//! The board of a kind: the records of a list as cards.

use std::slice;

use crossterm::event::KeyEvent;
use jiff::Timestamp;
use ratatui::Frame;
use ratatui::layout::Rect;
use serde_json::Map;

use super::Browse;
use super::missed::Missed;
use crate::app::cx::{Cx, News};
use crate::app::effects::effect::{Outcome, RequestId};
use crate::app::input::command::Context;
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::app::state::Typing;
use crate::fields;
use crate::records::addition::Addition;
use crate::records::board::Board;
use crate::records::facts;
use crate::records::kind::Kind;
use crate::records::listing::Listing;
use crate::records::listing::groups::{Groups, Left};
use crate::records::names::learn_names;
use crate::records::offer::want_offer;
use crate::records::record::Record;
use crate::records::writes::Writes;

/// The board of a kind.
#[derive(Debug)]
pub(crate) struct BoardScreen {
    list: Listing,
    board: Board,
    is_twin: bool,
    writes: Writes,
    /// The answer of the last move has all changes of its record.
    has_moved: bool,
    missed: Missed,
}

impl BoardScreen {
    /// The board of a kind, filtered by a record of another kind if given; `None` if its records
    /// cannot be shown as cards.
    pub(crate) fn new(
        kind: &'static Kind,
        by: Option<(&'static Kind, &Record)>,
        shared: &mut Shared,
    ) -> Option<Self> {
        let mut list = Listing::new(kind, kind.list(), Map::new(), shared);
        if let Some((kind, record)) = by {
            list.narrow_by(shared, kind, record);
        }
        BoardScreen::of(list, false, shared)
    }

    /// The cards of the list that the screen below shows.
    pub(super) fn twin(list: Listing, shared: &Shared) -> Option<Self> {
        BoardScreen::of(list, true, shared)
    }

    fn of(mut list: Listing, is_twin: bool, shared: &Shared) -> Option<Self> {
        let mut board = Board::of(&list, shared)?;
        board.begin(&mut list, shared);
        Some(BoardScreen {
            list,
            board,
            is_twin,
            writes: Writes::default(),
            has_moved: false,
            missed: Missed::default(),
        })
    }

    /// Whether the records outside the board are shown, as a list.
    fn is_aside(&self) -> bool {
        self.list.groups().is_some_and(Groups::shows_left)
    }

    /// Switches between the records outside the board and the board.
    pub(super) fn turn_left_out(&mut self, shared: &Shared) {
        self.board.turn_aside(&mut self.list, shared);
    }

    /// Why the records outside the board cannot be shown.
    pub(super) fn no_left_out(&self) -> Option<String> {
        let left = self.list.groups().map(Groups::left);
        let is_complete = left.is_none_or(|left| left == Left::default());
        is_complete.then(|| "all records are on the board".to_owned())
    }

    /// Moves the selection to another column.
    pub(super) fn step_column(&mut self, by: isize) {
        self.board.step_column(&mut self.list, by);
    }

    /// Moves the selected card to another column.
    pub(super) fn move_card(&mut self, cx: &mut Cx, by: isize) {
        self.board.move_card(cx, &self.list, by);
    }

    /// Whether setting a state only changes a card, not the set of cards.
    fn sets_cards_only(&self) -> bool {
        let state = self.list.kind.state_field();
        state.is_some_and(|(field, _)| !self.list.is_narrowed_by(&field.name))
    }
}

impl Browse for BoardScreen {
    fn current(&self) -> Option<(&'static Kind, &Record)> {
        let record = match self.is_aside() {
            true => self.list.selected(),
            false => self.board.selected(&self.list),
        };
        Some((self.list.kind, record?))
    }

    fn list(&self) -> Option<&Listing> {
        Some(&self.list)
    }

    fn list_mut(&mut self) -> Option<&mut Listing> {
        Some(&mut self.list)
    }

    fn additions(&self) -> Vec<Addition> {
        let mut additions = Vec::from_iter(self.list.addition());
        if !self.is_aside() {
            let given = additions.iter_mut().map(|one| &mut one.given);
            given.for_each(|given| given.extend([self.board.given(&self.list)]));
        }
        additions
    }

    fn writes(&mut self) -> Option<&mut Writes> {
        Some(&mut self.writes)
    }

    fn narrowed(&mut self) {
        self.board.settle(&mut self.list);
    }

    fn is_board(&self) -> bool {
        true
    }

    fn is_twin(&self) -> bool {
        self.is_twin
    }
}

impl Screen for BoardScreen {
    fn fired(&mut self, cx: &mut Cx, request: RequestId) {
        self.list.fired(cx, request);
    }

    fn typing(&self) -> Typing {
        self.list.typing()
    }

    fn key(&mut self, cx: &mut Cx, key: KeyEvent) {
        self.list.key(cx, key);
        self.board.settle(&mut self.list);
    }

    fn paste(&mut self, cx: &mut Cx, text: &str) {
        self.list.paste(cx, text);
        self.board.settle(&mut self.list);
    }

    fn search(&mut self) {
        self.list.begin_search();
    }

    fn sort(&mut self, shared: &Shared) {
        self.list.sort(shared);
    }

    fn reverse(&mut self, shared: &Shared) {
        self.list.reverse(shared);
    }

    fn context(&self) -> &'static Context {
        match self.is_aside() {
            true => self.list.view.list,
            false => self.board.context(),
        }
    }

    fn crumb(&self) -> String {
        match self.is_twin {
            true => "Board".to_owned(),
            false => fields::title(&self.list.kind.many),
        }
    }

    fn shown(&mut self, cx: &mut Cx) {
        want_offer(cx, &self.list.kind.peer);
        let missed = self.missed.shown();
        self.list.written(cx, &missed);
        self.list.load_once(cx);
    }

    fn hidden(&mut self, cx: &mut Cx) {
        self.missed.hidden();
        self.has_moved = false;
        self.list.hidden(cx);
    }

    fn refresh(&mut self, cx: &mut Cx) {
        self.list.load(cx);
    }

    fn as_of(&self) -> Option<Timestamp> {
        self.list.as_of()
    }

    fn renew(&mut self, cx: &mut Cx) {
        self.list.renew(cx);
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: Outcome) {
        let Outcome::Call(answer) = outcome else {
            return;
        };
        if self.board.answered(cx, &mut self.list, request, &answer) {
            self.has_moved = answer.result.is_ok();
        } else if self.writes.answered(cx, request, &answer) {
            self.has_moved = answer.result.is_ok() && self.sets_cards_only();
        } else if self.list.answered(cx, request, &answer) {
            self.board.settle(&mut self.list);
        }
    }

    fn told(&mut self, cx: &mut Cx, news: &News) {
        let News::Changed { kind, record } = news else {
            return;
        };
        let is_own = *kind == self.list.kind.id;
        match record.as_ref().and_then(Record::new) {
            Some(record) if is_own => {
                learn_names(cx.shared, self.list.kind, &record);
                self.list.update(cx.shared, &record);
                self.board.settle(&mut self.list);
            }
            Some(_) => {}
            // Nothing else changed: a large board is not reloaded for each card.
            None if is_own && std::mem::take(&mut self.has_moved) => {}
            None if self.missed.is_due(kind) => self.list.written(cx, slice::from_ref(kind)),
            None => {}
        }
    }

    fn step(&mut self, cx: &mut Cx, by: isize) {
        match self.is_aside() {
            true => self.list.step(cx, by),
            false => self.board.step(&mut self.list, by),
        }
        if let Some((kind, record)) = self.current() {
            facts::want_references(cx, kind, record);
        }
    }

    fn point(&mut self, _: &mut Cx, column: usize, place: usize) -> bool {
        self.board.point(&mut self.list, column, place)
    }

    fn escape(&mut self, cx: &mut Cx) -> bool {
        if self.list.clear_search(cx) {
            self.board.settle(&mut self.list);
            return true;
        }
        if self.list.clear_marks() {
            return true;
        }
        let is_aside = self.is_aside();
        if is_aside {
            self.turn_left_out(cx.shared);
        }
        is_aside
    }

    fn can_search(&self) -> bool {
        true
    }

    fn gives_way(&self) -> bool {
        !self.board.is_busy() && !self.writes.is_busy()
    }

    fn awaits(&self) -> bool {
        self.list.awaits()
    }

    fn is_busy(&self) -> bool {
        self.list.is_busy() || self.board.is_busy() || self.writes.is_busy()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        match self.is_aside() {
            true => self.list.draw(shared, frame, area),
            false => self.board.draw(&self.list, shared, frame, area),
        }
    }
}
