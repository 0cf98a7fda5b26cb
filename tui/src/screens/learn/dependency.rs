//! Dependencies between the stages or milestones of a program.

use frontdesk_protocol::Host;

use crate::records::columns::Column;
use crate::records::view::View;

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("predecessor_id", "First"),
        Column::field("successor_id", "Then"),
        Column::field("node_kind", "Kind"),
    ],
    ..View::new(Host::Learn, "stage dependencies")
};
