//! Removing a series: looking first, then typing its title; and everything that can come between.

use std::path::PathBuf;
use std::time::Duration;

use frontdesk_protocol::Role;
use frontdesk_protocol::id::{MeetingId, OccurrenceId};
use frontdesk_tests::{Desk, Mode, Organization, Proxy, desk, run, selected, world};
use uuid::Uuid;

use crate::launch::school;

/// The series' title.
pub(crate) const LEADERS: &str = "Weekly leaders";
/// How long a story waits for a host that does not answer.
const SHORT: Duration = Duration::from_secs(6);
/// The tool.
const REMOVE: &str = "remove_meeting_series";

/// A school with a weekly series on Tuesdays at 18:00.
pub(crate) struct School {
    pub(crate) organization: Organization,
    pub(crate) series: MeetingId,
    /// On 4, 11, 18 and 25 March: with text and id, with nothing, with an id, and with the id of a
    /// transcript that a meeting has already.
    pub(crate) occurrences: [OccurrenceId; 4],
}

/// Sets it up.
pub(crate) async fn weekly() -> School {
    let organization = school().await;
    let series = organization.series(LEADERS).await;
    evening(series).await;
    let one = |date, text, id| organization.occurrence(series, date, text, id);
    let occurrences = [
        one("2025-03-04", Some("Ana: welcome."), Some("tr-0304")).await,
        one("2025-03-11", None, None).await,
        one("2025-03-18", None, Some("tr-0318")).await,
        one("2025-03-25", Some("Ana: goodbye."), Some("tr-0325")).await,
    ];
    meeting(&organization, LEADERS, "Ana: goodbye.", "tr-0325").await;
    School {
        organization,
        series,
        occurrences,
    }
}

/// The series takes place on Tuesdays at 18:00.
pub(crate) async fn evening(series: MeetingId) {
    arrange(
        "update work.meetings set recurrence_start_time = '18:00', recurrence_end_time = '19:00', \
         recurrence_day_of_week = 'tuesday' where id = $1",
        series.0,
    )
    .await;
}

/// A meeting that stands alone, with this transcript.
pub(crate) async fn meeting(of: &Organization, title: &str, text: &str, id: &str) -> MeetingId {
    let meeting = Uuid::now_v7();
    world()
        .owner()
        .await
        .execute(
            "insert into work.meetings (id, organization_id, title, transcript, transcriber_transcript_id) \
             values ($1, $2, $3, $4, $5)",
            &[&meeting, &of.id.0, &title, &text, &id],
        )
        .await
        .expect("a meeting");
    MeetingId(meeting)
}

/// A participant of a meeting or occurrence (`meeting_id`, `occurrence_id`).
pub(crate) async fn participant(of: &Organization, column: &str, id: Uuid, label: &str) {
    world()
        .owner()
        .await
        .execute(
            &format!(
                "insert into work.meeting_participants (organization_id, {column}, label) \
                 values ($1, $2, $3)"
            ),
            &[&of.id.0, &id, &label],
        )
        .await
        .expect("a participant");
}

/// Somebody else changes a row by its id.
pub(crate) async fn arrange(sql: &str, id: Uuid) {
    let changed = world().owner().await.execute(sql, &[&id]).await;
    assert_eq!(changed.expect("it is changed"), 1);
}

/// A number that the database holds of this organisation.
pub(crate) async fn number(of: &Organization, sql: &str) -> i64 {
    let owner = world().owner().await;
    let row = owner.query_one(sql, &[&of.id.0]).await;
    row.expect("a number").get(0)
}

/// What the meetings of this organisation are: title, day and hour there, transcript id; those that
/// stand alone, by transcript id.
pub(crate) async fn meetings(of: &Organization) -> Vec<String> {
    let owner = world().owner().await;
    let rows = owner
        .query(
            "select concat_ws(' · ', title, \
               to_char(meeting_date at time zone 'America/Sao_Paulo', 'YYYY-MM-DD HH24:MI'), \
               transcriber_transcript_id, transcript) \
             from work.meetings where organization_id = $1 and not is_recurring \
             order by transcriber_transcript_id nulls last, meeting_date",
            &[&of.id.0],
        )
        .await
        .expect("meetings");
    rows.iter().map(|row| row.get(0)).collect()
}

const SERIES: &str =
    "select count(*) from work.meetings where organization_id = $1 and is_recurring";
const OCCURRENCES: &str =
    "select count(*) from work.meeting_occurrences where organization_id = $1";
pub(crate) const WEBHOOKS: &str = "select count(*) from webhooks.events where organization_id = $1";

impl School {
    /// The owner looks at the removal of the series.
    async fn at_removal(&self) -> Desk {
        let setup = desk(&self.organization).signed_in_as(Role::Owner);
        self.looking(setup).await
    }

    async fn looking(&self, setup: frontdesk_tests::desk::Setup) -> Desk {
        let mut t = setup.at_home().await;
        t.press("m").await.select(LEADERS).await.press("x").await;
        t.expect("Remove Weekly leaders");
        t
    }

    /// Nothing was removed and nothing was made.
    async fn is_untouched(&self, webhooks: i64) {
        let of = &self.organization;
        assert_eq!(number(of, SERIES).await, 1, "the series is gone");
        assert_eq!(number(of, OCCURRENCES).await, 4);
        assert_eq!(meetings(of).await.len(), 1, "there are new meetings");
        assert_eq!(number(of, WEBHOOKS).await, webhooks);
    }

    async fn webhooks(&self) -> i64 {
        number(&self.organization, WEBHOOKS).await
    }
}

/// Confirms it with the title.
pub(crate) async fn confirm(t: &mut Desk, title: &str) {
    t.press("a").await.type_text(title).await;
    t.press("ctrl-y").await;
}

#[test]
fn one_looks_and_leaves_and_nothing_has_happened() {
    run(async {
        let school = weekly().await;
        let before = school.webhooks().await;
        let mut t = school.at_removal().await;
        t.expect("2 become meetings · 1 empty one goes · 1 already there")
            .expect("2 webhooks fire")
            .expect_row(selected("2025-03-04").with("+ becomes a meeting"));
        t.snapshot("removal_plan").await;
        t.styled_snapshot("removal_plan_styled").await;
        t.press("down").await.expect("it has neither");
        t.press("a").await.expect("Remove this meeting?");
        t.snapshot("removal_confirm").await;
        t.styled_snapshot("removal_confirm_styled").await;
        t.press("enter").await.expect("✗ type the title first");
        t.type_text("Weekly leader").await.press("ctrl-y").await;
        t.expect("✗ that is not the title");
        t.type_text("s").await.press("enter").await;
        t.expect("✗ Enter does not do it");
        t.press("esc").await.expect_no("Remove this meeting?");
        t.press("esc").await.expect_row(selected(LEADERS));
        school.is_untouched(before).await;
    });
}

#[test]
fn a_title_is_typed_as_one_hears_it() {
    run(async {
        let school = weekly().await;
        arrange(
            "update work.meetings set title = '“São João” – l’Équipe' where id = $1",
            school.series.0,
        )
        .await;
        let setup = desk(&school.organization).signed_in_as(Role::Owner);
        let mut t = setup.at_home().await;
        t.press("m").await.select("São João").await.press("x").await;
        t.press("a")
            .await
            .expect("“São João” – l’Équipe")
            .type_text(" 'sao joao\" - L'EQUIPE ")
            .await
            .press("ctrl-y")
            .await;
        assert_eq!(number(&school.organization, SERIES).await, 0);
    });
}

#[test]
fn real_occurrences_become_meetings_and_the_series_goes() {
    run(async {
        let school = weekly().await;
        let before = school.webhooks().await;
        let mut t = school.at_removal().await;
        confirm(&mut t, LEADERS).await;
        t.expect("✓ REMOVED  Weekly leaders")
            .expect("2 became meetings · 1 empty one went · 1 already there")
            .expect("2 webhooks queued");
        t.snapshot("removal_done").await;
        let of = &school.organization;
        assert_eq!(number(of, SERIES).await, 0);
        assert_eq!(number(of, OCCURRENCES).await, 0);
        assert_eq!(
            meetings(of).await,
            [
                "Weekly leaders · 2025-03-04 18:00 · tr-0304 · Ana: welcome.",
                "Weekly leaders · 2025-03-18 18:00 · tr-0318",
                "Weekly leaders · tr-0325 · Ana: goodbye.",
            ]
        );
        assert_eq!(school.webhooks().await, before + 2);
        // The list below knows.
        t.press("esc").await.expect_no(LEADERS);
    });
}

#[test]
fn what_was_done_can_be_taken_along() {
    run(async {
        let school = weekly().await;
        let mut t = school.at_removal().await;
        confirm(&mut t, LEADERS).await;
        t.press("c").await.expect_toast("Copied as JSON");
        t.press("x").await.expect_toast("Exported as");
        t.press("x").await.expect_toast("Exported as");
        let name = "frontdesk-remove-weekly-leaders-2025-03-12";
        let read = |file: String| {
            let path: PathBuf = t.directory().join(file);
            std::fs::read_to_string(path).expect("a file")
        };
        let (first, second) = (read(format!("{name}.json")), read(format!("{name}-2.json")));
        assert_eq!(first, second);
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
    });
}

#[test]
fn all_occurrences_become_meetings_where_one_wants_it() {
    run(async {
        let school = weekly().await;
        let mut t = school.at_removal().await;
        t.press("2").await;
        t.expect("[2 all become meetings]")
            .expect("3 become meetings · 1 already there");
        t.snapshot("removal_all").await;
        confirm(&mut t, LEADERS).await;
        t.expect("3 became meetings");
        let all = meetings(&school.organization).await;
        assert_eq!(all.len(), 4);
        assert!(
            all.contains(&"Weekly leaders · 2025-03-11 18:00".to_owned()),
            "{all:?}"
        );
    });
}

#[test]
fn a_series_that_must_be_empty_and_is_not_stays() {
    run(async {
        let school = weekly().await;
        let before = school.webhooks().await;
        let mut t = school.at_removal().await;
        t.press("left").await;
        t.expect("[3 only if empty]")
            .expect("✗ 1 guard refuses, nothing changes")
            .expect("Choose another policy: press 1 or 2.")
            .expect("the series has 4 occurrences");
        t.snapshot("removal_not_empty").await;
        t.styled_snapshot("removal_not_empty_styled").await;
        assert!(t.cannot_run("plan.apply").contains("the host refuses"));
        school.is_untouched(before).await;
    });
}

#[test]
fn an_empty_series_goes() {
    run(async {
        let school = weekly().await;
        let of = &school.organization;
        for occurrence in school.occurrences {
            arrange(
                "delete from work.meeting_occurrences where id = $1",
                occurrence.0,
            )
            .await;
        }
        let mut t = school.at_removal().await;
        t.press("3").await.expect("There are no occurrences.");
        confirm(&mut t, LEADERS).await;
        t.expect("✓ REMOVED").expect("no webhook fired");
        assert_eq!(number(of, SERIES).await, 0);
        t.snapshot("removal_empty_done").await;
    });
}

#[test]
fn text_without_an_id_stands_in_the_way() {
    run(async {
        let school = weekly().await;
        let before = school.webhooks().await;
        arrange(
            "update work.meeting_occurrences set transcript = 'Ana: hm.' where id = $1",
            school.occurrences[1].0,
        )
        .await;
        let mut t = school.at_removal().await;
        t.expect("1 occurrence with transcript text and no transcript id")
            .expect("Merge it into another meeting instead (m in the list of series).");
        t.press("down")
            .await
            .expect_row(selected("2025-03-11").with("✗ in the way"));
        t.snapshot("removal_text_without_id").await;
        assert!(t.cannot_run("plan.apply").contains("the host refuses"));
        school.is_untouched(before).await;
    });
}

#[test]
fn every_guard_is_told_at_once() {
    run(async {
        let school = weekly().await;
        let before = school.webhooks().await;
        let of = &school.organization;
        arrange(
            "update work.meeting_occurrences set transcript = 'Ana: hm.' where id = $1",
            school.occurrences[1].0,
        )
        .await;
        arrange(
            "update work.meeting_occurrences set transcript = 'Otherwise.' where id = $1",
            school.occurrences[3].0,
        )
        .await;
        arrange(
            "update work.meetings set transcript = 'Its own.', is_recurring = false where id = $1",
            school.series.0,
        )
        .await;
        participant(of, "occurrence_id", school.occurrences[2].0, "Ana").await;
        participant(of, "meeting_id", school.series.0, "Bia").await;
        let mut t = desk(of).signed_in_as(Role::Owner).at_home().await;
        by_id(&mut t, &school.series.to_string()).await;
        t.press("3").await;
        t.expect("✗ 5 guards refuse, nothing changes")
            .expect("the meeting does not recur")
            .expect("Press n to allow a meeting that does not recur.")
            .expect("the series has 4 occurrences")
            .expect("1 occurrence with transcript text and no transcript id")
            .expect("the meeting itself has a transcript")
            .expect("participants (2) on the series or its occurrences");
        t.snapshot("removal_every_guard").await;
        assert_eq!(school.webhooks().await, before);
        assert_eq!(number(of, OCCURRENCES).await, 4);
    });
}

#[test]
fn a_transcript_that_another_meeting_has_otherwise_stands_in_the_way() {
    run(async {
        let school = weekly().await;
        arrange(
            "update work.meeting_occurrences set transcript = 'Otherwise.' where id = $1",
            school.occurrences[3].0,
        )
        .await;
        let mut t = school.at_removal().await;
        t.expect("✗ 1 guard refuses").expect("has not");
        t.press("end").await;
        t.expect_row(selected("2025-03-25").with("✗ in the way"))
            .expect("a meeting has its transcript id and not its transcript text");
        t.snapshot("removal_existing_differs").await;
    });
}

async fn by_id(t: &mut Desk, id: &str) {
    t.run("plan.remove_by_id")
        .await
        .expect("The id of the meeting.");
    t.type_text(id).await.press("enter").await;
}

#[test]
fn a_meeting_that_is_no_series_is_removed_by_its_id_if_one_allows_it() {
    run(async {
        let school = weekly().await;
        let of = &school.organization;
        arrange(
            "update work.meetings set is_recurring = false where id = $1",
            school.series.0,
        )
        .await;
        let mut t = desk(of).signed_in_as(Role::Owner).at_home().await;
        by_id(&mut t, "the weekly one").await;
        t.expect("✗ an id looks like");
        t.snapshot("removal_by_id_prompt").await;
        t.press("esc").await;
        by_id(&mut t, &school.series.to_string()).await;
        t.expect("Remove Weekly leaders")
            .expect("✗ 1 guard refuses")
            .expect("the meeting does not recur");
        t.snapshot("removal_not_recurring").await;
        t.press("n").await;
        t.expect("[x] also a meeting that does not recur")
            .expect("2 become meetings");
        confirm(&mut t, LEADERS).await;
        t.expect("✓ REMOVED  Weekly leaders");
        assert_eq!(number(of, OCCURRENCES).await, 0);
    });
}

#[test]
fn an_id_of_nothing_is_told() {
    run(async {
        let school = weekly().await;
        let mut t = desk(&school.organization)
            .signed_in_as(Role::Owner)
            .at_home()
            .await;
        by_id(&mut t, &school.occurrences[0].to_string()).await;
        t.expect("✗ Not there").expect("or you cannot see it");
        t.snapshot("removal_not_there").await;
        t.press("esc").await.expect("Home");
    });
}

#[test]
fn data_that_changes_between_looking_and_doing_changes_nothing() {
    run(async {
        let school = weekly().await;
        let of = &school.organization;
        let before = school.webhooks().await;
        let mut t = school.at_removal().await;
        t.press("a").await.type_text(LEADERS).await;
        // While the title is typed, the transcriber brings what was missing, and one more.
        arrange(
            "update work.meeting_occurrences set transcriber_transcript_id = 'tr-0311' where id = $1",
            school.occurrences[1].0,
        )
        .await;
        of.occurrence(school.series, "2025-04-01", None, None).await;
        t.press("ctrl-y").await;
        t.expect("! Nothing was done: the data has changed since you looked")
            .expect("≠ becomes a meeting: 2 before, 3 now")
            .expect("≠ 2025-03-11 empty, goes before, becomes a meeting now")
            .expect("≠ 2025-04-01 is new: empty, goes");
        t.snapshot("removal_changed").await;
        t.styled_snapshot("removal_changed_styled").await;
        assert_eq!(number(of, SERIES).await, 1);
        assert_eq!(number(of, OCCURRENCES).await, 5);
        assert_eq!(school.webhooks().await, before);
        // What is on the screen now is true, and can be done.
        confirm(&mut t, LEADERS).await;
        t.expect("3 became meetings");
        assert_eq!(number(of, SERIES).await, 0);
    });
}

#[test]
fn a_guard_that_refuses_only_by_then_is_told() {
    run(async {
        let school = weekly().await;
        let before = school.webhooks().await;
        let mut t = school.at_removal().await;
        t.press("a").await.type_text(LEADERS).await;
        participant(
            &school.organization,
            "occurrence_id",
            school.occurrences[0].0,
            "Ana",
        )
        .await;
        t.press("ctrl-y").await;
        t.expect("! Nothing was done: the data has changed since you looked")
            .expect("≠ now refused: participants (1) on the series or its occurrences")
            .expect("Merge it into another meeting instead (m in the list of series).");
        t.snapshot("removal_refused_by_then").await;
        school.is_untouched(before).await;
    });
}

#[test]
fn a_series_that_somebody_else_removed_is_told_to_be_gone() {
    run(async {
        let school = weekly().await;
        let mut t = school.at_removal().await;
        let mut other = school.at_removal().await;
        confirm(&mut other, LEADERS).await;
        other.expect("✓ REMOVED");
        confirm(&mut t, LEADERS).await;
        t.expect("! Not there any more")
            .expect("You have changed nothing.");
        t.snapshot("removal_gone").await;
        assert_eq!(meetings(&school.organization).await.len(), 3);
    });
}

async fn behind_a_proxy(school: &School) -> (Proxy, Desk) {
    let proxy = Proxy::before(&world().url()).await;
    let setup = desk(&school.organization)
        .signed_in_as(Role::Owner)
        .over(proxy.url());
    let t = school.looking(setup).await;
    (proxy, t)
}

#[test]
fn an_answer_that_is_lost_is_looked_after_and_it_was_done() {
    run(async {
        let school = weekly().await;
        let (proxy, mut t) = behind_a_proxy(&school).await;
        proxy.set_next(REMOVE, Mode::CutAfterRequest);
        confirm(&mut t, LEADERS).await;
        t.expect("✓ REMOVED  Weekly leaders")
            .expect("looking again showed that it was done");
        t.snapshot("removal_answer_lost_done").await;
        assert_eq!(meetings(&school.organization).await.len(), 3);
        t.press("c").await.expect_toast("Copied");
        assert!(t.copied()[0].contains("the host's answer was lost"));
    });
}

#[test]
fn a_call_that_is_lost_is_looked_after_and_it_was_not_done() {
    run(async {
        let school = weekly().await;
        let before = school.webhooks().await;
        let (proxy, mut t) = behind_a_proxy(&school).await;
        proxy.set_next(REMOVE, Mode::status(504, "gateway timeout"));
        confirm(&mut t, LEADERS).await;
        t.expect("! Not done, as of 09:45:00")
            .expect("you can apply it again")
            .expect_no("REMOVED");
        t.snapshot("removal_call_lost_not_done").await;
        school.is_untouched(before).await;
        confirm(&mut t, LEADERS).await;
        t.expect("✓ REMOVED");
    });
}

#[test]
fn a_host_that_does_not_answer_in_time_is_asked_whether_it_was_done() {
    run(async {
        let school = weekly().await;
        let before = school.webhooks().await;
        let proxy = Proxy::before(&world().url()).await;
        let setup = desk(&school.organization)
            .signed_in_as(Role::Owner)
            .over(proxy.url())
            .timeout(SHORT);
        let mut t = school.looking(setup).await;
        proxy.set_next(REMOVE, Mode::Hang);
        t.press("a").await.type_text(LEADERS).await;
        t.press_at_once("ctrl-y").expect("doing it…");
        t.press_at_once("esc");
        t.settle()
            .await
            .expect_toast("It is being done: wait for the answer");
        t.expect("! Not done, as of 09:45:00");
        school.is_untouched(before).await;
    });
}

#[test]
fn a_connection_that_stays_lost_leaves_a_question_and_no_claim() {
    run(async {
        let school = weekly().await;
        let (proxy, mut t) = behind_a_proxy(&school).await;
        proxy.set_for(REMOVE, Mode::CutAfterRequest);
        confirm(&mut t, LEADERS).await;
        t.expect("! CHECK: it may or may not have been done")
            .expect("Do not do it again before this is known.")
            .expect_no("REMOVED")
            .expect_no("failed");
        t.snapshot("removal_check").await;
        t.styled_snapshot("removal_check_styled").await;
        assert!(t.cannot_run("plan.apply").contains("not known yet"));
        let sent = proxy.count_of(REMOVE);
        t.seconds(600).await.expect("! CHECK");
        assert_eq!(proxy.count_of(REMOVE), sent, "nothing is sent by itself");
        proxy.set(Mode::Pass);
        t.press("r").await.expect("✓ REMOVED  Weekly leaders");
        assert_eq!(meetings(&school.organization).await.len(), 3);
    });
}

#[test]
fn a_host_that_cannot_be_reached_has_done_nothing_and_is_tried_again() {
    run(async {
        let school = weekly().await;
        let (proxy, mut t) = behind_a_proxy(&school).await;
        t.press("a").await.type_text(LEADERS).await;
        proxy.go_down().await;
        t.press("ctrl-y").await;
        t.expect("✗ Nothing was done: host not reachable")
            .expect("a tries again");
        t.snapshot("removal_host_away").await;
        proxy.come_back();
        confirm(&mut t, LEADERS).await;
        t.expect("✓ REMOVED");
    });
}

#[test]
fn a_teacher_is_told_who_may() {
    run(async {
        let school = weekly().await;
        let mut t = desk(&school.organization)
            .signed_in_as(Role::Teacher)
            .at_home()
            .await;
        t.press("m").await.select(LEADERS).await;
        let why = t.cannot_run("series.remove");
        assert!(why.contains("the owner or a global admin"), "{why}");
        t.press("x").await.expect_toast("and you are teacher");
        let why = t.cannot_run("plan.remove_by_id");
        assert!(why.contains("the owner or a global admin"), "{why}");
    });
}

#[test]
fn a_fellow_sees_no_series_and_is_told_who_may() {
    run(async {
        let school = weekly().await;
        let mut t = desk(&school.organization)
            .signed_in_as(Role::Fellow)
            .at_home()
            .await;
        t.press("m").await.expect_no(LEADERS);
        let why = t.cannot_run("plan.remove_by_id");
        assert!(why.contains("and you are fellow"), "{why}");
    });
}

#[test]
fn a_level_that_is_taken_away_counts_from_the_next_key() {
    run(async {
        let school = weekly().await;
        let of = &school.organization;
        let before = school.webhooks().await;
        let admin = of.user(Role::Admin).0;
        world()
            .owner()
            .await
            .execute(
                "insert into learn.profiles (id, organization_id, name, level) \
                 values ($1, $2, 'Admin', 80)",
                &[&admin, &of.id.0],
            )
            .await
            .expect("a global admin");
        let mut t = school.looking(desk(of).signed_in_as(Role::Admin)).await;
        t.expect("2 become meetings");
        t.press("a").await.type_text(LEADERS).await;
        arrange("update learn.profiles set level = 50 where id = $1", admin).await;
        t.press("ctrl-y").await;
        t.expect("✗ Nothing was done: not permitted").expect(
            "It takes the owner of the organisation, or a global admin (level 80 or above).",
        );
        t.snapshot("removal_not_permitted").await;
        t.press("2").await.expect("✗ Not permitted");
        school.is_untouched(before).await;
    });
}
