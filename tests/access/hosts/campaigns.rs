//! The Campaigns host.

use frontdesk_protocol::{Host, Role};

use super::{ALL_BUT_FELLOWS, Area, Case, DESK, May, Record};

const WRITERS: May = May(&[Role::Owner, Role::Admin, Role::Staff, Role::Teacher], &[]);
const RECORDERS: May = May(
    &[Role::Owner, Role::Admin, Role::Staff, Role::Automation],
    &[],
);
/// Reviewers of an owner's post.
const REVIEWERS: May = May(&[Role::Admin, Role::Staff], &[]);

pub(crate) const AREA: Area = Area {
    host: Host::Campaigns,
    records: RECORDS,
    cases: CASES,
    // In tests/wire/campaigns.rs: posts of others than the owner.
    elsewhere: &[
        ("update_post", WRITERS),
        ("update_post", DESK),
        ("delete_post", WRITERS),
        ("delete_post", DESK),
        ("submit_post", WRITERS),
        ("submit_post", DESK),
        // Nobody reviews an own text.
        ("review_post", DESK),
        ("review_post", May(&[], &[])),
    ],
};

const RECORDS: &[Record] = records![
    "post", "create_post", |_m| { "title": "Open day", "channel": "instagram" };
    "queued", "create_post", |_m| {
        "title": "Turma 8", "channel": "linkedin", "body": "Sign up", "scheduled_at": "2026-03-05T12:00:00Z",
    };
    "submitted", "submit_post", |m| { "id": m["queued"] };
    "approved", "create_post", |_m| { "title": "Thanks", "channel": "x", "body": "To all" };
    "approved", "submit_post", |m| { "id": m["approved"] };
    "approved", "review_post" by Admin at "/post/id", |m| { "id": m["approved"], "revision": 1, "verdict": "approved" };
];

const CASES: &[Case] = cases![
    "list_posts", ALL_BUT_FELLOWS, |_m| { "status": "draft", "channel": "instagram", "search": "open" };
    "list_review_queue", ALL_BUT_FELLOWS, |_m| { "search": "turma" };
    "get_post_analytics", ALL_BUT_FELLOWS, |m| { "post_id": m["post"] };
    "create_post", WRITERS, |_m| { "title": "New", "channel": "x" };
    "review_post", REVIEWERS, |m| { "id": m["queued"], "revision": 1, "verdict": "changes_requested", "comment": "Why?" };
    "record_metrics", RECORDERS, |m| { "post_id": m["approved"], "day": "2026-03-06", "clicks": 7 };
    "mark_post_published", RECORDERS, |m| { "id": m["approved"], "url": "https://example.org/thanks" };
    "update_post", DESK, |m| { "id": m["post"], "body": "Come", "scheduled_at": null };
    "submit_post", DESK, |m| { "id": m["post"] };
    "delete_post", DESK, |m| { "id": m["post"] };
];
