//! Stages of a program.

use frontdesk_protocol::learn::stage::{CreateStage, DeleteStage, ListStages, Stage, UpdateStage};

use crate::call::{SqlByName, Stored};
use crate::hosts::routes;

/// Whether a stage or milestone has an unfinished predecessor.
pub(super) const GATED: (&str, &str) = (
    "gated",
    "exists (select from learn.gates g where g.successor_id = t.id)",
);
/// The unfinished predecessors.
pub(super) const GATED_BY: (&str, &str) = (
    "gated_by",
    "array(select g.predecessor_id from learn.gates g where g.successor_id = t.id order by g.predecessor_id)",
);

impl Stored for Stage {
    const TABLE: &'static str = "learn.stages";
    const ORDER: &'static str = "t.position, t.ordinal";
    const COMPUTED: SqlByName = &[
        (
            "milestone_count",
            "(select count(*)::integer from learn.milestones m where m.stage_id = t.id)",
        ),
        GATED,
        GATED_BY,
    ];
}

routes![ListStages, CreateStage, UpdateStage, DeleteStage];
