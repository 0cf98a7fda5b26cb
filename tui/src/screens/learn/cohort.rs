//! Cohorts with their program and their members' progress.

use frontdesk_protocol::Host;

use crate::records::columns::Column;
use crate::records::view::View;

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("name", "Cohort"),
        Column::field("status", "State"),
        Column::field("starts_on", "Starts"),
        Column::field("batch_type", "Type"),
        Column::field("organization_name", "Organisation"),
    ],
    tabs: &["progress", "programs"],
    ..View::new(Host::Learn, "cohorts")
};
