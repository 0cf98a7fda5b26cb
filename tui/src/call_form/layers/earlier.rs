//! The earlier inputs of a tool, searchable by their words: what was typed before another one was
//! filled in, presets, and calls of the history.

use crossterm::event::KeyEvent;
use frontdesk_client::Preset;
use frontdesk_client::history::{Keep, RecordedCall};
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::text::Line;
use serde_json::{Map, Value};

use crate::app::cx::{Cx, Out};
use crate::app::effects::job::{Ended, Outcome};
use crate::app::history::ReadHistory;
use crate::app::input::command::{Context, commands};
use crate::app::layer::{Layer, step};
use crate::app::owner::{Owner, RequestId};
use crate::app::state::State;
use crate::call_form::CallScreen;
use crate::call_form::recorded::{self, IS_OFF};
use crate::look::text::{clean, fit};
use crate::look::time::moment;
use crate::ui::confirm::Confirm;
use crate::ui::frame::waiting;
use crate::ui::panel;
use crate::ui::search_list::SearchList;
use crate::ui::table::{Column, Row};

pub(crate) static EARLIER: Context = Context::layer("Earlier inputs of a tool");

commands! {
    pub(crate) const COMMANDS;

    EARLIER: "earlier.fill", ["enter"], "Fill in the selected input", run fill, hint("fill in");
    EARLIER: "earlier.next", ["down", "ctrl-n", "ctrl-r", "tab"], "Next input",
        run |state, _| step(state, 1), hint("next");
    EARLIER: "earlier.previous", ["up", "ctrl-p", "backtab"], "Previous input",
        run |state, _| step(state, -1);
    EARLIER: "earlier.forget", ["ctrl-d"], "Delete the selected preset", run ask_to_forget,
        hint("delete"), hinted_if(|state| no_preset(state).is_none()), danger, unless(no_preset);
    EARLIER: "earlier.close", ["esc"], "Back to the form", run |state, _| { state.layers.pop(); },
        hint("back");
}

/// An earlier input of a tool.
#[derive(Debug, Clone)]
pub(crate) enum Input {
    /// What was in the form before another input was filled in.
    Before(Map<String, Value>),
    /// What was typed and not sent.
    Draft(Preset),
    Preset(Preset),
    Call(RecordedCall),
}

impl Input {
    fn arguments(&self) -> &Map<String, Value> {
        match self {
            Input::Before(arguments) => arguments,
            Input::Draft(preset) | Input::Preset(preset) => &preset.arguments,
            Input::Call(call) => &call.arguments,
        }
    }

    /// Its name, if it has one, and its arguments.
    fn words(&self) -> String {
        let arguments = match recorded::arguments(self.arguments()) {
            none if none.is_empty() => "without arguments".to_owned(),
            some => some,
        };
        match self {
            Input::Before(_) => format!("(previous input) {arguments}"),
            Input::Draft(_) => format!("(not sent) {arguments}"),
            Input::Preset(preset) => format!("{} · {arguments}", clean(&preset.name)),
            Input::Call(_) => arguments,
        }
    }

    fn searched(&self) -> String {
        match self {
            Input::Call(call) => recorded::searched(call),
            named => named.words(),
        }
    }
}

/// The list of earlier inputs.
#[derive(Debug)]
pub(crate) struct Earlier {
    tool: (String, String),
    /// The indices of the matches.
    list: SearchList<usize>,
    /// The history is being read.
    reading: Option<RequestId>,
    trouble: Option<String>,
    /// The history is switched off.
    is_off: bool,
    /// Calls the newest first, without duplicates.
    inputs: Vec<Input>,
}

impl Earlier {
    /// These inputs of a tool, and its calls in the history, which are being read.
    pub(crate) fn new(cx: &mut Cx, peer: &str, tool: &str, inputs: Vec<Input>) -> Self {
        let account = cx.caller();
        let reading = cx.on_behalf(Owner::App).run(ReadHistory(account));
        let mut earlier = Earlier {
            tool: (peer.to_owned(), tool.to_owned()),
            list: SearchList::new(),
            reading: Some(reading),
            trouble: None,
            is_off: false,
            inputs,
        };
        earlier.find();
        earlier
    }

    fn find(&mut self) {
        let inputs = self.inputs.iter().enumerate();
        let words = inputs.map(|(at, input)| (input.searched(), at));
        let before = self.list.selected();
        self.list.find(words, before);
    }

    fn selected(&self) -> Option<&Input> {
        self.inputs.get(self.list.selected()?)
    }

    /// Adds the calls of the tool. A preview and its application count once.
    fn add(&mut self, calls: Vec<RecordedCall>) {
        let mut known = Vec::new();
        for call in calls {
            let arguments = recorded::arguments(&call.arguments);
            if (&call.peer, &call.tool) == (&self.tool.0, &self.tool.1)
                && !known.contains(&arguments)
            {
                known.push(arguments);
                self.inputs.push(Input::Call(call));
            }
        }
        self.find();
    }
}

impl Layer for Earlier {
    fn context(&self) -> &'static Context {
        &EARLIER
    }

    fn step(&mut self, by: isize) {
        self.list.step(by);
    }

    fn key(&mut self, _: &mut Cx, key: KeyEvent) {
        if self.list.key(key) {
            self.find();
        }
    }

    fn paste(&mut self, cx: &mut Cx, text: &str) {
        self.list.paste(cx, text);
        self.find();
    }

    fn answered(&mut self, _: &mut Cx, request: RequestId, outcome: &Outcome) {
        let Some(Ended { result, .. }) = outcome.end::<ReadHistory>() else {
            return;
        };
        if self.reading.take_if(|waited| *waited == request).is_none() {
            return;
        }
        match result {
            Ok(remembered) => {
                self.is_off = remembered.keep == Keep::Off;
                self.add(remembered.entries.clone());
            }
            Err(error) => self.trouble = Some(error.to_string()),
        }
    }

    fn is_busy(&self) -> bool {
        self.reading.is_some()
    }

    fn draw(&self, state: &State, frame: &mut Frame, area: Rect) {
        let shared = &state.shared;
        let theme = &shared.settings.theme;
        let title = format!("Earlier inputs of {}", fit(&self.tool.1, 40));
        let inner = panel::card(frame, theme, area, 76, 18, &title);
        let [search, list, said] = Layout::vertical([Length(1), Fill(1), Length(1)]).areas(inner);
        self.list.draw_field(theme, frame, search);
        let not_read = self.trouble.as_ref().map(|trouble| {
            let words = fit(&format!("✗ {}", clean(trouble)), said.width.into());
            Line::styled(words, theme.bad)
        });
        if self.list.found().is_empty() {
            let line = match (not_read, self.is_busy(), self.inputs.is_empty()) {
                (Some(trouble), ..) => trouble,
                (None, true, _) => waiting(shared, "reading"),
                (None, false, true) if self.is_off => Line::styled(IS_OFF, theme.dim),
                (None, false, true) => Line::styled("No earlier inputs", theme.dim),
                (None, false, false) => {
                    let words = format!("No match for “{}”", clean(&self.list.text()));
                    Line::styled(words, theme.dim)
                }
            };
            frame.render_widget(line, list);
            return;
        }
        let columns = [
            Column::fixed("", 12),
            Column::fixed("", 2),
            Column::share("", 1),
        ];
        self.list.draw_rows(shared, frame, list, &columns, |at| {
            let input = &self.inputs[at];
            let when = |at| moment(at, shared.now, &shared.locale);
            let row = match input {
                Input::Before(_) => Row::new().cell("").cell(""),
                Input::Draft(draft) => Row::new().cell(when(draft.saved_at)).cell(""),
                Input::Preset(preset) => Row::new().cell(when(preset.saved_at)).cell("★"),
                Input::Call(call) => {
                    let (mark, _) = recorded::outcome(call);
                    let row = Row::new().cell(when(call.at));
                    row.styled(mark.glyph(), mark.style(theme))
                }
            };
            row.cell(input.words())
        });
        let not_kept = match self.selected() {
            Some(Input::Call(call)) => recorded::not_kept(call),
            _ => None,
        };
        let not_kept = not_kept.map(|words| {
            let words = fit(&words, said.width.into());
            Line::styled(words, theme.warn)
        });
        if let Some(line) = not_kept.or(not_read) {
            frame.render_widget(line, said);
        }
    }
}

fn fill(state: &mut State, out: &mut Out) {
    let Some(earlier) = state.take_layer::<Earlier>() else {
        return;
    };
    if let Some(input) = earlier.selected() {
        state.act::<CallScreen>(out, |form, _| form.fill_in(input));
    }
}

fn preset(state: &State) -> Option<&Preset> {
    match state.on_top::<Earlier>()?.selected()? {
        Input::Preset(preset) => Some(preset),
        Input::Before(_) | Input::Draft(_) | Input::Call(_) => None,
    }
}

fn no_preset(state: &State) -> Option<String> {
    let is_missing = state.on_top::<Earlier>().is_some() && preset(state).is_none();
    is_missing.then(|| "this is not a preset".to_owned())
}

fn ask_to_forget(state: &mut State, out: &mut Out) {
    let name = preset(state).map(|preset| clean(&preset.name).into_owned());
    if let Some(name) = name {
        state.cx(out).raise(Confirm {
            title: "Delete this preset?".to_owned(),
            body: format!("“{name}” cannot be restored."),
            then: forget,
        });
    }
}

fn forget(state: &mut State, out: &mut Out) {
    let Some(name) = preset(state).map(|preset| preset.name.clone()) else {
        return;
    };
    if let Some(earlier) = state.on_top_mut::<Earlier>() {
        let is_other =
            |input: &Input| !matches!(input, Input::Preset(preset) if preset.name == name);
        earlier.inputs.retain(is_other);
        earlier.find();
    }
    state.act::<CallScreen>(out, |form, cx| form.forget_preset(cx, &name));
}
