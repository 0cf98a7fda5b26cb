//! Posts and their review.

use frontdesk_protocol::campaigns::post::{
    CreatePost, DeletePost, ListPosts, ListReviewQueue, MarkPostPublished, Post, PostStatus,
    ReviewPost, SubmitPost, UpdatePost,
};
use frontdesk_protocol::record::{List, One};
use serde_json::json;

use crate::call::{Call, Filter, Handler, Outcome, SqlByName, Stored, columns, named};
use crate::database::params;
use crate::hosts::routes;

impl Stored for Post {
    const TABLE: &'static str = "campaigns.posts";
    const ORDER: &'static str = "t.created_at desc, t.id";
    const FILTERS: SqlByName = &[("search", "t.title_key like (select app.search_pattern($))")];
    const FINDER: Option<&'static str> = Some("campaigns.find_posts");
    const COMPUTED: SqlByName = &[
        named!("edited_by_name": account "edited_by"),
        named!("author_name": account "author_id"),
        (
            "reviewed_by",
            "(select r.reviewer_id from campaigns.reviews r where r.post_id = t.id \
              order by r.created_at desc, r.id limit 1)",
        ),
        (
            "reviewed_by_name",
            "(select p.name from learn.profiles p where p.id = \
              (select r.reviewer_id from campaigns.reviews r where r.post_id = t.id \
               order by r.created_at desc, r.id limit 1))",
        ),
        (
            "review_comment",
            "(select r.comment from campaigns.reviews r where r.post_id = t.id \
              order by r.created_at desc, r.id limit 1)",
        ),
    ];
}

impl Handler for SubmitPost {
    async fn handle(self, call: &mut Call) -> Outcome<One<Post>> {
        let submitted = json!({ "status": PostStatus::InReview });
        call.finally().change(self.id, &submitted).await
    }
}

impl Handler for ListReviewQueue {
    async fn handle(self, call: &mut Call) -> Outcome<List<Post>> {
        let filter = Filter::of::<Post>(&self);
        let select = |limit: &str, offset: &str| {
            format!(
                "select {} from campaigns.posts t where t.status = 'in_review' and {} \
                 order by t.submitted_at, t.id limit {limit} + 1 offset {offset}",
                columns::<Post>(),
                filter.conditions(),
            )
        };
        call.page(select, filter.params(), self.limit, self.offset)
            .await
    }
}

impl Handler for ReviewPost {
    async fn handle(self, call: &mut Call) -> Outcome<One<Post>> {
        call.has_webhooks();
        let sql = "insert into campaigns.reviews (post_id, revision, verdict, comment) values ($1, $2, $3, $4)";
        let params = params![self.id, self.revision, self.verdict, self.comment];
        let reviewed = call.query(sql, params).await;
        reviewed.map_err(|refusal| refusal.called("post_id", "id"))?;
        call.finally().one(self.id).await
    }
}

impl Handler for MarkPostPublished {
    async fn handle(self, call: &mut Call) -> Outcome<One<Post>> {
        let sql = "select campaigns.mark_published($1, $2, $3)";
        let params = params![self.id, self.url, self.published_at];
        call.query(sql, params).await?;
        call.finally().one(self.id).await
    }
}

routes![
    ListPosts,
    CreatePost,
    UpdatePost, DeletePost,
    SubmitPost => own,
    ListReviewQueue => own,
    ReviewPost => own,
    MarkPostPublished => own,
];
