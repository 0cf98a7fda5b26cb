//! Decides what removing a series does to each of its occurrences: from rows, without the database.

use std::collections::HashMap;

use frontdesk_protocol::id::MeetingId;
use frontdesk_protocol::work::plan::{Action, Guard, Planned, Rule, Violation};
use frontdesk_protocol::work::series::OccurrencePolicy;
use uuid::Uuid;

use super::plan::violation;
use super::rows::{Hanging, Locked, Occurrence, in_words};

fn rule(number: u8) -> Rule {
    Rule::of("remove_meeting_series", number)
}

/// The action for each occurrence, and the violated guards.
pub(super) fn decide(
    series: &Locked,
    occurrences: &[Occurrence],
    hanging: &[Hanging],
    policy: OccurrencePolicy,
    allow_non_recurring: bool,
) -> (Vec<Planned>, Vec<Violation>) {
    let mut decision = Decision {
        series,
        policy,
        taken: HashMap::new(),
        text_without_id: Vec::new(),
        differs: Vec::new(),
    };
    let planned: Vec<_> = occurrences
        .iter()
        .map(|occurrence| decision.of(occurrence))
        .collect();
    let mut violations = Vec::new();
    if !series.meeting.is_recurring && !allow_non_recurring {
        violations.push(violation(
            Guard::NotRecurring,
            rule(7),
            vec![series.meeting.id.0],
            "the meeting does not recur",
            "set allow_non_recurring to remove it anyway",
        ));
    }
    if policy == OccurrencePolicy::RequireEmpty && !occurrences.is_empty() {
        violations.push(violation(
            Guard::NotEmpty,
            rule(2),
            occurrences
                .iter()
                .map(|occurrence| occurrence.id.0)
                .collect(),
            format!("the series has {}", count(occurrences.len(), "occurrence")),
            "choose another occurrence_policy",
        ));
    }
    if !decision.text_without_id.is_empty() {
        let occurrences = count(decision.text_without_id.len(), "occurrence");
        violations.push(violation(
            Guard::TranscriptWithoutId,
            rule(3),
            decision.text_without_id,
            format!("{occurrences} with transcript text but without a transcript id"),
            "use merge_meetings to move the occurrences to another series",
        ));
    }
    if !decision.differs.is_empty() {
        let occurrences = count(decision.differs.len(), "occurrence");
        violations.push(violation(
            Guard::ExistingDiffers,
            rule(4),
            decision.differs,
            format!(
                "{occurrences} with transcript text that is missing from the meeting with the same transcript id"
            ),
            "use merge_meetings to move the occurrences to another series",
        ));
    }
    if series.carries_transcript() {
        violations.push(violation(
            Guard::SeriesHasTranscript,
            rule(1),
            vec![series.meeting.id.0],
            "the meeting itself has a transcript, which would be lost",
            "use merge_meetings to move it to another meeting",
        ));
    }
    if !hanging.is_empty() {
        let mut on: Vec<Uuid> = hanging
            .iter()
            .flat_map(|hanging| hanging.on.clone())
            .collect();
        on.sort_unstable();
        on.dedup();
        violations.push(violation(
            Guard::HasChildren,
            rule(5),
            on,
            format!("{} on the series or its occurrences", in_words(hanging)),
            "use merge_meetings, which moves them to another meeting",
        ));
    }
    (planned, violations)
}

/// A number with its noun, in the singular or plural.
pub(super) fn count(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}

struct Decision<'a> {
    series: &'a Locked,
    policy: OccurrencePolicy,
    /// The transcript ids promoted so far in this run, with their meeting and text.
    taken: HashMap<String, (MeetingId, Option<Vec<u8>>)>,
    text_without_id: Vec<Uuid>,
    differs: Vec<Uuid>,
}

impl Decision<'_> {
    fn of(&mut self, occurrence: &Occurrence) -> Planned {
        if occurrence.is_text_without_id() {
            self.text_without_id.push(occurrence.id.0);
            let reason = "it has transcript text but no transcript id";
            return occurrence.planned(Action::Keep, rule(3), reason);
        }
        if self.policy == OccurrencePolicy::RequireEmpty {
            let reason = "the policy requires a series without occurrences";
            return occurrence.planned(Action::Keep, rule(2), reason);
        }
        let is_wanted = occurrence.is_real() || self.policy == OccurrencePolicy::PromoteAll;
        if !is_wanted {
            let reason = "it has neither transcript text nor a transcript id";
            return occurrence.planned(Action::DiscardEmpty, rule(2), reason);
        }
        if let Some((meeting, text)) = self.existing(occurrence) {
            return self.skip(occurrence, meeting, text);
        }
        if let Some(id) = &occurrence.transcript_id {
            let meeting = (MeetingId(occurrence.id.0), occurrence.text.clone());
            self.taken.insert(id.clone(), meeting);
        }
        let reason = match (occurrence.has_text(), occurrence.transcript_id.is_some()) {
            (true, _) => "it has transcript text and a transcript id",
            (false, true) => "it has a transcript id",
            (false, false) if occurrence.has_segments => "it has transcript segments",
            (false, false) => "the policy promotes every occurrence",
        };
        Planned {
            standalone_meeting_id: Some(MeetingId(occurrence.id.0)),
            meeting_date: self.series.date_of(occurrence.date),
            ..occurrence.planned(Action::Promote, rule(2), reason)
        }
    }

    /// The meeting, other than the series, that already has the transcript.
    fn existing(&self, occurrence: &Occurrence) -> Option<(MeetingId, Option<Vec<u8>>)> {
        let id = occurrence.transcript_id.as_ref();
        let earlier = id.and_then(|id| self.taken.get(id).cloned());
        let there = occurrence.existing.clone();
        earlier.or(there.filter(|(meeting, _)| *meeting != self.series.meeting.id))
    }

    fn skip(
        &mut self,
        occurrence: &Occurrence,
        meeting: MeetingId,
        text: Option<Vec<u8>>,
    ) -> Planned {
        let planned = if !occurrence.has_text() || occurrence.text == text {
            let reason = "a meeting with its transcript already exists";
            occurrence.planned(Action::SkipExisting, rule(4), reason)
        } else {
            self.differs.push(occurrence.id.0);
            let reason = "a meeting has its transcript id but not its transcript text";
            occurrence.planned(Action::Keep, rule(4), reason)
        };
        Planned {
            standalone_meeting_id: Some(meeting),
            ..planned
        }
    }
}
