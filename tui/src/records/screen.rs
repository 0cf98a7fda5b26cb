//! The records screen: a list of one kind, or one record with a tab for each list that takes its
//! id.

mod acting;
mod commands;
mod draw;
mod menu;

use crossterm::event::KeyEvent;
use frontdesk_client::CallError;
use frontdesk_protocol::{Host, ToolError};
use jiff::Timestamp;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use serde::Serialize;
use serde_json::{Map, Value};

pub(crate) use acting::{change_by, edit_record, open_record};
pub(crate) use commands::{BOARD, COMMANDS, RECORDS, TREE};
pub(crate) use menu::COMMANDS as MENU_COMMANDS;

use super::board::Board;
use super::facts;
use super::filter::Choice;
use super::kind::{self, Kind, ListTool};
use super::listing::Listing;
use super::listing::groups::Groups;
use super::names::reading;
use super::record::Record;
use super::related::Findings;
use super::tree::Tree;
use super::view::View;
use super::writes::Writes;
use crate::app::cx::{Cx, News};
use crate::app::effects::effect::{Outcome, Owner, RequestId, Work};
use crate::app::input::command::Context;
use crate::app::peer::Peer;
use crate::app::remote::Remote;
use crate::app::screen::Screen;
use crate::app::shared::{Session, Shared};
use crate::app::state::Typing;

/// Width of the frame around the facts.
const FACTS: u16 = 4;

/// The screen of a list or of a record.
#[derive(Debug)]
pub(crate) struct Records {
    view: &'static View,
    /// The record of the screen; `None` for a list.
    subject: Option<Subject>,
    tabs: Vec<Tab>,
    at: usize,
    /// The purpose, if a record is being chosen.
    choosing: Option<Choosing>,
    /// The first visible line of the facts.
    scroll: u16,
    board: Option<Board>,
    /// It was opened as a board, so going back leaves it.
    is_board: bool,
    /// The move of a card returned the complete changes of its record.
    has_moved: bool,
    /// The request for which a record is being chosen as a filter.
    narrowing: Option<RequestId>,
    tree: Option<Tree>,
    writes: Writes,
    findings: Findings,
    is_shown: bool,
    /// The last opened filter form.
    filter_form: Option<RequestId>,
    /// Kinds written while the screen was hidden: it reloads them when shown.
    stale: Vec<String>,
}

/// The purpose of choosing a record: the question and the next step.
#[derive(Debug, Clone)]
pub(crate) struct Choosing {
    pub(crate) words: String,
    pub(crate) then: Then,
}

/// The next step after a record is chosen.
#[derive(Debug, Clone)]
pub(crate) enum Then {
    /// Opens the list of this kind that belongs to it, with the purpose of that list.
    List(&'static Kind, &'static ListTool, Option<Box<Choosing>>),
    /// Runs an action on this record and the chosen one.
    Do(Record, fn(&mut Cx, &Record, &Record)),
    /// Filters the list of this request.
    Narrow(RequestId, Choice),
    /// Runs an action on the chosen record.
    Take(fn(&mut Cx, &Record)),
}

/// A record was chosen as a filter.
#[derive(Debug)]
struct Narrowed {
    for_list: RequestId,
    by: Choice,
    record: Record,
}

/// The record of a screen.
#[derive(Debug)]
struct Subject {
    kind: &'static Kind,
    id: String,
    record: Remote<Record>,
}

/// A tab of the screen.
#[derive(Debug)]
enum Tab {
    Facts,
    /// The record and its contents.
    Tree(Tree),
    List(Box<Listing>),
}

impl Records {
    /// The list of a kind; if it requires another record, first the list to choose that from.
    pub(crate) fn of(kind: &'static Kind, shared: &Shared) -> Self {
        Records::reaching(kind, None, shared)
    }

    /// The same, for choosing a record.
    pub(crate) fn choosing(kind: &'static Kind, choosing: Choosing, shared: &Shared) -> Self {
        Records::reaching(kind, Some(choosing), shared)
    }

    fn reaching(kind: &'static Kind, choosing: Option<Choosing>, shared: &Shared) -> Self {
        let list = kind.list();
        let owner = list
            .owner()
            .and_then(|owner| kind::find(kind.host, &owner.kind));
        match owner {
            Some(owner) => {
                let words = format!("{}: which {}?", kind::title(&kind.many), owner.one);
                let then = Then::List(kind, list, choosing.map(Box::new));
                Records::reaching(owner, Some(Choosing { words, then }), shared)
            }
            None => Records {
                choosing,
                ..Records::with(kind, list, Map::new(), shared)
            },
        }
    }

    /// Selects this record once the list is loaded.
    pub(crate) fn selecting(mut self, id: Option<&str>) -> Self {
        if let (Some(list), Some(id)) = (self.list_mut(), id) {
            list.select_once(id);
        }
        self
    }

    /// A list with these shared values.
    pub(crate) fn with(
        kind: &'static Kind,
        list: &'static ListTool,
        given: Map<String, Value>,
        shared: &Shared,
    ) -> Self {
        let listing = Listing::new(kind, list, given, shared);
        Records::made(
            View::of(kind, shared),
            None,
            vec![Tab::List(Box::new(listing))],
        )
    }

    /// The board of a kind, filtered by a record of another kind if given.
    pub(crate) fn board(
        kind: &'static Kind,
        by: Option<(&'static Kind, &Record)>,
        shared: &mut Shared,
    ) -> Self {
        let mut screen = Records::with(kind, kind.list(), Map::new(), shared);
        if let Some(list) = screen.list_mut() {
            if let Some((kind, record)) = by {
                list.narrow_by(shared, kind, record);
            }
            let mut board = Board::of(list, shared);
            if let Some(board) = &mut board {
                board.begin(list, shared);
            }
            screen.board = board;
        }
        screen.is_board = screen.board.is_some();
        screen
    }

    /// The screen of a record that another screen knows by its type; `None` if no host lists the
    /// kind.
    pub(crate) fn showing(
        host: Host,
        id: &str,
        record: &impl Serialize,
        at: Timestamp,
        shared: &mut Shared,
    ) -> Option<Self> {
        let record = Record::new(&serde_json::to_value(record).ok()?)?;
        Some(Records::one(kind::find(host, id)?, record, at, shared))
    }

    /// The screen of a record with the data of a list at this time.
    pub(crate) fn one(
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
        let first = tree.map(Tab::Tree).into_iter().chain([Tab::Facts]);
        let mut tabs: Vec<Tab> = first.chain(tabs).collect();
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
        let subject = Subject {
            kind,
            id,
            record: Remote::known(record, at),
        };
        Records::made(view, Some(subject), tabs)
    }

    fn made(view: &'static View, subject: Option<Subject>, tabs: Vec<Tab>) -> Self {
        Records {
            view,
            subject,
            tabs,
            at: 0,
            choosing: None,
            scroll: 0,
            board: None,
            is_board: false,
            has_moved: false,
            narrowing: None,
            tree: None,
            writes: Writes::default(),
            findings: Findings::of(view.related),
            is_shown: false,
            filter_form: None,
            stale: Vec::new(),
        }
    }

    /// The list of the current tab.
    pub(crate) fn list(&self) -> Option<&Listing> {
        match self.tabs.get(self.at)? {
            Tab::List(list) => Some(list),
            Tab::Facts | Tab::Tree(_) => None,
        }
    }

    pub(crate) fn list_mut(&mut self) -> Option<&mut Listing> {
        match self.tabs.get_mut(self.at)? {
            Tab::List(list) => Some(list),
            Tab::Facts | Tab::Tree(_) => None,
        }
    }

    fn lists_mut(&mut self) -> impl Iterator<Item = &mut Listing> {
        self.tabs.iter_mut().filter_map(|tab| match tab {
            Tab::List(list) => Some(list.as_mut()),
            Tab::Facts | Tab::Tree(_) => None,
        })
    }

    /// The visible tree.
    fn tree(&self) -> Option<&Tree> {
        let tab = self.tabs.get(self.at).and_then(|tab| match tab {
            Tab::Tree(tree) => Some(tree),
            _ => None,
        });
        self.tree.as_ref().or(tab)
    }

    fn tree_mut(&mut self) -> Option<&mut Tree> {
        let tab = self.tabs.get_mut(self.at).and_then(|tab| match tab {
            Tab::Tree(tree) => Some(tree),
            _ => None,
        });
        self.tree.as_mut().or(tab)
    }

    fn trees_mut(&mut self) -> impl Iterator<Item = &mut Tree> {
        let tabs = self.tabs.iter_mut().filter_map(|tab| match tab {
            Tab::Tree(tree) => Some(tree),
            _ => None,
        });
        self.tree.iter_mut().chain(tabs)
    }

    /// The record for commands: the selected one of a list, or that of the screen.
    pub(crate) fn current(&self) -> Option<(&'static Kind, &Record)> {
        if let Some(tree) = self.tree() {
            return tree.selected();
        }
        match self.list() {
            Some(list) => Some((list.kind, self.selected_of(list)?)),
            None => self.about(),
        }
    }

    /// The board, unless the records outside it are shown.
    fn board_in_sight(&self) -> Option<&Board> {
        let groups = self.list().and_then(Listing::groups);
        let is_aside = groups.is_some_and(Groups::shows_left);
        self.board.as_ref().filter(|_| !is_aside)
    }

    fn selected_of<'a>(&'a self, list: &'a Listing) -> Option<&'a Record> {
        match self.board_in_sight() {
            Some(board) => board.selected(list),
            None => list.selected(),
        }
    }

    /// The record of the screen.
    pub(crate) fn about(&self) -> Option<(&'static Kind, &Record)> {
        let subject = self.subject.as_ref()?;
        Some((subject.kind, subject.record.value()?))
    }

    /// The time of the shown data.
    pub(crate) fn as_of(&self) -> Option<Timestamp> {
        let list = self.list().and_then(Listing::as_of);
        let subject = self.subject.as_ref();
        list.or_else(|| Some(subject?.record.seen()?.at))
    }

    /// The kind of the listed records, or of the screen's record.
    pub(crate) fn kind(&self) -> Option<&'static Kind> {
        let list = self.list().map(|list| list.kind);
        list.or_else(|| self.subject.as_ref().map(|subject| subject.kind))
    }

    /// Switches to another tab.
    fn turn(&mut self, cx: &mut Cx, by: isize) {
        self.end_board(cx.shared);
        self.tree = None;
        if let Some(list) = self.list_mut() {
            list.hidden(cx);
            list.end_search();
        }
        let tabs = self.tabs.len().max(1);
        self.at = self.at.wrapping_add_signed(by).wrapping_add(tabs) % tabs;
        self.scroll = 0;
        self.load_tab(cx);
    }

    /// Switches from the board back to the list. Returns whether there was a board.
    fn end_board(&mut self, shared: &Shared) -> bool {
        let was_there = self.board.take().is_some();
        if was_there && let Some(list) = self.list_mut() {
            list.group(None, shared);
        }
        was_there
    }

    /// The board and its list.
    fn board_and_list(&mut self) -> Option<(&mut Board, &mut Listing)> {
        match (&mut self.board, self.tabs.get_mut(self.at)) {
            (Some(board), Some(Tab::List(list))) => Some((board, list)),
            _ => None,
        }
    }

    /// Whether setting a state only changes a card, not the set of cards.
    fn sets_cards_only(&self) -> bool {
        let list = self.list().filter(|_| self.board.is_some());
        let state = list.and_then(|list| list.kind.state_field().zip(Some(list)));
        state.is_some_and(|((field, _), list)| !list.is_narrowed_by(&field.name))
    }

    fn settle_board(&mut self) {
        if let Some((board, list)) = self.board_and_list() {
            board.settle(list);
        }
    }

    fn load_tab(&mut self, cx: &mut Cx) {
        if let Some(list) = self.list_mut() {
            list.load_once(cx);
        }
    }

    /// Reloads the record, if a tool gets it.
    fn ask_subject(&mut self, cx: &mut Cx) {
        let Some(subject) = &mut self.subject else {
            return;
        };
        if let Some(record) = subject.record.value() {
            if let Some(name) = record.name(subject.kind) {
                cx.shared.names.note(record.id(), name);
            }
            facts::want_references(cx, subject.kind, record);
            let record = record.clone();
            self.findings.ask(cx, &record);
        }
        let Some(get) = &subject.kind.get else {
            return;
        };
        if !matches!(cx.shared.session, Session::In(_)) {
            return;
        }
        cx.abort(subject.record.request());
        let arguments = Map::from_iter([(get.argument.clone(), subject.id.clone().into())]);
        let request = cx.run(Work::Call(reading(get.tool, arguments)));
        subject.record.begin(request);
    }

    /// Requests the tools offered to the caller, for commands that call them.
    fn ask_tools(&self, cx: &mut Cx) {
        let kinds = self.tabs.iter().filter_map(|tab| match tab {
            Tab::List(list) => Some(list.kind.host),
            Tab::Facts | Tab::Tree(_) => self.subject.as_ref().map(|subject| subject.kind.host),
        });
        let mut hosts: Vec<_> = kinds.collect();
        hosts.dedup();
        for host in hosts {
            let peer = Peer::Host(host);
            let is_in = matches!(cx.shared.session, Session::In(_));
            if is_in && !cx.shared.tools.contains_key(&peer) {
                cx.on_behalf(Owner::App).run(Work::Tools(peer));
            }
        }
    }

    /// The facts and related data of the record, at this width.
    fn facts(&self, shared: &Shared, columns: usize) -> Vec<Line<'static>> {
        let about = self.about();
        let mut lines = about.map_or_else(Vec::new, |(kind, record)| {
            facts::lines(kind, record, shared, columns)
        });
        lines.extend(self.findings.lines(shared));
        lines
    }

    /// Applies the record returned by a write.
    fn know(&mut self, cx: &mut Cx, kind: &str, record: &Record) {
        for list in self.lists_mut().filter(|list| list.kind.id == kind) {
            list.update(cx.shared, record);
        }
        for tree in self.trees_mut().filter(|tree| tree.has(kind)) {
            tree.written(record);
        }
        self.settle_board();
        let about = self.subject.as_mut();
        let about = about.filter(|subject| subject.kind.id == kind && subject.id == record.id());
        if let Some(known) = about.and_then(|subject| subject.record.value_mut()) {
            *known = known.updated(record);
        }
    }

    /// Reloads lists with records of these kinds.
    fn reload(&mut self, cx: &mut Cx, kinds: &[String]) {
        for list in self.lists_mut() {
            list.written(cx, kinds);
        }
        let is_about = |subject: &Subject| kinds.contains(&subject.kind.id);
        let mut trees = self.trees_mut();
        let is_inside = trees.any(|tree| kinds.iter().any(|kind| tree.has(kind)));
        drop(trees);
        if is_inside || self.subject.as_ref().is_some_and(is_about) {
            self.ask_subject(cx);
        }
    }

    /// Whether the host reported that the record does not exist.
    fn is_gone(&self) -> bool {
        let error = self
            .subject
            .as_ref()
            .and_then(|subject| subject.record.error());
        matches!(error, Some(CallError::Tool(error)) if error.code == frontdesk_protocol::ErrorCode::NotFound)
    }
}

impl Screen for Records {
    fn context(&self) -> &'static Context {
        match (&self.subject, self.board_in_sight(), self.tree()) {
            (Some(_), _, Some(_)) if self.view.record.distance(&TREE).is_some() => self.view.record,
            (_, _, Some(_)) => &TREE,
            (_, Some(board), None) => board.context(),
            (Some(_), None, None) => self.view.record,
            (None, None, None) => self.view.list,
        }
    }

    fn crumb(&self) -> String {
        match (self.about(), self.kind()) {
            (Some((kind, record)), _) => record.label(kind),
            (None, Some(kind)) => kind::title(&kind.many),
            (None, None) => String::new(),
        }
    }

    fn shown(&mut self, cx: &mut Cx) {
        self.is_shown = true;
        if self.is_gone() {
            return cx.back();
        }
        self.ask_tools(cx);
        self.ask_subject(cx);
        let stale = std::mem::take(&mut self.stale);
        if !stale.is_empty() {
            for list in self.lists_mut() {
                list.written(cx, &stale);
            }
        }
        self.load_tab(cx);
    }

    fn hidden(&mut self, cx: &mut Cx) {
        self.is_shown = false;
        if let Some(list) = self.list_mut() {
            list.hidden(cx);
        }
    }

    fn refresh(&mut self, cx: &mut Cx) {
        self.ask_subject(cx);
        if let Some(list) = self.list_mut() {
            list.load(cx);
        }
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: Outcome) {
        let Outcome::Call(answer) = outcome else {
            return;
        };
        if let Some((board, list)) = self.board_and_list()
            && board.answered(cx, list, request, &answer)
        {
            self.has_moved = answer.result.is_ok();
            return;
        }
        if self.writes.answered(cx, request, &answer) {
            self.has_moved = answer.result.is_ok() && self.sets_cards_only();
            return;
        }
        if self
            .trees_mut()
            .any(|tree| tree.answered(cx, request, &answer))
        {
            return;
        }
        if self
            .lists_mut()
            .any(|list| list.answered(cx, request, &answer))
        {
            return self.settle_board();
        }
        let Some(subject) = &mut self.subject else {
            return;
        };
        if let Some(record) = subject.record.value()
            && self.findings.answered(cx, record, request, &answer)
        {
            return;
        }
        let result = answer.result.and_then(|reply| {
            let mut results = reply.value.as_object().into_iter().flat_map(Map::values);
            results
                .find_map(Record::new)
                .filter(|record| record.id() == subject.id)
                .ok_or_else(|| CallError::Tool(ToolError::not_found(&subject.kind.one)))
        });
        let got = result.as_ref().ok().cloned();
        let kind = subject.kind;
        if subject.record.finish(request, cx.now(), result)
            && let Some(record) = got
        {
            facts::want_references(cx, kind, &record);
            for tree in self.trees_mut() {
                tree.renew(kind, record.clone(), cx.shared);
            }
        }
    }

    fn fired(&mut self, cx: &mut Cx, request: RequestId) {
        if let Some(list) = self.list_mut() {
            list.fired(cx, request);
        }
    }

    fn told(&mut self, cx: &mut Cx, news: &News) {
        if let Some(filled) = news.own() {
            return self.fill_filters(cx, filled);
        }
        if let Some(chosen) = news.own::<Narrowed>()
            && self
                .narrowing
                .take_if(|number| *number == chosen.for_list)
                .is_some()
            && let Some(list) = self.list_mut()
        {
            list.narrow(cx, &chosen.by, &chosen.record);
        }
        let News::Changed { kind, record } = news else {
            return;
        };
        match record.as_ref().and_then(Record::new) {
            Some(record) => self.know(cx, kind, &record),
            // Nothing else changed: a large board is not reloaded for each card.
            None if self.kind().is_some_and(|own| own.id == *kind)
                && std::mem::take(&mut self.has_moved) => {}
            None if self.is_shown => self.reload(cx, std::slice::from_ref(kind)),
            None => self.stale.push(kind.clone()),
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

    fn step(&mut self, cx: &mut Cx, by: isize) {
        if let Some(tree) = self.tree_mut() {
            return tree.step(by);
        }
        let is_board = self.board_in_sight().is_some();
        match (&mut self.board, self.tabs.get_mut(self.at)) {
            (Some(board), Some(Tab::List(list))) if is_board => board.step(list, by),
            (_, Some(Tab::List(list))) => {
                list.step(cx, by);
                if let Some(record) = list.selected() {
                    facts::want_references(cx, list.kind, record);
                }
            }
            _ => {
                let width = cx.shared.size.width.saturating_sub(FACTS);
                let lines = self.facts(cx.shared, width.into()).len();
                let scroll = usize::from(self.scroll).saturating_add_signed(by);
                let last = lines.saturating_sub(1);
                self.scroll = u16::try_from(scroll.min(last)).unwrap_or(u16::MAX);
            }
        }
    }

    fn escape(&mut self, cx: &mut Cx) -> bool {
        if self.tree.take().is_some() {
            return true;
        }
        if self.board.is_some() {
            let is_aside = self.board_in_sight().is_none();
            return match is_aside {
                true => {
                    self.turn_left_out(cx);
                    true
                }
                false => !self.is_board && self.end_board(cx.shared),
            };
        }
        self.list_mut().is_some_and(|list| list.escape(cx))
    }

    fn can_search(&self) -> bool {
        self.list().is_some() && self.board_in_sight().is_none() && self.tree().is_none()
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

    fn is_busy(&self) -> bool {
        self.list().is_some_and(Listing::is_busy)
            || self.board.as_ref().is_some_and(Board::is_busy)
            || self.writes.is_busy()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        self.draw_all(shared, frame, area);
    }
}
