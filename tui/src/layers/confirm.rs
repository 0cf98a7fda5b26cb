//! A question before something that is hard to get back. Enter never says yes.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::app::cx::Out;
use crate::app::layer::Layer;
use crate::app::shared::Shared;
use crate::app::state::State;
use crate::commands::{Command, Context};
use crate::ui::frame::wrapped_height;
use crate::ui::panel;

/// The commands of a question.
pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        Context::Confirm,
        "confirm.yes",
        "Yes, do it",
        &["y"],
        |state, out| {
            if let Some(Layer::Confirm(confirm)) = state.layers.pop() {
                (confirm.then)(state, out);
            }
        },
    )
    .hint("yes")
    .danger(),
    Command::new(
        Context::Confirm,
        "confirm.no",
        "No, leave it",
        &["n", "esc"],
        |state, _| {
            state.layers.pop();
        },
    )
    .hint("no"),
];

/// A question.
#[derive(Debug)]
pub(crate) struct Confirm {
    /// What is asked, in a few words.
    pub(crate) title: String,
    /// What it would mean.
    pub(crate) body: String,
    /// What happens on yes.
    pub(crate) then: fn(&mut State, &mut Out),
}

impl Confirm {
    /// Draws the question.
    pub(crate) fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.theme;
        let height = wrapped_height(&self.body, 54) + 4;
        let inner = panel::card(frame, theme, area, 60, height, &self.title);
        let keys = Line::from(vec![
            Span::styled(shared.keymap.key("confirm.yes"), theme.key),
            Span::raw(" yes · "),
            Span::styled(shared.keymap.key("confirm.no"), theme.key),
            Span::raw(" no"),
        ]);
        let text = vec![Line::from(self.body.clone()), Line::default(), keys];
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), inner);
    }
}
