//! The meetings that everybody reaches for.

use frontdesk_protocol::id::{MeetingId, OccurrenceId};
use frontdesk_tests::blocking::Organization;
use uuid::Uuid;

use crate::access::stage::{Stage, write};

/// The meetings of the first organisation of a [`Stage`], and the second one's.
#[derive(Debug)]
pub(crate) struct Meetings {
    pub(crate) stage: Stage,
    pub(crate) ours: Rows,
    pub(crate) theirs: Rows,
}

/// An organisation's meetings.
#[derive(Debug)]
pub(crate) struct Rows {
    /// A series with a transcript and an empty occurrence: it can be removed.
    pub(crate) series: MeetingId,
    /// Occurrences that can be promoted.
    pub(crate) promoted: OccurrenceId,
    pub(crate) kept: OccurrenceId,
    /// A series, and one that can be merged into it.
    pub(crate) canonical: MeetingId,
    pub(crate) skeleton: MeetingId,
    /// What the list says: the occurrences of each series, by date.
    pub(crate) listed: Vec<(MeetingId, Vec<OccurrenceId>)>,
}

/// The tables whose rows hang on meetings and occurrences, with a column and its value.
pub(crate) const CHILDREN: [(&str, &str, &str); 6] = [
    ("meeting_participants", "label", "'Voice 1'"),
    ("meeting_concepts", "name", "'Concept'"),
    ("meeting_expertise", "name", "'Expertise'"),
    ("meeting_tools", "name", "'Tool'"),
    ("transcript_segments", "position, content", "1, 'Words'"),
    ("meeting_underlines", "quote", "'Words'"),
];

impl Meetings {
    pub(crate) fn set() -> Meetings {
        let stage = Stage::set();
        Meetings {
            ours: Rows::of(&stage.ours),
            theirs: Rows::of(&stage.theirs),
            stage,
        }
    }
}

impl Rows {
    fn of(of: &Organization) -> Rows {
        let series = of.series("Weekly");
        let held = of.occurrence(series, "2026-03-02", Some("Words"), Some("tr-1"));
        let empty = of.occurrence(series, "2026-03-09", None, None);
        let single = of.series("Single");
        let promoted = of.occurrence(single, "2026-03-03", Some("Words"), Some("tr-2"));
        let kept = of.occurrence(single, "2026-03-10", Some("Words"), Some("tr-3"));
        let canonical = of.series("Canonical");
        let gap = of.occurrence(canonical, "2026-03-04", None, None);
        let skeleton = of.series("Skeleton");
        let brought = of.occurrence(skeleton, "2026-03-04", Some("Words"), Some("tr-4"));
        for (table, columns, values) in CHILDREN {
            let sql = format!(
                "insert into work.{table} (id, organization_id, meeting_id, {columns}) \
                 values ($1, $2, $3, {values})"
            );
            write(&sql, &[&Uuid::now_v7(), &of.id.0, &skeleton.0]);
        }
        Rows {
            series,
            promoted,
            kept,
            canonical,
            skeleton,
            listed: vec![
                (series, vec![held, empty]),
                (single, vec![promoted, kept]),
                (canonical, vec![gap]),
                (skeleton, vec![brought]),
            ],
        }
    }
}
