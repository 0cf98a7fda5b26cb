//! Posts for social channels. Authors cannot approve their own posts, and editing an approved post requires a new
//! review.

use jiff::Timestamp;

use super::{READERS, RECORDERS, WRITERS};
use crate::id::{PostId, UserId};
use crate::record::{One, record};
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Change, Line, Name, Patch, Text, WebUrl, Whole};
use crate::words::words;

words! {
    /// The channel of a post.
    Channel {
        Instagram = "instagram",
        Linkedin = "linkedin",
        Youtube = "youtube",
        X = "x",
        Newsletter = "newsletter",
    }
}

words! {
    /// The status of a post.
    PostStatus {
        Draft = "draft",
        InReview = "in_review",
        ChangesRequested = "changes_requested",
        Approved = "approved",
        Published = "published",
    }
}

words! {
    /// A reviewer's verdict.
    Verdict {
        Approved = "approved",
        ChangesRequested = "changes_requested",
    }
}

/// The text of a post.
pub type Body = Text<0, 10_000>;

record! {
    /// A post.
    Post = "post", "posts" (name: title, state: status) {
        id: PostId,
        title: Name [create, change],
        /// The text.
        body: String,
        channel: Channel [create, change],
        scheduled_at: Option<Timestamp> [create],
        status: PostStatus,
        /// Revision number of the text, from 1.
        revision: u32,
        author_id: UserId,
        author_name: Option<String>,
        /// The account that wrote the current text.
        edited_by: UserId,
        edited_by_name: Option<String>,
        /// The last reviewer.
        reviewed_by: Option<UserId>,
        reviewed_by_name: Option<String>,
        /// The last reviewer's comment.
        review_comment: Option<String>,
        published_at: Option<Timestamp>,
        /// Where it was published.
        url: Option<String>,
    }
    /// Lists posts, newest first.
    list ListPosts = "list_posts" on Campaigns for READERS {
        opt {
            status: Option<PostStatus>,
            channel: Option<Channel>,
            search: Option<Line>,
        }
    }
    /// Adds a draft with you as its author.
    create CreatePost = "create_post" on Campaigns for WRITERS {
        opt {
            body: Option<Body>,
        }
    }
    /// Changes a post. An approved post returns to the review queue.
    change UpdatePost = "update_post" on Campaigns for WRITERS {
        opt {
            body: Change<Body>,
            /// null: any time.
            scheduled_at: Patch<Timestamp>,
        }
    }
    /// Deletes a post that was never reviewed.
    delete DeletePost = "delete_post" on Campaigns for WRITERS;
    other SubmitPost;
    /// Lists posts waiting for review, longest waiting first.
    list ListReviewQueue = "list_review_queue" on Campaigns for READERS {
        opt {
            search: Option<Line>,
        }
    }
    other ReviewPost;
    other MarkPostPublished;
}

tool! {
    /// Submits a post for review.
    SubmitPost = "submit_post" on Campaigns, UPDATE, for WRITERS => One<Post> {
        req {
            id: PostId,
        }
    }
}

tool! {
    /// Reviews a post in the review queue. You cannot review a text that you edited since the last review.
    ReviewPost = "review_post" on Campaigns, CREATE, for Roles::DESK => One<Post> {
        req {
            id: PostId,
            /// The revision that you read.
            revision: Whole<1, 1_000_000_000>,
            verdict: Verdict,
        }
        opt {
            /// The reason, as a comment.
            comment: Option<Line>,
        }
    }
}

tool! {
    /// Records where an approved post was published. Call again to correct the address.
    MarkPostPublished = "mark_post_published" on Campaigns, UPDATE, for RECORDERS => One<Post> {
        req {
            id: PostId,
            url: WebUrl,
        }
        opt {
            /// Default: now.
            published_at: Option<Timestamp>,
        }
    }
}
