//! The Campaigns host.

use frontdesk_protocol::{Host, Role};

use super::{Area, Case, DESK, May, Record};

const WRITERS: May = May(&[Role::Owner, Role::Admin, Role::Staff, Role::Teacher], &[]);
const ALL_BUT_FELLOWS: May = May(
    &[
        Role::Owner,
        Role::Admin,
        Role::Staff,
        Role::Teacher,
        Role::Finance,
        Role::Automation,
    ],
    &[],
);
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
    // In tests/wire/campaigns.rs: they need posts of others than the owner, or approved posts.
    elsewhere: &[
        ("update_post", WRITERS),
        ("update_post", DESK),
        ("submit_post", WRITERS),
        ("submit_post", DESK),
        // Nobody reviews an own text.
        ("review_post", DESK),
        ("review_post", May(&[], &[])),
        ("record_metrics", RECORDERS),
        ("mark_post_published", RECORDERS),
    ],
};

const RECORDS: &[Record] = records![
    "post", "create_post", |_m| { "title": "Open day", "channel": "instagram" };
    "queued", "create_post", |_m| {
        "title": "Turma 8", "channel": "linkedin", "body": "Sign up", "scheduled_at": "2026-03-05T12:00:00Z",
    };
    "submitted", "submit_post", |m| { "id": m["queued"] };
];

const CASES: &[Case] = cases![
    "list_posts", ALL_BUT_FELLOWS, |_m| { "status": "draft", "channel": "instagram", "search": "open" };
    "list_review_queue", ALL_BUT_FELLOWS, |_m| { "search": "turma" };
    "get_post_analytics", ALL_BUT_FELLOWS, |m| { "post_id": m["post"] };
    "create_post", WRITERS, |_m| { "title": "New", "channel": "x" };
    "review_post", REVIEWERS, |m| { "id": m["queued"], "revision": 1, "verdict": "changes_requested", "comment": "Why?" };
    "update_post", DESK, |m| { "id": m["post"], "body": "Come", "scheduled_at": null };
    "submit_post", DESK, |m| { "id": m["post"] };
];
