//! Messages between accounts, with what the two sides are called.

use frontdesk_protocol::Host;

use crate::records::columns::Column;
use crate::records::view::View;

/// How messages are shown.
pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("subject", "Subject"),
        Column::field("sender_name", "From"),
        Column::field("recipient_name", "To"),
        Column::field("created_at", "Sent"),
    ],
    told: &["sender_id", "recipient_id"],
    ..View::new(Host::Ops, "messages")
};
