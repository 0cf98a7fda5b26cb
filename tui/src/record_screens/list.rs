//! The list of a kind, as rows or as the cards of a board.

use std::slice;

use crossterm::event::KeyEvent;
use jiff::Timestamp;
use ratatui::Frame;
use ratatui::layout::Rect;
use serde_json::{Map, Value};

use super::ShowsRecords;
use super::missed_changes::MissedChanges;
use crate::app::cx::{Cx, News};
use crate::app::effects::call::Answer;
use crate::app::input::command::Context;
use crate::app::owner::RequestId;
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::app::state::Typing;
use crate::fields;
use crate::look::text::clean;
use crate::records::addition::Addition;
use crate::records::board::Board;
use crate::records::facts;
use crate::records::kind::{Kind, ListTool};
use crate::records::listing::Listing;
use crate::records::listing::groups::{Groups, Left};
use crate::records::names::learn_names;
use crate::records::offered::want_offer;
use crate::records::record::Record;
use crate::records::writes::Writes;

/// The list of a kind.
#[derive(Debug)]
pub(crate) struct ListScreen {
    list: Listing,
    /// The board, if the records are shown as cards.
    board: Option<Board>,
    is_twin: bool,
    writes: Writes,
    /// The answer of the last move of a card has all changes of its record.
    has_moved: bool,
    missed: MissedChanges,
}

impl ListScreen {
    /// A list with these shared values.
    pub(crate) fn new(
        kind: &'static Kind,
        list: &'static ListTool,
        given: Map<String, Value>,
        shared: &Shared,
    ) -> Self {
        let mut list = Listing::new(kind, list, given, shared);
        list.name_owner(shared);
        ListScreen::of(list)
    }

    /// This list.
    pub(super) fn of(list: Listing) -> Self {
        ListScreen {
            list,
            board: None,
            is_twin: false,
            writes: Writes::default(),
            has_moved: false,
            missed: MissedChanges::default(),
        }
    }

    /// The board of a kind, filtered by a record of another kind if given; `None` if its records
    /// cannot be shown as cards.
    pub(crate) fn cards(
        kind: &'static Kind,
        by: Option<(&'static Kind, &Record)>,
        shared: &mut Shared,
    ) -> Option<Self> {
        let mut list = Listing::new(kind, kind.list(), Map::new(), shared);
        if let Some((kind, record)) = by {
            list.narrow_by(shared, kind, record);
        }
        ListScreen::of(list).with_board(shared)
    }

    /// What the screen below shows as rows, as cards, or the other way round.
    pub(super) fn twin(list: Listing, as_cards: bool, shared: &Shared) -> Option<Self> {
        let mut twin = ListScreen::of(list);
        twin.is_twin = true;
        match as_cards {
            true => twin.with_board(shared),
            false => Some(twin),
        }
    }

    fn with_board(mut self, shared: &Shared) -> Option<Self> {
        let mut board = Board::of(&self.list, shared)?;
        board.begin(&mut self.list, shared);
        self.board = Some(board);
        Some(self)
    }

    /// The board, unless the records outside it are shown as a list.
    fn visible_board(&self) -> Option<&Board> {
        let is_aside = self.list.groups().is_some_and(Groups::shows_left);
        self.board.as_ref().filter(|_| !is_aside)
    }

    /// Updates the board's selection after the list changed.
    fn settle(&mut self) {
        self.on_board(Board::settle);
    }

    fn on_board(&mut self, act: impl FnOnce(&mut Board, &mut Listing)) {
        if let Some(board) = &mut self.board {
            act(board, &mut self.list);
        }
    }

    /// Switches between the records outside the board and the board.
    pub(super) fn turn_left_out(&mut self, shared: &Shared) {
        self.on_board(|board, list| board.turn_aside(list, shared));
    }

    /// Why the records outside the board cannot be shown.
    pub(super) fn no_left_out(&self) -> Option<String> {
        let left = self.list.groups().map(Groups::left);
        let is_complete = left.is_none_or(|left| left == Left::default());
        is_complete.then(|| "all records are on the board".to_owned())
    }

    /// Moves the selection to another column of the board.
    pub(super) fn step_column(&mut self, by: isize) {
        self.on_board(|board, list| board.step_column(list, by));
    }

    /// Moves the selected card to another column.
    pub(super) fn move_card(&mut self, cx: &mut Cx, by: isize) {
        self.on_board(|board, list| board.move_card(cx, list, by));
    }

    /// Whether setting a state only changes a card, not the set of cards.
    fn sets_cards_only(&self) -> bool {
        let state = self.list.kind.state_field().filter(|_| self.is_board());
        state.is_some_and(|(field, _)| !self.list.is_narrowed_by(&field.name))
    }
}

impl ShowsRecords for ListScreen {
    fn current(&self) -> Option<(&'static Kind, &Record)> {
        let record = match self.visible_board() {
            Some(board) => board.selected(&self.list),
            None => self.list.selected(),
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
        if let Some(board) = self.visible_board() {
            let given = additions.iter_mut().map(|one| &mut one.given);
            given.for_each(|given| given.extend([board.given(&self.list)]));
        }
        additions
    }

    fn writes(&mut self) -> Option<&mut Writes> {
        Some(&mut self.writes)
    }

    fn narrowed(&mut self) {
        self.settle();
    }

    fn is_board(&self) -> bool {
        self.board.is_some()
    }

    fn is_twin(&self) -> bool {
        self.is_twin
    }
}

impl Screen for ListScreen {
    fn fired(&mut self, cx: &mut Cx, request: RequestId) {
        self.list.fired(cx, request);
    }

    fn typing(&self) -> Typing {
        self.list.typing()
    }

    fn key(&mut self, cx: &mut Cx, key: KeyEvent) {
        self.list.key(cx, key);
        self.settle();
    }

    fn paste(&mut self, cx: &mut Cx, text: &str) {
        self.list.paste(cx, text);
        self.settle();
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
        match self.visible_board() {
            Some(board) => board.context(),
            None => self.list.view.list,
        }
    }

    fn crumb(&self) -> String {
        match (self.is_twin, self.is_board()) {
            (true, true) => "Board".to_owned(),
            (true, false) => "List".to_owned(),
            (false, _) => {
                let title = fields::title(&self.list.kind.many);
                let owner = self.list.owner();
                owner.map_or(title.clone(), |owner| format!("{} › {title}", clean(owner)))
            }
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

    fn tool_answered(&mut self, cx: &mut Cx, request: RequestId, answer: Answer) {
        let board = self.board.as_mut();
        if board.is_some_and(|board| board.answered(cx, &mut self.list, request, &answer)) {
            self.has_moved = answer.result.is_ok();
        } else if self.writes.answered(cx, request, &answer) {
            self.has_moved = answer.result.is_ok() && self.sets_cards_only();
        } else if self.list.answered(cx, request, &answer) {
            self.settle();
        }
    }

    fn notified(&mut self, cx: &mut Cx, news: &News) {
        let News::Changed { kind, record } = news else {
            return;
        };
        let is_own = *kind == self.list.kind.id;
        match record.as_ref().and_then(Record::new) {
            Some(record) if is_own => {
                learn_names(cx.shared, self.list.kind, &record);
                self.list.update(cx.shared, &record);
                self.settle();
            }
            Some(_) => {}
            // Nothing else changed: a large board is not reloaded for each card.
            None if is_own && std::mem::take(&mut self.has_moved) => {}
            None if self.missed.is_due(kind) => self.list.written(cx, slice::from_ref(kind)),
            None => {}
        }
    }

    fn step(&mut self, cx: &mut Cx, by: isize) {
        match self.visible_board() {
            Some(_) => self.on_board(|board, list| board.step(list, by)),
            None => self.list.step(cx, by),
        }
        if let Some((kind, record)) = self.current() {
            facts::want_references(cx, kind, record);
        }
    }

    fn point(&mut self, _: &mut Cx, column: usize, place: usize) -> bool {
        let board = self.board.as_mut();
        board.is_some_and(|board| board.point(&mut self.list, column, place))
    }

    fn escape(&mut self, cx: &mut Cx) -> bool {
        if !self.is_board() {
            return self.list.escape(cx);
        }
        if self.list.clear_search(cx) {
            self.settle();
            return true;
        }
        if self.list.clear_marks() {
            return true;
        }
        let is_aside = self.visible_board().is_none();
        if is_aside {
            self.turn_left_out(cx.shared);
        }
        is_aside
    }

    fn can_search(&self) -> bool {
        true
    }

    fn gives_way(&self) -> bool {
        !self.board.as_ref().is_some_and(Board::is_busy) && !self.writes.is_busy()
    }

    fn awaits(&self) -> bool {
        self.list.awaits()
    }

    fn is_busy(&self) -> bool {
        self.list.is_busy() || !self.gives_way()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        match self.visible_board() {
            Some(board) => board.draw(&self.list, shared, frame, area),
            None => self.list.draw(shared, frame, area),
        }
    }
}
