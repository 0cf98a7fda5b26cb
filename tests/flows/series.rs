//! Series of meetings: looking for those that an import has doubled or left half empty, and putting
//! their template and time right.

use std::time::Duration;

use frontdesk_protocol::Role;
use frontdesk_protocol::id::MeetingId;
use frontdesk_tests::desk::{Setup, Stored};
use frontdesk_tests::{Desk, Mode, Organization, Proxy, desk, row, run, selected, world};

use crate::launch::{at, school};

/// The series of 60 weeks.
const LEADERS: &str = "Weekly leaders";
/// How long a story waits for a host that does not answer.
const SHORT: Duration = Duration::from_secs(6);

/// Five series: of 60 weeks, with text that has no id, without occurrences, one that is fine, and
/// what an import has made of the first one.
async fn five_series() -> (Organization, MeetingId) {
    let organization = school().await;
    let leaders = made(
        &organization,
        LEADERS,
        "leaders@calendar.test",
        "2024-01-01",
    )
    .await;
    tuesdays(leaders).await;
    world()
        .owner()
        .await
        .execute(
            "insert into work.meeting_occurrences \
               (organization_id, meeting_id, occurrence_date, status, transcript, transcriber_transcript_id) \
             select $1, $2, date '2024-01-02' + 7 * n, case when n % 5 = 0 then 'skipped' else 'held' end, \
               case when n % 5 > 1 then 'Ana: welcome.' end, case when n % 5 > 0 then 'tr-' || n end \
             from generate_series(0, 59) n",
            &[&organization.id.0, &leaders.0],
        )
        .await
        .expect("occurrences");
    let retro = made(&organization, "Retrô", "retro@calendar.test", "2024-11-05").await;
    organization
        .occurrence(retro, "2024-11-08", Some("Ana: welcome."), None)
        .await;
    organization
        .occurrence(retro, "2024-12-06", Some("Ana: again."), Some("tr-retro"))
        .await;
    made(
        &organization,
        "Mentoring",
        "mentors@calendar.test",
        "2024-12-01",
    )
    .await;
    let partners = made(
        &organization,
        "Partners",
        "import-7@calendar.test",
        "2025-01-15",
    )
    .await;
    organization
        .occurrence(
            partners,
            "2025-01-20",
            Some("Ana: hello."),
            Some("tr-partners"),
        )
        .await;
    let double = made(
        &organization,
        "weekly LEADERS",
        "import-7@calendar.test",
        "2025-02-20",
    )
    .await;
    tuesdays(double).await;
    organization
        .occurrence(double, "2025-02-25", None, None)
        .await;
    (organization, leaders)
}

/// A series with this calendar, made at noon of this day.
async fn made(
    organization: &Organization,
    title: &str,
    calendar: &str,
    created: &str,
) -> MeetingId {
    let series = organization.series(title).await;
    world()
        .owner()
        .await
        .execute(
            "update work.meetings set transcriber_calendar_id = $2, created_at = $3 where id = $1",
            &[&series.0, &calendar, &at(&format!("{created}T15:00:00Z"))],
        )
        .await
        .expect("a calendar");
    series
}

/// On Tuesdays from 18:00 to 19:30.
async fn tuesdays(series: MeetingId) {
    world()
        .owner()
        .await
        .execute(
            "update work.meetings set recurrence_start_time = '18:00', recurrence_end_time = '19:30', \
             recurrence_day_of_week = 'tuesday' where id = $1",
            &[&series.0],
        )
        .await
        .expect("a time");
}

/// At the list of series.
async fn at_the_list(setup: Setup) -> Desk {
    let mut t = setup.at_home().await;
    t.press("m").await.expect("› Meeting series");
    t
}

/// At one series.
async fn at_one(setup: Setup, title: &str) -> Desk {
    let mut t = at_the_list(setup).await;
    t.select(title).await.press("enter").await;
    t
}

fn owner(organization: &Organization) -> Setup {
    desk(organization).signed_in_as(Role::Owner)
}

/// What the database holds of a series.
async fn stored(t: &Desk, series: MeetingId, column: &str) -> Option<String> {
    let database: Stored = t.database();
    database.meeting(series, column).await
}

#[test]
fn the_series_that_need_attention_are_seen_at_once() {
    run(async {
        let (organization, _) = five_series().await;
        let mut t = at_the_list(owner(&organization)).await;
        t.expect(" 5 series ").expect_rows([
            selected(LEADERS).with("60   36   48").with("≈ duplicate?"),
            row("Retrô").with("2    2    1").with("! text without id"),
            row("Mentoring").with("0    0    0").with("○ empty"),
            row("Partners").with("1    1    1"),
            row("weekly LEADERS")
                .with("1    0    0")
                .with("○ empty ≈ duplicate?"),
        ]);
        t.expect("≈ Perhaps the same as “weekly LEADERS” of 20 Feb 2025.");
        t.snapshot("series").await;
        t.press("j")
            .await
            .expect("! 1 occurrence has transcript text without an id: in the way of a removal.");
        t.press("a")
            .await
            .expect(" 4 series ")
            .expect_no("Partners");
        t.expect("[needs attention]")
            .snapshot("series_attention")
            .await;
        t.press("a").await.expect(" 5 series ");
    });
}

#[test]
fn the_host_filters_by_each_argument() {
    run(async {
        let (organization, _) = five_series().await;
        let mut t = at_the_list(owner(&organization)).await;
        // The title, as one types: without case and accents.
        t.press("/").await.search("RETRO").await;
        t.expect(" 1 series ").expect_row(selected("Retrô"));
        t.press("esc").await.search("").await.expect(" 5 series ");
        // The calendar.
        t.press("f tab").await.type_text("IMPORT-7").await;
        t.snapshot("series_filter").await;
        t.press("enter")
            .await
            .expect(" 2 series ")
            .expect("F shows all, not only [calendar “IMPORT-7”]");
        t.expect_rows([selected("Partners"), row("weekly LEADERS")]);
        t.press("F")
            .await
            .expect(" 5 series ")
            .expect_no("shows all");
        // From a day, and to a day: both count.
        t.press("f tab tab").await.type_text("2024-11-05").await;
        t.press("enter")
            .await
            .expect(" 4 series ")
            .expect_no(" 1 Jan 2024");
        t.press("f backtab").await.type_text("2024-12-01").await;
        t.press("enter").await.expect(" 2 series ");
        t.expect_rows([selected("Retrô"), row("Mentoring")])
            .expect("[created 2024-11-05 to 2024-12-01]")
            .snapshot("series_filtered")
            .await;
        // All of them together, and the title with them.
        t.press("f").await.type_text("mentor").await;
        t.press("enter")
            .await
            .expect(" 1 series ")
            .expect_row(selected("Mentoring"));
    });
}

#[test]
fn a_day_that_is_none_is_told_at_its_field_and_asks_no_host() {
    run(async {
        let (organization, _) = five_series().await;
        let proxy = Proxy::before(&world().url()).await;
        let mut t = at_the_list(owner(&organization).over(proxy.url())).await;
        let asked = proxy.count_of("list_meeting_series");
        t.press("f tab tab").await.type_text("05.11.2024").await;
        t.press("enter")
            .await
            .expect("✗ write the day like 2025-03-12");
        t.press("ctrl-u").await.type_text("2024-11-05").await;
        t.press("tab").await.type_text("2024-11-04").await;
        t.press("enter")
            .await
            .expect("✗ must not be before 2024-11-05");
        assert_eq!(proxy.count_of("list_meeting_series"), asked);
        t.press("esc")
            .await
            .expect(" 5 series ")
            .expect_no("Created on or after");
    });
}

#[test]
fn series_are_sorted_by_their_columns() {
    run(async {
        let (organization, _) = five_series().await;
        let mut t = at_the_list(owner(&organization)).await;
        t.press("s").await.expect("by title ↑");
        t.expect_rows([
            row("Mentoring"),
            row("Partners"),
            row("Retrô"),
            selected(LEADERS),
            row("weekly LEADERS"),
        ]);
        t.press("s s s S").await.expect("by occurrences ↓");
        t.expect_rows([selected(LEADERS), row("Retrô")]);
        t.press("s s s s").await.expect("by attention ↑");
        t.expect_rows([
            row("Retrô"),
            row("weekly LEADERS"),
            selected(LEADERS),
            row("Mentoring"),
            row("Partners"),
        ]);
    });
}

#[test]
fn all_series_are_there_however_many() {
    run(async {
        let (organization, _) = five_series().await;
        world()
            .owner()
            .await
            .execute(
                "insert into work.meetings (organization_id, title, is_recurring, created_at) \
                 select $1, 'Imported ' || lpad(n::text, 3, '0'), true, '2025-03-01' \
                 from generate_series(1, 230) n",
                &[&organization.id.0],
            )
            .await
            .expect("series");
        let mut t = at_the_list(owner(&organization)).await;
        t.expect(" 235 series ").press("end").await;
        t.press("enter").await.expect("It has no occurrences.");
        t.press("esc r").await.expect(" 235 series ");
    });
}

#[test]
fn one_series_is_read_at_a_glance() {
    run(async {
        let (organization, _) = five_series().await;
        let mut t = at_one(owner(&organization), LEADERS).await;
        t.expect("Every Tuesday 18:00–19:30 · template default · created 1 Jan 2024")
            .expect("60 occurrences · 36 with text · 48 with id · calendar leaders@calendar.test");
        t.expect("› Jan 2024 ○◐●●●")
            .expect("January 2024 · 3● 1◐ 1○");
        t.expect_rows([
            selected("Tue  2 Jan").with("skipped").with("○ empty"),
            row("Tue  9 Jan").with("held").with("◐ id without text"),
            row("Tue 16 Jan").with("held").with("● text and id"),
        ]);
        t.snapshot("series_one").await;
        t.press("l")
            .await
            .expect("› Feb 2024")
            .expect_row(selected("Tue  6 Feb"));
        t.press("G")
            .await
            .expect("› Feb 2025")
            .expect_row(selected("Tue 18 Feb"));
        t.press("h").await.expect_row(selected("Tue  7 Jan"));
        t.press("esc")
            .await
            .expect(" 5 series ")
            .expect_row(selected(LEADERS));
    });
}

#[test]
fn the_template_is_chosen_where_it_stands() {
    run(async {
        let (organization, leaders) = five_series().await;
        let mut t = at_one(owner(&organization), LEADERS).await;
        t.press("t down")
            .await
            .expect_row(selected("weekly_leaders"))
            .snapshot("series_template")
            .await;
        t.press("esc").await.expect("template default");
        t.press("t down enter")
            .await
            .expect_toast("Weekly leaders: now template weekly_leaders")
            .expect("template weekly_leaders");
        assert_eq!(
            stored(&t, leaders, "template").await.as_deref(),
            Some("weekly_leaders")
        );
        t.press("esc").await.expect("template weekly_leaders");
    });
}

#[test]
fn the_time_is_set_where_it_stands() {
    run(async {
        let (organization, leaders) = five_series().await;
        let mut t = at_one(owner(&organization), LEADERS).await;
        t.press("e ctrl-u").await.type_text("7 pm").await;
        t.press("enter")
            .await
            .expect("✗ write it like 09:30, from 00:00 to 23:59")
            .snapshot("series_time_wrong")
            .await;
        assert_eq!(
            stored(&t, leaders, "recurrence_start_time")
                .await
                .as_deref(),
            Some("18:00:00")
        );
        t.press("ctrl-u").await.type_text("19:30").await;
        t.press("enter")
            .await
            .expect("✗ must not be the same as the start");
        t.press("ctrl-u").await.type_text("0:30").await;
        t.expect("It takes 5 h, and ends on the next day.")
            .press("enter")
            .await;
        t.expect_toast("Weekly leaders: now 19:30–00:30")
            .expect("Every Tuesday 19:30–00:30");
        assert_eq!(
            stored(
                &t,
                leaders,
                "recurrence_start_time || ' ' || recurrence_end_time"
            )
            .await
            .as_deref(),
            Some("19:30:00 00:30:00")
        );
    });
}

#[test]
fn removing_promoting_and_merging_only_show_what_would_happen() {
    run(async {
        let (organization, leaders) = five_series().await;
        let mut t = at_the_list(owner(&organization)).await;
        t.press("x").await.expect("Remove Weekly leaders");
        t.press("esc").await.expect_row(selected(LEADERS));
        t.press("m")
            .await
            .expect_row(selected(LEADERS).with("⇄ merge"));
        t.press("end m").await.expect("Merge: which one stays?");
        t.snapshot("series_merge").await;
        t.press("enter").await.expect_no("which one stays");
        t.press("esc")
            .await
            .expect_no("⇄ merge")
            .expect(" 5 series ");
        t.press("home enter down down p").await;
        t.press("esc").await.expect_row(selected("Tue 16 Jan"));
        t.press("x").await.expect("Remove Weekly leaders");
        t.press("esc").await.expect_row(selected("Tue 16 Jan"));
        assert_eq!(
            stored(
                &t,
                leaders,
                "(select count(*) from work.meeting_occurrences where meeting_id = meetings.id)"
            )
            .await
            .as_deref(),
            Some("60")
        );
    });
}

#[test]
fn a_series_that_somebody_removed_meanwhile_is_told_and_leaves_the_list() {
    run(async {
        let (organization, _) = five_series().await;
        let mut t = at_the_list(owner(&organization)).await;
        world()
            .owner()
            .await
            .execute(
                "delete from work.meetings where organization_id = $1 and title = 'Mentoring'",
                &[&organization.id.0],
            )
            .await
            .expect("it is removed");
        t.select("Mentoring").await.press("enter").await;
        t.expect("This series is not there any more: it was removed or merged.");
        t.press("esc")
            .await
            .expect(" 4 series ")
            .expect_no("Mentoring");
    });
}

#[test]
fn a_teacher_looks_and_cannot_change() {
    run(async {
        let (organization, _) = five_series().await;
        let mut t = at_the_list(desk(&organization).signed_in_as(Role::Teacher)).await;
        t.expect(" 5 series ");
        for command in ["series.remove", "series.merge"] {
            assert!(t.cannot_run(command).contains("you are teacher"));
        }
        t.press("enter").await.expect("60 occurrences");
        for command in [
            "series.remove_this",
            "occurrence.promote",
            "series.edit_template",
            "series.edit_time",
        ] {
            assert!(t.cannot_run(command).contains("you are teacher"));
        }
        t.press("e")
            .await
            .expect_toast("it takes the owner")
            .expect_no("Time of day")
            .snapshot("series_teacher")
            .await;
    });
}

#[test]
fn an_owner_who_is_none_any_more_is_told_at_the_editor() {
    run(async {
        let (organization, leaders) = five_series().await;
        let mut t = at_one(owner(&organization), LEADERS).await;
        world()
            .owner()
            .await
            .execute(
                "update staff.users set role = 'staff' where id = $1",
                &[&organization.user(Role::Owner).0],
            )
            .await
            .expect("another role");
        t.press("t down enter").await.expect("✗ Not permitted");
        assert_eq!(stored(&t, leaders, "template").await, None);
        t.press("esc").await.expect("template default");
    });
}

#[test]
fn a_fellow_sees_none_and_is_told_why() {
    run(async {
        let (organization, _) = five_series().await;
        let mut t = at_the_list(desk(&organization).signed_in_as(Role::Fellow)).await;
        t.expect("Meetings are shown to the staff: as fellow you see none.")
            .snapshot("series_fellow")
            .await;
    });
}

#[test]
fn a_host_that_is_away_takes_nothing_from_the_screen() {
    run(async {
        let (organization, _) = five_series().await;
        let proxy = Proxy::before(&world().url()).await;
        let mut t = at_the_list(owner(&organization).over(proxy.url())).await;
        proxy.go_down().await;
        t.press("r")
            .await
            .expect("✗ Host not reachable (as of 09:45)");
        t.expect_row(selected(LEADERS).with("60   36   48"))
            .snapshot("series_host_away")
            .await;
        t.press("enter")
            .await
            .expect("✗ Host not reachable")
            .expect("r tries again");
        proxy.come_back();
        t.press("r").await.expect("› Jan 2024 ○◐●●●");
        proxy.go_down().await;
        t.press("r")
            .await
            .expect("✗ Host not reachable (as of 09:45)");
        t.expect("› Jan 2024 ○◐●●●")
            .snapshot("series_one_host_away")
            .await;
        t.press("t down enter")
            .await
            .expect("✗ Host not reachable")
            .expect("enter tries again");
        proxy.come_back();
        t.press("enter")
            .await
            .expect_toast("now template weekly_leaders");
    });
}

#[test]
fn a_host_that_hangs_takes_nothing_from_the_screen() {
    run(async {
        let (organization, _) = five_series().await;
        let proxy = Proxy::before(&world().url()).await;
        let setup = owner(&organization).over(proxy.url()).timeout(SHORT);
        let mut t = at_one(setup, LEADERS).await;
        proxy.set_for("list_meeting_series", Mode::Hang);
        t.press_at_once("r")
            .expect("› Jan 2024 ○◐●●●")
            .settle()
            .await;
        t.expect("(as of 09:45)").expect("› Jan 2024 ○◐●●●");
    });
}

#[test]
fn a_change_whose_answer_is_lost_is_looked_at_before_anything_is_said() {
    run(async {
        let (organization, leaders) = five_series().await;
        let proxy = Proxy::before(&world().url()).await;
        let setup = owner(&organization).over(proxy.url()).timeout(SHORT);
        let mut t = at_one(setup, LEADERS).await;
        // It was done; the series says so when it is read again.
        proxy.set_for("set_meeting_template", Mode::CutAfterRequest);
        t.press("t down enter")
            .await
            .expect_toast("Weekly leaders: now template weekly_leaders")
            .expect_no("Not known");
        // It never came to the host.
        proxy.set_for("set_meeting_recurrence_time", Mode::Hang);
        t.press("e ctrl-u").await.type_text("17:00").await;
        t.press("enter")
            .await
            .expect("Not known whether it was done")
            .expect("Check it above before you try again: it was to be 17:00–19:30.")
            .expect("Every Tuesday 18:00–19:30");
        t.snapshot("series_answer_lost").await;
        assert_eq!(
            stored(&t, leaders, "recurrence_start_time")
                .await
                .as_deref(),
            Some("18:00:00")
        );
        proxy.set(Mode::Pass);
        t.press("enter")
            .await
            .expect_toast("Weekly leaders: now 17:00–19:30");
    });
}
