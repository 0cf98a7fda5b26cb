//! The sentences for violated constraints.
//!
//! A constraint is named `{table}_{field}_{check|key|fkey}`. References, keys of one text, fixed words, slugs and sizes
//! of free-form fields get their sentence from the name; `SENTENCES` has all others. A test walks the catalogue and
//! requires a sentence for every constraint that a caller can violate.

use super::said::quoted;

/// Constraints with their argument and sentence, sorted by schema and table.
#[rustfmt::skip]
const SENTENCES: &[(&str, &str, &str)] = &[
    // app
    ("organizations_currency_check", "currency", "must be a code of three capital letters, such as BRL"),
    ("organizations_slug_check", "slug", "must be at most 60 lower-case letters and digits, joined by '-'"),
    // campaigns
    ("metrics_clicks_check", "clicks", NOT_NEGATIVE),
    ("metrics_impressions_check", "impressions", NOT_NEGATIVE),
    ("metrics_reactions_check", "reactions", NOT_NEGATIVE),
    ("metrics_shares_check", "shares", NOT_NEGATIVE),
    // events
    ("events_end_at_check", "end_at", "must not be before start_at"),
    ("events_latitude_check", "latitude", "must be from -90 to 90"),
    ("events_longitude_check", "longitude", "must be from -180 to 180"),
    ("expenses_amount_estimated_check", "amount_estimated", NOT_NEGATIVE),
    ("expenses_amount_paid_check", "amount_paid", NOT_NEGATIVE),
    ("guests_member_id_key", "member_id", "this member is already a guest of the event"),
    ("places_capacity_check", "capacity", "must be from 1 to 1000000"),
    ("places_closes_at_check", "closes_at", "must be after opens_at"),
    ("session_guests_guest_ids_fkey", "guest_ids", "there is no such guest at this event"),
    ("sessions_end_time_check", "end_time", "must not be before start_time"),
    ("tasks_due_date_check", "due_date", "must not be before start_date"),
    // financing
    ("journal_entries_reverses_id_key", "id", "this entry is already reversed"),
    ("journal_lines_amount_check", "lines", "each amount must be more than 0"),
    ("statement_lines_amount_check", "amount", "must not be 0"),
    ("statement_lines_journal_entry_id_key", "journal_entry_id", "this entry is already reconciled with another line: choose another one"),
    // learn
    ("lessons_duration_check", "duration", NOT_NEGATIVE),
    ("milestones_points_check", "points", NOT_NEGATIVE),
    ("milestones_position_check", "position", NOT_NEGATIVE),
    ("profiles_fellow_slug_check", "fellow_slug", "must be lower-case letters, digits and '-'"),
    ("profiles_level_check", "level", "must be from 0 to 100"),
    ("profiles_code_host_login_key", "code_host_login", "another account of the organisation has this login: remove it there first"),
    ("profiles_member_id_key", "member_id", "this member is linked to another account: unlink it there first"),
    ("programs_cohort_id_check", "cohort_id", "must be given for an instance, and not for a template"),
    ("programs_cohort_id_key", "cohort_id", "this cohort already has a program"),
    ("programs_source_program_id_check", "source_program_id", "must not be given for a template"),
    ("stage_dependencies_successor_id_check", "successor_id", "must be another one than predecessor_id"),
    ("stage_dependencies_successor_id_key", "successor_id", "this dependency already exists"),
    ("stages_color_check", "color", "must be '#' and six hexadecimal digits, such as #1A2B3C"),
    ("stages_position_check", "position", NOT_NEGATIVE),
    ("tutor_profiles_version_key", "version", "this member already has this version: choose another one"),
    ("wiki_articles_metadata_check", "metadata", "must be an object"),
    // ops
    ("media_bytes_check", "bytes", NOT_NEGATIVE),
    ("media_url_key", "url", "this address is already registered"),
    ("messages_recipient_id_check", "recipient_id", "must be another account than yours"),
    ("sandboxes_expires_at_check", "expires_at", "must be later than now, and within seven days"),
    // payments
    ("fellow_payments_amount_check", "amount", ABOVE_0),
    ("fellow_payments_transaction_id_key", "transaction_id", "this transaction already pays another payment: choose another one"),
    ("transactions_amount_check", "amount", ABOVE_0),
    ("transactions_reference_key", "reference", "a transaction with this reference is already recorded"),
    // plans
    ("adrs_status_superseded_by_check", "superseded_by", "must be given for the status superseded, and for no other"),
    ("adrs_superseded_by_check", "superseded_by", "must be another ADR"),
    // proposals
    ("submissions_tender_id_key", "tender_id", "this tender already has a submission"),
    ("tenders_questions_check", "questions", "each question must be listed once"),
    // quiz
    ("dispatches_guest_id_key", "guest_id", "this guest already has this form"),
    ("forms_fields_check", "fields", "must not be empty"),
    ("forms_fields_options_check", "fields", "a choice must have two or more options, and no other field any"),
    ("quizzes_max_attempts_check", "max_attempts", "must be from 1 to 10"),
    ("quizzes_pass_percentage_check", "pass_percentage", "must be from 0 to 100"),
    ("quizzes_questions_check", "questions", "must not be empty"),
    ("responses_dispatch_id_key", "dispatch_id", "this form was already answered: a guest responds once"),
    // staff
    ("invitations_email_check", "email", "must be in lower case"),
    ("invitations_email_key", "email", "this address already has an open invitation: revoke it first"),
    ("invitations_member_id_check", "member_id", "must be given for a student, and for nobody else"),
    ("invitations_revoked_at_check", "id", "this invitation was accepted: see set_staff_active"),
    ("invoices_amount_check", "amount", ABOVE_0),
    ("invoices_paid_check", "amount", "must not be more than is outstanding"),
    ("invoices_status_paid_check", "invoice_id", "must be an invoice that was sent and not cancelled"),
    ("payments_amount_check", "amount", ABOVE_0),
    // studio
    ("thumbnails_image_check", "title", "the picture would exceed 2 MB, the limit of YouTube: shorten the title"),
    ("video_lessons_video_url_check", "video_url", "must be given for a published video lesson"),
    // work
    ("deliveries_number_of_completed_tasks_check", "number_of_completed_tasks", NOT_NEGATIVE),
    ("deliveries_number_of_tasks_check", "number_of_tasks", NOT_NEGATIVE),
    ("deliveries_price_check", "price", NOT_NEGATIVE),
    ("deliveries_price_per_point_check", "price_per_point", NOT_NEGATIVE),
    ("deliveries_total_points_check", "total_points", NOT_NEGATIVE),
    ("meeting_occurrences_occurrence_date_key", "occurrence_date", "the series already has an occurrence on this day"),
    ("meetings_transcriber_transcript_id_key", "transcriber_transcript_id", "another meeting already has this transcript"),
    ("member_label_aliases_confidence_check", "confidence", "must be from 0 to 1"),
    ("placements_ended_at_check", "ended_at", "must not be before started_at"),
    ("tasks_context_check", "context", "must be an object"),
    ("tasks_context_size_check", "context", "must be at most 65536 bytes of JSON, as stored"),
    ("tasks_points_check", "points", NOT_NEGATIVE),
];

const NOT_NEGATIVE: &str = "must not be negative";
const ABOVE_0: &str = "must be more than 0";

/// A kind of constraint whose sentence follows from its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Convention {
    /// `{table}_{field}_fkey`: a reference.
    Reference,
    /// `{table}_{field}_key`: a text that only one record of the organisation can have.
    Unique,
    /// `{table}_slug_check`.
    Slug,
    /// `{table}_{field}_size_check`: a free-form field.
    Size,
    /// `{table}_{field}_check`: one of fixed words.
    Words,
}

/// What a constraint is about.
#[derive(Debug, PartialEq, Eq)]
pub enum Explanation<'a> {
    /// It has a sentence of its own.
    Own {
        /// The argument.
        field: &'static str,
        /// What would be right.
        sentence: &'static str,
    },
    /// Its sentence follows from its name.
    Named {
        /// The argument.
        field: &'a str,
        /// The kind of constraint.
        convention: Convention,
    },
}

/// What a constraint of a table is about; `None` if its name is not `{table}_{field}_{check|key|fkey}`.
pub fn explain<'a>(table: &str, constraint: &'a str) -> Option<Explanation<'a>> {
    let own = SENTENCES.iter().find(|(name, ..)| *name == constraint);
    if let Some((_, field, sentence)) = own {
        return Some(Explanation::Own { field, sentence });
    }
    let rest = constraint.strip_prefix(table)?.strip_prefix('_')?;
    let (field, convention) = [
        ("_fkey", Convention::Reference),
        ("_key", Convention::Unique),
        ("_size_check", Convention::Size),
        ("_check", Convention::Words),
    ]
    .into_iter()
    .find_map(|(end, convention)| Some((rest.strip_suffix(end)?, convention)))?;
    let convention = match (field, convention) {
        ("slug", Convention::Words) => Convention::Slug,
        _ => convention,
    };
    Some(Explanation::Named { field, convention })
}

/// The constraints that have a sentence of their own.
pub fn sentences() -> impl Iterator<Item = &'static str> {
    SENTENCES.iter().map(|(name, ..)| *name)
}

/// The sentence of a constraint that is explained by its name. `Convention::Unique` names the value if it is known.
pub(crate) fn sentence(field: &str, convention: Convention, value: Option<&str>) -> String {
    match convention {
        Convention::Reference => format!(
            "there is no such {} in your organisation",
            noun(field).replace('_', " ")
        ),
        Convention::Unique => {
            let value = value.map_or_else(|| "this one".to_owned(), quoted);
            format!(
                "choose a different {}: {value} is in use",
                field.replace('_', " ")
            )
        }
        Convention::Slug => {
            "must be lower-case letters and digits, joined by '-', such as open-day".to_owned()
        }
        Convention::Size => "must be at most 16384 bytes of JSON, as stored".to_owned(),
        Convention::Words => "must be one of the words in the tool's schema".to_owned(),
    }
}

/// The kind of record that a field refers to: `member` for `member_id`, `guest` for `guest_ids`.
fn noun(field: &str) -> &str {
    ["_ids", "_id", "_slug"]
        .into_iter()
        .find_map(|end| field.strip_suffix(end))
        .unwrap_or("record")
}
