//! The commands of the messages of a server.

use std::sync::Arc;

use frontdesk_client::trace::Message;

use super::contexts::MESSAGES;
use super::messages::{Messages, is_repeatable};
use super::page::ServerPage;
use crate::app::cx::{Cx, Out};
use crate::app::input::command::commands;
use crate::app::state::State;

commands! {
    pub(crate) const COMMANDS;

    MESSAGES: "message.open", ["enter"], "Show the whole message",
        run |state, out| on_messages(state, out, Messages::open), over("server.open"), hint("look"),
        unless(no_message);
    MESSAGES: "message.again", ["a"],
        "Repeat the request; a call that may write shows its form first",
        run |state, out| on_messages(state, out, Messages::repeat), over("server.accept"),
        hint("again"), unless(no_request);
    MESSAGES: "message.filter", ["f"],
        "Filter: calls, errors, notifications, lines of the process, HTTP exchanges, or all",
        run |state, out| on_messages(state, out, Messages::filter_next), hint("filter");
    MESSAGES: "message.copy", ["y"], "Copy the message as JSON",
        run |state, out| on_messages(state, out, Messages::copy), hint("copy"), unless(no_message);
    MESSAGES: "message.copy_curl", ["u"], "Copy the call as a curl command, without the token",
        run |state, out| on_messages(state, out, Messages::copy_curl), unless(no_call);
    MESSAGES: "message.clear", ["D"], "Forget all messages of this server",
        run |state, out| on_messages(state, out, Messages::clear), danger, unless(no_message);
}

fn on_messages(state: &mut State, out: &mut Out, act: impl FnOnce(&mut Messages, &mut Cx)) {
    state.act(out, |page: &mut ServerPage, cx| act(&mut page.messages, cx));
}

fn selected(state: &State) -> Option<Arc<Message>> {
    state.shows::<ServerPage>()?.messages.selected()
}

fn no_message(state: &State) -> Option<String> {
    let is_none = selected(state).is_none();
    is_none.then(|| "no message is selected".to_owned())
}

fn no_request(state: &State) -> Option<String> {
    let is_one = selected(state).is_some_and(|it| is_repeatable(&it));
    let why = "a call, a read, a prompt or a list can be repeated";
    (!is_one).then(|| why.to_owned())
}

fn no_call(state: &State) -> Option<String> {
    let message = selected(state).filter(|it| is_repeatable(it));
    let method = message.and_then(|it| it.method.clone());
    (method.as_deref() != Some("tools/call")).then(|| "it is no call of a tool".to_owned())
}
