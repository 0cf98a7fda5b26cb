//! Reports over the records of one host.

use jiff::Timestamp;
use jiff::civil::Date;

use crate::events::event::Event;
use crate::id::{
    CohortId, EventId, GuestId, JournalEntryId, LedgerAccountId, MemberId, MilestoneId,
    StatementLineId,
};
use crate::role::{Role, Roles};
use crate::tool::{tool, tools};
use crate::value::Limit;
use crate::wire::Wire;

/// Guests of an event with the same role.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct RoleCount {
    pub role: Option<String>,
    pub guest_count: u32,
    pub checked_in_count: u32,
}

/// Arrivals in a quarter of an hour.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Arrivals {
    pub from: Timestamp,
    pub arrivals: u32,
}

/// Guests who came in at the same gate first.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct GateCount {
    /// Null for check-ins at desks without a gate.
    pub gate: Option<String>,
    pub arrivals: u32,
}

/// Guests with the same name.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Namesakes {
    pub name: String,
    pub guest_ids: Vec<GuestId>,
}

/// Two sessions at the same time, in one room or with the same guest.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Collision {
    /// The titles of the sessions.
    pub sessions: Vec<String>,
    /// The room, if both are there.
    pub location: Option<String>,
    /// The names of guests who are in both.
    pub guests: Vec<String>,
}

/// The state of an event.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct EventReport {
    pub event: Event,
    pub roles: Vec<RoleCount>,
    pub arrivals: Vec<Arrivals>,
    pub gates: Vec<GateCount>,
    pub namesakes: Vec<Namesakes>,
    pub collisions: Vec<Collision>,
}

/// A milestone that a member has not completed.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct OpenMilestone {
    pub milestone_id: MilestoneId,
    pub title: String,
    /// Number of members who have completed it.
    pub completed_by: u32,
}

/// A member who has not completed what half of the cohort has.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Behind {
    pub member_id: MemberId,
    pub member_name: String,
    /// Number of completed milestones.
    pub done: u32,
    pub open: Vec<OpenMilestone>,
}

/// The progress of a cohort.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct CohortMilestones {
    pub cohort_id: CohortId,
    pub member_count: u32,
    pub milestone_count: u32,
    /// Members, most open milestones first.
    pub behind: Vec<Behind>,
}

/// An entry that can be reconciled with a line.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Suggestion {
    pub journal_entry_id: JournalEntryId,
    pub entry_on: Date,
    pub entry_description: String,
    pub days_apart: u32,
}

/// A line with entries of the same amount on its account, closest date first.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct LineMatches {
    pub statement_line_id: StatementLineId,
    pub posted_on: Date,
    #[wire(amount)]
    pub amount: f64,
    pub line_description: String,
    pub suggestions: Vec<Suggestion>,
}

/// Open lines of bank statements.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Matches {
    pub matches: Vec<LineMatches>,
}

tool! {
    /// Reports on an event: guests by role, arrivals by quarter hour, guests with one name, colliding sessions.
    GetEventReport = "event_report" on Ops, READ,
        for Roles::DESK.and(&[Role::Teacher, Role::Finance]) => EventReport {
        req {
            event_id: EventId,
        }
    }
}

tool! {
    /// Lists the members of a cohort who have not completed milestones that half of it has.
    GetCohortMilestones = "cohort_milestones" on Ops, READ,
        for Roles::DESK.and(&[Role::Teacher, Role::Finance]) => CohortMilestones {
        req {
            cohort_id: CohortId,
        }
    }
}

tool! {
    /// Suggests journal entries for statement lines without one, oldest first. reconcile_line assigns one.
    SuggestMatches = "suggest_matches" on Ops, READ,
        for Roles::DESK.and(&[Role::Finance]) => Matches {
        opt {
            account_id: Option<LedgerAccountId>,
            limit: Limit,
        }
    }
}

tools![GetEventReport, GetCohortMilestones, SuggestMatches];
