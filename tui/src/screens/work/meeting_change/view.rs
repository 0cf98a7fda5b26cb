//! Drawing of a plan: subject and choices, refusals and news, the occurrences, and details of the
//! selected one.

mod banner;
mod details;
mod head;
mod table;

use frontdesk_client::CallError;
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use super::MeetingChange;
use crate::app::shared::Shared;
use crate::app::state::Typing;
use crate::preview::{Gone, Phase};
use crate::ui::frame::{waiting, wrapped_height};
use crate::ui::panel::{self, titled};
use crate::ui::problem::{Problem, Remedy};

/// Lines for details of the selected occurrence.
const DETAILS: u16 = 3;
/// The table's minimum height: frame, heading and two rows.
const LEAST_TABLE: u16 = 5;

pub(super) fn draw(screen: &MeetingChange, shared: &Shared, frame: &mut Frame, area: Rect) {
    if let Phase::Gone(gone) = screen.machine.phase {
        draw_gone(screen, gone, shared, frame, area);
        return;
    }
    let head = head::lines(screen, shared, usize::from(area.width));
    let head_height = u16::try_from(head.len()).unwrap_or(u16::MAX);
    let banner = banner::of(screen, shared, area.height);
    let needed = banner.as_ref().map_or(0, |banner| {
        let inside = usize::from(area.width).saturating_sub(4);
        let height: u16 = banner
            .lines
            .iter()
            .map(|line| height_of(line, inside))
            .sum();
        height + 2
    });
    let room = area.height.saturating_sub(head_height + LEAST_TABLE);
    // Refusals are shown in full before details of a row.
    let details_height = match needed + DETAILS > room {
        true => 0,
        false => DETAILS,
    };
    let banner_height = needed.min(room - details_height.min(room));
    let [head_area, banner_area, table_area, details_area] = Layout::vertical([
        Length(head_height),
        Length(banner_height),
        Fill(1),
        Length(details_height),
    ])
    .areas(area);
    frame.render_widget(Paragraph::new(head), head_area);
    head::cursor(screen, shared, frame, head_area);
    if let Some(banner) = banner {
        let block = titled(spaced(banner.title), banner.border)
            .padding(ratatui::widgets::Padding::horizontal(1));
        let words = Paragraph::new(banner.lines)
            .wrap(Wrap { trim: false })
            .block(block);
        frame.render_widget(words, banner_area);
    }
    match screen.machine.shown() {
        Some(_) if screen.changed.is_shown && screen.machine.is_open() => {
            let area = table_area.union(details_area);
            screen.changed.draw(shared, frame, area);
        }
        Some(plan) => {
            table::draw(screen, plan, shared, frame, table_area);
            let lines = details::lines(screen, plan, shared, usize::from(area.width));
            frame.render_widget(Paragraph::new(lines), details_area);
        }
        None => {
            let preview = &screen.machine.preview;
            draw_waiting(
                preview.error(),
                preview.is_loading(),
                shared,
                frame,
                table_area,
            );
        }
    }
}

/// Adds a space on each side, for a title in a frame.
fn spaced(mut title: Line<'static>) -> Line<'static> {
    title.spans.insert(0, Span::raw(" "));
    title.push_span(" ");
    title
}

/// The height of a banner's line. Indented lines have less room.
fn height_of(line: &Line, width: usize) -> u16 {
    let text = line.to_string();
    let indent = text.len() - text.trim_start().len();
    wrapped_height(&text, width.saturating_sub(indent))
}

/// Drawn in place of something that is not loaded.
pub(super) fn draw_waiting(
    error: Option<&CallError>,
    is_loading: bool,
    shared: &Shared,
    frame: &mut Frame,
    area: Rect,
) {
    match error {
        Some(error) => {
            let problem = problem(error);
            panel::problem(frame, shared, area, &problem, Typing::No);
        }
        None if is_loading => panel::note(frame, area, waiting(shared, "loading the plan")),
        None => {}
    }
}

/// The error, and who can do what the caller cannot.
fn problem(error: &CallError) -> Problem {
    let mut problem = Problem::of(error);
    if let CallError::RateLimited { .. } = error {
        problem.help = "Ask again after that.".to_owned();
    }
    if let CallError::Forbidden(_) = error {
        problem.help =
            "Only the owner of the organisation and global admins (level 80 or above) can do this."
                .to_owned();
        // The caller may have been given a role meanwhile.
        problem.remedy = Remedy::Retry;
    }
    problem
}

fn draw_gone(screen: &MeetingChange, gone: Gone, shared: &Shared, frame: &mut Frame, area: Rect) {
    let theme = &shared.settings.theme;
    let about = screen.about();
    let (title, words) = match gone {
        Gone::NeverSeen => (
            "✗ Not found",
            format!("There is no such meeting, or you cannot see it: {about}."),
        ),
        Gone::Meanwhile => (
            "! No longer exists",
            format!("Somebody else has removed or merged it: {about}. You have changed nothing."),
        ),
        Gone::AfterLoss => (
            "! No longer exists",
            format!(
                "The host's answer was lost. {about} no longer exists, and neither does its result: somebody else was faster, or you can no longer see it. Check the list of series."
            ),
        ),
    };
    let style = match gone {
        Gone::NeverSeen => theme.bad,
        Gone::Meanwhile | Gone::AfterLoss => theme.warn,
    };
    let lines = vec![
        Line::styled(title, style.patch(theme.title)),
        Line::default(),
        Line::from(words),
        Line::default(),
        panel::hint(shared, "app.back", "go back"),
        panel::hint(shared, "app.refresh", "reload"),
    ];
    let place = panel::middle(area, area.width.saturating_sub(4).min(72), 11);
    panel::text(frame, place, lines);
}
