//! Values that a host returns once only, such as the link of an invitation. A tool declares them
//! with the format `password`; they are taken out of its answer before anything else handles it, so
//! they reach neither the history nor another screen.

use serde_json::Value;

use super::peer::Peer;
use crate::app::effects::call::Answer;

/// What an answer contained.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Once {
    /// The tool's title.
    pub(crate) title: String,
    /// What the value is, by its field: "link".
    pub(crate) field: String,
    /// The value.
    pub(crate) text: String,
    /// The answer without it.
    pub(crate) rest: Value,
}

/// Takes the first such value out of an answer of a host.
pub(super) fn take(answer: &mut Answer) -> Option<Once> {
    let Peer::Host(host) = answer.peer else {
        return None;
    };
    let tool = host
        .tool(&answer.tool)
        .filter(|tool| !tool.effect.read_only)?;
    let reply = answer.result.as_mut().ok()?;
    let value = &mut reply.value;
    let field = tool.secrets().into_iter().next()?;
    let taken = value.as_object_mut()?.shift_remove(&field)?;
    // What somebody has seen cannot be undone.
    reply.change = None;
    Some(Once {
        title: tool.title(),
        field: field.replace('_', " "),
        text: taken.as_str()?.to_owned(),
        rest: value.clone(),
    })
}
