//! Photos of an event, and the members tagged in them.

use super::OFFICE;
use crate::id::{EventId, MemberId, PhotoId};
use crate::record::{List, Maybe, One};
use crate::resource::resource;
use crate::role::{Role, Roles};
use crate::tool::tool;
use crate::value::{Change, Limit, Line, Offset, Patch, Position, UpTo, WebUrl};
use crate::wire::Wire;

/// A photo of an event.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Photo {
    pub id: PhotoId,
    pub event_id: EventId,
    /// Address of the image.
    pub url: String,
    pub caption: Option<String>,
    /// Display position; lower comes first.
    pub sort_order: f64,
    /// The tagged members.
    pub member_ids: Vec<MemberId>,
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

tool! {
    /// Adds a photo to an event and tags members in it.
    AddEventPhoto = "add_event_photo" on Events, CREATE, for Roles::DESK => One<Photo> {
        req {
            event_id: EventId,
            url: WebUrl,
        }
        opt {
            caption: Option<Line>,
            /// Lower comes first.
            sort_order: Option<Position> = 0,
            member_ids: Option<UpTo<MemberId, 200>>,
        }
    }
}

tool! {
    /// Changes a photo.
    UpdateEventPhoto = "update_event_photo" on Events, UPDATE, for Roles::DESK => One<Photo> {
        req {
            id: PhotoId,
        }
        opt {
            caption: Patch<Line>,
            /// Lower comes first.
            sort_order: Change<Position>,
            /// Replaces the tagged members.
            member_ids: Change<UpTo<MemberId, 200>>,
        }
    }
}
