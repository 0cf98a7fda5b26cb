//! Sandboxes: temporary environments for experiments.

use jiff::Timestamp;

use super::BUILDERS;
use crate::id::{AppId, PlatformAccountId, SandboxId};
use crate::record::{List, One};
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Limit, Line, Name, Offset, Prose, WebUrl};
use crate::wire::Wire;
use crate::words::words;

words! {
    /// The status of a sandbox.
    SandboxStatus {
        Running = "running",
        Expired = "expired",
        Ended = "ended",
    }
}

/// A sandbox.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Sandbox {
    pub id: SandboxId,
    pub name: String,
    pub purpose: Option<String>,
    /// The app under test.
    pub app_id: Option<AppId>,
    pub status: SandboxStatus,
    /// The creator.
    pub created_by: Option<PlatformAccountId>,
    pub created_by_name: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
    /// When it was ended.
    pub ended_at: Option<Timestamp>,
    /// Where it runs.
    pub url: Option<String>,
}

resource! {
    Sandbox = "sandbox", "sandboxes" (name: name, state: status) {
        list: ListSandboxes,
        create: CreateSandbox,
        other: ReportSandbox,
        other: EndSandbox,
    }
}

tool! {
    /// Lists sandboxes, latest first.
    ListSandboxes = "list_sandboxes" on Ops, READ, for BUILDERS => List<Sandbox> {
        opt {
            status: Option<SandboxStatus>,
            app_id: Option<AppId>,
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Creates a sandbox that belongs to you.
    CreateSandbox = "create_sandbox" on Ops, CREATE, for BUILDERS => One<Sandbox> {
        req {
            name: Name,
        }
        opt {
            purpose: Option<Prose>,
            app_id: Option<AppId>,
            /// Within 7 days. Default: in 1 day.
            expires_at: Option<Timestamp>,
        }
    }
}

tool! {
    /// Records where a sandbox runs. Machines, owners and admins can report any, others only their own.
    ReportSandbox = "report_sandbox" on Ops, UPDATE, for BUILDERS => One<Sandbox> {
        req {
            id: SandboxId,
            url: WebUrl,
        }
    }
}

tool! {
    /// Ends a sandbox permanently. Owners and admins can end any, others only their own.
    EndSandbox = "end_sandbox" on Ops, REPLACE, for BUILDERS => One<Sandbox> {
        req {
            id: SandboxId,
        }
    }
}
