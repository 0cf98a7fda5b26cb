//! Calling the tool: validates the form, makes a dry run if possible, and asks before destructive
//! calls.

use frontdesk_client::CallError;
use frontdesk_protocol::{Declaration, ToolError};
use serde_json::{Map, Value};

use super::CallScreen;
use crate::answer::AnswerScreen;
use crate::answer::command_line::command_line;
use crate::answer::danger::before_removing;
use crate::app::cx::Cx;
use crate::app::effects::call::{CallOptions, Method, ToolCall};
use crate::app::effects::effect::Effect;
use crate::app::owner::RequestId;
use crate::app::peer::{Peer, Reply};
use crate::app::remote::Remote;
use crate::app::shared::Shared;
use crate::call_form::signature::{difference, has_dry_run};
use crate::look::mark::Mark;
use crate::look::text::{clean, fit, sentence};
use crate::preview::DRY_RUN;
use crate::preview::changes::{PreviewScreen, Subject};
use crate::ui::confirm::Confirm;

/// Lines of a change in the question before a call.
const MOST_LINES: usize = 12;

impl CallScreen {
    /// The call with the entered arguments; a dry run if the tool supports it.
    pub(super) fn call(&self) -> ToolCall {
        let mut arguments = self.arguments();
        let is_dry_run = has_dry_run(&self.tool);
        if is_dry_run {
            arguments.insert(DRY_RUN.to_owned(), Value::Bool(true));
        }
        ToolCall {
            peer: self.peer.clone(),
            tool: self.tool.name.clone(),
            arguments,
            options: CallOptions {
                method: self.method.clone(),
                was: Some(Box::new(self.replaced())).filter(|was| !was.is_empty()),
                ..CallOptions::default()
            },
            changes_nothing: is_dry_run || self.tool.read_only,
            by_hand: self.method == Method::Tool,
        }
    }

    /// The entered arguments.
    pub(super) fn arguments(&self) -> Map<String, Value> {
        match self.form.value() {
            Value::Object(filled) => self.rewritten(filled),
            _ => Map::new(),
        }
    }

    /// Why the tool cannot be called. A dry run is not a write.
    pub(super) fn no_call(&self, shared: &Shared) -> Option<String> {
        let may_write = !shared.mode.is_read_only();
        let is_fine = may_write || self.tool.read_only || has_dry_run(&self.tool);
        (!is_fine).then(|| shared.mode.way_out(&shared.settings.keymap))
    }

    /// Calls the tool if the form is valid.
    pub(crate) fn go(&mut self, cx: &mut Cx) {
        if self.calling.is_loading() {
            return;
        }
        if let Some(reason) = self.no_call(cx.shared) {
            cx.toast(Mark::Warn, reason);
            return;
        }
        if !self.is_valid() || self.serve_purpose(cx) || self.has_nothing_to_send() {
            return;
        }
        if self.asks_about_missing(cx) {
            return;
        }
        if self.asks_about_change(cx) {
            return;
        }
        let differences = self.differences();
        if !differences.is_empty() {
            cx.raise(Confirm {
                title: "Send these changes?".to_owned(),
                body: differences.join("\n"),
                // The user has seen each change: a tool that replaces a text asks no second time.
                then: |state, out| {
                    state.act::<CallScreen>(out, |screen, cx| {
                        let call = screen.call();
                        screen.send(cx, call);
                    });
                },
            });
            return;
        }
        self.go_on(cx);
    }

    /// Asks before the first call of a tool that is not what it was. Returns whether it does.
    fn asks_about_change(&self, cx: &mut Cx) -> bool {
        let change = cx.shared.changed.of_tool(&self.peer, &self.tool.name);
        let Some(change) = change.filter(|_| self.method == Method::Tool) else {
            return false;
        };
        let lines = difference(change).into_iter().take(MOST_LINES);
        let lines: Vec<_> = lines.map(|line| fit(&line, 54)).collect();
        cx.raise(Confirm {
            title: format!("Call {}, which has changed?", clean(&self.tool.name)),
            body: lines.join("\n"),
            then: |state, out| {
                state.act(out, |form: &mut CallScreen, cx| {
                    if let Peer::Server(server) = &form.peer {
                        cx.accept(server, Some(&form.tool.name));
                    }
                    form.go(cx);
                });
            },
        });
        true
    }

    /// Validates the form, and shows its first error.
    fn is_valid(&mut self) -> bool {
        self.is_tried = true;
        self.complaint = None;
        self.form.forget_refusals();
        self.errors = self.form.errors();
        if !self.errors.is_empty() {
            self.show_first_error();
        }
        self.errors.is_empty()
    }

    /// Whether the form changes a record, but none of its fields.
    fn has_nothing_to_send(&mut self) -> bool {
        let is_so = self.changes() == Some(0);
        if is_so {
            self.complaint = Some("nothing to send: no field is changed".to_owned());
        }
        is_so
    }

    /// Shows what the call would change; a tool with a dry run makes it.
    pub(super) fn preview(&mut self, cx: &mut Cx) {
        if has_dry_run(&self.tool) {
            return self.go(cx);
        }
        if !self.calling.is_loading() && self.is_valid() && !self.has_nothing_to_send() {
            self.open_preview(cx);
        }
    }

    /// Why the call cannot be previewed.
    pub(super) fn no_preview(&self) -> Option<String> {
        if self.own_purpose().is_some() {
            return Some("this form calls no tool".to_owned());
        }
        if self.tool.read_only {
            return Some(format!("{} only reads", clean(&self.tool.name)));
        }
        let is_fine = self.tool.previews || has_dry_run(&self.tool);
        (!is_fine).then(|| format!("{} offers no previews", clean(self.peer.name())))
    }

    fn open_preview(&mut self, cx: &mut Cx) {
        let preview = PreviewScreen::new(self.about(), self.call(), cx, |state, out, result| {
            state.act(out, |form: &mut CallScreen, cx| match result {
                Ok(reply) => form.was_called(cx, form.call(), reply),
                Err(refusal) => form.was_refused(refusal),
            });
        });
        cx.open(preview);
    }

    /// The call in words.
    fn about(&self) -> Subject {
        let record = self.prepared.as_ref().and_then(|one| one.record_name());
        Subject {
            title: self
                .tool
                .title
                .clone()
                .unwrap_or_else(|| self.tool.name.clone()),
            name: record.map(str::to_owned),
            is_destructive: self.tool.destructive,
            stays: false,
        }
    }

    /// Whether there is nothing to fill in and nothing is changed.
    fn is_bare(&self) -> bool {
        self.tool.read_only && self.form.rows().is_empty()
    }

    /// The same form; if there is nothing to fill in, the tool is called at once.
    pub(crate) fn called_if_bare(mut self) -> Self {
        if self.is_bare() {
            self.call_once_shown();
        }
        self
    }

    /// Opens the form. If its tool deletes a record and nothing is left to fill in, the preview is
    /// opened instead.
    pub(crate) fn open(self, cx: &mut Cx) {
        let is_complete = self.form.rows().iter().all(|row| self.is_locked(&row.path));
        let is_deletion = self.tool.destructive && self.tool.previews && self.prepared.is_some();
        if !is_complete || !is_deletion || has_dry_run(&self.tool) {
            return cx.open(self);
        }
        self.open_previewed(cx);
    }

    /// Opens the preview of a call to which nothing is left to fill in, or the form if the tool has no preview.
    pub(crate) fn open_previewed(self, cx: &mut Cx) {
        if !self.tool.previews {
            return cx.open(self);
        }
        let preview =
            PreviewScreen::new(self.about(), self.call(), cx, move |state, out, result| {
                let cx = &mut state.cx(out);
                match result {
                    Ok(reply) => drop(self.tell_done(cx, &reply)),
                    Err(refusal) => {
                        let hint = refusal.hint.as_deref().map(sentence);
                        let words = [Some(sentence(&refusal.message)), hint];
                        let words: Vec<String> = words.into_iter().flatten().collect();
                        cx.toast(Mark::Warn, clean(&words.join(". ")).into_owned());
                    }
                }
            });
        cx.open(preview);
    }

    /// Calls the tool after the user has confirmed the changes of a record.
    fn go_on(&mut self, cx: &mut Cx) {
        let call = self.call();
        if call.changes_nothing || !self.tool.destructive {
            self.send(cx, call);
            return;
        }
        if self.tool.previews {
            return self.open_preview(cx);
        }
        let arguments = Value::Object(call.arguments.clone()).to_string();
        let called = format!("Arguments: {}", fit(&clean(&arguments), 300));
        let record = self.prepared.as_ref().and_then(|one| one.record_name());
        before_removing(cx, &call, record, "Call", &called, |state, out| {
            state.act(out, CallScreen::confirmed);
        });
        self.confirming = Some(call);
    }

    /// The user confirmed.
    fn confirmed(&mut self, cx: &mut Cx) {
        if let Some(call) = self.confirming.take() {
            self.send(cx, call);
        }
    }

    fn send(&mut self, cx: &mut Cx, call: ToolCall) {
        let request = cx.write(call.clone());
        self.calling.begin(request);
        self.progress = None;
        self.stops = false;
        self.sent = Some(call);
    }

    /// Whether the pending call can be cancelled.
    pub(super) fn can_be_given_up(&self) -> bool {
        self.calling.is_loading() && !self.stops
    }

    /// Whether the pending call has become a task, which goes on if nobody waits for it.
    pub(super) fn is_task(&self) -> bool {
        let is_task = self.progress.as_ref().is_some_and(|it| it.is_task);
        is_task || matches!(self.method, Method::TaskResult(_))
    }

    /// Stops waiting for a task. Cancels any other pending call: a read is dropped; a host says what became of a write; a
    /// third-party server is asked to stop any call.
    /// Returns whether there was one.
    pub(super) fn give_up(&mut self, cx: &mut Cx) -> bool {
        let sent = self.sent.as_ref();
        let is_safe = sent.is_some_and(|call| call.changes_nothing);
        let is_told = sent.is_some_and(|call| call.writes_at().is_some());
        let request = self.calling.request();
        let Some(request) = request.filter(|_| self.can_be_given_up()) else {
            return false;
        };
        if self.is_task() {
            cx.leave_task(request);
            self.calling = Remote::Idle;
            let peer = self.peer.title().into_owned();
            let words = format!("The task goes on: see Tasks on the page of {peer}");
            cx.toast(Mark::Info, words);
            return true;
        }
        if is_told {
            self.stops = true;
            cx.stop(request);
            return true;
        }
        cx.abort(Some(request));
        match is_safe {
            true => {
                self.calling = Remote::Idle;
                cx.toast(Mark::Info, "Cancelled");
            }
            false => {
                let error = CallError::no_answer("the call was cancelled");
                self.calling.finish(request, cx.now(), Err(error));
            }
        }
        true
    }

    /// Handles the answer of the tool.
    pub(super) fn came(
        &mut self,
        cx: &mut Cx,
        request: RequestId,
        result: Result<Reply, CallError>,
    ) {
        if !self.calling.waits_for(request) {
            return;
        }
        if let Err(CallError::Tool(refusal)) = &result
            && refusal.field.is_some()
        {
            return self.refused(std::slice::from_ref(refusal));
        }
        if result.as_ref().is_err_and(CallError::may_be_done) {
            self.tell_doubt(cx);
        }
        let answer = result.as_ref().ok().cloned();
        self.calling.finish(request, cx.now(), result.map(drop));
        if let Some(reply) = answer
            && let Some(call) = self.sent.take()
        {
            self.was_called(cx, call, reply);
        }
    }

    /// Returns to the record after success, or shows the answer.
    fn was_called(&mut self, cx: &mut Cx, call: ToolCall, reply: Reply) {
        match call.changes_nothing && !self.tool.read_only {
            // After a dry run, the input is still to be sent.
            true => self.keep_draft(cx),
            false => self.drop_draft(cx),
        }
        self.was_changed(cx, &reply);
        if !call.changes_nothing && self.is_done(cx, &reply) {
            return;
        }
        let screen = AnswerScreen::new(self.tool.clone(), call, reply, cx.now());
        cx.then(|state, out| {
            // An empty form is nothing to go back to.
            let is_bare = state.shows().is_some_and(CallScreen::is_bare);
            let mut cx = state.cx(out);
            if is_bare {
                cx.back();
            }
            cx.open(screen);
        });
    }

    /// Shows why the call cannot be previewed.
    fn was_refused(&mut self, refusal: ToolError) {
        match refusal.field {
            Some(_) => self.refused(std::slice::from_ref(&refusal)),
            None => {
                let hint = refusal
                    .hint
                    .map_or(String::new(), |hint| format!(" ({hint})"));
                self.complaint = Some(format!("{}{hint}", refusal.message));
            }
        }
    }

    /// Shows a refusal at its field.
    pub(super) fn refused(&mut self, refusals: &[ToolError]) {
        for refusal in refusals {
            let message = match &refusal.hint {
                Some(hint) => format!("{} ({hint})", refusal.message),
                None => refusal.message.clone(),
            };
            let field = refusal.field.as_deref().unwrap_or_default();
            self.form.refuse(field, &message);
        }
        self.errors = self.form.errors();
        self.calling = Remote::Idle;
        self.show_first_error();
    }

    /// The outcome is unknown: lists with such records must be reloaded.
    fn tell_doubt(&self, cx: &mut Cx) {
        let written = self.sent.as_ref().and_then(ToolCall::writes_at);
        let tool = written.and_then(|host| host.tool(&self.tool.name));
        for kind in tool.into_iter().flat_map(Declaration::touches) {
            cx.tell_outdated(&kind);
        }
    }

    /// Focuses the first field with an error. Other errors are shown below.
    fn show_first_error(&mut self) {
        let rows = self.form.rows();
        let mut paths = rows.iter().map(|row| &row.path);
        let first = paths.find(|path| self.errors.iter().any(|error| error.path == **path));
        let first = first.cloned();
        match first {
            // The row shows the error; the field cannot be changed.
            Some(path) if self.is_locked(&path) => {}
            Some(path) => self.focus_on(path),
            None => {
                let error = self.errors.first();
                self.complaint = error.map(|error| error.message.clone());
            }
        }
    }

    /// Copies the call as a command.
    pub(super) fn copy_command(&mut self, cx: &mut Cx) {
        let line = command_line(&self.call(), &self.tool.input_schema);
        cx.out.effects.push(Effect::Copy(line));
        let words = "Copied as a command line, if your terminal lets programs copy";
        cx.toast(Mark::Good, words);
    }
}
