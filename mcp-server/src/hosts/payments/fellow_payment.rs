//! Payments to fellows.

use frontdesk_protocol::payments::fellow_payment::{
    CreateFellowPayment, FellowPayment, ListFellowPayments, PayFellowPayment, SubmitFellowPayment,
};
use frontdesk_protocol::record::One;
use uuid::Uuid;

use crate::call::{Call, Handler, Outcome, SqlByName, Stored, named};
use crate::database::params;
use crate::hosts::routes;

impl Stored for FellowPayment {
    const TABLE: &'static str = "payments.fellow_payments";
    const ORDER: &'static str = "t.due_on, t.id";
    const FILTERS: SqlByName = &[(
        "search",
        "t.description_key like (select app.search_pattern($))",
    )];
    const COMPUTED: SqlByName = &[named!("member_name": member "member_id")];
}

impl Handler for SubmitFellowPayment {
    async fn handle(self, call: &mut Call) -> Outcome<One<FellowPayment>> {
        let sql = "select payments.submit($1, $2, $3)";
        let params = params![self.amount, self.description, self.due_on];
        let rows = call.query(sql, params).await?;
        call.finally()
            .one(rows.first().map(|row| row.get::<_, Uuid>(0)))
            .await
    }
}

routes![
    ListFellowPayments,
    CreateFellowPayment,
    SubmitFellowPayment => own,
    PayFellowPayment,
];
