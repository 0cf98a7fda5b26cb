//! Which of the messages of a server are listed. The texts of all of them are 32 MiB: they are searched outside the loop.

use std::sync::Arc;

use frontdesk_client::trace::{Kept, Kind, Message};
use regex::{Regex, RegexBuilder};
use tokio::task::spawn_blocking;

use crate::app::effects::job::{Job, Lost};
use crate::app::effects::platform::Platform;
use crate::app::reporter::Reporter;

/// How many messages are searched before a search that is no longer wanted can end.
const SLICE: usize = 2_000;

/// What is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Filter {
    #[default]
    All,
    Calls,
    Errors,
    Notifications,
    Lines,
    Exchanges,
}

impl Filter {
    pub(super) fn next(self) -> Self {
        match self {
            Filter::All => Filter::Calls,
            Filter::Calls => Filter::Errors,
            Filter::Errors => Filter::Notifications,
            Filter::Notifications => Filter::Lines,
            Filter::Lines => Filter::Exchanges,
            Filter::Exchanges => Filter::All,
        }
    }

    pub(super) fn words(self) -> &'static str {
        match self {
            Filter::All => "",
            Filter::Calls => "· calls of tools ",
            Filter::Errors => "· errors ",
            Filter::Notifications => "· notifications ",
            Filter::Lines => "· lines of the process ",
            Filter::Exchanges => "· HTTP exchanges ",
        }
    }

    fn takes(self, message: &Message) -> bool {
        match self {
            Filter::All => true,
            Filter::Calls => message.method.as_deref() == Some("tools/call"),
            Filter::Errors => matches!(message.kind, Kind::Error | Kind::Failure),
            Filter::Notifications => message.kind == Kind::Notification,
            Filter::Lines => message.kind == Kind::Line,
            Filter::Exchanges => message.kind == Kind::Exchange,
        }
    }
}

/// Finds the messages from a number on that pass a filter and have all words of a search.
#[derive(Debug)]
pub(super) struct Find {
    kept: Kept,
    /// The number of the first message; without one, all are searched.
    pub(super) from: Option<usize>,
    filter: Filter,
    words: Vec<Regex>,
}

/// The numbers of the found messages, the oldest first, and that of the next message.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) numbers: Vec<usize>,
    pub(super) next: usize,
}

impl Find {
    pub(super) fn new(kept: Kept, from: Option<usize>, filter: Filter, search: &str) -> Self {
        let words = search.split_whitespace().map(regex::escape);
        let words = words.map(|word| RegexBuilder::new(&word).case_insensitive(true).build());
        Find {
            kept,
            from,
            filter,
            words: words.filter_map(Result::ok).collect(),
        }
    }

    fn takes(&self, message: &Message) -> bool {
        let method = message.method.as_deref().unwrap_or_default();
        let has = |word: &Regex| word.is_match(method) || word.is_match(&message.text);
        self.filter.takes(message) && self.words.iter().all(has)
    }

    /// Searches the next few messages.
    fn slice(&self, found: &mut Found) {
        for (number, message) in self.kept.since(found.next, SLICE) {
            found.next = number + 1;
            if self.takes(&message) {
                found.numbers.push(number);
            }
        }
    }
}

impl Job for Find {
    type Value = Found;
    type Error = Lost;

    async fn run(self: Arc<Self>, _: Platform, _: Reporter) -> Result<Found, Lost> {
        let end = self.kept.numbers().end;
        let mut found = Found {
            numbers: Vec::new(),
            next: self.from.unwrap_or(0),
        };
        while found.next < end {
            let find = Arc::clone(&self);
            let searched = spawn_blocking(move || {
                find.slice(&mut found);
                found
            });
            found = searched.await.map_err(|_| Lost)?;
            // What is forgotten meanwhile has no messages any more.
            found.next = found.next.max(self.kept.numbers().start);
        }
        Ok(found)
    }
}
