//! Milestones of a stage.

use frontdesk_protocol::learn::milestone::{
    CreateMilestone, DeleteMilestone, ListMilestones, Milestone, UpdateMilestone,
};

use crate::call::{SqlByName, Stored};
use crate::hosts::routes;

impl Stored for Milestone {
    const TABLE: &'static str = "learn.milestones";
    const ORDER: &'static str = "t.position, t.id";
    const COMPUTED: SqlByName = &[
        ("gated", "learn.gates(t.id) <> '{}'"),
        ("gated_by", "learn.gates(t.id)"),
    ];
}

routes![
    ListMilestones => all,
    CreateMilestone => create,
    UpdateMilestone => change,
    DeleteMilestone => delete,
];
