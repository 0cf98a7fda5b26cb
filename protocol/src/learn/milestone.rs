//! Milestones of a stage.

use super::status::Progress;
use super::{ADMINS, EVERYBODY};
use crate::id::{MaterialId, MilestoneId, StageId};
use crate::record::record;
use crate::value::{Name, Natural, Prose};

record! {
    /// A milestone of a stage.
    Milestone = "milestone", "milestones" (parent: stage_id, name: title, state: status, position: position) {
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
    /// Lists a stage's milestones by position.
    list ListMilestones = "list_milestones" on Learn for EVERYBODY {
        req {
            stage_id: StageId,
        }
    }
    /// Adds a milestone to a stage. Global admins only.
    create CreateMilestone = "create_milestone" on Learn for ADMINS;
    /// Changes a milestone. Global admins only.
    change UpdateMilestone = "update_milestone" on Learn for ADMINS;
    /// Deletes a milestone with its completions. Global admins only.
    delete DeleteMilestone = "delete_milestone" on Learn for ADMINS;
}
