//! One record: its facts, and a tab for each list that takes its id.

mod draw;
mod lookup;
mod picture;

use crossterm::event::KeyEvent;
use frontdesk_client::CallError;
use frontdesk_protocol::{ErrorCode, Host, ToolError};
use jiff::Timestamp;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use serde::Serialize;
use serde_json::{Map, Value};

use self::lookup::{Looked, Lookup};
use super::ShowsRecords;
use super::missed_changes::MissedChanges;
use super::undo::changes_of;
use crate::app::cx::{Cx, News};
use crate::app::effects::call::ToolCall;
use crate::app::effects::job::Outcome;
use crate::app::input::command::Context;
use crate::app::owner::RequestId;
use crate::app::remote::Remote;
use crate::app::screen::Screen;
use crate::app::shared::{Session, Shared};
use crate::app::state::Typing;
use crate::fields;
use crate::records::contexts::TREE;
use crate::records::kind::{self, Kind};
use crate::records::listing::Listing;
use crate::records::names::learn_names;
use crate::records::offered::want_offer;
use crate::records::record::Record;
use crate::records::related::Findings;
use crate::records::tree::Tree;
use crate::records::view::View;
use crate::records::writes::Writes;
use crate::records::{facts, recent};

/// Width of the frame around the facts.
const FACTS: u16 = 4;

/// One record.
#[derive(Debug)]
pub(crate) struct RecordScreen {
    view: &'static View,
    kind: &'static Kind,
    id: String,
    record: Remote<Record>,
    /// The page of its list that was requested, if no tool gets the record.
    lookup: Option<Lookup>,
    tabs: Vec<Tab>,
    at: usize,
    /// The first visible line of the facts.
    scroll: u16,
    writes: Writes,
    findings: Findings,
    picture: picture::Shown,
    missed: MissedChanges,
    /// The user has deleted the record.
    is_deleted: bool,
}

/// A tab of the screen.
#[derive(Debug)]
enum Tab {
    Facts,
    /// The record and its contents.
    Tree(Tree),
    List(Box<Listing>),
}

impl RecordScreen {
    /// A record with the data of a list at this time.
    pub(crate) fn new(
        kind: &'static Kind,
        record: Record,
        at: Timestamp,
        shared: &mut Shared,
    ) -> Self {
        let view = View::of(kind, shared);
        let id = record.id().to_owned();
        let tree = kind.holds.then(|| Tree::of(kind, record.clone(), shared));
        let tabs = kind.tabs().into_iter().map(|tab| {
            let given = Map::from_iter([(tab.argument.name.clone(), id.clone().into())]);
            let listing = Listing::new(tab.kind, tab.list, given, shared);
            Tab::List(Box::new(listing))
        });
        let changes = changes_of(kind, &record, shared).map(|list| Tab::List(Box::new(list)));
        let first = tree.map(Tab::Tree).into_iter().chain([Tab::Facts]);
        let mut tabs: Vec<Tab> = first.chain(tabs).chain(changes).collect();
        let rank = |tab: &Tab| {
            let name = match tab {
                Tab::Facts => "facts",
                Tab::Tree(_) => "tree",
                Tab::List(list) => list.kind.many.as_str(),
            };
            let at = view.tabs.iter().position(|tab| *tab == name);
            at.unwrap_or(view.tabs.len())
        };
        tabs.sort_by_key(rank);
        RecordScreen::of(kind, record, at, view, tabs)
    }

    /// Opens only the tree of a record, with the data of a list at this time.
    pub(super) fn open_tree(cx: &mut Cx, kind: &'static Kind, record: Record, at: Timestamp) {
        let view = View::of(kind, cx.shared);
        let tree = Tree::of(kind, record.clone(), cx.shared);
        cx.open(RecordScreen::of(
            kind,
            record,
            at,
            view,
            vec![Tab::Tree(tree)],
        ));
    }

    fn of(
        kind: &'static Kind,
        record: Record,
        at: Timestamp,
        view: &'static View,
        tabs: Vec<Tab>,
    ) -> Self {
        RecordScreen {
            view,
            kind,
            id: record.id().to_owned(),
            record: Remote::known(record, at),
            lookup: None,
            tabs,
            at: 0,
            scroll: 0,
            writes: Writes::default(),
            findings: Findings::of(view.related),
            picture: picture::Shown::default(),
            missed: MissedChanges::default(),
            is_deleted: false,
        }
    }

    /// A record that another screen knows by its type; `None` if no host lists the kind.
    pub(crate) fn showing(
        host: Host,
        id: &str,
        record: &impl Serialize,
        at: Timestamp,
        shared: &mut Shared,
    ) -> Option<Self> {
        let record = Record::new(&serde_json::to_value(record).ok()?)?;
        Some(RecordScreen::new(kind::find(host, id)?, record, at, shared))
    }

    /// Whether it shows nothing but the tree.
    fn is_tree_only(&self) -> bool {
        matches!(self.tabs[..], [Tab::Tree(_)])
    }

    fn lists_mut(&mut self) -> impl Iterator<Item = &mut Listing> {
        self.tabs.iter_mut().filter_map(|tab| match tab {
            Tab::List(list) => Some(list.as_mut()),
            Tab::Facts | Tab::Tree(_) => None,
        })
    }

    fn trees_mut(&mut self) -> impl Iterator<Item = &mut Tree> {
        self.tabs.iter_mut().filter_map(|tab| match tab {
            Tab::Tree(tree) => Some(tree),
            Tab::Facts | Tab::List(_) => None,
        })
    }

    fn load_tab(&mut self, cx: &mut Cx) {
        if let Some(list) = self.list_mut() {
            list.load_once(cx);
        }
    }

    /// Reloads the record.
    fn ask(&mut self, cx: &mut Cx) {
        if let Some(record) = self.record.value() {
            learn_names(cx.shared, self.kind, record);
            facts::want_references(cx, self.kind, record);
            if !self.is_tree_only() {
                let record = record.clone();
                self.findings.ask(cx, &record);
                self.picture.ask(cx, self.view, self.kind, &self.id);
            }
        }
        match (&self.kind.get, self.record.value()) {
            (Some(get), _) => {
                let arguments = Map::from_iter([(get.argument.clone(), self.id.clone().into())]);
                self.call(cx, get.tool.reading(arguments));
            }
            (None, Some(record)) => {
                let lookup = Lookup::of(self.kind, record);
                self.look_up(cx, lookup);
            }
            (None, None) => {}
        }
    }

    fn look_up(&mut self, cx: &mut Cx, lookup: Lookup) {
        let record = self.record.value();
        if let Some(call) = record.and_then(|record| lookup.call(self.kind, record)) {
            self.lookup = Some(lookup);
            self.call(cx, call);
        }
    }

    fn call(&mut self, cx: &mut Cx, call: ToolCall) {
        if matches!(cx.shared.session, Session::In(_)) {
            cx.abort(self.record.request());
            self.record.begin(cx.send(call));
        }
    }

    /// The facts and related data of the record, at this width.
    fn facts(&self, shared: &Shared, columns: usize) -> Vec<Line<'static>> {
        let record = self.record.value();
        let mut lines = record.map_or_else(Vec::new, |record| {
            facts::lines(self.kind, record, shared, columns)
        });
        lines.extend(self.findings.lines(shared));
        lines
    }

    /// The number of lines of the facts.
    fn fact_lines(&self, shared: &Shared) -> usize {
        let width = shared.size.width.saturating_sub(FACTS);
        self.facts(shared, width.into()).len()
    }

    /// Applies the record returned by a write.
    fn know(&mut self, cx: &mut Cx, kind: &str, record: &Record) {
        for list in self.lists_mut().filter(|list| list.kind.id == kind) {
            list.update(cx.shared, record);
        }
        for tree in self.trees_mut() {
            tree.know(kind, record);
        }
        let is_own = self.kind.id == kind && self.id == record.id();
        if let Some(known) = self.record.value_mut().filter(|_| is_own) {
            *known = known.updated(record);
            learn_names(cx.shared, self.kind, record);
        }
    }

    /// Reloads the lists with records of these kinds.
    fn reload_lists(&mut self, cx: &mut Cx, kinds: &[String]) {
        for list in self.lists_mut() {
            list.written(cx, kinds);
        }
        for tree in self.trees_mut() {
            tree.reload(cx, kinds);
        }
    }

    /// Reloads what shows records of these kinds.
    fn reload(&mut self, cx: &mut Cx, kinds: &[String]) {
        self.reload_lists(cx, kinds);
        let mut trees = self.trees_mut();
        let is_inside = trees.any(|tree| kinds.iter().any(|kind| tree.has(kind)));
        drop(trees);
        if is_inside || kinds.contains(&self.kind.id) {
            self.ask(cx);
        }
    }

    /// Whether the record does not exist, as far as is known.
    fn is_gone(&self) -> bool {
        // A list can also leave out records that exist.
        self.is_deleted || self.kind.get.is_some() && self.is_missing()
    }

    /// Whether the host no longer returns the record.
    fn is_missing(&self) -> bool {
        let error = self.record.error();
        matches!(error, Some(CallError::Tool(error)) if error.code == ErrorCode::NotFound)
    }
}

impl ShowsRecords for RecordScreen {
    fn current(&self) -> Option<(&'static Kind, &Record)> {
        match self.tabs.get(self.at)? {
            Tab::Tree(tree) => tree.selected(),
            Tab::List(list) => Some((list.kind, list.selected()?)),
            Tab::Facts => self.about(),
        }
    }

    fn about(&self) -> Option<(&'static Kind, &Record)> {
        Some((self.kind, self.record.value()?))
    }

    fn found(&self, tool: &str) -> Vec<Value> {
        self.findings.of_tool(tool)
    }

    fn list(&self) -> Option<&Listing> {
        match self.tabs.get(self.at)? {
            Tab::List(list) => Some(list),
            Tab::Facts | Tab::Tree(_) => None,
        }
    }

    fn list_mut(&mut self) -> Option<&mut Listing> {
        match self.tabs.get_mut(self.at)? {
            Tab::List(list) => Some(list),
            Tab::Facts | Tab::Tree(_) => None,
        }
    }

    fn tree(&self) -> Option<&Tree> {
        match self.tabs.get(self.at)? {
            Tab::Tree(tree) => Some(tree),
            Tab::Facts | Tab::List(_) => None,
        }
    }

    fn tree_mut(&mut self) -> Option<&mut Tree> {
        match self.tabs.get_mut(self.at)? {
            Tab::Tree(tree) => Some(tree),
            Tab::Facts | Tab::List(_) => None,
        }
    }

    fn writes(&mut self) -> Option<&mut Writes> {
        Some(&mut self.writes)
    }

    fn tabs(&self) -> usize {
        self.tabs.len()
    }

    fn turn(&mut self, cx: &mut Cx, by: isize) {
        if let Some(list) = self.list_mut() {
            list.hidden(cx);
            list.end_search();
        }
        let tabs = self.tabs.len().max(1);
        self.at = self.at.wrapping_add_signed(by).wrapping_add(tabs) % tabs;
        self.scroll = 0;
        self.load_tab(cx);
    }

    fn turn_tree(&mut self, cx: &mut Cx) {
        let at = self.tabs.iter().position(|tab| matches!(tab, Tab::Tree(_)));
        match (at, self.record.seen()) {
            _ if self.is_tree_only() => cx.back(),
            (Some(at), _) if self.at == at => self.turn(cx, 1),
            (Some(at), _) => self.turn(cx, at as isize - self.at as isize),
            (None, Some(seen)) => {
                let (record, at) = (seen.value.clone(), seen.at);
                RecordScreen::open_tree(cx, self.kind, record, at);
            }
            (None, None) => {}
        }
    }
}

impl Screen for RecordScreen {
    fn fired(&mut self, cx: &mut Cx, request: RequestId) {
        if let Some(list) = self.list_mut() {
            list.fired(cx, request);
        }
    }

    fn typing(&self) -> Typing {
        self.list().map_or(Typing::No, Listing::typing)
    }

    fn key(&mut self, cx: &mut Cx, key: KeyEvent) {
        if let Some(list) = self.list_mut() {
            list.key(cx, key);
        }
    }

    fn paste(&mut self, cx: &mut Cx, text: &str) {
        if let Some(list) = self.list_mut() {
            list.paste(cx, text);
        }
    }

    fn search(&mut self) {
        if let Some(list) = self.list_mut() {
            list.begin_search();
        }
    }

    fn sort(&mut self, shared: &Shared) {
        if let Some(list) = self.list_mut() {
            list.sort(shared);
        }
    }

    fn reverse(&mut self, shared: &Shared) {
        if let Some(list) = self.list_mut() {
            list.reverse(shared);
        }
    }

    fn context(&self) -> &'static Context {
        match self.tree() {
            Some(_) if self.view.record.distance(&TREE).is_none() => &TREE,
            _ => self.view.record,
        }
    }

    fn crumb(&self) -> String {
        let name = match self.record.value() {
            Some(record) => record.label(self.kind),
            None => fields::title(&self.kind.many),
        };
        match self.list().filter(|_| self.at > 0) {
            Some(list) => format!("{name} › {}", fields::title(&list.kind.many)),
            None => name,
        }
    }

    fn shown(&mut self, cx: &mut Cx) {
        let missed = self.missed.shown();
        if self.is_gone() {
            return cx.back();
        }
        want_offer(cx, &self.kind.peer);
        for list in self.lists_mut() {
            want_offer(cx, &list.kind.peer);
        }
        self.ask(cx);
        self.reload_lists(cx, &missed);
        self.load_tab(cx);
    }

    fn hidden(&mut self, cx: &mut Cx) {
        self.missed.hidden();
        if let Some(list) = self.list_mut() {
            list.hidden(cx);
        }
    }

    fn resized(&mut self, cx: &mut Cx) {
        let lines = self.fact_lines(cx.shared);
        self.picture.fit(cx, lines);
    }

    fn refresh(&mut self, cx: &mut Cx) {
        self.ask(cx);
        if let Some(list) = self.list_mut() {
            list.load(cx);
        }
        if let Some(tree) = self.tree_mut() {
            tree.reload_all(cx);
        }
    }

    fn as_of(&self) -> Option<Timestamp> {
        let list = self.list().and_then(Listing::as_of);
        list.or_else(|| Some(self.record.seen()?.at))
    }

    fn renew(&mut self, cx: &mut Cx) {
        if !self.record.is_loading() {
            self.ask(cx);
        }
        if let Some(list) = self.list_mut() {
            list.renew(cx);
        }
        if let Some(tree) = self.tree_mut() {
            tree.renew_lists(cx);
        }
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: Outcome) {
        let answer = match outcome {
            Outcome::Call(answer) => answer,
            other => return self.picture.drawn(request, other),
        };
        let lines = self.fact_lines(cx.shared);
        if self.picture.answered(cx, request, &answer, lines) {
            return;
        }
        if self.writes.answered(cx, request, &answer)
            || self
                .trees_mut()
                .any(|tree| tree.answered(cx, request, &answer))
            || self
                .lists_mut()
                .any(|list| list.answered(cx, request, &answer))
        {
            return;
        }
        if let Some(record) = self.record.value()
            && self.findings.answered(cx, record, request, &answer)
        {
            return;
        }
        if !self.record.waits_for(request) {
            return;
        }
        if let (Some(lookup), Ok(reply)) = (self.lookup, &answer.result)
            && let Looked::Next(next) = lookup.look(self.kind, &self.id, &reply.value)
        {
            return self.look_up(cx, next);
        }
        let missing = || CallError::Tool(ToolError::not_found(&self.kind.one));
        let result = answer.result.and_then(|reply| {
            if let Some(lookup) = self.lookup {
                return match lookup.look(self.kind, &self.id, &reply.value) {
                    Looked::Found(record) => Ok(record),
                    Looked::Next(_) | Looked::Missing => Err(missing()),
                };
            }
            let mut results = reply.value.as_object().into_iter().flat_map(Map::values);
            results
                .find_map(Record::new)
                .filter(|record| record.id() == self.id)
                .ok_or_else(missing)
        });
        let got = result.as_ref().ok().cloned();
        if self.record.finish(request, cx.now(), result)
            && let Some(record) = got
        {
            let kind = self.kind;
            facts::want_references(cx, kind, &record);
            for tree in self.trees_mut() {
                tree.renew(kind, record.clone(), cx.shared);
            }
        }
    }

    fn notified(&mut self, cx: &mut Cx, news: &News) {
        if news.deletes(&self.kind.id, &self.id) {
            recent::forget(cx.shared, &self.id);
            self.is_deleted = true;
            return self.missed.leave(cx);
        }
        let News::Changed { kind, record } = news else {
            return;
        };
        match record.as_ref().and_then(Record::new) {
            Some(record) => self.know(cx, kind, &record),
            None if self.missed.is_due(kind) => self.reload(cx, std::slice::from_ref(kind)),
            None => {}
        }
    }

    fn step(&mut self, cx: &mut Cx, by: isize) {
        match self.tabs.get_mut(self.at) {
            Some(Tab::Tree(tree)) => tree.step(by),
            Some(Tab::List(list)) => {
                list.step(cx, by);
                if let Some(record) = list.selected() {
                    facts::want_references(cx, list.kind, record);
                }
            }
            Some(Tab::Facts) | None => {
                let lines = self.fact_lines(cx.shared);
                let scroll = usize::from(self.scroll).saturating_add_signed(by);
                let last = lines.saturating_sub(1);
                self.scroll = u16::try_from(scroll.min(last)).unwrap_or(u16::MAX);
            }
        }
    }

    fn turn_tab(&mut self, cx: &mut Cx, by: isize) {
        self.turn(cx, by);
    }

    fn escape(&mut self, cx: &mut Cx) -> bool {
        self.list_mut().is_some_and(|list| list.escape(cx))
    }

    fn can_search(&self) -> bool {
        self.list().is_some()
    }

    fn gives_way(&self) -> bool {
        !self.writes.is_busy()
    }

    fn awaits(&self) -> bool {
        match self.tabs.get(self.at) {
            // The tree needs what the record holds.
            Some(Tab::Tree(tree)) => {
                tree.awaits() || self.record.is_loading() && tree.is_without_contents()
            }
            Some(Tab::List(list)) => list.awaits(),
            Some(Tab::Facts) | None => false,
        }
    }

    fn is_busy(&self) -> bool {
        self.list().is_some_and(Listing::is_busy)
            || self.tree().is_some_and(Tree::is_busy)
            || self.writes.is_busy()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        self.draw_all(shared, frame, area);
    }
}
