//! Apps of the platform.

use jiff::Timestamp;

use super::{MANAGERS, STAFF};
use crate::id::{AppId, PlatformAccountId};
use crate::record::{List, One};
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Limit, Line, Name, Offset, Prose, Slug, WebUrl};
use crate::wire::Wire;

/// An app.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct App {
    pub id: AppId,
    pub name: String,
    /// Unique in the organisation.
    pub slug: String,
    pub description: Option<String>,
    /// Address.
    pub url: Option<String>,
    /// The account it acts as; it receives the app's messages.
    pub account_id: Option<PlatformAccountId>,
    pub account_name: Option<String>,
    /// When it was registered.
    pub created_at: Timestamp,
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

tool! {
    /// Registers an app. Owners and admins only.
    RegisterApp = "register_app" on Ops, CREATE, for MANAGERS => One<App> {
        req {
            name: Name,
        }
        opt {
            /// Default: made from the name.
            slug: Option<Slug>,
            description: Option<Prose>,
            url: Option<WebUrl>,
            /// The account it acts as.
            account_id: Option<PlatformAccountId>,
        }
    }
}
