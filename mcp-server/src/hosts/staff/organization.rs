//! The caller's organisation.

use frontdesk_protocol::record::One;
use frontdesk_protocol::staff::organization::{GetOrganization, Organization, UpdateOrganization};

use crate::call::{Call, Handler, Outcome, Stored};
use crate::hosts::routes;

impl Stored for Organization {
    const TABLE: &'static str = "app.organizations";
}

impl Handler for GetOrganization {
    async fn handle(self, call: &mut Call) -> Outcome<One<Organization>> {
        call.only("t.id = app.caller_org()").await
    }
}

impl Handler for UpdateOrganization {
    async fn handle(self, call: &mut Call) -> Outcome<One<Organization>> {
        let rows = call.query("select app.caller_org()", &[]).await?;
        let id: Option<uuid::Uuid> = rows.first().and_then(|row| row.get(0));
        call.finally().change(id, &self).await
    }
}

routes![
    GetOrganization => own,
    UpdateOrganization => own,
];
