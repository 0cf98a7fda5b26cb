//! Thumbnails with their pictures.

use frontdesk_protocol::studio::thumbnail::GetThumbnail;
use frontdesk_protocol::{Host, Tool};

use crate::records::columns::Column;
use crate::records::view::View;

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("title", "Thumbnail"),
        Column::field("subtitle", "Subtitle"),
        Column::field("video_lesson_id", "Video lesson"),
        Column::field("created_at", "Generated"),
    ],
    picture: Some(GetThumbnail::NAME),
    ..View::new(Host::Studio, "thumbnails")
};
