//! The Campaigns host: nobody approves their own post, and an approved post that is edited is
//! reviewed again.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Answer, Organization, run};
use serde_json::{Value, json};

use crate::caller::{Caller, says};
use crate::events::pluck;

/// Two authors of posts.
struct Desk {
    organization: Organization,
    staff: Caller,
    admin: Caller,
}

impl Desk {
    async fn open() -> Desk {
        let organization = Organization::create().await;
        Desk {
            staff: Caller::of(&organization, Role::Staff, Host::Campaigns).await,
            admin: Caller::of(&organization, Role::Admin, Host::Campaigns).await,
            organization,
        }
    }

    /// A post of the staff's in the queue.
    async fn queued(&mut self) -> Value {
        let post = json!({ "title": "Open day", "channel": "instagram", "body": "Come" });
        let id = self.staff.make("create_post", post).await;
        let queued = self.staff.get("submit_post", json!({ "id": id })).await;
        assert_eq!(queued["status"], "in_review");
        id
    }

    /// A post of the staff's that the admin approved.
    async fn approved(&mut self) -> Value {
        let id = self.queued().await;
        review(&mut self.admin, &id, 1).await.output();
        id
    }
}

async fn review(reviewer: &mut Caller, id: &Value, revision: u32) -> Answer {
    let verdict = json!({ "id": id, "revision": revision, "verdict": "approved" });
    reviewer.call("review_post", verdict).await
}

async fn queue(caller: &mut Caller) -> Vec<String> {
    let queue = caller.get("list_review_queue", json!({})).await;
    pluck(&queue, "title")
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn nobody_approves_their_own_post() {
    run(async {
        let mut desk = Desk::open().await;
        let id = desk.queued().await;
        let own = review(&mut desk.staff, &id, 1).await;
        assert_eq!(own.refusal(), "forbidden");
        assert_eq!(queue(&mut desk.staff).await, ["Open day"]);
        // Nor a post whose text they changed.
        let edit = json!({ "id": id, "body": "Come soon" });
        desk.admin.output("update_post", edit).await;
        assert_eq!(review(&mut desk.admin, &id, 2).await.refusal(), "forbidden");
        let mut owner = Caller::of(&desk.organization, Role::Owner, Host::Campaigns).await;
        let approved = review(&mut owner, &id, 2).await;
        assert_eq!(approved.output()["post"]["status"], "approved");
        assert_eq!(queue(&mut desk.staff).await, [""; 0]);
    });
}

#[test]
fn who_wrote_a_part_of_a_post_does_not_review_it_although_others_wrote_after() {
    run(async {
        let mut desk = Desk::open().await;
        let id = desk.queued().await;
        let mut owner = Caller::of(&desk.organization, Role::Owner, Host::Campaigns).await;
        let edit = |body: &str| json!({ "id": id, "body": body });
        desk.admin.output("update_post", edit("Come soon")).await;
        desk.staff
            .output("update_post", edit("Come soon, all"))
            .await;
        assert_eq!(review(&mut desk.admin, &id, 3).await.refusal(), "forbidden");
        // Somebody else has read what the admin wrote: from now on others write.
        let verdict = json!({ "id": id, "revision": 3, "verdict": "changes_requested" });
        owner.output("review_post", verdict).await;
        desk.staff
            .output("update_post", edit("Come on Monday, all"))
            .await;
        desk.staff.output("submit_post", json!({ "id": id })).await;
        review(&mut desk.admin, &id, 4).await.output();
    });
}

#[test]
fn an_approved_post_that_is_edited_goes_back_into_the_queue() {
    run(async {
        let mut desk = Desk::open().await;
        let id = desk.approved().await;
        let same = json!({ "id": id, "body": "Come" });
        let same = desk.staff.get("update_post", same).await;
        assert_eq!(
            (&same["status"], &same["revision"]),
            (&json!("approved"), &json!(1))
        );
        let edit = json!({ "id": id, "body": "Come soon" });
        let edited = desk.staff.get("update_post", edit).await;
        assert_eq!(
            (&edited["status"], &edited["revision"]),
            (&json!("in_review"), &json!(2))
        );
        assert_eq!(queue(&mut desk.staff).await, ["Open day"]);
    });
}

#[test]
fn a_review_is_of_the_text_that_was_read() {
    run(async {
        let mut desk = Desk::open().await;
        let id = desk.queued().await;
        let edit = json!({ "id": id, "body": "Buy" });
        desk.staff.output("update_post", edit).await;
        let late = review(&mut desk.admin, &id, 1).await;
        says(
            &late,
            "conflict",
            "revision",
            "is 2 by now: read the post again",
        );
        review(&mut desk.admin, &id, 2).await.output();
        let twice = review(&mut desk.admin, &id, 2).await;
        says(&twice, "conflict", "id", "is not in the review queue");
    });
}

#[test]
fn a_post_whose_changes_are_requested_is_handed_in_again() {
    run(async {
        let mut desk = Desk::open().await;
        let id = desk.queued().await;
        let verdict = json!({
            "id": id, "revision": 1, "verdict": "changes_requested", "comment": "When?",
        });
        let reviewed = desk.admin.get("review_post", verdict).await;
        assert_eq!(reviewed["status"], "changes_requested");
        assert_eq!(reviewed["review_comment"], "When?");
        assert_eq!(
            reviewed["reviewed_by"],
            json!(desk.organization.user(Role::Admin))
        );
        assert_eq!(queue(&mut desk.staff).await, [""; 0]);
        desk.staff.output("submit_post", json!({ "id": id })).await;
        review(&mut desk.admin, &id, 1).await.output();
        let done = desk.staff.call("submit_post", json!({ "id": id })).await;
        says(&done, "conflict", "id", "is approved already");
    });
}

#[test]
fn a_teacher_writes_posts_and_changes_no_others() {
    run(async {
        let mut desk = Desk::open().await;
        let mut teacher = Caller::of(&desk.organization, Role::Teacher, Host::Campaigns).await;
        let post = json!({ "title": "A lesson", "channel": "youtube" });
        let own = teacher.make("create_post", post).await;
        teacher
            .output("update_post", json!({ "id": own, "body": "See" }))
            .await;
        teacher.output("submit_post", json!({ "id": own })).await;
        let other = desk.queued().await;
        let refused = teacher
            .call("update_post", json!({ "id": other, "body": "See" }))
            .await;
        assert_eq!(refused.refusal(), "forbidden");
        assert_eq!(review(&mut teacher, &other, 1).await.refusal(), "forbidden");
    });
}

#[test]
fn how_an_approved_post_does_is_recorded_by_day_and_added_up() {
    run(async {
        let mut desk = Desk::open().await;
        let mut machine = Caller::of(&desk.organization, Role::Automation, Host::Campaigns).await;
        let draft = desk.queued().await;
        let metrics = json!({ "post_id": draft, "day": "2026-03-05", "impressions": 1 });
        let refused = machine.call("record_metrics", metrics).await;
        says(
            &refused,
            "invalid_argument",
            "post_id",
            "is of a post that was never approved",
        );

        let id = desk.approved().await;
        for (day, counts) in [
            ("2026-03-05", json!({ "impressions": 100, "clicks": 1 })),
            ("2026-03-06", json!({ "impressions": 50, "shares": 3 })),
            // Missing counts stay unchanged.
            ("2026-03-05", json!({ "clicks": 2, "reactions": 7 })),
        ] {
            let mut metrics = counts;
            metrics["post_id"] = id.clone();
            metrics["day"] = json!(day);
            machine.output("record_metrics", metrics).await;
        }
        let all = desk
            .staff
            .get("get_post_analytics", json!({ "post_id": id }))
            .await;
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
            .get("get_post_analytics", json!({ "post_id": draft }))
            .await;
        assert_eq!(
            (&none["click_rate"], &none["days"]),
            (&json!(null), &json!([]))
        );
    });
}
