//! Business units.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::record::{List, Maybe, One};
use frontdesk_protocol::work::business_unit::{
    BusinessUnit, CreateBusinessUnit, DeleteBusinessUnit, GetBusinessUnit, ListBusinessUnits,
    UpdateBusinessUnit,
};

use crate::call::{Call, Handler, Outcome, SqlByName, Stored};
use crate::hosts::routes;

impl Stored for BusinessUnit {
    const TABLE: &'static str = "strategy.business_units";
    const ORDER: &'static str = "t.name_key, t.id";
    const FILTERS: SqlByName = &[
        ("search", "t.name_key like (select app.search_pattern($))"),
        ("tag", "$ = any (t.tags)"),
    ];
    const COMPUTED: SqlByName = &[("tags", "coalesce(t.tags, '{}')")];
}

/// Refuses a caller without the finance, admin or owner role; the policies alone would return an empty list.
async fn permitted(call: &mut Call) -> Result<(), ToolError> {
    let require = "select strategy.require_business_units()";
    call.query(require, &[]).await.map(drop)
}

impl Handler for ListBusinessUnits {
    async fn handle(self, call: &mut Call) -> Outcome<List<BusinessUnit>> {
        permitted(call).await?;
        call.list(&self, self.limit, self.offset).await
    }
}

impl Handler for GetBusinessUnit {
    async fn handle(self, call: &mut Call) -> Outcome<Maybe<BusinessUnit>> {
        permitted(call).await?;
        call.get(self.id).await
    }
}

impl Handler for CreateBusinessUnit {
    async fn handle(self, call: &mut Call) -> Outcome<One<BusinessUnit>> {
        permitted(call).await?;
        call.finally().create(&self).await
    }
}

impl Handler for UpdateBusinessUnit {
    async fn handle(self, call: &mut Call) -> Outcome<One<BusinessUnit>> {
        permitted(call).await?;
        call.finally().change(self.id, &self).await
    }
}

impl Handler for DeleteBusinessUnit {
    async fn handle(self, call: &mut Call) -> Outcome<One<BusinessUnit>> {
        permitted(call).await?;
        call.finally().delete(self.id).await
    }
}

routes![
    ListBusinessUnits => own,
    GetBusinessUnit => own,
    CreateBusinessUnit => own,
    UpdateBusinessUnit => own,
    DeleteBusinessUnit => own,
];
