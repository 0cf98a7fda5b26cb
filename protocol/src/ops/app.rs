//! Apps of the platform.

use jiff::Timestamp;

use super::{MANAGERS, STAFF};
use crate::id::{AppId, PlatformAccountId};
use crate::record::{List, record};
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Limit, Line, Name, Offset, Prose, Slug, WebUrl};

record! {
    /// An app.
    App {
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
    /// Registers an app. Owners and admins only.
    create RegisterApp = "register_app" on Ops for MANAGERS;
}

resource! {
    App = "app", "apps" (name: name) {
        list: ListApps,
        create: RegisterApp,
    }
}

tool! {
    /// Lists apps by name.
    ListApps = "list_apps" on Ops, READ, for STAFF => List<App> {
        opt {
            /// Part of the name or slug.
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}
