//! Apps of the platform.

use jiff::Timestamp;

use super::{MANAGERS, STAFF};
use crate::id::{AppId, PlatformAccountId};
use crate::record::record;
use crate::value::{Line, Name, Prose, Slug, WebUrl};

record! {
    /// An app.
    App = "app", "apps" (name: name) {
        id: AppId,
        name: Name [create],
        /// Default: made from the name.
        slug: Slug [create?],
        description: Option<Prose> [create],
        url: Option<WebUrl> [create],
        /// The account it acts as.
        account_id: Option<PlatformAccountId> [create],
        account_name: Option<String>,
        /// When it was registered.
        created_at: Timestamp,
    }
    /// Lists apps by name.
    list ListApps = "list_apps" on Ops for STAFF {
        opt {
            /// Part of the name or slug.
            search: Option<Line>,
        }
    }
    /// Registers an app. Owners and admins only.
    create RegisterApp = "register_app" on Ops for MANAGERS;
}
