//! Apps of the platform.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{MANAGERS, STAFF};
use crate::id::{AppId, PlatformAccountId};
use crate::record::{List, One, record};
use crate::tool::{tool, tools};
use crate::value::{Limit, Line, Name, Offset, Prose, Slug, WebUrl};

/// An app.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct App {
    /// Identifies the app.
    pub id: AppId,
    /// Name.
    pub name: String,
    /// Unique in the organisation.
    pub slug: String,
    /// What it does.
    pub description: Option<String>,
    /// Where it is.
    pub url: Option<String>,
    /// The account that it acts as: where messages to it go.
    pub account_id: Option<PlatformAccountId>,
    /// When it was registered.
    pub created_at: Timestamp,
}
record!(App, "app", "apps");

tool! {
    /// Lists apps by name.
    ListApps = "list_apps" on Ops, READ, for STAFF => List<App> {
        opt {
            /// Part of name or slug.
            search: Option<Line>,
            /// Most apps to return.
            limit: Limit,
            /// Apps to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Registers an app. Owners and admins only.
    RegisterApp = "register_app" on Ops, CREATE, for MANAGERS => One<App> {
        req {
            /// Name.
            name: Name,
        }
        opt {
            /// Made from the name where left out.
            slug: Option<Slug>,
            /// What it does.
            description: Option<Prose>,
            /// Where it is.
            url: Option<WebUrl>,
            /// The account that it acts as.
            account_id: Option<PlatformAccountId>,
        }
    }
}

tools![ListApps, RegisterApp];
