//! Programs: templates, and their instances for cohorts (specification, section 2: program invariants).

use super::dependency::StageDependency;
use super::milestone::Milestone;
use super::stage::Stage;
use super::status::Progress;
use super::{ADMINS, EVERYBODY};
use crate::id::{CohortId, ProgramId};
use crate::record::{Maybe, Missing, record};
use crate::tool::tool;
use crate::value::{Change, Line, Name, Slug};
use crate::wire::Wire;
use crate::words::words;

words! {
    /// A template to copy, or an instance for a cohort.
    ProgramKind {
        Template = "template",
        Instance = "instance",
    }
}

record! {
    /// A program.
    Program = "program", "programs" (name: name, state: status) {
        id: ProgramId,
        name: Name [create, change],
        /// Default: made from the name.
        slug: Slug [create?],
        kind: ProgramKind [create = "template"],
        status: Progress [create = "active", change],
        /// The cohort of an instance.
        cohort_id: Option<CohortId> [create],
        /// The template of an instance.
        source_program_id: Option<ProgramId> [create],
    }
    form ProgramTree;
    /// Lists programs by name.
    list ListPrograms = "list_programs" on Learn for EVERYBODY {
        opt {
            kind: Option<ProgramKind>,
            cohort_id: Option<CohortId>,
            /// Part of the name or slug.
            search: Option<Line>,
        }
    }
    get GetProgram;
    /// Adds a program. To copy a template, use instantiate_program. Global admins only.
    create CreateProgram = "create_program" on Learn for ADMINS;
    /// Changes a program. Global admins only.
    change UpdateProgram = "update_program" on Learn for ADMINS {
        opt {
            /// Unique in the organisation.
            slug: Change<Slug>,
        }
    }
    /// Deletes a program with stages, milestones and dependencies. Global admins only.
    delete DeleteProgram = "delete_program" on Learn for ADMINS;
    other InstantiateProgram;
}

/// A stage with its milestones, by position.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct StageTree {
    /// The stage.
    #[wire(flatten)]
    pub stage: Stage,
    /// Its milestones.
    pub milestones: Vec<Milestone>,
}

/// A program with its stages, by position, and their dependencies.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct ProgramTree {
    /// The program.
    #[wire(flatten)]
    pub program: Program,
    /// Its stages.
    pub stages: Vec<StageTree>,
    /// Its dependencies.
    pub dependencies: Vec<StageDependency>,
    /// Lists that were cut for size, with the call that returns the rest.
    pub missing: Vec<Missing>,
}

/// The instance for a cohort.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Instantiated {
    /// The instance.
    pub program_id: ProgramId,
    /// False if the cohort already had one: nothing was copied.
    pub created: bool,
}

tool! {
    /// Gets a program with stages, milestones and dependencies.
    GetProgram = "get_program" on Learn, READ, for EVERYBODY => Maybe<ProgramTree> {
        opt {
            id: Option<ProgramId>,
            /// If id is omitted.
            slug: Option<Name>,
        }
    }
}

tool! {
    /// Copies a template for a cohort. If the cohort already has an instance, returns it. Global admins only.
    InstantiateProgram = "instantiate_program" on Learn, UPDATE, for ADMINS => Instantiated {
        req {
            template_id: ProgramId,
            cohort_id: CohortId,
        }
    }
}
