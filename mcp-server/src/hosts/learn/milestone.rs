//! Milestones of a stage.

use frontdesk_protocol::learn::milestone::{
    CreateMilestone, DeleteMilestone, ListMilestones, Milestone, UpdateMilestone,
};

use super::stage::{GATED, GATED_BY};
use crate::call::{SqlByName, Stored};
use crate::hosts::routes;

impl Stored for Milestone {
    const TABLE: &'static str = "learn.milestones";
    const ORDER: &'static str = "t.position, t.ordinal";
    const COMPUTED: SqlByName = &[GATED, GATED_BY];
}

routes![
    ListMilestones,
    CreateMilestone,
    UpdateMilestone,
    DeleteMilestone
];
