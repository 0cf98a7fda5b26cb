//! The handlers of the proposals host.

mod answer;
mod submission;
mod tender;

use super::Routes;

/// The routes by resource, in the order of their declarations.
pub(super) const ROUTES: Routes = &[tender::ROUTES, answer::ROUTES, submission::ROUTES];
