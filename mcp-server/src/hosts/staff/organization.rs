//! The caller's organisation.

use frontdesk_protocol::record::One;
use frontdesk_protocol::staff::organization::{GetOrganization, Organization, UpdateOrganization};

use crate::call::{Call, Handler, Outcome, Stored};
use crate::hosts::routes;

impl Stored for Organization {
    const TABLE: &'static str = "app.organizations";
}

/// The id of the caller's organisation.
async fn own(call: &mut Call) -> Result<Option<uuid::Uuid>, frontdesk_protocol::ToolError> {
    let rows = call.query("select app.caller_org()", &[]).await?;
    Ok(rows.first().and_then(|row| row.get(0)))
}

impl Handler for GetOrganization {
    async fn handle(self, call: &mut Call) -> Outcome<One<Organization>> {
        let id = own(call).await?;
        call.one(id).await
    }
}

impl Handler for UpdateOrganization {
    async fn handle(self, call: &mut Call) -> Outcome<One<Organization>> {
        let id = own(call).await?;
        call.change(id, &self).await
    }
}

routes![
    GetOrganization => own,
    UpdateOrganization => own,
];
