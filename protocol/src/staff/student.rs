//! Students: members in a cohort.

use super::{DESK, STAFF};
use crate::id::{CohortId, MemberId, StudentId};
use crate::record::{List, One};
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Limit, Line, Offset};
use crate::wire::Wire;

/// A student.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Student {
    pub id: StudentId,
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
        create: EnrollStudent,
        other: WithdrawStudent(member_id),
    }
}

tool! {
    /// Lists students by name, with their cohorts, phase and progress.
    ListStudents = "list_students" on Staff, READ, for STAFF => List<Student> {
        opt {
            /// Part of the name or an e-mail address.
            search: Option<Line>,
            cohort_id: Option<CohortId>,
            phase_id: Option<Line>,
            is_active: Option<bool>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Puts a member into a cohort. Enrolling again changes nothing. Owners, admins and staff only.
    EnrollStudent = "enroll_student" on Staff, UPDATE, for DESK => One<Student> {
        req {
            member_id: MemberId,
            cohort_id: CohortId,
        }
    }
}

tool! {
    /// Takes a student out of a cohort. What the student completed stays. Owners, admins and staff only.
    WithdrawStudent = "withdraw_student" on Staff, UPDATE, for DESK => One<Student> {
        req {
            /// The student.
            member_id: StudentId,
            cohort_id: CohortId,
        }
    }
}
