//! Details of the selected occurrence that its row has no room for.

use frontdesk_protocol::work::plan::{Action, Planned};
use ratatui::text::{Line, Span};

use super::super::MeetingChange;
use super::super::preview::Preview;
use crate::app::shared::Shared;
use crate::look::text::fit;
use crate::look::time::moment_in;
use crate::preview::Phase;

/// The lines, each no wider than `width`.
pub(super) fn lines(
    screen: &MeetingChange,
    plan: &Preview,
    shared: &Shared,
    width: usize,
) -> Vec<Line<'static>> {
    let day = plan
        .days
        .iter()
        .find(|day| Some(day.date) == screen.selected);
    let Some(day) = day else {
        return Vec::new();
    };
    let is_done = matches!(screen.machine.phase, Phase::Done(_));
    let (ours, theirs) = (plan.at(day.ours), plan.at(day.theirs));
    let facts = match plan.merge() {
        Some(_) => of_pair(ours, theirs),
        None => ours
            .map(|planned| of_one(planned, plan.time_zone(), is_done, shared))
            .unwrap_or_default(),
    };
    // The same width in all rows, so that the words stay in one column.
    let longest = match plan.merge() {
        Some(_) => "Merged away".len(),
        None => "Becomes".len(),
    };
    facts
        .into_iter()
        .map(|(label, text)| {
            let label = match label {
                // Two ids leave no room for more.
                "" => " Ids ".to_owned(),
                label => format!(" {label:<longest$} "),
            };
            let text = fit(&text, width.saturating_sub(label.len()));
            Line::from(vec![
                Span::styled(label, shared.settings.theme.dim),
                Span::raw(text),
            ])
        })
        .collect()
}

type Facts = Vec<(&'static str, String)>;

fn of_one(planned: &Planned, zone: &str, is_done: bool, shared: &Shared) -> Facts {
    let mut facts = vec![("Why", why(planned)), ("Id", of_ids(planned))];
    if let Some(meeting) = planned.standalone_meeting_id {
        let when = planned
            .meeting_date
            .map(|at| format!(" · {}", moment_in(at, shared.now, zone, &shared.locale)))
            .unwrap_or_default();
        let label = match planned.action {
            Action::Promote if is_done => "Became",
            Action::Promote => "Becomes",
            _ => "Meeting",
        };
        facts.push((label, format!("{meeting}{when}")));
    }
    facts
}

fn of_pair(ours: Option<&Planned>, theirs: Option<&Planned>) -> Facts {
    let mut facts = Facts::new();
    let side = |planned: &Planned| match &planned.transcriber_transcript_id {
        Some(transcript) => format!("{} · {transcript}", why(planned)),
        None => why(planned),
    };
    facts.extend(ours.map(|planned| ("Kept", side(planned))));
    facts.extend(theirs.map(|planned| ("Merged away", side(planned))));
    match (ours, theirs) {
        (Some(ours), Some(theirs)) => facts.push(("", format!("{} · {}", ours.id, theirs.id))),
        (Some(one), None) | (None, Some(one)) => {
            facts.push(("Id", format!("{} · {}", one.id, one.status)));
        }
        (None, None) => {}
    }
    facts
}

fn why(planned: &Planned) -> String {
    planned.reason.clone()
}

fn of_ids(planned: &Planned) -> String {
    let (id, status) = (planned.id, &planned.status);
    match &planned.transcriber_transcript_id {
        Some(transcript) => format!("{id} · transcript {transcript} · {status}"),
        None => format!("{id} · {status}"),
    }
}
