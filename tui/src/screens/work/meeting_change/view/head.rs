//! The lines above the table: subject, choices and totals.

use frontdesk_protocol::work::series::OccurrencePolicy;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::super::MeetingChange;
use super::super::choice::Choice;
use super::super::preview::Preview;
use super::super::report::Report;
use super::super::words::{self, Tense};
use crate::app::shared::Shared;
use crate::look::text::{cells, clean, fit};
use crate::look::time::clock_seconds;
use crate::preview::{Done, Phase, Source};
use crate::ui::frame::waiting;
use crate::ui::panel;

/// The width of all words of the policies.
const WIDE: usize = 78;
/// The column of the title field.
const TITLE_AT: u16 = 20;

/// The lines, each no wider than `width`.
pub(super) fn lines(screen: &MeetingChange, shared: &Shared, width: usize) -> Vec<Line<'static>> {
    if let Phase::Done(report) = &screen.machine.phase {
        return done(report, screen.file.as_deref(), shared, width);
    }
    let mut lines = vec![first(screen, shared, width)];
    match &screen.machine.choice {
        Choice::Removal {
            policy,
            allow_non_recurring,
            ..
        } => {
            lines.push(policies(*policy, shared, width));
            if *allow_non_recurring {
                let words = "also a meeting that does not recur";
                lines.push(toggle("plan.allow_non_recurring", true, words, shared));
            }
        }
        Choice::Promotion { keep, .. } => {
            lines.push(title(screen, shared));
            let words = "also keep the occurrence in its series";
            lines.push(toggle("plan.keep_occurrence", *keep, words, shared));
        }
        Choice::Merge { .. } => lines.extend(sides(screen, shared, width)),
    }
    if let Some(plan) = screen.machine.shown() {
        lines.push(totals(plan, Tense::Would, shared));
    }
    lines
}

/// The subject and the age of the plan.
fn first(screen: &MeetingChange, shared: &Shared, width: usize) -> Line<'static> {
    let theme = &shared.settings.theme;
    let mut right = match (&screen.machine.phase, screen.machine.preview.seen()) {
        (Phase::Applying { .. }, _) => waiting(shared, "applying the plan"),
        _ if screen.machine.preview.is_loading() => waiting(shared, "loading the plan"),
        (_, Some(seen)) => {
            let at = clock_seconds(seen.at, &shared.locale);
            Line::styled(format!("as of {at}"), theme.dim)
        }
        (_, None) => Line::default(),
    };
    let room = width.saturating_sub(right.width() + 2);
    let words = fit(
        &format!("{} {}", screen.machine.choice.verb(), screen.about()),
        room,
    );
    let mut spans = vec![Span::styled(words, theme.title), Span::raw("  ")];
    spans.append(&mut right.spans);
    let mut line = Line::from(spans);
    if let Some(last) = line.spans.last_mut() {
        last.style = right.style.patch(last.style);
    }
    line
}

fn policies(policy: OccurrencePolicy, shared: &Shared, width: usize) -> Line<'static> {
    let theme = &shared.settings.theme;
    let is_narrow = width < WIDE;
    let mut spans = vec![Span::styled("Policy  ", theme.dim)];
    for (one, id, words) in [
        (
            OccurrencePolicy::PromoteRealDiscardEmpty,
            "plan.policy_real",
            if is_narrow {
                "with transcript"
            } else {
                "promote those with transcript"
            },
        ),
        (
            OccurrencePolicy::PromoteAll,
            "plan.policy_all",
            if is_narrow { "all" } else { "promote all" },
        ),
        (
            OccurrencePolicy::RequireEmpty,
            "plan.policy_empty",
            "only if empty",
        ),
    ] {
        let key = shared.settings.keymap.key(id);
        match one == policy {
            true => spans.push(Span::styled(format!("[{key} {words}]"), theme.selected)),
            false => {
                spans.push(Span::styled(format!(" {key}"), theme.key));
                spans.push(Span::raw(format!(" {words} ")));
            }
        }
    }
    Line::from(spans)
}

fn toggle(id: &str, is_on: bool, words: &str, shared: &Shared) -> Line<'static> {
    let theme = &shared.settings.theme;
    let (mark, style) = match is_on {
        true => ("[x]", theme.title),
        false => ("[ ]", Style::new()),
    };
    Line::from(vec![
        panel::key(shared, id),
        Span::styled(format!(" {mark} {words}"), style),
    ])
}

/// The title field. [`cursor`] draws its text.
fn title(screen: &MeetingChange, shared: &Shared) -> Line<'static> {
    let theme = &shared.settings.theme;
    let mut spans = vec![
        panel::key(shared, "plan.title"),
        Span::raw(" title             "),
    ];
    if screen.title.is_empty() && !screen.is_typing {
        spans.push(Span::styled("as the series", theme.dim));
    }
    Line::from(spans)
}

/// Draws the text and cursor of the title field.
pub(super) fn cursor(screen: &MeetingChange, shared: &Shared, frame: &mut Frame, area: Rect) {
    let is_shown = matches!(screen.machine.choice, Choice::Promotion { .. })
        && !matches!(screen.machine.phase, Phase::Done(_))
        && (screen.is_typing || !screen.title.is_empty());
    if !is_shown || area.height < 2 || area.width <= TITLE_AT {
        return;
    }
    let wrong = screen
        .wrong_title
        .as_ref()
        .map(|wrong| format!("  ✗ {wrong}"));
    let wrong_width = wrong.as_deref().map_or(0, cells);
    let room = usize::from(area.width - TITLE_AT).saturating_sub(wrong_width + 1);
    let place = Rect {
        x: area.x + TITLE_AT,
        y: area.y + 1,
        width: u16::try_from(room).unwrap_or(0).min(50),
        height: 1,
    };
    let style = Style::new().underlined();
    screen.title.draw(frame, place, style, screen.is_typing);
    if let Some(wrong) = wrong {
        let beside = Rect {
            x: place.right(),
            width: area.right().saturating_sub(place.right()),
            ..place
        };
        frame.render_widget(Span::styled(wrong, shared.settings.theme.bad), beside);
    }
}

/// The two meetings of a merge.
fn sides(screen: &MeetingChange, shared: &Shared, width: usize) -> Vec<Line<'static>> {
    let theme = &shared.settings.theme;
    let (canonical, skeleton) = screen.titles();
    let Choice::Merge {
        canonical: stays,
        skeleton: goes,
    } = &screen.machine.choice
    else {
        return Vec::new();
    };
    let side = |label: &str, title: &str, id: String| {
        let id = format!("  {id}");
        let room = width.saturating_sub(cells(label) + cells(&id));
        Line::from(vec![
            Span::styled(label.to_owned(), theme.dim),
            Span::raw(fit(&clean(title), room)),
            Span::styled(id, theme.dim),
        ])
    };
    vec![
        side("kept         ", canonical, stays.to_string()),
        side("merged away  ", skeleton, goes.to_string()),
    ]
}

fn totals(plan: &Preview, tense: Tense, shared: &Shared) -> Line<'static> {
    let theme = &shared.settings.theme;
    let mut spans = Vec::new();
    if !plan.violations().is_empty() {
        spans.push(Span::styled("Otherwise: ", theme.dim));
    }
    let totals = words::totals(plan.totals(), tense);
    if totals.is_empty() {
        spans.push(Span::styled("no occurrences", theme.dim));
    }
    for (at, (action, text)) in totals.into_iter().enumerate() {
        if at > 0 {
            spans.push(Span::styled(" · ", theme.dim));
        }
        spans.push(Span::styled(text, words::style(action, theme)));
    }
    if plan.merge().is_none() && plan.plan().is_some() {
        let number = plan.webhooks();
        let style = match number {
            0 => theme.dim,
            _ => theme.title,
        };
        spans.push(Span::styled(" · ", theme.dim));
        spans.push(Span::styled(words::webhooks(number, tense), style));
    }
    Line::from(spans)
}

/// The result and how it is known.
fn done(
    done: &Done<Preview>,
    file: Option<&str>,
    shared: &Shared,
    width: usize,
) -> Vec<Line<'static>> {
    let theme = &shared.settings.theme;
    let plan = &done.plan;
    let report = Report(done);
    let is_partial = plan.conflicts() > 0;
    let (mark, style) = match is_partial {
        true => ("!", theme.warn),
        false => ("✓", theme.good),
    };
    let at = clock_seconds(done.at, &shared.locale);
    let words = fit(&report.headline(), width.saturating_sub(cells(&at) + 9));
    let mut lines = vec![
        Line::from(vec![
            Span::styled(format!("{mark} {words}"), style.patch(theme.title)),
            Span::styled(format!("  at {at}"), theme.dim),
        ]),
        totals(plan, Tense::Was, shared),
    ];
    let more = match done.source {
        Source::Look => "The host's answer was lost; a check showed that it was done.".to_owned(),
        Source::Answer => match report.new_meetings() {
            0 => String::new(),
            _ => "A new meeting has the id of its occurrence.".to_owned(),
        },
    };
    if !more.is_empty() {
        lines.push(Line::styled(more, theme.dim));
    }
    if let Some(file) = file {
        lines.push(Line::from(fit(&format!("Exported to {file}"), width)));
    }
    lines
}
