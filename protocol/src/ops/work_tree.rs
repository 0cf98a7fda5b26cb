//! An epic with its deliveries and tasks, in one call.

use crate::id::{DeliveryId, EpicId, MemberId, ProjectId, WorkTaskId};
use crate::role::Roles;
use crate::tool::{tool, tools};
use crate::value::{Day, Flag, Name, Natural, Object, Prose, Text, UpTo};
use crate::wire::Wire;
use crate::work::task::TaskStage;

/// A task to create.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(strict, inline)]
pub struct NewTask {
    pub name: Name,
    pub stage_id: TaskStage,
    /// Reason for the task, and links.
    pub context: Object<65_536>,
    #[wire(optional)]
    pub description: Option<Prose>,
    /// Default: you.
    #[wire(optional)]
    pub owner_id: Option<MemberId>,
    #[wire(optional)]
    pub points: Option<Natural>,
    #[wire(optional)]
    pub estimated_date: Option<Day>,
    #[wire(optional)]
    pub acceptance_criteria: Option<UpTo<Text<1, 1000>, 50>>,
}

/// A delivery to create.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(strict, inline)]
pub struct NewDelivery {
    pub name: Name,
    #[wire(optional)]
    pub notes: Option<Prose>,
    #[wire(optional)]
    pub owner_id: Option<MemberId>,
    #[wire(default)]
    pub tasks: UpTo<NewTask, 100>,
}

/// An epic that was created.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct NewEpicName {
    pub id: EpicId,
    pub name: String,
}

/// A delivery that was created.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct NewDeliveryName {
    pub id: DeliveryId,
    pub name: String,
}

/// A task that was created.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct NewTaskName {
    pub id: WorkTaskId,
    pub identifier: String,
    pub name: String,
    pub delivery_id: Option<DeliveryId>,
}

/// What was created.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct WorkTree {
    /// Whether nothing was written.
    pub dry_run: bool,
    pub epic: NewEpicName,
    pub deliveries: Vec<NewDeliveryName>,
    /// The tasks, those of deliveries first.
    pub tasks: Vec<NewTaskName>,
}

tool! {
    /// Creates an epic with deliveries and tasks on the work host, all or nothing.
    CreateWorkTree = "create_work_tree" on Ops, CREATE, for Roles::DESK => WorkTree {
        req {
            /// Name of the epic.
            name: Name,
        }
        opt {
            project_id: Option<ProjectId>,
            notes: Option<Prose>,
            deliveries: Option<UpTo<NewDelivery, 50>>,
            /// Tasks without a delivery.
            tasks: Option<UpTo<NewTask, 100>>,
            /// Write nothing.
            dry_run: Flag<false>,
        }
    }
}

tools![CreateWorkTree];
