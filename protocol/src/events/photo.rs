//! Photos of an event, and the members tagged in them.

use super::OFFICE;
use crate::id::{EventId, MemberId, PhotoId};
use crate::record::record;
use crate::role::{Role, Roles};
use crate::value::{Change, Line, Position, UpTo, WebUrl};

record! {
    /// A photo of an event.
    Photo = "photo", "photos" (parent: event_id, name: caption, position: sort_order) {
        id: PhotoId,
        event_id: EventId [create],
        url: WebUrl [create],
        caption: Option<Line> [create, change],
        /// Lower comes first.
        sort_order: Position [create = 0, change],
        member_ids: UpTo<MemberId, 200> [create?],
    }
    /// Lists an event's photos in display order.
    list ListEventPhotos = "list_event_photos" on Events for OFFICE.and(&[Role::Fellow]) {
        req {
            event_id: EventId,
        }
    }
    /// Gets a photo.
    get GetEventPhoto = "get_event_photo" on Events for OFFICE.and(&[Role::Fellow]);
    /// Adds a photo to an event and tags members in it.
    create AddEventPhoto = "add_event_photo" on Events for Roles::DESK;
    /// Changes a photo.
    change UpdateEventPhoto = "update_event_photo" on Events for Roles::DESK {
        opt {
            /// Replaces the tagged members.
            member_ids: Change<UpTo<MemberId, 200>>,
        }
    }
    /// Removes a photo from an event.
    delete DeleteEventPhoto = "delete_event_photo" on Events for Roles::DESK;
}
