//! The tree of a record whose contents are lists.

use std::slice;

use jiff::Timestamp;
use ratatui::Frame;
use ratatui::layout::Rect;
use serde_json::Map;

use super::Browse;
use super::missed::Missed;
use crate::app::cx::{Cx, News};
use crate::app::effects::effect::{Outcome, RequestId, Work};
use crate::app::input::command::Context;
use crate::app::screen::Screen;
use crate::app::shared::{Session, Shared};
use crate::records::contexts::TREE;
use crate::records::kind::Kind;
use crate::records::offer::want_offer;
use crate::records::record::Record;
use crate::records::tree::Tree;
use crate::records::writes::Writes;

/// The tree of a record.
#[derive(Debug)]
pub(crate) struct TreeScreen {
    tree: Tree,
    /// The time of the record's data.
    at: Timestamp,
    /// The request for the record.
    request: Option<RequestId>,
    writes: Writes,
    missed: Missed,
    /// The user has deleted the record.
    is_deleted: bool,
}

impl TreeScreen {
    /// The tree of a record with the data of this time.
    pub(super) fn new(
        kind: &'static Kind,
        record: Record,
        at: Timestamp,
        shared: &mut Shared,
    ) -> Self {
        TreeScreen {
            tree: Tree::of(kind, record, shared),
            at,
            request: None,
            writes: Writes::default(),
            missed: Missed::default(),
            is_deleted: false,
        }
    }
}

impl TreeScreen {
    /// Requests the record, if a tool gets it.
    fn ask(&mut self, cx: &mut Cx) {
        let Some((kind, record)) = self.tree.root() else {
            return;
        };
        if let (Some(get), Session::In(_)) = (&kind.get, &cx.shared.session) {
            let arguments = Map::from_iter([(get.argument.clone(), record.id().into())]);
            cx.abort(self.request.take());
            self.request = Some(cx.run(Work::Call(get.tool.reading(arguments))));
        }
    }
}

impl Browse for TreeScreen {
    fn current(&self) -> Option<(&'static Kind, &Record)> {
        self.tree.selected()
    }

    fn about(&self) -> Option<(&'static Kind, &Record)> {
        self.tree.root()
    }

    fn tree(&self) -> Option<&Tree> {
        Some(&self.tree)
    }

    fn tree_mut(&mut self) -> Option<&mut Tree> {
        Some(&mut self.tree)
    }

    fn writes(&mut self) -> Option<&mut Writes> {
        Some(&mut self.writes)
    }

    fn turn_tree(&mut self, cx: &mut Cx) {
        cx.back();
    }
}

impl Screen for TreeScreen {
    fn context(&self) -> &'static Context {
        &TREE
    }

    fn crumb(&self) -> String {
        let root = self.tree.root();
        root.map(|(kind, record)| record.label(kind))
            .unwrap_or_default()
    }

    fn shown(&mut self, cx: &mut Cx) {
        if let Some((kind, _)) = self.tree.root() {
            want_offer(cx, &kind.peer);
        }
        let missed = self.missed.shown();
        if self.is_deleted {
            return cx.back();
        }
        self.tree.reload(cx, &missed);
    }

    fn hidden(&mut self, _: &mut Cx) {
        self.missed.hidden();
    }

    fn refresh(&mut self, cx: &mut Cx) {
        self.ask(cx);
        self.tree.reload_all(cx);
    }

    fn as_of(&self) -> Option<Timestamp> {
        Some(self.at)
    }

    fn renew(&mut self, cx: &mut Cx) {
        self.ask(cx);
        self.tree.renew_lists(cx);
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: Outcome) {
        let Outcome::Call(answer) = outcome else {
            return;
        };
        if self.request.take_if(|own| *own == request).is_some() {
            let record = answer.result.ok().and_then(|reply| {
                let mut results = reply.value.as_object()?.values();
                results.find_map(Record::new)
            });
            if let (Some(record), Some((kind, _))) = (record, self.tree.root()) {
                self.at = cx.now();
                self.tree.learn(&kind.id, &record);
            }
        } else if !self.writes.answered(cx, request, &answer) {
            self.tree.answered(cx, request, &answer);
        }
    }

    fn told(&mut self, cx: &mut Cx, news: &News) {
        let root = self.tree.root();
        if root.is_some_and(|(kind, record)| news.deletes(&kind.id, record.id())) {
            self.is_deleted = true;
            return self.missed.leave(cx);
        }
        let News::Changed { kind, record } = news else {
            return;
        };
        match record.as_ref().and_then(Record::new) {
            Some(record) => self.tree.know(kind, &record),
            None if self.missed.is_due(kind) => self.tree.reload(cx, slice::from_ref(kind)),
            None => {}
        }
    }

    fn step(&mut self, _: &mut Cx, by: isize) {
        self.tree.step(by);
    }

    fn gives_way(&self) -> bool {
        !self.writes.is_busy()
    }

    fn awaits(&self) -> bool {
        self.tree.awaits()
    }

    fn is_busy(&self) -> bool {
        self.tree.is_busy() || self.writes.is_busy()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        self.tree.draw(shared, frame, area);
    }
}
