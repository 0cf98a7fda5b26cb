//! Drawing of a plan's tasks with their changes.

use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::text::{Line, Span};

use super::changes::{Change, summary};
use super::tasks::PlanTasks;
use crate::app::shared::Shared;
use crate::fields::cell;
use crate::look::mark::Mark;
use crate::look::text::{clean, count};
use crate::records::record::Record;
use crate::screens::work::task::due;
use crate::ui::frame::waiting;
use crate::ui::panel::{self, framed, said_height};
use crate::ui::problem::Problem;
use crate::ui::table::{self, Column, Row};

impl PlanTasks {
    pub(super) fn draw_all(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.settings.theme;
        let said = self.said(shared);
        let [head, said_area, body] =
            Layout::vertical([Length(1), Length(said_height(&said, area)), Fill(1)]).areas(area);
        let mut line = Line::from(Span::styled(self.name(), theme.title));
        if let Some(plan) = self.plan.value() {
            let state = cell::state(plan.text("status").unwrap_or_default());
            line.push_span(Span::raw("  "));
            line.push_span(Span::styled(state.text, state.tone.style(theme)));
            let slug = clean(plan.text("slug").unwrap_or_default()).into_owned();
            line.push_span(Span::styled(format!("  {slug}"), theme.dim));
        }
        frame.render_widget(line, head);
        panel::said(frame, said, said_area);
        match self.is_reviewed {
            true => self.draw_changes(shared, frame, body),
            false => self.draw_tasks(shared, frame, body),
        }
    }

    /// The state, and the keys for the next step.
    fn said(&self, shared: &Shared) -> Vec<Line<'static>> {
        let theme = &shared.settings.theme;
        let mut lines = Vec::new();
        if let (Some(error), true) = (self.plan.error(), self.plan.value().is_some()) {
            let words = Problem::of(error).line();
            lines.push(Mark::Bad.span(theme, &clean(&words)).into());
        }
        if let Some(meanwhile) = &self.meanwhile {
            let mut words = format!("Somebody else has changed this plan: {meanwhile}.");
            if self.is_changed() {
                words.push_str(" Sending overwrites their changes.");
            }
            lines.push(Mark::Warn.span(theme, &words).into());
        }
        if self.is_reviewed {
            lines.push(Line::from(vec![
                panel::key(shared, "plan_tasks.send"),
                Span::raw(" send · "),
                panel::key(shared, "plan_tasks.theirs"),
                Span::raw(" discard · "),
                panel::key(shared, "app.back"),
                Span::raw(" keep editing"),
            ]));
        } else if self.is_changed() {
            let words = format!("not sent yet: {}. ", summary(&self.changes()));
            lines.push(Line::from(vec![
                Mark::Waiting.span(theme, &words),
                panel::key(shared, "plan_tasks.review"),
                Span::raw(" review and send"),
            ]));
        }
        lines
    }

    fn draw_tasks(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.settings.theme;
        let title = match self.not_there() {
            None => format!(
                " {} in this order ",
                count(self.tasks.len(), "task", "tasks")
            ),
            Some(_) => " Tasks ".to_owned(),
        };
        let inside = framed(frame, area, title, theme.border);
        if self.tasks.is_empty() {
            match self.plan.error() {
                Some(error) => panel::failed(frame, shared, inside, error),
                None if self.not_there().is_some() => {
                    panel::note(frame, inside, waiting(shared, "asking the host"))
                }
                None => {
                    let words = format!(
                        "No tasks yet. Press {} to add some.",
                        shared.settings.keymap.key("plan_tasks.add")
                    );
                    panel::note(frame, inside, Line::styled(words, theme.dim));
                }
            }
            return;
        }
        let changes = self.changes();
        let columns = [
            Column::fixed("", 1),
            Column::fixed("", 3).right(),
            Column::whole("No."),
            Column::name("Task"),
            Column::whole("Status"),
            Column::whole("Due"),
            Column::text("Owner"),
        ];
        let row = |at: usize| {
            let task = &self.tasks[at];
            let change = changes.iter().find(|(id, _)| *id == task.id());
            let sign = change.map_or("", |(_, change)| sign(*change));
            let status = cell::state(task.text("status").unwrap_or_default());
            let due = due(task, shared);
            let owner = task.text("owner_id");
            let owner = owner.map_or(cell::Cell::new(""), |id| cell::name(id, shared));
            Row::new()
                .styled(sign, theme.warn)
                .styled(format!("{}.", at + 1), theme.dim)
                .styled(text(task, "identifier"), theme.dim)
                .cell(text(task, "name"))
                .styled(status.text, status.tone.style(theme))
                .styled(due.text, due.tone.style(theme))
                .styled(owner.text, owner.tone.style(theme))
        };
        let (len, at) = (self.tasks.len(), self.at());
        table::draw(frame, inside, shared, &columns, len, at, row);
    }

    fn draw_changes(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.settings.theme;
        let changes = self.changes();
        let title = match changes.is_empty() {
            true => " No changes ".to_owned(),
            false => format!(" {} ", summary(&changes)),
        };
        let inside = framed(frame, area, title, theme.border);
        let columns = [
            Column::fixed("", 1),
            Column::whole(""),
            Column::name(""),
            Column::text(""),
        ];
        let selected = changes.iter().position(|(id, _)| {
            let at = self.at().map(|at| self.tasks[at].id());
            at == Some(*id)
        });
        let row = |at: usize| {
            let (id, change) = changes[at];
            let mut tasks = self.tasks.iter().chain(&self.base);
            let Some(task) = tasks.find(|task| task.id() == id) else {
                return Row::new();
            };
            let (words, style) = match change {
                Change::Added { to } => (format!("added as {}.", to + 1), theme.good),
                Change::Moved { from, to } => (
                    format!("moved from {}. to {}.", from + 1, to + 1),
                    theme.warn,
                ),
                Change::TakenAway { .. } => ("removed".to_owned(), theme.bad),
            };
            Row::new()
                .styled(sign(change), style)
                .styled(text(task, "identifier"), theme.dim)
                .cell(text(task, "name"))
                .styled(words, style)
        };
        let len = changes.len();
        table::draw(frame, inside, shared, &columns, len, selected, row);
    }
}

/// `+`, `~` or `-`.
fn sign(change: Change) -> &'static str {
    match change {
        Change::Added { .. } => "+",
        Change::Moved { .. } => "~",
        Change::TakenAway { .. } => "-",
    }
}

fn text(task: &Record, field: &str) -> String {
    clean(task.text(field).unwrap_or_default()).into_owned()
}
