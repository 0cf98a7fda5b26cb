//! Questions of servers that the user has not decided yet.

use std::sync::{Arc, Mutex, PoisonError};

use frontdesk_client::question::{Decision, Question};
use tokio::sync::oneshot;
use uuid::Uuid;

use super::cx::{Cx, Move, Out};
use super::input::command::{ANYWHERE, Command};
use super::state::State;
use super::update::close;
use crate::app::effects::effect::Effect;
use crate::look::mark::Mark;
use crate::look::text::clean;

/// A question of a server.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) id: Uuid,
    /// The name of the server.
    pub(crate) server: String,
    pub(crate) question: Question,
    decide: Arc<Mutex<Option<oneshot::Sender<Decision>>>>,
}

impl Asked {
    /// A question, and its decision. The decision is lost if nobody can decide any more.
    pub(super) fn new(server: String, question: Question) -> (Self, oneshot::Receiver<Decision>) {
        let (decide, decided) = oneshot::channel();
        let asked = Asked {
            id: Uuid::new_v4(),
            server,
            question,
            decide: Arc::new(Mutex::new(Some(decide))),
        };
        (asked, decided)
    }

    /// Passes the decision on, once.
    pub(super) fn decide(&self, decision: Decision) {
        let mut decide = self.decide.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(decide) = decide.take() {
            // Fails only if the server no longer waits.
            let _ = decide.send(decision);
        }
    }
}

pub(crate) const EVERYWHERE: &[Command] = &[Command::new(
    &ANYWHERE,
    "app.question",
    "Answer the question of a server",
    &["f4"],
    show_next,
)
.hint("answer")
.unless(|state| match hidden(state) {
    Some(_) => None,
    None => Some("no server asks anything".to_owned()),
})];

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
    /// Answers a question, and shows the next one.
    pub(crate) fn decide(&mut self, asked: &Asked, decision: Decision) {
        self.shared.asked.retain(|other| other.id != asked.id);
        let decided = Effect::Decide(asked.clone(), decision);
        self.out.effects.push(decided);
        self.back();
        self.then(show_next);
    }
}
