//! The words of plans for people. Every action has a glyph, words and a colour.

use frontdesk_protocol::work::meeting::Children;
use frontdesk_protocol::work::plan::{Action, Guard, Planned, Totals};
use ratatui::style::Style;

use super::choice::Choice;
use crate::app::input::keys::Keymap;
use crate::look::text::count;
use crate::look::theme::Theme;

/// The glyph of an action; one cell.
pub(super) const fn glyph(action: Action) -> &'static str {
    match action {
        Action::Promote => "+",
        Action::DiscardEmpty => "−",
        Action::SkipExisting => "=",
        Action::Reparent => "→",
        Action::Conflict => "!",
        Action::Keep => "·",
    }
}

pub(super) const fn style(action: Action, theme: &Theme) -> Style {
    match action {
        Action::Promote => theme.good,
        Action::DiscardEmpty => theme.warn,
        Action::Reparent => theme.busy,
        Action::Conflict => theme.bad,
        Action::SkipExisting => theme.dim,
        Action::Keep => theme.base,
    }
}

/// The planned action in two or three words.
pub(super) const fn would(action: Action) -> &'static str {
    match action {
        Action::Promote => "becomes a meeting",
        Action::DiscardEmpty => "empty, goes",
        Action::SkipExisting => "already a meeting",
        Action::Reparent => "moves",
        Action::Conflict => "conflict, stays",
        Action::Keep => "stays",
    }
}

/// The performed action in two or three words.
pub(super) const fn was(action: Action) -> &'static str {
    match action {
        Action::Promote => "became a meeting",
        Action::DiscardEmpty => "empty, went",
        Action::SkipExisting => "already a meeting",
        Action::Reparent => "moved",
        Action::Conflict => "conflict, stayed",
        Action::Keep => "stayed",
    }
}

/// The content of an occurrence.
pub(super) fn carries(planned: &Planned) -> &'static str {
    match (
        planned.has_transcript,
        planned.transcriber_transcript_id.is_some(),
    ) {
        (true, true) => "text and id",
        (true, false) => "text without id",
        (false, true) => "id",
        (false, false) => "nothing",
    }
}

/// Planned or performed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tense {
    Would,
    Was,
}

/// "3 become meetings · 2 empty ones go": the number for each action.
pub(super) fn totals(totals: Totals, tense: Tense) -> Vec<(Action, String)> {
    let words = |action| match (action, tense) {
        (Action::Promote, Tense::Would) => ("becomes a meeting", "become meetings"),
        (Action::Promote, Tense::Was) => ("became a meeting", "became meetings"),
        (Action::DiscardEmpty, Tense::Would) => ("empty one goes", "empty ones go"),
        (Action::DiscardEmpty, Tense::Was) => ("empty one went", "empty ones went"),
        (Action::SkipExisting, _) => ("already there", "already there"),
        (Action::Reparent, Tense::Would) => ("moves", "move"),
        (Action::Reparent, Tense::Was) => ("moved", "moved"),
        (Action::Conflict, _) => ("occurrence in conflict", "occurrences in conflict"),
        (Action::Keep, Tense::Would) => ("stays", "stay"),
        (Action::Keep, Tense::Was) => ("stayed", "stayed"),
    };
    Action::ALL
        .into_iter()
        .filter(|action| totals.count(*action) > 0)
        .map(|action| {
            let (one, many) = words(action);
            (action, count(totals.count(action) as usize, one, many))
        })
        .collect()
}

/// "3 webhooks would fire", "no webhook fired".
pub(super) fn webhooks(number: u32, tense: Tense) -> String {
    match (number, tense) {
        (0, Tense::Would) => "no webhook fires".to_owned(),
        (0, Tense::Was) => "no webhook fired".to_owned(),
        (number, Tense::Would) => count(number as usize, "webhook fires", "webhooks fire"),
        (number, Tense::Was) => count(number as usize, "webhook queued", "webhooks queued"),
    }
}

/// "3 participants (1 on both sides), 2 concepts", or nothing.
pub(super) fn children(children: &Children) -> Option<String> {
    let twice = children.participants_already_there;
    let participants = children.participants + twice;
    let mut parts = Vec::new();
    if participants > 0 {
        let mut words = count(participants as usize, "participant", "participants");
        if twice > 0 {
            words.push_str(&format!(" ({twice} on both sides, kept once)"));
        }
        parts.push(words);
    }
    for (number, one, many) in [
        (children.concepts, "concept", "concepts"),
        (children.expertise, "expertise", "expertises"),
        (children.tools, "tool", "tools"),
        (children.transcript_segments, "segment", "segments"),
        (children.underlines, "underline", "underlines"),
    ] {
        if number > 0 {
            parts.push(count(number as usize, one, many));
        }
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// What the user can do about a refusal.
pub(super) fn way_out(guard: Guard, choice: &Choice, keymap: &Keymap) -> String {
    let key = |id: &str| keymap.key(id);
    match (guard, choice) {
        (Guard::NotRecurring, _) => format!(
            "Press {} to allow a meeting that does not recur.",
            key("plan.allow_non_recurring")
        ),
        (Guard::NotEmpty, _) => format!(
            "Choose another policy: press {} or {}.",
            key("plan.policy_real"),
            key("plan.policy_all")
        ),
        (Guard::NotPromoted, _) => format!(
            "Press {} to reload; if this persists, the host's database is at fault.",
            key("app.refresh")
        ),
        (_, Choice::Promotion { .. }) => format!(
            "Press {} to also keep the occurrence in its series.",
            key("plan.keep_occurrence")
        ),
        _ => format!(
            "Press {} to merge it into another series instead.",
            key("plan.merge")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_name_only_what_there_is() {
        let some = Totals {
            promote: 3,
            discard_empty: 1,
            ..Totals::default()
        };
        let words = |tense| {
            let words = totals(some, tense).into_iter().map(|(_, words)| words);
            words.collect::<Vec<_>>().join(" · ")
        };
        assert_eq!(words(Tense::Would), "3 become meetings · 1 empty one goes");
        assert_eq!(words(Tense::Was), "3 became meetings · 1 empty one went");
    }

    #[test]
    fn no_two_actions_look_alike_without_colour() {
        let mut glyphs: Vec<_> = Action::ALL.into_iter().map(glyph).collect();
        glyphs.sort_unstable();
        glyphs.dedup();
        assert_eq!(glyphs.len(), Action::ALL.len());
    }

    #[test]
    fn a_participant_on_both_sides_is_counted_once_and_told() {
        let some = Children {
            participants: 2,
            participants_already_there: 1,
            underlines: 1,
            ..Children::default()
        };
        assert_eq!(
            children(&some).as_deref(),
            Some("3 participants (1 on both sides, kept once), 1 underline")
        );
        assert_eq!(children(&Children::default()), None);
    }
}
