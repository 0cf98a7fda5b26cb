//! A school that the stories at the screen are about: set up by its owner before a story begins, changed
//! by others meanwhile, and looked at from the other side.

use frontdesk_protocol::id::{EventId, GuestId, MeetingId, OccurrenceId};
use frontdesk_protocol::{Host, Role};
use jiff::Timestamp;
use serde_json::{Value, json};
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use crate::builder::Organization;
use crate::desk::{Desk, Setup, desk};
use crate::http::Http;
use crate::world::{run, world};

/// The event that most stories are about: today from 10:00 to 18:00, with twelve guests, two of whom came
/// already.
pub const LAUNCH: &str = "Launch";

const GUESTS: [&str; 12] = [
    "Ana Souza",
    "Anna-Maria von Hohenstein-Waldburg zu Wolfegg und Waldsee",
    "João Silva",
    "João Silva",
    "Łukasz Żółć",
    "Nguyễn Thị Minh Khai",
    "O'Brien, Siobhán",
    "Ulla Lindqvist",
    "Zoë Müller",
    "Åsa Öberg",
    "דנה כהן",
    "田中さくら",
];

/// A time.
pub fn at(text: &str) -> Timestamp {
    text.parse().expect("a time")
}

/// The desk of the launch, at which staff is signed in.
pub fn at_the_door() -> Desk {
    School::launch().desk(Role::Staff).at(LAUNCH)
}

/// The same behind a network that can fail.
pub fn at_a_shaky_door() -> Desk {
    School::launch()
        .desk(Role::Staff)
        .over_a_network()
        .at(LAUNCH)
}

/// A school, and what the database holds of it.
#[derive(Debug, Clone, Copy)]
pub struct School {
    /// The organisation that it is.
    pub organization: Organization,
}

impl School {
    /// A school without events.
    pub fn new() -> School {
        School::with_rows(|_| String::new())
    }

    /// A school with the launch.
    pub fn launch() -> School {
        let event = Uuid::now_v7();
        School::with_rows(
            |Organization {
                 id, business_unit, ..
             }| {
                let mut rows = format!(
                    "insert into events.events \
                   (id, organization_id, strategy_business_unit_id, name, start_at, end_at, location) \
                 values ('{event}', '{id}', '{business_unit}', '{LAUNCH}', '2025-03-12 13:00Z', \
                   '2025-03-12 21:00Z', 'Main hall');"
                );
                for (number, name) in GUESTS.iter().enumerate() {
                    let came = match number {
                        0 => "'2025-03-12 12:34Z'",
                        2 => "'2025-03-12 12:41Z'",
                        _ => "null",
                    };
                    let (guest, name) = (Uuid::now_v7(), name.replace('\'', "''"));
                    rows += &format!(
                        "insert into events.guests (id, organization_id, event_id, name, check_in_at) \
                     values ('{guest}', '{id}', '{event}', '{name}', {came});"
                    );
                }
                rows
            },
        )
    }

    /// A school, and what these statements add.
    fn with_rows(rows: impl FnOnce(&Organization) -> String) -> School {
        let name = |id| {
            format!("update app.organizations set name = 'Riverside School' where id = '{id}';")
        };
        School::of(&run(Organization::create_with(|organization| {
            name(organization.id) + &rows(organization)
        })))
    }

    /// This organisation.
    pub fn of(organization: &Organization) -> School {
        School {
            organization: *organization,
        }
    }

    // What the owner sets up, and what others do meanwhile -----------------------------------

    /// A desk at which this role is signed in.
    pub fn desk(&self, role: Role) -> Setup {
        desk(self).signed_in_as(role)
    }

    /// An event of today, from 10:00 to 18:00.
    pub fn with_event(self, name: &str) -> School {
        let event = self.add_event_at(name, at("2025-03-12T13:00:00Z"));
        self.change(
            "update events.events set end_at = $2, location = 'Main hall' where id = $1",
            &[&event.0, &at("2025-03-12T21:00:00Z")],
        );
        self
    }

    /// An event of today with this many guests, called Guest 0001 and so on.
    pub fn with_crowd(self, event: &str, guests: i32) -> School {
        let school = self.with_event(event);
        school.change(
            "insert into events.guests (organization_id, event_id, name) \
             select $1, $2, 'Guest ' || lpad(n::text, 4, '0') from generate_series(1, $3) n",
            &[
                &school.organization.id.0,
                &school.event_id(event).0,
                &guests,
            ],
        );
        school
    }

    /// An event without a start.
    pub fn add_event(&self, name: &str) -> EventId {
        run(self.organization.event(name))
    }

    /// An event that begins at this time.
    pub fn add_event_at(&self, name: &str, start: Timestamp) -> EventId {
        let event = self.add_event(name);
        self.change(
            "update events.events set start_at = $2 where id = $1",
            &[&event.0, &start],
        );
        event
    }

    /// Guests of the event of this name.
    pub fn add_guests(&self, event: &str, names: &[&str]) -> Vec<GuestId> {
        run(self.organization.guests(self.event_id(event), names))
    }

    /// A guest with a role and an e-mail address; empty ones are not stored.
    pub fn add_guest_with(&self, event: &str, name: &str, role: &str, email: &str) -> GuestId {
        let event = self.event_id(event);
        run(self.organization.guest_with(event, name, role, email))
    }

    /// The guest with this name has another seller's ticket with this code.
    pub fn give_ticket(&self, name: &str, code: &str) {
        let guest = self.guest(name).id.0;
        self.change(
            "update events.guests set tags = jsonb_build_object('ticket_code', $2::text) where id = $1",
            &[&guest, &code],
        );
    }

    /// The guest has these tags.
    pub fn tag(&self, guest: GuestId, tags: &Value) {
        self.change(
            "update events.guests set tags = $2 where id = $1",
            &[&guest.0, tags],
        );
    }

    /// The fellow is a guest of the event of this name.
    pub fn add_fellow(&self, event: &str) {
        let guest = self.add_guests(event, &["Fellow"])[0];
        self.change(
            "update events.guests set member_id = $2 where id = $1",
            &[&guest.0, &self.organization.fellow.0],
        );
    }

    /// Somebody changes the guest with this name.
    pub fn changes_guest(&self, name: &str) {
        let guest = self.guest(name).id.0;
        let sql = "update events.guests set phone_number = '+351912345678' where id = $1";
        self.change(sql, &[&guest]);
    }

    /// Deletes the guest with this name.
    pub fn remove_guest(&self, name: &str) {
        let guest = self.guest(name).id.0;
        self.change("delete from events.guests where id = $1", &[&guest]);
    }

    /// The guest came at this time.
    pub fn came(&self, guest: GuestId, at: Timestamp) {
        self.change(
            "update events.guests set check_in_at = $2 where id = $1",
            &[&guest.0, &at],
        );
    }

    /// Another desk checks the guest in, as somebody else's program does it; the guest came at `at`.
    pub fn another_desk_checks_in(&self, name: &str, at: Timestamp) {
        let (guest, at) = (self.guest(name).id, at.to_string());
        run(async {
            let mut other = self.sign_in(Role::Teacher).await;
            let arguments = json!({ "id": guest });
            let answer = other.events_at("check_in_guest", arguments, &at).await;
            answer.output();
        });
    }

    /// Somebody of this role calls these tools of a host.
    pub fn calls(
        &self,
        role: Role,
        host: Host,
        calls: impl IntoIterator<Item = (&'static str, Value)>,
    ) {
        run(async {
            let mut caller = self.sign_in(role).await;
            for (tool, arguments) in calls {
                caller.call(host, tool, arguments).await.output();
            }
        });
    }

    /// Somebody of this role, elsewhere.
    pub fn colleague(&self, role: Role) -> Colleague {
        Colleague(run(self.sign_in(role)))
    }

    /// A caller who is signed in as this role.
    pub async fn sign_in(&self, role: Role) -> Http {
        self.organization.sign_in(role).await
    }

    /// The fellow joins a cohort, given by its id as JSON.
    pub fn join(&self, cohort: &Value) {
        run(self
            .organization
            .join_cohort(cohort, self.organization.fellow));
    }

    /// The account of one role gets another.
    pub fn give_role(&self, of: Role, role: Role) {
        self.change(
            "update staff.users set role = $2 where id = $1",
            &[&self.organization.user(of).0, &role.name()],
        );
    }

    /// The account of this role has none any more.
    pub fn take_role(&self, of: Role) {
        self.change(
            "update staff.users set is_active = false where id = $1",
            &[&self.organization.user(of).0],
        );
    }

    /// The account of this role has this global level.
    pub fn set_level(&self, role: Role, level: i32) {
        run(self.organization.level(role, level));
    }

    /// The account's sign-ins are ended, as when somebody signs it out everywhere.
    pub fn end_sign_ins(&self, role: Role) {
        self.change(
            "update auth.sessions set revoked_at = now() where user_id = $1",
            &[&self.organization.user(role).0],
        );
    }

    /// A series of meetings.
    pub fn add_series(&self, title: &str) -> MeetingId {
        run(self.organization.series(title))
    }

    /// An occurrence of a series on this day, such as `2025-03-04`, with a transcript's text and id.
    pub fn add_occurrence(
        &self,
        series: MeetingId,
        date: &str,
        text: Option<&str>,
        transcript_id: Option<&str>,
    ) -> OccurrenceId {
        run(self
            .organization
            .occurrence(series, date, text, transcript_id))
    }

    /// Changes the database, above the policies. Something must change.
    pub fn change(&self, sql: &str, params: &[&(dyn ToSql + Sync)]) {
        let sql = format!("{sql} returning 1");
        let changed = run(world().as_owner(&sql, params));
        assert!(!changed.is_empty(), "nothing is changed: {sql}");
    }

    // What the database holds ----------------------------------------------------------------

    /// The one column of the rows that a statement finds, as texts.
    pub fn texts(&self, sql: &str, params: &[&(dyn ToSql + Sync)]) -> Vec<Option<String>> {
        let sql = format!("select found::text from ({sql}) as rows (found)");
        let rows = run(world().as_owner(&sql, params));
        rows.iter().map(|row| row.get(0)).collect()
    }

    /// The one value that a statement finds.
    pub fn value(&self, sql: &str, params: &[&(dyn ToSql + Sync)]) -> Option<String> {
        let mut found = self.texts(sql, params);
        assert_eq!(found.len(), 1, "{sql}");
        found.remove(0)
    }

    /// How many rows of a table, as an SQL expression, are this organisation's.
    pub fn count(&self, rows: &str) -> usize {
        let sql = format!("select count(*) from {rows} and organization_id = $1");
        let count = self.value(&sql, &[&self.organization.id.0]);
        count
            .and_then(|count| count.parse().ok())
            .expect("a number")
    }

    /// The one guest of this name.
    pub fn guest(&self, name: &str) -> StoredGuest {
        let sql =
            "select id, check_in_at from events.guests where organization_id = $1 and name = $2";
        let id = self.organization.id.0;
        let rows = run(async { world().as_owner(sql, &[&id, &name]).await });
        let [row] = &rows[..] else {
            panic!("not one guest of this name: {rows:?}");
        };
        StoredGuest {
            id: GuestId(row.get(0)),
            check_in_at: row.get(1),
        }
    }

    /// Whether this guest is in.
    pub fn is_in(&self, guest: GuestId) -> bool {
        run(self.organization.checked_in_at(guest)).is_some()
    }

    /// The last guests of an event by name, at most this many.
    pub fn last_guests(&self, event: &str, most: usize) -> Vec<GuestId> {
        let sql = "select id from events.guests where organization_id = $1 and event_id = $2 \
             order by name desc limit $3";
        let event = self.event_id(event);
        let params: [&(dyn ToSql + Sync); 3] = [
            &self.organization.id.0,
            &event.0,
            &i64::try_from(most).expect("a number"),
        ];
        let rows = run(world().as_owner(sql, &params));
        rows.iter().map(|row| GuestId(row.get(0))).collect()
    }

    /// How many guests of its events are in.
    pub fn here(&self) -> usize {
        self.count("events.guests where check_in_at is not null")
    }

    /// How many guests its events have.
    pub fn guests(&self) -> usize {
        self.count("events.guests where true")
    }

    /// The address that the account of this role signs in with.
    pub fn email(&self, role: Role) -> String {
        self.organization.email(role)
    }

    /// The event of this name.
    pub fn event_id(&self, name: &str) -> EventId {
        let sql = "select id from events.events where organization_id = $1 and name = $2";
        let id = self.value(sql, &[&self.organization.id.0, &name]);
        let id: Option<Uuid> = id.and_then(|id| id.parse().ok());
        EventId(id.expect("an event"))
    }

    /// A column of its one event, as text; none if missing.
    pub fn event(&self, column: &str) -> Option<String> {
        self.value(
            &format!("select {column} from events.events where organization_id = $1"),
            &[&self.organization.id.0],
        )
    }

    /// A column of a meeting, as text; none if missing.
    pub fn meeting(&self, meeting: MeetingId, column: &str) -> Option<String> {
        self.value(
            &format!("select {column} from work.meetings where id = $1"),
            &[&meeting.0],
        )
    }
}

impl Default for School {
    fn default() -> Self {
        School::new()
    }
}

/// Somebody who works at the school with another program.
#[derive(Debug, Clone)]
pub struct Colleague(Http);

impl Colleague {
    /// The record that a tool of a host writes.
    pub fn make(&mut self, host: Host, tool: &str, arguments: Value) -> Value {
        let answer = run(self.0.call(host, tool, arguments));
        let mut results = answer.output().as_object().into_iter().flatten();
        let first = results.next().map(|(_, one)| one.clone());
        first.unwrap_or_default()
    }

    /// Makes these calls at once, as a part of an action, `"new"` or an id. Returns its id.
    pub fn batch(&mut self, host: Host, calls: &[Value], action: &Value) -> Value {
        let arguments = json!({ "host": host.area(), "calls": calls });
        let meta = json!({ "frontdesk/action": action });
        let params = json!({ "name": "run_batch", "arguments": arguments, "_meta": meta });
        let answer = run(self.0.rpc(Host::Ops, "tools/call", params));
        answer.result()["_meta"]["frontdesk/action"].clone()
    }
}

/// What the database holds of a guest.
#[derive(Debug, Clone, Copy)]
pub struct StoredGuest {
    /// The guest.
    pub id: GuestId,
    /// When the guest came.
    pub check_in_at: Option<Timestamp>,
}

impl StoredGuest {
    /// The guest is in.
    pub fn is_checked_in(&self) {
        assert!(self.check_in_at.is_some(), "the guest is not in");
    }

    /// The guest is not in.
    pub fn is_not_checked_in(&self) {
        assert_eq!(self.check_in_at, None, "the guest is in");
    }

    /// The guest came at this time.
    pub fn came_at(&self, at: Timestamp) {
        assert_eq!(self.check_in_at, Some(at));
    }
}
