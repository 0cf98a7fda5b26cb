//! The box above the plan: what stands in the way, what was learned, what must be known first.

use frontdesk_client::CallError;
use frontdesk_protocol::work::plan::{Action, Violation};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::super::preview::Preview;
use super::super::words;
use super::super::{Check, Notice, PlanScreen, Stage};
use super::problem;
use crate::app::shared::Shared;
use crate::ui::frame::waiting;
use crate::ui::problem::{Problem, Remedy};
use crate::ui::text::{clean, count};
use crate::ui::time::clock_seconds;

/// A box with a title.
pub(super) struct Banner {
    pub(super) title: Line<'static>,
    pub(super) border: Style,
    pub(super) lines: Vec<Line<'static>>,
}

impl Banner {
    fn new(title: &str, style: Style, shared: &Shared) -> Banner {
        Banner {
            title: Line::styled(title.to_owned(), style.patch(shared.theme.title)),
            border: style,
            lines: Vec::new(),
        }
    }

    fn say(mut self, line: impl Into<Line<'static>>) -> Banner {
        self.lines.push(line.into());
        self
    }
}

/// What is to be said now. `height` is that of the whole screen.
pub(super) fn of(screen: &PlanScreen, shared: &Shared, height: u16) -> Option<Banner> {
    match &screen.stage {
        Stage::Checking(check) => return Some(checking(check, shared)),
        Stage::Done(report) => return conflicts(&report.done, true, shared),
        Stage::Applying { .. } | Stage::Gone(_) => return None,
        Stage::Choosing | Stage::Confirming(_) => {}
    }
    let mut banner = screen
        .notice
        .as_ref()
        .map(|notice| of_notice(notice, shared, most_lines(screen, height)));
    // What happened first; where a plan is there, a failed second look at it is told here.
    if banner.is_none()
        && screen.preview.value().is_some()
        && let Some(error) = screen.preview.error()
    {
        let problem = problem(error);
        let told = Banner::new(&format!("✗ {}", problem.title), shared.theme.bad, shared);
        banner = Some(helped(told, &problem, shared));
    }
    let plan = screen.preview.value()?;
    let refusal = match plan.violations() {
        [] => conflicts(plan, false, shared).or_else(|| nothing(plan, shared)),
        violations => Some(refused(violations, plan, shared)),
    };
    match (banner, refusal) {
        (Some(mut banner), Some(refusal)) => {
            banner.lines.push(refusal.title);
            banner.lines.extend(refusal.lines);
            Some(banner)
        }
        (banner, refusal) => banner.or(refusal),
    }
}

/// Nobody knows whether it was done.
fn checking(check: &Check, shared: &Shared) -> Banner {
    let theme = &shared.theme;
    let why = Problem::of_write(&check.why);
    let banner = Banner::new(
        "! CHECK: it may or may not have been done",
        theme.warn,
        shared,
    )
    .say(clean(&why.what).into_owned());
    match (&check.request, &check.error) {
        (Some(_), _) => banner.say(waiting(shared, "looking whether it was done…")),
        (None, Some(error)) => {
            let error = Problem::of(error);
            banner
                .say(Line::styled(
                    format!("Looking again did not help: {}", clean(&error.what)),
                    theme.bad,
                ))
                .say("Do not do it again before this is known.")
                .say(key(shared, "app.refresh", "looks again"))
        }
        (None, None) => banner.say(key(shared, "app.refresh", "looks again")),
    }
}

fn of_notice(notice: &Notice, shared: &Shared, most: usize) -> Banner {
    let theme = &shared.theme;
    match notice {
        Notice::Changed { lines: None, .. } => Banner::new(
            "! Nothing was done: the data has changed",
            theme.warn,
            shared,
        )
        .say(waiting(shared, "asking what would happen now…")),
        Notice::Changed {
            lines: Some(lines), ..
        } => {
            let title = "! Nothing was done: the data has changed since you looked";
            let banner = Banner::new(title, theme.warn, shared);
            match lines.is_empty() {
                true => banner.say("It is again as you saw it; you can apply it."),
                false => differences(banner.say("What differs from what you saw:"), lines, most),
            }
        }
        Notice::NotDone { at, lines } => {
            let at = clock_seconds(*at, &shared.zone);
            let title = format!("! Not done, as of {at}");
            let banner = Banner::new(&title, theme.warn, shared).say(
                "The answer was lost, and looking again shows that nothing was changed. Should the \
                 call still be on its way, it can only do what you confirmed.",
            );
            match lines.is_empty() {
                true => banner.say("The plan is the same; you can apply it again."),
                false => differences(
                    banner.say("But the data has changed since you looked. What differs:"),
                    lines,
                    most,
                ),
            }
        }
        Notice::Failed(error) => failed(error, shared),
    }
}

fn failed(error: &CallError, shared: &Shared) -> Banner {
    let problem = problem(error);
    let title = format!("✗ Nothing was done: {}", problem.title.to_lowercase());
    let banner = Banner::new(&title, shared.theme.bad, shared);
    let mut banner = helped(banner, &problem, shared);
    if problem.remedy == Remedy::Retry {
        banner.lines.pop();
        banner = banner.say(key(shared, "plan.apply", "tries again"));
    }
    banner
}

/// What happened, what helps, and the key for it.
fn helped(banner: Banner, problem: &Problem, shared: &Shared) -> Banner {
    let banner = banner
        .say(clean(&problem.what).into_owned())
        .say(clean(&problem.help).into_owned());
    match problem.remedy {
        Remedy::Retry => banner.say(key(shared, "app.refresh", "looks again")),
        Remedy::SignIn => banner.say(key(shared, "session.sign_in", "signs in again")),
        Remedy::Nothing => banner,
    }
}

/// How many differences there is room for: the guards that refuse need theirs.
fn most_lines(screen: &PlanScreen, height: u16) -> usize {
    let is_refused = screen
        .preview
        .value()
        .is_some_and(|plan| !plan.violations().is_empty());
    match (height < 30, is_refused) {
        (true, true) => 1,
        (true, false) => 4,
        (false, _) => 12,
    }
}

fn differences(mut banner: Banner, lines: &[String], most: usize) -> Banner {
    for line in lines.iter().take(most) {
        banner = banner.say(format!("≠ {}", clean(line)));
    }
    match lines.len().saturating_sub(most) {
        0 => banner,
        more => banner.say(format!("  and {more} more")),
    }
}

/// Every guard that refuses, the way out first. Guards with the same way out stand together.
fn refused(violations: &[Violation], plan: &Preview, shared: &Shared) -> Banner {
    let theme = &shared.theme;
    let guards = count(violations.len(), "guard refuses", "guards refuse");
    let mut banner = Banner::new(&format!("✗ {guards}, nothing changes"), theme.bad, shared);
    let mut ways: Vec<(String, Vec<&Violation>)> = Vec::new();
    for violation in violations {
        let way = words::way_out(violation.guard, &plan.choice, &shared.keymap);
        match ways.iter_mut().find(|(other, _)| *other == way) {
            Some((_, violations)) => violations.push(violation),
            None => ways.push((way, vec![violation])),
        }
    }
    for (way, violations) in ways {
        banner = banner.say(Line::styled(way, theme.title));
        for violation in violations {
            banner = banner.say(Line::from(vec![
                Span::styled("  ✗ ", theme.bad),
                Span::raw(clean(&violation.message).into_owned()),
                Span::styled(format!(" ({})", words::rule(&violation.rule)), theme.dim),
            ]));
        }
    }
    banner
}

/// The conflicts of a merge, before and after.
fn conflicts(plan: &Preview, is_done: bool, shared: &Shared) -> Option<Banner> {
    let merge = plan.merge()?;
    let theme = &shared.theme;
    let number = plan.conflicts();
    let mut facts = Vec::new();
    if merge.transcript == Some(Action::Conflict) {
        facts.push("Both meetings have a transcript of their own.".to_owned());
    } else if merge.transcript == Some(Action::Reparent) {
        facts.push(match is_done {
            true => "The skeleton's own transcript moved.".to_owned(),
            false => "The skeleton's own transcript moves.".to_owned(),
        });
    }
    if let Some(template) = merge.template_taken {
        let template = template.name();
        facts.push(match is_done {
            true => format!("The template {template} was taken over."),
            false => format!("The template {template} is taken over."),
        });
    }
    if let Some(children) = words::children(&merge.children) {
        facts.push(match is_done {
            true => format!("Moved along: {children}."),
            false => format!("Moves along: {children}."),
        });
    }
    let conflicts = count(number, "conflict", "conflicts");
    let banner = match (number, is_done) {
        (0, _) if facts.is_empty() => return None,
        (0, true) => Banner::new("The skeleton is gone", theme.border, shared),
        (0, false) => Banner::new("No conflicts: the skeleton goes", theme.border, shared),
        (_, true) => Banner::new(
            &format!("! {conflicts} left: the skeleton was not removed"),
            theme.warn,
            shared,
        )
        .say("Both transcripts are still there. Take one away, and merge again."),
        (_, false) => Banner::new(
            &format!("! {conflicts}: the skeleton would not be removed"),
            theme.warn,
            shared,
        )
        .say("Where both carry a transcript both stay; everything else moves."),
    };
    Some(match facts.is_empty() {
        true => banner,
        false => banner.say(facts.join(" ")),
    })
}

/// Doing it would do nothing.
fn nothing(plan: &Preview, shared: &Shared) -> Option<Banner> {
    let why = plan.nothing_to_do()?;
    let mut words = why.to_owned();
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let banner = Banner::new("= Nothing to do", shared.theme.border, shared);
    Some(banner.say(format!("{words}.")))
}

fn key(shared: &Shared, id: &str, words: &str) -> Line<'static> {
    Line::from(vec![
        Span::styled(shared.keymap.key(id), shared.theme.key),
        Span::raw(format!(" {words}")),
    ])
}
