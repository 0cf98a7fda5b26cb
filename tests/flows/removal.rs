//! Removing a series: a preview, then its title as confirmation; and everything that can come between.

use std::ops::Deref;

use frontdesk_protocol::Role;
use frontdesk_protocol::id::{MeetingId, OccurrenceId};
use frontdesk_tests::desk::Setup;
use frontdesk_tests::{Desk, Mode, School, row, selected};
use jiff::tz::TimeZone;
use uuid::Uuid;

/// The series' title.
pub(crate) const LEADERS: &str = "Weekly leaders";
/// The tool.
const REMOVE: &str = "remove_meeting_series";

/// A school with a weekly series on Tuesdays at 18:00.
pub(crate) struct Weekly {
    school: School,
    pub(crate) series: MeetingId,
    /// On 4, 11, 18 and 25 March: with text and id, with nothing, with an id, and with the id of a
    /// transcript that a meeting has already.
    pub(crate) occurrences: [OccurrenceId; 4],
    /// The number of webhooks that the set-up has queued.
    webhooks: usize,
}

impl Deref for Weekly {
    type Target = School;

    fn deref(&self) -> &School {
        &self.school
    }
}

/// Sets it up.
pub(crate) fn weekly() -> Weekly {
    let school = School::new();
    let series = school.add_series(LEADERS);
    evening(&school, series);
    let one = |date, text, id| school.add_occurrence(series, date, text, id);
    let occurrences = [
        one("2025-03-04", Some("Ana: welcome."), Some("tr-0304")),
        one("2025-03-11", None, None),
        one("2025-03-18", None, Some("tr-0318")),
        one("2025-03-25", Some("Ana: goodbye."), Some("tr-0325")),
    ];
    school.change(
        "insert into work.meetings (organization_id, title, transcript, transcriber_transcript_id) \
         values ($1, $2, 'Ana: goodbye.', 'tr-0325')",
        &[&school.organization.id.0, &LEADERS],
    );
    Weekly {
        webhooks: school.count(WEBHOOKS),
        school,
        series,
        occurrences,
    }
}

/// The series takes place on Tuesdays at 18:00.
pub(crate) fn evening(school: &School, series: MeetingId) {
    school.change(
        "update work.meetings set recurrence_start_time = '18:00', recurrence_end_time = '19:00', \
         recurrence_day_of_week = 'tuesday' where id = $1",
        &[&series.0],
    );
}

/// A participant of a meeting or occurrence (`meeting_id`, `occurrence_id`).
pub(crate) fn participant(school: &School, column: &str, id: Uuid, label: &str) {
    school.change(
        &format!(
            "insert into work.meeting_participants (organization_id, {column}, label) values ($1, $2, $3)"
        ),
        &[&school.organization.id.0, &id, &label],
    );
}

/// The meetings of this school: title, local day and hour, transcript id; separate meetings are sorted
/// by transcript id.
pub(crate) fn meetings(school: &School) -> Vec<String> {
    let found = school.texts(
        "select concat_ws(' · ', title, \
           to_char(meeting_date at time zone 'America/Sao_Paulo', 'YYYY-MM-DD HH24:MI'), \
           transcriber_transcript_id, transcript) \
         from work.meetings where organization_id = $1 and not is_recurring \
         order by transcriber_transcript_id nulls last, meeting_date",
        &[&school.organization.id.0],
    );
    found.into_iter().flatten().collect()
}

pub(crate) const SERIES: &str = "work.meetings where is_recurring";
pub(crate) const OCCURRENCES: &str = "work.meeting_occurrences where true";
pub(crate) const WEBHOOKS: &str = "webhooks.events where true";

impl Weekly {
    /// The owner previews the removal of the series.
    pub(crate) fn at_removal(&self) -> Desk {
        self.looking(self.desk(Role::Owner))
    }

    /// The same over a network that can fail.
    fn over_a_network(&self) -> Desk {
        self.looking(self.desk(Role::Owner).over_a_network())
    }

    fn looking(&self, setup: Setup) -> Desk {
        let mut t = setup.at_home();
        t.press("R").select(LEADERS).press("d");
        t.expect_head("Remove Weekly leaders");
        t
    }

    /// The series is changed.
    pub(crate) fn set(&self, change: &str) {
        let sql = format!("update work.meetings set {change} where id = $1");
        self.change(&sql, &[&self.series.0]);
    }

    /// One of the occurrences is changed.
    fn set_occurrence(&self, at: usize, change: &str) {
        let sql = format!("update work.meeting_occurrences set {change} where id = $1");
        self.change(&sql, &[&self.occurrences[at].0]);
    }

    /// The series has another title.
    pub(crate) fn is_renamed(&self, title: &str) {
        self.set(&format!("title = '{title}'"));
    }

    /// The series no longer recurs.
    fn is_no_series(&self) {
        self.set("is_recurring = false");
    }

    /// The occurrence of 11 March has a text, and no id.
    pub(crate) fn has_text_without_id(&self) {
        self.set_occurrence(1, "transcript = 'Ana: hm.'");
    }

    /// The occurrence of 11 March gets its transcript's id.
    fn gets_an_id(&self) {
        self.set_occurrence(1, "transcriber_transcript_id = 'tr-0311'");
    }

    /// The occurrence of 4 March loses its transcript.
    pub(crate) fn loses_a_transcript(&self) {
        self.set_occurrence(0, "transcript = null, transcriber_transcript_id = null");
    }

    /// Asserts that nothing was removed or created.
    fn is_untouched(&self) {
        assert_eq!(self.count(SERIES), 1, "the series is gone");
        assert_eq!(self.count(OCCURRENCES), 4);
        assert_eq!(meetings(self).len(), 1, "there are new meetings");
        assert_eq!(self.count(WEBHOOKS), self.webhooks);
    }
}

/// Confirms it with the title.
pub(crate) fn confirm(t: &mut Desk, title: &str) {
    t.press("a").type_text(title);
    t.press("ctrl-y");
}

#[test]
fn one_looks_and_leaves_and_nothing_has_happened() {
    let school = weekly();
    let mut t = school.at_removal();
    t.expect_head("2 become meetings · 1 empty one goes · 1 already there")
        .expect_head("2 webhooks fire")
        .expect_row(selected("2025-03-04").with("+ becomes a meeting"));
    t.text_snapshot("removal_plan");
    t.expect_colour("− empty, goes", "Yellow")
        .expect_colour("= already a meeting", "Reset");
    t.press("down").expect_row(selected("it has neither"));
    t.press("a")
        .expect_title("Remove this series of 4 occurrences?");
    t.text_snapshot("removal_confirm");
    t.press("enter").expect_panel(
        "Remove this series of 4 occurrences?",
        "✗ type the title first",
    );
    t.type_text("Weekly leader").press("ctrl-y");
    t.expect_panel(
        "Remove this series of 4 occurrences?",
        "✗ that is not the title",
    );
    t.enter("s");
    t.expect_panel(
        "Remove this series of 4 occurrences?",
        "✗ Enter does not confirm",
    );
    t.press("esc")
        .expect_no("Remove this series of 4 occurrences?");
    t.press("esc").expect_row(selected(LEADERS));
    school.is_untouched();
}

#[test]
fn times_are_those_of_the_organisation_on_a_machine_in_another_zone() {
    let school = weekly();
    let setup = school.desk(Role::Owner).in_zone(TimeZone::UTC);
    let mut t = setup.at_home();
    t.expect_path("owner · Sao Paulo time");
    t.press("R").select(LEADERS).press("enter");
    t.expect_head("Every Tuesday 18:00–19:00 (Sao Paulo)");
    t.press("d")
        .expect_row(row("Becomes").with("18:00 (Sao Paulo)"));
    t.expect_keys("1 transcripts · 2 all · 3 if empty");
    t.press("v enter")
        .expect_row(row("Meeting date").with("18:00"));
}

#[test]
fn a_refused_removal_is_resolved_with_the_key_that_it_names() {
    let school = weekly();
    school.has_text_without_id();
    let other = school.add_series("Leaders, imported");
    let mut t = school.at_removal();
    t.expect_row(row("Press i to merge it into another series instead."));
    t.press("i")
        .expect_title("Merge “Weekly leaders” into which series?")
        .select("Leaders, imported")
        .press("enter")
        .expect_head("Merge Weekly leaders into Leaders, imported");
    confirm(&mut t, LEADERS);
    t.expect_head("✓ MERGED");
    assert_eq!(school.count(SERIES), 1);
    assert_eq!(
        school.meeting(other, "title").as_deref(),
        Some("Leaders, imported")
    );
    t.press("esc").expect_path("Home › Series");
}

#[test]
fn real_occurrences_become_meetings_and_the_series_goes() {
    let school = weekly();
    let before = school.count(WEBHOOKS);
    let mut t = school.at_removal();
    confirm(&mut t, LEADERS);
    t.expect_head("✓ REMOVED  Weekly leaders")
        .expect_head("2 became meetings · 1 empty one went · 1 already there")
        .expect_head("2 webhooks queued");
    t.text_snapshot("removal_done");
    assert_eq!(school.count(SERIES), 0);
    assert_eq!(school.count(OCCURRENCES), 0);
    assert_eq!(
        meetings(&school),
        [
            "Weekly leaders · 2025-03-04 18:00 · tr-0304 · Ana: welcome.",
            "Weekly leaders · 2025-03-18 18:00 · tr-0318",
            "Weekly leaders · tr-0325 · Ana: goodbye.",
        ]
    );
    assert_eq!(school.count(WEBHOOKS), before + 2);
    // The list on the screen below is up to date.
    t.press("esc").expect_no(LEADERS);
}

#[test]
fn a_removal_is_taken_back_from_its_report() {
    let school = weekly();
    let mut t = school.at_removal();
    let before = school.count(OCCURRENCES);
    confirm(&mut t, LEADERS);
    // The message that offers to undo is gone by then.
    t.seconds(60).press("U a").expect_toast("Undone");
    assert_eq!(school.count(SERIES), 1);
    assert_eq!(school.count(OCCURRENCES), before);
}

#[test]
fn the_report_is_copied_and_exported() {
    let school = weekly();
    let mut t = school.at_removal();
    confirm(&mut t, LEADERS);
    t.press("c").expect_toast("Copied as JSON");
    t.press("x").expect_toast("Exported as");
    t.press("x").expect_toast("Exported as");
    let name = "frontdesk-remove-weekly-leaders-2025-03-12";
    let path = |ending: &str| t.directory().join(format!("{name}{ending}"));
    let first = std::fs::read_to_string(path(".json")).expect("a file");
    assert!(!path("-2.json").exists(), "the same is not written twice");
    assert_eq!(t.copied(), std::slice::from_ref(&first));
    let json: serde_json::Value = serde_json::from_str(&first).expect("is JSON");
    assert_eq!(json["tool"], REMOVE);
    assert_eq!(
        json["arguments"]["series_meeting_id"],
        school.series.to_string()
    );
    assert_eq!(json["result"]["dry_run"], false);
    assert_eq!(json["result"]["automation_webhook_inserts"], 2);
    let first = &json["result"]["occurrences"][0];
    assert_eq!(first["id"], school.occurrences[0].to_string());
    assert_eq!(first["standalone_meeting_id"], first["id"]);
}

fn by_id(t: &mut Desk, id: &str) {
    t.run("plan.remove_by_id")
        .expect_row(row("The id of the meeting."));
    t.enter(id);
}

#[test]
fn a_meeting_that_is_no_series_is_removed_by_its_id_if_one_allows_it() {
    let school = weekly();
    school.is_no_series();
    let mut t = school.desk(Role::Owner).at_home();
    by_id(&mut t, "the weekly one");
    t.expect_row(row("✗ an id looks like"));
    t.text_snapshot("removal_by_id_prompt");
    t.press("esc");
    by_id(&mut t, &school.series.to_string());
    t.expect_head("Remove Weekly leaders")
        .expect_title("✗ Refused for 1 reason")
        .expect_row(row("the meeting does not recur"));
    t.text_snapshot("removal_not_recurring");
    t.press("n");
    t.expect_head("[x] also a meeting that does not recur")
        .expect_head("2 become meetings");
    confirm(&mut t, LEADERS);
    t.expect_head("✓ REMOVED  Weekly leaders");
    assert_eq!(school.count(OCCURRENCES), 0);
}

#[test]
fn data_that_changes_between_looking_and_doing_changes_nothing() {
    let school = weekly();
    let before = school.count(WEBHOOKS);
    let mut t = school.at_removal();
    t.press("a").type_text(LEADERS);
    // While the title is typed, the transcriber adds the missing text, and one more occurrence.
    school.gets_an_id();
    school.add_occurrence(school.series, "2025-04-01", None, None);
    t.press("ctrl-y");
    t.expect_title("! Nothing was done: the data has changed since the preview")
        .expect_row(row("≠ becomes a meeting: 2 before, 3 now"))
        .expect_row(row(
            "≠ 2025-03-11 empty, goes before, becomes a meeting now",
        ))
        .expect_row(row("≠ 2025-04-01 is new: empty, goes"));
    t.text_snapshot("removal_changed");
    t.expect_colour("! Nothing was done", "Yellow");
    assert_eq!(school.count(SERIES), 1);
    assert_eq!(school.count(OCCURRENCES), 5);
    assert_eq!(school.count(WEBHOOKS), before);
    // The plan on the screen is now current, and can be applied.
    confirm(&mut t, LEADERS);
    t.expect_head("3 became meetings");
    assert_eq!(school.count(SERIES), 0);
}

#[test]
fn an_answer_that_is_lost_is_looked_after_and_it_was_done() {
    let school = weekly();
    let mut t = school.over_a_network();
    t.network().set_next(REMOVE, Mode::CutAfterRequest);
    confirm(&mut t, LEADERS);
    t.expect_head("✓ REMOVED  Weekly leaders")
        .expect_head("a check showed that it was done");
    t.text_snapshot("removal_answer_lost_done");
    assert_eq!(meetings(&school).len(), 3);
    t.press("c").expect_toast("Copied");
    assert!(t.copied()[0].contains("the host's answer was lost"));
}

#[test]
fn a_connection_that_stays_lost_leaves_a_question_and_no_claim() {
    let school = weekly();
    let mut t = school.over_a_network();
    t.network().set_for(REMOVE, Mode::CutAfterRequest);
    confirm(&mut t, LEADERS);
    t.expect_title("! CHECK: it may or may not have been done")
        .expect_row(row("Do not do it again before this is known."))
        .expect_no("REMOVED")
        .expect_no("failed");
    t.text_snapshot("removal_check");
    assert!(t.cannot_run("plan.apply").contains("not known yet"));
    t.press("esc")
        .expect_title("Leave without knowing?")
        .press("n");
    let sent = t.network().count_of(REMOVE);
    t.seconds(600).expect_title("! CHECK");
    assert_eq!(
        t.network().count_of(REMOVE),
        sent,
        "nothing is sent by itself"
    );
    t.network().set(Mode::Pass);
    t.press("r").expect_head("✓ REMOVED  Weekly leaders");
    assert_eq!(meetings(&school).len(), 3);
}

#[test]
fn a_teacher_sees_who_can_remove() {
    let school = weekly();
    let mut t = school.desk(Role::Teacher).at_home();
    t.press("R").select(LEADERS);
    let why = t.cannot_run("series.remove");
    assert!(why.contains("the owner and global admins"), "{why}");
    t.press("d").expect_toast("you are teacher");
    let why = t.cannot_run("plan.remove_by_id");
    assert!(why.contains("the owner and global admins"), "{why}");
}

#[test]
fn a_fellow_sees_no_series_and_who_can() {
    let school = weekly();
    let mut t = school.desk(Role::Fellow).at_home();
    t.expect_no("m meetings").go_to("series (work");
    t.expect_no(LEADERS);
    let why = t.cannot_run("plan.remove_by_id");
    assert!(why.contains("you are fellow"), "{why}");
}

#[test]
fn a_level_that_is_taken_away_counts_from_the_next_key() {
    let school = weekly();
    school.set_level(Role::Admin, 80);
    let mut t = school.looking(school.desk(Role::Admin));
    t.expect_head("2 become meetings");
    t.press("a").type_text(LEADERS);
    school.set_level(Role::Admin, 50);
    t.press("ctrl-y");
    t.expect_title("✗ Nothing was done: not permitted")
        .expect_panel(
            "✗ Nothing was done: not permitted",
            "Only the owner of the organisation and global admins (level 80 or above) can do this.",
        );
    t.text_snapshot("removal_not_permitted");
    t.press("2").expect_title("✗ Not permitted");
    school.is_untouched();
}
