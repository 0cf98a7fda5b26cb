//! What depends on what in a program: a stage or milestone is gated until its predecessors are done
//! (specification, section 3).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ADMINS, EVERYBODY};
use crate::id::{DependencyId, NodeId, ProgramId};
use crate::record::{List, One, record};
use crate::tool::{tool, tools};
use crate::value::{Limit, Offset};
use crate::words::words;

words! {
    /// What a dependency is between.
    NodeKind {
        Stage = "stage",
        Milestone = "milestone",
    }
}

/// An edge from a predecessor to its successor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StageDependency {
    /// Identifies the edge.
    pub id: DependencyId,
    /// The program.
    pub program_id: ProgramId,
    /// What both ends are.
    pub node_kind: NodeKind,
    /// What has to be done first.
    pub predecessor_id: NodeId,
    /// What is gated until then.
    pub successor_id: NodeId,
}
record!(StageDependency, "stage_dependency", "stage_dependencies");

tool! {
    /// Lists a program's dependencies.
    ListStageDependencies = "list_stage_dependencies" on Learn, READ, for EVERYBODY => List<StageDependency> {
        req {
            /// The program.
            program_id: ProgramId,
        }
        opt {
            /// Only those between stages, or between milestones.
            node_kind: Option<NodeKind>,
            /// Most dependencies to return.
            limit: Limit,
            /// Dependencies to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Makes a stage or milestone wait for another one of the program. Global admins only.
    AddStageDependency = "add_stage_dependency" on Learn, CREATE, for ADMINS => One<StageDependency> {
        req {
            /// The program.
            program_id: ProgramId,
            /// What both ends are.
            node_kind: NodeKind,
            /// What has to be done first.
            predecessor_id: NodeId,
            /// What is gated until then.
            successor_id: NodeId,
        }
    }
}

tool! {
    /// Removes a dependency, named by its id or by all of the rest. Global admins only.
    RemoveStageDependency = "remove_stage_dependency" on Learn, DELETE, for ADMINS => One<StageDependency> {
        opt {
            /// The edge.
            id: Option<DependencyId>,
            /// The program.
            program_id: Option<ProgramId>,
            /// What both ends are.
            node_kind: Option<NodeKind>,
            /// What has to be done first.
            predecessor_id: Option<NodeId>,
            /// What is gated until then.
            successor_id: Option<NodeId>,
        }
    }
}

tools![
    ListStageDependencies,
    AddStageDependency,
    RemoveStageDependency
];
