//! The question before a tool that may remove something.

use crate::app::cx::{Cx, Out};
use crate::app::effect::ToolCall;
use crate::app::peer::Peer;
use crate::app::state::State;
use crate::ui::confirm::Confirm;
use crate::ui::text::{clean, fit};
use crate::ui::typed::Typed;

/// What the tool does, by the word of its host.
const WARNING: &str = "It may remove what cannot be had back.";

/// Asks before the call is made: `Call x?`, `Apply x?`. Our hosts say of a tool that it removes
/// something only where it does: a name is to be typed, that of the record if the call is about one, else the
/// tool's. A server that says nothing counts as one that may, and a name typed for every call would be typed
/// without reading.
pub(super) fn before_removing(
    cx: &mut Cx,
    call: &ToolCall,
    record: Option<&str>,
    verb: &str,
    more: &str,
    then: fn(&mut State, &mut Out),
) {
    let tool = clean(&call.tool);
    let title = format!("{verb} {}?", fit(&tool, 40));
    let name = record.map_or(tool, clean);
    match call.peer {
        Peer::Host(_) => {
            let body = vec![WARNING.to_owned(), more.to_owned()];
            cx.raise(Typed::new(title, body, &name, then).asking_for("name"));
        }
        Peer::Server(_) => cx.raise(Confirm {
            title,
            body: format!("{WARNING} {more}"),
            then,
        }),
    }
}
