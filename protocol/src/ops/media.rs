//! Addresses of media that the organisation's apps share.

use jiff::Timestamp;

use super::{BUILDERS, EVERYBODY};
use crate::id::MediaId;
use crate::record::record;
use crate::value::{Line, Name, Prose, WebUrl, Whole};
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
    Media = "media", "media" (name: name, state: kind) {
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
    /// Lists media by name.
    list ListMedia = "list_media" on Ops for EVERYBODY {
        opt {
            kind: Option<MediaKind>,
            search: Option<Line>,
        }
    }
    /// Registers an image, recording or document by its address.
    create RegisterMedia = "register_media" on Ops for BUILDERS {
        opt {
            bytes: Option<Whole<0, 1_000_000_000_000>>,
        }
    }
}
