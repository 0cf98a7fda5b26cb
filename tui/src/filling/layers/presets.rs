//! The list of a tool's presets, searchable by name.

use crossterm::event::KeyEvent;
use jiff::Timestamp;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};
use serde_json::Value;

use crate::app::cx::{Cx, Out};
use crate::app::input::command::{Command, Context};
use crate::app::layer::{Layer, step};
use crate::app::state::State;
use crate::filling::CallScreen;
use crate::look::text::clean;
use crate::look::time::moment;
use crate::ui::confirm::Confirm;
use crate::ui::panel;
use crate::ui::search_list::SearchList;
use crate::ui::table::{Column, Row};

pub(crate) static PRESETS: Context = Context::layer("Presets of a tool");

pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        &PRESETS,
        "presets.use",
        "Load the selected preset",
        &["enter"],
        |state, out| {
            let Some(list) = state.take_layer::<PresetList>() else {
                return;
            };
            if let Some(choice) = list.selected() {
                on_form(state, out, |form, _| form.use_preset(choice));
            }
        },
    )
    .hint("use"),
    Command::new(
        &PRESETS,
        "presets.next",
        "Next preset",
        &["down", "ctrl-n", "tab"],
        |state, _| step(state, 1),
    )
    .hint("next"),
    Command::new(
        &PRESETS,
        "presets.previous",
        "Previous preset",
        &["up", "ctrl-p", "backtab"],
        |state, _| step(state, -1),
    ),
    Command::new(
        &PRESETS,
        "presets.forget",
        "Delete the selected preset",
        &["ctrl-d"],
        ask,
    )
    .hint("forget")
    .danger()
    .unless(nothing_to_forget),
    Command::new(
        &PRESETS,
        "presets.close",
        "Back to the form",
        &["esc"],
        |state, _| {
            state.layers.pop();
        },
    )
    .hint("back"),
];

/// Something to load into the form.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    /// The name of the preset; `None` for the previous input.
    pub(crate) name: Option<String>,
    pub(crate) arguments: Value,
    pub(crate) saved_at: Option<Timestamp>,
}

impl Choice {
    fn title(&self) -> String {
        match &self.name {
            Some(name) => clean(name).into_owned(),
            None => "(previous input)".to_owned(),
        }
    }
}

/// The list of a tool's presets.
#[derive(Debug)]
pub(crate) struct PresetList {
    /// The indices of the matches.
    pub(crate) list: SearchList<usize>,
    choices: Vec<Choice>,
}

impl PresetList {
    /// The list of these choices.
    pub(crate) fn new(choices: Vec<Choice>) -> Self {
        let mut list = PresetList {
            list: SearchList::new(),
            choices,
        };
        list.find();
        list
    }

    fn find(&mut self) {
        let choices = self.choices.iter().enumerate();
        let titles = choices.map(|(at, choice)| (choice.title(), at));
        self.list.find(titles, None);
    }

    fn selected(&self) -> Option<&Choice> {
        self.choices.get(self.list.selected()?)
    }
}

impl Layer for PresetList {
    fn context(&self) -> &'static Context {
        &PRESETS
    }

    fn step(&mut self, by: isize) {
        self.list.step(by);
    }

    fn key(&mut self, _: &mut Cx, key: KeyEvent) {
        if self.list.key(key) {
            self.find();
        }
    }

    fn paste(&mut self, _: &mut Cx, text: &str) {
        self.list.paste(text);
        self.find();
    }

    fn draw(&self, state: &State, frame: &mut Frame, area: Rect) {
        let shared = &state.shared;
        let theme = &shared.theme;
        let inner = panel::card(frame, theme, area, 76, 20, "Presets of this tool");
        let [search, _, list, _, shown] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(1),
            Constraint::Length(4),
        ])
        .areas(inner);
        self.list.draw_field(theme, frame, search);
        if self.list.found().is_empty() {
            let words = match self.choices.is_empty() {
                true => "No presets",
                false => "No match",
            };
            frame.render_widget(Line::styled(words, theme.dim), list);
            return;
        }
        let columns = [Column::share("Name", 1), Column::fixed("Saved", 18)];
        self.list.draw_rows(shared, frame, list, &columns, |at| {
            let choice = &self.choices[at];
            let saved = choice.saved_at;
            let saved = saved.map(|saved| moment(saved, shared.now, &shared.zone));
            Row::new()
                .cell(choice.title())
                .cell(saved.unwrap_or_default())
        });
        if let Some(choice) = self.selected() {
            let text = clean(&choice.arguments.to_string()).into_owned();
            let text = Paragraph::new(text).wrap(Wrap { trim: true });
            frame.render_widget(text.style(theme.dim), shown);
        }
    }
}

fn nothing_to_forget(state: &State) -> Option<String> {
    match state.on_top::<PresetList>() {
        Some(list) if list.selected().is_none_or(|one| one.name.is_none()) => {
            Some("this is not a preset".to_owned())
        }
        _ => None,
    }
}

fn ask(state: &mut State, out: &mut Out) {
    let Some(list) = state.on_top::<PresetList>() else {
        return;
    };
    let Some(name) = list.selected().map(Choice::title) else {
        return;
    };
    state.cx(out).raise(Confirm {
        title: "Delete this preset?".to_owned(),
        body: format!("“{name}” cannot be restored."),
        then: forget,
    });
}

fn forget(state: &mut State, out: &mut Out) {
    let Some(list) = state.on_top_mut::<PresetList>() else {
        return;
    };
    let Some(at) = list.list.selected().filter(|at| *at < list.choices.len()) else {
        return;
    };
    let choice = list.choices.remove(at);
    list.find();
    if let Some(name) = choice.name {
        on_form(state, out, |form, cx| form.forget_preset(cx, &name));
    }
}

fn on_form(state: &mut State, out: &mut Out, act: impl FnOnce(&mut CallScreen, &mut Cx)) {
    state.act::<CallScreen>(out, |form, cx| {
        act(form, cx);
    });
}
