//! Pull requests.

use frontdesk_protocol::engineering::pull_request::{ListPullRequests, PullRequest};

use crate::call::{SqlByName, Stored, named};
use crate::hosts::routes;

/// A pull request's state.
macro_rules! state {
    () => {
        "case when t.merged_at is not null then 'merged' when t.closed_at is not null then 'closed' else 'open' end"
    };
}

impl Stored for PullRequest {
    const TABLE: &'static str = "engineering.pull_requests";
    const ORDER: &'static str = "t.created_at desc, t.id";
    const FILTERS: SqlByName = &[
        ("search", "t.title_key like (select app.search_pattern($))"),
        ("state", concat!(state!(), " = $")),
    ];
    const COMPUTED: SqlByName = &[
        named!("author_name": member "author_id"),
        ("state", state!()),
    ];
}

routes![ListPullRequests];
