//! The handlers of the platform host.

mod account;
mod app;
mod media;
mod message;
mod sandbox;

use super::Routes;

/// The routes of the host, by resource, as they are declared.
pub(super) const ROUTES: Routes = &[
    account::ROUTES,
    app::ROUTES,
    media::ROUTES,
    sandbox::ROUTES,
    message::ROUTES,
];
