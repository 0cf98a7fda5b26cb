//! The work host's answers: as declared, tried and real, and without a word of any transcript.

use std::collections::BTreeSet;

use frontdesk_protocol::id::{MeetingId, OccurrenceId};
use frontdesk_protocol::work::plan::{Action, Refusal};
use frontdesk_protocol::work::{meeting, occurrence, series};
use frontdesk_protocol::{Host, Role, ToolError};
use frontdesk_tests::{Answer, Http, Organization, run, world};
use serde_json::{Value, json};
use uuid::Uuid;

use frontdesk_tests::contract::fits;

/// The text of every transcript here.
const WORD: &str = "unspoken-7f3a";

/// An organisation with meetings in every state, and its owner.
struct Scene {
    organization: Organization,
    owner: Http,
    /// It has records of every kind, and can be neither removed nor emptied.
    full: MeetingId,
    /// Of `full`: with text, id and all children; with text alone; with an id alone.
    whole: OccurrenceId,
    text_only: OccurrenceId,
    id_only: OccurrenceId,
    /// Can be removed; one of its transcripts is a meeting already.
    clean: MeetingId,
    /// Has an id that a meeting with another text has.
    differing: MeetingId,
    /// A meeting outside a series.
    lone: MeetingId,
    /// Both have a transcript, and both have one on the same date.
    canonical: MeetingId,
    skeleton: MeetingId,
    /// It takes everything from `import`.
    kept: MeetingId,
    import: MeetingId,
    /// It has nothing to merge.
    empty: MeetingId,
}

async fn execute(sql: &str, id: Uuid) {
    let owner = world().owner().await;
    owner.execute(sql, &[&id]).await.expect(sql);
}

/// Gives the meeting its own transcript.
async fn speak(meeting: MeetingId, transcript_id: &str) {
    let sql = format!(
        "update work.meetings set transcript = '{WORD}', transcriber_transcript_id = '{transcript_id}' \
         where id = $1"
    );
    execute(&sql, meeting.0).await;
}

/// Adds one row of each kind to a `meeting` or an `occurrence`.
async fn hang(organization: &Organization, on: &str, id: Uuid) {
    for (table, columns, values) in [
        ("meeting_participants", "label", "'Voice 1'".to_owned()),
        ("meeting_concepts", "name", "'Concept'".to_owned()),
        ("meeting_expertise", "name", "'Expertise'".to_owned()),
        ("meeting_tools", "name", "'Tool'".to_owned()),
        (
            "transcript_segments",
            "position, speaker, content",
            format!("1, '{WORD}', '{WORD}'"),
        ),
        (
            "meeting_underlines",
            "quote, note",
            format!("'{WORD}', '{WORD}'"),
        ),
    ] {
        let sql = format!(
            "insert into work.{table} (organization_id, {on}_id, {columns}) \
             values ('{}', $1, {values})",
            organization.id
        );
        execute(&sql, id).await;
    }
}

/// An entry on one day.
const CALENDAR: &str = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Review\r\nDTSTART;VALUE=DATE:20260306\r\n\
    END:VEVENT\r\nEND:VCALENDAR\r\n";

impl Scene {
    async fn set() -> Scene {
        let organization = Organization::create().await;
        let of = &organization;
        let text = Some(WORD);
        let full = of.series("Full").await;
        execute(
            "update work.meetings set template = 'default', recurrence_start_time = '23:30', \
               recurrence_end_time = '00:30', recurrence_day_of_week = 'monday', \
               meeting_date = '2025-03-03T23:30:00Z', transcriber_calendar_id = 'calendar' \
             where id = $1",
            full.0,
        )
        .await;
        speak(full, "own").await;
        let whole = of.occurrence(full, "2026-03-02", text, Some("whole")).await;
        let text_only = of.occurrence(full, "2026-03-09", text, None).await;
        let id_only = of
            .occurrence(full, "2026-03-16", None, Some("id-only"))
            .await;
        of.occurrence(full, "2026-03-23", None, None).await;
        hang(of, "meeting", full.0).await;
        hang(of, "occurrence", whole.0).await;

        let lone = of.series("Lone").await;
        execute(
            "update work.meetings set is_recurring = false where id = $1",
            lone.0,
        )
        .await;
        let there = of.series("There").await;
        execute(
            "update work.meetings set is_recurring = false where id = $1",
            there.0,
        )
        .await;
        speak(there, "there").await;
        let clean = of.series("Clean").await;
        of.occurrence(clean, "2026-03-03", text, Some("clean"))
            .await;
        of.occurrence(clean, "2026-03-10", text, Some("there"))
            .await;
        of.occurrence(clean, "2026-03-17", None, None).await;
        let differing = of.series("Differing").await;
        let other = format!("{WORD} otherwise");
        of.occurrence(differing, "2026-03-04", Some(&other), Some("there"))
            .await;

        let canonical = of.series("Canonical").await;
        speak(canonical, "canonical").await;
        of.occurrence(canonical, "2026-03-05", text, Some("both-1"))
            .await;
        let skeleton = of.series("Skeleton").await;
        speak(skeleton, "skeleton").await;
        of.occurrence(skeleton, "2026-03-05", Some(&other), Some("both-2"))
            .await;
        of.occurrence(skeleton, "2026-03-12", None, Some("moves"))
            .await;
        hang(of, "meeting", canonical.0).await;
        hang(of, "meeting", skeleton.0).await;

        let kept = of.series("Kept").await;
        of.occurrence(kept, "2026-03-06", None, None).await;
        of.occurrence(kept, "2026-03-13", text, Some("kept")).await;
        let import = of.series("Import").await;
        let template = "update work.meetings set template = 'weekly_leaders' where id = $1";
        execute(template, import.0).await;
        speak(import, "import").await;
        let brought = of
            .occurrence(import, "2026-03-06", text, Some("brought"))
            .await;
        hang(of, "meeting", import.0).await;
        hang(of, "occurrence", brought.0).await;
        Scene {
            owner: of.sign_in(Role::Owner).await,
            organization,
            full,
            whole,
            text_only,
            id_only,
            clean,
            differing,
            lone,
            canonical,
            skeleton,
            kept,
            import,
            empty: of.series("Empty").await,
        }
    }

    /// Calls that succeed, in a possible order.
    fn done(&self) -> Vec<(&'static str, Value)> {
        let both = |arguments: Value| {
            let mut dry = arguments.clone();
            dry["dry_run"] = json!(true);
            [dry, arguments]
        };
        let promote = "promote_occurrence_to_standalone";
        let series = json!({
            "title": "Daily", "first_on": "2026-03-02", "recurrence_rule": "FREQ=DAILY",
            "recurrence_start_time": "09:00", "recurrence_end_time": "09:15",
        });
        let mut calls = vec![
            ("list_meeting_series", json!({})),
            (
                "list_meeting_series",
                json!({ "include_occurrences": true }),
            ),
            (
                "list_meeting_series",
                json!({ "title_contains": "nothing", "include_occurrences": true }),
            ),
            ("list_meetings", json!({})),
            (
                "create_meeting",
                json!({ "title": "Kick-off", "meeting_date": "2026-03-05T09:00:00Z" }),
            ),
            (
                "update_meeting",
                json!({ "id": self.lone, "title": "Moved", "meeting_date": "2026-03-06T09:00:00Z" }),
            ),
            ("import_calendar", json!({ "calendar": CALENDAR })),
            (
                "set_occurrence_transcript",
                json!({ "occurrence_id": self.whole, "transcript": "Hello." }),
            ),
            (
                "set_meeting_template",
                json!({ "meeting_id": self.full, "template": "weekly_leaders" }),
            ),
            (
                "set_meeting_recurrence_time",
                json!({
                    "meeting_id": self.full,
                    "recurrence_start_time": "09:00", "recurrence_end_time": "09:45:30",
                }),
            ),
        ];
        let keep = json!({ "occurrence_id": self.whole, "keep_occurrence": true });
        let promotions = [
            keep.clone(),
            // Again: it is a meeting now.
            keep,
            json!({ "occurrence_id": self.text_only, "keep_occurrence": true }),
            json!({ "occurrence_id": self.id_only, "title_override": "Another title" }),
        ];
        calls.extend(
            promotions
                .into_iter()
                .flat_map(both)
                .map(|call| (promote, call)),
        );
        for (canonical, skeleton) in [
            (self.canonical, self.skeleton),
            (self.kept, self.import),
            (self.kept, self.empty),
        ] {
            let merge = json!({
                "canonical_meeting_id": canonical, "skeleton_meeting_id": skeleton,
            });
            calls.extend(both(merge).map(|call| ("merge_meetings", call)));
        }
        let remove = "remove_meeting_series";
        let all = json!({
            "series_meeting_id": self.clean, "occurrence_policy": "promote_all", "dry_run": true,
        });
        calls.push((remove, all));
        let clean = json!({ "series_meeting_id": self.clean });
        let lone = json!({
            "series_meeting_id": self.lone, "occurrence_policy": "require_empty",
            "allow_non_recurring": true,
        });
        calls.extend(both(clean).map(|call| (remove, call)));
        calls.extend(both(lone).map(|call| (remove, call)));
        calls.extend(both(series).map(|call| ("create_meeting_series", call)));
        let more = json!({ "series_meeting_id": self.full, "occurrences": 2 });
        calls.extend(both(more).map(|call| ("add_meeting_occurrences", call)));
        calls
    }

    /// Calls that guards refuse, and the guards.
    fn refused(&self) -> Vec<(&'static str, Value, &'static [&'static str])> {
        let (promote, remove) = ("promote_occurrence_to_standalone", "remove_meeting_series");
        vec![
            (
                remove,
                json!({ "series_meeting_id": self.full }),
                &[
                    "transcript_without_id",
                    "series_has_transcript",
                    "has_children",
                ],
            ),
            (
                remove,
                json!({ "series_meeting_id": self.clean, "occurrence_policy": "require_empty" }),
                &["not_empty"],
            ),
            (
                remove,
                json!({ "series_meeting_id": self.differing }),
                &["existing_differs"],
            ),
            (
                remove,
                json!({ "series_meeting_id": self.lone }),
                &["not_recurring"],
            ),
            (
                promote,
                json!({ "occurrence_id": self.whole }),
                &["has_children"],
            ),
            (
                promote,
                json!({ "occurrence_id": self.text_only }),
                &["transcript_without_id"],
            ),
        ]
    }

    /// Calls that fail for other reasons, and the code of the failure.
    fn failed(&self) -> Vec<(&'static str, Value, Value, &'static str)> {
        let clean = json!({ "series_meeting_id": self.clean });
        let plan = json!({ "frontdesk/expectedPlan": "another" });
        let time = json!({
            "meeting_id": self.lone,
            "recurrence_start_time": "09:00", "recurrence_end_time": "10:00",
        });
        let itself = json!({
            "canonical_meeting_id": self.full, "skeleton_meeting_id": self.full,
        });
        let nowhere = json!({ "occurrence_id": Uuid::now_v7() });
        vec![
            ("remove_meeting_series", clean, plan, "conflict"),
            ("set_meeting_recurrence_time", time, json!({}), "refused"),
            ("merge_meetings", itself, json!({}), "invalid_argument"),
            (
                "promote_occurrence_to_standalone",
                nowhere,
                json!({}),
                "not_found",
            ),
        ]
    }

    async fn call(&mut self, tool: &str, arguments: Value, meta: Value) -> Answer {
        let params = json!({ "name": tool, "arguments": arguments, "_meta": meta });
        self.owner.rpc(Host::Work, "tools/call", params).await
    }

    /// What the organisation has in the tables of meetings, and the webhooks that it caused.
    async fn rows(&self) -> Value {
        let tables = [
            "work.meetings",
            "work.meeting_occurrences",
            "work.meeting_participants",
            "work.meeting_concepts",
            "work.meeting_expertise",
            "work.meeting_tools",
            "work.transcript_segments",
            "work.meeting_underlines",
            "webhooks.events",
        ];
        let selects = tables.map(|table| {
            format!(
                "select '{table}' as name, (select jsonb_agg(to_jsonb(t) order by t.id) from {table} t \
                   where t.organization_id = $1) as rows"
            )
        });
        let sql = format!(
            "select jsonb_object_agg(name, rows) from ({}) s",
            selects.join(" union all ")
        );
        let owner = world().owner().await;
        let row = owner
            .query_one(&sql, &[&self.organization.id.0])
            .await
            .expect(&sql);
        row.get(0)
    }
}

#[test]
fn every_output_of_work_matches_its_declaration() {
    run(async {
        let mut scene = Scene::set().await;
        let (mut tools, mut actions) = (BTreeSet::new(), BTreeSet::new());
        for (tool, arguments) in scene.done() {
            let is_dry = arguments["dry_run"] == true;
            let before = scene.rows().await;
            let answer = scene.call(tool, arguments.clone(), json!({})).await;
            let declared = Host::Work.tool(tool).expect("a tool");
            fits(declared, &answer);
            let output = answer.output();
            tools.insert(declared.name);
            if let Some(said) = output.get("dry_run") {
                assert_eq!(*said, is_dry, "{tool} {arguments}");
            }
            let planned = output["occurrences"].as_array().into_iter().flatten();
            actions.extend(planned.map(|planned| planned["action"].to_string()));
            let is_as_before = scene.rows().await == before;
            let writes = !is_dry && !declared.effect.read_only && output["already_there"] != true;
            assert_eq!(is_as_before, !writes, "{tool} {arguments}");
        }
        let declared = [series::RESOURCE, meeting::RESOURCE, occurrence::RESOURCE]
            .map(|resource| resource.tools)
            .concat();
        assert_eq!(tools, declared.iter().map(|tool| tool.name).collect());
        // The answers cover every kind.
        let all = Action::ALL.map(|action| json!(action).to_string());
        assert_eq!(actions, BTreeSet::from(all));
    });
}

#[test]
fn a_refusal_has_the_declared_details() {
    run(async {
        let mut scene = Scene::set().await;
        let before = scene.rows().await;
        for (tool, mut arguments, guards) in scene.refused() {
            for dry_run in [false, true] {
                arguments["dry_run"] = json!(dry_run);
                let answer = scene.call(tool, arguments.clone(), json!({})).await;
                let said = answer.tool_error();
                assert_eq!(said["code"], "refused", "{tool} {arguments}: {said}");
                let error: ToolError = serde_json::from_value(said.clone()).expect("a refusal");
                let refusal = Refusal::of(&error).unwrap_or_else(|| panic!("{tool}: {said}"));
                assert_eq!(json!(refusal), said["details"], "{tool} {arguments}");
                let violated: Vec<_> = refusal
                    .violations
                    .iter()
                    .map(|one| one.guard.name())
                    .collect();
                assert_eq!(violated, guards, "{tool} {arguments}");
            }
        }
        assert_eq!(scene.rows().await, before);
    });
}

#[test]
fn no_word_of_a_transcript_is_in_any_answer() {
    run(async {
        let mut scene = Scene::set().await;
        let planted = scene.rows().await.to_string().matches(WORD).count();
        assert!(planted > 25, "{planted}");
        let refused = scene
            .refused()
            .into_iter()
            .map(|(tool, call, _)| (tool, call, json!({})));
        let failed = scene
            .failed()
            .into_iter()
            .map(|(tool, call, meta, _)| (tool, call, meta));
        let done = scene
            .done()
            .into_iter()
            .map(|(tool, call)| (tool, call, json!({})));
        let calls: Vec<_> = refused.chain(failed).chain(done).collect();
        for (tool, arguments, meta) in calls {
            let answer = scene.call(tool, arguments.clone(), meta).await;
            let said = answer.body.to_string();
            assert!(!said.contains(WORD), "{tool} {arguments}: {said}");
        }
        // Everything is still there.
        assert!(scene.rows().await.to_string().matches(WORD).count() > 25);
    });
}

#[test]
fn a_failed_call_says_why_and_changes_nothing() {
    run(async {
        let mut scene = Scene::set().await;
        let before = scene.rows().await;
        for (tool, arguments, meta, code) in scene.failed() {
            let answer = scene.call(tool, arguments, meta).await;
            assert_eq!(answer.tool_error()["code"], code, "{tool}");
            assert_eq!(scene.rows().await, before, "{tool}");
        }
    });
}

#[test]
fn a_change_of_meetings_that_is_repeated_changes_nothing_more() {
    run(async {
        let mut scene = Scene::set().await;
        for (tool, arguments) in scene.done() {
            if ["create", "add", "import"]
                .iter()
                .any(|verb| tool.starts_with(verb))
            {
                continue;
            }
            assert!(
                Host::Work.tool(tool).expect("a tool").effect.idempotent,
                "{tool}"
            );
            scene
                .call(tool, arguments.clone(), json!({}))
                .await
                .output();
            let once = scene.rows().await;
            scene
                .call(tool, arguments.clone(), json!({}))
                .await
                .result();
            assert_eq!(scene.rows().await, once, "{tool} {arguments}");
        }
    });
}
