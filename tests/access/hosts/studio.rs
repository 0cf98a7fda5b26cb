//! Lesson Studio: video lessons and their slides, thumbnails.

use frontdesk_protocol::{Host, Role};

use super::{Area, Case, May, Record, STAFF};

const MAKERS: May = May(
    &[Role::Owner, Role::Admin, Role::Staff, Role::Teacher],
    &[],
);

pub(crate) const AREA: Area = Area {
    host: Host::Studio,
    records: RECORDS,
    cases: CASES,
    // In tests/wire/studio.rs.
    elsewhere: &[
        ("list_slides", STAFF),
        ("list_thumbnails", STAFF),
        ("get_thumbnail", STAFF),
    ],
};

const RECORDS: &[Record] = records![
    "video", "create_video_lesson", |_m| { "title": "Début", "description": "First of three" };
];

const CASES: &[Case] = cases![
    "list_video_lessons", STAFF, |_m| { "status": "draft", "search": "debut" };
    "get_video_lesson", STAFF, |m| { "id": m["video"] };
    "create_video_lesson", MAKERS, |_m| {
        "title": "New", "status": "published", "video_url": "https://example.org/v",
    };
    "generate_thumbnail", MAKERS, |m| { "title": "Début", "video_lesson_id": m["video"] };
    "update_video_lesson", MAKERS, |m| { "id": m["video"], "status": "recording", "description": null };
    "set_slides", MAKERS, |m| {
        "video_lesson_id": m["video"], "slides": [{ "title": "Why", "body": "Because", "notes": "Say it" }],
    };
];
