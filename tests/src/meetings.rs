//! Meetings for tests, created by the database's owner, and reads of their rows.

use crate::{Answer, Http, Organization, world};
use frontdesk_protocol::id::{MeetingId, OccurrenceId};
use frontdesk_protocol::{Host, Role};
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// The tables that refer to a meeting, with the required columns of a row.
pub const CHILDREN: [(&str, &str); 6] = [
    ("meeting_participants", "label"),
    ("meeting_concepts", "name"),
    ("meeting_expertise", "name"),
    ("meeting_tools", "name"),
    ("transcript_segments", "content"),
    ("meeting_underlines", "quote"),
];

/// A new organisation and its admin, who is a global admin.
pub struct Stage {
    /// The organisation of the meetings.
    pub organization: Organization,
    /// A global admin.
    pub admin: Http,
}

impl Stage {
    /// Creates an organisation without meetings.
    pub async fn set() -> Stage {
        let organization = Organization::create().await;
        let admin = organization.user(Role::Admin).0;
        let sql = "insert into learn.profiles (id, organization_id, name, level) \
             values ($1, $2, 'Admin', 80)";
        world().as_owner(sql, &[&admin, &organization.id.0]).await;
        Stage {
            admin: organization.sign_in(Role::Admin).await,
            organization,
        }
    }

    /// Calls a tool of the Work host as the admin.
    pub async fn call(&mut self, tool: &str, arguments: Value) -> Answer {
        self.admin.call(Host::Work, tool, arguments).await
    }

    /// Removes a series, with further arguments.
    pub async fn remove(&mut self, series: MeetingId, further: Value) -> Answer {
        let mut arguments = further;
        arguments["series_meeting_id"] = json!(series);
        self.call("remove_meeting_series", arguments).await
    }

    /// Promotes an occurrence, with further arguments.
    pub async fn promote(&mut self, occurrence: OccurrenceId, further: Value) -> Answer {
        let mut arguments = further;
        arguments["occurrence_id"] = json!(occurrence);
        self.call("promote_occurrence_to_standalone", arguments)
            .await
    }

    /// Calls a tool with an expected plan.
    pub async fn call_expecting(&mut self, tool: &str, arguments: Value, plan: &str) -> Answer {
        let params = json!({
            "name": tool, "arguments": arguments, "_meta": { "frontdesk/expectedPlan": plan },
        });
        self.admin.rpc(Host::Work, "tools/call", params).await
    }

    /// Inserts a row into this table of the schema `work`; missing columns get their default.
    pub async fn row(&self, table: &str, row: Value) -> Uuid {
        let Value::Object(mut row) = row else {
            panic!("a row is an object: {row}");
        };
        let id = Uuid::now_v7();
        row.entry("id").or_insert_with(|| json!(id));
        row.insert("organization_id".to_owned(), json!(self.organization.id));
        let columns: Vec<_> = row.keys().map(String::as_str).collect();
        let columns = columns.join(", ");
        let sql = format!(
            "insert into work.{table} ({columns}) \
             select {columns} from jsonb_populate_record(null::work.{table}, $1) returning id"
        );
        let made = world().as_owner(&sql, &[&Value::Object(row)]).await;
        made.first().expect("a row").get(0)
    }

    /// Creates a series at 10:00, unless the fields set another time.
    pub async fn series(&self, title: &str, fields: Value) -> MeetingId {
        let mut row = Map::from_iter([
            ("title".to_owned(), json!(title)),
            ("is_recurring".to_owned(), json!(true)),
            ("recurrence_start_time".to_owned(), json!("10:00")),
        ]);
        row.extend(fields.as_object().expect("fields").clone());
        MeetingId(self.row("meetings", Value::Object(row)).await)
    }

    /// Creates an occurrence; empty transcript text and id are not stored.
    pub async fn occurrence(
        &self,
        series: MeetingId,
        date: &str,
        text: &str,
        transcript_id: &str,
    ) -> OccurrenceId {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let row = json!({
            "meeting_id": series, "occurrence_date": date, "status": "held",
            "transcript": some(text), "transcriber_transcript_id": some(transcript_id),
        });
        OccurrenceId(self.row("meeting_occurrences", row).await)
    }

    /// Inserts a row that refers to a meeting.
    pub async fn on_meeting(&self, table: &str, meeting: MeetingId, text: &str) -> Uuid {
        self.child(table, "meeting_id", meeting.0, text).await
    }

    /// Inserts a row that refers to an occurrence.
    pub async fn on_occurrence(&self, table: &str, occurrence: OccurrenceId, text: &str) -> Uuid {
        self.child(table, "occurrence_id", occurrence.0, text).await
    }

    async fn child(&self, table: &str, parent: &str, id: Uuid, text: &str) -> Uuid {
        let content = CHILDREN.iter().find(|(name, _)| *name == table);
        let (_, content) = content.expect("a table of children");
        let mut row = Map::from_iter([
            (parent.to_owned(), json!(id)),
            ((*content).to_owned(), json!(text)),
        ]);
        if table == "transcript_segments" {
            row.insert("position".to_owned(), json!(1));
        }
        self.row(table, Value::Object(row)).await
    }

    /// All rows of the organisation's meetings and webhooks.
    pub async fn rows(&self) -> Value {
        let mut tables = vec![
            "work.meetings".to_owned(),
            "work.meeting_occurrences".to_owned(),
            "webhooks.events".to_owned(),
        ];
        tables.extend(CHILDREN.iter().map(|(table, _)| format!("work.{table}")));
        let mut rows = Map::new();
        for table in tables {
            let sql = format!(
                "select coalesce(jsonb_agg(to_jsonb(t) order by t.id), '[]') from {table} t \
                 where t.organization_id = $1"
            );
            let found = world().as_owner(&sql, &[&self.organization.id.0]).await;
            rows.insert(table, found.first().expect("rows").get(0));
        }
        Value::Object(rows)
    }

    /// Rows of one table, by a condition on the organisation's rows `t`.
    pub async fn select(&self, columns: &str, table: &str, condition: &str) -> Vec<Value> {
        let sql = format!(
            "select to_jsonb(r) from (select {columns} from {table} t \
             where t.organization_id = $1 and {condition} order by t.id) r"
        );
        let rows = world().as_owner(&sql, &[&self.organization.id.0]).await;
        rows.iter().map(|row| row.get(0)).collect()
    }

    /// All columns of the meeting, if it exists.
    pub async fn meeting(&self, id: Uuid) -> Option<Value> {
        let found = self
            .select("t.*", "work.meetings", &format!("t.id = '{id}'"))
            .await;
        found.into_iter().next()
    }

    /// All columns of the occurrence, if it exists.
    pub async fn occurrence_row(&self, id: OccurrenceId) -> Option<Value> {
        let found = self
            .select("t.*", "work.meeting_occurrences", &format!("t.id = '{id}'"))
            .await;
        found.into_iter().next()
    }

    /// All stored transcript texts.
    pub async fn texts(&self) -> Vec<String> {
        let sql = "select distinct transcript from \
               (select organization_id, transcript from work.meetings \
                union all select organization_id, transcript from work.meeting_occurrences) t \
             where organization_id = $1 and transcript <> '' order by transcript";
        let rows = world().as_owner(sql, &[&self.organization.id.0]).await;
        rows.iter().map(|row| row.get(0)).collect()
    }

    /// Runs statements as the owner.
    pub async fn as_owner(&self, sql: &str) {
        let owner = world().owner().await;
        owner.batch_execute(sql).await.expect("it is done");
    }

    /// Deletes every meeting and webhook of the organisation.
    pub async fn clear(&self) {
        let organization = self.organization.id;
        let mut statements = String::new();
        let children = CHILDREN.iter().map(|(table, _)| *table);
        for table in children.chain(["meeting_occurrences", "meetings"]) {
            statements +=
                &format!("delete from work.{table} where organization_id = '{organization}';");
        }
        statements +=
            &format!("delete from webhooks.events where organization_id = '{organization}'");
        self.as_owner(&statements).await;
    }
}

/// The id and action of each occurrence, in the answer's order.
pub fn actions(output: &Value) -> Vec<(Uuid, String)> {
    output["occurrences"]
        .as_array()
        .expect("occurrences")
        .iter()
        .map(|planned| {
            let id = planned["id"]
                .as_str()
                .expect("an id")
                .parse()
                .expect("a UUID");
            (
                id,
                planned["action"].as_str().expect("an action").to_owned(),
            )
        })
        .collect()
}

/// The answer's entry for one occurrence.
pub fn planned(output: &Value, id: OccurrenceId) -> &Value {
    let occurrences = output["occurrences"].as_array().expect("occurrences");
    let found = occurrences
        .iter()
        .find(|planned| planned["id"] == json!(id));
    found.unwrap_or_else(|| panic!("{id} is not in {output}"))
}

/// The reasons of a refusal, each with its ids.
pub fn guards(answer: &Answer) -> Vec<(String, Vec<Uuid>)> {
    let error = answer.tool_error();
    assert_eq!(error["code"], "refused", "{error}");
    let violations = error["details"]["violations"]
        .as_array()
        .expect("violations");
    let mut guards = Vec::new();
    for violation in violations {
        for said in ["message", "way_out", "rule"] {
            assert_ne!(violation[said].as_str(), Some(""), "{violation}");
        }
        let ids = violation["ids"].as_array().expect("ids");
        let ids = ids
            .iter()
            .map(|id| id.as_str().expect("an id").parse().expect("a UUID"));
        let guard = violation["guard"].as_str().expect("a guard").to_owned();
        guards.push((guard, ids.collect()));
    }
    guards
}
