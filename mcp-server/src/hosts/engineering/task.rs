//! Task assignment.

use frontdesk_protocol::engineering::task::AssignTask;

use crate::hosts::routes;

routes![AssignTask => change];
