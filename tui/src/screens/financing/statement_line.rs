//! Bank statement lines without a journal entry.

use frontdesk_protocol::Host;

use super::{AMOUNT, amount};
use crate::records::columns::Column;
use crate::records::view::View;

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("posted_on", "Date"),
        Column::field("description", "Description"),
        AMOUNT,
        Column::field("reference", "Reference"),
        Column::field("account_id", "Account"),
    ],
    facts: &[("Amount", amount)],
    covered: &["amount"],
    which: Some("unreconciled"),
    ..View::new(Host::Financing, "statement lines")
};
