//! The Campaigns host: nobody approves their own post, and an approved post that is edited is
//! reviewed again.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Answer, Caller, Organization};
use serde_json::{Value, json};

use crate::wire::events::pluck;

/// Two authors of posts.
struct Desk {
    organization: Organization,
    staff: Caller,
    admin: Caller,
}

impl Desk {
    fn open() -> Desk {
        let organization = Organization::create();
        Desk {
            staff: organization.caller(Role::Staff, Host::Campaigns),
            admin: organization.caller(Role::Admin, Host::Campaigns),
            organization,
        }
    }

    /// A post of the staff's in the queue.
    fn queued(&mut self) -> Value {
        let post = json!({ "title": "Open day", "channel": "instagram", "body": "Come" });
        let id = self.staff.make("create_post", post);
        let queued = self.staff.record("submit_post", json!({ "id": id }));
        assert_eq!(queued["status"], "in_review");
        id
    }

    /// A post of the staff's that the admin approved.
    fn approved(&mut self) -> Value {
        let id = self.queued();
        review(&mut self.admin, &id, 1).output();
        id
    }
}

fn review(reviewer: &mut Caller, id: &Value, revision: u32) -> Answer {
    let verdict = json!({ "id": id, "revision": revision, "verdict": "approved" });
    reviewer.call("review_post", verdict)
}

fn queue(caller: &mut Caller) -> Vec<String> {
    let queue = caller.record("list_review_queue", json!({}));
    pluck(&queue, "title")
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn a_post_is_not_approved_by_its_author() {
    let mut desk = Desk::open();
    let id = desk.queued();
    let own = review(&mut desk.staff, &id, 1);
    assert_eq!(own.refusal(), "forbidden");
    assert_eq!(queue(&mut desk.staff), ["Open day"]);
    // Nor a post whose text they changed.
    let edit = json!({ "id": id, "body": "Come soon" });
    desk.admin.output("update_post", edit);
    assert_eq!(review(&mut desk.admin, &id, 2).refusal(), "forbidden");
    let mut owner = desk.organization.caller(Role::Owner, Host::Campaigns);
    let approved = review(&mut owner, &id, 2);
    assert_eq!(approved.output()["post"]["status"], "approved");
    assert_eq!(queue(&mut desk.staff), [""; 0]);
}

#[test]
fn who_wrote_a_part_of_a_post_does_not_review_it_although_others_wrote_after() {
    let mut desk = Desk::open();
    let id = desk.queued();
    let mut owner = desk.organization.caller(Role::Owner, Host::Campaigns);
    let edit = |body: &str| json!({ "id": id, "body": body });
    desk.admin.output("update_post", edit("Come soon"));
    desk.staff.output("update_post", edit("Come soon, all"));
    assert_eq!(review(&mut desk.admin, &id, 3).refusal(), "forbidden");
    // Somebody else has read what the admin wrote: from now on others write.
    let verdict = json!({ "id": id, "revision": 3, "verdict": "changes_requested" });
    owner.output("review_post", verdict);
    desk.staff
        .output("update_post", edit("Come on Monday, all"));
    desk.staff.output("submit_post", json!({ "id": id }));
    review(&mut desk.admin, &id, 4).output();
}

#[test]
fn an_approved_post_that_is_edited_goes_back_into_the_queue() {
    let mut desk = Desk::open();
    let id = desk.approved();
    let same = json!({ "id": id, "body": "Come" });
    let same = desk.staff.record("update_post", same);
    assert_eq!(
        (&same["status"], &same["revision"]),
        (&json!("approved"), &json!(1))
    );
    let edit = json!({ "id": id, "body": "Come soon" });
    let edited = desk.staff.record("update_post", edit);
    assert_eq!(
        (&edited["status"], &edited["revision"]),
        (&json!("in_review"), &json!(2))
    );
    assert_eq!(queue(&mut desk.staff), ["Open day"]);
}

#[test]
fn a_review_is_of_the_text_that_was_read() {
    let mut desk = Desk::open();
    let id = desk.queued();
    let edit = json!({ "id": id, "body": "Buy" });
    desk.staff.output("update_post", edit);
    let late = review(&mut desk.admin, &id, 1);
    late.refuses_with(
        "conflict",
        "revision",
        "the current revision is 2: read the post again",
    );
    review(&mut desk.admin, &id, 2).output();
    let twice = review(&mut desk.admin, &id, 2);
    twice.refuses_with("conflict", "id", "this post is not in the review queue");
}

#[test]
fn a_post_whose_changes_are_requested_is_handed_in_again() {
    let mut desk = Desk::open();
    let id = desk.queued();
    let verdict = json!({
        "id": id, "revision": 1, "verdict": "changes_requested", "comment": "When?",
    });
    let reviewed = desk.admin.record("review_post", verdict);
    assert_eq!(reviewed["status"], "changes_requested");
    assert_eq!(reviewed["review_comment"], "When?");
    assert_eq!(
        reviewed["reviewed_by"],
        json!(desk.organization.user(Role::Admin))
    );
    assert_eq!(queue(&mut desk.staff), [""; 0]);
    desk.staff.output("submit_post", json!({ "id": id }));
    review(&mut desk.admin, &id, 1).output();
    let done = desk.staff.call("submit_post", json!({ "id": id }));
    done.refuses_with("conflict", "id", "this post is already approved");
}

#[test]
fn a_teacher_writes_posts_and_changes_no_others() {
    let mut desk = Desk::open();
    let mut teacher = desk.organization.caller(Role::Teacher, Host::Campaigns);
    let post = json!({ "title": "A lesson", "channel": "youtube" });
    let own = teacher.make("create_post", post);
    teacher.output("update_post", json!({ "id": own, "body": "See" }));
    teacher.output("submit_post", json!({ "id": own }));
    let other = desk.queued();
    let refused = teacher.call("update_post", json!({ "id": other, "body": "See" }));
    assert_eq!(refused.refusal(), "forbidden");
    assert_eq!(review(&mut teacher, &other, 1).refusal(), "forbidden");
    let refused = teacher.call("delete_post", json!({ "id": other }));
    assert_eq!(refused.refusal(), "forbidden");
    teacher.output("delete_post", json!({ "id": own }));
    // What others have said of it stays.
    review(&mut desk.admin, &other, 1).output();
    let refused = desk.staff.call("delete_post", json!({ "id": other }));
    assert_eq!(refused.refusal(), "conflict");
}

#[test]
fn how_an_approved_post_does_is_recorded_by_day_and_added_up() {
    let mut desk = Desk::open();
    let mut machine = desk.organization.caller(Role::Automation, Host::Campaigns);
    let draft = desk.queued();
    let metrics = json!({ "post_id": draft, "day": "2026-03-05", "impressions": 1 });
    let refused = machine.call("record_metrics", metrics);
    refused.refuses_with(
        "invalid_argument",
        "post_id",
        "must be a post that was approved",
    );

    let id = desk.approved();
    for (day, counts) in [
        ("2026-03-05", json!({ "impressions": 100, "clicks": 1 })),
        ("2026-03-06", json!({ "impressions": 50, "shares": 3 })),
        // Missing counts stay unchanged.
        ("2026-03-05", json!({ "clicks": 2, "reactions": 7 })),
    ] {
        let mut metrics = counts;
        metrics["post_id"] = id.clone();
        metrics["day"] = json!(day);
        machine.output("record_metrics", metrics);
    }
    let all = desk
        .staff
        .record("get_post_analytics", json!({ "post_id": id }));
    assert_eq!(
        all,
        json!({
            "post_id": id, "impressions": 150, "clicks": 2, "reactions": 7, "shares": 3, "click_rate": 1.33,
            "days": [
                { "post_id": id, "day": "2026-03-06", "impressions": 50, "clicks": 0, "reactions": 0, "shares": 3 },
                { "post_id": id, "day": "2026-03-05", "impressions": 100, "clicks": 2, "reactions": 7, "shares": 0 },
            ],
        })
    );
    let none = desk
        .staff
        .record("get_post_analytics", json!({ "post_id": draft }));
    assert_eq!(
        (&none["click_rate"], &none["days"]),
        (&json!(null), &json!([]))
    );
}

#[test]
fn an_approved_post_is_published_at_an_address_and_stays_as_it_is() {
    let mut desk = Desk::open();
    let mut machine = desk.organization.caller(Role::Automation, Host::Campaigns);
    let published = |id: &Value, url: &str| json!({ "id": id, "url": url });
    let early = desk.queued();
    let refused = machine.call(
        "mark_post_published",
        published(&early, "https://example.org/1"),
    );
    let message = "this post is in review: only an approved one can be published";
    refused.refuses_with("conflict", "id", message);
    let id = desk.approved();
    let first = machine.record(
        "mark_post_published",
        published(&id, "https://example.org/1"),
    );
    assert_eq!(
        (&first["status"], &first["url"]),
        (&json!("published"), &json!("https://example.org/1"))
    );
    let moved = machine.record(
        "mark_post_published",
        published(&id, "https://example.org/2"),
    );
    assert_eq!(moved["published_at"], first["published_at"]);
    assert_eq!(moved["url"], "https://example.org/2");
    let edited = desk
        .staff
        .call("update_post", json!({ "id": id, "body": "Late" }));
    edited.refuses_with("conflict", "id", "this post is published and cannot change");
    let mut teacher = desk.organization.caller(Role::Teacher, Host::Campaigns);
    let refused = teacher.call(
        "mark_post_published",
        published(&id, "https://example.org/3"),
    );
    assert_eq!(refused.status, 403);
}
