//! Stages of a program.

use super::status::Progress;
use super::{ADMINS, EVERYBODY};
use crate::id::{ProgramId, StageId};
use crate::record::record;
use crate::value::{Color, Name, Natural};

record! {
    /// A stage of a program.
    Stage = "stage", "stages" (parent: program_id, name: title, state: status, position: position) {
        id: StageId,
        program_id: ProgramId [create],
        title: Name [create, change],
        subtitle: Option<Name> [create, change],
        color: Option<Color> [create, change],
        /// Lower comes first.
        position: Natural [create = 0, change],
        status: Progress [create = "upcoming", change],
        /// Number of milestones.
        milestone_count: u32,
        /// Whether a predecessor is unfinished.
        gated: bool,
        /// The unfinished predecessors.
        gated_by: Vec<StageId>,
    }
    /// Lists a program's stages by position.
    list ListStages = "list_stages" on Learn for EVERYBODY {
        req {
            program_id: ProgramId,
        }
    }
    /// Adds a stage to a program. Global admins only.
    create CreateStage = "create_stage" on Learn for ADMINS;
    /// Changes a stage. Global admins only.
    change UpdateStage = "update_stage" on Learn for ADMINS;
    /// Deletes a stage with its milestones. Global admins only.
    delete DeleteStage = "delete_stage" on Learn for ADMINS;
}
