//! The list of a kind.

use std::slice;

use crossterm::event::KeyEvent;
use jiff::Timestamp;
use ratatui::Frame;
use ratatui::layout::Rect;
use serde_json::{Map, Value};

use super::Browse;
use super::missed::Missed;
use crate::app::cx::{Cx, News};
use crate::app::effects::effect::{Outcome, RequestId};
use crate::app::input::command::Context;
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::app::state::Typing;
use crate::fields;
use crate::records::facts;
use crate::records::kind::{Kind, ListTool};
use crate::records::listing::Listing;
use crate::records::names::learn_names;
use crate::records::offer::want_offer;
use crate::records::record::Record;
use crate::records::writes::Writes;

/// The list of a kind.
#[derive(Debug)]
pub(crate) struct ListScreen {
    list: Listing,
    is_twin: bool,
    writes: Writes,
    missed: Missed,
}

impl ListScreen {
    /// A list with these shared values.
    pub(crate) fn new(
        kind: &'static Kind,
        list: &'static ListTool,
        given: Map<String, Value>,
        shared: &Shared,
    ) -> Self {
        ListScreen::of(Listing::new(kind, list, given, shared))
    }

    /// This list.
    pub(super) fn of(list: Listing) -> Self {
        ListScreen {
            list,
            is_twin: false,
            writes: Writes::default(),
            missed: Missed::default(),
        }
    }

    /// The list whose cards the screen below shows.
    pub(super) fn twin(list: Listing) -> Self {
        ListScreen {
            list,
            is_twin: true,
            writes: Writes::default(),
            missed: Missed::default(),
        }
    }
}

impl Browse for ListScreen {
    fn current(&self) -> Option<(&'static Kind, &Record)> {
        Some((self.list.kind, self.list.selected()?))
    }

    fn list(&self) -> Option<&Listing> {
        Some(&self.list)
    }

    fn list_mut(&mut self) -> Option<&mut Listing> {
        Some(&mut self.list)
    }

    fn writes(&mut self) -> Option<&mut Writes> {
        Some(&mut self.writes)
    }

    fn is_twin(&self) -> bool {
        self.is_twin
    }
}

impl Screen for ListScreen {
    search_in_list!();

    fn context(&self) -> &'static Context {
        self.list.view.list
    }

    fn crumb(&self) -> String {
        match self.is_twin {
            true => "List".to_owned(),
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
        if let Outcome::Call(answer) = outcome
            && !self.writes.answered(cx, request, &answer)
        {
            self.list.answered(cx, request, &answer);
        }
    }

    fn told(&mut self, cx: &mut Cx, news: &News) {
        let News::Changed { kind, record } = news else {
            return;
        };
        match record.as_ref().and_then(Record::new) {
            Some(record) if *kind == self.list.kind.id => {
                learn_names(cx.shared, self.list.kind, &record);
                self.list.update(cx.shared, &record);
            }
            Some(_) => {}
            None if self.missed.is_due(kind) => self.list.written(cx, slice::from_ref(kind)),
            None => {}
        }
    }

    fn step(&mut self, cx: &mut Cx, by: isize) {
        self.list.step(cx, by);
        if let Some(record) = self.list.selected() {
            facts::want_references(cx, self.list.kind, record);
        }
    }

    fn escape(&mut self, cx: &mut Cx) -> bool {
        self.list.escape(cx)
    }

    fn can_search(&self) -> bool {
        true
    }

    fn gives_way(&self) -> bool {
        true
    }

    fn awaits(&self) -> bool {
        self.list.awaits()
    }

    fn is_busy(&self) -> bool {
        self.list.is_busy() || self.writes.is_busy()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        self.list.draw(shared, frame, area);
    }
}
