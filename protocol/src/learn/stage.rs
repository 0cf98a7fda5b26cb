//! Stages of a program.

use super::program::Progress;
use super::{ADMINS, EVERYBODY};
use crate::id::{ProgramId, StageId};
use crate::record::{List, One};
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Change, Color, Limit, Name, Natural, Offset, Patch};
use crate::wire::Wire;

/// A stage of a program.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Stage {
    pub id: StageId,
    pub program_id: ProgramId,
    pub title: String,
    pub subtitle: Option<String>,
    /// `#RRGGBB`.
    pub color: Option<String>,
    /// Position in the program; lower comes first.
    pub position: f64,
    pub status: Progress,
    /// Number of milestones.
    pub milestone_count: u32,
    /// Whether a predecessor is unfinished.
    pub gated: bool,
    /// The unfinished predecessors.
    pub gated_by: Vec<StageId>,
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
    /// Adds a stage to a program. Global admins only.
    CreateStage = "create_stage" on Learn, CREATE, for ADMINS => One<Stage> {
        req {
            program_id: ProgramId,
            title: Name,
        }
        opt {
            subtitle: Option<Name>,
            color: Option<Color>,
            /// Lower comes first.
            position: Option<Natural> = 0,
            status: Option<Progress> = "upcoming",
        }
    }
}

tool! {
    /// Changes a stage. Global admins only.
    UpdateStage = "update_stage" on Learn, UPDATE, for ADMINS => One<Stage> {
        req {
            id: StageId,
        }
        opt {
            title: Change<Name>,
            subtitle: Patch<Name>,
            color: Patch<Color>,
            /// Lower comes first.
            position: Change<Natural>,
            status: Change<Progress>,
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
