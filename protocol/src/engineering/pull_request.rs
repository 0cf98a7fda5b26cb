//! Pull requests, as reported by the code host.

use jiff::Timestamp;

use super::EVERYBODY;
use crate::id::{MemberId, PullRequestId};
use crate::record::record;
use crate::value::{Line, Name};
use crate::words::words;

words! {
    /// The state of a pull request.
    PullRequestState {
        Open = "open",
        Merged = "merged",
        Closed = "closed",
    }
}

record! {
    /// A pull request.
    PullRequest = "pull_request", "pull_requests" (name: title, state: state) {
        id: PullRequestId,
        repository: String,
        /// Its number in the repository.
        number: u32,
        title: String,
        /// Address.
        url: String,
        state: PullRequestState,
        /// Login of the author at the code host.
        author_login: String,
        /// The member with that login.
        author_id: Option<MemberId>,
        author_name: Option<String>,
        /// When it was opened.
        created_at: Timestamp,
        /// When it was merged.
        merged_at: Option<Timestamp>,
    }
    /// Lists pull requests, newest first.
    list ListPullRequests = "list_pull_requests" on Engineering for EVERYBODY {
        opt {
            state: Option<PullRequestState>,
            repository: Option<Name>,
            author_id: Option<MemberId>,
            search: Option<Line>,
        }
    }
}
