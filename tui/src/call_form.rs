//! The form for the arguments of a tool.

mod calling;
mod clock;
mod commands;
mod drafts;
mod editing;
mod editor;
pub(crate) mod layers;
mod picking;
mod prepared;
mod presets;
mod recalling;
pub(crate) mod recorded;
pub(crate) mod signature;
pub(crate) mod source;
pub(crate) mod stored;
#[cfg(test)]
mod tests;
mod updating;
mod view;

use std::fmt;

use crossterm::event::KeyEvent;
use frontdesk_client::question::Decision;
use frontdesk_client::{Progress, ToolInfo};
use frontdesk_form::{FieldError, Form, Path};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use ratatui::Frame;
use ratatui::layout::Rect;
use serde_json::Value;
use uuid::Uuid;

use clock::Clock;
pub(crate) use commands::{COMMANDS, TOOL};
use picking::References;
pub(crate) use prepared::{Prepared, Purpose, declared};
use recalling::Recalled;
use stored::{ChangeDraft, ChangePresets};
use updating::Loaded;

use crate::app::cx::{Cx, News};
use crate::app::effects::call::{Method, ToolCall};
use crate::app::effects::job::Outcome;
use crate::app::input::command::Context;
use crate::app::owner::RequestId;
use crate::app::peer::Peer;
use crate::app::remote::Remote;
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::app::state::Typing;
use crate::preview::DRY_RUN;
use crate::ui::confirm::Confirm;
use crate::ui::input::Input;

/// The form for the arguments of a tool.
pub(crate) struct CallScreen {
    peer: Peer,
    tool: ToolInfo,
    method: Method,
    form: Form,
    /// The value of the untouched form, or the arguments of the last call.
    initial: Value,
    /// The focused field.
    focus: Path,
    /// The text input of the focused field, if it has one.
    input: Option<Input>,
    /// The letters typed into a choice so far, and its field.
    word: Option<(Path, String)>,
    errors: Vec<FieldError>,
    /// A call was attempted: missing fields are reported too.
    is_tried: bool,
    /// An error that belongs to no field.
    complaint: Option<String>,
    /// The call awaiting confirmation.
    confirming: Option<ToolCall>,
    references: References,
    /// The record being changed.
    record: Option<Loaded>,
    loading: Remote<()>,
    presets: presets::Presets,
    drafts: drafts::Drafts,
    /// The field in the editor.
    out: Option<editor::Out>,
    calling: Remote<()>,
    /// The progress reported by the server.
    progress: Option<Progress>,
    /// Whether a host was asked to stop the call, and has not answered yet.
    stops: bool,
    sent: Option<ToolCall>,
    /// Values of an earlier call that must be entered again.
    recalled: Recalled,
    /// The purpose, if it was opened for a record.
    prepared: Option<Prepared>,
    /// The previous record, after the id was changed.
    parked: Option<Loaded>,
    /// Parses and shows times.
    clock: Clock,
}

impl fmt::Debug for CallScreen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The schema is long, and the input can be secret.
        f.debug_struct("CallScreen")
            .field("peer", &self.peer)
            .field("tool", &self.tool.name)
            .field("focus", &self.focus.to_string())
            .field("calling", &self.calling)
            .finish_non_exhaustive()
    }
}

impl CallScreen {
    /// The empty form of this tool.
    pub(crate) fn new(peer: Peer, tool: ToolInfo) -> Self {
        let form = Form::new(&schema_of(&tool));
        let mut screen = CallScreen {
            peer,
            tool,
            method: Method::Tool,
            initial: form.value(),
            focus: Path::root(),
            input: None,
            errors: form.errors(),
            is_tried: false,
            word: None,
            complaint: None,
            confirming: None,
            references: References::default(),
            record: None,
            loading: Remote::Idle,
            presets: presets::Presets::default(),
            drafts: drafts::Drafts::default(),
            out: None,
            calling: Remote::Idle,
            progress: None,
            stops: false,
            sent: None,
            recalled: Recalled::default(),
            prepared: None,
            parked: None,
            clock: Clock {
                now: Timestamp::UNIX_EPOCH,
                locale: TimeZone::UTC.into(),
            },
            form,
        };
        screen.settle_focus();
        screen
    }
}

impl CallScreen {
    /// The form of something else than a tool.
    pub(crate) fn of_method(mut self, method: Method) -> Self {
        self.method = method;
        self
    }
}

/// The schema of the form.
fn schema_of(tool: &ToolInfo) -> Value {
    let mut schema = tool.input_schema.clone();
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.retain(|name, _| name != DRY_RUN);
    }
    Value::Object(schema)
}

impl Screen for CallScreen {
    fn context(&self) -> &'static Context {
        self.purpose()
            .map_or(&commands::TOOL, |purpose| purpose.context())
    }

    fn crumb(&self) -> String {
        match &self.prepared {
            Some(prepared) => prepared.title.clone(),
            None => self.tool.name.clone(),
        }
    }

    fn shown(&mut self, cx: &mut Cx) {
        self.clock = Clock {
            now: cx.now(),
            locale: cx.shared.locale.clone(),
        };
        self.settle_focus();
        self.find_references(cx);
        self.read_presets(cx);
        self.read_draft(cx);
        self.call_if_asked(cx);
    }

    fn hidden(&mut self, cx: &mut Cx) {
        self.keep_draft(cx);
    }

    fn fired(&mut self, cx: &mut Cx, request: RequestId) {
        self.draft_due(cx, request);
    }

    fn refresh(&mut self, cx: &mut Cx) {
        self.load_record(cx);
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: Outcome) {
        match outcome {
            Outcome::Call(answer) if self.loading.waits_for(request) => {
                self.record_came(cx, request, answer.result);
            }
            Outcome::Call(answer) => self.came(cx, request, answer.result),
            Outcome::Edited(result) => self.came_back(cx, request, result),
            mut outcome => {
                if let Some(ended) = outcome.take::<ChangePresets>() {
                    self.presets_came(cx, request, ended.result);
                } else if let Some(ended) = outcome.take::<ChangeDraft>() {
                    self.draft_came(cx, request, ended.result);
                }
            }
        }
    }

    fn progressed(&mut self, _: &mut Cx, request: RequestId, progress: &Progress) {
        if self.calling.waits_for(request) {
            self.progress = Some(progress.clone());
        }
    }

    fn notified(&mut self, cx: &mut Cx, news: &News) {
        match news {
            News::ToolsChanged(peer) if *peer == self.peer => self.follow_tool(cx),
            News::Applied(peer, tool) if *peer == self.peer && *tool == self.tool.name => {
                self.drop_draft(cx);
            }
            _ => {}
        }
        self.look_after(cx);
    }

    fn waits_for(&self, server: &str) -> bool {
        let is_called = matches!(&self.peer, Peer::Server(name) if name == server);
        is_called && self.calling.is_loading()
    }

    fn asks(&self) -> Option<Uuid> {
        self.asked().map(|asked| asked.id)
    }

    fn typing(&self) -> Typing {
        self.input.as_ref().map_or(Typing::Yes, Input::typing)
    }

    fn key(&mut self, cx: &mut Cx, key: KeyEvent) {
        self.pressed(cx, key);
        self.keep_soon(cx);
    }

    fn paste(&mut self, cx: &mut Cx, text: &str) {
        self.pasted(cx, text);
        self.keep_soon(cx);
    }

    fn stops(&self) -> bool {
        self.can_be_given_up()
    }

    fn escape(&mut self, cx: &mut Cx) -> bool {
        if self.give_up(cx) {
            return true;
        }
        let is_changed = self.form.value() != self.initial;
        if let (Some(_), false) = (self.asked(), is_changed) {
            self.decide(cx, Decision::Cancel);
            return true;
        }
        let (title, body) = match self.calling.is_loading() {
            true => (
                "Leave before the answer?",
                "It goes on, but you will not see the answer.",
            ),
            false if is_changed => ("Discard changes?", "Nothing has been sent."),
            false => return false,
        };
        cx.raise(Confirm {
            title: title.to_owned(),
            body: body.to_owned(),
            then: |state, out| {
                state.act(out, |form: &mut CallScreen, cx| match form.asked() {
                    Some(_) => form.decide(cx, Decision::Cancel),
                    None => form.discard(cx),
                });
            },
        });
        true
    }

    fn leave(&mut self, cx: &mut Cx) -> bool {
        match self.keeps_draft() && !self.calling.is_loading() {
            true => self.leave_draft(cx),
            false => return self.escape(cx),
        }
        false
    }

    fn is_busy(&self) -> bool {
        self.calling.is_loading() || self.loading.is_loading()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        view::draw(self, shared, frame, area);
    }
}
