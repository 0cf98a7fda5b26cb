//! Forms opened for a record, with known arguments filled in and locked.

use std::borrow::Cow;
use std::fmt;

use frontdesk_client::question::Decision;
use frontdesk_client::{CallError, ToolInfo};
use frontdesk_form::{Form, Path, Segment};
use frontdesk_protocol::{Declaration, ToolError};
use jiff::Timestamp;
use ratatui::text::Line;
use serde_json::{Map, Value};

use super::updating::Loaded;
use super::{CallScreen, TOOL, schema_of};
use crate::app::cx::Cx;
use crate::app::input::command::Context;
use crate::app::owner::RequestId;
use crate::app::peer::{Peer, Reply};
use crate::app::question::Asked;
use crate::app::shared::Shared;
use crate::look::text::clean;
use crate::records::found::found;
use crate::ui::confirm::Confirm;

/// The purpose of a form that does not simply call its tool.
pub(crate) trait Purpose: fmt::Debug {
    /// Validates the input. Returns a question for the user, if any: title and body.
    ///
    /// # Errors
    /// The errors, each for its field.
    fn check(
        &self,
        filled: &Map<String, Value>,
    ) -> Result<Option<(String, String)>, Vec<ToolError>> {
        let _ = filled;
        Ok(None)
    }

    /// The question of a server that it answers.
    fn asked(&self) -> Option<&Asked> {
        None
    }

    /// The lines above the fields.
    fn head(&self, shared: &Shared) -> Vec<Line<'static>> {
        let _ = shared;
        Vec::new()
    }

    /// The context of its keys.
    fn context(&self) -> &'static Context {
        &TOOL
    }

    /// Whether the form is short and for people in a hurry: Enter on the last field carries it out.
    fn is_quick(&self) -> bool {
        false
    }

    /// Carries out the purpose. Returns the pending request, or closes the form.
    fn carry_out(&self, cx: &mut Cx, filled: Map<String, Value>) -> Option<RequestId>;

    /// The result of the pending request; `None` while it runs.
    fn ended(&self, cx: &mut Cx, request: RequestId) -> Option<Result<(), CallError>> {
        let _ = (cx, request);
        None
    }
}

/// The context in which a form is opened.
#[derive(Debug)]
pub(crate) struct Prepared {
    /// The title of the form.
    pub(super) title: String,
    /// The message after success.
    done: String,
    /// Locked arguments.
    pub(super) given: Map<String, Value>,
    /// The record being changed.
    record: Option<Map<String, Value>>,
    /// The name of the record that the tool acts on.
    name: Option<String>,
    purpose: Option<Box<dyn Purpose>>,
    rewriting: Option<Rewriting>,
}

/// A form whose fields are not the arguments of its tool.
#[derive(Debug, Clone, Copy)]
struct Rewriting {
    /// The arguments for the filled-in fields.
    arguments: fn(Map<String, Value>) -> Map<String, Value>,
    /// Shows the result.
    then: fn(&mut Cx, &Reply),
}

impl Prepared {
    /// A form that adds a record with these given values.
    pub(crate) fn adding(one: &str, given: Map<String, Value>) -> Self {
        Prepared {
            title: format!("Add {one}"),
            done: format!("Added {one}"),
            given,
            record: None,
            name: None,
            purpose: None,
            rewriting: None,
        }
    }

    /// A form that changes this record; `argument` is its id.
    pub(crate) fn changing(name: &str, argument: &str, record: &Map<String, Value>) -> Self {
        let id = record.get("id").cloned().unwrap_or_default();
        Prepared {
            title: format!("Edit {name}"),
            done: format!("Saved {name}"),
            given: Map::from_iter([(argument.to_owned(), id)]),
            record: Some(record.clone()),
            name: Some(name.to_owned()),
            purpose: None,
            rewriting: None,
        }
    }

    /// A form for another action on the record with this name.
    pub(crate) fn acting(name: &str, given: Map<String, Value>) -> Self {
        Prepared {
            title: name.to_owned(),
            done: String::new(),
            given,
            record: None,
            name: Some(name.to_owned()),
            purpose: None,
            rewriting: None,
        }
    }

    /// A form with a purpose other than calling its tool.
    pub(crate) fn for_purpose(title: &str, purpose: impl Purpose + 'static) -> Self {
        Prepared {
            title: title.to_owned(),
            done: String::new(),
            given: Map::new(),
            record: None,
            name: None,
            purpose: Some(Box::new(purpose)),
            rewriting: None,
        }
    }

    /// A form whose fields are not the arguments of its tool: `arguments` converts them, and `then`
    /// shows the result.
    pub(crate) fn rewriting(
        title: &str,
        given: Map<String, Value>,
        arguments: fn(Map<String, Value>) -> Map<String, Value>,
        then: fn(&mut Cx, &Reply),
    ) -> Self {
        Prepared {
            rewriting: Some(Rewriting { arguments, then }),
            ..Prepared::acting(title, given)
        }
    }

    /// The name of the existing record that the tool acts on.
    pub(super) fn record_name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

/// The tool in the format of a host's list.
pub(crate) fn declared(tool: &Declaration) -> ToolInfo {
    let object = |schema: Value| schema.as_object().cloned();
    ToolInfo {
        name: tool.name.to_owned(),
        title: Some(tool.title()),
        description: Some(tool.description().to_owned()),
        input_schema: object(tool.input_schema()).unwrap_or_default(),
        output_schema: object(tool.output_schema()),
        read_only: tool.effect.read_only,
        destructive: tool.effect.destructive,
        idempotent: tool.effect.idempotent,
        previews: !tool.effect.read_only,
    }
}

impl CallScreen {
    /// A form with only some arguments of a tool, and nothing locked.
    pub(crate) fn asking(
        peer: Peer,
        mut info: ToolInfo,
        is_asked: impl Fn(&str) -> bool,
        prepared: Prepared,
        at: Timestamp,
    ) -> Self {
        if let Some(Value::Object(asked)) = info.input_schema.get_mut("properties") {
            asked.retain(|name, _| is_asked(name));
        }
        if let Some(Value::Array(required)) = info.input_schema.get_mut("required") {
            required.retain(|name| name.as_str().is_some_and(&is_asked));
        }
        CallScreen::prepared(peer, info, prepared, at)
    }

    /// The form of this tool for a record.
    pub(crate) fn prepared(peer: Peer, tool: ToolInfo, prepared: Prepared, at: Timestamp) -> Self {
        let mut screen = CallScreen::new(peer, tool);
        let known = prepared.record.as_ref().zip(prepared.given.iter().next());
        if let Some((record, (argument, id))) = known {
            let mut record = record.clone();
            record.insert(argument.clone(), id.clone());
            screen.form = Form::update(&schema_of(&screen.tool), &record);
            screen.record = found(&record, "").map(|found| Loaded {
                argument: argument.clone(),
                found,
                at,
            });
        }
        screen.set_all(&prepared.given);
        screen.initial = screen.form.value();
        screen.errors = screen.form.errors();
        screen.prepared = Some(prepared);
        screen.focus = Path::root();
        screen.settle_focus();
        screen
    }

    /// Fills in these arguments as well.
    pub(crate) fn filled(mut self, arguments: &Map<String, Value>) -> Self {
        self.set_all(arguments);
        self.initial = self.form.value();
        self.errors = self.form.errors();
        self.settle_focus();
        self
    }

    fn set_all(&mut self, arguments: &Map<String, Value>) {
        for (argument, value) in arguments {
            // A list can have filters for which the tool has no argument.
            let _ = self.form.set(&Path::root().key(argument), value);
        }
    }

    pub(super) fn purpose(&self) -> Option<&dyn Purpose> {
        self.prepared.as_ref()?.purpose.as_deref()
    }

    /// The question of a server that it answers.
    pub(crate) fn asked(&self) -> Option<&Asked> {
        self.purpose()?.asked()
    }

    /// Answers the question, and closes the form.
    pub(crate) fn decide(&mut self, cx: &mut Cx, decision: Decision) {
        if let Some(asked) = self.asked() {
            cx.decide(asked, decision);
        }
    }

    fn rewriting(&self) -> Option<Rewriting> {
        self.prepared.as_ref()?.rewriting
    }

    /// Whether its fields stand for other arguments of its tool; their descriptions are shown in full.
    pub(super) fn is_rewriting(&self) -> bool {
        self.rewriting().is_some()
    }

    /// The arguments for these fields.
    pub(super) fn rewritten(&self, filled: Map<String, Value>) -> Map<String, Value> {
        match self.rewriting() {
            Some(rewriting) => (rewriting.arguments)(filled),
            None => filled,
        }
    }

    /// Whether the form is for people in a hurry.
    pub(super) fn is_quick(&self) -> bool {
        self.purpose().is_some_and(Purpose::is_quick)
    }

    /// The title, if the form has its own purpose.
    pub(super) fn own_purpose(&self) -> Option<Cow<'_, str>> {
        self.purpose()?;
        self.prepared.as_ref().map(|one| clean(&one.title))
    }

    /// Carries out the form's own purpose, if it has one, after a question if needed. Returns
    /// whether it has one.
    pub(super) fn serve_purpose(&mut self, cx: &mut Cx) -> bool {
        let Some(purpose) = self.purpose() else {
            return false;
        };
        match purpose.check(&self.arguments()) {
            Ok(None) => self.carry_out(cx),
            Ok(Some((title, body))) => cx.raise(Confirm {
                title,
                body,
                then: |state, out| state.act(out, CallScreen::carry_out),
            }),
            Err(wrong) => self.refused(&wrong),
        }
        true
    }

    fn carry_out(&mut self, cx: &mut Cx) {
        let Some(purpose) = self.purpose() else {
            return;
        };
        if let Some(request) = purpose.carry_out(cx, self.arguments()) {
            self.calling.begin(request);
        }
    }

    /// Checks for the result of the purpose.
    pub(super) fn look_after(&mut self, cx: &mut Cx) {
        let waiting = self.purpose().zip(self.calling.request());
        let Some((request, result)) =
            waiting.and_then(|(purpose, request)| Some((request, purpose.ended(cx, request)?)))
        else {
            return;
        };
        if let Err(CallError::Tool(refusal)) = &result
            && refusal.field.is_some()
        {
            return self.refused(std::slice::from_ref(refusal));
        }
        let is_done = result.is_ok();
        self.calling.finish(request, cx.now(), result);
        if is_done {
            cx.back();
        }
    }

    /// Whether the field is locked.
    pub(super) fn is_locked(&self, path: &Path) -> bool {
        let prepared = self.prepared.as_ref();
        match path.segments().first() {
            Some(Segment::Key(key)) => prepared.is_some_and(|one| one.given.contains_key(key)),
            Some(Segment::Index(_)) => false,
            // The form as a whole contains locked arguments.
            None => prepared.is_some(),
        }
    }

    /// After success: returns to the record, if the form was opened for one. Returns whether it
    /// was.
    pub(super) fn is_done(&mut self, cx: &mut Cx, reply: &Reply) -> bool {
        if let Some(rewriting) = self.rewriting() {
            cx.back();
            (rewriting.then)(cx, reply);
            return true;
        }
        let is_so = self.tell_done(cx, reply);
        if is_so {
            cx.back();
        }
        is_so
    }

    /// After success: tells what was done, if the form was opened for a record.
    pub(super) fn tell_done(&self, cx: &mut Cx, reply: &Reply) -> bool {
        let Some(prepared) = &self.prepared else {
            return false;
        };
        if self.tool.read_only {
            return false;
        }
        let words = match prepared.done.is_empty() {
            true => {
                let title = self.tool.title.as_ref().unwrap_or(&self.tool.name);
                match title.strip_prefix("Delete ") {
                    Some(one) => format!("Deleted {one}"),
                    None => format!("Done: {title}"),
                }
            }
            false => prepared.done.clone(),
        };
        let mut results = reply.value.as_object().into_iter().flat_map(Map::values);
        let name = results
            .find_map(|one| found(one.as_object()?, ""))
            .map(|found| found.name)
            .or_else(|| prepared.name.clone());
        let words = match (name, prepared.record.is_some()) {
            (Some(name), false) => format!("{words} “{name}”"),
            _ => words,
        };
        cx.toast_done(&clean(&words), reply);
        true
    }
}
