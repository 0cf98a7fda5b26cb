//! What servers ask of the user: questions that are not decided yet, and changed tools to accept.

use frontdesk_client::question::Decision;
use uuid::Uuid;

use super::cx::{Cx, Move, Out};
use super::input::command::{ANYWHERE, commands};
use super::navigation::close;
use super::question::Asked;
use super::state::State;
use crate::app::effects::effect::Effect;
use crate::app::effects::server_jobs::AcceptTools;
use crate::look::mark::Mark;
use crate::look::text::clean;

commands! {
    pub(crate) const EVERYWHERE;

    ANYWHERE: "app.question", ["f4"], "Answer the question of a server", run show_next,
        hint("answer"),
        unless(|state| match hidden(state) {
            Some(_) => None,
            None => Some("no server asks anything".to_owned()),
        });
}

/// A server asks: the screen that waits for it shows the question at once, any other a message.
pub(super) fn came(state: &mut State, out: &mut Out, asked: Asked) {
    let shows = state
        .screen()
        .is_some_and(|screen| screen.waits_for(&asked.server));
    let key = state
        .shared
        .settings
        .keymap
        .key_while_typing("app.question");
    let words = format!("{} asks a question: {key} answers it", clean(&asked.server));
    state.shared.asked.push(asked);
    match shows {
        true => show_next(state, out),
        false => state.cx(out).toast(Mark::Waiting, words),
    }
}

/// The first question that no screen shows.
fn hidden(state: &State) -> Option<&Asked> {
    let mut asked = state.shared.asked.iter();
    asked.find(|asked| shown(state, asked.id).is_none())
}

/// The place of the screen that shows this question.
fn shown(state: &State, id: Uuid) -> Option<usize> {
    let mut screens = state.screens.iter();
    screens.position(|opened| opened.screen.asks() == Some(id))
}

fn show_next(state: &mut State, out: &mut Out) {
    if let Some(asked) = hidden(state) {
        let screen = (state.shared.parts.question)(asked.clone());
        out.moves.push(Move::Open(screen));
    }
}

/// The server no longer waits for an answer.
pub(super) fn withdrawn(state: &mut State, out: &mut Out, id: Uuid) {
    let Some(at) = state.shared.asked.iter().position(|asked| asked.id == id) else {
        return;
    };
    let asked = state.shared.asked.remove(at);
    let words = format!("{} no longer waits for an answer", clean(&asked.server));
    state.cx(out).toast(Mark::Info, words);
    match shown(state, id) {
        Some(at) if at + 1 == state.screens.len() => state.cx(out).back(),
        Some(at) => {
            let opened = state.screens.remove(at);
            close(state, out, opened);
        }
        None => {}
    }
}

impl Cx<'_> {
    /// Accepts changed tools of a server: all, or one.
    pub(crate) fn accept(&mut self, server: &str, tool: Option<&str>) {
        let changes = self.shared.changed.accept(server, tool);
        let server = server.to_owned();
        self.run_then(AcceptTools { server, changes }, |cx, ended| {
            if let Err(error) = ended.result {
                cx.toast(Mark::Bad, format!("Not accepted: {error}"));
            }
        });
    }

    /// Answers a question, and shows the next one.
    pub(crate) fn decide(&mut self, asked: &Asked, decision: Decision) {
        self.shared.asked.retain(|other| other.id != asked.id);
        let decided = Effect::Decide(asked.clone(), decision);
        self.out.effects.push(decided);
        self.back();
        self.then(show_next);
    }
}
