//! Progress: the caller's lessons, and members in programs.

use jiff::Timestamp;

use super::EVERYBODY;
use crate::id::{CohortId, CourseId, LessonId, MemberId, MilestoneId, ProgramId, StageId, UserId};
use crate::record::{All, List, Maybe, One};
use crate::resource::resource;
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Limit, Offset, UpTo};
use crate::wire::Wire;

/// A cohort member's progress in the program.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct MemberProgress {
    pub member_id: MemberId,
    /// The member's name.
    pub member_name: String,
    /// The member's account.
    pub user_id: Option<UserId>,
    pub cohort_id: CohortId,
    /// Its program.
    pub program_id: ProgramId,
    /// Number of milestones in the program.
    pub total: u32,
    /// Number of completed milestones.
    pub done: u32,
    /// done / total in percent, one decimal place.
    pub percentage: f64,
    /// When the member last completed a milestone.
    pub last_completed_at: Option<Timestamp>,
}

/// The caller's progress in a lesson.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct LessonProgress {
    pub lesson_id: LessonId,
    /// The caller's first view.
    pub first_viewed_at: Option<Timestamp>,
    /// The caller's latest view.
    pub last_viewed_at: Option<Timestamp>,
    /// When the caller first completed it.
    pub completed_at: Option<Timestamp>,
}

/// The caller's progress in a course.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct CourseProgress {
    pub course_id: CourseId,
    /// Number of lessons visible to the caller.
    pub total: u32,
    /// Number of viewed lessons.
    pub viewed: u32,
    /// Number of completed lessons.
    pub completed: u32,
    /// completed / total in percent, one decimal place.
    pub percentage: f64,
    /// The lessons that the caller has viewed or completed, by position.
    pub lessons: Vec<LessonProgress>,
}

resource! {
    MemberProgress = "member_progress", "progress" (name: member_name) {
        list: GetProgramMemberProgress,
        other: SetMemberProgress(member_id),
    }
    CourseProgress = "course_progress", "course_progress" {
        get: GetMyCourseProgress(course_id),
    }
    LessonProgress = "lesson_progress", "lesson_progress" {
        other: GetMyLessonProgress,
        other: MarkLessonViewed,
        other: MarkLessonComplete,
    }
}

tool! {
    /// Lists members' progress in their programs. Global admins see everyone, others only themselves.
    GetProgramMemberProgress = "get_program_member_progress" on Learn, READ, for EVERYBODY => List<MemberProgress> {
        opt {
            cohort_id: Option<CohortId>,
            /// Only members of this instance's cohort.
            program_id: Option<ProgramId>,
            user_id: Option<UserId>,
            limit: Limit<100, 500>,
            offset: Offset,
        }
    }
}

tool! {
    /// Gets your progress in a course.
    GetMyCourseProgress = "get_my_course_progress" on Learn, READ, for EVERYBODY => Maybe<CourseProgress> {
        req {
            course_id: CourseId,
        }
    }
}

tool! {
    /// Gets your progress in lessons, without those you neither viewed nor completed.
    GetMyLessonProgress = "get_my_lesson_progress" on Learn, READ, for EVERYBODY => All<LessonProgress> {
        req {
            lesson_ids: UpTo<LessonId, 500>,
        }
    }
}

tool! {
    /// Records that you viewed a lesson now.
    MarkLessonViewed = "mark_lesson_viewed" on Learn, UPDATE, for EVERYBODY => One<LessonProgress> {
        req {
            lesson_id: LessonId,
        }
    }
}

tool! {
    /// Records that you completed a lesson.
    MarkLessonComplete = "mark_lesson_complete" on Learn, UPDATE, for EVERYBODY => One<LessonProgress> {
        req {
            lesson_id: LessonId,
        }
    }
}

tool! {
    /// Completes or reopens a milestone, or all milestones of a stage, for a member of the program's cohort.
    SetMemberProgress = "set_member_progress" on Learn, UPDATE, for Roles::DESK => One<MemberProgress> {
        req {
            member_id: MemberId,
            /// False: not completed.
            is_completed: bool,
        }
        opt {
            /// Either this or stage_id.
            milestone_id: Option<MilestoneId>,
            stage_id: Option<StageId>,
        }
    }
}
