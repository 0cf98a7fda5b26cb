//! Series of meetings: finding those that an import has doubled or left half empty, and correcting their
//! template and time.

use std::time::Duration;

use frontdesk_protocol::Role;
use frontdesk_protocol::id::MeetingId;
use frontdesk_tests::desk::Setup;
use frontdesk_tests::{Desk, Mode, School, at, row, selected};

/// The series of 60 weeks.
const LEADERS: &str = "Weekly leaders";
/// How long a story waits for a host that does not answer.
const SHORT: Duration = Duration::from_secs(6);

/// Five series: of 60 weeks, with text but no id, without occurrences, a complete one, and an import's double
/// of the first one.
fn five_series() -> (School, MeetingId) {
    let school = School::new();
    let leaders = made(&school, LEADERS, "leaders@calendar.test", "2024-01-01");
    tuesdays(&school, leaders);
    school.change(
        "insert into work.meeting_occurrences \
           (organization_id, meeting_id, occurrence_date, status, transcript, transcriber_transcript_id) \
         select $1, $2, date '2024-01-02' + 7 * n, case when n % 5 = 0 then 'skipped' else 'held' end, \
           case when n % 5 > 1 then 'Ana: welcome.' end, case when n % 5 > 0 then 'tr-' || n end \
         from generate_series(0, 59) n",
        &[&school.organization.id.0, &leaders.0],
    );
    let retro = made(&school, "Retrô", "retro@calendar.test", "2024-11-05");
    school.add_occurrence(retro, "2024-11-08", Some("Ana: welcome."), None);
    school.add_occurrence(retro, "2024-12-06", Some("Ana: again."), Some("tr-retro"));
    made(&school, "Mentoring", "mentors@calendar.test", "2024-12-01");
    let partners = made(&school, "Partners", "import-7@calendar.test", "2025-01-15");
    school.add_occurrence(
        partners,
        "2025-01-20",
        Some("Ana: hello."),
        Some("tr-partners"),
    );
    let double = made(
        &school,
        "weekly LEADERS",
        "import-7@calendar.test",
        "2025-02-20",
    );
    tuesdays(&school, double);
    school.add_occurrence(double, "2025-02-25", None, None);
    (school, leaders)
}

/// A series with this calendar, created at noon of this day.
fn made(school: &School, title: &str, calendar: &str, created: &str) -> MeetingId {
    let series = school.add_series(title);
    school.change(
        "update work.meetings set transcriber_calendar_id = $2, created_at = $3 where id = $1",
        &[&series.0, &calendar, &at(&format!("{created}T15:00:00Z"))],
    );
    series
}

/// On Tuesdays from 18:00 to 19:30.
fn tuesdays(school: &School, series: MeetingId) {
    school.change(
        "update work.meetings set recurrence_start_time = '18:00', recurrence_end_time = '19:30', \
         recurrence_day_of_week = 'tuesday' where id = $1",
        &[&series.0],
    );
}

/// 230 more series.
fn many_are_imported(school: &School) {
    school.change(
        "insert into work.meetings (organization_id, title, is_recurring, created_at) \
         select $1, 'Imported ' || lpad(n::text, 3, '0'), true, '2025-03-01' from generate_series(1, 230) n",
        &[&school.organization.id.0],
    );
}

/// Somebody removes a series.
fn is_removed(school: &School, title: &str) {
    let sql = "delete from work.meetings where organization_id = $1 and title = $2";
    school.change(sql, &[&school.organization.id.0, &title]);
}

/// Opens the list of series.
fn at_the_list(setup: Setup) -> Desk {
    let mut t = setup.at_home();
    t.press("R").expect_path("› Series");
    t
}

/// Opens one series.
fn at_one(setup: Setup, title: &str) -> Desk {
    let mut t = at_the_list(setup);
    t.select(title).press("enter");
    t
}

#[test]
fn the_series_that_need_attention_are_seen_at_once() {
    let (school, _) = five_series();
    let mut t = at_the_list(school.desk(Role::Owner));
    t.expect_title(" 5 series ").expect_rows([
        selected(LEADERS).with("60   36 48").with("≈ duplicate?"),
        row("Retrô").with("2    2  1").with("! text without id"),
        row("Mentoring").with("0    0  0").with("○ empty"),
        row("Partners").with("1    1  1"),
        row("weekly LEADERS")
            .with("1    0  0")
            .with("○ empty ≈ duplicate?"),
    ]);
    t.expect_row(row(
        "≈ Possible duplicate of “weekly LEADERS” of 20 Feb 2025.",
    ));
    t.text_snapshot("series");
    t.press("j")
        .expect("! 1 occurrence has transcript text without an id, which blocks a removal.");
    t.press("!")
        .expect_title(" 4 series ")
        .expect_no("Partners");
    t.expect_title("[needs attention]")
        .text_snapshot("series_attention");
    t.press("!").expect_title(" 5 series ");
}

#[test]
fn the_host_filters_by_each_argument() {
    let (school, _) = five_series();
    let mut t = at_the_list(school.desk(Role::Owner));
    // The title, without case and accents.
    t.press("/").search("RETRO");
    t.expect_title(" 1 series ").expect_row(selected("Retrô"));
    t.press("esc").search("").expect_title(" 5 series ");
    // The calendar.
    t.press("f f tab tab").type_text("IMPORT-7");
    t.text_snapshot("series_filter");
    t.press("ctrl-s")
        .expect_title(" 2 series ")
        .expect_title("[Transcriber calendar id contains: IMPORT-7]");
    // A mark stays when the filter hides its series.
    t.expect_rows([
        selected("Partners"),
        row("weekly LEADERS").with("○ empty ≈ duplicate?"),
    ]);
    t.press("esc").expect_title(" 5 series ").expect_no("[");
    // From a day, and to a day.
    t.press("f f").type_text("2024-11-05");
    t.press("ctrl-s")
        .expect_title(" 4 series ")
        .expect_no("▸ Weekly leaders");
    t.press("home").expect_row(selected("Retrô"));
    t.press("f f tab").type_text("2024-12-02");
    t.press("ctrl-s").expect_title(" 2 series ");
    t.expect_rows([selected("Retrô"), row("Mentoring")])
        .text_snapshot("series_filtered");
    // All of them together, and the title with them.
    t.press("/").search("mentor");
    t.expect_title(" 1 series ")
        .expect_row(selected("Mentoring"));
}

#[test]
fn an_invalid_date_is_reported_at_its_field_without_a_call() {
    let (school, _) = five_series();
    let mut t = at_the_list(school.desk(Role::Owner).over_a_network());
    let asked = t.network().count_of("list_meeting_series");
    t.press("f f").type_text("some day");
    t.press("ctrl-s").expect_head("✗ ");
    t.text_snapshot("series_filter_wrong");
    assert_eq!(t.network().count_of("list_meeting_series"), asked);
    t.press("esc y").expect_title(" 5 series ");
}

#[test]
fn a_filter_that_cannot_be_asked_shows_nothing_that_does_not_fit() {
    let (school, _) = five_series();
    let mut t = at_the_list(school.desk(Role::Owner).over_a_network());
    t.network().go_down();
    t.press("f f tab tab").type_text("IMPORT-7");
    t.press("ctrl-s")
        .expect_title("✗ Host not reachable")
        .expect_no("Mentoring");
    t.network().come_back();
    t.press("r")
        .expect_title(" 2 series ")
        .expect_no("Mentoring");
}

#[test]
fn series_are_sorted_by_their_columns() {
    let (school, _) = five_series();
    let mut t = at_the_list(school.desk(Role::Owner));
    t.press("s").expect_title("by series ↑");
    t.expect_rows([
        row("Mentoring"),
        row("Partners"),
        row("Retrô"),
        selected(LEADERS),
        row("weekly LEADERS"),
    ]);
    t.press("s").expect_title("by attention ↑");
    t.expect_rows([
        row("Retrô"),
        row("weekly LEADERS"),
        selected(LEADERS),
        row("Mentoring"),
        row("Partners"),
    ]);
    t.press("s s S").expect_title("by occ. ↓");
    t.expect_rows([selected(LEADERS), row("Retrô")]);
}

#[test]
fn all_series_are_there_however_many() {
    let (school, _) = five_series();
    many_are_imported(&school);
    let mut t = at_the_list(school.desk(Role::Owner));
    t.expect_title(" 235 series ").press("end");
    t.press("enter").expect_row(row("No occurrences."));
    t.press("esc r").expect_title(" 235 series ");
}

#[test]
fn one_series_is_read_at_a_glance() {
    let (school, _) = five_series();
    let mut t = at_one(school.desk(Role::Owner), LEADERS);
    t.expect_head("Every Tuesday 18:00–19:30 (Sao Paulo) · template default")
        .expect_head("60 occurrences · 36 with text · 48 with id · calendar leaders@calendar.test");
    t.expect_row(row("› Jan 2024 ○◐●●●"))
        .expect_row(row("January 2024 · 3● 1◐ 1○"));
    t.expect_rows([
        selected("Tue  2 Jan").with("skipped").with("○ empty"),
        row("Tue  9 Jan").with("held").with("◐ id without text"),
        row("Tue 16 Jan").with("held").with("● text and id"),
    ]);
    t.text_snapshot("series_one");
    t.resize(60, 16)
        .expect_row(row("January 2024 · 3● 1◐ 1○"))
        .expect_row(selected("Tue  2 Jan"));
    t.resize(80, 24);
    t.press("l")
        .expect_row(row("› Feb 2024"))
        .expect_row(selected("Tue  6 Feb"));
    t.press("G")
        .expect_row(row("› Feb 2025"))
        .expect_row(selected("Tue 18 Feb"));
    t.press("h").expect_row(selected("Tue  7 Jan"));
    t.press("esc")
        .expect_title(" 5 series ")
        .expect_row(selected(LEADERS));
}

#[test]
fn the_template_is_chosen_in_its_form() {
    let (school, leaders) = five_series();
    let mut t = at_one(school.desk(Role::Owner), LEADERS);
    t.press("t space space").text_snapshot("series_template");
    t.press("esc y").expect_head("template default");
    t.press("t space space ctrl-s")
        .expect_title("Send these changes?");
    t.press("y")
        .expect_toast("Saved Weekly leaders")
        .expect_head("template weekly_leaders");
    assert_eq!(
        school.meeting(leaders, "template").as_deref(),
        Some("weekly_leaders")
    );
    t.press("esc").expect_row(selected(LEADERS));
}

#[test]
fn the_time_is_set_in_its_form() {
    let (school, leaders) = five_series();
    let mut t = at_one(school.desk(Role::Owner), LEADERS);
    t.press("e ctrl-u").type_text("7 pm");
    t.press("ctrl-s")
        .expect_head("✗ ")
        .text_snapshot("series_time_wrong");
    assert_eq!(
        school.meeting(leaders, "recurrence_start_time").as_deref(),
        Some("18:00:00")
    );
    t.press("ctrl-u").type_text("19:30");
    t.press("tab ctrl-u").type_text("00:30");
    t.press("ctrl-o").expect_row(row("18:00 → 19:30"));
    t.press("esc ctrl-s").expect_row(row("18:00 → 19:30"));
    t.press("y")
        .expect_toast("Saved Weekly leaders")
        .expect_head("Every Tuesday 19:30–00:30");
    assert_eq!(
        school
            .meeting(
                leaders,
                "recurrence_start_time || ' ' || recurrence_end_time"
            )
            .as_deref(),
        Some("19:30:00 00:30:00")
    );
}

#[test]
fn removing_promoting_and_merging_only_show_what_would_happen() {
    let (school, leaders) = five_series();
    let mut t = at_the_list(school.desk(Role::Owner));
    t.press("d").expect_head("Remove Weekly leaders");
    t.press("esc").expect_row(selected(LEADERS));
    // Its double is proposed, and the one with more text stays.
    t.press("i")
        .expect_title("Merge “Weekly leaders” with which series?")
        .expect_row(row("Mentoring").with("○ empty"))
        .expect_row(selected("weekly LEADERS").with("○ empty ≈ duplicate?"));
    t.press("enter")
        .expect_head("Merge weekly LEADERS into Weekly leaders");
    t.press("esc").expect_title(" 5 series ");
    t.press("home enter down down p");
    t.press("esc").expect_row(selected("Tue 16 Jan"));
    t.press("d").expect_head("Remove Weekly leaders");
    t.press("esc").expect_row(selected("Tue 16 Jan"));
    assert_eq!(
        school
            .meeting(
                leaders,
                "(select count(*) from work.meeting_occurrences where meeting_id = meetings.id)"
            )
            .as_deref(),
        Some("60")
    );
}

#[test]
fn a_series_that_somebody_removed_leaves_the_list() {
    let (school, _) = five_series();
    let mut t = at_the_list(school.desk(Role::Owner));
    is_removed(&school, "Mentoring");
    t.select("Mentoring").press("enter");
    t.expect_row(row(
        "This series no longer exists: it was removed or merged.",
    ));
    t.press("esc")
        .expect_title(" 4 series ")
        .expect_no("Mentoring");
}

#[test]
fn a_teacher_looks_and_cannot_change() {
    let (school, _) = five_series();
    let mut t = at_the_list(school.desk(Role::Teacher));
    t.expect_title(" 5 series ");
    for command in ["series.remove", "series.merge"] {
        assert!(t.cannot_run(command).contains("you are teacher"));
    }
    t.press("enter").expect_title("60 occurrences");
    for command in [
        "series.remove_this",
        "occurrence.promote",
        "series.edit_template",
        "series.edit_time",
    ] {
        assert!(t.cannot_run(command).contains("you are teacher"));
    }
    t.press("e")
        .expect_toast("Only the owner")
        .text_snapshot("series_teacher");
}

#[test]
fn a_former_owner_is_refused_in_the_form() {
    let (school, leaders) = five_series();
    let mut t = at_one(school.desk(Role::Owner), LEADERS);
    school.give_role(Role::Owner, Role::Staff);
    t.press("t space space ctrl-s y")
        .expect_head("✗ Not permitted");
    assert_eq!(school.meeting(leaders, "template"), None);
    t.press("esc y").expect_head("template default");
}

#[test]
fn a_fellow_sees_no_series_and_the_reason() {
    let (school, _) = five_series();
    let mut t = school.desk(Role::Fellow).at_home();
    t.expect_no("m meetings").go_to("series (work");
    t.expect_row(row("list_meeting_series is not offered to you (fellow)"))
        .text_snapshot("series_fellow");
}

#[test]
fn a_host_that_is_away_takes_nothing_from_the_screen() {
    let (school, _) = five_series();
    let mut t = at_the_list(school.desk(Role::Owner).over_a_network());
    t.network().go_down();
    t.press("r")
        .expect_title("✗ Host not reachable (as of 09:45)");
    t.expect_row(selected(LEADERS).with("60   36 48"))
        .text_snapshot("series_host_away");
    t.press("enter")
        .expect_row(row("✗ Host not reachable"))
        .expect_row(row("r tries again"));
    t.network().come_back();
    t.press("r").expect_row(row("› Jan 2024 ○◐●●●"));
    t.network().go_down();
    t.press("r")
        .expect_head("✗ Host not reachable (as of 09:45)");
    t.expect_row(row("› Jan 2024 ○◐●●●"))
        .text_snapshot("series_one_host_away");
    t.press("t space space ctrl-s y")
        .expect_head("✗ Host not reachable");
    t.network().come_back();
    t.press("ctrl-s y").expect_toast("Saved Weekly leaders");
}

#[test]
fn a_host_that_hangs_takes_nothing_from_the_screen() {
    let (school, _) = five_series();
    let setup = school.desk(Role::Owner).over_a_network().timeout(SHORT);
    let mut t = at_one(setup, LEADERS);
    t.network().set_for("list_meeting_series", Mode::Hang);
    t.press_at_once("r")
        .expect_row(row("› Jan 2024 ○◐●●●"))
        .settle();
    t.expect_head("(as of 09:45)")
        .expect_row(row("› Jan 2024 ○◐●●●"));
}

#[test]
fn a_change_whose_answer_is_lost_says_so_and_is_safe_to_send_again() {
    let (school, leaders) = five_series();
    let setup = school.desk(Role::Owner).over_a_network().timeout(SHORT);
    let mut t = at_one(setup, LEADERS);
    t.network()
        .set_for("set_meeting_template", Mode::CutAfterRequest);
    t.press("t space space ctrl-s y")
        .expect_head("Outcome unknown");
    t.text_snapshot("series_answer_lost");
    assert_eq!(
        school.meeting(leaders, "template").as_deref(),
        Some("weekly_leaders")
    );
    t.network().set(Mode::Pass);
    t.press("ctrl-s y").expect_toast("Saved Weekly leaders");
    t.expect_head("template weekly_leaders");
}
