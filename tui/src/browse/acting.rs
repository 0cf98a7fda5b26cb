//! Acting on the selected record: adding, editing and deleting, and the other tools that take its
//! id. Each opens the form of its tool with known values filled in.

use serde_json::{Map, Value};

use super::menu::{Item, Menu};
use super::open::{act_on, form, info, open_record};
use super::several::{Marked, Phrases, marked};
use super::{BoardScreen, Browse, ListScreen, act, edit_record};
use crate::app::cx::Cx;
use crate::app::effects::effect::RequestId;
use crate::app::shared::Shared;
use crate::fields;
use crate::fields::{Is, cell};
use crate::filling::{CallScreen, Prepared, Purpose};
use crate::records::addition::Addition;
use crate::records::allowed;
use crate::records::board::Board;
use crate::records::chooser;
use crate::records::filter::Choice;
use crate::records::kind::{self, Kind, Taker, Tool};
use crate::records::record::Record;
use crate::records::view::View;
use crate::ui::text::sentence;

/// Opens the selected record.
pub(super) fn open_selected(screen: &mut dyn Browse, cx: &mut Cx) {
    if screen.list_mut().is_some_and(|list| list.end_search()) {
        return;
    }
    if let Some((kind, record)) = screen.current() {
        let at = screen.as_of().unwrap_or(cx.now());
        open_record(cx, kind, &record.clone(), at);
    }
}

/// Opens the form that adds what belongs here. On the facts of a record, several kinds can belong.
pub(super) fn add(screen: &mut dyn Browse, cx: &mut Cx) {
    let additions = screen.additions();
    if asks_what(screen, &additions) {
        let items = adding_items(&additions, cx.shared);
        return cx.raise(Menu::new("Add".to_owned(), items));
    }
    if let Some(addition) = preferred(additions, cx.shared) {
        add_this(screen, cx, &addition);
    }
}

fn add_this(screen: &mut dyn Browse, cx: &mut Cx, addition: &Addition) {
    let kind = addition.kind;
    let Some(tool) = &kind.create else {
        return;
    };
    if let Some(tree) = screen.tree_mut() {
        tree.adding(addition);
    }
    // The owner is fixed; position and state are defaults.
    let is_id = |name: &String| tool.ids.iter().any(|id| id.name == *name);
    let known = addition.given.clone().into_iter();
    let (given, proposed) = known.partition(|(name, _)| is_id(name));
    if let Some(form) = form(cx, tool, Prepared::adding(&kind.one, given)) {
        cx.open(form.filled(&proposed));
    }
}

/// The first that the caller can add, otherwise the first.
fn preferred(mut additions: Vec<Addition>, shared: &Shared) -> Option<Addition> {
    let possible = additions
        .iter()
        .position(|one| cannot_add(one, shared).is_none());
    match additions.is_empty() {
        true => None,
        false => Some(additions.swap_remove(possible.unwrap_or(0))),
    }
}

fn cannot_add(addition: &Addition, shared: &Shared) -> Option<String> {
    let kind = addition.kind;
    why_not(kind, kind.create.as_ref(), "added", shared)
}

/// Whether the place does not decide what is added.
fn asks_what(screen: &dyn Browse, additions: &[Addition]) -> bool {
    screen.tree().is_none() && screen.list().is_none() && additions.len() > 1
}

/// An item for each addition.
fn adding_items(additions: &[Addition], shared: &Shared) -> Vec<Item> {
    let items = additions.iter().map(|addition| Item {
        obstacle: cannot_add(addition, shared),
        ..Item::new(sentence(&addition.words()), {
            let addition = addition.clone();
            move |screen, cx| add_this(screen, cx, &addition)
        })
    });
    items.collect()
}

/// What would be added, for the footer: "add milestone to Kick-off".
pub(super) fn adds(screen: &dyn Browse, shared: &Shared) -> Option<String> {
    let additions = screen.additions();
    match asks_what(screen, &additions) {
        true => Some("add…".to_owned()),
        false => preferred(additions, shared).map(|one| one.words()),
    }
}

/// Why no record can be added.
pub(super) fn no_add(screen: &dyn Browse, shared: &Shared) -> Option<String> {
    match (preferred(screen.additions(), shared), screen.list()) {
        (Some(addition), _) => cannot_add(&addition, shared),
        (None, Some(list)) => Some(format!("{} cannot be added", list.kind.many)),
        (None, None) => Some("nothing can be added here".to_owned()),
    }
}

/// Calls a tool that only needs the id of the current record. `done` follows the record's name in the message.
pub(crate) fn act_now(
    screen: &mut dyn Browse,
    cx: &mut Cx,
    tool: &str,
    done: &str,
    refused: &'static str,
) {
    let Some((kind, record)) = screen.current() else {
        return;
    };
    if let Some(taker) = kind.actions.iter().find(|taker| taker.tool.name == tool) {
        let given = Map::from_iter([(taker.argument.clone(), record.id().into())]);
        let call = taker.tool.writing(given);
        let done = format!("“{}” {done}", record.label(kind));
        if let Some(writes) = screen.writes() {
            writes.begin(cx, done, refused, [call]);
        }
    }
}

/// Moves the selected record up or down among its siblings in the tree.
pub(super) fn shift(screen: &mut dyn Browse, cx: &mut Cx, by: isize) {
    let calls = screen.tree().map_or_else(Vec::new, |tree| tree.shift(by));
    let name = screen.current().map(|(kind, record)| record.label(kind));
    let done = format!("Moved “{}”", name.unwrap_or_default());
    if let Some(writes) = screen.writes() {
        writes.begin(cx, done, "Not moved", calls);
    }
}

/// Why the selected record cannot be moved.
pub(super) fn no_shift(screen: &dyn Browse, shared: &Shared) -> Option<String> {
    match (screen.tree(), screen.current()) {
        (None, _) => Some("records can only be moved in a tree".to_owned()),
        (_, Some((kind, _))) if kind.movable().is_none() => {
            Some(format!("{} have no order", kind.many))
        }
        _ => no_edit(screen, shared),
    }
}

/// Opens the menu of states for the selected record.
pub(super) fn open_states(screen: &mut dyn Browse, cx: &mut Cx) {
    let Some((kind, record)) = screen.current() else {
        return;
    };
    let (Some((field, words)), Some(update)) = (kind.state_field(), &kind.update) else {
        return;
    };
    if let Some(marked) = marked(screen) {
        let title = marked.words();
        let items = words.iter().map(|word| {
            let common = Map::from_iter([(field.name.clone(), word.as_str().into())]);
            let marked = marked.clone();
            let phrases = Phrases::new("Set", "Set", &format!(" to {}", cell::words(word)));
            Item::new(cell::state(word).text, move |_, cx| {
                marked.call(cx, update, &common, phrases);
            })
        });
        return cx.raise(Menu::new(title, items.collect()));
    }
    let items = words.iter().map(|word| {
        let is_so = record.text(&field.name) == Some(word);
        let now = if is_so { " (as it is)" } else { "" };
        let words = format!("{}{now}", cell::state(word).text);
        let done = format!("Set “{}” to {}", record.label(kind), cell::words(word));
        let arguments = Map::from_iter([
            (update.argument.clone(), record.id().into()),
            (field.name.clone(), word.as_str().into()),
        ]);
        let call = update.tool.writing(arguments);
        Item::new(words, |screen, cx| {
            if let Some(writes) = screen.writes() {
                writes.begin(cx, done, "Not set", [call]);
            }
        })
    });
    let menu = Menu::new(record.label(kind), items.collect());
    cx.raise(menu);
}

/// Lets the user choose the member who is responsible for the selected record.
pub(super) fn assign(screen: &mut dyn Browse, cx: &mut Cx) {
    let Some((kind, record)) = screen.current() else {
        return;
    };
    let (Some((field, members)), Some(update)) = (assignee(kind, cx.shared), &kind.update) else {
        return;
    };
    let (name, id) = (record.label(kind), record.id().to_owned());
    let marked = marked(screen);
    let question = match &marked {
        Some(marked) => format!("Assign {} to which {}?", marked.words(), members.one),
        None => format!("Assign “{name}” to which {}?", members.one),
    };
    chooser::of_kind(members, question, cx.shared, move |state, out, member| {
        let to = member.label(members);
        state.shared.names.note(member.id(), &to);
        if let Some(marked) = marked.clone() {
            let common = Map::from_iter([(field.to_owned(), member.id().into())]);
            let phrases = Phrases::new("Assign", "Assigned", &format!(" to {to}"));
            return act(state, out, |_, cx| {
                marked.call(cx, update, &common, phrases)
            });
        }
        let call = update.tool.writing(Map::from_iter([
            (update.argument.clone(), id.clone().into()),
            (field.to_owned(), member.id().into()),
        ]));
        let done = format!("Assigned “{name}” to {to}");
        act(state, out, |screen, cx| {
            if let Some(writes) = screen.writes() {
                writes.begin(cx, done, "Not assigned", [call]);
            }
        });
    })
    .open(cx);
}

/// The field with the responsible member, and the kind of members.
fn assignee(kind: &Kind, shared: &Shared) -> Option<(&'static str, &'static Kind)> {
    let field = View::of(kind, shared).assignee?;
    match &kind.field(field).filter(|_| kind.changes(field))?.is {
        Is::Reference(members) => Some((field, kind::find(&kind.peer, members)?)),
        _ => None,
    }
}

/// Why the selected record cannot be assigned.
pub(super) fn no_assign(screen: &dyn Browse, shared: &Shared) -> Option<String> {
    match screen.current() {
        Some((kind, _)) if assignee(kind, shared).is_none() => {
            Some(format!("{} have no assignee", kind.many))
        }
        _ => no_edit(screen, shared),
    }
}

/// Opens the menu of columns by which the cards can be sorted.
pub(super) fn open_sorting(screen: &mut dyn Browse, cx: &mut Cx) {
    let Some(list) = screen.list() else {
        return;
    };
    let items = list
        .sortings()
        .enumerate()
        .map(|(at, (title, is_chosen))| Item {
            is_chosen,
            ..Item::new(title.to_owned(), move |screen, cx| {
                if let Some(list) = screen.list_mut() {
                    list.sort_by(at, cx.shared);
                }
                screen.narrowed();
            })
        });
    let items: Vec<Item> = items.collect();
    cx.raise(Menu::new("Sort by".to_owned(), items));
}

/// Why the selected record's state cannot be set.
pub(super) fn no_states(screen: &dyn Browse, shared: &Shared) -> Option<String> {
    let can_be_set = |kind: &Kind| {
        let state = kind.state_field();
        state.is_some_and(|(field, _)| kind.changes(&field.name))
    };
    match screen.current() {
        Some((kind, _)) if !can_be_set(kind) => {
            Some(format!("the state of {} cannot be set", kind.many))
        }
        _ => no_edit(screen, shared),
    }
}

/// Opens the update form of the selected record.
pub(super) fn edit(screen: &mut dyn Browse, cx: &mut Cx) {
    if let Some(marked) = marked(screen) {
        if let Some(taker) = &marked.kind.update {
            marked.act(cx, taker);
        }
        return;
    }
    if let Some((kind, record)) = screen.current() {
        edit_record(cx, kind, record);
    }
}

/// Why the selected record cannot be changed.
pub(super) fn no_edit(screen: &dyn Browse, shared: &Shared) -> Option<String> {
    let Some((kind, record)) = screen.current() else {
        return Some("nothing selected".to_owned());
    };
    let tool = kind.update.as_ref().map(|taker| &taker.tool);
    // The table shows what the state of a marked record does not allow.
    match marked(screen) {
        Some(_) => why_not(kind, tool, "changed", shared),
        None => refusal(kind, record, tool, "changed", shared),
    }
}

/// Opens the update form of the screen's record.
pub(super) fn edit_subject(screen: &mut dyn Browse, cx: &mut Cx) {
    if let Some((kind, record)) = screen.about() {
        edit_record(cx, kind, record);
    }
}

/// Why the screen's record cannot be changed.
pub(super) fn no_edit_subject(screen: &dyn Browse, shared: &Shared) -> Option<String> {
    let Some((kind, record)) = screen.about() else {
        return Some("this screen shows a list, not a record".to_owned());
    };
    let tool = kind.update.as_ref().map(|taker| &taker.tool);
    refusal(kind, record, tool, "changed", shared)
}

/// Opens the delete form of the selected record.
pub(super) fn delete(screen: &mut dyn Browse, cx: &mut Cx) {
    if let Some(marked) = marked(screen) {
        if let Some(taker) = &marked.kind.delete {
            marked.act(cx, taker);
        }
        return;
    }
    if let Some((kind, record)) = screen.current()
        && let Some(taker) = &kind.delete
    {
        act_on(cx, kind, record, taker);
    }
}

/// Why the selected record cannot be deleted.
pub(super) fn no_delete(screen: &dyn Browse, shared: &Shared) -> Option<String> {
    let Some((kind, record)) = screen.current() else {
        return Some("nothing selected".to_owned());
    };
    let tool = kind.delete.as_ref().map(|taker| &taker.tool);
    match marked(screen) {
        Some(_) => why_not(kind, tool, "deleted", shared),
        None => refusal(kind, record, tool, "deleted", shared),
    }
}

/// Opens the menu of actions for the selected record. What also has a key on the screen has the same
/// one here; the others are numbered.
pub(super) fn open_actions(screen: &mut dyn Browse, cx: &mut Cx) {
    if let Some(marked) = marked(screen) {
        return open_common_actions(screen, cx, &marked);
    }
    let Some((kind, record)) = screen.current() else {
        return;
    };
    let title = record.label(kind);
    let key = |id: &str| cx.shared.keymap.key(id).chars().next();
    let mut numbers = '1'..='9';
    let is = |one: &Option<Taker>, taker: &Taker| {
        one.as_ref().is_some_and(|one| std::ptr::eq(one, taker))
    };
    let additions = screen.additions();
    // An addition to this record is listed as such.
    let is_addition = |taker: &&Taker| {
        additions.iter().any(|one| {
            let create = one.kind.create.as_ref();
            let is_here = one.to.as_ref().is_some_and(|(id, _)| id == record.id());
            is_here && create.is_some_and(|tool| tool.name == taker.tool.name)
        })
    };
    let takers = kind.takers().filter(|taker| !is_addition(taker));
    let takers = takers.map(|taker| {
        let record = record.clone();
        let is_update = is(&kind.update, taker);
        let letter = match is_update {
            true => key("record.edit"),
            false if is(&kind.delete, taker) => key("record.delete"),
            false => numbers.next(),
        };
        let obstacle = refusal(kind, &record, Some(&taker.tool), "", cx.shared);
        let run = move |_: &mut dyn Browse, cx: &mut Cx| match is_update {
            true => edit_record(cx, kind, &record),
            false => act_on(cx, kind, &record, taker),
        };
        Item {
            letter,
            obstacle,
            ..Item::new(taker.tool.title.clone(), run)
        }
    });
    let mut items: Vec<Item> = takers.collect();
    if no_states(screen, cx.shared).is_none() {
        items.push(Item {
            letter: key("record.state"),
            ..Item::new("Set state…".to_owned(), open_states)
        });
    }
    let adds = preferred(additions.clone(), cx.shared);
    let adding = additions.iter().zip(adding_items(&additions, cx.shared));
    items.extend(adding.map(|(addition, item)| Item {
        letter: match &adds {
            Some(adds) if adds.is_like(addition) => key("record.add"),
            _ => numbers.next(),
        },
        ..item
    }));
    cx.raise(Menu::new(title, items));
}

/// Opens the menu of actions for all marked records.
fn open_common_actions(screen: &dyn Browse, cx: &mut Cx, marked: &Marked) {
    let kind = marked.kind;
    let key = |id: &str| cx.shared.keymap.key(id).chars().next();
    let mut numbers = '1'..='9';
    let is = |one: &Option<Taker>, taker: &Taker| {
        one.as_ref().is_some_and(|one| std::ptr::eq(one, taker))
    };
    let takers = kind.takers().filter(|taker| !taker.tool.is_read_only);
    let takers = takers.map(|taker| Item {
        letter: match taker {
            update if is(&kind.update, update) => key("record.edit"),
            delete if is(&kind.delete, delete) => key("record.delete"),
            _ => numbers.next(),
        },
        obstacle: why_not(kind, Some(&taker.tool), "", cx.shared),
        ..Item::new(taker.tool.title.clone(), {
            let marked = marked.clone();
            move |_, cx| marked.act(cx, taker)
        })
    });
    let mut items: Vec<Item> = takers.collect();
    if no_states(screen, cx.shared).is_none() {
        items.push(Item {
            letter: key("record.state"),
            ..Item::new("Set state…".to_owned(), open_states)
        });
    }
    cx.raise(Menu::new(marked.words(), items));
}

/// Why the selected record has no actions.
pub(super) fn no_actions(screen: &dyn Browse) -> Option<String> {
    match screen.current() {
        None => Some("nothing selected".to_owned()),
        Some((kind, _)) => {
            let is_none = kind.takers().next().is_none();
            is_none.then(|| format!("{} have no actions", kind.many))
        }
    }
}

/// Opens the menu of filters.
pub(super) fn open_filters(screen: &mut dyn Browse, cx: &mut Cx) {
    let Some(list) = screen.list() else {
        return;
    };
    let items = list.choices(cx.shared).into_iter().map(|choice| Item {
        is_chosen: choice.is_chosen,
        ..Item::new(choice.words.clone(), |screen, cx| {
            filter(screen, cx, choice)
        })
    });
    let form = list.takes_more().then(|| Item {
        letter: Some('f'),
        ..Item::new("All filters…".to_owned(), open_filter_form)
    });
    let items: Vec<Item> = items.chain(form).collect();
    cx.raise(Menu::new("Show only".to_owned(), items));
}

/// Why the list cannot be filtered.
pub(super) fn no_filter(screen: &dyn Browse, shared: &Shared) -> Option<String> {
    match screen.list() {
        Some(list) if list.takes_more() || !list.choices(shared).is_empty() => None,
        _ => Some("this list can only be searched".to_owned()),
    }
}

/// Opens the form with the filter arguments.
fn open_filter_form(screen: &mut dyn Browse, cx: &mut Cx) {
    if let Some(list) = screen.list() {
        let prepared = Prepared::for_purpose("Show only", Narrowing);
        let is_asked = |name: &str| list.takes(name);
        let tool = &list.list.tool;
        if let Some(info) = info(tool, cx.shared) {
            let form = CallScreen::asking(tool.peer.clone(), info, is_asked, prepared, cx.now());
            let form = form.filled(list.narrowed());
            cx.open(form);
        }
    }
}

/// The purpose of a filter form: filters the list below it.
#[derive(Debug)]
struct Narrowing;

impl Purpose for Narrowing {
    fn carry_out(&self, cx: &mut Cx, arguments: Map<String, Value>) -> Option<RequestId> {
        cx.back();
        cx.then(move |state, out| {
            act(state, out, |screen, cx| {
                if let Some(list) = screen.list_mut() {
                    list.narrow_to(cx, arguments);
                }
            });
        });
        None
    }
}

/// Applies or removes a filter. If it needs a record, that is chosen first.
fn filter(screen: &mut dyn Browse, cx: &mut Cx, choice: Choice) {
    let Some(list) = screen.list_mut() else {
        return;
    };
    let Some(asked) = choice.asks_for() else {
        list.turn(cx, &choice);
        return screen.narrowed();
    };
    let question = format!("{}: which {}?", fields::title(&list.kind.many), asked.one);
    chooser::of_kind(asked, question, cx.shared, move |state, out, record| {
        act(state, out, |screen, cx| {
            if let Some(list) = screen.list_mut() {
                list.narrow(cx, &choice, record);
            }
            screen.narrowed();
        });
    })
    .open(cx);
}

/// Switches between a list and its cards.
pub(super) fn turn_board(screen: &mut dyn Browse, cx: &mut Cx) {
    let Some(list) = screen.list().filter(|_| !screen.is_twin()) else {
        return cx.back();
    };
    let list = list.again(cx.shared);
    if screen.is_board() {
        cx.open(ListScreen::twin(list));
    } else if let Some(board) = BoardScreen::twin(list, cx.shared) {
        cx.open(board);
    }
}

/// Why there are no cards.
pub(super) fn no_board(screen: &dyn Browse, shared: &Shared) -> Option<String> {
    match screen.list().and_then(|list| Board::of(list, shared)) {
        Some(_) => None,
        None => Some("these records have no state".to_owned()),
    }
}

/// Why there is no tree.
pub(super) fn no_tree(screen: &dyn Browse) -> Option<String> {
    match screen.about().or_else(|| screen.current()) {
        None => Some("nothing selected".to_owned()),
        Some((kind, _)) if kind.tabs().is_empty() && !kind.holds => {
            Some(format!("no list takes a {}", kind.one))
        }
        Some(_) => None,
    }
}

/// Unfolds or folds the selected node of the tree.
pub(super) fn unfold(screen: &mut dyn Browse, cx: &mut Cx, is_in: bool) {
    match (screen.tree_mut(), is_in) {
        (Some(tree), true) => tree.right(cx),
        (Some(tree), false) => tree.left(),
        (None, true) => screen.turn(cx, 1),
        (None, false) => screen.turn(cx, -1),
    }
}

/// Why the caller cannot use the tool on this record.
fn refusal(
    kind: &Kind,
    record: &Record,
    tool: Option<&Tool>,
    verb: &str,
    shared: &Shared,
) -> Option<String> {
    why_not(kind, tool, verb, shared).or_else(|| allowed::refusal(tool?, kind, record, shared))
}

/// Why the caller cannot use the tool: it does not exist, is not offered, or the app is read-only.
fn why_not(kind: &Kind, tool: Option<&Tool>, verb: &str, shared: &Shared) -> Option<String> {
    let Some(tool) = tool else {
        return Some(format!("{} cannot be {verb}", kind.many));
    };
    tool.not_offered(shared).or_else(|| {
        let is_hidden = shared.mode.is_read_only() && !tool.is_read_only;
        is_hidden.then(|| shared.mode.way_out(&shared.keymap))
    })
}
