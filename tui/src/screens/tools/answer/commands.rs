//! What one can do with an answer.

use super::{AnswerScreen, Stage};
use crate::app::cx::{Cx, Out};
use crate::app::state::State;
use crate::commands::{Command, Context};
use crate::screens::Screen;

/// The commands of answers and previews.
pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        Context::Preview,
        "preview.apply",
        "Do what the preview shows",
        &["a"],
        |state, out| on(state, out, AnswerScreen::apply),
    )
    .hint("apply")
    .danger()
    .unless(|state| look(state, AnswerScreen::no_apply)),
    Command::new(
        Context::Answer,
        "answer.open",
        "Open the selected record",
        &["enter", "o"],
        |state, out| on(state, out, AnswerScreen::open),
    )
    .hint("open")
    .unless(|state| look(state, AnswerScreen::no_record)),
    Command::new(
        Context::Answer,
        "answer.next_page",
        "The next records of the list",
        &["n"],
        |state, out| on(state, out, AnswerScreen::next_page),
    )
    .hint("next")
    .unless(|state| look(state, AnswerScreen::no_next_page)),
    Command::new(
        Context::Answer,
        "answer.json",
        "As JSON, or as a table again",
        &["tab"],
        |state, out| on(state, out, |screen, _| screen.turn()),
    )
    .hint("JSON"),
    Command::new(
        Context::Answer,
        "answer.copy",
        "Copy it as JSON",
        &["y"],
        |state, out| on(state, out, AnswerScreen::copy),
    )
    .hint("copy"),
    Command::new(
        Context::Answer,
        "answer.copy_command",
        "Copy the call as a command line",
        &["Y"],
        |state, out| on(state, out, AnswerScreen::copy_command),
    ),
];

/// Lets the answer act.
pub(super) fn on(state: &mut State, out: &mut Out, act: impl FnOnce(&mut AnswerScreen, &mut Cx)) {
    state.on_screen(out, |screen, cx| {
        if let Screen::Answer(screen) = screen {
            act(screen, cx);
        }
    });
}

fn look(state: &State, look: impl FnOnce(&AnswerScreen) -> Option<String>) -> Option<String> {
    match state.screen() {
        Some(Screen::Answer(screen)) => look(screen),
        _ => None,
    }
}

impl AnswerScreen {
    /// Why nothing can be applied.
    fn no_apply(&self) -> Option<String> {
        let why = match (self.stage, &self.applying) {
            (Stage::Preview, Some(_)) => "it is being done",
            (Stage::Preview, None) if self.reply.is_loading() => "the preview is not there yet",
            (Stage::Preview, None) if self.reply.error().is_some() => {
                "the preview is out of date, as the screen says"
            }
            (Stage::Preview, None) => return None,
            _ => "this is no preview",
        };
        Some(why.to_owned())
    }

    fn no_record(&self) -> Option<String> {
        match self.records() {
            Some([]) => Some("the list is empty".to_owned()),
            Some(_) => None,
            None => Some("there is no list of records".to_owned()),
        }
    }

    fn no_next_page(&self) -> Option<String> {
        match self.next_offset() {
            Some(_) => None,
            None => Some("there is no more".to_owned()),
        }
    }
}
