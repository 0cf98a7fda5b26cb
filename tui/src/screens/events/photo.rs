//! Photos of an event.

use frontdesk_protocol::Host;

use crate::records::columns::Column;
use crate::records::view::View;

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("caption", "Caption"),
        Column::field("url", "Address"),
        Column::field("member_ids", "Tagged"),
    ],
    ..View::new(Host::Events, "photos")
};
