//! Promoting one occurrence of a series to a meeting of its own.

use frontdesk_protocol::Role;
use frontdesk_tests::{Desk, Mode, Proxy, desk, run, selected, world};

use crate::removal::{
    LEADERS, School, WEBHOOKS, arrange, confirm, meetings, number, participant, weekly,
};

/// The tool.
const PROMOTE: &str = "promote_occurrence_to_standalone";
const OF_SERIES: &str = "select count(*) from work.meeting_occurrences where organization_id = $1";

/// The owner looks at the promotion of the occurrence of this day.
async fn at_promotion(school: &School, date: &str) -> Desk {
    let setup = desk(&school.organization).signed_in_as(Role::Owner);
    looking(setup, date).await
}

async fn looking(setup: frontdesk_tests::desk::Setup, date: &str) -> Desk {
    let mut t = setup.at_home().await;
    t.press("m")
        .await
        .select(LEADERS)
        .await
        .press("enter home")
        .await;
    t.select(day(date)).await.press("p").await;
    t.expect(&format!("Promote {date} of Weekly leaders"));
    t
}

/// The day, as the screen of the series shows it.
fn day(date: &str) -> &str {
    match date {
        "2025-03-04" => "Tue  4 Mar",
        "2025-03-11" => "Tue 11 Mar",
        _ => "Tue 25 Mar",
    }
}

#[test]
fn an_occurrence_becomes_a_meeting_under_another_title() {
    run(async {
        let school = weekly().await;
        let of = &school.organization;
        let before = number(of, WEBHOOKS).await;
        let mut t = at_promotion(&school, "2025-03-04").await;
        t.expect("1 becomes a meeting · 1 webhook fires");
        t.snapshot("promotion_plan").await;
        t.press("t").await.type_text("Kick-off").await;
        assert!(t.cannot_run("plan.apply").contains("title"));
        t.press("enter").await;
        t.snapshot("promotion_title").await;
        t.press("a").await;
        t.expect("Promote this occurrence?")
            .expect("The occurrence leaves its series.");
        // The series' title is not the new meeting's.
        t.type_text(LEADERS).await.press("ctrl-y").await;
        t.expect("✗ that is not the title");
        t.press("esc").await;
        confirm(&mut t, "Kick-off").await;
        t.expect("✓ PROMOTED  Kick-off")
            .expect("1 became a meeting · 1 webhook queued");
        t.snapshot("promotion_done").await;
        assert!(
            meetings(of)
                .await
                .contains(&"Kick-off · 2025-03-04 18:00 · tr-0304 · Ana: welcome.".to_owned())
        );
        assert_eq!(number(of, OF_SERIES).await, 3);
        assert_eq!(number(of, WEBHOOKS).await, before + 1);
        // The series below knows.
        t.press("esc").await.expect_no(day("2025-03-04"));
    });
}

#[test]
fn one_looks_and_leaves_and_nothing_has_happened() {
    run(async {
        let school = weekly().await;
        let of = &school.organization;
        let before = number(of, WEBHOOKS).await;
        let mut t = at_promotion(&school, "2025-03-11").await;
        t.press("o").await.expect("[x] keep the occurrence");
        t.press("o").await.expect("[ ] keep the occurrence");
        t.press("a esc").await;
        t.press("esc").await.expect_row(selected(day("2025-03-11")));
        assert_eq!(meetings(of).await.len(), 1);
        assert_eq!(number(of, OF_SERIES).await, 4);
        assert_eq!(number(of, WEBHOOKS).await, before);
    });
}

#[test]
fn text_without_an_id_is_promoted_where_the_occurrence_is_kept() {
    run(async {
        let school = weekly().await;
        let of = &school.organization;
        arrange(
            "update work.meeting_occurrences set transcript = 'Ana: hm.' where id = $1",
            school.occurrences[1].0,
        )
        .await;
        let mut t = at_promotion(&school, "2025-03-11").await;
        t.expect("✗ 1 guard refuses, nothing changes")
            .expect("Press o to keep the occurrence where it is, too.")
            .expect("the occurrence has transcript text and no transcript id");
        t.snapshot("promotion_text_without_id").await;
        assert!(t.cannot_run("plan.apply").contains("the host refuses"));
        t.press("o").await.expect("and stays an occurrence, too");
        t.snapshot("promotion_kept").await;
        confirm(&mut t, LEADERS).await;
        t.expect("✓ PROMOTED  Weekly leaders");
        assert_eq!(number(of, OF_SERIES).await, 4);
        let all = meetings(of).await;
        assert!(
            all.contains(&"Weekly leaders · 2025-03-11 18:00 · Ana: hm.".to_owned()),
            "{all:?}"
        );
    });
}

#[test]
fn participants_stand_in_the_way() {
    run(async {
        let school = weekly().await;
        let of = &school.organization;
        participant(of, "occurrence_id", school.occurrences[0].0, "Ana").await;
        let mut t = at_promotion(&school, "2025-03-04").await;
        t.expect("✗ 1 guard refuses, nothing changes")
            .expect("on the occurrence")
            .expect_row(selected("2025-03-04").with("✗ in the way"));
        t.snapshot("promotion_participants").await;
        assert_eq!(meetings(of).await.len(), 1);
    });
}

#[test]
fn an_occurrence_that_is_a_meeting_already_needs_nothing() {
    run(async {
        let school = weekly().await;
        let mut t = at_promotion(&school, "2025-03-25").await;
        t.expect("= Nothing to do")
            .expect_row(selected("2025-03-25").with("= already a meeting"));
        t.snapshot("promotion_already_there").await;
        assert!(t.cannot_run("plan.apply").contains("nothing to do"));
    });
}

#[test]
fn data_that_changes_between_looking_and_doing_changes_nothing() {
    run(async {
        let school = weekly().await;
        let of = &school.organization;
        let mut t = at_promotion(&school, "2025-03-11").await;
        t.press("a").await.type_text(LEADERS).await;
        arrange(
            "update work.meetings set title = 'Leaders' where id = $1",
            school.series.0,
        )
        .await;
        t.press("ctrl-y").await;
        t.expect("! Nothing was done: the data has changed since you looked")
            .expect("≠ title: Weekly leaders before, Leaders now");
        t.snapshot("promotion_changed").await;
        assert_eq!(meetings(of).await.len(), 1);
        confirm(&mut t, "Leaders").await;
        t.expect("✓ PROMOTED  Leaders");
    });
}

#[test]
fn an_answer_that_is_lost_is_looked_after() {
    run(async {
        for keeps in [false, true] {
            let school = weekly().await;
            let proxy = Proxy::before(&world().url()).await;
            let setup = desk(&school.organization)
                .signed_in_as(Role::Owner)
                .over(proxy.url());
            let mut t = looking(setup, "2025-03-04").await;
            if keeps {
                t.press("o").await;
            }
            proxy.set_next(PROMOTE, Mode::CutAfterRequest);
            confirm(&mut t, LEADERS).await;
            t.expect("✓ PROMOTED  Weekly leaders")
                .expect("looking again showed that it was done");
            assert_eq!(proxy.count_of(PROMOTE), if keeps { 4 } else { 3 });
            assert_eq!(meetings(&school.organization).await.len(), 2);
        }
    });
}

#[test]
fn a_connection_that_breaks_before_the_host_is_told_leaves_nothing_done() {
    run(async {
        let school = weekly().await;
        let proxy = Proxy::before(&world().url()).await;
        let setup = desk(&school.organization)
            .signed_in_as(Role::Owner)
            .over(proxy.url());
        let mut t = looking(setup, "2025-03-04").await;
        proxy.set_for(PROMOTE, Mode::status(502, "bad gateway"));
        confirm(&mut t, LEADERS).await;
        t.expect("! CHECK: it may or may not have been done");
        proxy.set(Mode::Pass);
        t.press("r").await.expect("! Not done");
        assert_eq!(meetings(&school.organization).await.len(), 1);
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
        t.press("m")
            .await
            .select(LEADERS)
            .await
            .press("enter")
            .await;
        let why = t.cannot_run("occurrence.promote");
        assert!(why.contains("the owner or a global admin"), "{why}");
    });
}
