//! Undoing a change, after a preview.

use frontdesk_protocol::ops::change::UndoChange;
use frontdesk_protocol::{Host, Tool};
use serde_json::Map;

use super::rows::rows_left;
use super::screen::{PreviewScreen, Subject};
use crate::app::cx::{Cx, Out};
use crate::app::effects::call::{CallOptions, ToolCall};
use crate::app::peer::{Peer, Reply};
use crate::app::state::State;
use crate::look::text::{clean, count};

fn call(change: &str) -> ToolCall {
    ToolCall {
        peer: Peer::Host(Host::Ops),
        tool: UndoChange::NAME.to_owned(),
        arguments: Map::from_iter([("change_id".to_owned(), change.into())]),
        options: CallOptions::default(),
        changes_nothing: false,
        by_hand: true,
    }
}

/// Previews the undo of the change with this id. `name` is the change in words, if known.
pub(crate) fn undo(cx: &mut Cx, change: &str, name: Option<String>) {
    undo_then(cx, change, name, |_, _| {});
}

/// As [`undo`], and runs `then` once the change is undone.
pub(crate) fn undo_then(
    cx: &mut Cx,
    change: &str,
    name: Option<String>,
    then: fn(&mut State, &mut Out),
) {
    let subject = Subject {
        title: "Undo".to_owned(),
        name,
        is_destructive: false,
        stays: true,
    };
    let preview = PreviewScreen::new(subject, call(change), cx, move |state, out, result| {
        if let Ok(reply) = result {
            undone(&mut state.cx(out), reply);
            then(state, out);
        }
    });
    cx.open(preview);
}

fn undone(cx: &mut Cx, mut reply: Reply) {
    let change = &reply.value["change"];
    let summary = change["summary"].as_str().unwrap_or_default();
    let mut words = match &reply.action {
        Some(_) => format!("Undone in steps, the last: {}", clean(summary)),
        None => format!("Undone: {}", clean(summary)),
    };
    let left = rows_left(&reply);
    if left > 0 {
        words = format!("{words}; {} left", count(left, "row", "rows"));
    }
    let delivered = change["delivered"].as_array();
    let delivered = delivered.into_iter().flatten();
    let delivered: u64 = delivered.filter_map(|one| one["count"].as_u64()).sum();
    if delivered > 0 {
        let webhooks = usize::try_from(delivered).unwrap_or(usize::MAX);
        let webhooks = count(webhooks, "webhook", "webhooks");
        words = format!("{words}; {webhooks} already delivered");
    }
    if let Some(steps) = reply.action {
        reply.change = Some(steps.to_string());
        cx.changed(&steps.to_string());
    }
    cx.toast_done(&words, &reply);
}
