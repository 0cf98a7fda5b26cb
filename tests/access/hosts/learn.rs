//! The Learn host: members, cohorts, courses, programs, progress and the wiki.

use frontdesk_protocol::{Host, Role};

use super::{Area, Case, DESK, May, Record};

/// Requires level 80, whatever the role.
const LEVEL_80: May = May(&[], &Role::ALL);
/// The owner, and every caller of level 80.
const GLOBAL_ADMINS: May = May(&[Role::Owner], &Role::ALL);
/// Everybody except machines below level 80.
const PEOPLE: May = May(super::PEOPLE.0, &Role::ALL);
/// The staff, and every caller of level 80.
const STAFF: May = May(super::STAFF.0, &Role::ALL);
/// Those who enrol students, and every caller of level 80.
const DESKS: May = May(DESK.0, &Role::ALL);
/// Everybody.
const ALL: May = May(&Role::ALL, &[]);

pub(crate) const AREA: Area = Area {
    host: Host::Learn,
    records: RECORDS,
    cases: CASES,
    // In tests/wire/learn: articles of others than the owner.
    elsewhere: &[
        // In tests/wire/learn: the own profile, and those of others.
        ("get_profile", PEOPLE),
        ("get_profile", STAFF),
        ("get_program_member_progress", PEOPLE),
        ("get_program_member_progress", GLOBAL_ADMINS),
        ("update_wiki_article", PEOPLE),
        ("update_wiki_article", GLOBAL_ADMINS),
        ("publish_wiki_article", PEOPLE),
        ("publish_wiki_article", GLOBAL_ADMINS),
    ],
};

const RECORDS: &[Record] = records![
    "cohort", "create_cohort", |_m| { "name": "Turma de Março", "year": 2026, "starts_on": "2026-03-02" };
    "course", "create_course", |_m| { "title": "Rust", "position": 1 };
    "lesson", "create_lesson", |m| {
        "course_id": m["course"], "title": "Borrowing", "duration": 600, "status": "published",
    };
    "draft", "create_lesson", |m| { "course_id": m["course"], "title": "Lifetimes" };
    "program", "create_program", |_m| { "name": "Fellowship" };
    "stage", "create_stage", |m| { "program_id": m["program"], "title": "First", "color": "#1A2B3C" };
    "last_stage", "create_stage", |m| { "program_id": m["program"], "title": "Last", "position": 1 };
    "other_stage", "create_stage", |m| { "program_id": m["program"], "title": "Other", "position": 2 };
    "milestone", "create_milestone", |m| { "stage_id": m["stage"], "title": "Demo", "points": 3 };
    "edge", "add_stage_dependency", |m| {
        "program_id": m["program"], "node_kind": "stage",
        "predecessor_id": m["stage"], "successor_id": m["last_stage"],
    };
    "new_cohort", "create_cohort", |_m| { "name": "Turma de Abril" };
    "copy", "instantiate_program" at "/program_id", |m| { "template_id": m["program"], "cohort_id": m["cohort"] };
    "copied_stage", "list_stages" at "/stages/0/id", |m| { "program_id": m["copy"] };
    "copied_milestone", "list_milestones" at "/milestones/0/id", |m| { "stage_id": m["copied_stage"] };
    "student", "enroll_student", |m| { "member_id": m["fellow"], "cohort_id": m["cohort"] };
    "article", "create_wiki_article", |_m| {
        "title": "Début", "content": "# Hello", "tags": ["a"], "metadata": { "x": 1 },
    };
];

const CASES: &[Case] = cases![
    "list_members", PEOPLE, |_m| { "search": "e" };
    "get_member", STAFF, |m| { "id": m["member"] };
    "get_member", PEOPLE, |m| { "id": m["fellow"] };
    "lookup_member", STAFF, |_m| { "name": "member" };
    "create_member", DESK, |_m| {
        "name": "Ana Souza", "personal_email": "ana@example.org", "corporate_email": "a@example.com",
        "phone": "+5511987654321", "city": "São Paulo", "state": "SP", "phase_id": "active", "tags": ["rust"],
    };
    "update_member", DESK, |m| { "id": m["member"], "city": "Rio" };

    "list_profiles", PEOPLE, |_m| {};
    "get_profile", PEOPLE, |m| { "id": m["fellow_user"] };
    "set_profile_fellow_slug", LEVEL_80, |m| { "user_id": m["fellow_user"], "fellow_slug": "a" };
    "list_profile_fellow_slugs", LEVEL_80, |_m| {};
    "upsert_tutor_profile", GLOBAL_ADMINS, |m| { "member_id": m["member"], "profile_data": { "bio": "Teaches" } };

    "list_cohorts", ALL, |_m| {};
    "create_cohort", GLOBAL_ADMINS, |_m| { "name": "New" };
    "update_cohort", GLOBAL_ADMINS, |m| { "id": m["cohort"], "status": "graduated" };

    "list_courses", PEOPLE, |_m| {};
    "get_course", PEOPLE, |m| { "id": m["course"] };
    "create_course", GLOBAL_ADMINS, |_m| { "title": "New" };
    "update_course", GLOBAL_ADMINS, |m| {
        "id": m["course"], "about": "Ownership", "thumbnail": "https://example.org/r.png",
    };
    "set_course_tutor", GLOBAL_ADMINS, |m| { "course_id": m["course"], "tutor_member_id": m["member"] };
    "list_lessons", PEOPLE, |m| { "course_id": m["course"] };
    "list_lessons", STAFF, |m| { "course_id": m["course"], "status": "draft" };
    "get_lesson", PEOPLE, |m| { "id": m["lesson"] };
    "get_lesson", STAFF, |m| { "id": m["draft"] };
    "create_lesson", GLOBAL_ADMINS, |m| { "course_id": m["course"], "title": "New" };
    "update_lesson", GLOBAL_ADMINS, |m| { "id": m["lesson"], "transcription": "Hello" };
    "mark_lesson_viewed", PEOPLE, |m| { "lesson_id": m["lesson"] };
    "mark_lesson_complete", PEOPLE, |m| { "lesson_id": m["lesson"] };
    "get_my_course_progress", PEOPLE, |m| { "course_id": m["course"] };
    "get_my_lesson_progress", PEOPLE, |m| { "lesson_ids": [m["lesson"]] };

    "list_programs", PEOPLE, |_m| { "kind": "template" };
    "get_program", PEOPLE, |m| { "id": m["program"] };
    "create_program", GLOBAL_ADMINS, |_m| { "name": "New" };
    "update_program", GLOBAL_ADMINS, |m| { "id": m["program"], "status": "upcoming" };
    "instantiate_program", GLOBAL_ADMINS, |m| { "template_id": m["program"], "cohort_id": m["new_cohort"] };
    "list_stages", PEOPLE, |m| { "program_id": m["program"] };
    "create_stage", GLOBAL_ADMINS, |m| { "program_id": m["program"], "title": "New" };
    "update_stage", GLOBAL_ADMINS, |m| { "id": m["stage"], "subtitle": "Sooner" };
    "list_milestones", PEOPLE, |m| { "stage_id": m["stage"] };
    "create_milestone", GLOBAL_ADMINS, |m| { "stage_id": m["stage"], "title": "New" };
    "update_milestone", GLOBAL_ADMINS, |m| { "id": m["milestone"], "description": "Shown" };
    "list_stage_dependencies", PEOPLE, |m| { "program_id": m["program"] };
    "add_stage_dependency", GLOBAL_ADMINS, |m| {
        "program_id": m["program"], "node_kind": "stage",
        "predecessor_id": m["stage"], "successor_id": m["other_stage"],
    };

    "set_member_progress", DESKS, |m| {
        "member_id": m["fellow"], "milestone_id": m["copied_milestone"], "is_completed": true,
    };

    "list_wiki_articles", PEOPLE, |_m| { "tag": "a" };
    "get_wiki_article", PEOPLE, |m| { "id": m["article"] };
    "create_wiki_article", PEOPLE, |_m| { "title": "New" };
    "update_wiki_article", GLOBAL_ADMINS, |m| { "id": m["article"], "metadata": { "y": 2 } };
    "publish_wiki_article", GLOBAL_ADMINS, |m| { "id": m["article"] };

    "remove_stage_dependency", GLOBAL_ADMINS, |m| { "id": m["edge"] };
    "delete_milestone", GLOBAL_ADMINS, |m| { "id": m["milestone"] };
    "delete_stage", GLOBAL_ADMINS, |m| { "id": m["stage"] };
    "delete_program", GLOBAL_ADMINS, |m| { "id": m["program"] };
    "delete_lesson", GLOBAL_ADMINS, |m| { "id": m["lesson"] };
    "delete_course", GLOBAL_ADMINS, |m| { "id": m["course"] };
    "delete_member", DESK, |m| { "id": m["member"] };
    "update_profile", PEOPLE, |_m| { "name": "Olga" };
];
