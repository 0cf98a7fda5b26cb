//! A host of one event, with as many guests as are wanted, and of a board of tasks. It says what a host says,
//! and has larger pages: a million guests are asked for in fifty.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use frontdesk_protocol::events::event::{Event, EventWithArrivals};
use frontdesk_protocol::events::guest::Guest;
use frontdesk_protocol::id::{BusinessUnitId, EventId, GuestId, MemberId, WorkTaskId};
use frontdesk_protocol::mcp::{ALLOWANCE_HEADER, UNLIMITED};
use frontdesk_protocol::wire::Wire;
use frontdesk_protocol::work::task::{TaskStage, TaskStatus, TaskSummary};
use frontdesk_protocol::{List, Maybe};
use frontdesk_tests::NOW;
use jiff::SignedDuration;
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// Tasks on the board.
pub(crate) const TASKS: usize = 5_000;
/// Guests on a page. The client takes answers of up to 16 MiB.
const PAGE: usize = 20_000;
const FIRST: [&str; 8] = [
    "Zoë", "Ulla", "João", "Ana", "Søren", "Łukasz", "Mei", "Tarō",
];
const LAST: [&str; 16] = [
    "Müller",
    "Lindqvist",
    "Silva",
    "Souza",
    "Ærø",
    "Strauß",
    "O'Brien",
    "Nakamura",
    "García",
    "Kowalski",
    "Dubois",
    "Rossi",
    "Petrov",
    "Haddad",
    "Okafor",
    "Nguyễn",
];

/// Starts it. Returns its base address.
pub(crate) async fn start(guests: usize) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
    let listener = listener.expect("a port");
    let address = listener.local_addr().expect("an address");
    let router = Router::new().fallback(answer).with_state(Arc::new(guests));
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://{address}")
}

async fn answer(
    State(guests): State<Arc<usize>>,
    method: Method,
    uri: Uri,
    body: Bytes,
) -> Response {
    if uri.path().ends_with("/health") {
        return Json(json!({ "status": "ok" })).into_response();
    }
    if method != Method::POST {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let request: Value = serde_json::from_slice(&body).expect("a message");
    let parameters = &request["params"];
    let result = match request["method"].as_str() {
        Some("initialize") => json!({
            "protocolVersion": parameters["protocolVersion"],
            "capabilities": { "tools": {} },
            "serverInfo": { "name": "measured", "version": "1" },
        }),
        Some("tools/call") => match call(parameters, *guests) {
            Some(result) => json!({ "content": [], "structuredContent": result }),
            None => json!({ "content": [{ "type": "text", "text": "not here" }], "isError": true }),
        },
        _ => return StatusCode::ACCEPTED.into_response(),
    };
    let mut headers = HeaderMap::new();
    headers.insert("mcp-session-id", "measured".parse().expect("a header"));
    headers.insert(ALLOWANCE_HEADER, UNLIMITED.parse().expect("a header"));
    let answer = json!({ "jsonrpc": "2.0", "id": request["id"], "result": result });
    (headers, Json(answer)).into_response()
}

/// A tool's result; empty for tools without a measured screen.
fn call(parameters: &Value, guests: usize) -> Option<Value> {
    let result = match parameters["name"].as_str() {
        Some("list_events") => Wire::write(&List {
            items: vec![event(guests)],
            limit: 100,
            offset: 0,
            has_more: false,
            total: None,
            total_is_estimate: false,
        }),
        Some("get_event") => Wire::write(&Maybe(Some(EventWithArrivals {
            event: event(guests),
            recent_arrivals: Vec::new(),
            ticket_tags: Vec::new(),
        }))),
        Some("list_event_guests") => {
            let offset = parameters["arguments"]["offset"].as_u64().unwrap_or(0) as usize;
            let end = guests.min(offset + PAGE);
            Wire::write(&List {
                items: (offset..end).map(guest).collect(),
                limit: PAGE as u32,
                offset: offset as u64,
                has_more: end < guests,
                total: Some(guests as u64),
                total_is_estimate: false,
            })
        }
        Some("list_tasks") => Wire::write(&List {
            items: (0..TASKS).map(task).collect(),
            limit: PAGE as u32,
            offset: 0,
            has_more: false,
            total: None,
            total_is_estimate: false,
        }),
        Some("list_members") => json!({ "members": [], "has_more": false }),
        Some("get_member" | "get_business_unit") => json!({}),
        _ => return None,
    };
    Some(result)
}

fn event(guests: usize) -> Event {
    let hour = SignedDuration::from_hours(1);
    Event {
        id: EventId(Uuid::from_u128(1)),
        name: "Open Day".to_owned(),
        description: Some("Doors, talks and food.".to_owned()),
        location: Some("Main hall".to_owned()),
        latitude: None,
        longitude: None,
        start_at: Some(NOW - hour),
        end_at: Some(NOW + hour),
        strategy_business_unit_id: BusinessUnitId(Uuid::from_u128(2)),
        business_unit_name: Some("Community".to_owned()),
        updated_at: Some(NOW),
        guest_count: guests as u32,
        checked_in_count: guests.div_ceil(3) as u32,
    }
}

fn guest(number: usize) -> Guest {
    let first = FIRST[number % FIRST.len()];
    let last = LAST[number / FIRST.len() % LAST.len()];
    let minutes = SignedDuration::from_mins(number as i64 % 45);
    Guest {
        id: GuestId(Uuid::from_u128(number as u128 + 1)),
        event_id: EventId(Uuid::from_u128(1)),
        name: format!("{first} {last} {number}"),
        email: Some(format!("guest{number}@example.org")),
        phone_number: Some(format!("+49 30 {number:07}")),
        role: Some("guest".to_owned()),
        member_id: None,
        chat_id: None,
        check_in_at: number.is_multiple_of(3).then(|| NOW - minutes),
        tags: Map::from_iter([("ticket_code".to_owned(), format!("TX-{number:06}").into())]),
        matched: None,
        passage: None,
    }
}

/// One of every six is in each stage, and of every fifty on no board.
fn task(number: usize) -> TaskSummary {
    let stages = TaskStage::ALL;
    let due = NOW + SignedDuration::from_hours(24 * (number as i64 % 40 - 20));
    TaskSummary {
        id: WorkTaskId(Uuid::from_u128(number as u128 + 1)),
        identifier: format!("OD-{number}"),
        name: format!(
            "Prepare the {} for guest {number}",
            LAST[number % LAST.len()]
        ),
        epic_id: None,
        delivery_id: None,
        owner_id: MemberId(Uuid::from_u128(number as u128 % 20 + 1)),
        owner_name: Some(FIRST[number % FIRST.len()].to_owned()),
        status: TaskStatus::ToDo,
        points: Some((number % 8) as f64),
        priority: Some((number / 100) as f64),
        estimated_date: Some(due.to_zoned(jiff::tz::TimeZone::UTC).date()),
        stage_id: (!number.is_multiple_of(50)).then(|| stages[number % stages.len()]),
        actor_slug: None,
        updated_at: NOW,
    }
}
