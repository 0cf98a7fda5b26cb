//! Milestones of a stage.

use super::program::Progress;
use super::{ADMINS, EVERYBODY};
use crate::id::{MaterialId, MilestoneId, StageId};
use crate::record::{List, One, record};
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Limit, Name, Natural, Offset, Prose};

record! {
    /// A milestone of a stage.
    Milestone {
        id: MilestoneId,
        stage_id: StageId [create],
        title: Name [create, change],
        description: Option<Prose> [create, change],
        /// Lower comes first.
        position: Natural [create = 0, change],
        points: Natural [create = 0, change],
        status: Progress [create = "upcoming", change],
        /// A lesson or other material.
        linked_material_id: Option<MaterialId> [create, change],
        /// A key of the tool catalogue.
        linked_tool_id: Option<Name> [create, change],
        /// Whether a predecessor is unfinished.
        gated: bool,
        /// The unfinished predecessors.
        gated_by: Vec<MilestoneId>,
    }
    /// Adds a milestone to a stage. Global admins only.
    create CreateMilestone = "create_milestone" on Learn for ADMINS;
    /// Changes a milestone. Global admins only.
    change UpdateMilestone = "update_milestone" on Learn for ADMINS;
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
    /// Deletes a milestone with its completions. Global admins only.
    DeleteMilestone = "delete_milestone" on Learn, DELETE, for ADMINS => One<Milestone> {
        req {
            id: MilestoneId,
        }
    }
}
