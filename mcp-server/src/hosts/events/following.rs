//! The guests of an event that changed since a reader last asked.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::events::guest::{Guest, ListEventGuests};
use frontdesk_protocol::record::List;
use uuid::Uuid;

use crate::call::{Answer, Call, Outcome};
use crate::database::{internal, params};

/// The most changed guests in one answer.
const MOST: u32 = 50;
/// The transactions before this one have ended.
const OLDEST: &str = "pg_snapshot_xmin(pg_current_snapshot())";

/// Up to where a reader has the changes.
#[derive(Debug)]
struct Place {
    /// The transaction of the next change.
    transaction: u64,
    /// Within that transaction: the last guest that the reader has, and the oldest transaction that was running when it
    /// began to read. Those that end meanwhile come next.
    within: Option<(Uuid, u64)>,
}

impl Place {
    /// Reads `TRANSACTION`, or `TRANSACTION.GUEST.OLDEST` between two parts of an answer.
    fn read(text: &str) -> Option<Place> {
        let mut parts = text.splitn(3, '.');
        let transaction = parts.next()?.parse().ok()?;
        let within = match (parts.next(), parts.next()) {
            (None, _) => None,
            (Some(guest), oldest) => Some((guest.parse().ok()?, oldest?.parse().ok()?)),
        };
        Some(Place {
            transaction,
            within,
        })
    }

    /// The statement with these columns of the changed guests of the event `$1` after this place, as JSON, and the next place; null if this place
    /// is of another database.
    fn changes(&self, columns: &str) -> String {
        let transaction = self.transaction;
        let (guest, oldest) = match self.within {
            Some((guest, oldest)) => (guest, format!("'{oldest}'::xid8")),
            None => (Uuid::nil(), OLDEST.to_owned()),
        };
        format!(
            "select json_build_object( \
                 'guests', coalesce(json_agg(c.guest order by c.place) filter (where c.place <= {MOST}), '[]'), \
                 'limit', {MOST}, 'offset', 0, 'has_more', count(*) > {MOST})::text, \
               case when '{transaction}'::xid8 <= s.next then \
                 case when count(*) > {MOST} \
                   then max(c.changed_in || '.' || c.id || '.') filter (where c.place = {MOST}) else '' end || {oldest} end \
             from (select pg_snapshot_xmax(pg_current_snapshot()) as next) s \
             left join lateral ( \
               select t.changed_in, t.id, row_number() over (order by t.changed_in, t.id) as place, \
                 (select row_to_json(r) from (select {columns}) r) as guest \
               from events.guests t \
               where t.event_id = $1 and (t.changed_in, t.id) > ('{transaction}'::xid8, '{guest}'::uuid) \
                 and t.changed_in < s.next \
               order by t.changed_in, t.id limit {MOST} + 1) c on true \
             group by s.next"
        )
    }
}

/// Notes from where a reader who now reads the list has to follow it.
pub(super) async fn begin(call: &mut Call) -> Result<(), ToolError> {
    let rows = call.query(&format!("select {OLDEST}::text"), &[]).await?;
    call.effect.next = rows.first().map(|row| row.get(0));
    Ok(())
}

/// The guests that changed since this place, with these columns.
pub(super) async fn follow(
    call: &mut Call,
    asked: &ListEventGuests,
    columns: &str,
    since: &str,
) -> Outcome<List<Guest>> {
    let refused = |message| ToolError::invalid("_meta.frontdesk/guestsSince", message);
    let place = Place::read(since)
        .ok_or_else(|| refused("must be empty, or `_meta.frontdesk/next` of an earlier result"))?;
    if asked.search.is_some() || asked.role.is_some() || asked.member_id.is_some() {
        return Err(refused("must not be given together with a filter"));
    }
    let rows = call
        .query(&place.changes(columns), params![asked.event_id])
        .await?;
    let row = rows
        .first()
        .ok_or_else(|| internal("a statement returned no row"))?;
    call.effect.next = row.get(1);
    Ok(Answer::new(row.get(0)))
}
