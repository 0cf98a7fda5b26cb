//! The handlers of the skills host.

mod skill;

use super::Routes;

/// The routes by resource, in the order of their declarations.
pub(super) const ROUTES: Routes = &[skill::ROUTES];
