//! Media with their sizes.

use frontdesk_protocol::Host;

use crate::app::shared::Shared;
use crate::fields::cell::Cell;
use crate::fields::key::Key;
use crate::records::columns::Column;
use crate::records::record::Record;
use crate::records::view::View;

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("name", "Name"),
        Column::field("kind", "Kind"),
        Column::own("Size", size, |media, _| Key::number(media.number("bytes"))),
        Column::field("created_at", "Added"),
        Column::field("url", "Address"),
    ],
    facts: &[("Size", size)],
    covered: &["bytes"],
    ..View::new(Host::Ops, "media")
};

fn size(media: &Record, _: &Shared) -> Cell {
    let Some(bytes) = media.number("bytes") else {
        return Cell::new("");
    };
    Cell::new(match bytes {
        ..1e3 => format!("{bytes} B"),
        ..1e6 => format!("{:.0} kB", bytes / 1e3),
        ..1e9 => format!("{:.1} MB", bytes / 1e6),
        _ => format!("{:.1} GB", bytes / 1e9),
    })
}
