//! Plans: ordered lists of tasks of the work host.

use jiff::Timestamp;

use super::EVERYBODY;
use crate::id::{PlanId, WorkTaskId};
use crate::record::{Maybe, One, record};
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Change, Line, Name, Prose, Slug, UpTo};
use crate::wire::Wire;
use crate::words::words;
use crate::work::task::TaskSummary;

words! {
    /// The status of a plan.
    PlanStatus {
        Draft = "draft",
        Active = "active",
        Done = "done",
        Dropped = "dropped",
    }
}

record! {
    /// A plan.
    Plan = "plan", "plans" (name: name, state: status) {
        id: PlanId,
        /// Default: made from the name.
        slug: Slug [create?],
        name: Name [create, change],
        description: Option<Prose> [create, change],
        status: PlanStatus [create = "draft", change],
        /// When it was last changed.
        updated_at: Timestamp,
        /// Number of tasks.
        task_count: u32,
    }
    form PlanTree;
    /// Lists plans by name.
    list ListPlans = "list_plans" on Plans for EVERYBODY {
        opt {
            status: Option<PlanStatus>,
            search: Option<Line>,
        }
    }
    get GetPlan;
    /// Adds a plan.
    create CreatePlan = "create_plan" on Plans for Roles::DESK;
    /// Changes a plan.
    change UpdatePlan = "update_plan" on Plans for Roles::DESK {
        opt {
            /// Unique in the organisation.
            slug: Change<Slug>,
        }
    }
    other SetPlanTasks;
}

/// A plan with its tasks.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct PlanTree {
    /// The plan.
    #[wire(flatten)]
    pub plan: Plan,
    /// Its tasks, in the plan's order.
    pub tasks: Vec<TaskSummary>,
}

/// A task of a plan.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(strict)]
pub struct Shown {
    pub task_id: WorkTaskId,
}

tool! {
    /// Gets a plan with its tasks, by id or slug.
    GetPlan = "get_plan" on Plans, READ, for EVERYBODY => Maybe<PlanTree> {
        opt {
            id: Option<PlanId>,
            slug: Option<Name>,
        }
    }
}

tool! {
    /// Replaces the tasks of a plan, in this order. If a task is unknown, nothing changes.
    SetPlanTasks = "set_plan_tasks" on Plans, REPLACE, for Roles::DESK => One<PlanTree> {
        req {
            slug: Name,
            /// The tasks in order; an empty list removes all.
            tasks: UpTo<Shown, 500>,
        }
    }
}
