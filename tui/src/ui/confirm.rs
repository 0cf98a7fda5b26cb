//! A question before an action that is hard to undo. Enter does not confirm.

use std::any::Any;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::app::cx::Out;
use crate::app::input::command::{Context, commands};
use crate::app::layer::Layer;
use crate::app::state::{State, Typing};
use crate::ui::frame::wrapped_height;
use crate::ui::panel;

pub(crate) static CONFIRM: Context = Context::layer("Questions");

commands! {
    pub(crate) const COMMANDS;

    CONFIRM: "confirm.yes", ["y"], "Yes, do it",
        run |state, out| {
            if let Some(confirm) = state.take_layer::<Confirm>() {
                (confirm.then)(state, out);
            }
        }, hint("yes"), danger;
    CONFIRM: "confirm.no", ["n", "esc"], "No, leave it", run |state, _| { state.layers.pop(); },
        hint("no");
}

/// A question.
#[derive(Debug)]
pub(crate) struct Confirm {
    /// The question, in a few words.
    pub(crate) title: String,
    /// The consequences.
    pub(crate) body: String,
    /// Runs after confirmation.
    pub(crate) then: fn(&mut State, &mut Out),
}

impl Confirm {
    /// Closes the question with this title, if it is open and no longer needs an answer.
    pub(crate) fn withdraw(state: &mut State, title: &str) {
        state.layers.retain(|layer| {
            let layer: &dyn Any = layer.as_ref();
            let question = layer.downcast_ref::<Confirm>();
            question.is_none_or(|question| question.title != title)
        });
    }
}

impl Layer for Confirm {
    fn context(&self) -> &'static Context {
        &CONFIRM
    }

    fn typing(&self) -> Typing {
        Typing::No
    }

    fn draw(&self, state: &State, frame: &mut Frame, area: Rect) {
        let shared = &state.shared;
        let theme = &shared.settings.theme;
        let heights = self.body.lines().map(|line| wrapped_height(line, 54));
        let height = heights.sum::<u16>() + 4;
        let inner = panel::card(frame, theme, area, 60, height, &self.title);
        let keys = Line::from(vec![
            panel::key(shared, "confirm.yes"),
            Span::raw(" yes · "),
            panel::key(shared, "confirm.no"),
            Span::raw(" no"),
        ]);
        let body = self.body.lines().map(|line| Line::from(line.to_owned()));
        let text: Vec<Line> = body.chain([Line::default(), keys]).collect();
        panel::text(frame, inner, text);
    }
}
