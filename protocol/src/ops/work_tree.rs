//! An epic with its deliveries and tasks, in one call.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::{DeliveryId, EpicId, MemberId, ProjectId, WorkTaskId};
use crate::role::Roles;
use crate::tool::{tool, tools};
use crate::value::{Day, Flag, Name, Natural, Object, Prose, Text, UpTo};
use crate::work::task::TaskStage;

/// A task to create.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct NewTask {
    pub name: Name,
    pub stage_id: TaskStage,
    /// Reason for the task, and links.
    pub context: Object<65_536>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Prose>,
    /// Default: you.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner_id: Option<MemberId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<Natural>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimated_date: Option<Day>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceptance_criteria: Option<UpTo<Text<1, 1000>, 50>>,
}

/// A delivery to create.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct NewDelivery {
    pub name: Name,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<Prose>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner_id: Option<MemberId>,
    #[serde(default)]
    pub tasks: UpTo<NewTask, 100>,
}

/// An epic that was created.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NewEpicName {
    pub id: EpicId,
    pub name: String,
}

/// A delivery that was created.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NewDeliveryName {
    pub id: DeliveryId,
    pub name: String,
}

/// A task that was created.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NewTaskName {
    pub id: WorkTaskId,
    pub identifier: String,
    pub name: String,
    pub delivery_id: Option<DeliveryId>,
}

/// What was created.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
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
