//! Messages between accounts, with the accounts' names.

use frontdesk_protocol::Host;

use crate::records::columns::Column;
use crate::records::view::View;

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("subject", "Subject"),
        Column::field("sender_name", "From"),
        Column::field("recipient_name", "To"),
        Column::field("created_at", "Sent"),
    ],
    ..View::new(Host::Ops, "messages")
};
