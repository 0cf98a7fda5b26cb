//! Earlier calls of a tool, to be filled in again: type a few letters of what it was called with.

use crossterm::event::KeyEvent;
use frontdesk_client::history::Entry;
use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::Line;

use crate::app::cx::{Cx, Out};
use crate::app::effect::{Outcome, Owner, RequestId, Work};
use crate::app::layer::Layer;
use crate::app::shared::Shared;
use crate::app::state::State;
use crate::commands::{Command, Context};
use crate::screens::Screen;
use crate::screens::tools::history::words;
use crate::ui::frame::waiting;
use crate::ui::input::Input;
use crate::ui::panel;
use crate::ui::table::{self, Column, Row};
use crate::ui::text::{clean, fit};
use crate::ui::time::moment;

/// The commands of the earlier calls.
pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        Context::Recall,
        "recall.fill",
        "Fill in the selected call",
        &["enter"],
        fill,
    )
    .hint("fill in"),
    Command::new(
        Context::Recall,
        "recall.next",
        "The call before it",
        &["down", "ctrl-n", "ctrl-r", "tab"],
        |state, _| step(state, 1),
    )
    .hint("earlier"),
    Command::new(
        Context::Recall,
        "recall.previous",
        "The call after it",
        &["up", "ctrl-p", "backtab"],
        |state, _| step(state, -1),
    ),
    Command::new(
        Context::Recall,
        "recall.close",
        "Leave the form as it is",
        &["esc"],
        |state, _| {
            state.layers.pop();
        },
    )
    .hint("close"),
];

fn step(state: &mut State, by: isize) {
    if let Some(Layer::Recall(recall)) = state.layers.last_mut() {
        recall.at = table::step(&recall.found, recall.at, by);
    }
}

fn fill(state: &mut State, out: &mut Out) {
    let Some(Layer::Recall(recall)) = state.layers.last() else {
        return;
    };
    let Some(entry) = recall.at.and_then(|at| recall.calls.get(at)).cloned() else {
        return;
    };
    state.layers.pop();
    state.on_screen(out, |screen, _| {
        if let Screen::Tool(screen) = screen {
            screen.recall(&entry);
        }
    });
}

/// Earlier calls of a tool.
#[derive(Debug)]
pub(crate) struct Recall {
    peer: String,
    tool: String,
    search: Input,
    reading: Option<RequestId>,
    trouble: Option<String>,
    /// The newest first, each only once.
    calls: Vec<Entry>,
    found: Vec<usize>,
    at: Option<usize>,
}

impl Recall {
    /// The earlier calls of this tool; they are being read.
    pub(crate) fn new(cx: &mut Cx, peer: &str, tool: &str) -> Self {
        let account = cx.caller();
        let reading = cx.on_behalf(Owner::App).run(Work::History(account));
        Recall {
            peer: peer.to_owned(),
            tool: tool.to_owned(),
            search: Input::line(""),
            reading: Some(reading),
            trouble: None,
            calls: Vec::new(),
            found: Vec::new(),
            at: None,
        }
    }

    /// The calls are read.
    pub(crate) fn answered(&mut self, request: RequestId, outcome: &Outcome) {
        let Outcome::History(result) = outcome else {
            return;
        };
        if self.reading.take_if(|waited| *waited == request).is_none() {
            return;
        }
        match result {
            Ok(remembered) => {
                let entries = remembered.entries.iter();
                for entry in
                    entries.filter(|entry| entry.peer == self.peer && entry.tool == self.tool)
                {
                    // A preview and what was applied after it are one.
                    let arguments = words::arguments(&entry.arguments);
                    let is_there = |other: &Entry| words::arguments(&other.arguments) == arguments;
                    if !self.calls.iter().any(is_there) {
                        self.calls.push(entry.clone());
                    }
                }
                self.find();
            }
            Err(error) => self.trouble = Some(error.to_string()),
        }
    }

    /// Whether they are being read.
    pub(crate) fn is_busy(&self) -> bool {
        self.reading.is_some()
    }

    fn find(&mut self) {
        let mut matcher = Matcher::new(Config::DEFAULT);
        let text = self.search.text();
        let pattern = Pattern::parse(&text, CaseMatching::Ignore, Normalization::Smart);
        let mut buffer = Vec::new();
        let calls = self.calls.iter().enumerate();
        let mut found: Vec<(u32, usize)> = calls
            .filter_map(|(at, entry)| {
                let words = words::searched(entry);
                let score = pattern.score(Utf32Str::new(&words, &mut buffer), &mut matcher)?;
                Some((score, at))
            })
            .collect();
        // Without words all are alike, and stay in their order.
        found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        self.found = found.into_iter().map(|(_, at)| at).collect();
        self.at = self.found.first().copied();
    }

    /// A key for the search field.
    pub(crate) fn key(&mut self, key: KeyEvent) {
        if self.search.key(key) {
            self.find();
        }
    }

    /// Pasted text for the search field.
    pub(crate) fn paste(&mut self, text: &str) {
        self.search.paste(text);
        self.find();
    }

    /// Draws them.
    pub(crate) fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.theme;
        let title = format!("Earlier calls of {}", fit(&self.tool, 40));
        let inner = panel::card(frame, theme, area, 76, 18, &title);
        let [search, list, said] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(1),
        ])
        .areas(inner);
        self.search
            .draw(frame, search, Style::new().underlined(), true);
        if self.found.is_empty() {
            let line = match (&self.trouble, self.is_busy(), self.calls.is_empty()) {
                (Some(trouble), ..) => Line::styled(format!("✗ {}", clean(trouble)), theme.bad),
                (None, true, _) => waiting(shared, "reading…"),
                (None, false, true) => Line::styled("It was not called from here yet.", theme.dim),
                (None, false, false) => {
                    let words = format!("Nothing with “{}”.", clean(&self.search.text()));
                    Line::styled(words, theme.dim)
                }
            };
            frame.render_widget(line, list);
            return;
        }
        let at = self.found.iter().position(|at| Some(*at) == self.at);
        let columns = [
            Column::fixed("", 12),
            Column::fixed("", 2),
            Column::share("", 1),
        ];
        table::draw(frame, list, theme, &columns, self.found.len(), at, |at| {
            let entry = &self.calls[self.found[at]];
            let (mark, _) = words::outcome(entry);
            let arguments = match words::arguments(&entry.arguments) {
                none if none.is_empty() => "without arguments".to_owned(),
                some => some,
            };
            Row::new()
                .cell(moment(entry.at, shared.now, &shared.zone))
                .styled(mark.glyph(), mark.style(theme))
                .cell(arguments)
        });
        let entry = self.at.and_then(|at| self.calls.get(at));
        if let Some(words) = entry.and_then(words::not_kept) {
            let words = fit(&words, said.width.into());
            frame.render_widget(Line::styled(words, theme.warn), said);
        }
    }
}
