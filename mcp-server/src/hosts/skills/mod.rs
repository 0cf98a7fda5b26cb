//! The handlers of the skills host.

mod skill;

use super::Routes;

/// The routes of the host, by resource, as they are declared.
pub(super) const ROUTES: Routes = &[skill::ROUTES];
