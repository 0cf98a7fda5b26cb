//! Dependencies in a program: a stage or milestone is gated until its predecessors are done
//! (specification, section 3).

use super::{ADMINS, EVERYBODY};
use crate::id::{DependencyId, NodeId, ProgramId};
use crate::record::{List, One};
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Limit, Offset};
use crate::wire::Wire;
use crate::words::words;

words! {
    /// The kind of node that a dependency connects.
    NodeKind {
        Stage = "stage",
        Milestone = "milestone",
    }
}

/// An edge from a predecessor to its successor.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct StageDependency {
    pub id: DependencyId,
    pub program_id: ProgramId,
    /// Stage or milestone.
    pub node_kind: NodeKind,
    /// The stage or milestone to finish first.
    pub predecessor_id: NodeId,
    /// The stage or milestone that waits.
    pub successor_id: NodeId,
}

resource! {
    StageDependency = "stage_dependency", "stage_dependencies" (parent: program_id, state: node_kind) {
        list: ListStageDependencies,
        create: AddStageDependency,
        delete: RemoveStageDependency,
    }
}

tool! {
    /// Lists a program's dependencies.
    ListStageDependencies = "list_stage_dependencies" on Learn, READ, for EVERYBODY => List<StageDependency> {
        req {
            program_id: ProgramId,
        }
        opt {
            node_kind: Option<NodeKind>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Makes a stage or milestone wait for another one in the program. Global admins only.
    AddStageDependency = "add_stage_dependency" on Learn, CREATE, for ADMINS => One<StageDependency> {
        req {
            program_id: ProgramId,
            node_kind: NodeKind,
            /// The stage or milestone to finish first.
            predecessor_id: NodeId,
            /// The stage or milestone that waits.
            successor_id: NodeId,
        }
    }
}

tool! {
    /// Removes a dependency, identified by id or by all other arguments together. Global admins only.
    RemoveStageDependency = "remove_stage_dependency" on Learn, DELETE, for ADMINS => One<StageDependency> {
        opt {
            id: Option<DependencyId>,
            program_id: Option<ProgramId>,
            node_kind: Option<NodeKind>,
            /// The stage or milestone to finish first.
            predecessor_id: Option<NodeId>,
            /// The stage or milestone that waits.
            successor_id: Option<NodeId>,
        }
    }
}
