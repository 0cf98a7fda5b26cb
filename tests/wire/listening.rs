//! Listeners: each gets the changes of the resources that it can read.

use std::ops::RangeFrom;
use std::time::Duration;

use frontdesk_protocol::id::EventId;
use frontdesk_protocol::mcp::CallMeta;
use frontdesk_protocol::{Host, Role, calls};
use frontdesk_server::clock::Clock;
use frontdesk_server::database::Location;
use frontdesk_server::server::{Server, Settings};
use frontdesk_tests::blocking::{Answer, Http, Organization, Waiting, answer_to, world};
use frontdesk_tests::world::identity;
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::sessionless::request_of;

/// Another process on the same database.
fn process() -> Server {
    process_with(Clock::system())
}

/// A process with this clock.
fn process_with(clock: Clock) -> Server {
    world().server_with(Settings {
        calls_per_minute: 0,
        clock,
        identity: identity(),
        ..Settings::local(Location::Memory)
    })
}

fn listen(http: &Http, uris: &[&str]) -> Waiting {
    let params =
        json!({ "notifications": { "resourceSubscriptions": uris, "toolsListChanged": true } });
    http.listen_to(request_of(
        http.post(Host::Events),
        "subscriptions/listen",
        params,
    ))
}

fn subscribe(http: &mut Http, method: &str, uri: &str) {
    let answer = http.rpc(Host::Events, method, json!({ "uri": uri }));
    assert_eq!(*answer.result(), json!({}));
}

/// The address in a notification.
fn told(stream: &mut Waiting) -> String {
    let message = stream.message();
    assert_eq!(
        message["method"], "notifications/resources/updated",
        "{message}"
    );
    message["params"]["uri"]
        .as_str()
        .expect("an address")
        .to_owned()
}

#[test]
fn what_one_desk_does_another_hears_also_of_another_process() {
    let organization = Organization::create();
    let event = organization.event("Open day");
    let guest = organization.guest(event, "Ana");
    let other = process();
    let mut desk = organization.sign_in(Role::Staff);
    let record = format!("frontdesk://events/event/{}", event.0);
    let table = format!("{record}/guests.csv");
    subscribe(&mut desk, "resources/subscribe", &table);
    desk.move_to(&other.url());
    let mut stream = desk.stream(Host::Events);
    // Also what is subscribed to while the stream is open, at any process.
    desk.move_to(&world().url());
    subscribe(&mut desk, "resources/subscribe", &record);
    let mut teacher = organization.sign_in(Role::Teacher);
    teacher
        .events("check_in_guest", json!({ "id": guest }))
        .output();
    let mut heard = [told(&mut stream), told(&mut stream)];
    heard.sort();
    assert_eq!(heard, [record.clone(), table.clone()]);
    // Not of what it has unsubscribed from.
    subscribe(&mut desk, "resources/unsubscribe", &table);
    organization.guest(event, "Added without a call");
    teacher
        .events(
            "update_event_guest",
            json!({ "id": guest, "check_in_at": null }),
        )
        .output();
    assert_eq!(told(&mut stream), record);
}

#[test]
fn a_listener_hears_of_what_it_can_read_and_of_nothing_else() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let event = organization.event("Open day");
    let mut add = |name: &str, member: Value| {
        let guest = json!({ "event_id": event, "name": name, "member_id": member });
        let made = owner.events("create_event_guest", guest);
        made.output()["guest"]["id"]
            .as_str()
            .expect("an id")
            .to_owned()
    };
    let (own, hidden) = (
        add("Fellow", json!(organization.fellow)),
        add("Somebody", Value::Null),
    );
    let theirs = Organization::create().event("Theirs");
    let uris = [
        format!("frontdesk://events/guest/{own}"),
        format!("frontdesk://events/guest/{hidden}"),
        format!("frontdesk://events/event/{}", event.0),
        format!("frontdesk://events/event/{}", theirs.0),
        "frontdesk://events/event/nothing".to_owned(),
    ];
    let fellow = organization.sign_in(Role::Fellow);
    let mut stream = listen(&fellow, &uris.each_ref().map(String::as_str));
    let first = stream.message();
    assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
    let honoured = json!({ "resourceSubscriptions": [uris[0], uris[2]] });
    assert_eq!(first["params"]["notifications"], honoured);
    for id in [&hidden, &own] {
        owner
            .events("update_event_guest", json!({ "id": id, "name": "Renamed" }))
            .output();
    }
    let message = stream.message();
    assert_eq!(message["params"]["uri"], uris[0]);
    assert_eq!(
        message["params"]["_meta"],
        json!({ "io.modelcontextprotocol/subscriptionId": 7 })
    );
}

#[test]
fn a_listener_whose_rights_end_is_ended() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let event = organization.event("Open day");
    let uri = format!("frontdesk://events/event/{}", event.0);
    let teacher = organization.sign_in(Role::Teacher);
    let mut stream = listen(&teacher, &[&uri]);
    stream.message();
    let account = json!({ "id": organization.user(Role::Teacher), "is_active": false });
    owner
        .call(Host::Staff, "set_staff_active", account)
        .output();
    owner
        .events("update_event", json!({ "id": event, "name": "Unheard" }))
        .output();
    let last = stream.message();
    assert_eq!(
        (&last["id"], &last["result"]["resultType"]),
        (&json!(7), &json!("complete")),
        "{last}"
    );
    assert!(stream.is_over());
}

#[test]
fn a_stream_ends_when_its_token_expires() {
    let organization = Organization::create();
    let clock = Clock::system();
    let server = process_with(clock.clone());
    let event = organization.event("Open day");
    let mut staff = organization.sign_in(Role::Staff).at(&server.url());
    let mut session = staff.stream(Host::Events);
    let mut listening = listen(&staff, &[&format!("frontdesk://events/event/{}", event.0)]);
    listening.message();
    clock.advance(Duration::from_hours(2));
    organization
        .sign_in(Role::Owner)
        .events("update_event", json!({ "id": event, "name": "Unheard" }))
        .output();
    assert_eq!(listening.message()["result"]["resultType"], "complete");
    assert!(listening.is_over() && session.is_over());
}

#[test]
fn streams_end_with_the_server() {
    let organization = Organization::create();
    let server = process();
    let event = organization.event("Open day");
    let mut staff = organization.sign_in(Role::Staff).at(&server.url());
    let mut session = staff.stream(Host::Events);
    let mut listening = listen(&staff, &[&format!("frontdesk://events/event/{}", event.0)]);
    listening.message();
    drop(server);
    assert_eq!(listening.message()["result"]["resultType"], "complete");
    assert!(listening.is_over() && session.is_over());
}

#[test]
fn a_caller_has_a_few_streams_of_a_few_resources() {
    let organization = Organization::create();
    let staff = organization.sign_in(Role::Staff);
    let uri = format!(
        "frontdesk://events/event/{}",
        organization.event("Open day").0
    );
    let streams: Vec<_> = (0..8).map(|_| listen(&staff, &[&uri])).collect();
    let params = json!({ "notifications": { "resourceSubscriptions": [uri] } });
    let one_more = || {
        request_of(
            staff.post(Host::Events),
            "subscriptions/listen",
            params.clone(),
        )
    };
    let refused = answer_to(one_more());
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(
        refused.body["error"]["data"]["hint"],
        "close one of them first"
    );
    drop(streams);
    let many = vec![uri.as_str(); 101];
    let params = json!({ "notifications": { "resourceSubscriptions": many } });
    let refused = answer_to(request_of(
        staff.post(Host::Events),
        "subscriptions/listen",
        params,
    ));
    assert_eq!(refused.rpc_code(), -32602);
}

#[test]
fn addresses_and_subscriptions_have_a_size() {
    let organization = Organization::create();
    let event = organization.event("Open day");
    let mut owner = organization.sign_in(Role::Owner);
    let list = |search: &str| {
        let arguments = json!({ "event_id": event, "search": search });
        address("list_event_guests", &arguments, &CallMeta::default())
    };
    let long = list(&"a".repeat(5_000));
    let is_refused = |answer: &Answer| {
        let message = answer.body["error"]["message"].to_string();
        assert!(message.contains("at most 4096 bytes"), "{}", answer.body);
    };
    for method in [
        "resources/read",
        "resources/subscribe",
        "resources/unsubscribe",
    ] {
        is_refused(&owner.rpc(Host::Events, method, json!({ "uri": long })));
    }
    let template = json!({ "ref": { "type": "ref/resource", "uri": long }, "argument": { "name": "id", "value": "" } });
    is_refused(&owner.rpc(Host::Events, "completion/complete", template));
    let params = json!({ "notifications": { "resourceSubscriptions": [long] } });
    let listen = request_of(owner.post(Host::Events), "subscriptions/listen", params);
    is_refused(&answer_to(listen));
    // An account has as many subscriptions in all as ten full sessions; a new session makes no more.
    let user = organization.user(Role::Owner);
    let sql = "insert into app.idempotency_keys (user_id, key, tool, arguments, rights) \
         select $1, 'session' || n / 100 || '/' || n, 'resources/subscribe', '', '' from generate_series(1, 1000) n";
    world()
        .owner()
        .execute(sql, &[&user.0])
        .expect("subscriptions");
    let answer = owner.rpc(
        Host::Events,
        "resources/subscribe",
        json!({ "uri": list("a") }),
    );
    let message = answer.body["error"]["message"].to_string();
    assert!(
        message.contains("all sessions of an account to 1000"),
        "{}",
        answer.body
    );
}

#[test]
fn a_session_has_one_stream() {
    let organization = Organization::create();
    let event = organization.event("Open day");
    let mut desk = organization.sign_in(Role::Staff);
    let record = format!("frontdesk://events/event/{}", event.0);
    subscribe(&mut desk, "resources/subscribe", &record);
    let mut first = desk.stream(Host::Events);
    let mut second = desk.stream(Host::Events);
    assert!(first.is_over());
    let change = json!({ "id": event, "name": "Opening" });
    desk.events("update_event", change).output();
    assert_eq!(told(&mut second), record);
}

/// The address of a call.
fn address(tool: &str, arguments: &Value, meta: &CallMeta) -> String {
    let arguments = arguments.as_object().expect("arguments");
    calls::address(Host::Events, tool, arguments, meta)
}

/// The address of the guests of an event that changed since a place.
fn guests_since(event: EventId, place: &str) -> String {
    let meta = CallMeta {
        guests_since: Some(place.to_owned()),
        ..CallMeta::default()
    };
    address("list_event_guests", &json!({ "event_id": event }), &meta)
}

/// A task of an event, with its address as a resource, whose changes show that nothing else was told before.
struct Task {
    id: Value,
    uri: String,
    names: RangeFrom<usize>,
}

impl Task {
    fn of(owner: &mut Http, event: EventId) -> Task {
        let task = json!({ "event_id": event, "title": "Order coffee" });
        let made = owner.events("create_event_task", task);
        let id = made.output()["task"]["id"].clone();
        let arguments = json!({ "event_id": event });
        let uri = address("list_event_tasks", &arguments, &CallMeta::default());
        Task {
            id,
            uri,
            names: 1..,
        }
    }

    fn change(&mut self, owner: &mut Http) {
        let title = format!("Order coffee {:?}", self.names.next());
        let change = json!({ "id": self.id, "title": title });
        owner.events("update_event_task", change).output();
    }
}

#[test]
fn a_subscription_to_changes_goes_on_from_each_of_them() {
    let organization = Organization::create();
    let event = organization.event("Open day");
    let mut owner = organization.sign_in(Role::Owner);
    let mut task = Task::of(&mut owner, event);
    let staff = organization.sign_in(Role::Staff);
    let uri = guests_since(event, "");
    let mut stream = listen(&staff, &[&uri, &task.uri]);
    let honoured = stream.message()["params"]["notifications"].clone();
    assert_eq!(
        honoured,
        json!({ "resourceSubscriptions": [uri, task.uri] })
    );
    // More than one answer has.
    let create = |number: usize| {
        let guest = json!({ "event_id": event, "name": format!("Guest {number}") });
        json!({ "tool": "create_event_guest", "arguments": guest })
    };
    let calls: Vec<Value> = (0..60).map(create).collect();
    let batch = json!({ "host": "events", "calls": calls });
    let batch = owner.call(Host::Ops, "run_batch", batch);
    assert_eq!(told(&mut stream), uri);
    task.change(&mut owner);
    assert_eq!(told(&mut stream), task.uri);
    let guest = &batch.output()["results"][0]["guest"]["id"];
    let rename = json!({ "id": guest, "name": "Anna" });
    owner.events("update_event_guest", rename).output();
    assert_eq!(told(&mut stream), uri);
    task.change(&mut owner);
    assert_eq!(told(&mut stream), task.uri);
}

#[test]
fn a_place_of_before_a_restored_backup_is_told_once() {
    let organization = Organization::create();
    let event = organization.event("Open day");
    let mut owner = organization.sign_in(Role::Owner);
    let mut task = Task::of(&mut owner, event);
    // A transaction that this database has not reached.
    let uri = guests_since(event, "9000000000000000000");
    let mut stream = listen(&owner, &[&uri, &task.uri]);
    let honoured = stream.message()["params"]["notifications"].clone();
    assert_eq!(
        honoured,
        json!({ "resourceSubscriptions": [uri, task.uri] })
    );
    assert_eq!(told(&mut stream), uri);
    let other = organization.event("Another day");
    let guest = json!({ "event_id": other, "name": "Ana" });
    owner.events("create_event_guest", guest).output();
    task.change(&mut owner);
    assert_eq!(told(&mut stream), task.uri);
    let guest = json!({ "event_id": event, "name": "Ana" });
    owner.events("create_event_guest", guest).output();
    assert_eq!(told(&mut stream), uri);
}

#[test]
fn a_resource_is_read_again_only_if_a_table_changed_that_it_reads() {
    let organization = Organization::create();
    let event = organization.event("Open day");
    let mut owner = organization.sign_in(Role::Owner);
    let mut task = Task::of(&mut owner, event);
    let guests = format!("frontdesk://events/event/{}/guests.csv", event.0);
    let mut stream = listen(&owner, &[&guests, &task.uri]);
    let honoured = stream.message()["params"]["notifications"].clone();
    assert_eq!(
        honoured,
        json!({ "resourceSubscriptions": [guests, task.uri] })
    );
    let mut tell_twice = |owner: &mut Http| {
        for _ in 0..2 {
            task.change(owner);
            assert_eq!(told(&mut stream), task.uri);
        }
    };
    // The second time, both have been read.
    tell_twice(&mut owner);
    organization.guest(event, "Added without a call");
    tell_twice(&mut owner);
    let another = organization.event("Another day");
    let guest = json!({ "event_id": another, "name": "Ana" });
    owner.events("create_event_guest", guest).output();
    assert_eq!(told(&mut stream), guests);
}

#[test]
fn a_pause_between_readings_is_at_most_a_minute() {
    let organization = Organization::create();
    let staff = organization.sign_in(Role::Staff);
    let params = json!({ "notifications": {}, "_meta": { "frontdesk/pause": 61 } });
    let refused = answer_to(request_of(
        staff.post(Host::Events),
        "subscriptions/listen",
        params,
    ));
    assert_eq!(refused.rpc_code(), -32602);
    let message = refused.body["error"]["message"]
        .as_str()
        .unwrap_or_default();
    assert_eq!(message, "_meta.frontdesk/pause is at most 60 seconds");
}
