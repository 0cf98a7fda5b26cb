//! Spec runs: executions of a specification.

use jiff::Timestamp;

use super::{BUILDERS, EVERYBODY};
use crate::id::{SpecRunId, UserId};
use crate::record::record;
use crate::role::Role;
use crate::value::{Line, Name, Text};
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

record! {
    /// A run of a specification.
    SpecRun = "spec_run", "spec_runs" (name: title, state: status) {
        id: SpecRunId,
        title: Name [create],
        /// Markdown.
        spec: Text<1, 20_000> [create],
        status: RunStatus [change],
        result: Option<Text<0, 20_000>> [change],
        /// The account that started it.
        started_by: UserId,
        started_by_name: Option<String>,
        /// When it was started.
        started_at: Timestamp,
        /// When it ended.
        finished_at: Option<Timestamp>,
    }
    /// Lists spec runs, latest first.
    list ListSpecRuns = "list_spec_runs" on Engineering for EVERYBODY.and(&[Role::Automation]) {
        opt {
            status: Option<RunStatus>,
            search: Option<Line>,
        }
    }
    /// Queues a spec run.
    create StartSpecRun = "start_spec_run" on Engineering for BUILDERS.and(&[Role::Automation]);
    /// Updates the status and result of a run. A run that has ended cannot change.
    change UpdateSpecRun = "update_spec_run" on Engineering for BUILDERS.and(&[Role::Automation]);
}
