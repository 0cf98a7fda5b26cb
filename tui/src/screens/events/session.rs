//! Sessions of an event.

use frontdesk_protocol::Host;

use crate::fields::cell::Cell;
use crate::fields::key::Key;
use crate::look::time::span;
use crate::records::columns::Column;
use crate::records::view::View;

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("title", "Session"),
        Column::own(
            "When",
            |session, shared| {
                let (start, end) = (session.time("start_time"), session.time("end_time"));
                Cell::new(span(start, end, shared.now, &shared.locale))
            },
            |session, _| Key::time(session.time("start_time")),
        ),
        Column::field("location", "Where"),
        Column::field("guest_ids", "Guests"),
    ],
    ..View::new(Host::Events, "sessions")
};
