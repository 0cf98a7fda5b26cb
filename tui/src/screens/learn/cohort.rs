//! Cohorts, with their program and how far their members are.

use frontdesk_protocol::Host;

use crate::records::columns::Column;
use crate::records::view::View;

/// How cohorts are shown.
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
