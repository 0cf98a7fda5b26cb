//! Sandboxes: places to try things in, for a time.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::BUILDERS;
use crate::id::{AppId, PlatformAccountId, SandboxId};
use crate::record::{List, One, record};
use crate::tool::{tool, tools};
use crate::value::{Limit, Line, Name, Offset, Prose, our_era};
use crate::words::words;

words! {
    /// Whether a sandbox can be used.
    SandboxStatus {
        Running = "running",
        Expired = "expired",
        Ended = "ended",
    }
}

/// A sandbox.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sandbox {
    /// Identifies the sandbox.
    pub id: SandboxId,
    /// Name.
    pub name: String,
    /// What it is for.
    pub purpose: Option<String>,
    /// The app that is tried in it.
    pub app_id: Option<AppId>,
    /// Whether it can be used.
    pub status: SandboxStatus,
    /// Who made it.
    pub created_by: Option<PlatformAccountId>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When its time is over.
    pub expires_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
}
record!(Sandbox, "sandbox", "sandboxes");

tool! {
    /// Lists sandboxes, the latest first.
    ListSandboxes = "list_sandboxes" on Ops, READ, for BUILDERS => List<Sandbox> {
        opt {
            /// Only sandboxes of this status.
            status: Option<SandboxStatus>,
            /// Only sandboxes for this app.
            app_id: Option<AppId>,
            /// Part of the name.
            search: Option<Line>,
            /// Most sandboxes to return.
            limit: Limit,
            /// Sandboxes to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Makes a sandbox of yours.
    CreateSandbox = "create_sandbox" on Ops, CREATE, for BUILDERS => One<Sandbox> {
        req {
            /// Name.
            name: Name,
        }
        opt {
            /// What it is for.
            purpose: Option<Prose>,
            /// The app to try in it.
            app_id: Option<AppId>,
            /// Within seven days; in a day where left out.
            #[serde(deserialize_with = "our_era")]
            expires_at: Option<Timestamp>,
        }
    }
}

tool! {
    /// Ends a sandbox, for good: yours, or as an owner or admin anybody's.
    EndSandbox = "end_sandbox" on Ops, UPDATE, for BUILDERS => One<Sandbox> {
        req {
            /// The sandbox.
            id: SandboxId,
        }
    }
}

tools![ListSandboxes, CreateSandbox, EndSandbox];
