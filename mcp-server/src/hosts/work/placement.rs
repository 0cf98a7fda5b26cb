//! Placements.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::record::One;
use frontdesk_protocol::work::placement::{CreatePlacement, Placement};

use crate::call::{Call, Handler, Outcome, SqlByName, Stored, named};
use crate::hosts::routes;

impl Stored for Placement {
    const TABLE: &'static str = "work.placements";
    const COMPUTED: SqlByName = &[
        named!("created_by_name": account "created_by"),
        named!("member_name": member "member_id"),
    ];
}

impl Handler for CreatePlacement {
    async fn handle(self, call: &mut Call) -> Outcome<One<Placement>> {
        // The field has no column yet, because its values are not agreed upon (specification, section 7).
        if self.reason_we_helped.is_some() {
            let message = "cannot be stored yet: its migration is pending; nothing was written";
            return Err(ToolError::invalid("reason_we_helped", message).hint("leave it out"));
        }
        call.finally().create(&self).await
    }
}

routes![CreatePlacement => own];
