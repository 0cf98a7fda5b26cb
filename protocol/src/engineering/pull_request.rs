//! Pull requests, as the code host tells of them.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::EVERYBODY;
use crate::id::{MemberId, PullRequestId};
use crate::record::{List, record};
use crate::tool::{tool, tools};
use crate::value::{Limit, Line, Name, Offset};
use crate::words::words;

words! {
    /// How far a pull request is.
    PullRequestState {
        Open = "open",
        Merged = "merged",
        Closed = "closed",
    }
}

/// A pull request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PullRequest {
    /// Identifies the pull request.
    pub id: PullRequestId,
    /// The repository.
    pub repository: String,
    /// Its number there.
    pub number: u32,
    /// Title.
    pub title: String,
    /// Where it is.
    pub url: String,
    /// How far it is.
    pub state: PullRequestState,
    /// Who opened it, at the code host.
    pub author_login: String,
    /// The member who that is.
    pub author_id: Option<MemberId>,
    /// When it was opened.
    pub created_at: Timestamp,
    /// When it was merged.
    pub merged_at: Option<Timestamp>,
}
record!(PullRequest, "pull_request", "pull_requests");

tool! {
    /// Lists pull requests, the newest first.
    ListPullRequests = "list_pull_requests" on Engineering, READ, for EVERYBODY => List<PullRequest> {
        opt {
            /// Only pull requests in this state.
            state: Option<PullRequestState>,
            /// Only those of this repository.
            repository: Option<Name>,
            /// Only those of this member.
            author_id: Option<MemberId>,
            /// Part of the title.
            search: Option<Line>,
            /// Most pull requests to return.
            limit: Limit,
            /// Pull requests to skip.
            offset: Offset,
        }
    }
}

tools![ListPullRequests];
