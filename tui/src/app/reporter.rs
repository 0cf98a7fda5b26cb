//! What work and servers report while they are at it.

use std::collections::VecDeque;
use std::mem::discriminant;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use frontdesk_client::question::{Decision, Question};
use frontdesk_client::seen::Change;
use frontdesk_client::{Heard, Notice, Progress, Watch};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::owner::{Owner, RequestId};
use super::question::Asked;

/// What work or a server reports.
#[derive(Debug)]
pub(crate) enum Report {
    /// Work reports progress.
    Progress {
        request: RequestId,
        owner: Owner,
        progress: Progress,
    },
    /// A host tells the job with this request of changes.
    Heard { request: RequestId, heard: Heard },
    /// A configured server sent a notice.
    Notice { server: String, notice: Notice },
    /// The tools of a server that are not what they were, all of them.
    Changes {
        server: String,
        changes: Vec<Change>,
    },
    /// The files of a server have changed.
    Edited(String),
    /// A server changes these files itself whenever it starts. They are no longer looked at.
    Unwatched {
        server: String,
        changed: Vec<PathBuf>,
    },
    /// A server asks the user.
    Asked(Asked),
    /// The server no longer waits for the answer to this question.
    Withdrawn(Uuid),
}

impl Report {
    /// Whether an earlier report says nothing that this one of the same source does not replace, if there are too many.
    pub(crate) fn replaces(&self, earlier: &Report) -> bool {
        match (self, earlier) {
            (Report::Progress { request, .. }, Report::Progress { request: of, .. }) => {
                request == of
            }
            (
                Report::Notice { server, notice },
                Report::Notice {
                    server: of,
                    notice: earlier,
                },
            ) => server == of && discriminant(notice) == discriminant(earlier),
            (Report::Changes { server, .. }, Report::Changes { server: of, .. }) => server == of,
            _ => false,
        }
    }
}

/// Reports the progress of work, and notices of servers.
#[derive(Debug, Clone)]
pub(crate) struct Reporter {
    pub(super) request: RequestId,
    pub(super) owner: Owner,
    pub(super) waiting: Arc<Reports>,
    /// Whether the work is to stop.
    pub(super) stop: CancellationToken,
}

/// What servers report, in order of arrival. A server can report faster than the app can follow: if many reports wait, a
/// new one replaces the last of its kind.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    waiting: Mutex<VecDeque<Report>>,
    arrived: Notify,
}

/// The reports that wait before some are replaced: about as many as are handled between two frames.
const MOST_WAITING: usize = 256;

impl Reports {
    pub(super) fn push(&self, report: Report) {
        let mut waiting = self.waiting();
        if waiting.len() >= MOST_WAITING
            && let Some(at) = waiting.iter().rposition(|earlier| report.replaces(earlier))
        {
            waiting.remove(at);
        }
        waiting.push_back(report);
        drop(waiting);
        self.arrived.notify_one();
    }

    pub(super) fn pop(&self) -> Option<Report> {
        self.waiting().pop_front()
    }

    /// Waits for the next one. Cancel-safe.
    pub(super) async fn next(&self) -> Report {
        loop {
            if let Some(report) = self.pop() {
                return report;
            }
            self.arrived.notified().await;
        }
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<Report>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reporter {
    /// Whether the user wants the work to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_cancelled()
    }

    /// Passes on the progress of a call of the work, and stops the call with the work.
    pub(crate) fn watch(&self) -> Watch {
        let reporter = self.clone();
        Watch::new(
            move |progress| reporter.progress(progress),
            self.stop.clone(),
        )
    }

    /// Reports the progress of the work.
    pub(crate) fn progress(&self, progress: Progress) {
        self.report(Report::Progress {
            request: self.request,
            owner: self.owner,
            progress,
        });
    }

    /// Passes on what a host has reported on its stream of changes.
    pub(crate) fn heard(&self, heard: Heard) {
        self.report(Report::Heard {
            request: self.request,
            heard,
        });
    }

    /// Reports a notice from a server.
    pub(crate) fn notice(&self, server: &str, notice: Notice) {
        self.report(Report::Notice {
            server: server.to_owned(),
            notice,
        });
    }

    /// Reports the changed tools of a server, all of them.
    pub(crate) fn changes(&self, server: &str, changes: Vec<Change>) {
        self.report(Report::Changes {
            server: server.to_owned(),
            changes,
        });
    }

    /// Reports that the files of a server have changed.
    pub(crate) fn edited(&self, server: &str) {
        self.report(Report::Edited(server.to_owned()));
    }

    /// Reports that the files of a server are no longer looked at, because it changes these itself.
    pub(crate) fn unwatched(&self, server: &str, changed: Vec<PathBuf>) {
        let server = server.to_owned();
        self.report(Report::Unwatched { server, changed });
    }

    /// Asks the user, and waits for the decision.
    pub(crate) async fn ask(self, server: String, question: Question) -> Decision {
        let (asked, decided) = Asked::new(server, question);
        let _asking = Asking(asked.id, self.clone());
        self.report(Report::Asked(asked));
        decided.await.unwrap_or(Decision::Cancel)
    }

    fn report(&self, report: Report) {
        self.waiting.push(report);
    }
}

/// A server that waits for the answer to this question.
struct Asking(Uuid, Reporter);

impl Drop for Asking {
    fn drop(&mut self) {
        self.1.report(Report::Withdrawn(self.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_reports_without_end_leaves_a_bounded_number_of_reports() {
        let reports = Reports::default();
        let log = |number: u32| Report::Notice {
            server: "flood".to_owned(),
            notice: Notice::Log {
                level: "info".to_owned(),
                logger: None,
                data: number.into(),
            },
        };
        let others = [Notice::ToolsChanged, Notice::PromptsChanged];
        for notice in others {
            reports.push(Report::Notice {
                server: "other".to_owned(),
                notice,
            });
        }
        (0..100_000).for_each(|number| reports.push(log(number)));
        let mut left: Vec<_> = std::iter::from_fn(|| reports.pop()).collect();
        assert_eq!(left.len(), MOST_WAITING);
        let last = left.pop().expect("the last");
        assert!(format!("{last:?}").contains("99999"), "{last:?}");
        // Those of other servers stay.
        let others = left
            .iter()
            .filter(|report| format!("{report:?}").contains("other"));
        assert_eq!(others.count(), 2);
    }
}
