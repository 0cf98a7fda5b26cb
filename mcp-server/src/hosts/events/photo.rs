//! Photos of an event, and the members tagged in them.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::events::photo::{
    AddEventPhoto, GetEventPhoto, ListEventPhotos, Photo, UpdateEventPhoto,
};
use frontdesk_protocol::id::MemberId;
use frontdesk_protocol::record::{List, Maybe, One};
use frontdesk_protocol::value::{Change, UpTo};
use uuid::Uuid;

use crate::call::{Call, Columns, Filter, Handler, Outcome, Stored};
use crate::database::binds;
use crate::hosts::routes;

impl Stored for Photo {
    const TABLE: &'static str = "events.photos";
    const COLUMNS: &'static str = "t.id, t.event_id, t.url, t.caption, t.sort_order, \
        array(select m.member_id from events.photo_members m where m.photo_id = t.id order by m.member_id) \
          as member_ids";
}

impl Handler for ListEventPhotos {
    async fn handle(self, call: &mut Call) -> Outcome<List<Photo>> {
        let filter = Filter::new().equal("event_id", &self.event_id);
        call.list(filter, "t.sort_order, t.id", self.limit, self.offset)
            .await
    }
}

impl Handler for GetEventPhoto {
    async fn handle(self, call: &mut Call) -> Outcome<Maybe<Photo>> {
        call.get(self.id).await
    }
}

impl Handler for AddEventPhoto {
    async fn handle(self, call: &mut Call) -> Outcome<One<Photo>> {
        let columns = Columns::new()
            .value("event_id", &self.event_id)
            .value("url", &self.url)
            .option("caption", &self.caption)
            .option("sort_order", &self.sort_order);
        let Some(members) = &self.member_ids else {
            return call.insert(columns).await;
        };
        let id = call.insert_id::<Photo>(columns).await?;
        set_members(call, id, members).await?;
        call.written(id).await
    }
}

impl Handler for UpdateEventPhoto {
    async fn handle(self, call: &mut Call) -> Outcome<One<Photo>> {
        let columns = Columns::new()
            .patch("caption", &self.caption)
            .change("sort_order", &self.sort_order);
        // Also where only the tags change: the row's lock puts two calls in order, and its policy
        // says whether the caller may.
        let updated = call.update(self.id, columns).await?;
        let Change::To(members) = &self.member_ids else {
            return Ok(updated);
        };
        set_members(call, self.id.0, members).await?;
        call.written(self.id.0).await
    }
}

/// Tags exactly these members.
async fn set_members(
    call: &mut Call,
    photo: Uuid,
    members: &UpTo<MemberId, 200>,
) -> Result<(), ToolError> {
    let sql = "with gone as (delete from events.photo_members \
                             where photo_id = $1 and member_id <> all ($2)) \
         insert into events.photo_members (photo_id, member_id) \
         select $1, m from unnest($2::uuid[]) m on conflict do nothing";
    call.query(sql, binds![photo, members]).await.map(drop)
}

routes![
    ListEventPhotos,
    GetEventPhoto,
    AddEventPhoto,
    UpdateEventPhoto
];
