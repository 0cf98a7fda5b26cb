//! Spec runs: executions of a specification.

use jiff::Timestamp;

use super::{BUILDERS, EVERYBODY};
use crate::id::{SpecRunId, UserId};
use crate::record::{List, One};
use crate::resource::resource;
use crate::role::Role;
use crate::tool::tool;
use crate::value::{Change, Limit, Line, Name, Offset, Patch, Text};
use crate::wire::Wire;
use crate::words::words;

words! {
    /// The status of a run.
    RunStatus {
        Queued = "queued",
        Running = "running",
        Succeeded = "succeeded",
        Failed = "failed",
        Canceled = "canceled",
    }
}

/// A run of a specification.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct SpecRun {
    pub id: SpecRunId,
    pub title: String,
    /// The specification, in Markdown.
    pub spec: String,
    pub status: RunStatus,
    pub result: Option<String>,
    /// The account that started it.
    pub started_by: UserId,
    pub started_by_name: Option<String>,
    /// When it was started.
    pub started_at: Timestamp,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
}

resource! {
    SpecRun = "spec_run", "spec_runs" (name: title, state: status) {
        list: ListSpecRuns,
        create: StartSpecRun,
        change: UpdateSpecRun,
    }
}

tool! {
    /// Lists spec runs, latest first.
    ListSpecRuns = "list_spec_runs" on Engineering, READ, for EVERYBODY.and(&[Role::Automation]) => List<SpecRun> {
        opt {
            status: Option<RunStatus>,
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Queues a spec run.
    StartSpecRun = "start_spec_run" on Engineering, CREATE, for BUILDERS.and(&[Role::Automation]) => One<SpecRun> {
        req {
            title: Name,
            /// Markdown.
            spec: Text<1, 20_000>,
        }
    }
}

tool! {
    /// Updates the status and result of a run. A run that has ended cannot change.
    UpdateSpecRun = "update_spec_run" on Engineering, UPDATE, for BUILDERS.and(&[Role::Automation]) => One<SpecRun> {
        req {
            id: SpecRunId,
        }
        opt {
            status: Change<RunStatus>,
            result: Patch<Text<0, 20_000>>,
        }
    }
}
