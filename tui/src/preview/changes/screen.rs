//! The screen of a preview: the rows that a call would change. It makes the call after a question.

use std::collections::BTreeSet;
use std::fmt;

use frontdesk_client::CallError;
use frontdesk_protocol::ToolError;
use frontdesk_protocol::changes::{Changes, RowOperation};
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::text::{Line, Span};
use serde::Deserialize;

use super::commands::CHANGES;
use super::preview::Preview;
use super::rows::{Rows, rows_left, want_names};
use super::words::{self, Tense};
use crate::app::cx::{Cx, News, Out};
use crate::app::effects::call::{Answer, ToolCall};
use crate::app::input::command::Context;
use crate::app::owner::RequestId;
use crate::app::peer::{Peer, Reply};
use crate::app::remote::Remote;
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::app::state::{State, Typing};
use crate::look::mark::Mark;
use crate::look::text::{clean, count, fit, sentence};
use crate::preview::banner::{self, Words};
use crate::preview::{Gone, Machine, Phase, Previewed};
use crate::ui::confirm::Confirm;
use crate::ui::frame::waiting;
use crate::ui::panel::{self, framed};
use crate::ui::trouble::trouble;
use crate::ui::typed::Typed;

/// Maximum number of lines for differences from what was shown.
const MOST: usize = 6;

/// What is called, in words.
#[derive(Debug, Clone)]
pub(crate) struct Subject {
    /// The title of the tool: "Delete stage".
    pub(crate) title: String,
    /// The name of the record that it acts on.
    pub(crate) name: Option<String>,
    /// Whether the tool deletes or overwrites data: the question comes with the preview.
    pub(crate) is_destructive: bool,
    /// Whether the screen shows a refusal, instead of leaving with it.
    pub(crate) stays: bool,
}

/// The details of a refusal: the rows that are not as the call expects them.
#[derive(Debug, Deserialize)]
struct Differing {
    changes: Changes,
}

/// Handles the answer to the call, or the refusal to preview it, after the screen was left.
type Then = Box<dyn FnOnce(&mut State, &mut Out, Result<Reply, ToolError>)>;

/// The preview of a call.
pub(crate) struct PreviewScreen {
    subject: Subject,
    machine: Machine<Preview>,
    rows: Rows,
    /// The question is asked as soon as the preview is there.
    asks: bool,
    /// The kinds of the records that the confirmed call changes.
    touched: BTreeSet<&'static str>,
    /// The kinds and ids of those that it deletes.
    deleted: Vec<(&'static str, String)>,
    /// The user ends an undo in steps after this one.
    stops: bool,
    /// Rows in a refusal.
    differing: Option<Changes>,
    then: Option<Then>,
}

impl fmt::Debug for PreviewScreen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreviewScreen")
            .field("subject", &self.subject)
            .field("machine", &self.machine)
            .finish_non_exhaustive()
    }
}

impl PreviewScreen {
    /// Previews this call. A preview and its call have the same idempotency key.
    pub(crate) fn new(
        subject: Subject,
        mut call: ToolCall,
        cx: &mut Cx,
        then: impl FnOnce(&mut State, &mut Out, Result<Reply, ToolError>) + 'static,
    ) -> Self {
        call.options.idempotency_key = Some(cx.shared.key_of(&call));
        PreviewScreen {
            asks: subject.is_destructive,
            subject,
            machine: Machine::new(call),
            rows: Rows::default(),
            touched: BTreeSet::new(),
            deleted: Vec::new(),
            stops: false,
            differing: None,
            then: Some(Box::new(then)),
        }
    }

    fn changes(&self) -> Option<&Changes> {
        self.machine.shown().map(|plan| &plan.changes)
    }

    /// The rows that differ from those that the call expects.
    fn differing(&self) -> Option<&Changes> {
        self.differing.as_ref().filter(|_| self.changes().is_none())
    }

    /// The rows on the screen.
    fn listed(&self) -> Option<&Changes> {
        self.changes().or_else(|| self.differing())
    }

    /// Why the call cannot be made now.
    pub(super) fn no_apply(&self) -> Option<String> {
        let why = self
            .machine
            .too_late()
            .or_else(|| self.machine.no_true_plan());
        why.map(str::to_owned)
    }

    pub(super) fn has_no_rows(&self) -> bool {
        self.listed().is_none_or(Changes::is_empty)
    }

    /// Shows or hides the fields of the selected row.
    pub(super) fn toggle(&mut self) {
        if let Some(changes) = self.listed().cloned() {
            self.rows.toggle(&changes);
        }
    }

    /// Makes the call, after a question if it is destructive. If more than one record is deleted,
    /// a name has to be typed.
    pub(super) fn confirm(&mut self, cx: &mut Cx) {
        let Some(plan) = self.machine.confirm() else {
            return;
        };
        let changes = &plan.changes;
        let body = words::sentences(changes, Tense::Preview);
        self.touched = words::kinds(changes);
        self.deleted = words::deleted(changes);
        if !self.subject.is_destructive {
            return self.machine.apply(cx, true);
        }
        let is_host = matches!(plan.choice().peer, Peer::Host(_));
        match deleted(changes) > 1 && is_host {
            true => {
                let name = self.subject.name.as_ref().unwrap_or(&plan.choice().tool);
                let title = format!("{}?", fit(&clean(&self.subject.title), 60));
                cx.raise(
                    Typed::new(title, body, &clean(name), |state, out| {
                        state.act(out, PreviewScreen::apply);
                    })
                    .asking_for("name"),
                );
            }
            false => cx.raise(Confirm {
                title: format!("{}?", fit(&self.headline(), 54)),
                body: body.join("\n"),
                then: |state, out| state.act(out, PreviewScreen::apply),
            }),
        }
    }

    fn apply(&mut self, cx: &mut Cx) {
        self.machine.apply(cx, true);
    }

    /// "Delete stage “Kick-off”"
    fn headline(&self) -> String {
        let title = clean(&self.subject.title);
        match &self.subject.name {
            Some(name) => format!("{title} “{}”", clean(name)),
            None => title.into_owned(),
        }
    }

    /// Leaves the screen after the call was made, or if it is refused at once.
    fn leave_if_done(&mut self, cx: &mut Cx) {
        let result = match (&self.machine.phase, &self.machine.preview) {
            (Phase::Done(done), _) if rows_left(&done.plan.reply) > 0 && !self.stops => {
                return self.next_step(cx);
            }
            (Phase::Done(done), _) => Ok(done.plan.reply.clone()),
            (
                Phase::Choosing,
                Remote::Failed {
                    previous: None,
                    error: CallError::Tool(refusal),
                },
            ) if !self.subject.stays => Err(refusal.clone()),
            _ => return,
        };
        if let Some(then) = self.then.take() {
            // A call can change records of other kinds than its tool declares.
            for kind in &self.touched {
                cx.tell_outdated(kind);
            }
            for (kind, id) in std::mem::take(&mut self.deleted) {
                let kind = kind.to_owned();
                cx.tell(News::Deleted { kind, id });
            }
            cx.back();
            cx.then(move |state, out| then(state, out, result));
        }
    }

    /// Previews the next step of what was confirmed, and applies it.
    fn next_step(&mut self, cx: &mut Cx) {
        let mut call = self.machine.choice.clone();
        call.options.idempotency_key = Some(cx.shared.key_of(&call));
        self.machine = Machine::new(call);
        self.asks = true;
        self.machine.ask(cx);
    }

    fn head(&self, shared: &Shared, width: usize) -> Vec<Line<'static>> {
        let theme = &shared.settings.theme;
        let mut first = vec![Span::styled(
            format!("{}  ", fit(&self.headline(), width.saturating_sub(34))),
            theme.title,
        )];
        match self.no_apply() {
            Some(_) if self.differing().is_some() => {}
            Some(why) => first.push(Mark::Warn.span(theme, &why)),
            None => {
                first.push(Mark::Waiting.span(theme, "not done yet: "));
                first.push(panel::key(shared, "changes.apply"));
                first.push(Span::raw(" does exactly this"));
            }
        }
        let mut lines = vec![Line::from(first)];
        if let Some(changes) = self.changes() {
            let summary = words::summary(changes, Tense::Preview).into_iter();
            lines.extend(summary.map(|(operation, words)| {
                let style = match operation {
                    Some(RowOperation::Delete) => theme.bad,
                    _ => theme.base,
                };
                Line::styled(words, style)
            }));
        }
        let left = self
            .machine
            .shown()
            .map_or(0, |plan| rows_left(&plan.reply));
        if left > 0 {
            let rows = count(left, "more row", "more rows");
            let words = format!("{rows} in further steps, each previewed first: esc ends them");
            lines.push(Line::styled(words, theme.warn));
        }
        lines
    }

    fn status(&self, shared: &Shared) -> Vec<Line<'static>> {
        match &self.machine.phase {
            Phase::Applying { .. } => return vec![waiting(shared, "applying")],
            Phase::Gone(gone) => {
                let words = match gone {
                    Gone::AfterLoss => {
                        "! The answer was lost. The record no longer exists: your call or somebody \
                         else removed it."
                    }
                    Gone::Meanwhile | Gone::NeverSeen => {
                        "! The record does not exist, or you cannot see it. You have changed nothing."
                    }
                };
                return vec![Line::styled(words, shared.settings.theme.warn)];
            }
            _ => {}
        }
        let peer = &self.machine.choice.peer;
        let words = Words {
            apply: "changes.apply",
            problem: &|error| trouble(error, peer, true),
        };
        if self.differing().is_some()
            && let Some(CallError::Tool(refusal)) = self.machine.preview.error()
        {
            let words = format!("✗ {}.", clean(&sentence(&refusal.message)));
            return vec![Line::styled(words, shared.settings.theme.bad)];
        }
        if let Some(banner) = banner::of(&self.machine, &words, shared, MOST) {
            return std::iter::once(banner.title).chain(banner.lines).collect();
        }
        match self.machine.preview.is_loading() {
            true => vec![waiting(shared, "asking what would change")],
            false => Vec::new(),
        }
    }
}

/// The number of deleted rows that are records of a kind, or that the caller cannot see.
fn deleted(changes: &Changes) -> u64 {
    let is_record = |kind: &Option<String>| kind.is_some();
    let rows = changes.rows.iter();
    let rows = rows.filter(|row| row.operation == RowOperation::Delete && is_record(&row.kind));
    let more = changes.more.iter();
    let more = more.filter(|more| more.operation == RowOperation::Delete);
    rows.count() as u64 + more.map(|more| more.count).sum::<u64>()
}

impl Screen for PreviewScreen {
    fn context(&self) -> &'static Context {
        &CHANGES
    }

    fn crumb(&self) -> String {
        "Preview".to_owned()
    }

    fn shown(&mut self, cx: &mut Cx) {
        if self.machine.is_open() && self.machine.preview.value().is_none() {
            self.machine.ask(cx);
        }
    }

    fn refresh(&mut self, cx: &mut Cx) {
        self.machine.refresh(cx);
    }

    fn tool_answered(&mut self, cx: &mut Cx, request: RequestId, answer: Answer) {
        self.machine.answered(cx, request, &answer);
        self.differing = match self.machine.preview.error() {
            Some(CallError::Tool(refusal)) => refusal
                .details::<Differing>()
                .map(|differing| differing.changes),
            _ => None,
        };
        if let Some(changes) = self.listed() {
            want_names(cx, changes);
        }
        self.leave_if_done(cx);
        if self.machine.no_true_plan().is_none() && std::mem::take(&mut self.asks) {
            self.confirm(cx);
        }
    }

    fn notified(&mut self, cx: &mut Cx, news: &News) {
        self.machine.notified(cx, news);
    }

    fn step(&mut self, _: &mut Cx, by: isize) {
        if let Some(changes) = self.listed().cloned() {
            self.rows.step(&changes, by);
        }
    }

    fn escape(&mut self, cx: &mut Cx) -> bool {
        self.stops = true;
        self.machine.keeps(cx)
    }

    fn is_busy(&self) -> bool {
        self.machine.is_busy()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let head = self.head(shared, area.width.into());
        let status = self.status(shared);
        let [top, said, body] = Layout::vertical([
            Length(panel::said_height(&head, area)),
            Length(panel::said_height(&status, area)),
            Fill(1),
        ])
        .areas(area);
        panel::said(frame, head, top);
        panel::said(frame, status, said);
        match (self.listed(), self.machine.preview.error()) {
            (Some(changes), _) => {
                let rows = usize::try_from(words::total(changes)).unwrap_or(usize::MAX);
                let rows = count(rows, "row", "rows");
                let title = match self.changes() {
                    Some(_) => format!(" {rows} "),
                    None => format!(" {rows}: as the change left it → as it is now "),
                };
                let inside = framed(frame, body, title, shared.settings.theme.border);
                self.rows
                    .draw(changes, Tense::Preview, shared, frame, inside);
            }
            (None, Some(error)) => {
                let problem = trouble(error, &self.machine.choice.peer, true);
                panel::problem(frame, shared, body, &problem, Typing::No);
            }
            (None, None) => {}
        }
    }
}
