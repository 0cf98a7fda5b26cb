//! Opening, adding, editing and deleting records, and other tools that take their ids. Each opens
//! the form of its tool with known values filled in.

use frontdesk_protocol::Declaration;
use frontdesk_protocol::reference::refers_to;
use jiff::Timestamp;
use serde_json::{Map, Value};

use super::{Choosing, Narrowed, Records, Tab, Then};
use crate::app::cx::Cx;
use crate::app::effects::effect::RequestId;
use crate::app::peer::Peer;
use crate::app::shared::Shared;
use crate::filling::{CallScreen, Prepared, Purpose, declared};
use crate::records::board::Board;
use crate::records::cell;
use crate::records::facts;
use crate::records::kind::{self, Kind, POSITION, Taker};
use crate::records::listing::Listing;
use crate::records::listing::groups::{Groups, Left};
use crate::records::offer::not_offered;
use crate::records::record::Record;
use crate::records::screen::menu::{Entry, Menu, Picked};
use crate::records::tree::Tree;
use crate::records::view::View;
use crate::records::writes::writing;

impl Records {
    /// Opens the selected record, or continues the choice with it.
    pub(super) fn open(&mut self, cx: &mut Cx) {
        if self.list_mut().is_some_and(|list| list.end_search()) {
            return;
        }
        let Some((kind, record)) = self.current() else {
            return;
        };
        match &self.choosing {
            None => {
                let at = self.as_of().unwrap_or(cx.now());
                open_record(cx, kind, &record.clone(), at);
            }
            Some(Choosing {
                then: Then::List(wanted, list, then),
                ..
            }) => {
                let owner = list.owner().map(|owner| owner.name.clone());
                let given = owner.map(|name| (name, record.id().into()));
                let given: Map<String, Value> = given.into_iter().collect();
                let choosing = then.as_deref().cloned();
                let list = Records::with(wanted, list, given, cx.shared);
                cx.open(Records { choosing, ..list });
            }
            Some(Choosing {
                then: Then::Do(about, act),
                ..
            }) => act(cx, about, record),
            Some(Choosing {
                then: Then::Take(act),
                ..
            }) => act(cx, record),
            Some(Choosing {
                then: Then::Narrow(for_list, by),
                ..
            }) => {
                let narrowed = Narrowed {
                    for_list: *for_list,
                    by: by.clone(),
                    record: record.clone(),
                };
                cx.back();
                cx.tell_own(narrowed);
            }
        }
    }

    /// Opens the form that adds a record to the list.
    pub(super) fn add(&mut self, cx: &mut Cx) {
        if let Some((kind, known)) = self.place()
            && let Some(tool) = adds(kind, cx.shared)
        {
            // The owner is fixed; position and state are defaults.
            let arguments = tool.arguments();
            let is_id = |name: &str| {
                let argument = arguments.get("properties").and_then(|all| all.get(name));
                argument.is_some_and(|argument| refers_to(argument).is_some())
            };
            let (given, proposed) = known.into_iter().partition(|(name, _)| is_id(name));
            let form = form(cx, tool, Prepared::adding(&kind.one, given)).filled(&proposed);
            cx.open(form);
        }
    }

    /// The kind to add here, and its known values.
    fn place(&self) -> Option<(&'static Kind, Map<String, Value>)> {
        match (self.tree(), self.list()) {
            (Some(tree), _) => tree.place(),
            (None, list) => list.map(|list| {
                let mut given = list.addition();
                given.extend(self.board_in_sight().map(|board| board.given(list)));
                (list.kind, given)
            }),
        }
    }

    /// Why no record can be added.
    pub(super) fn no_add(&self, shared: &Shared) -> Option<String> {
        match self.place() {
            None => Some("nothing can be added here".to_owned()),
            Some((kind, _)) => why_not(kind, adds(kind, shared), "added", shared),
        }
    }

    /// Calls a tool that only needs the id of the current record.
    pub(crate) fn act_now(&mut self, cx: &mut Cx, tool: &str, refused: &'static str) {
        let Some((kind, record)) = self.current() else {
            return;
        };
        if let Some(taker) = kind.actions.iter().find(|taker| taker.tool.name == tool) {
            let given = Map::from_iter([(taker.argument.clone(), record.id().into())]);
            self.writes.begin(cx, refused, [writing(taker.tool, given)]);
        }
    }

    /// Moves the selected record up or down among its siblings in the tree.
    pub(super) fn shift(&mut self, cx: &mut Cx, by: isize) {
        let calls = self.tree().map_or_else(Vec::new, |tree| tree.shift(by));
        self.writes.begin(cx, "Not moved", calls);
    }

    /// Why the selected record cannot be moved.
    pub(super) fn no_shift(&self, shared: &Shared) -> Option<String> {
        match (self.tree(), self.current()) {
            (None, _) => Some("records can only be moved in a tree".to_owned()),
            (_, Some((kind, _))) if !kind.changes(POSITION) => {
                Some(format!("{} have no order", kind.many))
            }
            _ => self.no_edit(shared),
        }
    }

    /// Opens the menu of states for the selected record.
    pub(super) fn open_states(&mut self, cx: &mut Cx) {
        let Some((kind, record)) = self.current() else {
            return;
        };
        let Some((field, words)) = kind.state_field() else {
            return;
        };
        let entries = words.iter().map(|word| {
            let is_so = record.text(&field.name) == Some(word);
            let now = if is_so { " (as it is)" } else { "" };
            Entry {
                words: format!("{}{now}", cell::state(word).text),
                letter: None,
                obstacle: None,
                is_chosen: false,
                picked: Picked::State(field.name.clone(), word.clone()),
            }
        });
        let menu = Menu::new(record.label(kind), entries.collect());
        cx.raise(menu);
    }

    /// Why the selected record's state cannot be set.
    pub(super) fn no_states(&self, shared: &Shared) -> Option<String> {
        let can_be_set = |kind: &Kind| {
            let state = kind.state_field();
            state.is_some_and(|(field, _)| kind.changes(&field.name))
        };
        match self.current() {
            Some((kind, _)) if !can_be_set(kind) => {
                Some(format!("the state of {} cannot be set", kind.many))
            }
            _ => self.no_edit(shared),
        }
    }

    /// Opens the update form of the selected record.
    pub(super) fn edit(&mut self, cx: &mut Cx) {
        if let Some((kind, record)) = self.current() {
            edit_record(cx, kind, &record.clone());
        }
    }

    /// Why the selected record cannot be changed.
    pub(super) fn no_edit(&self, shared: &Shared) -> Option<String> {
        let Some((kind, _)) = self.current() else {
            return Some("nothing selected".to_owned());
        };
        let tool = kind.update.as_ref().map(|taker| taker.tool);
        why_not(kind, tool, "changed", shared)
    }

    /// Opens the update form of the screen's record.
    pub(super) fn edit_subject(&mut self, cx: &mut Cx) {
        if let Some((kind, record)) = self.about() {
            edit_record(cx, kind, &record.clone());
        }
    }

    /// Why the screen's record cannot be changed.
    pub(super) fn no_edit_subject(&self, shared: &Shared) -> Option<String> {
        let Some((kind, _)) = self.about() else {
            return Some("this screen shows a list, not a record".to_owned());
        };
        let tool = kind.update.as_ref().map(|taker| taker.tool);
        why_not(kind, tool, "changed", shared)
    }

    /// Opens the delete form of the selected record.
    pub(super) fn delete(&mut self, cx: &mut Cx) {
        if let Some((kind, record)) = self.current()
            && let Some(taker) = &kind.delete
        {
            let record = record.clone();
            act(cx, kind, &record, taker);
        }
    }

    /// Why the selected record cannot be deleted.
    pub(super) fn no_delete(&self, shared: &Shared) -> Option<String> {
        let Some((kind, _)) = self.current() else {
            return Some("nothing selected".to_owned());
        };
        let tool = kind.delete.as_ref().map(|taker| taker.tool);
        why_not(kind, tool, "deleted", shared)
    }

    /// Opens the menu of actions for the selected record.
    pub(super) fn open_actions(&mut self, cx: &mut Cx) {
        let Some((kind, record)) = self.current() else {
            return;
        };
        let title = record.label(kind);
        let entries = kind.takers().map(|taker| Entry {
            words: taker.tool.title(),
            letter: letter_of(self.letters(kind, cx.shared), taker.tool.name),
            obstacle: why_not(kind, Some(taker.tool), "", cx.shared),
            is_chosen: false,
            picked: Picked::Tool(taker.tool.name),
        });
        cx.raise(Menu::new(title, entries.collect()));
    }

    fn letters(&self, kind: &Kind, shared: &Shared) -> &'static [(&'static str, char)] {
        View::of(kind, shared).letters
    }

    /// Opens the menu of filters.
    pub(super) fn open_filters(&mut self, cx: &mut Cx) {
        let Some(list) = self.list() else {
            return;
        };
        let entries = list.choices(cx.shared).into_iter().map(|choice| Entry {
            words: choice.words.clone(),
            letter: None,
            obstacle: None,
            is_chosen: choice.is_chosen,
            picked: Picked::Filter(choice),
        });
        let form = list.takes_more().then(|| Entry {
            words: "All filters…".to_owned(),
            letter: Some('f'),
            obstacle: None,
            is_chosen: false,
            picked: Picked::FilterForm,
        });
        let entries: Vec<Entry> = entries.chain(form).collect();
        cx.raise(Menu::new("Show only".to_owned(), entries));
    }

    /// Opens the form with the filter arguments.
    fn open_filter_form(&mut self, cx: &mut Cx) {
        let Some(list) = self.list() else {
            return;
        };
        let tool = list.list.tool;
        let form = cx.shared.next_id();
        let prepared = Prepared::for_purpose("Show only", Narrowing(form));
        let is_asked = |name: &str| list.takes(name);
        let screen = CallScreen::asking(tool, is_asked, prepared, cx.now());
        let screen = screen.filled(list.narrowed());
        cx.open(screen);
        self.filter_form = Some(form);
    }

    /// Applies the arguments of a filter form.
    pub(super) fn fill_filters(&mut self, cx: &mut Cx, filled: &Filled) {
        let is_ours = self.filter_form == Some(filled.form);
        if let Some(list) = self.list_mut().filter(|_| is_ours) {
            list.narrow_to(cx, filled.arguments.clone());
        }
    }

    /// Why the list cannot be filtered.
    pub(super) fn no_filter(&self, shared: &Shared) -> Option<String> {
        match self.list() {
            Some(list) if list.takes_more() || !list.choices(shared).is_empty() => None,
            _ => Some("this list can only be searched".to_owned()),
        }
    }

    /// Runs the chosen entry of a menu.
    pub(super) fn picked(&mut self, cx: &mut Cx, picked: Picked) {
        match picked {
            Picked::FilterForm => self.open_filter_form(cx),
            Picked::Filter(choice) => match (choice.asks_for(), self.kind()) {
                (Some(asked), Some(kind)) => {
                    let number = cx.shared.next_id();
                    self.narrowing = Some(number);
                    let choosing = Choosing {
                        words: format!("{}: which {}?", kind::title(&kind.many), asked.one),
                        then: Then::Narrow(number, choice),
                    };
                    let list = Records::choosing(asked, choosing, cx.shared);
                    cx.open(list);
                }
                _ => {
                    if let Some(list) = self.list_mut() {
                        list.turn(cx, &choice);
                    }
                    self.settle_board();
                }
            },
            Picked::State(field, word) => {
                let Some((kind, record)) = self.current() else {
                    return;
                };
                if let Some(update) = &kind.update {
                    let arguments = Map::from_iter([
                        (update.argument.clone(), record.id().into()),
                        (field, word.into()),
                    ]);
                    let call = writing(update.tool, arguments);
                    self.writes.begin(cx, "Not set", [call]);
                }
            }
            Picked::Tool(name) => {
                let Some((kind, record)) = self.current() else {
                    return;
                };
                let record = record.clone();
                let Some(taker) = kind.takers().find(|taker| taker.tool.name == name) else {
                    return;
                };
                match kind
                    .update
                    .as_ref()
                    .is_some_and(|update| update.tool.name == name)
                {
                    true => edit_record(cx, kind, &record),
                    false => act(cx, kind, &record, taker),
                }
            }
        }
    }

    /// Switches between board and list.
    pub(super) fn turn_board(&mut self, cx: &mut Cx) {
        if self.end_board(cx.shared) {
            return;
        }
        self.board = self.list().and_then(|list| Board::of(list, cx.shared));
        if let Some((board, list)) = self.board_and_list() {
            board.begin(list, cx.shared);
            list.more(cx);
        }
    }

    /// Why there is no board.
    pub(super) fn no_board(&self, shared: &Shared) -> Option<String> {
        match self.list().and_then(|list| Board::of(list, shared)) {
            Some(_) => None,
            None => Some("these records have no state".to_owned()),
        }
    }

    /// Switches between the records outside the board and the board.
    pub(super) fn turn_left_out(&mut self, cx: &mut Cx) {
        if let Some((board, list)) = self.board_and_list() {
            board.turn_aside(list, cx.shared);
        }
    }

    /// Why the records outside the board cannot be shown.
    pub(super) fn no_left_out(&self) -> Option<String> {
        let left = self.list().and_then(Listing::groups).map(Groups::left);
        match left {
            None => Some("no board is shown".to_owned()),
            Some(left) if left == Left::default() => {
                Some("all records are on the board".to_owned())
            }
            Some(_) => None,
        }
    }

    /// Toggles the tree of the record.
    pub(super) fn turn_tree(&mut self, cx: &mut Cx) {
        let at = self.tabs.iter().position(|tab| matches!(tab, Tab::Tree(_)));
        if let Some(at) = at {
            let by = if self.at == at {
                1
            } else {
                at as isize - self.at as isize
            };
            return self.turn(cx, by);
        }
        if self.tree.take().is_none() {
            let current = self.about().or_else(|| self.current());
            let Some((kind, record)) = current.map(|(kind, record)| (kind, record.clone())) else {
                return;
            };
            match kind.holds {
                true => {
                    let at = self.as_of().unwrap_or(cx.now());
                    open_record(cx, kind, &record, at);
                }
                false => self.tree = Some(Tree::of(kind, record, cx.shared)),
            }
        }
    }

    /// Why there is no tree.
    pub(super) fn no_tree(&self) -> Option<String> {
        match self.about().or_else(|| self.current()) {
            None => Some("nothing selected".to_owned()),
            Some((kind, _)) if kind.tabs().is_empty() && !kind.holds => {
                Some(format!("no list takes a {}", kind.one))
            }
            Some(_) => None,
        }
    }

    /// Unfolds or folds the selected node of the tree.
    pub(super) fn unfold(&mut self, cx: &mut Cx, is_in: bool) {
        match (self.tree_mut(), is_in) {
            (Some(tree), true) => tree.right(cx),
            (Some(tree), false) => tree.left(),
            (None, true) => self.turn(cx, 1),
            (None, false) => self.turn(cx, -1),
        }
    }

    /// Moves the selection to another column of the board.
    pub(super) fn step_column(&mut self, by: isize) {
        if let Some((board, list)) = self.board_and_list() {
            board.step_column(list, by);
        }
    }

    /// Moves the selected card to another column.
    pub(super) fn move_card(&mut self, cx: &mut Cx, by: isize) {
        if let Some((board, list)) = self.board_and_list() {
            board.move_card(cx, list, by);
        }
    }
}

/// The arguments of a filter form.
#[derive(Debug)]
pub(super) struct Filled {
    form: RequestId,
    arguments: Map<String, Value>,
}

/// The purpose of a filter form.
#[derive(Debug)]
struct Narrowing(RequestId);

impl Purpose for Narrowing {
    fn carry_out(&self, cx: &mut Cx, arguments: Map<String, Value>) -> Option<RequestId> {
        let form = self.0;
        cx.tell_own(Filled { form, arguments });
        None
    }
}

/// Opens a record with the data of this time, on its own screen if the view has one.
pub(crate) fn open_record(cx: &mut Cx, kind: &'static Kind, record: &Record, at: Timestamp) {
    match View::of(kind, cx.shared).open {
        Some(open) => open(cx, record, at),
        None => {
            let screen = Records::one(kind, record.clone(), at, cx.shared);
            cx.open(screen);
        }
    }
}

/// Opens the update form of a record.
pub(crate) fn edit_record(cx: &mut Cx, kind: &'static Kind, record: &Record) {
    if let Some(taker) = &kind.update {
        change(cx, kind, record, taker);
    }
}

/// Opens the form of this tool with the values of the record.
pub(crate) fn change_by(cx: &mut Cx, kind: &'static Kind, record: &Record, tool: &str) {
    let mut takers = kind.update.iter().chain(&kind.actions);
    if let Some(taker) = takers.find(|taker| taker.tool.name == tool) {
        change(cx, kind, record, taker);
    }
}

fn change(cx: &mut Cx, kind: &'static Kind, record: &Record, taker: &Taker) {
    facts::want_references(cx, kind, record);
    let prepared = Prepared::changing(&record.label(kind), &taker.argument, record.all());
    open_form(cx, taker.tool, prepared);
}

fn act(cx: &mut Cx, kind: &'static Kind, record: &Record, taker: &Taker) {
    let given = Map::from_iter([(taker.argument.clone(), record.id().into())]);
    open_form(cx, taker.tool, Prepared::acting(&record.label(kind), given));
}

fn open_form(cx: &mut Cx, tool: &'static Declaration, prepared: Prepared) {
    let form = form(cx, tool, prepared);
    cx.open(form);
}

/// The form of a tool, as its host offers it.
fn form(cx: &Cx, tool: &'static Declaration, prepared: Prepared) -> CallScreen {
    let peer = Peer::Host(tool.host);
    let offered = cx.shared.tools.get(&peer).into_iter().flatten();
    let offered = offered
        .into_iter()
        .find(|info| info.name == tool.name)
        .cloned();
    let info = offered.unwrap_or_else(|| declared(tool));
    CallScreen::prepared(peer, info, prepared, cx.now())
}

/// Why the caller cannot use the tool: it does not exist, is not offered, or the app is read-only.
fn why_not(kind: &Kind, tool: Option<&Declaration>, verb: &str, shared: &Shared) -> Option<String> {
    let Some(tool) = tool else {
        return Some(format!("{} cannot be {verb}", kind.many));
    };
    not_offered(tool, shared).or_else(|| {
        let is_hidden = shared.mode.is_read_only() && !tool.effect.read_only;
        is_hidden.then(|| shared.mode.way_out(&shared.keymap))
    })
}

/// The tool that adds a record of the kind.
fn adds(kind: &Kind, shared: &Shared) -> Option<&'static Declaration> {
    let named = || kind.host.tool(View::of(kind, shared).add?);
    kind.create.or_else(named)
}

/// The letter that a view assigns to an action.
fn letter_of(letters: &[(&str, char)], tool: &str) -> Option<char> {
    let found = letters.iter().find(|(name, _)| *name == tool);
    found.map(|(_, letter)| *letter)
}
