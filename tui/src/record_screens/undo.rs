//! Undoing the last change: that of the last message, otherwise that of the selected record; and
//! the changes of a record.

use frontdesk_protocol::Host;
use frontdesk_protocol::id::RecordId;
use frontdesk_protocol::ops::change::{ChangeSummary, ListChanges};
use frontdesk_protocol::value::{Limit, Offset};
use ratatui::Frame;
use ratatui::layout::Rect;
use serde_json::Map;

use super::{ListScreen, open_record, shown};
use crate::app::cx::{Cx, Out};
use crate::app::effects::call::Answer;
use crate::app::input::command::{ANYWHERE, Context, LIST, commands};
use crate::app::owner::RequestId;
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::app::state::State;
use crate::app::toast::UNDO;
use crate::fields::Is;
use crate::look::mark::Mark;
use crate::look::time::moment;
use crate::preview::changes::undo;
use crate::records::kind::{self, Kind};
use crate::records::listing::Listing;
use crate::records::record::Record;
use crate::ui::frame::waiting;
use crate::ui::panel;
use crate::ui::problem::Problem;

static LOOKING: Context = Context::screen("Looking for a change to undo");

commands! {
    pub(crate) const COMMANDS;

    ANYWHERE: UNDO, ["U"], "Undo the last change of the message or of the record, after a preview",
        run undo_last, writes, opens, of_service, unless(no_undo);
    LIST: "record.changes", ["C"], "Show the changes of the selected record", run open_changes,
        of_service, unless(no_changes);
}

/// The list of changes of a record; `None` if the record has no id, or is a change.
pub(super) fn changes_of(kind: &'static Kind, record: &Record, shared: &Shared) -> Option<Listing> {
    let id: RecordId = record.id().parse().ok()?;
    let has_id = kind.fields.iter().any(|field| field.is == Is::Id);
    let changes = history(id, shared)?;
    (has_id && !std::ptr::eq(kind, changes.kind)).then_some(changes)
}

/// The list of changes of the record with this id.
fn history(id: RecordId, shared: &Shared) -> Option<Listing> {
    let changes = kind::find(Host::Ops, "change")?;
    let given = Map::from_iter([("record_id".to_owned(), id.to_string().into())]);
    Some(Listing::new(changes, changes.list(), given, shared))
}

/// The record under the selection, or that of the screen, if it can have changes.
fn changed(state: &State) -> Option<(RecordId, String)> {
    let Some(screen) = shown(state) else {
        let (id, name) = state.screen()?.subject()?;
        return Some((id.parse().ok()?, name));
    };
    let (kind, record) = screen.current()?;
    changes_of(kind, record, &state.shared)?;
    Some((record.id().parse().ok()?, record.label(kind)))
}

fn open_changes(state: &mut State, out: &mut Out) {
    let changes = changed(state).and_then(|(id, _)| history(id, &state.shared));
    if let Some(changes) = changes {
        state.cx(out).open(ListScreen::of(changes));
    }
}

fn no_changes(state: &State) -> Option<String> {
    if changed(state).is_some() {
        return None;
    }
    let current = shown(state).and_then(|screen| screen.current());
    Some(match current {
        Some((kind, _)) => format!("{} have no changes of their own", kind.many),
        None => "nothing selected".to_owned(),
    })
}

/// The change under the selection: its id and what it did.
fn selected(state: &State) -> Option<(String, String)> {
    let (kind, record) = shown(state)?.current()?;
    let is_change =
        kind::find(Host::Ops, "change").is_some_and(|change| std::ptr::eq(change, kind));
    is_change.then(|| (record.id().to_owned(), record.label(kind)))
}

fn no_undo(state: &State) -> Option<String> {
    let has_one =
        state.shared.undoable().is_some() || selected(state).is_some() || changed(state).is_some();
    (!has_one).then(|| "nothing to undo here".to_owned())
}

fn undo_last(state: &mut State, out: &mut Out) {
    if let Some(change) = state.shared.undoable().map(str::to_owned) {
        // The message that offered it.
        state.shared.toasts.dismiss();
        return undo(&mut state.cx(out), &change, None);
    }
    if let Some((change, words)) = selected(state) {
        return undo(&mut state.cx(out), &change, Some(words));
    }
    if let Some((record, name)) = changed(state) {
        state.cx(out).open(Looking {
            record,
            name,
            request: None,
        });
    }
}

/// What was changed, by whom and when: "changed 2 guests · Bia Melo, 14:03".
fn words(change: &ChangeSummary, shared: &Shared) -> String {
    let what = &change.summary;
    let by = change.account_name.as_deref().unwrap_or("unknown");
    let at = moment(change.created_at, shared.now, &shared.locale);
    format!("{what} · {by}, {at}")
}

/// Looks for the last change of a record, and previews its undo.
#[derive(Debug)]
struct Looking {
    record: RecordId,
    name: String,
    request: Option<RequestId>,
}

impl Looking {
    /// Leaves for the last change that is neither undone nor an undo: repeated undoing goes back
    /// step by step.
    fn found(&self, cx: &mut Cx, changes: &[ChangeSummary]) {
        cx.back();
        let last = changes
            .iter()
            .find(|change| change.undone_by.is_none() && change.undoes.is_none());
        let Some(change) = last else {
            let words = format!("No change of “{}” is left to undo", self.name);
            return cx.toast(Mark::Warn, words);
        };
        if change.can_undo {
            let (id, words) = (change.id.to_string(), words(change, cx.shared));
            return cx.then(move |state, out| undo(&mut state.cx(out), &id, Some(words)));
        }
        // Its screen gives the reason.
        let kind = kind::find(Host::Ops, "change");
        let record = serde_json::to_value(change);
        let record = record.ok().and_then(|record| Record::new(&record));
        if let (Some(kind), Some(record)) = (kind, record) {
            let words = format!("The last change of “{}” cannot be undone", self.name);
            cx.toast(Mark::Warn, words);
            cx.then(move |state, out| {
                let cx = &mut state.cx(out);
                let at = cx.now();
                open_record(cx, kind, &record, at);
            });
        }
    }
}

impl Screen for Looking {
    fn context(&self) -> &'static Context {
        &LOOKING
    }

    fn crumb(&self) -> String {
        "Undo".to_owned()
    }

    fn shown(&mut self, cx: &mut Cx) {
        let asked = ListChanges {
            kind: None,
            record_id: Some(self.record),
            tool: None,
            account_id: None,
            from: None,
            to: None,
            limit: Limit::default(),
            offset: Offset::default(),
        };
        self.request = Some(cx.call(asked));
    }

    fn tool_answered(&mut self, cx: &mut Cx, request: RequestId, answer: Answer) {
        if self.request != Some(request) {
            return;
        }
        self.request = None;
        match answer.of::<ListChanges>() {
            Some(Ok(changes)) => self.found(cx, &changes.items),
            Some(Err(error)) => {
                cx.back();
                let (mark, words) = Problem::message(&error, "Not undone");
                cx.toast(mark, words);
            }
            None => cx.back(),
        }
    }

    fn is_busy(&self) -> bool {
        self.request.is_some()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        panel::note(frame, area, waiting(shared, "looking for the last change"));
    }
}
