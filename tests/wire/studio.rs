//! Lesson Studio, and the name that its thumbnails had before (specification, sections 1, 8 and 9).

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use frontdesk_protocol::{Host, Role};
use frontdesk_server::clock::Clock;
use frontdesk_tests::blocking::{Answer, Http, Organization, answer_to, world};
use jiff::Timestamp;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::wire::learn::each;

/// The moment at which the earlier name ends.
const END: &str = "2026-12-05T00:00:00Z";

fn call(http: &mut Http, tool: &str, arguments: Value) -> Answer {
    http.call(Host::Studio, tool, arguments)
}

/// The id of a new video lesson.
fn video_lesson(http: &mut Http) -> Value {
    let made = call(http, "create_video_lesson", json!({ "title": "Rust" }));
    made.output()["video_lesson"]["id"].clone()
}

/// The bytes of the picture in an answer.
fn picture(answer: &Answer) -> Vec<u8> {
    let block = &answer.result()["content"][0];
    assert_eq!(
        (&block["type"], &block["mimeType"]),
        (&json!("image"), &json!("image/png"))
    );
    STANDARD
        .decode(block["data"].as_str().expect("data"))
        .expect("Base64")
}

#[test]
fn a_thumbnail_is_a_png_of_1280_by_720_that_is_stored() {
    let organization = Organization::create();
    let mut teacher = organization.sign_in(Role::Teacher);
    let lesson = video_lesson(&mut teacher);
    let input = json!({
        "title": "为什么所有权重要 · لماذا · 🦀", "subtitle": "Aula 1", "background": "#102030",
        "video_lesson_id": lesson,
    });
    let drawn = call(&mut teacher, "generate_thumbnail", input.clone());
    let png = picture(&drawn);
    let size = imagesize::blob_size(&png).expect("a PNG");
    assert_eq!((size.width, size.height), (1280, 720));
    assert!(png.len() <= 2_000_000);
    let again = call(&mut teacher, "generate_thumbnail", input);
    assert_eq!(picture(&again), png);
    let stored = call(
        &mut teacher,
        "list_thumbnails",
        json!({ "video_lesson_id": lesson }),
    );
    let stored = stored.output()["thumbnails"]
        .as_array()
        .expect("thumbnails");
    assert_eq!(stored.len(), 1);
    assert_eq!(stored[0]["bytes"], png.len());
    let id = json!({ "id": stored[0]["id"] });
    let shown = call(&mut teacher, "get_thumbnail", id.clone());
    assert_eq!(picture(&shown), png);
    let mut stranger = Organization::create().sign_in(Role::Owner);
    call(&mut stranger, "get_thumbnail", id).refuses("not_found", "id");
}

#[test]
fn a_thumbnail_that_cannot_be_drawn_says_why() {
    let organization = Organization::create();
    let mut staff = organization.sign_in(Role::Staff);
    for (input, field) in [
        (json!({ "title": "𓀀" }), "title"),
        (json!({ "title": "A", "subtitle": "𓀀" }), "subtitle"),
        (json!({ "title": "A".repeat(151) }), "title"),
        (json!({ "title": "A", "picture": "no Base64" }), "picture"),
        (json!({ "title": "A", "picture": "R0lGODlh" }), "picture"),
        (json!({ "title": "A", "accent": "red" }), "accent"),
    ] {
        let refused = call(&mut staff, "generate_thumbnail", input);
        refused.refuses("invalid_argument", field);
    }
}

#[test]
fn thumbnails_are_drawn_for_those_who_make_video_lessons() {
    let organization = Organization::create();
    for role in [Role::Finance, Role::Fellow, Role::Automation] {
        let mut caller = organization.sign_in(role);
        let refused = call(&mut caller, "generate_thumbnail", json!({ "title": "A" }));
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{role:?}");
    }
}

#[test]
fn slides_are_replaced_all_at_once() {
    let organization = Organization::create();
    let mut teacher = organization.sign_in(Role::Teacher);
    let lesson = video_lesson(&mut teacher);
    for titles in [&["One", "Two", "Three"][..], &["Two", "One"], &[]] {
        let slides: Vec<_> = titles
            .iter()
            .map(|title| json!({ "title": title }))
            .collect();
        let set = json!({ "video_lesson_id": lesson, "slides": slides });
        call(&mut teacher, "set_slides", set).output();
        let listed = call(
            &mut teacher,
            "list_slides",
            json!({ "video_lesson_id": lesson }),
        );
        assert_eq!(each(listed.output(), "slides", "title"), titles);
        for offset in 0..=titles.len() {
            let page = json!({ "video_lesson_id": lesson, "limit": 1, "offset": offset });
            let page = call(&mut teacher, "list_slides", page);
            let expected: Vec<_> = titles.iter().skip(offset).take(1).copied().collect();
            assert_eq!(each(page.output(), "slides", "title"), expected);
            assert_eq!(page.output()["has_more"], offset + 1 < titles.len());
        }
    }
}

#[test]
fn a_video_lesson_is_published_with_its_video() {
    let organization = Organization::create();
    let mut teacher = organization.sign_in(Role::Teacher);
    let publish = json!({ "id": video_lesson(&mut teacher), "status": "published" });
    let refused = call(&mut teacher, "update_video_lesson", publish);
    refused.refuses("invalid_argument", "video_url");
}

/// A request of the alias, in a session of the Lesson Studio host.
fn at_alias(http: &mut Http, name: Option<&str>, method: &str, params: Value) -> Answer {
    let session = http.session(Host::Studio);
    let path = if name.is_some() {
        "/mcp"
    } else {
        "/thumbnails/mcp"
    };
    let mut request = http
        .request(Method::POST, path)
        .bearer_auth(&http.token)
        .header("mcp-session-id", session)
        .json(&json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }));
    if let Some(name) = name {
        request = request.header("host", name);
    }
    answer_to(request)
}

/// The time until the end of the alias, plus this many seconds.
fn until_end(more: i64) -> Duration {
    let end: Timestamp = END.parse().expect("a moment");
    let seconds = end.as_second() - Timestamp::now().as_second() + more;
    Duration::from_secs(u64::try_from(seconds).expect("the end is to come"))
}

#[test]
fn the_alias_has_the_one_tool_and_says_that_it_ends() {
    let organization = Organization::create();
    let mut teacher = organization.sign_in(Role::Teacher);
    for name in [
        None,
        Some("thumbnails.localhost"),
        Some("THUMBNAILS.localhost:4700"),
    ] {
        let listed = at_alias(&mut teacher, name, "tools/list", json!({}));
        let tools = listed.result()["tools"].as_array().expect("tools");
        assert_eq!(tools.len(), 1);
        assert_eq!(tools[0]["name"], "generate_thumbnail");
        let says = tools[0]["description"].as_str().expect("a description");
        assert!(says.contains("2026-12-04"), "{says}");
        let draw = json!({ "name": "generate_thumbnail", "arguments": { "title": "A" } });
        let drawn = at_alias(&mut teacher, name, "tools/call", draw);
        assert!(!picture(&drawn).is_empty());
        let other = json!({ "name": "list_thumbnails", "arguments": {} });
        let other = at_alias(&mut teacher, name, "tools/call", other);
        assert_eq!(other.rpc_code(), -32602);
        for answer in [listed, drawn, other] {
            assert_eq!(answer.header("sunset"), "Sat, 05 Dec 2026 00:00:00 GMT");
            assert!(answer.header("deprecation").starts_with('@'));
        }
    }
    let own = teacher.rpc(Host::Studio, "tools/list", json!({}));
    assert_eq!((own.header("sunset"), own.header("deprecation")), ("", ""));
    assert!(!own.body.to_string().contains("2026-12-04"));
}

#[test]
fn the_alias_answers_until_its_end_and_not_from_then_on() {
    let clock = Clock::system();
    clock.advance(until_end(-60));
    let server = world().server(clock.clone(), 0);
    let http = Http::with_token(&server.url(), "");
    let health = |name: Option<&str>| {
        let path = if name.is_some() {
            "/health"
        } else {
            "/thumbnails/health"
        };
        let request = http.request(Method::GET, path);
        let request = match name {
            Some(name) => request.header("host", name),
            None => request,
        };
        answer_to(request)
    };
    let names = [None, Some("thumbnails.localhost")];
    for name in names {
        let answer = health(name);
        assert_eq!(
            (answer.status, &answer.body["tools"]),
            (StatusCode::OK, &json!(1))
        );
    }
    clock.advance(Duration::from_secs(60));
    for name in names {
        let answer = health(name);
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{name:?}");
        assert_eq!(answer.header("sunset"), "");
    }
    let studio = answer_to(http.request(Method::GET, "/studio/health"));
    assert_eq!(studio.body["tools"], 9);
}
