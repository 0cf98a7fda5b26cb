//! The form of a tool that changes a record: shows the current values and sends the changes.

use frontdesk_client::CallError;
use frontdesk_form::{Form, Path, Segment, State};
use jiff::Timestamp;
use serde_json::{Map, Value};

use super::{CallScreen, schema_of};
use crate::app::cx::Cx;
use crate::app::effects::call::{CallOptions, Method, ToolCall};
use crate::app::owner::RequestId;
use crate::app::peer::{Peer, Reply};
use crate::app::shared::Shared;
use crate::call_form::source::is_update;
use crate::look::text::{clean, fit};
use crate::records::found::{Found, found};
use crate::tabular::cell;

/// The loaded record.
#[derive(Debug)]
pub(super) struct Loaded {
    /// The argument for its id.
    pub(super) argument: String,
    pub(super) found: Found,
    pub(super) at: Timestamp,
}

impl CallScreen {
    /// The argument for the id of the record that the tool changes, and the kind of that record.
    pub(super) fn subject(&self, shared: &Shared) -> Option<(String, String)> {
        if self.tool.read_only || !is_update(&self.tool.name) {
            return None;
        }
        let required = self.tool.input_schema.get("required")?.as_array()?;
        let [Value::String(only)] = required.as_slice() else {
            return None;
        };
        let kind = self.kind(shared, &Path::root().key(only.as_str()))?;
        Some((only.clone(), kind))
    }

    /// Why no record can be loaded.
    pub(super) fn no_record(&self, shared: &Shared) -> Option<String> {
        let Some((argument, kind)) = self.subject(shared) else {
            return Some("this tool does not change a single record".to_owned());
        };
        let kind = kind.replace('_', " ");
        if self.entered_id(&argument).is_none() {
            return Some(format!("enter the id of the {kind} first"));
        }
        if self.getting(shared).is_none() {
            return Some(format!("no tool reads one {kind}; choose it from the list"));
        }
        None
    }

    /// The entered id, if it is valid.
    fn entered_id(&self, argument: &str) -> Option<Value> {
        let path = Path::root().key(argument);
        let is_wrong = self.errors.iter().any(|error| error.path == path);
        let field = self
            .form
            .field(&path)
            .filter(|field| field.state() == State::Filled)?;
        field.value().filter(|_| !is_wrong)
    }

    /// The server was started again, and the tool is not what it was: its form keeps what was typed.
    pub(super) fn follow_tool(&mut self, cx: &Cx) {
        let tools = cx.shared.tools.get(&self.peer);
        let mut tools = tools.into_iter().flatten();
        let tool = tools.find(|tool| tool.name == self.tool.name && **tool != self.tool);
        let is_plain = self.prepared.is_none() && self.method == Method::Tool;
        let Some(tool) = tool.filter(|_| is_plain && !self.calling.is_loading()) else {
            return;
        };
        let typed = self.form.value();
        self.tool = tool.clone();
        self.form = Form::new(&schema_of(tool));
        self.initial = self.form.value();
        self.form.fill(&typed);
        self.errors = self.form.errors();
        self.settle_focus();
    }

    /// The call that gets the record with the entered id.
    fn getting(&self, shared: &Shared) -> Option<ToolCall> {
        let (argument, kind) = self.subject(shared)?;
        let id = self.entered_id(&argument)?;
        let (tool, argument) = self.getter(shared, &kind)?;
        Some(ToolCall {
            peer: self.peer.clone(),
            tool,
            arguments: Map::from_iter([(argument, id)]),
            options: CallOptions::default(),
            changes_nothing: true,
            by_hand: true,
        })
    }

    /// Whether enter loads the record: the focused field has its id, and it is not loaded.
    pub(super) fn wants_record(&self, shared: &Shared) -> bool {
        let subject = self.subject(shared);
        let is_here = subject.is_some_and(|(argument, _)| {
            matches!(self.focus.segments(), [Segment::Key(key)] if *key == argument)
        });
        is_here && self.record.is_none() && self.getting(shared).is_some()
    }

    /// Loads the record with the entered id. Other input is kept.
    pub(super) fn load_record(&mut self, cx: &mut Cx) {
        if let Some(call) = self.getting(cx.shared) {
            cx.abort(self.loading.request());
            self.complaint = None;
            self.loading.begin(cx.send(call));
        }
    }

    /// A record was chosen from a list: loads it, or uses the listed data if no tool gets it.
    pub(super) fn chosen(&mut self, cx: &mut Cx, path: &Path, found: &Found) {
        let is_subject = self.subject(cx.shared).is_some_and(
            |(argument, _)| matches!(path.segments(), [Segment::Key(key)] if *key == argument),
        );
        match is_subject {
            true if self.getting(cx.shared).is_some() => self.load_record(cx),
            true => self.change(cx.shared, found, cx.now()),
            false => {}
        }
    }

    /// Handles the loaded record, or the error.
    pub(super) fn record_came(
        &mut self,
        cx: &mut Cx,
        request: RequestId,
        result: Result<Reply, CallError>,
    ) {
        if !self.loading.waits_for(request) {
            return;
        }
        let reply = result.as_ref().ok().cloned();
        self.loading.finish(request, cx.now(), result.map(drop));
        let (Some(reply), Some((argument, kind))) = (reply, self.subject(cx.shared)) else {
            return;
        };
        let words = kind.replace('_', " ");
        match one(&reply.value, &kind) {
            None => self.complaint = Some(format!("no {words} that you can see has this id")),
            // The id was changed meanwhile.
            Some(found) if self.entered_id(&argument).as_ref() != Some(&found.id) => {}
            Some(found) => self.change(cx.shared, &found, cx.now()),
        }
    }

    /// The tool changed the record: its answer becomes the current state.
    pub(super) fn was_changed(&mut self, cx: &Cx, reply: &Reply) {
        let kind = self.subject(cx.shared).map(|(_, kind)| kind);
        if let (Some(loaded), Some(kind)) = (&self.record, kind)
            && let Some(found) = one(&reply.value, &kind)
            && found.id == loaded.found.id
        {
            self.form = Form::new(&schema_of(&self.tool));
            self.change(cx.shared, &found, cx.now());
        }
    }

    /// Shows the record. Input already made is kept.
    fn change(&mut self, shared: &Shared, found: &Found, at: Timestamp) {
        if let Some((argument, _)) = self.subject(shared) {
            self.show_record(argument, found, at);
        }
    }

    fn show_record(&mut self, argument: String, found: &Found, at: Timestamp) {
        let entered = self.form.value();
        let mut record = found.record.clone();
        record.insert(argument.clone(), found.id.clone());
        self.form = Form::update(&schema_of(&self.tool), &record);
        self.initial = self.form.value();
        self.form.fill(&entered);
        self.note(found);
        self.record = Some(Loaded {
            argument,
            found: Found {
                record,
                ..found.clone()
            },
            at,
        });
        self.edited(Ok(()));
    }

    /// If the id is changed, the form no longer refers to the record: changes are kept as input,
    /// and the loaded record is restored when its id is entered again.
    pub(super) fn keep_record(&mut self) {
        let entered = self.form.value();
        let is_of = |loaded: &Loaded| entered.get(&loaded.argument) == Some(&loaded.found.id);
        let Some(loaded) = self.record.take_if(|loaded| !is_of(loaded)) else {
            if self.record.is_none()
                && let Some(Loaded {
                    argument,
                    found,
                    at,
                }) = self.parked.take_if(|one| is_of(one))
            {
                self.show_record(argument, &found, at);
            }
            return;
        };
        self.parked = Some(loaded);
        self.form = Form::new(&schema_of(&self.tool));
        self.initial = self.form.value();
        self.form.fill(&entered);
    }

    /// The number of changed arguments, if a record is loaded.
    pub(super) fn changes(&self) -> Option<usize> {
        let loaded = self.record.as_ref()?;
        let value = self.form.value();
        let sent = value.as_object()?.keys();
        Some(sent.filter(|key| **key != loaded.argument).count())
    }

    /// The loaded values of the changed arguments, if the record is one of our hosts'.
    pub(super) fn replaced(&self) -> Map<String, Value> {
        let (Some(loaded), Peer::Host(_)) = (&self.record, &self.peer) else {
            return Map::new();
        };
        let value = self.form.value();
        let changed = value.as_object().into_iter().flatten();
        let changed = changed.filter(|(key, _)| **key != loaded.argument);
        let known = changed.filter_map(|(key, _)| loaded.found.record.get_key_value(key));
        known.map(|(key, was)| (key.clone(), was.clone())).collect()
    }

    /// The changes, one per line: old and new value.
    pub(super) fn differences(&self) -> Vec<String> {
        let Some(loaded) = &self.record else {
            return Vec::new();
        };
        let words = |value: Option<&Value>| {
            let value = value.unwrap_or(&Value::Null);
            let text = cell(value);
            let name = || self.references.names.get(&text).cloned();
            match text.is_empty() {
                true => "nothing".to_owned(),
                false => self.clock.words(value).or_else(name).unwrap_or(text),
            }
        };
        let value = self.form.value();
        let changed = value.as_object().into_iter().flatten();
        let changed = changed.filter(|(key, _)| **key != loaded.argument);
        let lines = changed.map(|(key, to)| {
            let label = self.form.field(&Path::root().key(key.as_str()));
            let label = label.map_or(key.as_str(), |field| field.label());
            let (from, to) = (words(loaded.found.record.get(key)), words(Some(to)));
            clean(&format!("{label}: {} → {}", fit(&from, 60), fit(&to, 60))).into_owned()
        });
        lines.collect()
    }

    /// The old value of a changed argument.
    pub(super) fn was(&self, path: &Path) -> Option<String> {
        let loaded = self.record.as_ref()?;
        let [Segment::Key(key)] = path.segments() else {
            return None;
        };
        if !self.form.is_changed(path) {
            return None;
        }
        let before = loaded.found.record.get(key).unwrap_or(&Value::Null);
        let words = self.clock.words(before).unwrap_or_else(|| cell(before));
        Some(match words.is_empty() {
            false => format!("was {words}"),
            true => "was empty".to_owned(),
        })
    }
}

/// The single record of an answer: the answer itself, or its field for the kind.
fn one(value: &Value, kind: &str) -> Option<Found> {
    let object = value.as_object()?;
    let mut inner = object.values().filter_map(Value::as_object);
    found(object, kind).or_else(|| inner.find_map(|record| found(record, kind)))
}
