//! The Platform host: accounts, apps, media, sandboxes, messages.

use frontdesk_protocol::{Host, Role};

use super::{ALL_BUT_FELLOWS, Area, Case, DESK, May, OWNERS, Record, STAFF, TEACHING_AND_MACHINES};

const MANAGERS: May = May(&[Role::Owner, Role::Admin], &[]);
const MANAGERS_AND_MACHINES: May = May(&[Role::Owner, Role::Admin, Role::Automation], &[]);
/// Everybody with a staff row, except finance.
const BUILDERS: May = TEACHING_AND_MACHINES;
/// Everybody with a staff row.
const ACCOUNTS: May = ALL_BUT_FELLOWS;
const EVERYBODY: May = May(&Role::ALL, &[]);
/// Roles that check guests in.
const DOOR: May = May(&[Role::Owner, Role::Admin, Role::Staff, Role::Teacher], &[]);
/// Roles that read the books.
const LEDGER: May = May(&[Role::Owner, Role::Admin, Role::Staff, Role::Finance], &[]);
/// The owner, and every caller of level 80.
const GLOBAL_ADMINS: May = May(&[Role::Owner], &Role::ALL);

pub(crate) const AREA: Area = Area {
    host: Host::Ops,
    records: RECORDS,
    cases: CASES,
    // In tests/wire/ops.rs: the creator of a sandbox can end it, too.
    elsewhere: &[
        ("report_sandbox", BUILDERS),
        ("report_sandbox", MANAGERS_AND_MACHINES),
        ("end_sandbox", BUILDERS),
        ("end_sandbox", MANAGERS),
        // Nobody reads the messages of others.
        ("list_agent_messages", EVERYBODY),
        ("list_agent_messages", May(&[], &[])),
        // In tests/wire/office.rs.
        ("event_report", STAFF),
        ("cohort_milestones", STAFF),
        ("suggest_matches", LEDGER),
        // In tests/wire/agenda.rs.
        ("agenda", EVERYBODY),
        // In tests/wire/search.rs.
        ("search", EVERYBODY),
        // A batch may what its calls may.
        ("run_batch", EVERYBODY),
        // In tests/wire/changes.rs: owners and global admins see all changes, others their own.
        ("preview_call", EVERYBODY),
        ("apply_call", EVERYBODY),
        ("list_changes", EVERYBODY),
        ("list_changes", GLOBAL_ADMINS),
        ("get_change", EVERYBODY),
        ("get_change", GLOBAL_ADMINS),
        ("undo_change", EVERYBODY),
        ("undo_change", GLOBAL_ADMINS),
    ],
};

const RECORDS: &[Record] = records![
    "app", "register_app", |m| {
        "name": "Helper", "description": "Helps.", "url": "https://example.org/app", "account_id": m["automation_user"],
    };
    "media", "register_media", |_m| {
        "name": "Logo", "kind": "image", "url": "https://example.org/logo.png", "description": "A sun.", "bytes": 2048,
    };
    "sandbox", "create_sandbox", |m| { "name": "Try", "purpose": "To try.", "app_id": m["app"] };
    "event", "create_event", |m| {
        "name": "Open day", "strategy_business_unit_id": m["business_unit"], "start_at": "2026-03-05T12:00:00Z",
    };
    "guest", "create_event_guest", |m| { "event_id": m["event"], "name": "Ana" };
    "twin", "create_event_guest", |m| { "event_id": m["event"], "name": "Ana S." };
    "gone", "create_event_guest", |m| { "event_id": m["event"], "name": "Zoe" };
    "message", "send_agent_message", |m| {
        "recipient_id": m["fellow_user"], "subject": "Welcome", "body": "Hello.",
    };
];

const CASES: &[Case] = cases![
    "get_context", EVERYBODY, |_m| {};
    "list_accounts", MANAGERS, |_m| { "role": "fellow", "search": "FELLOW" };
    "set_account_level", MANAGERS, |m| { "id": m["fellow_user"], "level": 0 };
    "issue_account_password_link", OWNERS, |m| { "id": m["fellow_user"] };
    "list_apps", ACCOUNTS, |_m| { "search": "HELP" };
    "register_app", MANAGERS, |_m| { "name": "New" };
    "search", EVERYBODY, |_m| { "text": "logo", "kind": "media" };
    "list_media", EVERYBODY, |_m| { "kind": "image", "search": "LOGO" };
    "register_media", BUILDERS, |_m| { "name": "New", "kind": "video", "url": "https://example.org/new" };
    "list_sandboxes", BUILDERS, |m| { "status": "running", "app_id": m["app"], "search": "TRY" };
    "create_sandbox", BUILDERS, |_m| { "name": "New" };
    "report_sandbox", MANAGERS_AND_MACHINES, |m| { "id": m["sandbox"], "url": "https://example.org/try" };
    "end_sandbox", MANAGERS, |m| { "id": m["sandbox"] };
    "send_agent_message", ACCOUNTS, |m| {
        "recipient_id": m["fellow_user"], "subject": "New", "body": "Hello.",
    };
    "run_batch", EVERYBODY, |_m| { "host": "ops", "calls": [{ "tool": "list_media" }] };
    "run_batch", DESK, |m| { "host": "events", "calls": [
        { "tool": "update_event", "arguments": { "id": m["event"], "location": "Garden" } },
    ] };
    "run_batch", OWNERS, |_m| { "host": "staff", "calls": [
        { "tool": "update_organization", "arguments": { "name": "Lakeside School" } },
    ] };
    "check_in_guests", DOOR, |m| { "event_id": m["event"], "ids": [m["guest"]] };
    "add_guests", DESK, |m| { "event_id": m["event"], "guests": [{ "name": "Bea" }] };
    "move_event", DESK, |m| { "event_id": m["event"], "start_at": "2026-03-06T12:00:00Z" };
    "create_work_tree", DESK, |m| {
        "name": "Opening", "deliveries": [{ "name": "Chairs" }],
        "tasks": [{ "name": "Count", "stage_id": "execution", "context": {}, "owner_id": m["member"] }],
    };
    "merge_guests", DESK, |m| { "keep_id": m["guest"], "remove_id": m["twin"] };
    "remove_guest", DESK, |m| { "id": m["gone"] };
    "list_agent_messages", EVERYBODY, |m| { "with_account_id": m["fellow_user"], "search": "E" };
    "set_account_active", OWNERS, |m| { "id": m["finance_user"], "is_active": false };
    "forget_person", OWNERS, |m| { "member_id": m["fellow"] };
    "remove_account", OWNERS, |m| { "id": m["teacher_user"] };
];
