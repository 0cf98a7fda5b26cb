//! A signed-in staff member of the demo, with an event.

use std::collections::BTreeMap;

use frontdesk_protocol::Host;
use frontdesk_tests::{Answer, Http};
use reqwest::StatusCode;
use serde_json::{Value, json};

const EMAIL: &str = "staff@demo.test";
const PASSWORD: &str = "demo-password";
const EVENT: &str = "Under power cuts";

/// The event of the writers.
#[derive(Debug, Clone)]
pub(crate) struct Desk {
    http: Http,
    pub(crate) event: String,
    /// Members to tag in photos.
    pub(crate) members: Vec<String>,
}

/// Records by id, as JSON.
pub(crate) type Records = BTreeMap<String, Value>;

/// A record's id.
pub(crate) fn id(record: &Value) -> String {
    record["id"]
        .as_str()
        .unwrap_or_else(|| panic!("no id: {record}"))
        .to_owned()
}

impl Desk {
    /// Signs in and finds or creates the event.
    pub(crate) async fn open(url: &str) -> Desk {
        let mut http = Http::sign_in(url, EMAIL, PASSWORD).await;
        let demo = http
            .events("list_events", json!({ "search": "Open Day" }))
            .await;
        let demo = demo.output()["events"][0].clone();
        let arguments = json!({ "event_id": demo["id"], "limit": 100 });
        let guests = http.events("list_event_guests", arguments).await;
        let guests = guests.output()["guests"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let members = guests
            .iter()
            .filter_map(|guest| guest["member_id"].as_str());
        let mut members: Vec<_> = members.take(3).map(str::to_owned).collect();
        members.sort();
        assert_eq!(members.len(), 3, "{demo}");

        let found = http.events("list_events", json!({ "search": EVENT })).await;
        let mut event = found.output()["events"][0].clone();
        if event.is_null() {
            let unit = &demo["strategy_business_unit_id"];
            let arguments = json!({ "name": EVENT, "strategy_business_unit_id": unit });
            let created = http.events("create_event", arguments).await;
            event = created.output()["event"].clone();
        }
        Desk {
            http,
            event: id(&event),
            members,
        }
    }

    /// The caller, with its session.
    pub(crate) fn http(&self) -> Http {
        self.http.clone()
    }

    /// Calls a tool; `None` without an acknowledgement.
    pub(crate) async fn acknowledged(&mut self, tool: &str, arguments: &Value) -> Option<Value> {
        let params = json!({ "name": tool, "arguments": arguments });
        let request = self.http.request_of(Host::Events, "tools/call", params);
        let answer = Answer::if_any(request.await).await.ok()?;
        (answer.status == StatusCode::OK).then(|| answer.output().clone())
    }

    /// All records of a kind that the event has.
    pub(crate) async fn all(&mut self, tool: &str, plural: &str) -> Records {
        let mut records = Records::new();
        loop {
            let arguments =
                json!({ "event_id": self.event, "limit": 100, "offset": records.len() });
            let answer = self.http.events(tool, arguments).await;
            let page = answer.output();
            for record in page[plural].as_array().expect("records") {
                let again = records.insert(id(record), record.clone());
                assert!(again.is_none(), "twice: {record}");
            }
            if page["has_more"] == false {
                return records;
            }
        }
    }
}
