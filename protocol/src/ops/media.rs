//! Media that the organisation's apps share, by their addresses.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BUILDERS, EVERYBODY};
use crate::id::MediaId;
use crate::record::{List, One, record};
use crate::tool::{tool, tools};
use crate::value::{Limit, Line, Name, Offset, Prose, WebUrl, Whole};
use crate::words::words;

words! {
    /// What it is to the eye or the ear.
    MediaKind {
        Image = "image",
        Video = "video",
        Audio = "audio",
        Document = "document",
    }
}

/// A picture, a recording or a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Media {
    /// Identifies it.
    pub id: MediaId,
    /// Name.
    pub name: String,
    /// What it is.
    pub kind: MediaKind,
    /// Where it is; registered once.
    pub url: String,
    /// What is to be seen or heard.
    pub description: Option<String>,
    /// Its size.
    pub bytes: Option<u64>,
    /// When it was registered.
    pub created_at: Timestamp,
}
record!(Media, "media", "media");

tool! {
    /// Lists media by name.
    ListMedia = "list_media" on Ops, READ, for EVERYBODY => List<Media> {
        opt {
            /// Only media of this kind.
            kind: Option<MediaKind>,
            /// Part of the name.
            search: Option<Line>,
            /// Most media to return.
            limit: Limit,
            /// Media to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Registers a picture, a recording or a document that lies at an address.
    RegisterMedia = "register_media" on Ops, CREATE, for BUILDERS => One<Media> {
        req {
            /// Name.
            name: Name,
            /// What it is.
            kind: MediaKind,
            /// Where it is: http or https.
            url: WebUrl,
        }
        opt {
            /// What is to be seen or heard.
            description: Option<Prose>,
            /// Its size.
            bytes: Option<Whole<0, 1_000_000_000_000>>,
        }
    }
}

tools![ListMedia, RegisterMedia];
