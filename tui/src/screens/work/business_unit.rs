//! Business units.

use frontdesk_protocol::Host;

use crate::records::columns::Column;
use crate::records::view::View;

pub(crate) static VIEW: View = View {
    columns: &[Column::field("name", "Name"), Column::field("tags", "Tags")],
    ..View::new(Host::Work, "business units")
};
