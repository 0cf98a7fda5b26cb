//! Merging two meetings: side by side, date by date, conflicts first.

use frontdesk_protocol::Role;
use frontdesk_protocol::id::{MeetingId, OccurrenceId};
use frontdesk_tests::{Desk, Mode, Organization, Proxy, desk, row, run, selected, world};

use crate::launch::school;
use crate::removal::{LEADERS, arrange, confirm, evening, number, participant};

/// The tool.
const MERGE: &str = "merge_meetings";
/// The one that a calendar import has made.
const DOUBLE: &str = "Weekly leaders (imported)";

const SERIES: &str =
    "select count(*) from work.meetings where organization_id = $1 and is_recurring";

/// A school with a series and its double.
struct School {
    organization: Organization,
    series: MeetingId,
    double: MeetingId,
    /// Of the series on 4, 11 and 18 March: with a transcript, and two empty ones.
    ours: [OccurrenceId; 3],
    /// Of the double on 4, 11 and 25 March: empty, and two with a transcript.
    theirs: [OccurrenceId; 3],
}

async fn doubled() -> School {
    let organization = school().await;
    let series = organization.series(LEADERS).await;
    let double = organization.series(DOUBLE).await;
    evening(series).await;
    let one = |series, date, text, id| organization.occurrence(series, date, text, id);
    let ours = [
        one(series, "2025-03-04", Some("Ana: welcome."), Some("tr-0304")).await,
        one(series, "2025-03-11", None, None).await,
        one(series, "2025-03-18", None, None).await,
    ];
    let theirs = [
        one(double, "2025-03-04", None, None).await,
        one(double, "2025-03-11", Some("Ana: second."), Some("tr-0311")).await,
        one(double, "2025-03-25", Some("Ana: last."), Some("tr-0325")).await,
    ];
    for (column, id, label) in [
        ("meeting_id", series.0, "Ana"),
        ("meeting_id", double.0, "Ana"),
        ("meeting_id", double.0, "Bia"),
        ("occurrence_id", theirs[1].0, "Caio"),
    ] {
        participant(&organization, column, id, label).await;
    }
    arrange(
        "update work.meetings set template = 'weekly_leaders' where id = $1",
        double.0,
    )
    .await;
    School {
        organization,
        series,
        double,
        ours,
        theirs,
    }
}

impl School {
    /// The double carries a transcript for a date for which the series has one, too.
    async fn in_conflict(self) -> School {
        arrange(
            "update work.meeting_occurrences \
             set transcript = 'Otherwise.', transcriber_transcript_id = 'tr-else' where id = $1",
            self.theirs[0].0,
        )
        .await;
        self
    }

    async fn at_merge(&self) -> Desk {
        self.looking(desk(&self.organization).signed_in_as(Role::Owner))
            .await
    }

    /// Marks the series and its double in the list, and looks what merging them would do.
    async fn looking(&self, setup: frontdesk_tests::desk::Setup) -> Desk {
        let mut t = setup.at_home().await;
        t.press("m home m down m").await;
        t.expect("Merge: which one stays?");
        t.press("enter").await.expect("Merge ");
        if t.screen().contains(&format!("canonical  {DOUBLE}")) {
            t.press("w").await;
        }
        t.expect(&format!("canonical  {LEADERS}  "));
        t
    }

    async fn of(&self, meeting: MeetingId) -> Vec<String> {
        let owner = world().owner().await;
        let rows = owner
            .query(
                "select concat_ws(' ', occurrence_date, transcriber_transcript_id) \
                 from work.meeting_occurrences where meeting_id = $1 order by occurrence_date",
                &[&meeting.0],
            )
            .await
            .expect("occurrences");
        rows.iter().map(|row| row.get(0)).collect()
    }
}

#[test]
fn a_clean_merge_moves_everything_and_removes_the_skeleton() {
    run(async {
        let school = doubled().await;
        let mut t = school.at_merge().await;
        t.expect("No conflicts: the skeleton goes")
            .expect("The template weekly_leaders is taken over.")
            .expect("(1 on both sides, kept once)")
            .expect("2 move · 2 stay");
        t.expect_row(
            row("2025-03-11")
                .with("− empty, goes (nothing)")
                .with("→ moves (text and id)"),
        );
        t.expect_row(row("2025-03-25").with("–").with("→ moves (text and id)"));
        t.snapshot("merge_plan").await;
        t.styled_snapshot("merge_plan_styled").await;
        t.press("a").await;
        t.expect("Merge, and remove the skeleton?")
            .expect("The skeleton Weekly leaders (imported) is removed.");
        t.press("esc").await;
        assert_eq!(school.of(school.double).await.len(), 3);
        confirm(&mut t, DOUBLE).await;
        t.expect("✓ MERGED  Weekly leaders (imported) into Weekly leaders")
            .expect("Moved along:");
        t.snapshot("merge_done").await;
        assert_eq!(
            school.of(school.series).await,
            [
                "2025-03-04 tr-0304",
                "2025-03-11 tr-0311",
                "2025-03-18",
                "2025-03-25 tr-0325",
            ]
        );
        assert_eq!(number(&school.organization, SERIES).await, 1);
        t.press("esc").await.expect(LEADERS).expect_no(DOUBLE);
    });
}

#[test]
fn a_conflict_comes_first_keeps_both_and_the_skeleton() {
    run(async {
        let school = doubled().await.in_conflict().await;
        let mut t = school.at_merge().await;
        t.expect("! 1 conflict: the skeleton would not be removed")
            .expect("Skeleton, stays")
            .expect_row(selected("2025-03-04").with("! conflict, stays (text and id)"));
        t.snapshot("merge_conflict").await;
        t.styled_snapshot("merge_conflict_styled").await;
        t.press("a").await;
        t.expect("Merge what can be merged?")
            .expect("1 conflict: both sides stay there");
        t.press("esc").await;
        confirm(&mut t, DOUBLE).await;
        t.expect("! MERGED IN PART  Weekly leaders (imported) into Weekly leaders")
            .expect("! 1 conflict left: the skeleton was not removed");
        t.snapshot("merge_conflict_done").await;
        assert_eq!(school.of(school.double).await, ["2025-03-04 tr-else"]);
        assert_eq!(school.of(school.series).await.len(), 4);
    });
}

#[test]
fn nothing_but_conflicts_is_nothing_to_do() {
    run(async {
        let school = doubled().await.in_conflict().await;
        let mut t = school.at_merge().await;
        confirm(&mut t, DOUBLE).await;
        t.expect("MERGED IN PART");
        // Again: what could move has moved.
        t.press("esc").await;
        t.press("home m down m enter").await;
        if t.screen().contains(&format!("canonical  {DOUBLE}")) {
            t.press("w").await;
        }
        t.expect("! 1 conflict");
        let why = t.cannot_run("plan.apply");
        assert!(why.contains("nothing that could move"), "{why}");
    });
}

#[test]
fn swapping_the_sides_shows_the_other_merge() {
    run(async {
        let school = doubled().await;
        let mut t = school.at_merge().await;
        t.press("w").await;
        t.expect(&format!("canonical  {DOUBLE}"));
        t.expect_row(
            selected("2025-03-04")
                .with("− empty, goes (nothing)")
                .with("→ moves (text and id)"),
        );
        t.snapshot("merge_swapped").await;
        confirm(&mut t, LEADERS).await;
        t.expect("✓ MERGED  Weekly leaders into Weekly leaders (imported)");
        assert_eq!(school.of(school.double).await.len(), 4);
    });
}

#[test]
fn data_that_changes_between_looking_and_doing_changes_nothing() {
    run(async {
        let school = doubled().await;
        let mut t = school.at_merge().await;
        t.press("a").await.type_text(DOUBLE).await;
        let school = school.in_conflict().await;
        t.press("ctrl-y").await;
        t.expect("! Nothing was done: the data has changed since you looked")
            .expect("≠ conflict, stays: 0 before, 2 now");
        t.snapshot("merge_changed").await;
        assert_eq!(school.of(school.series).await.len(), 3);
        assert_eq!(school.of(school.double).await.len(), 3);
    });
}

#[test]
fn an_answer_that_is_lost_is_looked_after() {
    run(async {
        for in_conflict in [false, true] {
            let mut school = doubled().await;
            if in_conflict {
                school = school.in_conflict().await;
            }
            let proxy = Proxy::before(&world().url()).await;
            let setup = desk(&school.organization)
                .signed_in_as(Role::Owner)
                .over(proxy.url());
            let mut t = school.looking(setup).await;
            // The call does not arrive.
            proxy.set_next(MERGE, Mode::status(502, "bad gateway"));
            confirm(&mut t, DOUBLE).await;
            t.expect("! Not done");
            assert_eq!(school.of(school.series).await.len(), 3);
            // The answer does not arrive.
            proxy.set_next(MERGE, Mode::CutAfterRequest);
            confirm(&mut t, DOUBLE).await;
            let words = match in_conflict {
                true => "! MERGED IN PART",
                false => "✓ MERGED",
            };
            t.expect(words)
                .expect("looking again showed that it was done");
            assert_eq!(school.of(school.series).await.len(), 4);
        }
    });
}

#[test]
fn a_skeleton_that_somebody_else_merged_is_told_to_be_gone() {
    run(async {
        let school = doubled().await;
        let mut t = school.at_merge().await;
        let mut other = school.at_merge().await;
        confirm(&mut other, DOUBLE).await;
        other.expect("✓ MERGED");
        confirm(&mut t, DOUBLE).await;
        t.expect("! Not there any more");
        assert_eq!(school.ours.len(), 3);
    });
}

#[test]
fn a_teacher_is_told_who_may() {
    run(async {
        let school = doubled().await;
        let mut t = desk(&school.organization)
            .signed_in_as(Role::Teacher)
            .at_home()
            .await;
        t.press("m").await;
        let why = t.cannot_run("series.merge");
        assert!(why.contains("the owner or a global admin"), "{why}");
    });
}
