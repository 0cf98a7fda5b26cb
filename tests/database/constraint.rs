//! Every constraint that a caller can violate has a sentence.

use frontdesk_server::database::constraint::{Convention, Explanation, explain, sentences};
use frontdesk_tests::{run, world};
use tokio_postgres::Client;

/// Constraints that no argument can violate: only the server writes these values.
const INTERNAL: &[&str] = &[
    "answers_is_accepted_key",
    "attempts_number_key",
    "invitations_token_key",
    "invoices_number_key",
    "meeting_concepts_parent_check",
    "meeting_expertise_parent_check",
    "meeting_occurrences_transcriber_transcript_id_check",
    "meeting_participants_meeting_label_key",
    "meeting_participants_occurrence_label_key",
    "meeting_participants_parent_check",
    "meeting_tools_parent_check",
    "meeting_underlines_parent_check",
    "meetings_transcriber_transcript_id_check",
    "member_label_aliases_alias_key",
    "slides_position_key",
    "statement_lines_once_key",
    "submissions_submitted_at_check",
    "tasks_identifier_key",
    "tasks_number_key",
    "thumbnails_digest_key",
    "transcript_segments_parent_check",
];

/// A constraint of a table that callers write.
struct Constraint {
    table: String,
    name: String,
    /// `c`, `f` or `u`.
    kind: String,
    /// Its columns without the organisation's.
    columns: Vec<String>,
    definition: String,
}

const CONSTRAINTS: &str = "
    with written as (
      select c.oid, c.relname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
        and has_any_column_privilege('authenticated', c.oid, 'insert, update')
    ), found as (
      select k.conrelid as oid, k.conname::text as name, k.contype::text as kind, k.conkey::int2[] as keys,
             pg_get_constraintdef(k.oid) as definition
      from pg_constraint k where k.contype in ('c', 'f')
      union all
      select i.indrelid, i.indexrelid::regclass::text, 'u', i.indkey::int2[], pg_get_indexdef(i.indexrelid)
      from pg_index i
      where i.indisunique and not i.indisprimary and not exists (
        select from pg_attribute a where a.attrelid = i.indrelid and a.attnum = any (i.indkey) and a.attname = 'id')
    )
    select w.relname, regexp_replace(f.name, '^.*\\.', ''), f.kind, array(
             select a.attname::text from pg_attribute a
             where a.attrelid = f.oid and a.attnum = any (f.keys) and a.attname not in ('organization_id', 'owner_id')),
           f.definition
    from found f join written w using (oid) order by 1, 2";

async fn constraints(client: &Client) -> Vec<Constraint> {
    let rows = client.query(CONSTRAINTS, &[]).await.expect("constraints");
    let rows = rows.iter().map(|row| Constraint {
        table: row.get(0),
        name: row.get(1),
        kind: row.get(2),
        columns: row.get(3),
        definition: row.get(4),
    });
    rows.collect()
}

impl Constraint {
    /// Whether a caller who violates it gets a sentence that fits.
    fn is_explained(&self) -> bool {
        let is_of = |field: &str| self.columns == [field];
        match explain(&self.table, &self.name) {
            Some(Explanation::Own { .. }) => true,
            Some(Explanation::Named { field, convention }) => match convention {
                Convention::Reference => self.kind == "f",
                Convention::Unique => self.kind == "u" && is_of(field),
                Convention::Slug => is_of(field),
                Convention::Size => self.definition.contains(&format!("is_bounded({field})")),
                Convention::Words => is_of(field) && self.definition.contains("= ANY (ARRAY["),
            },
            None => false,
        }
    }
}

/// The constraints that need an entry in the server's table of sentences.
async fn unexplained(client: &Client) -> Vec<String> {
    let constraints = constraints(client).await;
    let left = constraints.into_iter().filter(|constraint| {
        !constraint.is_explained() && !INTERNAL.contains(&constraint.name.as_str())
    });
    left.map(|constraint| constraint.name).collect()
}

#[test]
fn every_constraint_that_a_caller_can_violate_has_a_sentence() {
    run(async {
        let owner = world().owner().await;
        assert_eq!(unexplained(&owner).await, <[String; 0]>::default());
    });
}

#[test]
fn a_constraint_without_a_sentence_is_found() {
    run(async {
        let mut owner = world().owner().await;
        let transaction = owner.transaction().await.expect("a transaction");
        let add = "alter table events.guests \
            add constraint guests_phone_number_check check (phone_number <> 'none') not valid, \
            add constraint guests_sponsor foreign key (member_id, organization_id) \
              references learn.members (id, organization_id) not valid; \
            create unique index guests_email_key on events.guests (event_id, organization_id, email) \
              where name = 'no guest of another test'";
        transaction.batch_execute(add).await.expect("added");
        let found = unexplained(transaction.client()).await;
        let expected = [
            "guests_email_key",
            "guests_phone_number_check",
            "guests_sponsor",
        ];
        assert_eq!(found, expected);
        transaction.rollback().await.expect("undone");
    });
}

#[test]
fn every_sentence_belongs_to_one_constraint() {
    run(async {
        let owner = world().owner().await;
        let names: Vec<_> = constraints(&owner)
            .await
            .into_iter()
            .map(|found| found.name)
            .collect();
        for name in sentences().chain(INTERNAL.iter().copied()) {
            let count = names.iter().filter(|found| *found == name).count();
            assert_eq!(count, 1, "{name}");
        }
    });
}
