//! Dependencies in a program: a stage or milestone is gated until its predecessors are done
//! (specification, section 3).

use super::{ADMINS, EVERYBODY};
use crate::id::{DependencyId, NodeId, ProgramId};
use crate::record::{One, record};
use crate::tool::tool;
use crate::words::words;

words! {
    /// The kind of node that a dependency connects.
    NodeKind {
        Stage = "stage",
        Milestone = "milestone",
    }
}

record! {
    /// An edge from a predecessor to its successor.
    StageDependency = "stage_dependency", "stage_dependencies" (parent: program_id, state: node_kind) {
        id: DependencyId,
        program_id: ProgramId [create],
        node_kind: NodeKind [create],
        /// The stage or milestone to finish first.
        predecessor_id: NodeId [create],
        /// The stage or milestone that waits.
        successor_id: NodeId [create],
    }
    /// Lists a program's dependencies.
    list ListStageDependencies = "list_stage_dependencies" on Learn for EVERYBODY {
        req {
            program_id: ProgramId,
        }
        opt {
            node_kind: Option<NodeKind>,
        }
    }
    /// Makes a stage or milestone wait for another one in the program. Global admins only.
    create AddStageDependency = "add_stage_dependency" on Learn for ADMINS;
    delete RemoveStageDependency;
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
