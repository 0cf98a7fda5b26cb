//! The log of movements at the entrances of an event.

use frontdesk_protocol::door::{
    Admission, Claim, Visitor, admit, admit_despite, is_nearly_full, may_pass,
};
use frontdesk_protocol::events::guest::Guest;
use frontdesk_protocol::events::movement::{ListMovements, Movement, RecordMovement, Recorded};
use frontdesk_protocol::events::passage::{Direction, Verdict};
use frontdesk_protocol::events::place::Place;
use frontdesk_protocol::record::Record;
use frontdesk_protocol::{Role, ToolError};
use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::call::{Answer, Call, Handler, Outcome, SqlByName, Stored, columns};
use crate::database::{internal, no_such_reference, params};
use crate::hosts::routes;

impl Stored for Movement {
    const TABLE: &'static str = "events.movements";
    const ORDER: &'static str = "t.at desc, t.created_at desc, t.id";
    const COMPUTED: SqlByName = &[
        (
            "guest_name",
            "(select g.name from events.guests g where g.id = t.guest_id)",
        ),
        ("user_name", "ops.party_name(t.user_id)"),
    ];
}

/// A passage `p` as the result has it.
const PASSAGE: &str = "json_build_object('direction', p.direction, 'at', p.at, 'gate', p.gate, \
     'by', ops.party_name(p.user_id))";

/// The columns of guests `t`, with the last passage at the place with this id in SQL.
pub(super) fn with_passage(place: &str) -> String {
    let guest = columns::<Guest>();
    format!(
        "{guest}, (select {PASSAGE} from events.presence p \
           where p.guest_id = t.id and p.place_id is not distinct from {place}) as passage"
    )
}

/// What the decision about a guest `$1` at the place `$2` and the time `$3` depends on. A movement can be known late:
/// what counts is the passage before it, and the one after it. At the event itself the first one is the check-in.
fn facts() -> String {
    // Between two times at which the place is emptied. A movement that is known twice, in another period, is another one.
    let period = "(l.empties_at is null or events.emptied(l.empties_at, p.at) = events.emptied(l.empties_at, $3))";
    // A late report can repeat a later movement at this entrance. That the guest has left the event since is no repetition.
    let next = "events.movements p where p.guest_id = g.id and p.event_id = g.event_id \
           and p.place_id is not distinct from $2 and p.verdict = 'passed' and p.at >= g.check_in_at";
    format!(
        "select g.role, g.tags, app.caller_role() as caller, \
           (select row_to_json(r)::text from (select {} from events.places t where t.id = $2 and t.event_id = g.event_id) r) as place, \
           exists (select from events.places t join events.session_guests s on s.session_id = t.session_id \
                   where t.id = $2 and s.guest_id = g.id) as is_of_session, \
           coalesce((select p.direction from events.passages(g.id, $2) p where p.at <= $3 and {period} order by p.at desc, p.created_at desc limit 1), \
                    case when $2::uuid is null and g.check_in_at <= $3 then 'in' end) as before, \
           case when $2::uuid is null and g.check_in_at > $3 then 'in' \
                else (select p.direction from {next} and p.at > $3 and {period} order by p.at, p.created_at limit 1) end as after \
         from events.guests g left join events.places l on l.id = $2 and l.event_id = g.event_id where g.id = $1",
        columns::<Place>()
    )
}

/// Decides about the guest with what the database knows.
async fn decide(
    asked: &RecordMovement,
    call: &mut Call,
    at: Timestamp,
) -> Result<Admission, ToolError> {
    let rows = call
        .query(&facts(), params![asked.guest_id, asked.place_id, at])
        .await?;
    let row = rows.first().ok_or_else(not_found)?;
    let place: Option<String> = row.get("place");
    if place.is_none() && asked.place_id.is_some() {
        return Err(no_such_reference("place_id"));
    }
    let read = |text: String| serde_json::from_str::<Place>(&text).map_err(internal);
    let place = place.map(read).transpose()?;
    let tags: Value = row.get("tags");
    let no_tags = Map::new();
    let direction = |column: &str| {
        let word: Option<&str> = row.get(column);
        word.map(|word| {
            if word == "in" {
                Direction::In
            } else {
                Direction::Out
            }
        })
    };
    let visitor = Visitor {
        role: row.get("role"),
        tags: tags.as_object().unwrap_or(&no_tags),
        is_of_session: row.get("is_of_session"),
        before: direction("before"),
        after: direction("after"),
    };
    let verdict = admit(asked.direction, &visitor, place.as_ref(), at);
    if let Some(turned_away) = asked.decided.filter(|decided| *decided != Verdict::Passed) {
        return Ok(Admission {
            verdict: turned_away,
            despite: None,
        });
    }
    let enters = asked.direction == Direction::In && verdict == Verdict::Passed;
    if enters && place.as_ref().is_some_and(is_nearly_full) {
        call.warn("nine tenths of the guests that the place holds are inside");
    }
    let claim = match (&asked.reason, asked.decided) {
        (Some(_), _) => Some(Claim::Reason),
        (None, decided) => decided.map(|_| Claim::Fact),
    };
    let caller: Option<&str> = row.get("caller");
    let caller = caller.and_then(Role::from_name);
    let passes = claim.is_some_and(|claim| may_pass(caller, false, claim, verdict));
    Ok(admit_despite(verdict, passes))
}

fn not_found() -> ToolError {
    ToolError::not_found(Guest::SINGULAR).on("guest_id")
}

/// Deletes the guest's last passage at the entrance, if the caller has recorded it and it went the other way. If
/// that passage was the check-in, the guest is no longer checked in.
async fn take_back(
    asked: &RecordMovement,
    call: &mut Call,
) -> Result<Option<Answer<Recorded>>, ToolError> {
    let sql = format!(
        "with m as (delete from events.movements m using ( \
             select l.id from events.movements l \
             where l.guest_id = $1 and l.place_id is not distinct from $2 and l.verdict = 'passed' \
             order by l.at desc, l.created_at desc limit 1) l \
           where m.id = l.id and m.direction <> $3 and m.user_id = app.caller_id() returning m.*), \
         w as (update events.guests t set check_in_at = ( \
             select min(o.at) from events.movements o \
             where o.guest_id = t.id and o.event_id = t.event_id and o.verdict = 'passed' and o.direction = 'in' \
               and o.id <> m.id and o.at >= t.check_in_at) \
           from m where t.id = m.guest_id and m.direction = 'in' and t.check_in_at = m.at) \
         select row_to_json(r)::text from (select {} from m t) r",
        columns::<Movement>()
    );
    let params = params![asked.guest_id, asked.place_id, asked.direction];
    let Some(movement) = call.json::<Movement>(&sql, params).await? else {
        return Ok(None);
    };
    // Afterwards, as the presence follows from the log.
    let sql = format!(
        "select json_build_object('movement', $3::text::json, \
           'guest', (select row_to_json(r) from (select {} from events.guests t where t.id = $1) r), \
           'last', (select {PASSAGE} from events.presence p \
             where p.guest_id = $1 and p.place_id is not distinct from $2))::text",
        columns::<Guest>()
    );
    let movement = movement.into_json();
    let params = params![asked.guest_id, asked.place_id, movement];
    call.finally().json(&sql, params).await
}

impl Handler for RecordMovement {
    /// Guests are decided one after the other, and so are those of one place, whose capacity counts.
    async fn handle(self, call: &mut Call) -> Outcome<Recorded> {
        let lock = "select now(), pg_advisory_xact_lock(hashtextextended($2::text, 129)) \
             from events.guests where id = $1 for update";
        let rows = call
            .query(lock, params![self.guest_id, self.place_id])
            .await?;
        let now: Timestamp = rows.first().ok_or_else(not_found)?.get(0);
        if self.takes_back.0
            && let Some(taken_back) = take_back(&self, call).await?
        {
            return Ok(taken_back);
        }
        let at = call.meta.occurred_at.map_or(now, |at| at.min(now));
        let Admission { verdict, despite } = decide(&self, call, at).await?;
        let came = self.direction == Direction::In
            && matches!(verdict, Verdict::Passed | Verdict::Already);
        let sql = format!(
            "with m as (insert into events.movements (event_id, guest_id, place_id, direction, verdict, despite, reason, \
                 gate, desk, source, at) \
               select g.event_id, g.id, $2, $3, $4, $5, $6, $7, $8, $9, $10 from events.guests g where g.id = $1 returning *), \
             w as (update events.guests t set check_in_at = least(coalesce(t.check_in_at, $10), $10) \
               where t.id = $1 and $11 returning t.*), \
             g as (select * from w union all select * from events.guests where id = $1 and not $11) \
             select json_build_object( \
               'movement', (select row_to_json(r) from (select {} from m t) r), \
               'guest', (select row_to_json(r) from (select {} from g t) r), \
               'last', (select {PASSAGE} from ( \
                   select * from events.passages($1, $2) \
                   union all select m.direction, m.at, m.created_at, m.gate, m.user_id from m where m.verdict = 'passed') p \
                 order by p.at desc, p.created_at desc limit 1))::text",
            columns::<Movement>(),
            columns::<Guest>()
        );
        let params = params![
            self.guest_id,
            self.place_id,
            self.direction,
            verdict,
            despite,
            self.reason,
            self.gate,
            self.desk,
            self.source,
            at,
            came,
        ];
        let recorded = call.finally().json(&sql, params).await?;
        recorded.ok_or_else(|| internal("a statement returned no row"))
    }
}

routes![ListMovements, RecordMovement => own];
