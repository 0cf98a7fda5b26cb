//! Merging two meetings: side by side, date by date, conflicts first.

use std::ops::Deref;

use frontdesk_protocol::Role;
use frontdesk_protocol::id::{MeetingId, OccurrenceId};
use frontdesk_tests::desk::Setup;
use frontdesk_tests::{Desk, Mode, School, row, selected};

use crate::flows::removal::{LEADERS, SERIES, confirm, evening, participant};

/// The tool.
const MERGE: &str = "merge_meetings";
/// The meeting that a calendar import has created.
const DOUBLE: &str = "Weekly leaders (imported)";

/// A school with a series and its double.
struct Doubled {
    school: School,
    series: MeetingId,
    double: MeetingId,
    /// Of the double on 4, 11 and 25 March: empty, and two with a transcript.
    theirs: [OccurrenceId; 3],
}

impl Deref for Doubled {
    type Target = School;

    fn deref(&self) -> &School {
        &self.school
    }
}

/// The series has occurrences on 4, 11 and 18 March: with a transcript, and two empty ones.
fn doubled() -> Doubled {
    let school = School::new();
    let series = school.add_series(LEADERS);
    let double = school.add_series(DOUBLE);
    evening(&school, series);
    let one = |series, date, text, id| school.add_occurrence(series, date, text, id);
    one(series, "2025-03-04", Some("Ana: welcome."), Some("tr-0304"));
    one(series, "2025-03-11", None, None);
    one(series, "2025-03-18", None, None);
    let theirs = [
        one(double, "2025-03-04", None, None),
        one(double, "2025-03-11", Some("Ana: second."), Some("tr-0311")),
        one(double, "2025-03-25", Some("Ana: last."), Some("tr-0325")),
    ];
    for (column, id, label) in [
        ("meeting_id", series.0, "Ana"),
        ("meeting_id", double.0, "Ana"),
        ("meeting_id", double.0, "Bia"),
        ("occurrence_id", theirs[1].0, "Caio"),
    ] {
        participant(&school, column, id, label);
    }
    school.change(
        "update work.meetings set template = 'weekly_leaders' where id = $1",
        &[&double.0],
    );
    Doubled {
        school,
        series,
        double,
        theirs,
    }
}

impl Doubled {
    /// The double and the series both have a transcript for one date.
    fn in_conflict(self) -> Doubled {
        self.change(
            "update work.meeting_occurrences \
             set transcript = 'Otherwise.', transcriber_transcript_id = 'tr-else' where id = $1",
            &[&self.theirs[0].0],
        );
        self
    }

    fn at_merge(&self) -> Desk {
        self.looking(self.desk(Role::Owner))
    }

    /// Marks the series and its double in the list, and previews their merge.
    fn looking(&self, setup: Setup) -> Desk {
        let mut t = setup.at_home();
        t.press("R home i");
        t.expect_title("with which series?");
        t.select(DOUBLE).press("enter").expect_path("Merge ");
        if t.screen().contains(&format!("kept         {DOUBLE}")) {
            t.press("w");
        }
        t.expect_head(&format!("kept         {LEADERS}  "));
        t
    }

    /// The occurrences of a meeting: their days and the ids of their transcripts.
    fn of(&self, meeting: MeetingId) -> Vec<String> {
        let found = self.texts(
            "select concat_ws(' ', occurrence_date, transcriber_transcript_id) \
             from work.meeting_occurrences where meeting_id = $1 order by occurrence_date",
            &[&meeting.0],
        );
        found.into_iter().flatten().collect()
    }
}

#[test]
fn a_clean_merge_moves_everything_and_removes_the_skeleton() {
    let school = doubled();
    let mut t = school.at_merge();
    t.expect_title("No conflicts: the other meeting is removed")
        .expect_row(row("The template weekly_leaders is taken over."))
        .expect_panel(
            "No conflicts: the other meeting is removed",
            "(1 on both sides, kept once)",
        )
        .expect_head("2 move · 2 stay");
    t.expect_row(
        row("2025-03-11")
            .with("− empty, goes (nothing)")
            .with("→ moves (text and id)"),
    );
    t.expect_row(row("2025-03-25").with("–").with("→ moves (text and id)"));
    t.text_snapshot("merge_plan");
    t.press("a");
    t.expect_title("Merge, and remove the other meeting?")
        .expect_panel(
            "Merge, and remove the other meeting?",
            "“Weekly leaders (imported)” is removed.",
        );
    t.press("esc");
    assert_eq!(school.of(school.double).len(), 3);
    confirm(&mut t, DOUBLE);
    t.expect_head("✓ MERGED  Weekly leaders (imported) into Weekly leaders")
        .expect_row(row("Moved along:"));
    t.text_snapshot("merge_done");
    assert_eq!(
        school.of(school.series),
        [
            "2025-03-04 tr-0304",
            "2025-03-11 tr-0311",
            "2025-03-18",
            "2025-03-25 tr-0325",
        ]
    );
    assert_eq!(school.count(SERIES), 1);
    t.press("esc")
        .expect_row(selected(LEADERS))
        .expect_no(DOUBLE);
}

#[test]
fn a_conflict_comes_first_keeps_both_and_the_skeleton() {
    let school = doubled().in_conflict();
    let mut t = school.at_merge();
    t.expect_title("! 1 conflict: the other meeting would not be removed")
        .expect_row(row("Stays because of conflicts"))
        .expect_row(selected("2025-03-04").with("! conflict, stays (text and id)"));
    t.text_snapshot("merge_conflict");
    t.press("a");
    t.expect_title("Merge what can be merged?")
        .expect_panel("Merge what can be merged?", "1 conflict: both sides stay");
    t.press("esc");
    confirm(&mut t, DOUBLE);
    t.expect_head("! MERGED IN PART  Weekly leaders (imported) into Weekly leaders")
        .expect_title("! 1 conflict left: the other meeting was not removed");
    t.text_snapshot("merge_conflict_done");
    assert_eq!(school.of(school.double), ["2025-03-04 tr-else"]);
    assert_eq!(school.of(school.series).len(), 4);
}

#[test]
fn nothing_but_conflicts_is_nothing_to_do() {
    let school = doubled().in_conflict();
    let mut t = school.at_merge();
    confirm(&mut t, DOUBLE);
    t.expect_head("MERGED IN PART");
    // Again: everything without a conflict has moved.
    t.press("esc");
    t.press("home i").select(DOUBLE).press("enter");
    if t.screen().contains(&format!("kept         {DOUBLE}")) {
        t.press("w");
    }
    t.expect_title("! 1 conflict");
    let why = t.cannot_run("plan.apply");
    assert!(why.contains("nothing can move"), "{why}");
}

#[test]
fn swapping_the_sides_shows_the_other_merge() {
    let school = doubled();
    let mut t = school.at_merge();
    t.press("w");
    t.expect_head(&format!("kept         {DOUBLE}"));
    t.expect_row(
        selected("2025-03-04")
            .with("− empty, goes (nothing)")
            .with("→ moves (text and id)"),
    );
    t.text_snapshot("merge_swapped");
    confirm(&mut t, LEADERS);
    t.expect_head("✓ MERGED  Weekly leaders into Weekly leaders (imported)");
    assert_eq!(school.of(school.double).len(), 4);
}

#[test]
fn data_that_changes_between_looking_and_doing_changes_nothing() {
    let school = doubled();
    let mut t = school.at_merge();
    t.press("a").type_text(DOUBLE);
    let school = school.in_conflict();
    t.press("ctrl-y");
    t.expect_title("! Nothing was done: the data has changed since the preview")
        .expect_row(row("≠ conflict, stays: 0 before, 2 now"));
    t.text_snapshot("merge_changed");
    assert_eq!(school.of(school.series).len(), 3);
    assert_eq!(school.of(school.double).len(), 3);
}

#[test]
fn an_answer_that_is_lost_is_looked_after() {
    for in_conflict in [false, true] {
        let mut school = doubled();
        if in_conflict {
            school = school.in_conflict();
        }
        let setup = school.desk(Role::Owner).over_a_network();
        let mut t = school.looking(setup);
        // The call does not arrive.
        t.network()
            .set_next(MERGE, Mode::status(502, "bad gateway"));
        confirm(&mut t, DOUBLE);
        t.expect_title("! Not done");
        assert_eq!(school.of(school.series).len(), 3);
        // The answer does not arrive.
        t.network().set_next(MERGE, Mode::CutAfterRequest);
        confirm(&mut t, DOUBLE);
        let words = match in_conflict {
            true => "! MERGED IN PART",
            false => "✓ MERGED",
        };
        t.expect_head(words)
            .expect_head("a check showed that it was done");
        assert_eq!(school.of(school.series).len(), 4);
    }
}

#[test]
fn a_teacher_sees_who_can_merge() {
    let school = doubled();
    let mut t = school.desk(Role::Teacher).at_home();
    t.press("R");
    let why = t.cannot_run("series.merge");
    assert!(why.contains("the owner and global admins"), "{why}");
}
