//! Posts for social channels. Nobody approves their own, and an approved one that is edited is reviewed again.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{READERS, WRITERS};
use crate::id::{PostId, UserId};
use crate::record::{List, One, record};
use crate::role::Roles;
use crate::tool::{tool, tools};
use crate::value::{Change, Limit, Line, Name, Offset, Patch, Text, Whole};
use crate::words::words;

words! {
    /// Where a post appears.
    Channel {
        Instagram = "instagram",
        Linkedin = "linkedin",
        Youtube = "youtube",
        X = "x",
        Newsletter = "newsletter",
    }
}

words! {
    /// How far a post is.
    PostStatus {
        Draft = "draft",
        InReview = "in_review",
        ChangesRequested = "changes_requested",
        Approved = "approved",
    }
}

words! {
    /// What a reviewer says.
    Verdict {
        Approved = "approved",
        ChangesRequested = "changes_requested",
    }
}

/// The text of a post.
pub type Body = Text<0, 10_000>;

/// A post.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Post {
    /// Identifies the post.
    pub id: PostId,
    /// Title.
    pub title: String,
    /// The text.
    pub body: String,
    /// Where it appears.
    pub channel: Channel,
    /// When it is to appear.
    pub scheduled_at: Option<Timestamp>,
    /// How far it is.
    pub status: PostStatus,
    /// Counts the texts that it has had.
    pub revision: u32,
    /// Who began it.
    pub author_id: UserId,
    /// Who wrote the text as it is.
    pub edited_by: UserId,
    /// Who reviewed it last.
    pub reviewed_by: Option<UserId>,
    /// What that reviewer said.
    pub review_comment: Option<String>,
}
record!(Post, "post", "posts");

tool! {
    /// Lists posts, the newest first.
    ListPosts = "list_posts" on Campaigns, READ, for READERS => List<Post> {
        opt {
            /// Only posts of this status.
            status: Option<PostStatus>,
            /// Only posts of this channel.
            channel: Option<Channel>,
            /// Part of the title.
            search: Option<Line>,
            /// Most posts to return.
            limit: Limit,
            /// Posts to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Adds a draft of yours.
    CreatePost = "create_post" on Campaigns, CREATE, for WRITERS => One<Post> {
        req {
            /// Title.
            title: Name,
            /// Where it appears.
            channel: Channel,
        }
        opt {
            /// The text.
            body: Option<Body>,
            /// When it is to appear.
            scheduled_at: Option<Timestamp>,
        }
    }
}

tool! {
    /// Changes a post; an approved one goes back into the review queue. Fields left out stay.
    UpdatePost = "update_post" on Campaigns, UPDATE, for WRITERS => One<Post> {
        req {
            /// The post.
            id: PostId,
        }
        opt {
            /// Title.
            title: Change<Name>,
            /// Where it appears.
            channel: Change<Channel>,
            /// The text.
            body: Change<Body>,
            /// When it is to appear; null for any time.
            scheduled_at: Patch<Timestamp>,
        }
    }
}

tool! {
    /// Puts a post into the review queue.
    SubmitPost = "submit_post" on Campaigns, UPDATE, for WRITERS => One<Post> {
        req {
            /// The post.
            id: PostId,
        }
    }
}

tool! {
    /// Lists posts that wait for a review, the one that waits longest first.
    ListReviewQueue = "list_review_queue" on Campaigns, READ, for READERS => List<Post> {
        opt {
            /// Part of the title.
            search: Option<Line>,
            /// Most posts to return.
            limit: Limit,
            /// Posts to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Reviews a post that waits in the queue and of which you wrote nothing since its last review.
    ReviewPost = "review_post" on Campaigns, CREATE, for Roles::DESK => One<Post> {
        req {
            /// The post.
            id: PostId,
            /// The revision that you read.
            revision: Whole<1, 1_000_000_000>,
            /// What you say.
            verdict: Verdict,
        }
        opt {
            /// The reason.
            comment: Option<Line>,
        }
    }
}

tools![
    ListPosts,
    CreatePost,
    UpdatePost,
    SubmitPost,
    ListReviewQueue,
    ReviewPost
];
