//! Plans on screen, over a host with prepared answers.

use frontdesk_client::CallError;
use frontdesk_protocol::id::{MeetingId, OccurrenceId};
use frontdesk_protocol::work::meeting::{Children, Meeting, Merge};
use frontdesk_protocol::work::occurrence::Promotion;
use frontdesk_protocol::work::plan::{Action, Plan, Planned, Rule, Totals};
use frontdesk_protocol::work::series::{OccurrencePolicy, Series, SeriesRemoval};
use frontdesk_protocol::{ErrorCode, ToolError};
use jiff::civil::{Date, date};
use serde_json::{Value, json};
use uuid::Uuid;

use super::MeetingChange;
use super::choice::Choice;
use super::difference::difference;
use super::preview::Preview;
use super::report::Report;
use crate::app::owner::ScreenId;
use crate::app::peer::Reply;
use crate::app::state::Opened;
use crate::preview::{Done, Previewed as _, Source};
use crate::shell::Driver;
use crate::testing::{FakeHost, account, app, now, series, with};

/// An answer of the host.
type Told = Result<Value, CallError>;

const TITLE: &str = "Weekly sync";

fn day(of_march: i8) -> Date {
    date(2026, 3, of_march)
}

/// A series with one occurrence that has a transcript and one that is empty.
fn weekly_sync() -> Series {
    let weekly = series(1, TITLE, "2026-01-01");
    let weekly = with(weekly, day(2), "held", true, Some("tr-1"));
    with(weekly, day(9), "scheduled", false, None)
}

fn meeting(of: &Series) -> Meeting {
    Meeting {
        id: of.id,
        title: of.title.clone(),
        template: None,
        is_recurring: true,
        recurrence_start_time: None,
        recurrence_end_time: None,
        recurrence_day_of_week: None,
        recurrence_rule: None,
        recurrence_zone: None,
        time_zone: of.time_zone.clone(),
        meeting_date: None,
        created_at: of.created_at,
        transcriber_calendar_id: None,
        transcriber_transcript_id: None,
    }
}

/// The plan for one occurrence of a series.
fn planned(of: &Series, at: usize, action: Action) -> Planned {
    let occurrence = of.occurrences.as_ref().expect("are known")[at].clone();
    Planned {
        id: occurrence.id,
        meeting_id: of.id,
        occurrence_date: occurrence.occurrence_date,
        status: occurrence.status,
        has_transcript: occurrence.has_transcript,
        transcriber_transcript_id: occurrence.transcriber_transcript_id,
        action,
        rule: Rule::of("remove_meeting_series", 2),
        reason: "the test says so".to_owned(),
        standalone_meeting_id: (action == Action::Promote).then_some(MeetingId(occurrence.id.0)),
        meeting_date: None,
    }
}

fn plan(digest: &str, occurrences: Vec<Planned>) -> Plan {
    let totals = Totals::of(&occurrences);
    Plan {
        automation_webhook_inserts: totals.promote,
        totals,
        occurrences,
        digest: digest.to_owned(),
    }
}

fn removal(digest: &str, dry_run: bool, actions: &[Action]) -> Told {
    let weekly = weekly_sync();
    let occurrences = actions
        .iter()
        .enumerate()
        .map(|(at, action)| planned(&weekly, at, *action));
    Ok(json!(SeriesRemoval {
        dry_run,
        meeting: meeting(&weekly),
        occurrence_policy: OccurrencePolicy::default(),
        plan: plan(digest, occurrences.collect()),
    }))
}

const USUAL: [Action; 2] = [Action::Promote, Action::DiscardEmpty];

fn lost() -> CallError {
    CallError::no_answer("the connection was closed")
}

fn not_found(field: &str) -> CallError {
    CallError::Tool(ToolError::not_found("meeting").on(field))
}

fn answers(host: &FakeHost, answers: impl IntoIterator<Item = Told>) {
    host.lock().plans.extend(answers);
}

async fn opened(host: &FakeHost, screen: MeetingChange) -> Driver {
    let mut app = app(host, Some(account()), (80, 24));
    app.settle().await;
    app.state_mut().screens.push(Opened {
        id: ScreenId(1_000_000),
        screen: Box::new(screen),
        writes: 0,
    });
    app.run("app.refresh").expect("asks");
    app.settle().await;
    app
}

async fn at_removal(host: &FakeHost, first: Told) -> Driver {
    answers(host, [first]);
    opened(host, MeetingChange::removal(weekly_sync())).await
}

/// Types the title and confirms.
async fn apply(app: &mut Driver) {
    app.run("plan.apply").expect("it can be applied");
    // A question must be seen before it is answered.
    app.screen();
    app.type_text(TITLE);
    app.keys("ctrl-y").await;
}

fn applied(host: &FakeHost) -> Vec<String> {
    let inner = host.lock();
    let digests = inner.applied.iter();
    digests
        .filter_map(|call| call.options.expected_plan.clone())
        .collect()
}

#[tokio::test]
async fn a_plan_of_another_choice_is_never_applied() {
    let host = FakeHost::new();
    let mut app = at_removal(&host, removal("d1", true, &USUAL)).await;
    host.hang();
    app.key("2").expect("is a key");
    let error = app.run("plan.apply").expect_err("there is no plan yet");
    assert!(error.to_string().contains("still loading"), "{error}");
    app.expect_row("of the previous choice");
    // Two more choices during the request: only the last answer counts.
    app.key("3").expect("is a key");
    app.key("2").expect("is a key");
    answers(
        &host,
        [removal("d2", true, &[Action::Promote, Action::Promote])],
    );
    host.release();
    app.settle().await;
    apply(&mut app).await;
    assert_eq!(applied(&host), ["d2"]);
}

#[tokio::test]
async fn a_refusal_that_says_nothing_more_is_shown_as_it_is() {
    let host = FakeHost::new();
    let bare = ToolError::new(ErrorCode::Refused, "the moon is full");
    let answer = Err(CallError::Tool(bare));
    let mut app = at_removal(&host, answer).await;
    app.expect_row("✗ Refused");
    app.expect_row("The moon is full.");
}

#[tokio::test]
async fn a_series_that_somebody_else_removed_otherwise_is_not_called_our_work() {
    let host = FakeHost::new();
    let mut app = at_removal(&host, removal("d1", true, &USUAL)).await;
    let gone = || Err(not_found("series_meeting_id"));
    answers(&host, [Err(lost()), gone(), gone()]);
    apply(&mut app).await;
    app.expect_row("! No longer exists");
    app.expect_row("The host's answer was lost.");
    app.expect_no("REMOVED");
}

#[tokio::test]
async fn a_question_ends_with_its_doubt() {
    let host = FakeHost::new();
    let mut app = at_removal(&host, removal("d1", true, &USUAL)).await;
    answers(&host, [Err(lost()), Err(lost())]);
    apply(&mut app).await;
    answers(&host, [removal("d1", true, &USUAL)]);
    app.key("r").expect("is a key");
    app.key("esc").expect("is a key");
    app.expect_title("Leave without knowing?");
    app.settle().await;
    app.expect_title("! Not done");
    app.expect_no("Leave without");
}

#[tokio::test]
async fn on_the_smallest_terminal_everything_that_counts_is_there() {
    let host = FakeHost::new();
    let mut app = at_removal(&host, removal("d1", true, &USUAL)).await;
    app.resize(60, 16);
    app.expect_row("[1 with transcript]");
    app.expect_row("3 only if empty");
    app.expect_row("1 becomes a meeting");
    assert_eq!(app.selected().len(), 1);
    app.run("plan.apply").expect("it can be applied");
    app.expect_row("To confirm, type this title:");
    app.expect_row("ctrl-y");
    app.key("esc").expect("is a key");
    let answer = || Err(lost());
    answers(&host, [answer(), answer()]);
    apply(&mut app).await;
    app.expect_title("! CHECK");
    assert_eq!(app.selected().len(), 1);
}

#[tokio::test]
async fn a_sign_in_that_ended_is_told_and_the_plan_is_asked_for_again() {
    let host = FakeHost::new();
    let mut app = at_removal(&host, removal("d1", true, &USUAL)).await;
    let expired = CallError::SignedOut("the token has expired".to_owned());
    answers(&host, [Err(expired)]);
    apply(&mut app).await;
    app.expect_title("Sign in to Frontdesk");
    answers(&host, [removal("d1", true, &USUAL)]);
    app.type_text("demo-password");
    app.keys("enter").await;
    app.expect_no("signed out");
    answers(&host, [removal("d1", false, &USUAL)]);
    apply(&mut app).await;
    app.expect_head("✓ REMOVED");
}

fn promotion(digest: &str, title: &str, already_there: bool, keep: bool) -> Told {
    let weekly = weekly_sync();
    let action = match already_there {
        true => Action::SkipExisting,
        false => Action::Promote,
    };
    let one = planned(&weekly, 0, action);
    let meeting = Meeting {
        id: MeetingId(one.id.0),
        title: title.to_owned(),
        is_recurring: false,
        ..meeting(&weekly)
    };
    Ok(json!(Promotion {
        dry_run: true,
        meeting,
        already_there,
        occurrence_kept: keep,
        plan: plan(digest, vec![one]),
    }))
}

async fn at_promotion(host: &FakeHost, first: Told) -> Driver {
    answers(host, [first]);
    let weekly = weekly_sync();
    let occurrence = weekly.occurrences.clone().expect("are known")[0].clone();
    opened(host, MeetingChange::promotion(weekly, occurrence)).await
}

fn of_promotion(error: CallError) -> Told {
    Err(error)
}

#[tokio::test]
async fn a_title_that_is_too_long_is_told_and_not_asked_for() {
    let host = FakeHost::new();
    let mut app = at_promotion(&host, promotion("d1", TITLE, false, false)).await;
    app.key("t").expect("is a key");
    app.paste(&"x".repeat(201));
    app.keys("enter").await;
    app.expect_row("✗ must have at most 200");
    let error = app.run("plan.apply").expect_err("the title is wrong");
    assert!(error.to_string().contains("at most 200"), "{error}");
    assert_eq!(host.called("promote_occurrence_to_standalone"), 1);
}

#[tokio::test]
async fn an_occurrence_that_went_without_becoming_a_meeting_was_not_promoted() {
    let host = FakeHost::new();
    let mut app = at_promotion(&host, promotion("d1", TITLE, false, false)).await;
    answers(
        &host,
        [
            of_promotion(lost()),
            of_promotion(not_found("occurrence_id")),
            Err(not_found("series_meeting_id")),
        ],
    );
    apply(&mut app).await;
    app.expect_row("! No longer exists");
}

fn double() -> Series {
    let double = series(2, "Weekly sync (imported)", "2026-02-01");
    let double = with(double, day(2), "held", true, Some("tr-2"));
    with(double, day(16), "held", true, Some("tr-3"))
}

/// A merge with these actions for the two dates of the source.
fn merge(digest: &str, first: Action, second: Action, moved: bool) -> Told {
    let (ours, theirs) = (weekly_sync(), double());
    let mut last = planned(&theirs, 1, second);
    if moved {
        last.meeting_id = ours.id;
        last.action = Action::Keep;
    }
    let occurrences = vec![
        planned(&ours, 0, first),
        planned(&theirs, 0, first),
        planned(&ours, 1, Action::Keep),
        last,
    ];
    Ok(json!(Merge {
        dry_run: true,
        canonical: meeting(&ours),
        skeleton: meeting(&theirs),
        skeleton_removed: first != Action::Conflict,
        transcript: None,
        template_taken: None,
        children: Children::default(),
        plan: plan(digest, occurrences),
    }))
}

async fn at_merge(host: &FakeHost, first: Told) -> Driver {
    answers(host, [first]);
    let [ours, theirs] = [weekly_sync(), double()].map(|series| (series.id, series.title));
    opened(host, MeetingChange::merge(ours, theirs)).await
}

async fn apply_merge(app: &mut Driver) {
    app.run("plan.apply").expect("it can be applied");
    app.screen();
    app.type_text("Weekly sync (imported)");
    app.keys("ctrl-y").await;
}

#[tokio::test]
async fn a_clean_merge_whose_skeleton_is_still_there_was_not_done_whatever_else_changed() {
    let host = FakeHost::new();
    let mut app = at_merge(&host, merge("d1", Action::Keep, Action::Keep, false)).await;
    answers(
        &host,
        [Err(lost()), merge("d2", Action::Keep, Action::Keep, false)],
    );
    apply_merge(&mut app).await;
    app.expect_title("! Not done");
    app.expect_panel("Not done", "But the data has changed since the preview.");
}

#[tokio::test]
async fn what_a_host_says_cannot_reach_the_terminal() {
    let host = FakeHost::new();
    let evil = "\u{1b}[31m\u{202e}evil\u{7}";
    let mut answer = removal("d1", true, &USUAL).expect("is a removal");
    answer["meeting"]["title"] = evil.into();
    for planned in answer["occurrences"].as_array_mut().expect("are planned") {
        for field in ["reason", "status", "rule", "transcriber_transcript_id"] {
            planned[field] = evil.into();
        }
    }
    let mut app = at_removal(&host, Ok(answer)).await;
    app.run("plan.apply").expect("it can be applied");
    app.expect_row("[31mevil");
    let obeyed = |char: char| char != '\n' && (char.is_control() || char == '\u{202e}');
    let screen = app.screen();
    assert!(!screen.contains(obeyed), "{screen:?}");
}

#[tokio::test]
async fn where_the_export_is_stays_on_the_screen() {
    let host = FakeHost::new();
    let mut app = at_removal(&host, removal("d1", true, &USUAL)).await;
    answers(&host, [removal("d1", false, &USUAL)]);
    apply(&mut app).await;
    app.keys("x").await;
    app.dismiss_toasts();
    app.expect_row("Exported to /exports/frontdesk-remove-weekly-sync-2026-03-12.json");
}

#[tokio::test]
async fn a_disk_that_takes_no_export_is_told() {
    let host = FakeHost::new();
    let mut app = at_removal(&host, removal("d1", true, &USUAL)).await;
    answers(&host, [removal("d1", false, &USUAL)]);
    apply(&mut app).await;
    host.lock().disk_is_full = true;
    app.keys("x").await;
    assert!(app.toasts()[0].starts_with("✗ Not exported: /exports/"));
    assert!(app.toasts()[0].ends_with("no space left on device"));
}

fn preview(answer: Told) -> Preview {
    let choice = Choice::Removal {
        series: weekly_sync().id,
        policy: OccurrencePolicy::default(),
        allow_non_recurring: false,
    };
    let answer = choice.dry_run().answer(answer.map(Reply::from));
    Preview::read(&choice, &answer).expect("is a plan")
}

#[test]
fn a_report_holds_nothing_that_a_terminal_obeys() {
    let mut done = preview(removal("d1", false, &USUAL));
    if let super::preview::Verdict::Removal(removal) = &mut done.verdict {
        removal.meeting.title = "Zoë\u{9b}31m \u{202e}yad\u{7f}".to_owned();
    }
    let done = Done {
        plan: done,
        at: now(),
        source: Source::Answer,
        change: None,
    };
    let report = Report(&done);
    let text = report.json();
    assert!(text.contains("Zoë\\u009b31m \\u202eyad\\u007f"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&text).expect("is JSON");
    assert_eq!(
        json["result"]["meeting"]["title"],
        "Zoë\u{9b}31m \u{202e}yad\u{7f}"
    );
    let name = report.file_name(&jiff::tz::TimeZone::UTC);
    assert_eq!(name, "frontdesk-remove-zoe-31m-yad-2026-03-12.json");
}

#[test]
fn a_title_that_goes_up_stays_in_the_directory() {
    let mut done = preview(removal("d1", false, &USUAL));
    if let super::preview::Verdict::Removal(removal) = &mut done.verdict {
        removal.meeting.title = "../../etc/passwd".to_owned();
    }
    let done = Done {
        plan: done,
        at: now(),
        source: Source::Look,
        change: None,
    };
    let report = Report(&done);
    let name = report.file_name(&jiff::tz::TimeZone::UTC);
    assert_eq!(name, "frontdesk-remove-etc-passwd-2026-03-12.json");
    assert!(report.json().contains("the host's answer was lost"));
}

#[test]
fn the_same_plan_differs_in_nothing() {
    let plan = || preview(removal("d1", true, &USUAL));
    assert!(difference(&plan(), &plan()).is_empty());
}

#[test]
fn what_came_and_what_went_is_told_by_its_date() {
    let before = preview(removal("d1", true, &USUAL[..1]));
    let mut now = preview(removal("d2", true, &USUAL));
    if let super::preview::Verdict::Removal(removal) = &mut now.verdict {
        let first = &mut removal.plan.occurrences[0];
        first.id = OccurrenceId(Uuid::from_u128(99));
    }
    assert_eq!(
        difference(&before, &now),
        [
            "empty, goes: 0 before, 1 now",
            "2026-03-02 is new: becomes a meeting",
            "2026-03-02 no longer exists (before: becomes a meeting)",
            "2026-03-09 is new: empty, goes",
        ]
    );
}

#[test]
fn a_change_that_is_not_on_the_screen_is_told_to_be_one() {
    let before = preview(removal("d1", true, &USUAL));
    let now = preview(removal("d2", true, &USUAL));
    let [line] = difference(&before, &now).try_into().expect("is one line");
    assert!(line.contains("not shown here"), "{line}");
}
