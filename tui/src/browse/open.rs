//! Opening lists, records and forms.

use frontdesk_protocol::Declaration;
use jiff::Timestamp;
use serde_json::{Map, Value};

use super::{ListScreen, RecordScreen};
use crate::app::cx::Cx;
use crate::app::peer::Peer;
use crate::fields;
use crate::filling::{CallScreen, Prepared, declared};
use crate::records::kind::{self, Kind, Taker};
use crate::records::record::Record;
use crate::records::view::View;
use crate::records::{chooser, facts};

/// Opens the list of a kind. If it requires another record, that one is chosen first.
pub(crate) fn open(cx: &mut Cx, kind: &'static Kind) {
    let list = kind.list();
    let owner = list.owner();
    let owner = owner.and_then(|id| Some((&id.name, kind::find(kind.host, &id.kind)?)));
    let Some((argument, owner)) = owner else {
        let screen = ListScreen::new(kind, list, Map::new(), cx.shared);
        return cx.open(screen);
    };
    let question = format!("{}: which {}?", fields::title(&kind.many), owner.one);
    chooser::of_kind(owner, question, cx.shared, move |state, out, record| {
        let given = Map::from_iter([(argument.clone(), record.id().into())]);
        let screen = ListScreen::new(kind, list, given, &state.shared);
        state.cx(out).open(screen);
    })
    .open(cx);
}

/// Opens a record with the data of this time, on its own screen if the view has one.
pub(crate) fn open_record(cx: &mut Cx, kind: &'static Kind, record: &Record, at: Timestamp) {
    match View::of(kind, cx.shared).open {
        Some(open) => open(cx, record, at),
        None => {
            let screen = RecordScreen::new(kind, record.clone(), at, cx.shared);
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
    let form = form(cx, taker.tool, prepared);
    cx.open(form);
}

/// Opens the form of a tool with the id of the record.
pub(super) fn act_on(cx: &mut Cx, kind: &'static Kind, record: &Record, taker: &Taker) {
    let given = Map::from_iter([(taker.argument.clone(), record.id().into())]);
    let form = form(cx, taker.tool, Prepared::acting(&record.label(kind), given));
    form.open(cx);
}

/// Opens the form that adds a record with these given values.
pub(crate) fn add(cx: &mut Cx, kind: &'static Kind, given: Map<String, Value>) {
    if let Some(tool) = kind.create {
        let form = form(cx, tool, Prepared::adding(&kind.one, given));
        cx.open(form);
    }
}

/// The form of a tool, as its host offers it.
pub(super) fn form(cx: &Cx, tool: &'static Declaration, prepared: Prepared) -> CallScreen {
    let peer = Peer::Host(tool.host);
    let offered = cx.shared.tools.get(&peer).into_iter().flatten();
    let offered = offered
        .into_iter()
        .find(|info| info.name == tool.name)
        .cloned();
    let info = offered.unwrap_or_else(|| declared(tool));
    CallScreen::prepared(peer, info, prepared, cx.now())
}
