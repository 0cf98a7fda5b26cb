//! The staff-management host: the staff and their invitations, invoices.

use frontdesk_protocol::{Host, Role};

use super::{Area, Case, DESK, May, OFFICE_AND_MACHINES, OWNERS, Record, STAFF};

const ADMINS: May = May(&[Role::Owner, Role::Admin], &[]);
const FINANCE: May = May(&[Role::Owner, Role::Admin, Role::Staff, Role::Finance], &[]);
const BILLING: May = OFFICE_AND_MACHINES;

pub(crate) const AREA: Area = Area {
    host: Host::Staff,
    records: RECORDS,
    cases: CASES,
    // In tests/wire/people.
    elsewhere: &[
        ("list_students", STAFF),
        // In tests/wire/factor.
        ("remove_second_factor", OWNERS),
    ],
};

const RECORDS: &[Record] = records![
    "invitation", "invite_staff", |_m| { "email": "ana@example.org", "name": "Ana", "role": "teacher" };
    "draft", "create_invoice", |m| {
        "billed_to": "Ana Souza", "email": "ana@example.org", "member_id": m["member"],
        "description": "March", "amount": 120.5, "due_on": "2026-03-31",
    };
    "cancelled", "create_invoice", |_m| {
        "billed_to": "Ana Souza", "description": "April", "amount": 1, "due_on": "2026-04-30",
    };
    "sent", "create_invoice", |_m| {
        "billed_to": "Bruno Lima", "description": "March", "amount": 80, "due_on": "2026-03-31",
    };
    "sent", "mark_invoice_sent", |m| { "id": m["sent"] };
    "paid", "record_payment", |m| { "invoice_id": m["sent"], "amount": 10 };
    "payment", "list_payments" at "/payments/0/id", |m| { "invoice_id": m["sent"] };
    "cohort", "create_cohort", |_m| { "name": "Turma do Norte" };
    "student", "create_member", |_m| { "name": "Caio", "personal_email": "caio@example.org" };
    "enrolled", "enroll_student", |m| { "member_id": m["student"], "cohort_id": m["cohort"] };
];

const CASES: &[Case] = cases![
    "list_staff", ADMINS, |_m| { "search": "OWNER@", "role": "owner", "is_active": true };
    "list_invitations", ADMINS, |_m| { "status": "open", "search": "ána" };
    "invite_staff", OWNERS, |_m| { "email": "Ben@Example.org", "name": "Ben", "role": "owner" };
    "renew_invitation", OWNERS, |m| { "id": m["invitation"] };
    "update_staff_user", ADMINS, |m| { "id": m["teacher_user"], "role": "staff", "member_id": m["member"] };
    "issue_password_link", OWNERS, |m| { "id": m["staff_user"] };
    "get_organization", STAFF, |_m| {};
    "update_organization", OWNERS, |_m| { "name": "Riverside School", "ticket_tags": ["barcode"], "agents": "tell", "second_factor": "optional" };

    "list_invoices", FINANCE, |m| { "status": "draft", "member_id": m["member"], "search": "souza" };
    "get_invoice", FINANCE, |m| { "id": m["sent"] };
    "create_invoice", FINANCE, |_m| {
        "billed_to": "Caio", "description": "May", "amount": 12.34, "due_on": "2026-05-31",
    };
    "update_invoice", FINANCE, |m| { "id": m["draft"], "amount": 99.99, "email": null };
    "list_due_invoices", BILLING, |_m| { "until": "2026-03-31" };
    "mark_invoice_sent", BILLING, |m| { "id": m["draft"] };
    "record_payment", FINANCE, |m| { "invoice_id": m["sent"], "amount": 30, "note": "Transfer" };
    "list_payments", FINANCE, |m| { "invoice_id": m["sent"] };
    "reverse_payment", FINANCE, |m| { "id": m["payment"] };
    "get_invoice", FINANCE, |m| { "id": m["sent"] };

    "enroll_student", DESK, |m| { "member_id": m["member"], "cohort_id": m["cohort"] };
    "invite_student", OWNERS, |m| { "member_id": m["student"] };
    "withdraw_student", DESK, |m| { "member_id": m["student"], "cohort_id": m["cohort"] };
    "cancel_invoice", FINANCE, |m| { "id": m["cancelled"] };
    "revoke_invitation", OWNERS, |m| { "id": m["invitation"] };
    "set_staff_active", OWNERS, |m| { "id": m["automation_user"], "is_active": false };
    "remove_staff_user", OWNERS, |m| { "id": m["finance_user"] };
];
