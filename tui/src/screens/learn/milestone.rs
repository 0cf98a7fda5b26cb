//! Milestones of a stage.

use frontdesk_protocol::Host;

use super::stage::{beside, worth};
use crate::records::columns::Column;
use crate::records::view::View;

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("title", "Milestone"),
        Column::field("status", "State"),
        Column::field("points", "Points"),
        Column::field("gated", "Gated"),
        Column::field("position", "Position"),
    ],
    tree_text: Some(|milestone, program, shared| {
        let points = milestone.number("points").unwrap_or_default();
        beside(worth(points), milestone, program, shared)
    }),
    ..View::new(Host::Learn, "milestones")
};
