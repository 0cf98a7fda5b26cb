//! The weekly update: a member's recent work and statements (specification, section 4.5).

use jiff::Timestamp;
use jiff::civil::Date;

use super::EVERYBODY;
use super::task::TaskStatus;
use crate::id::{MemberId, PlanId, WorkTaskId};
use crate::plans::plan::PlanStatus;
use crate::tool::{tool, tools};
use crate::value::Whole;
use crate::wire::Wire;

/// The items from one source. Sources fail independently.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(inline)]
pub struct Source<T> {
    /// True if the source could not be read.
    pub unavailable: bool,
    /// True if the source has more items.
    pub truncated: bool,
    /// The items, newest first.
    pub items: Vec<T>,
}

/// A task that was moved to done or dev_completed.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Moved {
    pub id: WorkTaskId,
    /// Short identifier.
    pub identifier: String,
    pub name: String,
    pub status: TaskStatus,
    /// When it was moved.
    pub changed_at: Timestamp,
}

/// A task in progress.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Running {
    pub id: WorkTaskId,
    /// Short identifier.
    pub identifier: String,
    pub name: String,
    /// Estimated completion date.
    pub estimated_date: Option<Date>,
}

/// A pull request that was merged.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Merged {
    pub title: String,
    /// Address.
    pub url: String,
    /// When it was merged.
    pub merged_at: Timestamp,
}

/// A statement of the member in a daily meeting.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Spoken {
    /// The meeting's day.
    pub day: Date,
    /// Its title.
    pub meeting: String,
    /// The statement.
    pub line: String,
}

/// A plan whose status changed: one that shows a task of the member, or that the member changed.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Replanned {
    pub id: PlanId,
    pub name: String,
    /// The previous status.
    pub from_status: PlanStatus,
    /// The new status.
    pub to_status: PlanStatus,
    /// When it changed.
    pub changed_at: Timestamp,
}

/// A member's weekly update.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct WeeklyUpdates {
    pub member_id: MemberId,
    /// The first day, in Brasília.
    pub from: Date,
    /// Today, in Brasília.
    pub to: Date,
    /// Tasks moved to done or dev_completed.
    pub tasks_completed: Source<Moved>,
    pub tasks_in_progress: Source<Running>,
    /// Pull requests merged.
    pub pull_requests: Source<Merged>,
    /// Lines spoken in daily meetings.
    pub daily_lines: Source<Spoken>,
    /// Plans whose status changed.
    pub plans: Source<Replanned>,
    /// The update as text to paste, in Portuguese.
    pub daily_text: String,
}

tool! {
    /// Gets what a member did in the last days, including today, with a text for the daily meeting.
    GetWeeklyUpdates = "get_weekly_updates" on Work, READ, for EVERYBODY => WeeklyUpdates {
        opt {
            /// Default: you.
            member_id: Option<MemberId>,
            days: Option<Whole<1, 14>> = 7,
        }
    }
}

tools![GetWeeklyUpdates];
