//! The question before a destructive call.

use crate::app::cx::{Cx, Out};
use crate::app::effects::call::ToolCall;
use crate::app::peer::Peer;
use crate::app::state::State;
use crate::look::text::{clean, fit};
use crate::ui::confirm::Confirm;
use crate::ui::typed::Typed;

const WARNING: &str = "This cannot be undone.";

/// Asks before the call: `Call x?`, `Apply x?`. The hosts mark a tool as destructive only if it
/// deletes something or issues a credential, so the user types a name: that of the record if there is one, otherwise that
/// of the tool. A third-party server without this information counts as destructive; typing a name
/// for every call would become a habit, so a simple question is used.
pub(crate) fn before_removing(
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
