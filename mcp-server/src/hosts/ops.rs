//! The handlers of the platform host.

mod account;
mod agenda;
mod app;
mod batch;
mod change;
mod context;
mod event;
mod forgetting;
mod guests;
mod media;
mod message;
mod preview;
mod report;
mod sandbox;
mod search;
mod work_tree;

use super::Routes;

/// The routes by resource, in the order of their declarations.
pub(super) const ROUTES: Routes = &[
    context::ROUTES,
    account::ROUTES,
    forgetting::ROUTES,
    app::ROUTES,
    media::ROUTES,
    sandbox::ROUTES,
    message::ROUTES,
    batch::ROUTES,
    preview::ROUTES,
    change::ROUTES,
    guests::ROUTES,
    event::ROUTES,
    work_tree::ROUTES,
    report::ROUTES,
    agenda::ROUTES,
    search::ROUTES,
];
