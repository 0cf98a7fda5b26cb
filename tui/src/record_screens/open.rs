//! Opening lists, records and forms.

use frontdesk_client::ToolInfo;
use jiff::Timestamp;
use serde_json::{Map, Value};

use super::{ListScreen, RecordScreen, ShowsRecords, about};
use crate::app::cx::{Cx, Out};
use crate::app::shared::Shared;
use crate::app::state::State;
use crate::call_form::{CallScreen, Prepared, declared};
use crate::fields;
use crate::records::kind::{self, Kind, Taker, Tool};
use crate::records::record::Record;
use crate::records::view::View;
use crate::records::{chooser, facts, recent};

/// Opens the list of a kind in place of what is only read. If it requires another record, that one is chosen first.
pub(crate) fn open(cx: &mut Cx, kind: &'static Kind) {
    let list = kind.list();
    let owner = list.owner();
    let owner = owner.and_then(|id| Some((&id.name, kind::find(&kind.peer, &id.kind)?)));
    let Some((argument, owner)) = owner else {
        let screen = ListScreen::new(kind, list, Map::new(), cx.shared);
        return cx.replace(screen);
    };
    let question = format!("{}: which {}?", fields::title(&kind.many), owner.one);
    chooser::of_kind(owner, question, cx.shared, move |state, out, record| {
        let name = record.label(owner);
        state.shared.names.note(record.id(), &name);
        let given = Map::from_iter([(argument.clone(), record.id().into())]);
        let screen = ListScreen::new(kind, list, given, &state.shared);
        state.cx(out).replace(screen);
    })
    .open(cx);
}

/// Opens the list of a kind, searched for this text.
pub(crate) fn open_searched(cx: &mut Cx, kind: &'static Kind, text: &str) {
    let mut screen = ListScreen::new(kind, kind.list(), Map::new(), cx.shared);
    if let Some(list) = screen.list_mut() {
        list.search_for(text);
    }
    cx.replace(screen);
}

/// Opens a record with the data of this time, on its own screen if the view has one.
pub(crate) fn open_record(cx: &mut Cx, kind: &'static Kind, record: &Record, at: Timestamp) {
    let view = View::of(kind, cx.shared);
    // Some only lead to a record of another kind.
    if view.open.is_none() || kind.get.is_some() {
        recent::note(cx.shared, kind, record);
    }
    match view.open {
        Some(open) => open(cx, record, at),
        None => {
            let screen = RecordScreen::new(kind, record.clone(), at, cx.shared);
            cx.open(screen);
        }
    }
}

/// Opens a record in place of the one on screen, unless something goes on there.
pub(crate) fn open_instead(state: &mut State, out: &mut Out, kind: &'static Kind, record: &Record) {
    let gives_way = state.screen().is_some_and(|screen| screen.gives_way());
    let is_record = about(state).is_some();
    let now = state.shared.now;
    let mut cx = state.cx(out);
    if is_record && gives_way {
        cx.back();
    }
    open_record(&mut cx, kind, record, now);
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
    if let Some(form) = form(cx, &taker.tool, prepared) {
        cx.open(form);
    }
}

/// Opens the form of this tool with the id of the record.
pub(crate) fn act_by(cx: &mut Cx, kind: &'static Kind, record: &Record, tool: &str) {
    if let Some(taker) = kind.actions.iter().find(|taker| taker.tool.name == tool) {
        act_on(cx, kind, record, taker);
    }
}

/// Opens the form of a tool with the id of the record.
pub(super) fn act_on(cx: &mut Cx, kind: &'static Kind, record: &Record, taker: &Taker) {
    let given = Map::from_iter([(taker.argument.clone(), record.id().into())]);
    let prepared = Prepared::acting(&record.label(kind), given);
    if let Some(form) = form(cx, &taker.tool, prepared) {
        form.open(cx);
    }
}

/// Opens the form that adds a record with these given values.
pub(crate) fn add(cx: &mut Cx, kind: &'static Kind, given: Map<String, Value>) {
    let prepared = Prepared::adding(&kind.one, given);
    let create = kind.create.as_ref();
    if let Some(form) = create.and_then(|tool| form(cx, tool, prepared)) {
        cx.open(form);
    }
}

/// The form of a tool, as its peer offers it.
pub(super) fn form(cx: &Cx, tool: &Tool, prepared: Prepared) -> Option<CallScreen> {
    let info = info(tool, cx.shared)?;
    let form = CallScreen::prepared(tool.peer.clone(), info, prepared, cx.now());
    Some(form)
}

/// The tool as offered, otherwise as declared.
pub(super) fn info(tool: &Tool, shared: &Shared) -> Option<ToolInfo> {
    let mut offered = shared.tools.get(&tool.peer).into_iter().flatten();
    let offered = offered.find(|info| info.name == tool.name).cloned();
    offered.or_else(|| tool.peer.declared(&tool.name).map(declared))
}
