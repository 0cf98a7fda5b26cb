//! Photos of an event, and the members tagged in them.

use super::OFFICE;
use crate::id::{EventId, MemberId, PhotoId};
use crate::record::{List, Maybe, record};
use crate::resource::resource;
use crate::role::{Role, Roles};
use crate::tool::tool;
use crate::value::{Change, Limit, Line, Offset, Position, UpTo, WebUrl};

record! {
    /// A photo of an event.
    Photo {
        id: PhotoId,
        event_id: EventId [create],
        url: WebUrl [create],
        caption: Option<Line> [create, change],
        /// Lower comes first.
        sort_order: Position [create = 0, change],
        member_ids: UpTo<MemberId, 200> [create?],
    }
    /// Adds a photo to an event and tags members in it.
    create AddEventPhoto = "add_event_photo" on Events for Roles::DESK;
    /// Changes a photo.
    change UpdateEventPhoto = "update_event_photo" on Events for Roles::DESK {
        opt {
            /// Replaces the tagged members.
            member_ids: Change<UpTo<MemberId, 200>>,
        }
    }
}

resource! {
    Photo = "photo", "photos" (parent: event_id, name: caption, position: sort_order) {
        list: ListEventPhotos,
        get: GetEventPhoto,
        create: AddEventPhoto,
        change: UpdateEventPhoto,
    }
}

tool! {
    /// Lists an event's photos in display order.
    ListEventPhotos = "list_event_photos" on Events, READ, for OFFICE.and(&[Role::Fellow]) => List<Photo> {
        req {
            event_id: EventId,
        }
        opt {
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Gets a photo.
    GetEventPhoto = "get_event_photo" on Events, READ, for OFFICE.and(&[Role::Fellow]) => Maybe<Photo> {
        req {
            id: PhotoId,
        }
    }
}
