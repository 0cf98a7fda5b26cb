//! The list of earlier calls of a tool, searchable by arguments.

use crossterm::event::KeyEvent;
use frontdesk_client::history::{Keep, RecordedCall};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;

use crate::app::cx::{Cx, Out};
use crate::app::effects::effect::{Outcome, Owner, RequestId, Work};
use crate::app::input::command::{Command, Context};
use crate::app::layer::{Layer, step};
use crate::app::state::State;
use crate::filling::CallScreen;
use crate::filling::recorded::{self, IS_OFF};
use crate::look::text::{clean, fit};
use crate::look::time::moment;
use crate::ui::frame::waiting;
use crate::ui::panel;
use crate::ui::search_list::SearchList;
use crate::ui::table::{Column, Row};

pub(crate) static RECALL: Context = Context::layer("Earlier calls of a tool");

pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        &RECALL,
        "recall.fill",
        "Fill in the selected call",
        &["enter"],
        fill,
    )
    .hint("fill in"),
    Command::new(
        &RECALL,
        "recall.next",
        "The call before it",
        &["down", "ctrl-n", "ctrl-r", "tab"],
        |state, _| step(state, 1),
    )
    .hint("earlier"),
    Command::new(
        &RECALL,
        "recall.previous",
        "The call after it",
        &["up", "ctrl-p", "backtab"],
        |state, _| step(state, -1),
    ),
    Command::new(&RECALL, "recall.close", "Cancel", &["esc"], |state, _| {
        state.layers.pop();
    })
    .hint("close"),
];

fn fill(state: &mut State, out: &mut Out) {
    let Some(recall) = state.on_top::<Recall>() else {
        return;
    };
    let Some(entry) = recall.selected().cloned() else {
        return;
    };
    state.layers.pop();
    state.act::<CallScreen>(out, |screen, _| {
        screen.recall(&entry);
    });
}

/// The list of earlier calls.
#[derive(Debug)]
pub(crate) struct Recall {
    peer: String,
    tool: String,
    /// The indices of the matches.
    pub(crate) list: SearchList<usize>,
    reading: Option<RequestId>,
    trouble: Option<String>,
    /// The history is switched off.
    is_off: bool,
    /// The newest first, without duplicates.
    calls: Vec<RecordedCall>,
}

impl Recall {
    /// The earlier calls of this tool; they are being read.
    pub(crate) fn new(cx: &mut Cx, peer: &str, tool: &str) -> Self {
        let account = cx.caller();
        let reading = cx.on_behalf(Owner::App).run(Work::History(account));
        Recall {
            peer: peer.to_owned(),
            tool: tool.to_owned(),
            list: SearchList::new(),
            reading: Some(reading),
            trouble: None,
            is_off: false,
            calls: Vec::new(),
        }
    }

    fn find(&mut self) {
        let calls = self.calls.iter().enumerate();
        let words = calls.map(|(at, entry)| (recorded::searched(entry), at));
        self.list.find(words, None);
    }

    fn selected(&self) -> Option<&RecordedCall> {
        self.calls.get(self.list.selected()?)
    }
}

impl Layer for Recall {
    fn context(&self) -> &'static Context {
        &RECALL
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

    fn answered(&mut self, _: &mut Cx, request: RequestId, outcome: &Outcome) {
        let Outcome::History(result) = outcome else {
            return;
        };
        if self.reading.take_if(|waited| *waited == request).is_none() {
            return;
        }
        match result {
            Ok(remembered) => {
                self.is_off = remembered.keep == Keep::Off;
                let entries = remembered.entries.iter();
                for entry in
                    entries.filter(|entry| entry.peer == self.peer && entry.tool == self.tool)
                {
                    // A preview and its application count once.
                    let arguments = recorded::arguments(&entry.arguments);
                    let is_there =
                        |other: &RecordedCall| recorded::arguments(&other.arguments) == arguments;
                    if !self.calls.iter().any(is_there) {
                        self.calls.push(entry.clone());
                    }
                }
                self.find();
            }
            Err(error) => self.trouble = Some(error.to_string()),
        }
    }

    fn is_busy(&self) -> bool {
        self.reading.is_some()
    }

    fn draw(&self, state: &State, frame: &mut Frame, area: Rect) {
        let shared = &state.shared;
        let theme = &shared.theme;
        let title = format!("Earlier calls of {}", fit(&self.tool, 40));
        let inner = panel::card(frame, theme, area, 76, 18, &title);
        let [search, list, said] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(1),
        ])
        .areas(inner);
        self.list.draw_field(theme, frame, search);
        if self.list.found().is_empty() {
            let line = match (&self.trouble, self.is_busy(), self.calls.is_empty()) {
                (Some(trouble), ..) => Line::styled(format!("✗ {}", clean(trouble)), theme.bad),
                (None, true, _) => waiting(shared, "reading…"),
                (None, false, true) if self.is_off => Line::styled(IS_OFF, theme.dim),
                (None, false, true) => Line::styled("No earlier calls", theme.dim),
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
            let entry = &self.calls[at];
            let (mark, _) = recorded::outcome(entry);
            let arguments = match recorded::arguments(&entry.arguments) {
                none if none.is_empty() => "without arguments".to_owned(),
                some => some,
            };
            Row::new()
                .cell(moment(entry.at, shared.now, &shared.zone))
                .styled(mark.glyph(), mark.style(theme))
                .cell(arguments)
        });
        if let Some(words) = self.selected().and_then(recorded::not_kept) {
            let words = fit(&words, said.width.into());
            frame.render_widget(Line::styled(words, theme.warn), said);
        }
    }
}
