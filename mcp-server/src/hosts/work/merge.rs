//! Decides what merging two meetings does to each occurrence, and runs the statements.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::id::MeetingId;
use frontdesk_protocol::work::meeting::{Children, Template};
use frontdesk_protocol::work::plan::{Action, Planned, Rule};
use uuid::Uuid;

use super::plan::ids_with;
use super::rows::{Child, Locked, Occurrence};
use crate::call::Call;
use crate::database::params;

fn rule(number: u8) -> Rule {
    Rule::of("merge_meetings", number)
}

/// The effects of a merge.
#[derive(Debug)]
pub(super) struct Decision {
    /// The occurrences of both meetings by date, those of the canonical meeting first.
    pub(super) occurrences: Vec<Planned>,
    /// The action for the skeleton's own transcript, if it has one.
    pub(super) transcript: Option<Action>,
    /// The template that the canonical meeting gets from the skeleton.
    pub(super) template: Option<Template>,
    canonical: MeetingId,
    heirs: Vec<(Uuid, Uuid)>,
}

/// Decides each date, only from the rows.
pub(super) fn decide(
    canonical: &Locked,
    skeleton: &Locked,
    occurrences: &[Occurrence],
) -> Decision {
    let mut planned = Vec::new();
    let mut heirs = Vec::new();
    let mut rest = occurrences;
    while let Some(first) = rest.first() {
        let length = rest
            .iter()
            .take_while(|next| next.date == first.date)
            .count();
        let (day, later) = rest.split_at(length);
        rest = later;
        let of = |meeting: MeetingId| day.iter().find(|one| one.meeting_id == meeting);
        match (of(canonical.meeting.id), of(skeleton.meeting.id)) {
            (Some(ours), Some(theirs)) => {
                let (actions, heir) = both(ours, theirs);
                planned.extend(actions);
                heirs.extend(heir);
            }
            (Some(ours), None) => {
                let reason = "the meeting to merge has no occurrence on this date";
                planned.push(ours.planned(Action::Keep, rule(1), reason));
            }
            (None, Some(theirs)) => {
                let reason = "the meeting to keep has no occurrence on this date";
                planned.push(theirs.planned(Action::Reparent, rule(4), reason));
            }
            (None, None) => {}
        }
    }
    let transcript = skeleton.carries_transcript().then_some({
        if canonical.carries_transcript() {
            Action::Conflict
        } else {
            Action::Reparent
        }
    });
    let is_default = matches!(canonical.meeting.template, None | Some(Template::Default));
    let template = skeleton
        .meeting
        .template
        .filter(|template| is_default && *template != Template::Default);
    Decision {
        occurrences: planned,
        transcript,
        template,
        canonical: canonical.meeting.id,
        heirs,
    }
}

/// Decides a date that both meetings have. The pair is a discarded occurrence and the one that gets its children.
fn both(ours: &Occurrence, theirs: &Occurrence) -> ([Planned; 2], Option<(Uuid, Uuid)>) {
    match (ours.is_real(), theirs.is_real()) {
        (true, true) => {
            let reason = match ours.has_text() && ours.text == theirs.text {
                true => "both have a transcript for this date, with the same text",
                false => "both have a transcript for this date",
            };
            let planned = [
                ours.planned(Action::Conflict, rule(3), reason),
                theirs.planned(Action::Conflict, rule(3), reason),
            ];
            (planned, None)
        }
        (false, true) => {
            let planned = [
                ours.planned(
                    Action::DiscardEmpty,
                    rule(2),
                    "it is empty; the meeting to merge has a transcript for this date",
                ),
                theirs.planned(
                    Action::Reparent,
                    rule(2),
                    "it has a transcript; the occurrence to keep is empty",
                ),
            ];
            (planned, Some((ours.id.0, theirs.id.0)))
        }
        (is_real, false) => {
            let reason = match is_real {
                true => "it has a transcript; the meeting to merge has none for this date",
                false => "both are empty on this date; one is enough",
            };
            let planned = [
                ours.planned(Action::Keep, rule(4), reason),
                theirs.planned(
                    Action::DiscardEmpty,
                    rule(4),
                    "it is empty; the meeting to keep already has this date",
                ),
            ];
            (planned, Some((theirs.id.0, ours.id.0)))
        }
    }
}

impl Decision {
    /// The number of unresolved conflicts. The skeleton is only removed if there are none (rule 6).
    pub(super) fn conflicts(&self) -> usize {
        let dates = self.occurrences.iter().filter(|planned| {
            planned.action == Action::Conflict && planned.meeting_id == self.canonical
        });
        dates.count() + usize::from(self.transcript == Some(Action::Conflict))
    }

    /// The occurrences to remove.
    pub(super) fn discarded(&self) -> Vec<Uuid> {
        ids_with(&self.occurrences, &[Action::DiscardEmpty])
    }

    /// The occurrences to move to the canonical meeting.
    pub(super) fn moved(&self) -> Vec<Uuid> {
        ids_with(&self.occurrences, &[Action::Reparent])
    }

    /// Pairs of a removed occurrence and the occurrence that remains for its date.
    pub(super) fn heirs(&self) -> Vec<(Uuid, Uuid)> {
        self.heirs.clone()
    }
}

/// The kind of parent whose children are moved.
#[derive(Debug, Clone, Copy)]
pub(super) enum Side {
    Meetings,
    Occurrences,
}

impl Side {
    fn column(self) -> &'static str {
        match self {
            Side::Meetings => "meeting_id",
            Side::Occurrences => "occurrence_id",
        }
    }
}

/// The number of children moved.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moved(pub(super) Children);

impl Moved {
    /// Adds the numbers of `other`.
    pub(super) fn add(&mut self, other: Moved) {
        let (all, other) = (&mut self.0, other.0);
        all.participants += other.participants;
        all.participants_already_there += other.participants_already_there;
        all.concepts += other.concepts;
        all.expertise += other.expertise;
        all.tools += other.tools;
        all.transcript_segments += other.transcript_segments;
        all.underlines += other.underlines;
    }
}

/// Moves the children of the first of each pair to the second. A participant that both have remains once, with the
/// member that either knew (rule 5).
pub(super) async fn move_children(
    call: &mut Call,
    side: Side,
    pairs: &[(Uuid, Uuid)],
) -> Result<Moved, ToolError> {
    let mut children = Children::default();
    let (from, to): (Vec<Uuid>, Vec<Uuid>) = pairs.iter().copied().unzip();
    if pairs.is_empty() {
        return Ok(Moved(children));
    }
    let column = side.column();
    let known = format!(
        "update work.meeting_participants there set member_id = coalesce(there.member_id, gone.member_id) \
         from unnest($1::uuid[], $2::uuid[]) p (source, target), work.meeting_participants gone \
         where gone.{column} = p.source and there.{column} = p.target and there.label = gone.label"
    );
    call.query(&known, params![from, to]).await?;
    let twice = format!(
        "with gone as (delete from work.meeting_participants gone \
           using unnest($1::uuid[], $2::uuid[]) p (source, target), work.meeting_participants there \
           where gone.{column} = p.source and there.{column} = p.target and there.label = gone.label \
           returning 1) \
         select count(*) from gone"
    );
    children.participants_already_there = number(call, &twice, &from, &to).await?;
    for kind in Child::ALL {
        let sql = format!(
            "with moved as (update {} c set {column} = p.target \
               from unnest($1::uuid[], $2::uuid[]) p (source, target) where c.{column} = p.source \
               returning 1) \
             select count(*) from moved",
            kind.table()
        );
        *count_of(&mut children, kind) = number(call, &sql, &from, &to).await?;
    }
    Ok(Moved(children))
}

fn count_of(children: &mut Children, kind: Child) -> &mut u32 {
    match kind {
        Child::Participants => &mut children.participants,
        Child::Concepts => &mut children.concepts,
        Child::Expertise => &mut children.expertise,
        Child::Tools => &mut children.tools,
        Child::Segments => &mut children.transcript_segments,
        Child::Underlines => &mut children.underlines,
    }
}

async fn number(call: &mut Call, sql: &str, from: &[Uuid], to: &[Uuid]) -> Result<u32, ToolError> {
    let rows = call.query(sql, &[&from, &to]).await?;
    let number = rows.first().map_or(0, |row| row.get::<_, i64>(0));
    Ok(u32::try_from(number).unwrap_or(u32::MAX))
}

/// Moves the occurrences to the canonical meeting.
pub(super) async fn move_occurrences(
    call: &mut Call,
    canonical: MeetingId,
    moved: &[Uuid],
) -> Result<(), ToolError> {
    if moved.is_empty() {
        return Ok(());
    }
    let sql = "update work.meeting_occurrences set meeting_id = $1 where id = any ($2)";
    call.query(sql, &[&canonical.0, &moved]).await.map(drop)
}

/// Moves the skeleton's template and own transcript to the canonical meeting, if the decision says so.
pub(super) async fn take_over(
    call: &mut Call,
    decision: &Decision,
    (canonical, skeleton): (MeetingId, MeetingId),
) -> Result<(), ToolError> {
    if let Some(template) = decision.template {
        let sql = "update work.meetings set template = $2 where id = $1";
        call.query(sql, params![canonical, template]).await?;
    }
    if decision.transcript == Some(Action::Reparent) {
        // Clear the transcript id first: it is unique at all times.
        let take = "update work.meetings s set transcriber_transcript_id = null, transcript = null \
             from work.meetings b where s.id = $1 and b.id = s.id \
             returning b.transcriber_transcript_id, b.transcript";
        let rows = call.query(take, params![skeleton]).await?;
        if let Some(row) = rows.first() {
            let (id, text): (Option<String>, Option<String>) = (row.get(0), row.get(1));
            let give = "update work.meetings set transcriber_transcript_id = $2, transcript = $3 \
                 where id = $1";
            call.query(give, params![canonical, id, text]).await?;
        }
    }
    Ok(())
}
