//! How far people are: the caller's own lessons, and members in programs.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::EVERYBODY;
use crate::id::{CohortId, CourseId, LessonId, MemberId, ProgramId, UserId};
use crate::record::{All, List, Maybe, One, record};
use crate::tool::{tool, tools};
use crate::value::{Limit, Offset, UpTo};

/// How far a member of a cohort is in its program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemberProgress {
    /// The member.
    pub member_id: MemberId,
    /// The member's name.
    pub member_name: String,
    /// The member's account.
    pub user_id: Option<UserId>,
    /// The cohort.
    pub cohort_id: CohortId,
    /// Its program.
    pub program_id: ProgramId,
    /// How many milestones the program has.
    pub total: u32,
    /// How many the member has completed.
    pub done: u32,
    /// How much of it that is, with one digit.
    pub percentage: f64,
    /// When the member completed the last one.
    pub last_completed_at: Option<Timestamp>,
}
record!(MemberProgress, "member_progress", "progress");

/// What the caller has seen of a lesson.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LessonProgress {
    /// The lesson.
    pub lesson_id: LessonId,
    /// When the caller viewed it first.
    pub first_viewed_at: Option<Timestamp>,
    /// When the caller viewed it last.
    pub last_viewed_at: Option<Timestamp>,
    /// When the caller completed it first.
    pub completed_at: Option<Timestamp>,
}
record!(LessonProgress, "lesson_progress", "lesson_progress");

/// How far the caller is in a course.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CourseProgress {
    /// The course.
    pub course_id: CourseId,
    /// How many of its lessons the caller sees.
    pub total: u32,
    /// How many of them the caller has viewed.
    pub viewed: u32,
    /// How many of them the caller has completed.
    pub completed: u32,
    /// How much of it is completed, with one digit.
    pub percentage: f64,
    /// The lessons that the caller has viewed or completed, by position.
    pub lessons: Vec<LessonProgress>,
}
record!(CourseProgress, "course_progress", "course_progress");

tool! {
    /// Lists how far members are in their programs: everybody for global admins, else yourself.
    GetProgramMemberProgress = "get_program_member_progress" on Learn, READ, for EVERYBODY => List<MemberProgress> {
        opt {
            /// Only members of this cohort.
            cohort_id: Option<CohortId>,
            /// Only members of this instance's cohort.
            program_id: Option<ProgramId>,
            /// Only this user.
            user_id: Option<UserId>,
            /// Most rows to return.
            limit: Limit<100, 500>,
            /// Rows to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Gets how far you are in a course.
    GetMyCourseProgress = "get_my_course_progress" on Learn, READ, for EVERYBODY => Maybe<CourseProgress> {
        req {
            /// The course.
            course_id: CourseId,
        }
    }
}

tool! {
    /// Gets your progress in these lessons; lessons that you have neither viewed nor completed are left out.
    GetMyLessonProgress = "get_my_lesson_progress" on Learn, READ, for EVERYBODY => All<LessonProgress> {
        req {
            /// The lessons.
            lesson_ids: UpTo<LessonId, 500>,
        }
    }
}

tool! {
    /// Notes that you view a lesson now.
    MarkLessonViewed = "mark_lesson_viewed" on Learn, UPDATE, for EVERYBODY => One<LessonProgress> {
        req {
            /// The lesson.
            lesson_id: LessonId,
        }
    }
}

tool! {
    /// Notes that you have completed a lesson.
    MarkLessonComplete = "mark_lesson_complete" on Learn, UPDATE, for EVERYBODY => One<LessonProgress> {
        req {
            /// The lesson.
            lesson_id: LessonId,
        }
    }
}

tools![
    GetProgramMemberProgress,
    GetMyCourseProgress,
    GetMyLessonProgress,
    MarkLessonViewed,
    MarkLessonComplete
];
