//! Two organisations: one whose rows everybody reaches for, and one next door.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use frontdesk_protocol::id::{
    EventId, ExpenseId, GuestId, MemberId, OrganizationId, PhotoId, SessionId, TaskId,
};
use frontdesk_tests::blocking::{Organization, Owner, world};
use frontdesk_tests::run;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

/// A row of each kind in two organisations.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) ours: Organization,
    pub(crate) theirs: Organization,
    /// The rows of `ours`.
    pub(crate) rows: Rows,
    /// The rows of `theirs`.
    pub(crate) their_rows: Rows,
}

/// One event and what belongs to it.
#[derive(Debug)]
pub(crate) struct Rows {
    pub(crate) event: EventId,
    /// Both guests take part in it.
    pub(crate) session: SessionId,
    /// The guest who is the organisation's fellow; has a chat id.
    pub(crate) own_guest: GuestId,
    /// A guest who is nobody's member; has a chat id.
    pub(crate) other_guest: GuestId,
    /// The task that is assigned to the fellow.
    pub(crate) own_task: TaskId,
    /// A task that is assigned to another member.
    pub(crate) other_task: TaskId,
    pub(crate) expense: ExpenseId,
    /// The organisation's other member, who has a profile here, is tagged in it.
    pub(crate) photo: PhotoId,
}

impl Stage {
    pub(crate) fn set() -> Stage {
        let ours = Organization::create();
        let theirs = Organization::create();
        Stage {
            rows: Rows::of(&ours),
            their_rows: Rows::of(&theirs),
            ours,
            theirs,
        }
    }

    /// What both organisations have in the database.
    pub(crate) fn snapshot(&self) -> Snapshot {
        snapshot(&[self.ours.id, self.theirs.id])
    }
}

impl Rows {
    fn of(organization: &Organization) -> Rows {
        let event = organization.event("Open day");
        let rows = Rows {
            event,
            session: SessionId(Uuid::now_v7()),
            own_guest: guest(organization, event, "Fellow", Some(organization.fellow)),
            other_guest: guest(organization, event, "Visitor", None),
            own_task: task(organization, event, organization.fellow),
            other_task: task(organization, event, organization.member),
            expense: ExpenseId(Uuid::now_v7()),
            photo: PhotoId(Uuid::now_v7()),
        };
        let (id, of) = (organization.id.0, event.0);
        write(
            "insert into events.sessions (id, organization_id, event_id, title) \
             values ($1, $2, $3, 'Welcome')",
            &[&rows.session.0, &id, &of],
        );
        write(
            "insert into events.session_guests (session_id, event_id, organization_id, guest_id) \
             select $1, $2, $3, unnest($4::uuid[])",
            &[
                &rows.session.0,
                &of,
                &id,
                &vec![rows.own_guest.0, rows.other_guest.0],
            ],
        );
        write(
            "insert into events.expenses (id, organization_id, event_id, vendor_name) \
             values ($1, $2, $3, 'Bakery')",
            &[&rows.expense.0, &id, &of],
        );
        write(
            "insert into events.photos (id, organization_id, event_id, url) \
             values ($1, $2, $3, 'https://example.org/1.jpg')",
            &[&rows.photo.0, &id, &of],
        );
        write(
            "insert into events.photo_members (photo_id, organization_id, member_id) \
             values ($1, $2, $3)",
            &[&rows.photo.0, &id, &organization.member.0],
        );
        write(
            "insert into events.places (organization_id, event_id, name) values ($1, $2, 'Hall')",
            &[&id, &of],
        );
        write(
            "insert into events.movements (organization_id, event_id, guest_id, direction, verdict, at) \
             values ($1, $2, $3, 'out', 'not_inside', now())",
            &[&id, &of, &rows.other_guest.0],
        );
        write(
            "insert into learn.profiles (id, organization_id, member_id, name, chat_user_id) \
             values ($1, $2, $3, 'Member', 'chat-0123456789')",
            &[&Uuid::now_v7(), &id, &organization.member.0],
        );
        rows
    }
}

/// A guest with a chat id of its own.
pub(crate) fn guest(
    organization: &Organization,
    event: EventId,
    name: &str,
    member: Option<MemberId>,
) -> GuestId {
    let id = Uuid::now_v7();
    write(
        "insert into events.guests (id, organization_id, event_id, name, member_id, chat_id, email) \
         values ($1, $2, $3, $4, $5, 'chat-0123456789', 'guest@example.org')",
        &[
            &id,
            &organization.id.0,
            &event.0,
            &name,
            &member.map(|member| member.0),
        ],
    );
    GuestId(id)
}

/// A task of this member.
pub(crate) fn task(organization: &Organization, event: EventId, assignee: MemberId) -> TaskId {
    let id = Uuid::now_v7();
    write(
        "insert into events.tasks (id, organization_id, event_id, title, assignee_id) \
         values ($1, $2, $3, 'Badges', $4)",
        &[&id, &organization.id.0, &event.0, &assignee.0],
    );
    TaskId(id)
}

/// Writes as the owner, above the policies.
pub(crate) fn write(sql: &str, params: &[&(dyn ToSql + Sync)]) {
    run(world().as_owner(sql, params));
}

/// A digest of the rows in each table.
pub(crate) type Snapshot = BTreeMap<String, String>;

/// The tables in which two snapshots differ.
pub(crate) fn changed<'a>(before: &'a Snapshot, after: &Snapshot) -> Vec<&'a str> {
    let tables = before
        .iter()
        .filter(|(table, rows)| after[*table] != **rows);
    tables.map(|(table, _)| table.as_str()).collect()
}

/// The rows of these organisations, as the owner sees them. A snapshot costs more than a call: take
/// one before and one after several calls.
pub(crate) fn snapshot(organizations: &[OrganizationId]) -> Snapshot {
    static SQL: OnceLock<String> = OnceLock::new();
    let organizations: Vec<Uuid> = organizations.iter().map(|id| id.0).collect();
    let sql = SQL.get_or_init(|| of_every_table(&world().owner()));
    let rows = run(async { world().as_owner(sql, &[&organizations]).await });
    let digests = rows.iter().map(|row| (row.get(0), row.get(1)));
    digests.collect()
}

/// The query of a digest for each table whose rows belong to an organisation, without the numbers of transactions.
fn of_every_table(owner: &Owner) -> String {
    let tables = owner
        .query(
            "select c.oid::regclass::text, o.attname::text, array( \
               select n.attname::text from pg_attribute n \
               where n.attrelid = c.oid and n.atttypid = 'xid8'::regtype) \
             from pg_class c cross join lateral ( \
               select o.attname from pg_attribute o \
               left join pg_attrdef d on d.adrelid = o.attrelid and d.adnum = o.attnum \
               where o.attrelid = c.oid and not o.attisdropped \
                 and (o.attname in ('organization_id', 'owner_id') \
                      or o.attname = 'id' and c.oid = 'app.organizations'::regclass) \
               order by pg_get_expr(d.adbin, d.adrelid) = 'app.caller_org()' desc nulls last, o.attname limit 1) o \
             where c.relkind in ('r', 'p') and not c.relispartition and c.relrowsecurity",
            &[],
        )
        .expect("the catalogue");
    assert!(tables.len() >= 8, "{tables:?}");
    let digests = tables.iter().map(|row| {
        let (table, column): (String, String) = (row.get(0), row.get(1));
        let row = match row.get::<_, Vec<String>>(2).join(",") {
            numbers if numbers.is_empty() => "t".to_owned(),
            numbers => format!("(to_jsonb(t) - '{{{numbers}}}'::text[])"),
        };
        format!(
            "select '{table}', concat(count(*), ' rows ', sum(hashtextextended({row}::text, 0))) \
             from {table} t where t.{column} = any ($1)"
        )
    });
    digests.collect::<Vec<_>>().join(" union all ")
}
