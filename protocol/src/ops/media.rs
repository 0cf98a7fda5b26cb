//! Addresses of media that the organisation's apps share.

use jiff::Timestamp;

use super::{BUILDERS, EVERYBODY};
use crate::id::MediaId;
use crate::record::{List, record};
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Limit, Line, Name, Offset, Prose, WebUrl, Whole};
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

record! {
    /// An image, recording or document.
    Media {
        id: MediaId,
        name: Name [create],
        kind: MediaKind [create],
        url: WebUrl [create],
        description: Option<Prose> [create],
        /// Size in bytes.
        bytes: Option<u64>,
        /// When it was registered.
        created_at: Timestamp,
    }
    /// Registers an image, recording or document by its address.
    create RegisterMedia = "register_media" on Ops for BUILDERS {
        opt {
            bytes: Option<Whole<0, 1_000_000_000_000>>,
        }
    }
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
