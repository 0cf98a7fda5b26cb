//! Programs: templates, and their instances for cohorts (specification, section 2: program invariants).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::dependency::StageDependency;
use super::milestone::Milestone;
use super::stage::Stage;
use super::{ADMINS, EVERYBODY};
use crate::id::{CohortId, ProgramId};
use crate::record::{List, Maybe, Missing, One, record};
use crate::tool::{tool, tools};
use crate::value::{Change, Limit, Line, Name, Offset, Slug};
use crate::words::words;

words! {
    /// Whether a program is to be copied or to be gone through.
    ProgramKind {
        Template = "template",
        Instance = "instance",
    }
}

words! {
    /// How far a program, a stage or a milestone is.
    Progress {
        Upcoming = "upcoming",
        Locked = "locked",
        Active = "active",
        Done = "done",
    }
}

/// A program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Program {
    /// Identifies the program.
    pub id: ProgramId,
    /// Name.
    pub name: String,
    /// Unique in the organisation.
    pub slug: String,
    /// A template has neither cohort nor source, an instance has a cohort.
    pub kind: ProgramKind,
    /// How far it is.
    pub status: Progress,
    /// The cohort that goes through it.
    pub cohort_id: Option<CohortId>,
    /// The template that it was made from.
    pub source_program_id: Option<ProgramId>,
}
record!(Program, "program", "programs");

/// A stage with its milestones, by position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StageTree {
    /// The stage.
    #[serde(flatten)]
    pub stage: Stage,
    /// Its milestones.
    pub milestones: Vec<Milestone>,
}

/// A program with its stages, by position, and what depends on what.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramTree {
    /// The program.
    #[serde(flatten)]
    pub program: Program,
    /// Its stages.
    pub stages: Vec<StageTree>,
    /// Its dependencies.
    pub dependencies: Vec<StageDependency>,
    /// What is left out of these lists for its size.
    pub missing: Vec<Missing>,
}
record!(ProgramTree, "program", "programs");

/// The instance of a cohort.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Instantiated {
    /// The instance.
    pub program_id: ProgramId,
    /// False where the cohort had one already: nothing was copied then.
    pub created: bool,
}

tool! {
    /// Lists programs by name.
    ListPrograms = "list_programs" on Learn, READ, for EVERYBODY => List<Program> {
        opt {
            /// Only templates, or only instances.
            kind: Option<ProgramKind>,
            /// Only the instance of this cohort.
            cohort_id: Option<CohortId>,
            /// Part of the name or slug.
            search: Option<Line>,
            /// Most programs to return.
            limit: Limit,
            /// Programs to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Gets a program with stages, milestones and dependencies.
    GetProgram = "get_program" on Learn, READ, for EVERYBODY => Maybe<ProgramTree> {
        opt {
            /// The program.
            id: Option<ProgramId>,
            /// Its slug, where id is left out.
            slug: Option<Name>,
        }
    }
}

tool! {
    /// Adds a program; for an instance of a template see instantiate_program. Global admins only.
    CreateProgram = "create_program" on Learn, CREATE, for ADMINS => One<Program> {
        req {
            /// Name.
            name: Name,
        }
        opt {
            /// Made from the name where left out.
            slug: Option<Slug>,
            /// template where left out.
            kind: Option<ProgramKind>,
            /// active where left out.
            status: Option<Progress>,
            /// The cohort of an instance.
            cohort_id: Option<CohortId>,
            /// The template that an instance was made from.
            source_program_id: Option<ProgramId>,
        }
    }
}

tool! {
    /// Changes a program. Fields left out stay. Global admins only.
    UpdateProgram = "update_program" on Learn, UPDATE, for ADMINS => One<Program> {
        req {
            /// The program.
            id: ProgramId,
        }
        opt {
            /// Name.
            name: Change<Name>,
            /// Unique in the organisation.
            slug: Change<Slug>,
            /// How far it is.
            status: Change<Progress>,
        }
    }
}

tool! {
    /// Deletes a program with stages, milestones and dependencies. Global admins only.
    DeleteProgram = "delete_program" on Learn, DELETE, for ADMINS => One<Program> {
        req {
            /// The program.
            id: ProgramId,
        }
    }
}

tool! {
    /// Copies a template for a cohort. A cohort has one instance: again, it returns that one. Global admins only.
    InstantiateProgram = "instantiate_program" on Learn, UPDATE, for ADMINS => Instantiated {
        req {
            /// The template.
            template_id: ProgramId,
            /// The cohort.
            cohort_id: CohortId,
        }
    }
}

tools![
    ListPrograms,
    GetProgram,
    CreateProgram,
    UpdateProgram,
    DeleteProgram,
    InstantiateProgram
];
