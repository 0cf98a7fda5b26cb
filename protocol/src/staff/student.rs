//! Students: members in a cohort.

use super::{DESK, STAFF};
use crate::id::{CohortId, MemberId, StudentId};
use crate::record::{One, record};
use crate::tool::tool;
use crate::value::Line;

record! {
    /// A student.
    Student = "student", "students" (name: name) {
        id: StudentId,
        name: String,
        /// The corporate e-mail address, or the personal one if there is no corporate one.
        email: Option<String>,
        /// For example waiting_list, active, alumni.
        phase_id: Option<String>,
        /// False after a soft delete.
        is_active: bool,
        /// The names of the student's cohorts, latest first.
        cohorts: Vec<String>,
        /// The cohorts, in the same order.
        cohort_ids: Vec<CohortId>,
        /// Number of milestones in the student's programs.
        total: u32,
        /// Number of completed milestones.
        done: u32,
        /// done / total in percent, one decimal place.
        percentage: f64,
    }
    /// Lists students by name, with their cohorts, phase and progress.
    list ListStudents = "list_students" on Staff for STAFF {
        opt {
            /// Part of the name or an e-mail address.
            search: Option<Line>,
            cohort_id: Option<CohortId>,
            phase_id: Option<Line>,
            is_active: Option<bool>,
        }
    }
    create EnrollStudent;
    other WithdrawStudent(member_id);
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
