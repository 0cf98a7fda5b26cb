//! Milestones of a stage.

use super::program::Progress;
use super::{ADMINS, EVERYBODY};
use crate::id::{MaterialId, MilestoneId, StageId};
use crate::record::{List, One};
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Change, Limit, Name, Natural, Offset, Patch, Prose};
use crate::wire::Wire;

/// A milestone of a stage.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Milestone {
    pub id: MilestoneId,
    pub stage_id: StageId,
    pub title: String,
    pub description: Option<String>,
    /// Position in the stage; lower comes first.
    pub position: f64,
    /// Points for completing it.
    pub points: f64,
    pub status: Progress,
    /// A lesson or other material. Completing that lesson completes the milestone.
    pub linked_material_id: Option<MaterialId>,
    /// A key of the tool catalogue.
    pub linked_tool_id: Option<String>,
    /// Whether a predecessor is unfinished.
    pub gated: bool,
    /// The unfinished predecessors.
    pub gated_by: Vec<MilestoneId>,
}

resource! {
    Milestone = "milestone", "milestones" (parent: stage_id, name: title, state: status, position: position) {
        list: ListMilestones,
        create: CreateMilestone,
        change: UpdateMilestone,
        delete: DeleteMilestone,
    }
}

tool! {
    /// Lists a stage's milestones by position.
    ListMilestones = "list_milestones" on Learn, READ, for EVERYBODY => List<Milestone> {
        req {
            stage_id: StageId,
        }
        opt {
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Adds a milestone to a stage. Global admins only.
    CreateMilestone = "create_milestone" on Learn, CREATE, for ADMINS => One<Milestone> {
        req {
            stage_id: StageId,
            title: Name,
        }
        opt {
            description: Option<Prose>,
            /// Lower comes first.
            position: Option<Natural> = 0,
            points: Option<Natural> = 0,
            status: Option<Progress> = "upcoming",
            /// A lesson or other material.
            linked_material_id: Option<MaterialId>,
            /// A key of the tool catalogue.
            linked_tool_id: Option<Name>,
        }
    }
}

tool! {
    /// Changes a milestone. Global admins only.
    UpdateMilestone = "update_milestone" on Learn, UPDATE, for ADMINS => One<Milestone> {
        req {
            id: MilestoneId,
        }
        opt {
            title: Change<Name>,
            description: Patch<Prose>,
            /// Lower comes first.
            position: Change<Natural>,
            points: Change<Natural>,
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
            id: MilestoneId,
        }
    }
}
