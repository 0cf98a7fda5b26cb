//! The tools return the demo's series as fixtures/README.md describes them.

use frontdesk_protocol::Host;
use frontdesk_protocol::id::{MeetingId, OccurrenceId};
use frontdesk_server::fixtures::{id, load};
use frontdesk_server::identity::hash_password;
use frontdesk_tests::{Answer, Http, run, world};
use jiff::Timestamp;
use serde_json::{Value, json};

pub(crate) const PASSWORD: &str = "demo-password";

/// Loads the demo once.
pub(crate) async fn loaded() {
    let demo = &world().demo;
    demo.get_or_init(async || {
        let hash = hash_password(PASSWORD).expect("a hash");
        let mut owner = world().owner().await;
        load(&mut owner, Timestamp::now(), &hash)
            .await
            .expect("the demo");
    })
    .await;
}

/// A client that is signed in to the demo.
async fn sign_in(account: &str) -> Http {
    loaded().await;
    Http::sign_in(&world().url(), &format!("{account}@demo.test"), PASSWORD).await
}

async fn removal(http: &mut Http, series: &str, policy: &str) -> Answer {
    let arguments = json!({
        "series_meeting_id": id::<MeetingId>(series),
        "occurrence_policy": policy,
        "dry_run": true,
    });
    http.call(Host::Work, "remove_meeting_series", arguments)
        .await
}

/// The number of occurrences of each action, without zeros.
fn totals(output: &Value) -> Value {
    let mut totals = output["totals"].clone();
    if let Some(totals) = totals.as_object_mut() {
        totals.retain(|_, count| *count != 0);
    }
    totals
}

#[test]
fn series_that_can_be_removed() {
    run(async {
        let mut owner = sign_in("owner").await;
        let usual = "promote_real_discard_empty";
        for (series, policy, expected) in [
            (
                "leaders-weekly",
                usual,
                json!({ "promote": 11, "discard_empty": 2 }),
            ),
            ("leaders-weekly", "promote_all", json!({ "promote": 13 })),
            ("open-hours", usual, json!({ "discard_empty": 10 })),
            (
                "mentoring-circle",
                usual,
                json!({ "promote": 3, "skip_existing": 3 }),
            ),
            (
                "daily-standup",
                usual,
                json!({ "promote": 4, "skip_existing": 1, "discard_empty": 56 }),
            ),
            ("book-club", "require_empty", json!({})),
        ] {
            let answer = removal(&mut owner, series, policy).await;
            assert_eq!(totals(answer.output()), expected, "{series} {policy}");
        }
    });
}

#[test]
fn series_that_cannot_be_removed_and_why() {
    run(async {
        let mut owner = sign_in("owner").await;
        for (series, guard, on) in [
            (
                "teachers-planning",
                "transcript_without_id",
                &["teachers-planning/-8w", "teachers-planning/-4w"][..],
            ),
            ("alumni-circle", "existing_differs", &["alumni-circle/-2w"]),
            ("cohort-checkin", "has_children", &[]),
            ("night-build", "has_children", &["night-build/-4w"]),
            ("town-hall", "series_has_transcript", &[]),
            ("project-kickoff", "not_recurring", &[]),
        ] {
            let answer = removal(&mut owner, series, "promote_real_discard_empty").await;
            let error = answer.tool_error();
            assert_eq!(error["code"], "refused", "{series}: {error}");
            let violations = error["details"]["violations"]
                .as_array()
                .expect("violations");
            let guards: Vec<_> = violations.iter().map(|one| &one["guard"]).collect();
            assert_eq!(guards, [guard], "{series}: {error}");
            if !on.is_empty() {
                let mut expected: Vec<_> = on.iter().map(|key| id::<OccurrenceId>(key)).collect();
                let mut ids: Vec<OccurrenceId> =
                    serde_json::from_value(violations[0]["ids"].clone()).expect("ids");
                expected.sort();
                ids.sort();
                assert_eq!(ids, expected, "{series}: {error}");
            }
        }
    });
}

#[test]
fn one_merge_leaves_a_conflict_and_the_other_one_none() {
    run(async {
        let mut owner = sign_in("owner").await;
        for (canonical, removed, expected) in [
            (
                "design-critique",
                false,
                json!({ "conflict": 2, "discard_empty": 2, "reparent": 1, "keep": 2 }),
            ),
            (
                "research-guild",
                true,
                json!({ "discard_empty": 3, "reparent": 2, "keep": 3 }),
            ),
        ] {
            let arguments = json!({
                "canonical_meeting_id": id::<MeetingId>(canonical),
                "skeleton_meeting_id": id::<MeetingId>(&format!("{canonical}-import")),
                "dry_run": true,
            });
            let answer = owner.call(Host::Work, "merge_meetings", arguments).await;
            let output = answer.output();
            assert_eq!(totals(output), expected, "{canonical}");
            assert_eq!(output["skeleton_removed"], removed, "{canonical}");
            if removed {
                assert_eq!(output["template_taken"], "weekly_leaders");
                assert_eq!(output["children"]["participants_already_there"], 1);
            }
        }
    });
}

#[test]
fn each_organisation_lists_its_own_series_the_oldest_first() {
    run(async {
        for (account, oldest, count) in [
            ("staff", "leaders-weekly", 14),
            ("outsider", "tool-talk", 2),
        ] {
            let mut http = sign_in(account).await;
            let answer = http
                .call(Host::Work, "list_meeting_series", json!({}))
                .await;
            let series = answer.output()["series"].as_array().expect("series");
            assert_eq!(series.len(), count, "{account}");
            assert_eq!(series[0]["id"], json!(id::<MeetingId>(oldest)), "{account}");
        }
    });
}

#[test]
fn everybody_has_something_to_say_of_the_week() {
    run(async {
        let mut owner = sign_in("owner").await;
        let all = json!({ "limit": 100 });
        let members = owner.call(Host::Learn, "list_members", all).await;
        let members = members.output()["members"].as_array().cloned();
        let members = members.expect("members");
        assert!(members.len() >= 26);
        let mut merged = 0;
        for member in members {
            let asked = json!({ "member_id": member["id"] });
            let week = owner.call(Host::Work, "get_weekly_updates", asked).await;
            let said = |source: &str| {
                week.output()[source]["items"]
                    .as_array()
                    .map_or(0, Vec::len)
            };
            assert!(said("daily_lines") > 0, "{}", member["name"]);
            merged += said("pull_requests");
        }
        assert_eq!(merged, 13);
    });
}
