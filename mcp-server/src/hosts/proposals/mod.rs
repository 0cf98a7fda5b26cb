//! The handlers of the proposals host.

mod answer;
mod submission;
mod tender;

use super::Routes;

/// The routes of the host, by resource, as they are declared.
pub(super) const ROUTES: Routes = &[tender::ROUTES, answer::ROUTES, submission::ROUTES];
