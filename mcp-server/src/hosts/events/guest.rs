//! Guests of an event, and their check-in.

use frontdesk_protocol::events::guest::{
    AddEventGuest, ChatResolution, CheckInGuest, CheckedIn, CreateEventGuest, GetEventGuest, Guest,
    GuestAdded, ListEventGuests, ResolveChatId, UpdateEventGuest,
};
use frontdesk_protocol::id::PlaceId;
use frontdesk_protocol::record::{List, One, Record};
use frontdesk_protocol::value::Patch;
use frontdesk_protocol::{ErrorCode, ToolError};

use super::following;
use super::movement::with_passage;
use crate::call::{Answer, Call, Filter, Handler, Outcome, SqlByName, Stored, columns, object};
use crate::database::{Said, no_such_reference, params};
use crate::hosts::routes;

impl Stored for Guest {
    const TABLE: &'static str = "events.guests";
    const ORDER: &'static str = "t.name_key, t.id";
    // Only a search, and only a desk with gates, asks for them.
    const COMPUTED: SqlByName = &[("matched", ""), ("passage", "")];
}

/// From this offset on, it is cheaper to look up a page's guests one by one than to read all guests before them.
const DEEP: u32 = 500;

impl Handler for ListEventGuests {
    async fn handle(self, call: &mut Call) -> Outcome<List<Guest>> {
        let place = call.meta.place.take();
        let columns = match &place {
            None => columns::<Guest>(),
            Some(place) => with_passage(&sql_of_place(place)?),
        };
        match call.meta.guests_since.take().as_deref() {
            None => {}
            Some("") => following::begin(call).await?,
            Some(since) => return following::follow(call, &self, &columns, since).await,
        }
        if self.search.is_none() {
            if place.is_none() && self.offset.get() < DEEP {
                return call.list(&self, self.limit, self.offset).await;
            }
            // Skip within the index, and look up only the guests of the page.
            let filter = Filter::of::<Guest>(&self);
            let select = |limit: &str, offset: &str| {
                format!(
                    "select t.* from (select t.name_key, t.id from events.guests t where {} \
                       order by {} limit {limit} + 1 offset {offset}) page, \
                     lateral (select {columns} from events.guests t where t.id = page.id limit 1) t \
                     order by page.name_key, page.id",
                    filter.conditions(),
                    Guest::ORDER
                )
            };
            return call
                .page(select, filter.params(), self.limit, self.offset)
                .await;
        }
        // The ids of the page come from the search index; see events.find_guests. That function runs as the owner, so
        // search only an event that the caller can see.
        let select = |limit: &str, offset: &str| {
            format!(
                "select {columns}, f.matched from events.events e, \
                 lateral events.find_guests(e.id, $2, $3, $4, {limit} + 1, {offset}) \
                   with ordinality f (id, matched, place) \
                 join events.guests t on t.id = f.id where e.id = $1 order by f.place"
            )
        };
        let params = params![self.event_id, self.search, self.role, self.member_id];
        let list = call.page::<Guest>(select, params.to_vec(), self.limit, self.offset);
        let list = list.await?.into_json();
        if self.offset.get() == 0 {
            call.explain_empty(Guest::STORAGE, &list, &object(&self))
                .await?;
        }
        Ok(Answer::new(list))
    }
}

/// The SQL of the id in `_meta.frontdesk/place`, null for the event itself.
fn sql_of_place(place: &str) -> Result<String, ToolError> {
    if place.is_empty() {
        return Ok("null::uuid".to_owned());
    }
    let id: PlaceId = place.parse().map_err(|_| {
        let message = "must be the id of a place, or empty for the event itself";
        ToolError::invalid("_meta.frontdesk/place", message)
    })?;
    Ok(format!("'{id}'::uuid"))
}

/// Warnings of other guests with the same name or e-mail address as the new guest `t`.
const SAME: &str = "array(select format('%s is already a guest, %s', app.quoted(o.name), \
       concat_ws(', ', app.quoted(nullif(o.role, '')), app.quoted(nullif(o.email, '')), o.id::text)) \
     from (select n.id, n.name, n.role, n.email from events.guests n \
         where n.event_id = t.event_id and n.name_key = t.name_key \
       union select n.id, n.name, n.role, n.email from events.with_address(t.event_id, nullif(t.email, '')) f (id) \
         join events.guests n on n.id = f.id \
     ) o where o.id <> t.id order by o.id limit 5)";

impl Handler for CreateEventGuest {
    async fn handle(self, call: &mut Call) -> Outcome<One<Guest>> {
        call.act_warning(&self, SAME).await
    }
}

impl Handler for CheckInGuest {
    /// Locks the row first, so that two desks check a guest in one after the other. A call with a time of arrival can
    /// only make the recorded arrival earlier. The same call once more, which has the same time, changes nothing.
    async fn handle(self, call: &mut Call) -> Outcome<CheckedIn> {
        let columns = columns::<Guest>();
        let sql = format!(
            "with b as (select g.id, g.check_in_at, n.came, g.checked_in_by = app.caller_id() and g.check_in_at = n.came as is_same \
                        from events.guests g, (select least($2::timestamptz, now()) as came) n where g.id = $1 for update of g), \
             w as (update events.guests t \
                   set check_in_at = case when b.check_in_at is null then b.came \
                                          when $2 is null then b.check_in_at \
                                          else least(b.check_in_at, b.came) end \
                   from b where t.id = b.id and b.is_same is not true \
                   returning {columns}, b.check_in_at is not null as already), \
             r as (select * from w union all \
                   select t.*, true from b, lateral (select {columns} from events.guests t where t.id = b.id limit 1) t \
                   where b.is_same) \
             select '{{\"guest\":' || (to_jsonb(r) - 'already')::text \
                 || ',\"already_checked_in\":' || already || '}}', \
               (select 'the event is on ' || d.first || case when d.last > d.first then ' to ' || d.last else '' end \
                from events.events e join app.organizations o on o.id = e.organization_id, \
                lateral (select (e.start_at at time zone o.time_zone)::date as first, \
                           (coalesce(e.end_at, e.start_at) at time zone o.time_zone)::date as last, \
                           (r.check_in_at at time zone o.time_zone)::date as day) d \
                where e.id = r.event_id and d.day not between d.first and d.last) from r"
        );
        let occurred_at = call.meta.occurred_at;
        let rows = call
            .finally()
            .query(&sql, params![self.id, occurred_at])
            .await?;
        let Some(row) = rows.first() else {
            return Err(ToolError::not_found(Guest::SINGULAR).on("id"));
        };
        if let Some(warning) = row.get::<_, Option<Said>>(1) {
            call.warn(warning);
        }
        Ok(Answer::new(row.get(0)))
    }
}

impl Handler for UpdateEventGuest {
    /// A call that clears a check-in and says when it was made is not made if another one counts, too.
    async fn handle(self, call: &mut Call) -> Outcome<One<Guest>> {
        if matches!(self.check_in_at, Patch::Clear)
            && let Some(made_at) = call.meta.occurred_at
        {
            let other = "select from events.guests t where t.id = $1 \
                 and (t.check_in_at <> $2 or t.checked_in_again_at is not null) for update";
            if !call
                .query(other, params![self.id, made_at])
                .await?
                .is_empty()
            {
                let message = "the guest was also checked in elsewhere; nothing was changed";
                return Err(ToolError::new(ErrorCode::Conflict, message).on("check_in_at"));
            }
        }
        call.act(&self).await
    }
}

impl Handler for AddEventGuest {
    /// An existing guest is linked: fields of the call are taken over, except for the name; other fields stay. Two
    /// statements, so that the second sees a guest that another call added while the first waited for it.
    async fn handle(self, call: &mut Call) -> Outcome<GuestAdded> {
        const BACKFILL: &str = "backfill as (select chat_user_id from learn.profiles \
             where member_id = $2 and $3::text is null and $4 and chat_user_id is not null)";
        let params = params![
            self.event_id,
            self.member_id,
            self.chat_id,
            self.backfill_chat,
            self.email,
            self.phone_number,
            self.role,
            self.tags,
            self.name,
        ];
        let add = format!(
            "with {BACKFILL}, \
             r as (insert into events.guests as t \
                     (event_id, member_id, chat_id, email, phone_number, role, tags, name) \
                   values ($1, $2, coalesce($3, (select chat_user_id from backfill)), $5, $6, $7, \
                     coalesce($8, '{{}}'::jsonb), $9) \
                   on conflict (event_id, organization_id, member_id) do nothing \
                   returning (select row_to_json(r)::text from (select {}) r) as guest, {SAME} as warnings) \
             select '{{\"guest\":' || r.guest || ',\"linked\":false,\"chat_backfilled\":' \
                 || exists (select from backfill) || '}}', r.warnings from r",
            columns::<Guest>()
        );
        if let Some(row) = call.query(&add, params).await?.first() {
            for warning in row.get::<_, Vec<Said>>(1) {
                call.warn(warning);
            }
            return Ok(Answer::new(row.get(0)));
        }
        let link = format!(
            "with {BACKFILL}, \
             b as (select id, chat_id from events.guests \
                   where event_id = $1 and member_id = $2 for update), \
             r as (update events.guests t \
                   set chat_id = coalesce($3, b.chat_id, (select chat_user_id from backfill)), \
                     email = coalesce($5, t.email), phone_number = coalesce($6, t.phone_number), \
                     role = coalesce($7, t.role), tags = t.tags || coalesce($8, '{{}}'::jsonb) \
                   from b where t.id = b.id returning {}) \
             select '{{\"guest\":' || row_to_json(r)::text || ',\"linked\":true,\"chat_backfilled\":' \
                 || (exists (select from backfill) and exists (select from b where chat_id is null)) \
                 || '}}' from r",
            columns::<Guest>()
        );
        let linked = call.finally().json(&link, &params[..8]).await?;
        // The row belongs to another organisation; the error must not reveal it.
        linked.ok_or_else(|| no_such_reference("event_id"))
    }
}

impl Handler for ResolveChatId {
    async fn handle(self, call: &mut Call) -> Outcome<ChatResolution> {
        if self.guest_id.is_none() && self.member_id.is_none() {
            return Err(ToolError::invalid(
                "guest_id",
                "is required where member_id is not given",
            ));
        }
        let sql = "select json_build_object( \
               'resolved', source <> 'none', \
               'source', source, \
               'masked_chat_id', repeat('*', greatest(length(chat_id) - least(4, length(chat_id) / 3), 3)) \
                                 || right(chat_id, least(4, length(chat_id) / 3)), \
               'reason', case source \
                 when 'guest' then 'the guest has a chat id' \
                 when 'profile' then 'the member''s profile has a chat id' \
                 else case when $1::uuid is not null \
                             and not exists (select from events.guests g where g.id = $1) \
                           then 'there is no such guest, or you cannot see it' \
                           else 'neither the guest nor a profile has a chat id' end \
               end)::text from events.chat_of($1, $2)";
        let answer = call
            .json(sql, params![self.guest_id, self.member_id])
            .await?;
        answer.ok_or_else(|| ToolError::not_found(Guest::SINGULAR))
    }
}

routes![
    ListEventGuests => own,
    GetEventGuest,
    CreateEventGuest => own,
    UpdateEventGuest => own,
    CheckInGuest => own,
    AddEventGuest => own,
    ResolveChatId => own,
];
