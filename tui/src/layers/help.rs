//! What can be pressed here, with the reason where it cannot.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::app::layer::Layer;
use crate::app::state::{State, Typing};
use crate::commands::{self, Command, Context};
use crate::ui::panel;
use crate::ui::table::{self, Column, Row};

/// The commands of the help.
pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        Context::Help,
        "help.close",
        "Close the help",
        &["esc", "?", "q", "f1"],
        |state, _| {
            state.layers.pop();
        },
    )
    .hint("close"),
    Command::new(
        Context::Help,
        "help.down",
        "Further down",
        &["down", "j", "ctrl-n"],
        |state, _| {
            scroll(state, 1);
        },
    )
    .hint("scroll"),
    Command::new(
        Context::Help,
        "help.up",
        "Further up",
        &["up", "k", "ctrl-p"],
        |state, _| {
            scroll(state, -1);
        },
    ),
];

fn scroll(state: &mut State, by: isize) {
    if let Some(Layer::Help(help)) = state.layers.last_mut() {
        let last = help.contexts.len();
        let rows = commands::all().filter(|command| help.contexts.contains(&command.context));
        let last = (rows.count() + last).saturating_sub(1);
        help.at = help.at.saturating_add_signed(by).min(last);
    }
}

/// The help to a screen.
#[derive(Debug)]
pub(crate) struct Help {
    contexts: &'static [Context],
    at: usize,
}

impl Help {
    /// The help to where these contexts are in force.
    pub(crate) fn new(contexts: &'static [Context]) -> Self {
        Help { contexts, at: 0 }
    }

    /// Draws the help.
    pub(crate) fn draw(&self, state: &State, frame: &mut Frame, area: Rect) {
        let theme = &state.shared.theme;
        let mut rows: Vec<Row> = Vec::new();
        let own = self.contexts.first();
        let is_typed = state
            .screen()
            .is_some_and(|screen| screen.page().typing() != Typing::No);
        for context in self.contexts {
            rows.push(
                Row::new()
                    .styled("", Style::new())
                    .styled(context.title(), theme.title),
            );
            for command in commands::all()
                .filter(|command| command.context == *context && !command.is_hidden(state))
            {
                let keys: Vec<String> = state
                    .shared
                    .keymap
                    .keys(command)
                    // Where one types, letters are not commands of the app at large.
                    .filter(|chord| {
                        let runs = state.shared.keymap.command(*chord, self.contexts);
                        runs.is_none_or(|runs| runs.id == command.id)
                    })
                    .filter(|chord| !is_typed || !chord.is_letter() || Some(context) == own)
                    .map(|chord| chord.to_string())
                    .collect();
                let obstacle = command.why_not_now(state);
                let words = match &obstacle {
                    Some(reason) => format!("{} ({reason})", command.title),
                    None => command.title.to_owned(),
                };
                let style = match obstacle {
                    Some(_) => theme.dim,
                    None => Style::new(),
                };
                rows.push(
                    Row::new()
                        .styled(keys.join(" "), theme.key)
                        .styled(words, style),
                );
            }
        }
        let height = rows.len() as u16 + 2;
        let inner = panel::card(frame, theme, area, 76, height, "Keys");
        table::draw(
            frame,
            inner,
            theme,
            &[Column::fixed("", 18), Column::share("", 1)],
            rows.len(),
            Some(self.at),
            |at| rows[at].clone(),
        );
    }
}
