//! Dependencies between the stages and milestones of a program.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::learn::dependency::{
    AddStageDependency, ListStageDependencies, RemoveStageDependency, StageDependency,
};
use frontdesk_protocol::record::{One, Record};
use uuid::Uuid;

use crate::call::{Call, Handler, Outcome, Stored};
use crate::database::params;
use crate::hosts::routes;

impl Stored for StageDependency {
    const TABLE: &'static str = "learn.stage_dependencies";
}

impl Handler for RemoveStageDependency {
    async fn handle(self, call: &mut Call) -> Outcome<One<StageDependency>> {
        let tuple = (
            self.program_id,
            self.node_kind,
            self.predecessor_id,
            self.successor_id,
        );
        match (self.id, tuple) {
            (Some(id), (None, None, None, None)) => call.delete(id).await,
            (None, (Some(program), Some(kind), Some(predecessor), Some(successor))) => {
                let find = "select id from learn.stage_dependencies where program_id = $1 \
                     and node_kind = $2 and predecessor_id = $3 and successor_id = $4";
                let rows = call
                    .query(find, params![program, kind, predecessor, successor])
                    .await?;
                match rows.first() {
                    Some(row) => call.delete(row.get::<_, Uuid>(0)).await,
                    None => Err(ToolError::not_found(StageDependency::SINGULAR)),
                }
            }
            _ => Err(ToolError::invalid(
                "id",
                "is required where not all of program_id, node_kind, predecessor_id and successor_id are \
                 given, and stands alone",
            )),
        }
    }
}

routes![
    ListStageDependencies,
    AddStageDependency,
    RemoveStageDependency => own,
];
