//! Students: members who are or were in a cohort.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::STAFF;
use crate::id::{CohortId, StudentId};
use crate::record::List;
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Limit, Line, Offset};

/// A student.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Student {
    /// The id of the member.
    pub id: StudentId,
    /// Name.
    pub name: String,
    /// The corporate e-mail address, or the personal one if there is no corporate one.
    pub email: Option<String>,
    /// For example waiting_list, active, alumni.
    pub phase_id: Option<String>,
    /// False after a soft delete.
    pub is_active: bool,
    /// The names of the student's cohorts, latest first.
    pub cohorts: Vec<String>,
    /// The cohorts, in the same order.
    pub cohort_ids: Vec<CohortId>,
    /// Number of milestones in the student's programs.
    pub total: u32,
    /// Number of completed milestones.
    pub done: u32,
    /// done / total in percent, one decimal place.
    pub percentage: f64,
}

resource! {
    Student = "student", "students" (name: name) {
        list: ListStudents,
    }
}

tool! {
    /// Lists students by name, with their cohorts, phase and progress.
    ListStudents = "list_students" on Staff, READ, for STAFF => List<Student> {
        opt {
            /// Part of the name or an e-mail address.
            search: Option<Line>,
            /// Only students of this cohort.
            cohort_id: Option<CohortId>,
            /// Only students in this phase.
            phase_id: Option<Line>,
            /// True: only active students. False: only inactive ones.
            is_active: Option<bool>,
            /// Maximum number of students to return.
            limit: Limit,
            /// Number of students to skip.
            offset: Offset,
        }
    }
}
