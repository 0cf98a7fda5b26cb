//! The weekly update: what a member did and said in the last days (specification, section 4.5).

use jiff::Timestamp;
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::EVERYBODY;
use super::task::TaskStatus;
use crate::id::{MemberId, PlanId, WorkTaskId};
use crate::plans::plan::PlanStatus;
use crate::tool::{tool, tools};
use crate::value::Whole;

/// What one source says. Each fails by itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Source<T> {
    /// Whether it could not be asked.
    pub unavailable: bool,
    /// Whether it has more to say than this.
    pub truncated: bool,
    /// What it says, the newest first.
    pub items: Vec<T>,
}

/// A task that was moved to done or dev_completed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Moved {
    /// The task.
    pub id: WorkTaskId,
    /// Its short name.
    pub identifier: String,
    /// Name.
    pub name: String,
    /// How far it is.
    pub status: TaskStatus,
    /// When it was moved.
    pub changed_at: Timestamp,
}

/// A task in progress.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Running {
    /// The task.
    pub id: WorkTaskId,
    /// Its short name.
    pub identifier: String,
    /// Name.
    pub name: String,
    /// The day on which it should be done.
    pub estimated_date: Option<Date>,
}

/// A pull request that was merged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Merged {
    /// Title.
    pub title: String,
    /// Address.
    pub url: String,
    /// When it was merged.
    pub merged_at: Timestamp,
}

/// What the member said in a daily meeting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Spoken {
    /// The meeting's day.
    pub day: Date,
    /// Its title.
    pub meeting: String,
    /// What was said.
    pub line: String,
}

/// A plan whose status changed: one that shows a task of the member, or that the member changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Replanned {
    /// The plan.
    pub id: PlanId,
    /// Name.
    pub name: String,
    /// How far it was.
    pub from_status: PlanStatus,
    /// How far it was then.
    pub to_status: PlanStatus,
    /// When it changed.
    pub changed_at: Timestamp,
}

/// What a member did and said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WeeklyUpdates {
    /// The member.
    pub member_id: MemberId,
    /// The first day, in Brasília.
    pub from: Date,
    /// Today, in Brasília.
    pub to: Date,
    /// Tasks moved to done or dev_completed.
    pub tasks_completed: Source<Moved>,
    /// Tasks in progress.
    pub tasks_in_progress: Source<Running>,
    /// Pull requests merged.
    pub pull_requests: Source<Merged>,
    /// Lines spoken in daily meetings.
    pub daily_lines: Source<Spoken>,
    /// Plans whose status changed.
    pub plans: Source<Replanned>,
    /// To paste, in Portuguese.
    pub daily_text: String,
}

tool! {
    /// What a member did in the last days, today included, with a text for the daily meeting.
    GetWeeklyUpdates = "get_weekly_updates" on Work, READ, for EVERYBODY => WeeklyUpdates {
        opt {
            /// The member; you where left out.
            member_id: Option<MemberId>,
            /// How many days, 7 where left out.
            days: Option<Whole<1, 14>>,
        }
    }
}

tools![GetWeeklyUpdates];
