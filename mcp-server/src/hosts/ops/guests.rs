//! Several guests of an event at once.

use std::collections::HashSet;

use frontdesk_protocol::door::{NO, TICKET};
use frontdesk_protocol::events::guest::Guest;
use frontdesk_protocol::id::{EventId, GuestId};
use frontdesk_protocol::ops::guests::{
    AddGuests, Added, AddedGuest, AddedGuests, CheckInGuests, CheckedInGuests, MergeGuests,
    MergedGuests, NewGuest, OnDuplicate, RemoveGuest, RemovedGuest,
};
use frontdesk_protocol::record::{One, Record};
use frontdesk_protocol::{ErrorCode, ToolError};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::call::{Answer, Call, Handler, Outcome, object};
use crate::database::{Said, internal, params, quoted};
use crate::hosts::routes;

/// Refuses an event that the caller does not see.
async fn find_event(call: &mut Call, event: EventId) -> Result<(), ToolError> {
    let sql = "select from events.events where id = $1";
    match call.query(sql, params![event]).await?.is_empty() {
        true => Err(ToolError::not_found("event").on("event_id")),
        false => Ok(()),
    }
}

impl Handler for CheckInGuests {
    /// Locks the guests in the order of their ids, so that two calls cannot deadlock.
    async fn handle(self, call: &mut Call) -> Outcome<CheckedInGuests> {
        call.set_dry_run(self.dry_run);
        find_event(call, self.event_id).await?;
        if self.ids.is_none() && self.role.is_none() && self.tag.is_none() {
            let error = ToolError::invalid("ids", "is required without role and tag");
            return Err(error);
        }
        if let Some(ids) = &self.ids {
            // `offset 0`: each id is looked up, although the planner would read a few guests whole.
            let known = "select count(distinct x.id) from unnest($1::uuid[]) x (id), lateral \
                   (select g.event_id from events.guests g where g.id = x.id offset 0) g where g.event_id = $2";
            let rows = call.query(known, params![ids, self.event_id]).await?;
            let known = rows.first().map_or(0, |row| row.get::<_, i64>(0));
            let asked: HashSet<_> = ids.as_slice().iter().collect();
            if usize::try_from(known) != Ok(asked.len()) {
                let message = "contains an id that no guest of this event has";
                return Err(ToolError::new(ErrorCode::NotFound, message).on("ids"));
            }
        }
        let day = "select 'the event is on ' || d.first || case when d.last > d.first then ' to ' || d.last else '' end \
             from events.events e join app.organizations o on o.id = e.organization_id, \
             lateral (select (e.start_at at time zone o.time_zone)::date as first, \
               (coalesce(e.end_at, e.start_at) at time zone o.time_zone)::date as last, \
               (now() at time zone o.time_zone)::date as day) d \
             where e.id = $1 and d.day not between d.first and d.last";
        call.warn_of(day, params![self.event_id]).await?;
        // Given ids, guests are looked up by them instead of among all of the event.
        let named = match self.ids {
            Some(_) => "g.id = any ($2)",
            None => "$2::uuid[] is null",
        };
        let sql = format!(
            "with b as (select g.id, g.check_in_at from events.guests g \
               where g.event_id = $1 and {named} \
                 and ($3::text is null or g.role = $3) and ($4::text is null or lower(btrim(g.tags->>$4)) <> all ($6)) \
               order by g.id for update), \
             r as (update events.guests t set check_in_at = coalesce(b.check_in_at, now()) from b where t.id = b.id \
               returning t.id, t.name, t.check_in_at, b.check_in_at is not null as already) \
             select json_build_object('dry_run', $5::boolean, \
               'checked_in', (select coalesce(json_agg(n order by app.search_key(n.name), n.id), '[]') \
                 from (select r.id, r.name, r.check_in_at from r where not r.already) n), \
               'already_checked_in', (select count(*) from r where r.already))::text"
        );
        let params = params![
            self.event_id,
            self.ids,
            self.role,
            self.tag,
            self.dry_run,
            NO
        ];
        let rows = call.query(&sql, params).await?;
        let json: String = rows
            .first()
            .ok_or_else(|| internal("a statement returned no row"))?
            .get(0);
        let nobody = r#""checked_in" : [], "already_checked_in" : 0}"#;
        if json.ends_with(nobody) {
            let present = "select 'no guest has all of these; roles: ' \
                 || coalesce(string_agg(distinct app.quoted(g.role), ', '), 'none') || '; tags: ' \
                 || coalesce((select string_agg(distinct app.quoted(k), ', ') from (select g.tags from events.guests g \
                      where g.event_id = $1 limit 1000) g, jsonb_object_keys(g.tags) k), 'none') \
               from (select g.role from events.guests g where g.event_id = $1 limit 1000) g";
            let rows = call.query(present, params![self.event_id]).await?;
            if let Some(row) = rows.first() {
                call.note(row.get::<_, Said>(0));
            }
        }
        Ok(Answer::new(json))
    }
}

impl Handler for AddGuests {
    async fn handle(self, call: &mut Call) -> Outcome<AddedGuests> {
        call.set_dry_run(self.dry_run);
        find_event(call, self.event_id).await?;
        let mut result = AddedGuests {
            dry_run: self.dry_run.0,
            added: 0,
            updated: 0,
            skipped: 0,
            guests: Vec::new(),
        };
        let guests = self.guests.as_slice();
        for (at, guest) in guests.iter().enumerate() {
            call.progress(at, guests.len());
            let named = |error: ToolError| {
                let field = error.field.as_deref().map(|field| format!(".{field}"));
                error.on(format!("guests[{at}]{}", field.unwrap_or_default()))
            };
            let existing = duplicate(call, self.event_id, guest).await?;
            let way = self.on_duplicate.unwrap_or(OnDuplicate::Skip);
            let mut fields = object(guest);
            let (id, name, outcome) = match existing.filter(|_| way != OnDuplicate::Add) {
                Some((_, name)) if way == OnDuplicate::Refuse => {
                    let message =
                        format!("{} is already a guest; nothing was changed", quoted(&name));
                    return Err(named(ToolError::new(ErrorCode::Conflict, message)));
                }
                Some((id, name)) if way == OnDuplicate::Skip => (id, name, Added::Skipped),
                Some((id, _)) => {
                    let changed = call.change::<Guest>(id, &fields).await.map_err(named)?;
                    (
                        changed.read("/guest/id")?,
                        guest.name.to_string(),
                        Added::Updated,
                    )
                }
                None => {
                    fields.insert("event_id".to_owned(), json!(self.event_id));
                    let added = call.create::<Guest>(&fields).await.map_err(named)?;
                    (
                        added.read("/guest/id")?,
                        guest.name.to_string(),
                        Added::Added,
                    )
                }
            };
            match outcome {
                Added::Added => result.added += 1,
                Added::Updated => result.updated += 1,
                Added::Skipped => result.skipped += 1,
            }
            result.guests.push(AddedGuest {
                id: GuestId(id),
                name,
                outcome,
            });
        }
        let added = result
            .guests
            .iter()
            .filter(|one| one.outcome == Added::Added);
        let added: Vec<Uuid> = added.map(|one| one.id.0).collect();
        call.warn_of(ALIKE, params![added]).await?;
        Answer::of(&result)
    }
}

/// Warnings of members and of other guests who have the name of a guest who was added.
const ALIKE: &str = "(select format('%s has the name of a member: if they are one, set the guest''s member_id to %s', \
       app.quoted(g.name), m.id) \
     from events.guests g join learn.members m on m.name_key = g.name_key \
     where g.id = any ($1) and g.member_id is null limit 20) \
   union all (select format('%s has the name of another guest, %s', app.quoted(g.name), \
       concat_ws(', ', app.quoted(nullif(o.role, '')), app.quoted(nullif(o.email, '')), o.id)) \
     from events.guests g \
     join events.guests o on o.event_id = g.event_id and o.name_key = g.name_key and o.id <> g.id \
     where g.id = any ($1) limit 20)";

/// The guest of the event that the new one duplicates.
async fn duplicate(
    call: &mut Call,
    event: EventId,
    guest: &NewGuest,
) -> Result<Option<(Uuid, String)>, ToolError> {
    // Each part is one look-up in an index.
    let sql = "select f.id, f.name from ( \
           select g.id, g.name, 1 as place from events.guests g where g.event_id = $1 and g.member_id = $2 \
           union all select g.id, g.name, 2 from events.guests g \
             where g.id in (select events.with_address($1, nullif($3::text, ''))) \
           union all select g.id, g.name, 3 from events.guests g \
             where g.event_id = $1 and g.name_key = (select app.search_key($4)) \
               and (coalesce(g.email, '') = '' or coalesce($3, '') = '')) f \
         order by f.place, f.id limit 1";
    let params = params![event, guest.member_id, guest.email, guest.name];
    let rows = call.query(sql, params).await?;
    Ok(rows.first().map(|row| (row.get(0), row.get(1))))
}

impl Handler for RemoveGuest {
    async fn handle(self, call: &mut Call) -> Outcome<RemovedGuest> {
        call.set_dry_run(self.dry_run);
        let removed: Answer<One<Guest>> = call.delete::<Guest>(self.id).await?;
        let dry_run = format!(r#"{{"dry_run":{},"#, self.dry_run.0);
        Ok(Answer::new(removed.into_json().replacen('{', &dry_run, 1)))
    }
}

/// The columns that a kept guest does not get from another one as they are: those of the row, and those with a rule of
/// their own. A new column is taken where the kept guest lacks it.
const OWN: [&str; 12] = [
    "id",
    "organization_id",
    "event_id",
    "name",
    "name_key",
    "name_words",
    "created_at",
    "changed_in",
    "check_in_at",
    "checked_in_again_at",
    "checked_in_by",
    "tags",
];

impl Handler for MergeGuests {
    async fn handle(self, call: &mut Call) -> Outcome<MergedGuests> {
        call.set_dry_run(self.dry_run);
        if self.keep_id == self.remove_id {
            return Err(ToolError::invalid("remove_id", "must be another guest"));
        }
        // In the order of their ids, so that two calls cannot deadlock.
        let lock = "select g.id, to_jsonb(g)::text, (select o.ticket_tags from app.organizations o where o.id = app.caller_org()) \
             from events.guests g where g.id = any ($1) order by g.id for update";
        let rows = call
            .query(lock, params![[self.keep_id, self.remove_id].as_slice()])
            .await?;
        let find = |id: GuestId, field: &'static str| {
            let row = rows.iter().find(|row| row.get::<_, Uuid>(0) == id.0);
            let row = row.ok_or_else(|| ToolError::not_found(Guest::SINGULAR).on(field))?;
            serde_json::from_str::<Map<String, Value>>(row.get(1)).map_err(internal)
        };
        let (kept, other) = (
            find(self.keep_id, "keep_id")?,
            find(self.remove_id, "remove_id")?,
        );
        if kept["event_id"] != other["event_id"] {
            return Err(ToolError::invalid(
                "remove_id",
                "must be a guest of the same event",
            ));
        }
        if !is_empty(&kept["member_id"])
            && !is_empty(&other["member_id"])
            && kept["member_id"] != other["member_id"]
        {
            let message = "the two are different members";
            return Err(ToolError::new(ErrorCode::Conflict, message).on("remove_id"));
        }
        let tickets: Vec<String> = rows.first().map_or_else(Vec::new, |row| row.get(2));
        let is_ticket = |tag: &str| tag == TICKET || tickets.iter().any(|ticket| ticket == tag);
        let (changes, differing) = merged(&kept, &other, is_ticket);
        let given = "with s as (insert into events.session_guests (session_id, event_id, guest_id) \
               select s.session_id, s.event_id, $1 from events.session_guests s where s.guest_id = $2 \
               on conflict do nothing returning 1), \
             m as (insert into events.movements (event_id, guest_id, place_id, direction, verdict, despite, reason, \
                 gate, desk, source, at, user_id, created_at) \
               select m.event_id, $1, m.place_id, m.direction, m.verdict, m.despite, m.reason, m.gate, m.desk, m.source, \
                 m.at, m.user_id, m.created_at from events.movements m where m.guest_id = $2 returning 1) \
             select (select count(*) from s), (select count(*) from m)";
        let given = call
            .query(given, params![self.keep_id, self.remove_id])
            .await?;
        let (sessions, movements) = given
            .first()
            .map_or((0, 0), |row| (row.get::<_, i64>(0), row.get::<_, i64>(1)));
        let forms = "select quiz.move_dispatches($2, $1)";
        let forms = call
            .query(forms, params![self.keep_id, self.remove_id])
            .await?;
        let forms = forms.first().map_or(0, |row| row.get::<_, i32>(0));
        // Before the change: only one guest of an event has a member.
        call.delete::<Guest>(self.remove_id).await?;
        let guest: Answer<One<Guest>> = call.change::<Guest>(self.keep_id, &changes).await?;
        let guest: Value = serde_json::from_str(&guest.into_json()).map_err(internal)?;
        let taken: Vec<_> = changes.keys().collect();
        Ok(Answer::new(
            json!({
                "dry_run": self.dry_run.0, "guest": guest["guest"], "taken": taken, "differing": differing,
                "sessions": sessions, "movements": movements, "forms": forms,
            })
            .to_string(),
        ))
    }
}

fn is_empty(value: &Value) -> bool {
    value.is_null() || value == ""
}

/// What the kept guest gets, and the names of the fields in which the two differ. The tickets of both stay valid.
fn merged(
    kept: &Map<String, Value>,
    other: &Map<String, Value>,
    is_ticket: impl Fn(&str) -> bool,
) -> (Map<String, Value>, Vec<String>) {
    let (mut changes, mut differing) = (Map::new(), Vec::new());
    let fields = other.iter().filter(|(field, theirs)| {
        !OWN.contains(&field.as_str()) && !is_empty(theirs) && kept[*field] != **theirs
    });
    for (field, theirs) in fields {
        match is_empty(&kept[field]) {
            true => drop(changes.insert(field.clone(), theirs.clone())),
            false => differing.push(field.clone()),
        }
    }
    if kept["name"] != other["name"] {
        differing.push("name".to_owned());
    }
    let (own, theirs) = (kept["check_in_at"].as_str(), other["check_in_at"].as_str());
    if theirs.is_some_and(|theirs| own.is_none_or(|own| theirs < own)) {
        changes.insert("check_in_at".to_owned(), other["check_in_at"].clone());
    }
    let mut tags = kept["tags"].as_object().cloned().unwrap_or_default();
    let before = tags.clone();
    for (name, value) in other["tags"].as_object().into_iter().flatten() {
        match tags.get(name) {
            None => drop(tags.insert(name.clone(), value.clone())),
            Some(own) if own == value => {}
            Some(own) if is_ticket(name) => {
                let tickets = both(own, value);
                tags.insert(name.clone(), tickets);
            }
            Some(_) => differing.push(format!("tags.{name}")),
        }
    }
    if tags != before {
        changes.insert("tags".to_owned(), tags.into());
    }
    (changes, differing)
}

/// The values of both, each a text or a list, without repetitions.
fn both(own: &Value, other: &Value) -> Value {
    let values = [own, other].into_iter().flat_map(|value| match value {
        Value::Array(values) => values.as_slice(),
        value => std::slice::from_ref(value),
    });
    let mut seen = HashSet::new();
    let values = values.filter(|value| !is_empty(value) && seen.insert(*value));
    values.cloned().collect()
}

routes![
    CheckInGuests => own,
    AddGuests => own,
    RemoveGuest => own,
    MergeGuests => own,
];
