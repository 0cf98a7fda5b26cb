//! What can lie over a screen. The topmost layer has the keys.

use crossterm::event::KeyEvent;
use ratatui::Frame;
use ratatui::layout::Rect;

use super::cx::Cx;
use super::effect::{Outcome, RequestId};
use super::state::{State, Typing};
use crate::commands::Context;
use crate::layers::confirm::Confirm;
use crate::layers::export::Export;
use crate::layers::help::Help;
use crate::layers::palette::Palette;
use crate::layers::picker::Picker;
use crate::layers::presets::PresetList;
use crate::layers::prompt::Prompt;
use crate::layers::recall::Recall;
use crate::layers::typed::Typed;
use crate::screens::sign_in::SignIn;

/// A layer over the screen.
#[derive(Debug)]
pub(crate) enum Layer {
    SignIn(Box<SignIn>),
    Palette(Box<Palette>),
    Help(Help),
    Confirm(Confirm),
    Export(Export),
    Typed(Box<Typed>),
    Prompt(Box<Prompt>),
    Picker(Box<Picker>),
    Recall(Box<Recall>),
    Presets(Box<PresetList>),
}

impl Layer {
    /// Where its keys work.
    pub(crate) fn context(&self) -> Context {
        match self {
            Layer::SignIn(_) => Context::SignIn,
            Layer::Palette(_) => Context::Palette,
            Layer::Help(_) => Context::Help,
            Layer::Confirm(_) => Context::Confirm,
            Layer::Export(_) => Context::Export,
            Layer::Typed(_) => Context::Typed,
            Layer::Prompt(_) => Context::Prompt,
            Layer::Picker(_) => Context::Picker,
            Layer::Recall(_) => Context::Recall,
            Layer::Presets(_) => Context::Presets,
        }
    }

    /// How a key that could be text is to be taken.
    pub(crate) fn typing(&self) -> Typing {
        match self {
            Layer::SignIn(_)
            | Layer::Palette(_)
            | Layer::Typed(_)
            | Layer::Prompt(_)
            | Layer::Picker(_)
            | Layer::Recall(_)
            | Layer::Presets(_) => Typing::Yes,
            Layer::Help(_) | Layer::Confirm(_) | Layer::Export(_) => Typing::No,
        }
    }

    /// In a list under a search field, moves the selection by this many rows.
    fn step(&mut self, by: isize) {
        match self {
            Layer::Palette(palette) => palette.list.step(by),
            Layer::Picker(picker) => picker.list.step(by),
            Layer::Recall(recall) => recall.list.step(by),
            Layer::Presets(presets) => presets.list.step(by),
            _ => {}
        }
    }

    /// A key that no command took.
    pub(crate) fn key(&mut self, cx: &mut Cx, key: KeyEvent) {
        match self {
            Layer::SignIn(sign_in) => sign_in.key(key),
            Layer::Palette(palette) => palette.key(key),
            Layer::Typed(typed) => typed.key(key),
            Layer::Prompt(prompt) => prompt.key(key),
            Layer::Picker(picker) => picker.key(cx, key),
            Layer::Recall(recall) => recall.key(key),
            Layer::Presets(list) => list.key(key),
            Layer::Help(_) | Layer::Confirm(_) | Layer::Export(_) => {}
        }
    }

    /// Text was pasted.
    pub(crate) fn paste(&mut self, cx: &mut Cx, text: &str) {
        match self {
            Layer::SignIn(sign_in) => sign_in.paste(text),
            Layer::Palette(palette) => palette.paste(text),
            Layer::Typed(typed) => typed.paste(text),
            Layer::Prompt(prompt) => prompt.paste(text),
            Layer::Picker(picker) => picker.paste(cx, text),
            Layer::Recall(recall) => recall.paste(text),
            Layer::Presets(list) => list.paste(text),
            Layer::Help(_) | Layer::Confirm(_) | Layer::Export(_) => {}
        }
    }

    /// Work of the app ended.
    pub(crate) fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: &Outcome) {
        match self {
            Layer::SignIn(sign_in) => sign_in.answered(cx, request, outcome),
            Layer::Picker(picker) => picker.answered(cx, request, outcome),
            Layer::Recall(recall) => recall.answered(request, outcome),
            _ => {}
        }
    }

    /// A timer of the app fired.
    pub(crate) fn fired(&mut self, cx: &mut Cx, request: RequestId) {
        if let Layer::Picker(picker) = self {
            picker.fired(cx, request);
        }
    }

    /// Whether the person waits for an answer.
    pub(crate) fn is_busy(&self) -> bool {
        match self {
            Layer::SignIn(sign_in) => sign_in.is_busy(),
            Layer::Picker(picker) => picker.is_busy(),
            Layer::Recall(recall) => recall.is_busy(),
            _ => false,
        }
    }

    /// Draws it.
    pub(crate) fn draw(&self, state: &State, frame: &mut Frame, area: Rect) {
        match self {
            Layer::SignIn(sign_in) => sign_in.draw(&state.shared, frame, area),
            Layer::Palette(palette) => palette.draw(state, frame, area),
            Layer::Help(help) => help.draw(state, frame, area),
            Layer::Confirm(confirm) => confirm.draw(&state.shared, frame, area),
            Layer::Export(export) => export.draw(&state.shared, frame, area),
            Layer::Typed(typed) => typed.draw(&state.shared, frame, area),
            Layer::Prompt(prompt) => prompt.draw(&state.shared, frame, area),
            Layer::Picker(picker) => picker.draw(&state.shared, frame, area),
            Layer::Recall(recall) => recall.draw(&state.shared, frame, area),
            Layer::Presets(list) => list.draw(&state.shared, frame, area),
        }
    }
}

/// In the topmost layer, if it is a list under a search field, moves the selection by this many rows.
pub(crate) fn step(state: &mut State, by: isize) {
    if let Some(layer) = state.layers.last_mut() {
        layer.step(by);
    }
}
