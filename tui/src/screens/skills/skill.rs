//! Skills: their current version, and publishing.

use std::borrow::Cow;

use frontdesk_protocol::Host;

use crate::records::columns::Column;
use crate::records::view::View;

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("title", "Skill"),
        Column::field("status", "State"),
        Column::field("version", "Version"),
        Column::field("published_at", "Published"),
        Column::field("published_by", "By"),
    ],
    covered: &["body"],
    prose: Some(|skill| skill.text("body").map(Cow::Borrowed)),
    is_past: Some(|skill, _| skill.text("status") == Some("retired")),
    ..View::new(Host::Skills, "skills")
};
