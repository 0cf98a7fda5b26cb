//! Spec runs: a specification that is being carried out.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BUILDERS, EVERYBODY};
use crate::id::{SpecRunId, UserId};
use crate::record::{List, One, record};
use crate::role::Role;
use crate::tool::{tool, tools};
use crate::value::{Change, Limit, Line, Name, Offset, Patch, Text};
use crate::words::words;

words! {
    /// How far a run is.
    RunStatus {
        Queued = "queued",
        Running = "running",
        Succeeded = "succeeded",
        Failed = "failed",
        Canceled = "canceled",
    }
}

/// A run of a specification.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SpecRun {
    /// Identifies the run.
    pub id: SpecRunId,
    /// Title.
    pub title: String,
    /// What is to be built, in Markdown.
    pub spec: String,
    /// How far it is.
    pub status: RunStatus,
    /// What came of it.
    pub result: Option<String>,
    /// Who started it.
    pub started_by: UserId,
    /// When.
    pub started_at: Timestamp,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
}
record!(SpecRun, "spec_run", "spec_runs");

tool! {
    /// Lists spec runs, the latest first.
    ListSpecRuns = "list_spec_runs" on Engineering, READ, for EVERYBODY.and(&[Role::Automation]) => List<SpecRun> {
        opt {
            /// Only runs of this status.
            status: Option<RunStatus>,
            /// Part of the title.
            search: Option<Line>,
            /// Most runs to return.
            limit: Limit,
            /// Runs to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Starts a spec run, which waits to be carried out.
    StartSpecRun = "start_spec_run" on Engineering, CREATE, for BUILDERS.and(&[Role::Automation]) => One<SpecRun> {
        req {
            /// Title.
            title: Name,
            /// What is to be built, in Markdown.
            spec: Text<1, 20_000>,
        }
    }
}

tool! {
    /// Says how far a run is. One that has ended stays as it is.
    UpdateSpecRun = "update_spec_run" on Engineering, UPDATE, for BUILDERS.and(&[Role::Automation]) => One<SpecRun> {
        req {
            /// The run.
            id: SpecRunId,
        }
        opt {
            /// How far it is.
            status: Change<RunStatus>,
            /// What came of it.
            result: Patch<Text<0, 20_000>>,
        }
    }
}

tools![ListSpecRuns, StartSpecRun, UpdateSpecRun];
