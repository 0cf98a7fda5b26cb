//! The help: available keys, and why others are unavailable.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::app::input::command::{Command, Context};
use crate::app::layer::Layer;
use crate::app::state::{State, Typing};
use crate::ui::panel;
use crate::ui::table::{self, Column, Row};

pub(crate) static HELP: Context = Context::layer("Help");

pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        &HELP,
        "help.close",
        "Close the help",
        &["esc", "?", "q", "f1"],
        |state, _| {
            state.layers.pop();
        },
    )
    .hint("close"),
    Command::new(
        &HELP,
        "help.down",
        "Further down",
        &["down", "j", "ctrl-n"],
        |state, _| {
            scroll(state, 1);
        },
    )
    .hint("scroll"),
    Command::new(
        &HELP,
        "help.up",
        "Further up",
        &["up", "k", "ctrl-p"],
        |state, _| {
            scroll(state, -1);
        },
    ),
];

fn scroll(state: &mut State, by: isize) {
    let commands = state.shared.parts.commands;
    if let Some(help) = state.on_top_mut::<Help>() {
        let last = help.context.stack().count();
        let rows = commands
            .all()
            .filter(|command| help.context.distance(command.context).is_some());
        let last = (rows.count() + last).saturating_sub(1);
        help.at = help.at.saturating_add_signed(by).min(last);
    }
}

/// The help of a screen.
#[derive(Debug)]
pub(crate) struct Help {
    context: &'static Context,
    at: usize,
}

impl Help {
    /// The help for this context.
    pub(crate) fn new(context: &'static Context) -> Self {
        Help { context, at: 0 }
    }
}

impl Layer for Help {
    fn context(&self) -> &'static Context {
        &HELP
    }

    fn typing(&self) -> Typing {
        Typing::No
    }

    fn draw(&self, state: &State, frame: &mut Frame, area: Rect) {
        let theme = &state.shared.theme;
        let mut rows: Vec<Row> = Vec::new();
        let is_typed = state
            .screen()
            .is_some_and(|screen| screen.typing() != Typing::No);
        for context in self.context.stack() {
            rows.push(
                Row::new()
                    .styled("", Style::new())
                    .styled(context.title, theme.title),
            );
            let commands = state.shared.parts.commands.all();
            for command in commands
                .filter(|command| command.context == context && !command.is_hidden(&state.shared))
            {
                let keys: Vec<String> = state
                    .shared
                    .keymap
                    .keys(command)
                    // While typing, letters are not commands.
                    .filter(|chord| {
                        let runs = state.shared.keymap.command(*chord, self.context);
                        runs.is_none_or(|runs| runs.id == command.id)
                    })
                    .filter(|chord| !is_typed || !chord.is_letter() || context == self.context)
                    .map(|chord| chord.to_string())
                    .collect();
                let obstacle = command.why_not_now(state);
                let words = match &obstacle {
                    Some(reason) if !reason.is_empty() => format!("{} ({reason})", command.title),
                    _ => command.title.to_owned(),
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
            &state.shared,
            &[Column::fixed("", 18), Column::share("", 1)],
            rows.len(),
            Some(self.at),
            |at| rows[at].clone(),
        );
    }
}
