//! A failed call in words, where nothing is tried again by itself.

use frontdesk_client::CallError;

use crate::ui::problem::Problem;

/// Words for a failed call. One that may have changed something is not called failed where that is
/// not known.
pub(super) fn trouble(error: &CallError, changes_nothing: bool) -> Problem {
    let mut problem = match changes_nothing {
        true => Problem::of(error),
        false => Problem::of_write(error),
    };
    if matches!(error, CallError::RateLimited { .. }) {
        problem.help = "Nothing was done; try again after that.".to_owned();
    }
    problem
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_call_that_is_to_wait_is_not_made_by_itself() {
        let limited = CallError::RateLimited {
            retry_after: Duration::from_secs(7),
        };
        let problem = trouble(&limited, true);
        assert!(problem.what.contains("7 s"), "{problem:?}");
        assert!(!problem.help.contains("by itself"), "{problem:?}");
    }

    #[test]
    fn what_may_have_been_done_has_not_failed() {
        let lost = CallError::OutcomeUnknown("nothing came".to_owned());
        let title = trouble(&lost, false).title;
        assert_eq!(title, "Not known whether it was done");
        assert_ne!(trouble(&lost, true).title, title);
    }
}
