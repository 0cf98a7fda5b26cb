//! The occurrences, a row for each date. Only visible rows are built.

use frontdesk_protocol::work::plan::{Action, Planned};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::super::MeetingChange;
use super::super::preview::{Day, Preview};
use super::super::words::{carries, glyph, style, was, would};
use crate::app::shared::Shared;
use crate::look::text::count;
use crate::look::time::moment_in;
use crate::preview::Phase;
use crate::ui::panel::{self, framed};
use crate::ui::table::{self, Column, Row};

/// Draws the table in a box.
pub(super) fn draw(
    screen: &MeetingChange,
    plan: &Preview,
    shared: &Shared,
    frame: &mut Frame,
    area: Rect,
) {
    let theme = &shared.settings.theme;
    let is_done = matches!(screen.machine.phase, Phase::Done(_));
    // The preview is older than the last choice.
    let is_stale = screen.machine.is_open()
        && (plan.choice != screen.machine.choice || screen.is_waiting_for_a_plan());
    let days = count(plan.days.len(), "date", "dates");
    let occurrences = count(plan.occurrences().len(), "occurrence", "occurrences");
    let mut title = vec![Span::raw(match plan.merge() {
        Some(_) => format!(" {days} · {occurrences} "),
        None => format!(" {occurrences} "),
    })];
    if is_stale {
        title.push(Span::styled("· of the previous choice ", theme.dim));
    }
    let inside = framed(frame, area, Line::from(title), theme.border);
    if plan.days.is_empty() {
        let words = "No occurrences.";
        panel::note(frame, inside, Line::styled(words, theme.dim));
        return;
    }
    let selected = plan
        .days
        .iter()
        .position(|day| Some(day.date) == screen.selected);
    let columns = match (plan.merge(), is_done) {
        (Some(_), _) => of_merge(plan.conflicts() == 0, is_done),
        (None, true) => of_result(),
        (None, false) => of_plan(),
    };
    let len = plan.days.len();
    table::draw(frame, inside, shared, &columns, len, selected, |at| {
        let day = plan.days[at];
        let row = match (plan.merge(), is_done) {
            (Some(_), _) => merge_row(plan, day, is_done, shared),
            (None, true) => result_row(plan, day, shared),
            (None, false) => plan_row(plan, day, shared),
        };
        match is_stale {
            true => row.style(theme.dim),
            false => row,
        }
    });
}

fn of_plan() -> Vec<Column> {
    vec![
        Column::fixed("Date", 10),
        Column::fixed("Status", 10).only_from(100),
        Column::fixed("Transcript", 15),
        Column::fixed("Action", 19),
        Column::share("Why", 1),
    ]
}

fn of_result() -> Vec<Column> {
    vec![
        Column::fixed("Date", 10),
        Column::fixed("Result", 20),
        Column::fixed("Meeting", 36),
        Column::share("Takes place", 1).only_from(100),
    ]
}

fn of_merge(is_clean: bool, is_done: bool) -> Vec<Column> {
    let (stays, goes) = match (is_clean, is_done) {
        (true, _) => ("Kept", "Merged away"),
        (false, false) => ("Kept", "Stays because of conflicts"),
        (false, true) => ("Kept", "Stayed because of conflicts"),
    };
    vec![
        Column::fixed("Date", 10),
        Column::share(stays, 1),
        Column::share(goes, 1),
    ]
}

fn plan_row(plan: &Preview, day: Day, shared: &Shared) -> Row {
    let theme = &shared.settings.theme;
    let row = Row::new().cell(day.date.to_string());
    let Some(planned) = plan.at(day.ours) else {
        return row;
    };
    let (words, look) = match is_in_the_way(plan, planned) {
        true => ("✗ blocks it".to_owned(), theme.bad),
        false => (
            format!("{} {}", glyph(planned.action), would(planned.action)),
            style(planned.action, theme),
        ),
    };
    row.cell(planned.status.clone())
        .cell(carries(planned))
        .styled(words, look)
        .styled(planned.reason.clone(), theme.dim)
}

/// Whether a refusal names this occurrence. A refusal that requires an empty series names all of
/// them, so its mark would not help.
fn is_in_the_way(plan: &Preview, planned: &Planned) -> bool {
    plan.violations().iter().any(|violation| {
        violation.guard != frontdesk_protocol::work::plan::Guard::NotEmpty
            && violation.ids.contains(&planned.id.0)
    })
}

fn result_row(plan: &Preview, day: Day, shared: &Shared) -> Row {
    let row = Row::new().cell(day.date.to_string());
    let Some(planned) = plan.at(day.ours) else {
        return row;
    };
    let meeting = planned.standalone_meeting_id;
    let when = planned.meeting_date;
    row.styled(
        format!("{} {}", glyph(planned.action), was(planned.action)),
        style(planned.action, &shared.settings.theme),
    )
    .cell(meeting.map(|id| id.to_string()).unwrap_or_default())
    .cell(
        when.map(|at| moment_in(at, shared.now, plan.time_zone(), &shared.locale))
            .unwrap_or_default(),
    )
}

fn merge_row(plan: &Preview, day: Day, is_done: bool, shared: &Shared) -> Row {
    let theme = &shared.settings.theme;
    let side = |at: Option<usize>| match plan.at(at) {
        None => ("–".to_owned(), theme.dim),
        Some(planned) => {
            let action = planned.action;
            let words = if is_done { was(action) } else { would(action) };
            let look = match action {
                Action::Keep => Style::new(),
                action => style(action, theme),
            };
            (
                format!("{} {words} ({})", glyph(action), carries(planned)),
                look,
            )
        }
    };
    let (ours, our_look) = side(day.ours);
    let (theirs, their_look) = side(day.theirs);
    Row::new()
        .cell(day.date.to_string())
        .styled(ours, our_look)
        .styled(theirs, their_look)
}
