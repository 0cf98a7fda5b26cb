//! For any series, a dry run agrees with the real run and leaves no trace, and no outcome loses a
//! transcript.

use std::collections::BTreeMap;

use frontdesk_protocol::Host;
use frontdesk_protocol::id::MeetingId;
use frontdesk_tests::property::holds;
use frontdesk_tests::run;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use serde_json::{Value, json};

use frontdesk_tests::meetings::{CHILDREN, Stage};

/// The transcript id of an occurrence.
#[derive(Debug, Clone, Copy)]
enum Id {
    None,
    Own,
    /// Equal to that of other occurrences with this variant.
    Shared,
    /// Equal to that of a meeting outside the series with the same text.
    Elsewhere,
    /// Equal to that of a meeting outside the series with another text or none.
    ElsewhereOtherwise,
}

#[derive(Debug, Clone)]
struct Occurrence {
    has_text: bool,
    id: Id,
    /// The table of its child row.
    child: Option<usize>,
}

#[derive(Debug, Clone)]
struct Series {
    is_recurring: bool,
    has_text: bool,
    has_id: bool,
    template: Option<&'static str>,
    time: Option<&'static str>,
    child: Option<usize>,
    /// By day of the month, so that dates clash between two series.
    occurrences: BTreeMap<u8, Occurrence>,
}

#[derive(Debug, Clone, Copy)]
enum Tool {
    Remove(&'static str, bool),
    Promote(bool),
    Merge,
}

fn child() -> impl Strategy<Value = Option<usize>> {
    prop_oneof![30 => Just(None), 1 => (0..CHILDREN.len()).prop_map(Some)]
}

fn occurrence() -> impl Strategy<Value = Occurrence> {
    let id = prop_oneof![
        3 => Just(Id::None),
        5 => Just(Id::Own),
        2 => Just(Id::Shared),
        1 => Just(Id::Elsewhere),
        1 => Just(Id::ElsewhereOtherwise),
    ];
    let text = prop_oneof![1 => Just(true), 1 => Just(false)];
    (text, id, child()).prop_map(|(has_text, id, child)| Occurrence {
        // Text without an id blocks most actions: only if the occurrence has a child row.
        has_text: has_text && (child.is_some() || !matches!(id, Id::None)),
        id,
        child,
    })
}

fn series() -> impl Strategy<Value = Series> {
    (
        prop::bool::weighted(0.95),
        prop::bool::weighted(0.05),
        prop::bool::weighted(0.05),
        prop::sample::select(vec![None, Some("default"), Some("weekly_leaders")]),
        prop::sample::select(vec![None, Some("00:00"), Some("09:30"), Some("23:59:59")]),
        child(),
        prop::collection::btree_map(1..=8_u8, occurrence(), 0..6),
    )
        .prop_map(
            |(is_recurring, has_text, has_id, template, time, child, occurrences)| Series {
                is_recurring,
                has_text,
                has_id,
                template,
                time,
                child,
                occurrences,
            },
        )
}

fn tool() -> impl Strategy<Value = Tool> {
    let policy = prop::sample::select(vec![
        "promote_real_discard_empty",
        "promote_all",
        "require_empty",
    ]);
    prop_oneof![
        3 => (policy, any::<bool>()).prop_map(|(policy, allow)| Tool::Remove(policy, allow)),
        1 => any::<bool>().prop_map(Tool::Promote),
        2 => Just(Tool::Merge),
    ]
}

/// Creates the series; returns it with its first occurrence.
async fn make(stage: &Stage, name: &str, series: &Series) -> (MeetingId, Option<String>) {
    let some = |is: bool, what: &str| is.then(|| format!("{name} {what}"));
    let id = stage
        .series(
            name,
            json!({
                "is_recurring": series.is_recurring, "template": series.template,
                "recurrence_start_time": series.time,
                "transcript": some(series.has_text, "text"),
                "transcriber_transcript_id": some(series.has_id, "id"),
            }),
        )
        .await;
    if let Some(child) = series.child {
        stage.on_meeting(CHILDREN[child].0, id, "Ada").await;
    }
    let mut first = None;
    for (day, occurrence) in &series.occurrences {
        let text = match (occurrence.has_text, occurrence.id) {
            (false, _) => String::new(),
            (true, Id::Shared) => "said by several".to_owned(),
            (true, _) => format!("{name} said on {day}"),
        };
        let transcript_id = match occurrence.id {
            Id::None => String::new(),
            Id::Shared => "shared".to_owned(),
            _ => format!("{name} {day}"),
        };
        let elsewhere = match occurrence.id {
            Id::Elsewhere => Some((!text.is_empty()).then(|| text.clone())),
            Id::ElsewhereOtherwise if day % 2 == 0 => Some(None),
            Id::ElsewhereOtherwise => Some(Some("said elsewhere".to_owned())),
            _ => None,
        };
        if let Some(text) = elsewhere {
            let meeting = json!({
                "title": "Elsewhere", "transcript": text, "transcriber_transcript_id": transcript_id,
            });
            stage.row("meetings", meeting).await;
        }
        let date = format!("2026-02-{day:02}");
        let made = stage.occurrence(id, &date, &text, &transcript_id).await;
        if let Some(child) = occurrence.child {
            stage.on_occurrence(CHILDREN[child].0, made, "Ada").await;
        }
        first.get_or_insert(made.to_string());
    }
    (id, first)
}

/// The answer without the differences between a dry run and a real one: the flag, and the times at
/// which rows were created.
fn comparable(answer: &frontdesk_tests::Answer) -> Value {
    let mut result = answer.text();
    result["dry_run"] = Value::Null;
    if let Some(Value::Object(meeting)) = result.get_mut("meeting") {
        meeting.remove("created_at");
    }
    result
}

fn count(rows: &Value, table: &str) -> usize {
    rows[table].as_array().map_or(0, Vec::len)
}

async fn check(tool: Tool, one: Series, other: Series) -> Result<(), TestCaseError> {
    let mut stage = Stage::set().await;
    let (series, first) = make(&stage, "one", &one).await;
    let (skeleton, _) = make(&stage, "other", &other).await;
    let (name, mut arguments) = match tool {
        Tool::Remove(policy, allow) => (
            "remove_meeting_series",
            json!({
                "series_meeting_id": series, "occurrence_policy": policy, "allow_non_recurring": allow,
            }),
        ),
        Tool::Promote(keep) => {
            let Some(first) = first else { return Ok(()) };
            let arguments = json!({ "occurrence_id": first, "keep_occurrence": keep });
            ("promote_occurrence_to_standalone", arguments)
        }
        Tool::Merge => (
            "merge_meetings",
            json!({ "canonical_meeting_id": series, "skeleton_meeting_id": skeleton }),
        ),
    };
    let (before, texts) = (stage.rows().await, stage.texts().await);

    arguments["dry_run"] = json!(true);
    let dry = stage.call(name, arguments.clone()).await;
    prop_assert_eq!(&stage.rows().await, &before, "the dry run left a trace");

    arguments["dry_run"] = json!(false);
    let real = stage.call(name, arguments).await;
    prop_assert_eq!(comparable(&dry), comparable(&real));

    let after = stage.rows().await;
    let kept = stage.texts().await;
    for text in &texts {
        prop_assert!(kept.contains(text), "{text} is gone: {}", real.body);
    }
    if real.result()["isError"] == true {
        let error = real.tool_error();
        prop_assert_eq!(&error["code"], "refused", "{}", error);
        // Refusals come from checks before the changes, not from those after them.
        let was_seen_late = error.to_string().contains("not_promoted");
        prop_assert!(!was_seen_late, "{}", error);
        prop_assert_eq!(after, before);
        return Ok(());
    }

    let output = real.output();
    let promoted = output["totals"]["promote"].as_u64().unwrap_or_default() as usize;
    prop_assert_eq!(&output["automation_webhook_inserts"], &json!(promoted));
    let fired = count(&after, "webhooks.events") - count(&before, "webhooks.events");
    prop_assert_eq!(fired, promoted);
    for planned in output["occurrences"].as_array().expect("occurrences") {
        let is = |table: &str, field: &str, value: &Value| {
            let rows = after[table].as_array().expect("rows");
            rows.iter().filter(|row| row[field] == *value).count()
        };
        let (id, transcript) = (&planned["id"], &planned["transcriber_transcript_id"]);
        let still_there = is("work.meeting_occurrences", "id", id);
        match planned["action"].as_str() {
            Some("promote") => {
                prop_assert_eq!(is("work.meetings", "id", id), 1);
                if !transcript.is_null() {
                    prop_assert_eq!(
                        is("work.meetings", "transcriber_transcript_id", transcript),
                        1
                    );
                }
                prop_assert_eq!(still_there == 1, output["occurrence_kept"] == true);
            }
            Some("skip_existing") => {
                prop_assert_eq!(
                    is("work.meetings", "id", &planned["standalone_meeting_id"]),
                    1
                );
                prop_assert_eq!(still_there == 1, matches!(tool, Tool::Promote(_)));
            }
            Some("discard_empty") => prop_assert_eq!(still_there, 0),
            _ => prop_assert_eq!(still_there, 1),
        }
    }
    if matches!(tool, Tool::Merge) {
        let is_clean = output["totals"]["conflict"] == 0 && output["transcript"] != "conflict";
        prop_assert_eq!(&output["skeleton_removed"], &json!(is_clean));
        prop_assert_eq!(stage.meeting(skeleton.0).await.is_none(), is_clean);
        let twice = output["children"]["participants_already_there"]
            .as_u64()
            .unwrap_or_default();
        let children = |rows: &Value| -> usize {
            CHILDREN
                .iter()
                .map(|(table, _)| count(rows, &format!("work.{table}")))
                .sum()
        };
        prop_assert_eq!(children(&before), children(&after) + twice as usize);
    }
    if after != before {
        undone(&mut stage, before).await?;
    }
    Ok(())
}

/// Undoes the latest change: every row is as before, with its transcript and children. Webhooks were not sent yet, and
/// are withdrawn.
async fn undone(stage: &mut Stage, mut before: Value) -> Result<(), TestCaseError> {
    let latest = json!({ "limit": 1 });
    let listed = stage.admin.call(Host::Ops, "list_changes", latest).await;
    let change = json!({ "change_id": listed.output()["changes"][0]["id"] });
    let undone = stage.admin.call(Host::Ops, "undo_change", change).await;
    prop_assert!(undone.result()["isError"] == false, "{}", undone.body);
    let mut restored = stage.rows().await;
    let outbox = [&mut before, &mut restored].map(|rows| rows["webhooks.events"].take());
    prop_assert_eq!(restored, before);
    let due = |events: &Value| {
        let events = events.as_array().into_iter().flatten();
        events
            .filter(|event| event["given_up_at"].is_null())
            .count()
    };
    prop_assert_eq!(due(&outbox[0]), due(&outbox[1]));
    Ok(())
}

#[test]
fn a_dry_run_tells_what_the_real_run_does_and_no_transcript_is_lost() {
    holds(150, (tool(), series(), series()), |(tool, one, other)| {
        run(check(tool, one, other))
    });
}
