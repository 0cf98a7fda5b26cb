//! A tool about to be called: the form of its arguments.

mod calling;
mod clock;
mod commands;
mod editing;
mod elsewhere;
mod picking;
mod prepared;
mod presets;
mod recalling;
#[cfg(test)]
mod tests;
mod updating;
mod view;

use std::fmt;

use crossterm::event::KeyEvent;
use frontdesk_client::{Progress, ToolInfo};
use frontdesk_form::{FieldError, Form, Path};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use ratatui::Frame;
use ratatui::layout::Rect;
use serde_json::Value;

use clock::Clock;
pub(crate) use commands::COMMANDS;
use picking::References;
pub(crate) use prepared::{Prepared, Purpose, declared};
use recalling::Recalled;
use updating::Loaded;

use crate::app::command::Context;
use crate::app::cx::{Cx, News};
use crate::app::effect::{Outcome, RequestId, ToolCall};
use crate::app::peer::Peer;
use crate::app::remote::Remote;
use crate::app::screen::{Codes, Screen};
use crate::app::shared::Shared;
use crate::app::state::Typing;
use crate::plan::DRY_RUN;
use crate::ui::confirm::Confirm;
use crate::ui::input::Input;

/// The form of a tool's arguments.
pub(crate) struct CallScreen {
    peer: Peer,
    tool: ToolInfo,
    form: Form,
    /// What the form says before anything is entered, or what the tool was called with.
    initial: Value,
    /// The field that keys act on.
    focus: Path,
    /// What is typed into that field, if it is one to type into.
    input: Option<Input>,
    errors: Vec<FieldError>,
    /// A call was tried: what is missing is told, too.
    is_tried: bool,
    /// What is wrong that is about no field.
    complaint: Option<String>,
    /// What was asked about.
    confirming: Option<ToolCall>,
    references: References,
    /// The record that is changed.
    record: Option<Loaded>,
    loading: Remote<()>,
    presets: presets::Presets,
    /// What is in the editor.
    out: Option<elsewhere::Out>,
    calling: Remote<()>,
    /// How far the call is, as the server says.
    progress: Option<Progress>,
    sent: Option<ToolCall>,
    /// What of an earlier call is still to be filled in.
    recalled: Recalled,
    /// What it is opened for, if it is for a record.
    prepared: Option<Prepared>,
    /// The record that was changed before another id was entered.
    parked: Option<Loaded>,
    /// How times are entered.
    clock: Clock,
}

impl fmt::Debug for CallScreen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A form holds its compiled schema, and what was typed may be a secret.
        f.debug_struct("CallScreen")
            .field("peer", &self.peer)
            .field("tool", &self.tool.name)
            .field("focus", &self.focus.to_string())
            .field("calling", &self.calling)
            .finish_non_exhaustive()
    }
}

impl CallScreen {
    /// The form of this tool, empty.
    pub(crate) fn new(peer: Peer, tool: ToolInfo) -> Self {
        let form = Form::new(&schema_of(&tool));
        let mut screen = CallScreen {
            peer,
            tool,
            initial: form.value(),
            focus: Path::root(),
            input: None,
            errors: form.errors(),
            is_tried: false,
            complaint: None,
            confirming: None,
            references: References::default(),
            record: None,
            loading: Remote::Idle,
            presets: presets::Presets::default(),
            out: None,
            calling: Remote::Idle,
            progress: None,
            sent: None,
            recalled: Recalled::default(),
            prepared: None,
            parked: None,
            clock: Clock {
                now: Timestamp::UNIX_EPOCH,
                zone: TimeZone::UTC,
            },
            form,
        };
        screen.settle_focus();
        screen
    }
}

/// What the form asks for.
fn schema_of(tool: &ToolInfo) -> Value {
    let mut schema = tool.input_schema.clone();
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.retain(|name, _| name != DRY_RUN);
    }
    Value::Object(schema)
}

impl Screen for CallScreen {
    fn context(&self) -> &'static Context {
        &commands::TOOL
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
            zone: cx.shared.zone.clone(),
        };
        self.settle_focus();
        self.find_references(cx.shared);
        self.read_presets(cx);
        self.call_if_asked(cx);
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
            Outcome::Presets(result) => self.presets_came(cx, request, result),
            Outcome::Edited(result) => self.came_back(cx, request, result),
            _ => {}
        }
    }

    fn progressed(&mut self, _: &mut Cx, request: RequestId, progress: &Progress) {
        if self.calling.waits_for(request) {
            self.progress = Some(progress.clone());
        }
    }

    fn told(&mut self, cx: &mut Cx, _: &News) {
        self.look_after(cx);
    }

    fn codes(&self) -> Codes {
        // No field of a guest takes a code.
        match self.own_purpose() {
            Some(_) => Codes::Below,
            None => Codes::Text,
        }
    }

    fn typing(&self) -> Typing {
        Typing::Yes
    }

    fn key(&mut self, cx: &mut Cx, key: KeyEvent) {
        self.pressed(cx, key);
    }

    fn paste(&mut self, _: &mut Cx, text: &str) {
        self.pasted(text);
    }

    fn escape(&mut self, cx: &mut Cx) -> bool {
        if self.give_up(cx) {
            return true;
        }
        let (title, body) = match self.calling.is_loading() {
            true => (
                "Leave while it is being done?",
                "The call goes on, and its answer will not be seen.",
            ),
            false if self.form.value() != self.initial => (
                "Throw away what you entered?",
                "The tool has not been called with it.",
            ),
            false => return false,
        };
        cx.raise(Confirm {
            title: title.to_owned(),
            body: body.to_owned(),
            then: |state, out| state.cx(out).back(),
        });
        true
    }

    fn is_busy(&self) -> bool {
        self.calling.is_loading() || self.loading.is_loading()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        view::draw(self, shared, frame, area);
    }
}
