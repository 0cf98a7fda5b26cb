//! Acting on the selected record: editing and deleting it, setting its state, and changing how it is
//! shown.

use serde_json::{Map, Value};

use super::marked::{Phrases, marked};
use super::menu::{Item, Menu};
use super::open::{act_on, form, info, open_record};
use super::{ListScreen, ShowsRecords, act, edit_record};
use crate::app::cx::Cx;
use crate::app::owner::RequestId;
use crate::app::shared::Shared;
use crate::call_form::{CallScreen, Prepared, Purpose};
use crate::fields;
use crate::fields::{Is, cell};
use crate::records::board::Board;
use crate::records::filter::Choice;
use crate::records::kind::{self, Kind, Tool};
use crate::records::listing::Listing;
use crate::records::record::Record;
use crate::records::view::View;
use crate::records::{allowed, chooser};

/// Opens the selected record.
pub(super) fn open_selected(screen: &mut dyn ShowsRecords, cx: &mut Cx) {
    if screen.list_mut().is_some_and(|list| list.end_search()) {
        return;
    }
    if let Some((kind, record)) = screen.current() {
        let at = screen.as_of().unwrap_or(cx.now());
        open_record(cx, kind, &record.clone(), at);
    }
}

/// Calls a tool that only needs the id of the current record. `done` follows the record's name in the message.
pub(crate) fn act_now(
    screen: &mut dyn ShowsRecords,
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
pub(super) fn shift(screen: &mut dyn ShowsRecords, cx: &mut Cx, by: isize) {
    let calls = screen.tree().map_or_else(Vec::new, |tree| tree.shift(by));
    let name = screen.current().map(|(kind, record)| record.label(kind));
    let done = format!("Moved “{}”", name.unwrap_or_default());
    if let Some(writes) = screen.writes() {
        writes.begin(cx, done, "Not moved", calls);
    }
}

/// Why the selected record cannot be moved.
pub(super) fn no_shift(screen: &dyn ShowsRecords, shared: &Shared) -> Option<String> {
    match (screen.tree(), screen.current()) {
        (None, _) => Some("records can only be moved in a tree".to_owned()),
        (_, Some((kind, _))) if kind.movable().is_none() => {
            Some(format!("{} have no order", kind.many))
        }
        _ => no_edit(screen, shared),
    }
}

/// Opens the menu of states for the selected record, or the preview of the other state if there are two.
pub(super) fn open_states(screen: &mut dyn ShowsRecords, cx: &mut Cx) {
    let Some((kind, record)) = screen.current() else {
        return;
    };
    if let Some((field, taker)) = kind.switch() {
        if let Some(marked) = marked(screen) {
            return marked.act(cx, taker);
        }
        let is_so = record.get(&field.name) == &Value::Bool(true);
        let given = Map::from_iter([
            (taker.argument.clone(), record.id().into()),
            (field.name.clone(), (!is_so).into()),
        ]);
        let prepared = Prepared::acting(&record.label(kind), given);
        if let Some(form) = form(cx, &taker.tool, prepared) {
            form.open_previewed(cx);
        }
        return;
    }
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
pub(super) fn assign(screen: &mut dyn ShowsRecords, cx: &mut Cx) {
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
pub(super) fn no_assign(screen: &dyn ShowsRecords, shared: &Shared) -> Option<String> {
    match screen.current() {
        Some((kind, _)) if assignee(kind, shared).is_none() => {
            Some(format!("{} have no assignee", kind.many))
        }
        _ => no_edit(screen, shared),
    }
}

/// Why the selected record's state cannot be set.
pub(super) fn no_states(screen: &dyn ShowsRecords, shared: &Shared) -> Option<String> {
    let can_be_set = |kind: &Kind| {
        let state = kind.state_field();
        state.is_some_and(|(field, _)| kind.changes(&field.name)) || kind.switch().is_some()
    };
    match screen.current() {
        Some((kind, _)) if !can_be_set(kind) => {
            Some(format!("the state of {} cannot be set", kind.many))
        }
        _ => no_edit(screen, shared),
    }
}

/// Opens the update form of the selected record.
pub(super) fn edit(screen: &mut dyn ShowsRecords, cx: &mut Cx) {
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
pub(super) fn no_edit(screen: &dyn ShowsRecords, shared: &Shared) -> Option<String> {
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
pub(super) fn edit_subject(screen: &mut dyn ShowsRecords, cx: &mut Cx) {
    if let Some((kind, record)) = screen.about() {
        edit_record(cx, kind, record);
    }
}

/// Why the screen's record cannot be changed.
pub(super) fn no_edit_subject(screen: &dyn ShowsRecords, shared: &Shared) -> Option<String> {
    let Some((kind, record)) = screen.about() else {
        return Some("this screen shows a list, not a record".to_owned());
    };
    let tool = kind.update.as_ref().map(|taker| &taker.tool);
    refusal(kind, record, tool, "changed", shared)
}

/// Opens the delete form of the selected record.
pub(super) fn delete(screen: &mut dyn ShowsRecords, cx: &mut Cx) {
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
pub(super) fn no_delete(screen: &dyn ShowsRecords, shared: &Shared) -> Option<String> {
    let Some((kind, record)) = screen.current() else {
        return Some("nothing selected".to_owned());
    };
    let tool = kind.delete.as_ref().map(|taker| &taker.tool);
    match marked(screen) {
        Some(_) => why_not(kind, tool, "deleted", shared),
        None => refusal(kind, record, tool, "deleted", shared),
    }
}

/// Opens the menu of filters.
pub(super) fn open_filters(screen: &mut dyn ShowsRecords, cx: &mut Cx) {
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
        ..Item::new(
            "All filters".to_owned(),
            |screen: &mut dyn ShowsRecords, cx: &mut Cx| {
                open_filter_form(screen, cx, None);
            },
        )
    });
    let items: Vec<Item> = items.chain(days(list, cx.shared)).chain(form).collect();
    cx.raise(Menu::new("Show only".to_owned(), items));
}

/// Why the list cannot be filtered.
pub(super) fn no_filter(screen: &dyn ShowsRecords, shared: &Shared) -> Option<String> {
    match screen.list() {
        Some(list) if list.takes_more() || !list.choices(shared).is_empty() => None,
        _ => Some("this list can only be searched".to_owned()),
    }
}

/// The items of filters by a day or a time: one opens the form with these only, each active one removes itself.
fn days(list: &Listing, shared: &Shared) -> Vec<Item> {
    let tool = info(&list.list.tool, shared);
    let fields = tool.as_ref();
    let fields = fields.and_then(|tool| tool.input_schema["properties"].as_object());
    let is_day = |schema: &Value| {
        let formats = [&schema["format"], &schema["anyOf"][0]["format"]];
        let mut formats = formats.iter().filter_map(|format| format.as_str());
        formats.any(|format| matches!(format, "date" | "date-time"))
    };
    let days = fields.into_iter().flatten();
    let days = days.filter(|(name, schema)| is_day(schema) && list.takes(name));
    let days: Vec<String> = days.map(|(name, _)| name.clone()).collect();
    let active = days.iter().filter_map(|name| {
        let words = list.narrowed_words(name, shared)?;
        let only = Some(vec![name.clone()]);
        let clear = move |screen: &mut dyn ShowsRecords, cx: &mut Cx| {
            if let Some(list) = screen.list_mut() {
                Narrowing { only }.narrow(list, cx, Map::new());
            }
            screen.narrowed();
        };
        Some(Item {
            is_chosen: true,
            ..Item::new(words, clear)
        })
    });
    let mut items: Vec<Item> = active.collect();
    if !days.is_empty() {
        let words: Vec<String> = days.iter().map(|name| fields::title(name)).collect();
        let words = format!("{}…", words.join(", "));
        items.push(Item::new(words, |screen, cx| {
            open_filter_form(screen, cx, Some(days));
        }));
    }
    items
}

/// Opens the form with the filter arguments, or with these only.
fn open_filter_form(screen: &mut dyn ShowsRecords, cx: &mut Cx, only: Option<Vec<String>>) {
    if let Some(list) = screen.list() {
        let is_meant = |name: &str| {
            only.as_ref()
                .is_none_or(|only| only.iter().any(|one| one == name))
        };
        let purpose = Narrowing { only: only.clone() };
        let prepared = Prepared::for_purpose("Show only", purpose);
        let is_asked = |name: &str| list.takes(name) && is_meant(name);
        let tool = &list.list.tool;
        if let Some(info) = info(tool, cx.shared) {
            let form = CallScreen::asking(tool.peer.clone(), info, is_asked, prepared, cx.now());
            let mut narrowed = list.narrowed().clone();
            narrowed.retain(|name, _| is_meant(name));
            let form = form.filled(&narrowed);
            cx.open(form);
        }
    }
}

/// The purpose of a filter form: filters the list below it.
#[derive(Debug, Clone)]
struct Narrowing {
    /// The arguments that the form asks for, if the other filters stay.
    only: Option<Vec<String>>,
}

impl Narrowing {
    fn narrow(&self, list: &mut Listing, cx: &mut Cx, arguments: Map<String, Value>) {
        let mut all = arguments;
        if let Some(only) = &self.only {
            let mut kept = list.narrowed().clone();
            kept.retain(|name, _| !only.contains(name));
            kept.extend(all);
            all = kept;
        }
        list.narrow_to(cx, all);
    }
}

impl Purpose for Narrowing {
    fn carry_out(&self, cx: &mut Cx, arguments: Map<String, Value>) -> Option<RequestId> {
        cx.back();
        let purpose = self.clone();
        cx.then(move |state, out| {
            act(state, out, |screen, cx| {
                if let Some(list) = screen.list_mut() {
                    purpose.narrow(list, cx, arguments);
                }
            });
        });
        None
    }
}

/// Applies or removes a filter. If it needs a record, that is chosen first.
fn filter(screen: &mut dyn ShowsRecords, cx: &mut Cx, choice: Choice) {
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
pub(super) fn turn_board(screen: &mut dyn ShowsRecords, cx: &mut Cx) {
    let Some(list) = screen.list().filter(|_| !screen.is_twin()) else {
        return cx.back();
    };
    let list = list.again(cx.shared);
    if let Some(twin) = ListScreen::twin(list, !screen.is_board(), cx.shared) {
        cx.open(twin);
    }
}

/// Why there are no cards.
pub(super) fn no_board(screen: &dyn ShowsRecords, shared: &Shared) -> Option<String> {
    match screen.list().and_then(|list| Board::of(list, shared)) {
        Some(_) => None,
        None => Some("these records have no state".to_owned()),
    }
}

/// Why there is no tree.
pub(super) fn no_tree(screen: &dyn ShowsRecords) -> Option<String> {
    match screen.about().or_else(|| screen.current()) {
        None => Some("nothing selected".to_owned()),
        Some((kind, _)) if kind.tabs().is_empty() && !kind.holds => {
            Some(format!("no list takes a {}", kind.one))
        }
        Some(_) => None,
    }
}

/// Unfolds or folds the selected node of the tree.
pub(super) fn unfold(screen: &mut dyn ShowsRecords, cx: &mut Cx, is_in: bool) {
    match (screen.tree_mut(), is_in) {
        (Some(tree), true) => tree.right(cx),
        (Some(tree), false) => tree.left(),
        (None, true) => screen.turn(cx, 1),
        (None, false) => screen.turn(cx, -1),
    }
}

/// Why the caller cannot use the tool on this record.
pub(crate) fn refusal(
    kind: &Kind,
    record: &Record,
    tool: Option<&Tool>,
    verb: &str,
    shared: &Shared,
) -> Option<String> {
    why_not(kind, tool, verb, shared).or_else(|| allowed::refusal(tool?, kind, record, shared))
}

/// Why the caller cannot use the tool: it does not exist, is not offered, or the app is read-only.
pub(super) fn why_not(
    kind: &Kind,
    tool: Option<&Tool>,
    verb: &str,
    shared: &Shared,
) -> Option<String> {
    let Some(tool) = tool else {
        return Some(format!("{} cannot be {verb}", kind.many));
    };
    tool.not_offered(shared).or_else(|| {
        let is_hidden = shared.mode.is_read_only() && !tool.is_read_only;
        is_hidden.then(|| shared.mode.way_out(&shared.settings.keymap))
    })
}
