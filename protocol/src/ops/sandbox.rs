//! Sandboxes: temporary environments for experiments.

use jiff::Timestamp;

use super::BUILDERS;
use crate::id::{AppId, PlatformAccountId, SandboxId};
use crate::record::{One, record};
use crate::tool::tool;
use crate::value::{Line, Name, Prose, WebUrl};
use crate::words::words;

words! {
    /// The status of a sandbox.
    SandboxStatus {
        Running = "running",
        Expired = "expired",
        Ended = "ended",
    }
}

record! {
    /// A sandbox.
    Sandbox = "sandbox", "sandboxes" (name: name, state: status) {
        id: SandboxId,
        name: Name [create],
        purpose: Option<Prose> [create],
        app_id: Option<AppId> [create],
        status: SandboxStatus,
        /// The creator.
        created_by: Option<PlatformAccountId>,
        created_by_name: Option<String>,
        /// When it was created.
        created_at: Timestamp,
        /// Within 7 days. Default: in 1 day.
        expires_at: Timestamp [create?],
        /// When it was ended.
        ended_at: Option<Timestamp>,
        /// Where it runs.
        url: Option<String>,
    }
    /// Lists sandboxes, latest first.
    list ListSandboxes = "list_sandboxes" on Ops for BUILDERS {
        opt {
            status: Option<SandboxStatus>,
            app_id: Option<AppId>,
            search: Option<Line>,
        }
    }
    /// Creates a sandbox that belongs to you.
    create CreateSandbox = "create_sandbox" on Ops for BUILDERS;
    other ReportSandbox;
    other EndSandbox;
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
