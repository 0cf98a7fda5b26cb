//! Stages of a program.

use super::program::Progress;
use super::{ADMINS, EVERYBODY};
use crate::id::{ProgramId, StageId};
use crate::record::{List, One, record};
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Color, Limit, Name, Natural, Offset};

record! {
    /// A stage of a program.
    Stage {
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
    /// Adds a stage to a program. Global admins only.
    create CreateStage = "create_stage" on Learn for ADMINS;
    /// Changes a stage. Global admins only.
    change UpdateStage = "update_stage" on Learn for ADMINS;
}

resource! {
    Stage = "stage", "stages" (parent: program_id, name: title, state: status, position: position) {
        list: ListStages,
        create: CreateStage,
        change: UpdateStage,
        delete: DeleteStage,
    }
}

tool! {
    /// Lists a program's stages by position.
    ListStages = "list_stages" on Learn, READ, for EVERYBODY => List<Stage> {
        req {
            program_id: ProgramId,
        }
        opt {
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Deletes a stage with its milestones. Global admins only.
    DeleteStage = "delete_stage" on Learn, DELETE, for ADMINS => One<Stage> {
        req {
            id: StageId,
        }
    }
}
