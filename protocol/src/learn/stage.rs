//! Stages of a program.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::program::Progress;
use super::{ADMINS, EVERYBODY};
use crate::id::{ProgramId, StageId};
use crate::record::{List, One, record};
use crate::tool::{tool, tools};
use crate::value::{Change, Color, Limit, Name, Natural, Offset, Patch};

/// A stage of a program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Stage {
    /// Identifies the stage.
    pub id: StageId,
    /// The program.
    pub program_id: ProgramId,
    /// Title.
    pub title: String,
    /// A second line.
    pub subtitle: Option<String>,
    /// `#RRGGBB`.
    pub color: Option<String>,
    /// Place in the program.
    pub position: f64,
    /// How far it is.
    pub status: Progress,
    /// How many milestones it has.
    pub milestone_count: u32,
    /// Whether a predecessor is not done.
    pub gated: bool,
    /// The predecessors that are not done.
    pub gated_by: Vec<StageId>,
}
record!(Stage, "stage", "stages");

tool! {
    /// Lists a program's stages by position.
    ListStages = "list_stages" on Learn, READ, for EVERYBODY => List<Stage> {
        req {
            /// The program.
            program_id: ProgramId,
        }
        opt {
            /// Most stages to return.
            limit: Limit,
            /// Stages to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Adds a stage to a program. Global admins only.
    CreateStage = "create_stage" on Learn, CREATE, for ADMINS => One<Stage> {
        req {
            /// The program.
            program_id: ProgramId,
            /// Title.
            title: Name,
        }
        opt {
            /// A second line.
            subtitle: Option<Name>,
            /// `#RRGGBB`.
            color: Option<Color>,
            /// Place in the program.
            position: Option<Natural>,
            /// upcoming where left out.
            status: Option<Progress>,
        }
    }
}

tool! {
    /// Changes a stage. Fields left out stay; null clears. Global admins only.
    UpdateStage = "update_stage" on Learn, UPDATE, for ADMINS => One<Stage> {
        req {
            /// The stage.
            id: StageId,
        }
        opt {
            /// Title.
            title: Change<Name>,
            /// A second line.
            subtitle: Patch<Name>,
            /// `#RRGGBB`.
            color: Patch<Color>,
            /// Place in the program.
            position: Change<Natural>,
            /// How far it is.
            status: Change<Progress>,
        }
    }
}

tool! {
    /// Deletes a stage with its milestones. Global admins only.
    DeleteStage = "delete_stage" on Learn, DELETE, for ADMINS => One<Stage> {
        req {
            /// The stage.
            id: StageId,
        }
    }
}

tools![ListStages, CreateStage, UpdateStage, DeleteStage];
