//! Stages of a program.

use frontdesk_protocol::learn::stage::{CreateStage, DeleteStage, ListStages, Stage, UpdateStage};

use crate::call::{SqlByName, Stored};
use crate::hosts::routes;

impl Stored for Stage {
    const TABLE: &'static str = "learn.stages";
    const ORDER: &'static str = "t.position, t.id";
    const COMPUTED: SqlByName = &[
        (
            "milestone_count",
            "(select count(*)::integer from learn.milestones m where m.stage_id = t.id)",
        ),
        ("gated", "learn.gates(t.id) <> '{}'"),
        ("gated_by", "learn.gates(t.id)"),
    ];
}

routes![
    ListStages => all,
    CreateStage => create,
    UpdateStage => change,
    DeleteStage => delete,
];
