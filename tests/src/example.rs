//! One record of each kind, and matching arguments for every tool.

use frontdesk_protocol::Host;
use serde_json::{Map, Value, json};

use crate::builder::Organization;
use crate::http::Http;

/// An organisation's event with one record of each kind.
#[derive(Debug, Clone)]
pub struct Example {
    organization: Organization,
    ids: Map<String, Value>,
}

impl Example {
    /// Creates the records as this caller.
    pub async fn create(organization: &Organization, caller: &mut Http) -> Example {
        let mut example = Example {
            organization: *organization,
            ids: Map::new(),
        };
        // `other`: a second event, for a member who is a guest of the first one already.
        for event in ["event", "other", "spare event"] {
            let id = organization.event("Example").await;
            example.ids.insert(event.to_owned(), json!(id));
        }
        for (tool, record) in [
            ("create_event_guest", "guest"),
            ("create_event_session", "session"),
            ("create_event_task", "task"),
            ("create_event_expense", "expense"),
            ("add_event_photo", "photo"),
            ("create_event_place", "place"),
        ] {
            // The spare one can be deleted.
            for name in [format!("spare {record}"), record.to_owned()] {
                let answer = caller.events(tool, example.required(tool)).await;
                let id = answer.output()[record]["id"].clone();
                example.ids.insert(name, id);
            }
        }
        example
    }

    /// The id of a record, by its kind: `event`, `guest`, …
    pub fn id(&self, record: &str) -> Value {
        self.ids.get(record).cloned().unwrap_or_default()
    }

    /// All arguments of the tool, with valid values.
    ///
    /// # Panics
    ///
    /// If the tool has no example.
    pub fn arguments(&self, tool: &str) -> Value {
        let (unit, member, fellow) = (
            self.organization.business_unit,
            self.organization.member,
            self.organization.fellow,
        );
        let (event, other, guest) = (self.id("event"), self.id("other"), self.id("guest"));
        let mut arguments = match tool {
            "list_events" => json!({ "strategy_business_unit_id": unit, "search": "exam" }),
            "get_event" => json!({ "id": event }),
            "create_event" | "update_event" => json!({
                "name": "Launch", "strategy_business_unit_id": unit, "description": "What it is about",
                "location": "The hall", "latitude": -23.55, "longitude": -46.63,
                "start_at": "2026-03-12T10:00:00+00:00", "end_at": "2026-03-12T18:00:00+00:00",
            }),
            "list_event_sessions" => json!({ "event_id": event, "search": "exam" }),
            "create_event_session" | "update_event_session" => json!({
                "event_id": event, "title": "Example", "description": "Of what it treats",
                "location": "Room 1", "start_time": "2026-03-12T10:00:00+00:00",
                "end_time": "2026-03-12T11:00:00+00:00", "order": 2.5,
                "guest_ids": if guest.is_null() { json!([]) } else { json!([guest]) },
            }),
            "list_event_guests" => json!({
                "event_id": event, "search": "exam", "role": "speaker", "member_id": fellow,
            }),
            "get_event_guest" | "check_in_guest" => json!({ "id": guest }),
            "create_event_guest" => json!({
                "event_id": event, "name": "Example Guest", "email": "guest@example.org",
                "phone_number": "(11) 98765-4321", "role": "speaker", "member_id": fellow,
                "chat_id": "chat-1", "tags": { "diet": "vegan", "seats": 2 },
            }),
            "update_event_guest" => json!({
                "name": "Example Guest", "email": "guest@example.org",
                "phone_number": "(11) 98765-4321", "role": "speaker", "member_id": member,
                "chat_id": "chat-2", "check_in_at": "2026-03-12T10:05:00+00:00",
                "tags": { "diet": null },
            }),
            "add_event_guest" => json!({
                "event_id": other, "name": "Example Guest", "email": "guest@example.org",
                "phone_number": "+5511987654321", "role": "speaker", "member_id": member,
                "chat_id": "chat-3", "backfill_chat": false, "tags": { "colour": "red" },
            }),
            "resolve_chat_id" => json!({ "guest_id": guest, "member_id": fellow }),
            "list_event_tasks" => json!({
                "event_id": event, "search": "exam", "assignee_id": member, "status": "todo",
            }),
            "create_event_task" | "update_event_task" => json!({
                "event_id": event, "title": "Example", "description": "What is to be done",
                "assignee_id": member, "status": "in_progress", "start_date": "2026-03-10",
                "due_date": "2026-03-12",
            }),
            "list_event_expenses" => json!({
                "event_id": event, "search": "exam", "vendor_category": "catering",
            }),
            "create_event_expense" | "update_event_expense" => json!({
                "event_id": event, "vendor_name": "Example Ltd", "vendor_category": "catering",
                "vendor_email": "bills@example.org", "vendor_phone": "(11) 98765-4321",
                "amount_estimated": 1250.5, "amount_paid": 0.25, "note": "Half in advance",
            }),
            "list_event_photos" => json!({ "event_id": event }),
            "get_event_photo" => json!({ "id": self.id("photo") }),
            "add_event_photo" => json!({
                "event_id": event, "url": "https://example.org/photo.jpg", "caption": "The hall",
                "sort_order": -1.5, "member_ids": [member, fellow],
            }),
            "update_event_photo" => {
                json!({ "caption": "The hall", "sort_order": 3, "member_ids": [member] })
            }
            "list_event_places" => json!({ "event_id": event, "search": "hall" }),
            "create_event_place" | "update_event_place" => json!({
                "event_id": event, "name": "Hall", "session_id": self.id("session"), "roles": ["speaker"],
                "tag": "vip", "opens_at": "2026-03-12T10:00:00+00:00",
                "closes_at": "2026-03-12T11:00:00+00:00", "once": true, "empties_at": "04:00:00",
                "capacity": 300,
            }),
            "list_movements" => json!({
                "event_id": event, "guest_id": guest, "place_id": self.id("place"), "gate": "North",
                "verdict": "passed",
            }),
            "record_movement" => json!({
                "guest_id": guest, "direction": "in", "place_id": self.id("place"), "gate": "North",
                "desk": "Ana's", "source": "scan", "decided": "passed", "reason": "late", "takes_back": false,
            }),
            tool if tool.starts_with("delete_") => {
                let record = tool.trim_start_matches("delete_");
                let record = record.strip_prefix("event_").unwrap_or(record);
                json!({ "id": self.id(&format!("spare {record}")) })
            }
            tool => panic!("there are no example arguments of {tool}"),
        };
        if tool.starts_with("list_") {
            arguments["limit"] = json!(10);
            arguments["offset"] = json!(0);
        }
        if let Some(record) = tool.strip_prefix("update_") {
            let record = record.strip_prefix("event_").unwrap_or(record);
            arguments["id"] = self.id(record);
            if let Some(arguments) = arguments.as_object_mut() {
                arguments.remove("event_id");
            }
        }
        arguments
    }

    /// The required arguments of the tool.
    ///
    /// # Panics
    ///
    /// If the tool has no example.
    pub fn required(&self, tool: &str) -> Value {
        let all = self.arguments(tool);
        let schema = Host::Events.tool(tool).expect("a tool").input_schema();
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        let required = required.iter().filter_map(Value::as_str);
        required
            .map(|name| (name.to_owned(), all[name].clone()))
            .collect::<Map<_, _>>()
            .into()
    }
}
