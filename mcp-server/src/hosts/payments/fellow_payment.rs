//! Payments to fellows.

use frontdesk_protocol::payments::fellow_payment::{
    CreateFellowPayment, FellowPayment, ListFellowPayments, PayFellowPayment,
};

use crate::call::{SqlByName, Stored, named};
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

routes![ListFellowPayments, CreateFellowPayment, PayFellowPayment];
