//! Organisations, accounts and events for tests, created by the database's owner.

use frontdesk_postgres::Params;
use frontdesk_protocol::Role;
use frontdesk_protocol::id::{
    BusinessUnitId, EventId, GuestId, MeetingId, MemberId, OccurrenceId, OrganizationId, UserId,
};
use jiff::Timestamp;
use jiff::civil::Date;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::http::Http;
use crate::world::world;

/// Every account's password.
pub const PASSWORD: &str = "test-password";

/// Its hash, of the weakest parameters: checking it takes no time.
pub(crate) const HASH: &str =
    "$argon2id$v=19$m=8,t=1,p=1$ZnJvbnRkZXNrLXRlc3RzIQ$pAMa5vUa+FQ0meFAa5RexhPdt/sbSEKoUliYBdPSnxc";

/// An organisation with one account of each role, a business unit, and a member who is the fellow.
#[derive(Debug, Clone, Copy)]
pub struct Organization {
    /// The organisation.
    pub id: OrganizationId,
    /// Its business unit.
    pub business_unit: BusinessUnitId,
    /// The member whose account has the role fellow; the profile's chat id is `chat-fellow`.
    pub fellow: MemberId,
    /// A member without a profile.
    pub member: MemberId,
}

impl Organization {
    /// Creates an organisation.
    pub async fn create() -> Organization {
        Organization::create_with(|_| String::new()).await
    }

    /// Creates an organisation, and what these statements add.
    pub(crate) async fn create_with(more: impl FnOnce(&Organization) -> String) -> Organization {
        let organization = Organization {
            id: OrganizationId(Uuid::now_v7()),
            business_unit: BusinessUnitId(Uuid::now_v7()),
            fellow: MemberId(Uuid::now_v7()),
            member: MemberId(Uuid::now_v7()),
        };
        let rows = organization.rows() + &more(&organization);
        let create = format!("do $create$ begin {rows} end $create$");
        world().as_owner(&create, &[]).await;
        organization
    }

    /// The statements that add its rows, which are sent at once. The accounts are created one after the other.
    fn rows(&self) -> String {
        let Organization {
            id,
            business_unit,
            fellow,
            member,
        } = self;
        let mut rows = format!(
            "insert into app.organizations (id, name) values ('{id}', '{name}'); \
             insert into strategy.business_units (id, organization_id, name) \
               values ('{business_unit}', '{id}', 'Unit'); \
             insert into learn.members (id, organization_id, name) \
               values ('{fellow}', '{id}', 'Fellow'), ('{member}', '{id}', 'Member');",
            name = self.name(),
        );
        for role in Role::ALL {
            let (user, email) = (self.user(role), self.email(role));
            rows += &format!(
                "insert into auth.users (id, email, password_hash, created_at) \
                   values ('{user}', '{email}', '{HASH}', clock_timestamp());"
            );
            rows += &match role {
                Role::Fellow => format!(
                    "insert into learn.profiles (id, organization_id, member_id, name, chat_user_id) \
                     values ('{user}', '{id}', '{fellow}', 'Fellow', 'chat-fellow');"
                ),
                _ => format!(
                    "insert into staff.users (id, organization_id, role, created_at) \
                       values ('{user}', '{id}', '{}', clock_timestamp());",
                    role.name()
                ),
            };
        }
        rows
    }

    /// Its name.
    pub fn name(&self) -> String {
        format!("Organisation {}", self.id)
    }

    /// The id of the account of this role.
    pub fn user(&self, role: Role) -> UserId {
        UserId(Uuid::new_v5(&self.id.0, role.name().as_bytes()))
    }

    /// Its e-mail address.
    pub fn email(&self, role: Role) -> String {
        // Ids made in the same moment only differ at their end.
        let id = self.id.to_string();
        format!("{}@{}.test", role.name(), &id[id.len() - 8..])
    }

    /// Signs in as this role.
    pub async fn sign_in(&self, role: Role) -> Http {
        Http::sign_in(&world().url(), &self.email(role), PASSWORD).await
    }

    /// Gives the account of this role a profile with this global level.
    pub async fn level(&self, role: Role, level: i32) {
        let sql = "insert into learn.profiles (id, organization_id, name, level) values ($1, $2, $3, $4) \
                   on conflict (id) do update set level = excluded.level";
        let user = self.user(role).0;
        let params: Params<'_> = &[&user, &self.id.0, &role.name(), &level];
        world().as_owner(sql, params).await;
    }

    /// Gives the account of this role a second factor; returns its recovery codes.
    pub async fn second_factor(&self, role: Role) -> [&'static str; 2] {
        const CODES: [&str; 2] = ["AAAA-BBBB-CCCC-2222", "AAAA-BBBB-CCCC-3333"];
        let hash = |code: &str| Sha256::digest(code.replace('-', "")).to_vec();
        let sql = "select auth.turn_on_factor(u.id, u.epoch, null, '\\x00', 0, $2) from auth.users u where u.id = $1";
        let params: Params<'_> = &[&self.user(role).0, &CODES.map(hash).to_vec()];
        world().as_owner(sql, params).await;
        CODES
    }

    /// Owners and admins need a second factor from now on.
    pub async fn requires_second_factor(&self) {
        let sql = "update app.organizations set second_factor = 'required' where id = $1";
        world().as_owner(sql, &[&self.id.0]).await;
    }

    /// Puts a member into a cohort; the cohort's id is JSON.
    pub async fn join_cohort(&self, cohort: &serde_json::Value, member: MemberId) {
        let cohort: Uuid = cohort
            .as_str()
            .and_then(|id| id.parse().ok())
            .expect("an id");
        let sql = "insert into learn.cohort_members (cohort_id, member_id, organization_id) values ($1, $2, $3)";
        let params: Params<'_> = &[&cohort, &member.0, &self.id.0];
        world().as_owner(sql, params).await;
    }

    /// Creates an event.
    pub async fn event(&self, name: &str) -> EventId {
        let id = EventId(Uuid::now_v7());
        world()
            .as_owner(
                "insert into events.events (id, organization_id, strategy_business_unit_id, name) \
                 values ($1, $2, $3, $4)",
                &[&id.0, &self.id.0, &self.business_unit.0, &name],
            )
            .await;
        id
    }

    /// Creates a guest of an event.
    pub async fn guest(&self, event: EventId, name: &str) -> GuestId {
        self.guests(event, &[name]).await[0]
    }

    /// Creates a guest with a role and an e-mail address; empty ones are not stored.
    pub async fn guest_with(&self, event: EventId, name: &str, role: &str, email: &str) -> GuestId {
        let guest = self.guest(event, name).await;
        let sql =
            "update events.guests set role = nullif($2, ''), email = nullif($3, '') where id = $1";
        world().as_owner(sql, &[&guest.0, &role, &email]).await;
        guest
    }

    /// Creates guests of an event.
    pub async fn guests(&self, event: EventId, names: &[&str]) -> Vec<GuestId> {
        let sql = "insert into events.guests (id, organization_id, event_id, name) values ($1, $2, $3, $4)";
        let mut guests = Vec::new();
        for name in names {
            let id = Uuid::now_v7();
            let params: Params<'_> = &[&id, &self.id.0, &event.0, name];
            world().as_owner(sql, params).await;
            guests.push(GuestId(id));
        }
        guests
    }

    /// Creates a series of meetings without occurrences.
    pub async fn series(&self, title: &str) -> MeetingId {
        let id = MeetingId(Uuid::now_v7());
        world()
            .as_owner(
                "insert into work.meetings (id, organization_id, title, is_recurring) \
                 values ($1, $2, $3, true)",
                &[&id.0, &self.id.0, &title],
            )
            .await;
        id
    }

    /// Creates an occurrence of a series on this day, such as `2025-03-04`.
    pub async fn occurrence(
        &self,
        series: MeetingId,
        date: &str,
        text: Option<&str>,
        transcript_id: Option<&str>,
    ) -> OccurrenceId {
        let id = OccurrenceId(Uuid::now_v7());
        let date: Date = date.parse().expect("a day");
        let sql = "insert into work.meeting_occurrences \
               (id, organization_id, meeting_id, occurrence_date, transcript, transcriber_transcript_id) \
             values ($1, $2, $3, $4, $5, $6)";
        let params: Params<'_> = &[&id.0, &self.id.0, &series.0, &date, &text, &transcript_id];
        world().as_owner(sql, params).await;
        id
    }

    /// The guest's time of check-in in the database.
    pub async fn checked_in_at(&self, guest: GuestId) -> Option<Timestamp> {
        let sql = "select check_in_at from events.guests where id = $1";
        let rows = world().as_owner(sql, &[&guest.0]).await;
        rows.first().expect("a guest").get(0)
    }
}
