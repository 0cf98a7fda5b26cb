//! Invoices and their payments.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::record::{List, Maybe, One, Record};
use frontdesk_protocol::staff::invoice::{
    CancelInvoice, CreateInvoice, GetInvoice, Invoice, InvoiceWithPayments, ListDueInvoices,
    ListInvoices, ListPayments, MarkInvoiceSent, Payment, RecordPayment, ReversePayment,
    UpdateInvoice,
};
use uuid::Uuid;

use crate::call::{Call, Handler, Outcome, Part, SqlByName, Stored, columns, named};
use crate::database::params;
use crate::hosts::routes;

impl Stored for Invoice {
    const TABLE: &'static str = "staff.invoices";
    const ORDER: &'static str = "t.number desc";
    const FILTERS: SqlByName = &[("search", "t.found_by like (select app.search_pattern($))")];
    const FINDER: Option<&'static str> = Some("staff.find_invoices");
    const COMPUTED: SqlByName = &[
        named!("member_name": member "member_id"),
        (
            "outstanding",
            "case t.status when 'cancelled' then 0 else t.amount - t.paid end",
        ),
        (
            "currency",
            "(select o.currency from app.organizations o where o.id = t.organization_id)",
        ),
    ];
}

impl Stored for Payment {
    const TABLE: &'static str = "staff.payments";
    const ORDER: &'static str = "t.paid_on, t.id";
}

/// Runs a statement that changes the invoice `$1` and returns its row.
async fn changed(
    call: &mut Call,
    change: &str,
    id: impl serde::Serialize,
) -> Outcome<One<Invoice>> {
    let sql = format!(
        "with t as ({change}) \
         select json_build_object('invoice', row_to_json(i))::text from (select {} from t) i",
        columns::<Invoice>()
    );
    let invoice = call.finally().json(&sql, params![id]).await?;
    invoice.ok_or_else(|| ToolError::not_found(Invoice::SINGULAR).on("id"))
}

impl Handler for GetInvoice {
    async fn handle(self, call: &mut Call) -> Outcome<Maybe<InvoiceWithPayments>> {
        let parts = [Part::of::<Payment, ListPayments>("payments", "invoice_id")];
        call.tree::<Invoice, _>(&self, &[], &parts).await
    }
}

impl Handler for RecordPayment {
    async fn handle(self, call: &mut Call) -> Outcome<One<Invoice>> {
        call.create::<Payment>(&self).await?;
        let paid = "select t.* from staff.invoices t where t.id = $1";
        changed(call, paid, self.invoice_id).await
    }
}

impl Handler for ReversePayment {
    async fn handle(self, call: &mut Call) -> Outcome<One<Invoice>> {
        let sql = "select staff.reverse_payment($1)";
        let rows = call.query(sql, params![self.id]).await?;
        match rows.first().and_then(|row| row.get::<_, Option<Uuid>>(0)) {
            Some(invoice) => call.finally().one(invoice).await,
            None => Err(ToolError::not_found(Payment::SINGULAR).on("id")),
        }
    }
}

impl Handler for CancelInvoice {
    async fn handle(self, call: &mut Call) -> Outcome<One<Invoice>> {
        let cancel = "update staff.invoices t set cancelled_at = coalesce(t.cancelled_at, now()) \
             where t.id = $1 returning t.*";
        changed(call, cancel, self.id).await
    }
}

impl Handler for ListDueInvoices {
    async fn handle(self, call: &mut Call) -> Outcome<List<Invoice>> {
        let select = |limit: &str, offset: &str| {
            format!(
                "select {} from staff.due_invoices(coalesce($1, staff.today()), {limit} + 1, {offset}) t \
                 order by t.due_on, t.number",
                columns::<Invoice>()
            )
        };
        let until = self.until.map(|day| day.get());
        call.page(select, vec![&until], self.limit, self.offset)
            .await
    }
}

impl Handler for MarkInvoiceSent {
    async fn handle(self, call: &mut Call) -> Outcome<One<Invoice>> {
        changed(call, "select * from staff.mark_sent($1)", self.id).await
    }
}

routes![
    ListInvoices,
    GetInvoice => own,
    CreateInvoice,
    UpdateInvoice,
    RecordPayment => own,
    CancelInvoice => own,
    ListDueInvoices => own,
    MarkInvoiceSent => own,
    ListPayments,
    ReversePayment => own,
];
