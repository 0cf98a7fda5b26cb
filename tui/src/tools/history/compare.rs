//! The comparison of two results of the history.

use frontdesk_client::history::{CallOutcome, RecordedCall};
use frontdesk_protocol::exact;
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use serde_json::Value;
use similar::{ChangeTag, TextDiff};

use crate::app::cx::Cx;
use crate::app::effects::call::ToolCall;
use crate::app::effects::job::Outcome;
use crate::app::history::ReadHistory;
use crate::app::input::command::Context;
use crate::app::owner::RequestId;
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::look::mark::Mark;
use crate::look::text::{clean, count, fit};
use crate::look::time::{clock_seconds, moment};
use crate::ui::frame::waiting;
use crate::ui::panel::INSET;
use crate::ui::wrap::wrapped;

pub(crate) static COMPARE: Context = Context::list("Comparison of two results");

/// Height of header, footer, the lines above the differences, and an empty line.
const AROUND: u16 = 6;

/// Number of equal lines shown around a difference.
const CONTEXT: usize = 3;

/// The comparison of two results.
#[derive(Debug)]
pub(crate) struct CompareScreen {
    tool: String,
    peer: String,
    state: State,
    top: usize,
}

#[derive(Debug)]
enum State {
    /// The history is being read, or will be.
    Looking(Option<RequestId>),
    /// A comparison is not possible.
    Nothing(String),
    /// The older and the newer call, and the lines.
    Two(Box<(RecordedCall, RecordedCall, Vec<DiffLine>)>),
}

/// A line of a result, and whether it is only in the older or the newer one.
#[derive(Debug)]
struct DiffLine {
    sign: &'static str,
    text: String,
}

impl CompareScreen {
    /// Compares two calls of the history, the older one first.
    pub(super) fn between(older: RecordedCall, newer: RecordedCall) -> Self {
        CompareScreen {
            tool: newer.tool.clone(),
            peer: newer.peer.clone(),
            state: State::of(older, newer),
            top: 0,
        }
    }

    /// Compares this call, the last one of its tool, with the previous one that has the same
    /// arguments.
    pub(super) fn with_previous(call: &ToolCall) -> Self {
        CompareScreen {
            tool: call.tool.clone(),
            peer: call.peer.name().to_owned(),
            state: State::Looking(None),
            top: 0,
        }
    }

    fn found(&self, entries: Vec<RecordedCall>) -> State {
        let mut calls = entries.into_iter().filter(|entry| {
            entry.peer == self.peer && entry.tool == self.tool && entry.outcome == CallOutcome::Done
        });
        let Some(newer) = calls.next() else {
            return State::Nothing("This call is not in the history.".to_owned());
        };
        match calls.find(|entry| entry.arguments == newer.arguments) {
            Some(older) => State::of(older, newer),
            None => State::Nothing("No earlier call has these arguments.".to_owned()),
        }
    }

    /// Copies the differences as shown.
    pub(super) fn copy(&self, cx: &mut Cx) {
        if let State::Two(two) = &self.state {
            let lines = two
                .2
                .iter()
                .map(|edit| format!("{}{}", edit.sign, clean(&edit.text)));
            let text = lines.collect::<Vec<_>>().join("\n");
            cx.copy(text, "the differences");
        }
    }

    fn lines(&self, width: usize) -> Vec<(&'static str, String)> {
        let State::Two(two) = &self.state else {
            return Vec::new();
        };
        let edit = two.2.iter();
        edit.flat_map(|edit| {
            let lines = wrapped(&edit.text, width.saturating_sub(2)).into_iter();
            lines.enumerate().map(move |(at, line)| match at {
                0 => (edit.sign, format!("{}{line}", edit.sign)),
                _ => (edit.sign, format!("  {line}")),
            })
        })
        .collect()
    }

    fn last_top(&self, shared: &Shared) -> usize {
        let width = usize::from(shared.size.width.saturating_sub(2));
        let height = usize::from(shared.size.height.saturating_sub(AROUND));
        self.lines(width).len().saturating_sub(height)
    }
}

impl State {
    fn of(older: RecordedCall, newer: RecordedCall) -> State {
        let value = |entry: &RecordedCall| entry.result.as_ref()?.value.clone();
        match (value(&older), value(&newer)) {
            (Some(before), Some(after)) => {
                let edit = differences(&before, &after);
                State::Two(Box::new((older, newer, edit)))
            }
            _ => State::Nothing("One of the results was too long to be kept.".to_owned()),
        }
    }
}

/// The different lines of both results with their context; empty if there are none.
fn differences(before: &Value, after: &Value) -> Vec<DiffLine> {
    let (before, after) = (exact::pretty(before), exact::pretty(after));
    let diff = TextDiff::from_lines(&before, &after);
    let mut lines = Vec::new();
    for (at, group) in diff.grouped_ops(CONTEXT).iter().enumerate() {
        let edit = |sign, text: &str| DiffLine {
            sign,
            text: text.to_owned(),
        };
        if at > 0 {
            lines.push(edit("  ", "⋮"));
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let sign = match change.tag() {
                ChangeTag::Equal => "  ",
                ChangeTag::Delete => "- ",
                ChangeTag::Insert => "+ ",
            };
            lines.push(edit(sign, change.value().trim_end_matches('\n')));
        }
    }
    lines
}

impl Screen for CompareScreen {
    fn context(&self) -> &'static Context {
        &COMPARE
    }

    fn crumb(&self) -> String {
        "Compare".to_owned()
    }

    fn shown(&mut self, cx: &mut Cx) {
        if let State::Looking(None) = self.state {
            let account = cx.caller();
            self.state = State::Looking(Some(cx.run(ReadHistory(account))));
        }
    }

    fn answered(&mut self, _: &mut Cx, request: RequestId, mut outcome: Outcome) {
        if let State::Looking(Some(waited)) = self.state
            && let Some(ended) = outcome.take::<ReadHistory>()
            && waited == request
        {
            self.state = match ended.result {
                Ok(remembered) => self.found(remembered.entries),
                Err(error) => State::Nothing(format!("The history cannot be read: {error}")),
            };
        }
    }

    fn step(&mut self, cx: &mut Cx, by: isize) {
        let last = self.last_top(cx.shared);
        self.top = self.top.min(last).saturating_add_signed(by).min(last);
    }

    fn is_busy(&self) -> bool {
        matches!(self.state, State::Looking(_))
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.settings.theme;
        let [head, sides, said, _, body] =
            Layout::vertical([Length(1), Length(1), Length(1), Length(1), Fill(1)]).areas(area);
        let title = Line::from(vec![
            Span::styled(format!(" {} ", clean(&self.peer)), theme.dim),
            Span::styled(clean(&self.tool).into_owned(), theme.title),
        ]);
        frame.render_widget(title, head);
        let two = match &self.state {
            State::Looking(_) => return frame.render_widget(waiting(shared, "reading"), body),
            State::Nothing(why) => {
                let words = format!(" {}", fit(why, usize::from(body.width).saturating_sub(1)));
                return frame.render_widget(Line::raw(words), body);
            }
            State::Two(two) => two,
        };
        let (older, newer, edit) = two.as_ref();
        let when = |entry: &RecordedCall| moment(entry.at, shared.now, &shared.locale);
        let mut times = [when(older), when(newer)];
        if times[0] == times[1] {
            times = [older, newer].map(|entry| clock_seconds(entry.at, &shared.locale));
        }
        let mut words = format!(" from {} to {}", times[0], times[1]);
        let is_partial = [older, newer]
            .iter()
            .filter_map(|entry| entry.result.as_ref())
            .any(|result| result.is_cut || result.is_redacted);
        if is_partial {
            words.push_str(" · only the kept parts are compared");
        }
        frame.render_widget(Line::styled(words, theme.dim), sides);
        frame.render_widget(summary(edit, shared), said);
        let lines = self.lines(usize::from(body.width.saturating_sub(2)));
        let top = self.top.min(lines.len().saturating_sub(1));
        let places = body.inner(INSET).rows();
        for ((sign, line), place) in lines.iter().skip(top).zip(places) {
            let style = match *sign {
                "+ " => theme.good,
                "- " => theme.bad,
                _ => Style::new(),
            };
            frame.render_widget(Line::styled(line.as_str(), style), place);
        }
    }
}

/// The number of different lines.
fn summary(edit: &[DiffLine], shared: &Shared) -> Line<'static> {
    let number = |sign: &str| edit.iter().filter(|edit| edit.sign == sign).count();
    match (number("+ "), number("- ")) {
        (0, 0) => Line::from(vec![
            Span::raw(" "),
            Mark::Good.span(&shared.settings.theme, "No differences"),
        ]),
        (new, gone) => Line::raw(format!(
            " {} new · {gone} gone",
            count(new, "line", "lines")
        )),
    }
}
