//! Milestones of a stage.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::program::Progress;
use super::{ADMINS, EVERYBODY};
use crate::id::{MaterialId, MilestoneId, StageId};
use crate::record::{List, One, record};
use crate::tool::{tool, tools};
use crate::value::{Change, Limit, Name, Natural, Offset, Patch, Prose};

/// A milestone of a stage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Milestone {
    /// Identifies the milestone.
    pub id: MilestoneId,
    /// The stage.
    pub stage_id: StageId,
    /// Title.
    pub title: String,
    /// What is to be reached.
    pub description: Option<String>,
    /// Place in the stage.
    pub position: f64,
    /// What it counts.
    pub points: f64,
    /// How far it is.
    pub status: Progress,
    /// A lesson or other material. Who completes that lesson completes the milestone.
    pub linked_material_id: Option<MaterialId>,
    /// A key of the tool catalogue.
    pub linked_tool_id: Option<String>,
    /// Whether a predecessor is not done.
    pub gated: bool,
    /// The predecessors that are not done.
    pub gated_by: Vec<MilestoneId>,
}
record!(Milestone, "milestone", "milestones");

tool! {
    /// Lists a stage's milestones by position.
    ListMilestones = "list_milestones" on Learn, READ, for EVERYBODY => List<Milestone> {
        req {
            /// The stage.
            stage_id: StageId,
        }
        opt {
            /// Most milestones to return.
            limit: Limit,
            /// Milestones to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Adds a milestone to a stage. Global admins only.
    CreateMilestone = "create_milestone" on Learn, CREATE, for ADMINS => One<Milestone> {
        req {
            /// The stage.
            stage_id: StageId,
            /// Title.
            title: Name,
        }
        opt {
            /// What is to be reached.
            description: Option<Prose>,
            /// Place in the stage.
            position: Option<Natural>,
            /// What it counts.
            points: Option<Natural>,
            /// upcoming where left out.
            status: Option<Progress>,
            /// A lesson or other material.
            linked_material_id: Option<MaterialId>,
            /// A key of the tool catalogue.
            linked_tool_id: Option<Name>,
        }
    }
}

tool! {
    /// Changes a milestone. Fields left out stay; null clears. Global admins only.
    UpdateMilestone = "update_milestone" on Learn, UPDATE, for ADMINS => One<Milestone> {
        req {
            /// The milestone.
            id: MilestoneId,
        }
        opt {
            /// Title.
            title: Change<Name>,
            /// What is to be reached.
            description: Patch<Prose>,
            /// Place in the stage.
            position: Change<Natural>,
            /// What it counts.
            points: Change<Natural>,
            /// How far it is.
            status: Change<Progress>,
            /// A lesson or other material.
            linked_material_id: Patch<MaterialId>,
            /// A key of the tool catalogue.
            linked_tool_id: Patch<Name>,
        }
    }
}

tool! {
    /// Deletes a milestone with its completions. Global admins only.
    DeleteMilestone = "delete_milestone" on Learn, DELETE, for ADMINS => One<Milestone> {
        req {
            /// The milestone.
            id: MilestoneId,
        }
    }
}

tools![
    ListMilestones,
    CreateMilestone,
    UpdateMilestone,
    DeleteMilestone
];
