//! Addresses of media that the organisation's apps share.

use jiff::Timestamp;

use super::{BUILDERS, EVERYBODY};
use crate::id::MediaId;
use crate::record::{List, One};
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Limit, Line, Name, Offset, Prose, WebUrl, Whole};
use crate::wire::Wire;
use crate::words::words;

words! {
    /// The kind of a medium.
    MediaKind {
        Image = "image",
        Video = "video",
        Audio = "audio",
        Document = "document",
    }
}

/// An image, recording or document.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Media {
    pub id: MediaId,
    pub name: String,
    pub kind: MediaKind,
    /// Address; unique.
    pub url: String,
    pub description: Option<String>,
    /// Size in bytes.
    pub bytes: Option<u64>,
    /// When it was registered.
    pub created_at: Timestamp,
}

resource! {
    Media = "media", "media" (name: name, state: kind) {
        list: ListMedia,
        create: RegisterMedia,
    }
}

tool! {
    /// Lists media by name.
    ListMedia = "list_media" on Ops, READ, for EVERYBODY => List<Media> {
        opt {
            kind: Option<MediaKind>,
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Registers an image, recording or document by its address.
    RegisterMedia = "register_media" on Ops, CREATE, for BUILDERS => One<Media> {
        req {
            name: Name,
            kind: MediaKind,
            url: WebUrl,
        }
        opt {
            description: Option<Prose>,
            bytes: Option<Whole<0, 1_000_000_000_000>>,
        }
    }
}
