//! Spec runs: executions of a specification.

use jiff::Timestamp;

use super::{BUILDERS, EVERYBODY};
use crate::id::{SpecRunId, UserId};
use crate::record::{List, record};
use crate::resource::resource;
use crate::role::Role;
use crate::tool::tool;
use crate::value::{Limit, Line, Name, Offset, Text};
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
    SpecRun {
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
    /// Queues a spec run.
    create StartSpecRun = "start_spec_run" on Engineering for BUILDERS.and(&[Role::Automation]);
    /// Updates the status and result of a run. A run that has ended cannot change.
    change UpdateSpecRun = "update_spec_run" on Engineering for BUILDERS.and(&[Role::Automation]);
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
