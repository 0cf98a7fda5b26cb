//! Messages for failed calls on screens without automatic retries.

use frontdesk_client::CallError;

use crate::app::peer::Peer;
use crate::ui::problem::Problem;

/// The message for a failed call. A write that may have been executed is not reported as failed.
pub(crate) fn trouble(error: &CallError, peer: &Peer, changes_nothing: bool) -> Problem {
    let mut problem = match changes_nothing {
        true => Problem::of(error),
        false => Problem::of_write(error),
    };
    if matches!(error, CallError::RateLimited { .. }) {
        problem.help = "Nothing was done; try again after that.".to_owned();
    }
    if let Peer::Server(_) = peer {
        of_server(&mut problem, error);
    }
    problem
}

/// Adapts the message for a third-party server.
fn of_server(problem: &mut Problem, error: &CallError) {
    match error {
        CallError::Unreachable { .. } => {
            problem.title = match problem.title {
                "No answer" => "No answer",
                _ => "Server not reachable",
            };
            problem.help = "Check its address or command in the configuration.".to_owned();
        }
        CallError::OutcomeUnknown(_) => problem.what = problem.what.replace("The host", "It"),
        CallError::Protocol(reason) => {
            problem.what = format!("It does not follow the MCP protocol: {reason}.");
            problem.help = "It may use a different version of the protocol.".to_owned();
        }
        CallError::Host { .. } | CallError::Failed(_) => {
            problem.title = "Server failed";
            problem.what = problem.what.replace("The host", "It");
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use frontdesk_protocol::Host;

    use super::*;

    fn work() -> Peer {
        Peer::Host(Host::Work)
    }

    #[test]
    fn a_call_that_is_to_wait_is_not_made_by_itself() {
        let limited = CallError::RateLimited {
            retry_after: Duration::from_secs(7),
        };
        let problem = trouble(&limited, &work(), true);
        assert!(problem.what.contains("7 s"), "{problem:?}");
        assert!(!problem.help.contains("automatically"), "{problem:?}");
    }

    #[test]
    fn what_may_have_been_done_has_not_failed() {
        let lost = CallError::no_answer("nothing came");
        let title = trouble(&lost, &work(), false).title;
        assert_eq!(title, "Outcome unknown");
        assert_ne!(trouble(&lost, &work(), true).title, title);
    }
}
