//! The banner above the plan: refusals, news, and open questions.

use frontdesk_protocol::work::plan::{Action, Violation};
use ratatui::text::{Line, Span};

use super::super::MeetingChange;
use super::super::preview::Preview;
use super::super::words;
use super::problem;
use crate::app::shared::Shared;
use crate::look::text::{clean, count};
use crate::preview::banner::{self, Banner, Words};
use crate::preview::{Phase, Previewed};

const WORDS: Words = Words {
    apply: "plan.apply",
    problem: &problem,
};

/// The current banner. `height` is the height of the whole screen.
pub(super) fn of(screen: &MeetingChange, shared: &Shared, height: u16) -> Option<Banner> {
    let machine = &screen.machine;
    if let Phase::Done(done) = &machine.phase {
        return conflicts(&done.plan, true, shared);
    }
    let banner = banner::of(machine, &WORDS, shared, most_lines(screen, height));
    if !machine.is_open() {
        return banner;
    }
    let plan = machine.preview.value()?;
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

/// The number of differences that fit beside the refusals.
fn most_lines(screen: &MeetingChange, height: u16) -> usize {
    let is_refused = screen
        .machine
        .preview
        .value()
        .is_some_and(|plan| !plan.violations().is_empty());
    match (height < 30, is_refused) {
        (true, true) => 1,
        (true, false) => 4,
        (false, _) => 12,
    }
}

/// The refusals, each group with what the user can do about it.
fn refused(violations: &[Violation], plan: &Preview, shared: &Shared) -> Banner {
    let theme = &shared.settings.theme;
    let reasons = count(violations.len(), "reason", "reasons");
    let mut banner = Banner::new(
        &format!("✗ Refused for {reasons}: nothing changes"),
        theme.bad,
        shared,
    );
    let mut ways: Vec<(String, Vec<&Violation>)> = Vec::new();
    for violation in violations {
        let way = words::way_out(violation.guard, &plan.choice, &shared.settings.keymap);
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
            ]));
        }
    }
    banner
}

/// The conflicts of a merge, planned or performed.
fn conflicts(plan: &Preview, is_done: bool, shared: &Shared) -> Option<Banner> {
    let merge = plan.merge()?;
    let theme = &shared.settings.theme;
    let number = plan.conflicts();
    let mut facts = Vec::new();
    if merge.transcript == Some(Action::Conflict) {
        facts.push("Both meetings have a transcript of their own.".to_owned());
    } else if merge.transcript == Some(Action::Reparent) {
        facts.push(match is_done {
            true => "The other meeting's own transcript moved.".to_owned(),
            false => "The other meeting's own transcript moves.".to_owned(),
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
        (0, true) => Banner::new("The other meeting is removed", theme.border, shared),
        (0, false) => Banner::new(
            "No conflicts: the other meeting is removed",
            theme.border,
            shared,
        ),
        (_, true) => Banner::new(
            &format!("! {conflicts} left: the other meeting was not removed"),
            theme.warn,
            shared,
        )
        .say("Both transcripts still exist. Remove one, and merge again."),
        (_, false) => Banner::new(
            &format!("! {conflicts}: the other meeting would not be removed"),
            theme.warn,
            shared,
        )
        .say("If both have a transcript, both stay; everything else moves."),
    };
    Some(match facts.is_empty() {
        true => banner,
        false => banner.say(facts.join(" ")),
    })
}

/// The plan would change nothing.
fn nothing(plan: &Preview, shared: &Shared) -> Option<Banner> {
    let why = plan.nothing_to_do()?;
    let mut words = why.to_owned();
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let banner = Banner::new("= Nothing to do", shared.settings.theme.border, shared);
    Some(banner.say(format!("{words}.")))
}
