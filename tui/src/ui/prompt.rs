//! A prompt for one line of text.

use std::borrow::Cow;

use crossterm::event::KeyEvent;
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::app::cx::{Cx, Out};
use crate::app::input::command::{Context, commands};
use crate::app::layer::Layer;
use crate::app::state::{State, Typing};
use crate::ui::frame::wrapped_height;
use crate::ui::input::Input;
use crate::ui::panel;

pub(crate) static PROMPT: Context = Context::layer("Prompts");

commands! {
    pub(crate) const COMMANDS;

    PROMPT: "prompt.done", ["enter"], "Confirm the input",
        run |state, out| {
            let Some(prompt) = state.on_top::<Prompt>() else {
                return;
            };
            let (then, text) = (prompt.then, prompt.input.text());
            match then(state, out, text.trim()) {
                Ok(()) => drop(state.take_layer::<Prompt>()),
                Err(wrong) => {
                    if let Some(prompt) = state.on_top_mut::<Prompt>() {
                        prompt.wrong = Some(wrong);
                    }
                }
            }
        }, hint("confirm");
    PROMPT: "prompt.close", ["esc"], "Cancel", run |state, _| { state.layers.pop(); },
        hint("close");
}

/// Handles the line, or returns what is wrong with it.
pub(crate) type Then = fn(&mut State, &mut Out, &str) -> Result<(), String>;

/// A prompt for one line of text.
#[derive(Debug)]
pub(crate) struct Prompt {
    title: &'static str,
    body: Cow<'static, str>,
    input: Input,
    wrong: Option<String>,
    then: Then,
}

impl Prompt {
    /// A prompt with an empty line.
    pub(crate) fn new(title: &'static str, body: impl Into<Cow<'static, str>>, then: Then) -> Self {
        Prompt {
            title,
            body: body.into(),
            input: Input::line(""),
            wrong: None,
            then,
        }
    }

    /// A prompt for a password.
    pub(crate) fn secret(title: &'static str, body: &'static str, then: Then) -> Self {
        Prompt {
            input: Input::secret(),
            ..Prompt::new(title, body, then)
        }
    }

    /// The prompt with an initial text.
    pub(crate) fn with(mut self, text: &str) -> Self {
        self.input.paste(text);
        self
    }
}

impl Layer for Prompt {
    fn context(&self) -> &'static Context {
        &PROMPT
    }

    fn typing(&self) -> Typing {
        self.input.typing()
    }

    fn key(&mut self, _: &mut Cx, key: KeyEvent) {
        if self.input.key(key) {
            self.wrong = None;
        }
    }

    fn paste(&mut self, cx: &mut Cx, text: &str) {
        self.input.paste_here(cx, text);
        self.wrong = None;
    }

    fn draw(&self, state: &State, frame: &mut Frame, area: Rect) {
        let shared = &state.shared;
        let theme = &shared.settings.theme;
        let height = wrapped_height(&self.body, 62);
        let inner = panel::card(frame, theme, area, 66, height + 5, self.title);
        let [body, _, field, status] =
            Layout::vertical([Length(height), Length(1), Length(1), Length(1)]).areas(inner);
        panel::text(frame, body, &*self.body);
        let [sign, field] = Layout::horizontal([Length(2), Fill(1)]).areas(field);
        frame.render_widget(Span::styled("> ", theme.key), sign);
        self.input
            .draw(frame, field, Style::new().underlined(), true);
        if let Some(wrong) = &self.wrong {
            let words = Span::styled(format!("✗ {wrong}"), theme.bad);
            frame.render_widget(Line::from(words), status);
        }
    }
}
