//! Pull requests, as reported by the code host.

use jiff::Timestamp;

use super::EVERYBODY;
use crate::id::{MemberId, PullRequestId};
use crate::record::List;
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Limit, Line, Name, Offset};
use crate::wire::Wire;
use crate::words::words;

words! {
    /// The state of a pull request.
    PullRequestState {
        Open = "open",
        Merged = "merged",
        Closed = "closed",
    }
}

/// A pull request.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct PullRequest {
    pub id: PullRequestId,
    pub repository: String,
    /// Its number in the repository.
    pub number: u32,
    pub title: String,
    /// Address.
    pub url: String,
    pub state: PullRequestState,
    /// Login of the author at the code host.
    pub author_login: String,
    /// The member with that login.
    pub author_id: Option<MemberId>,
    pub author_name: Option<String>,
    /// When it was opened.
    pub created_at: Timestamp,
    /// When it was merged.
    pub merged_at: Option<Timestamp>,
}

resource! {
    PullRequest = "pull_request", "pull_requests" (name: title, state: state) {
        list: ListPullRequests,
    }
}

tool! {
    /// Lists pull requests, newest first.
    ListPullRequests = "list_pull_requests" on Engineering, READ, for EVERYBODY => List<PullRequest> {
        opt {
            state: Option<PullRequestState>,
            repository: Option<Name>,
            author_id: Option<MemberId>,
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}
