//! The complete state of the app.

use std::any::Any;

use frontdesk_client::Account;
use jiff::Timestamp;

use super::cx::{Cx, Out};
use super::layer::Layer;
use super::pace::Renewal;
use super::screen::Screen;
use super::shared::{Session, Setup, Shared};
use crate::app::input::ahead::Ahead;
use crate::app::input::chord::Chord;
use crate::app::input::command::Command;
use crate::app::input::context::{ALWAYS, Context};
use crate::app::input::scan::Scan;
use crate::app::owner::{Owner, RequestId, ScreenId};

/// A screen on the stack.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) id: ScreenId,
    pub(crate) screen: Box<dyn Screen>,
    /// The number of announced changes when it was covered.
    pub(crate) writes: usize,
}

/// The complete state of the app.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) shared: Shared,
    /// The open screens, the visible one last.
    pub(crate) screens: Vec<Opened>,
    /// The layers over the screen, the topmost last.
    pub(crate) layers: Vec<Box<dyn Layer>>,
    /// The last keys, as far as they may belong to a code.
    pub(crate) scan: Scan,
    /// The timer of the spinner.
    pub(crate) spinner: Option<RequestId>,
    /// Keys that wait for data.
    pub(crate) ahead: Ahead,
    /// When the last letter was typed of a word where there is no field.
    pub(crate) stray: Option<Timestamp>,
    /// When the visible screen is renewed.
    pub(super) renewal: Renewal,
    /// The app ends after pending writes.
    pub(crate) is_leaving: bool,
}

/// How letters are handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Typing {
    /// There is no text field.
    No,
    /// An empty text field: letters are typed unless the screen has a command on them; signs such
    /// as `?` and `:` are commands.
    Beginning,
    /// A text field with text.
    Yes,
    /// A text field that shows dots: every key is its own, and its text is no code.
    Secret,
}

impl State {
    /// The initial state. `account` is the account of the last sign-in, if any.
    pub(crate) fn new(setup: Setup, account: Option<Account>, is_signed_in: bool) -> Self {
        let has_service = setup.has_service;
        let mut shared = Shared::new(setup);
        shared.session = match account {
            _ if !has_service => Session::NoService,
            _ if !is_signed_in => Session::Out,
            Some(account) => Session::In(account),
            None => Session::Unknown,
        };
        if let Session::In(account) = shared.session.clone() {
            shared.take_zone(&account);
        }
        State {
            shared,
            screens: Vec::new(),
            layers: Vec::new(),
            scan: Scan::default(),
            spinner: None,
            ahead: Ahead::default(),
            stray: None,
            renewal: Renewal::default(),
            is_leaving: false,
        }
    }

    /// The command that a key runs now.
    pub(crate) fn command(&self, chord: Chord) -> Option<&'static Command> {
        let id = self.shared.settings.keymap.command(chord, self.context())?;
        self.shared.parts.commands.by_id(id)
    }

    /// The visible screen.
    pub(crate) fn screen(&self) -> Option<&dyn Screen> {
        self.screens.last().map(|opened| opened.screen.as_ref())
    }

    /// The visible screen, if it has this type.
    pub(crate) fn shows<S: Screen>(&self) -> Option<&S> {
        let screen: &dyn Any = self.screen()?;
        screen.downcast_ref()
    }

    /// The topmost layer, if it has this type.
    pub(crate) fn on_top<L: Layer>(&self) -> Option<&L> {
        let layer: &dyn Any = self.layers.last()?.as_ref();
        layer.downcast_ref()
    }

    /// The topmost layer, mutable.
    pub(crate) fn on_top_mut<L: Layer>(&mut self) -> Option<&mut L> {
        let layer: &mut dyn Any = self.layers.last_mut()?.as_mut();
        layer.downcast_mut()
    }

    /// Runs an action on the topmost layer, if it has this type.
    pub(crate) fn act_on_top<L: Layer>(
        &mut self,
        out: &mut Out,
        act: impl FnOnce(&mut L, &mut Cx),
    ) {
        let Some(layer) = self.layers.last_mut() else {
            return;
        };
        let layer: &mut dyn Any = layer.as_mut();
        if let Some(layer) = layer.downcast_mut() {
            let mut cx = Cx {
                shared: &mut self.shared,
                out,
                owner: Owner::App,
            };
            act(layer, &mut cx);
        }
    }

    /// Removes the topmost layer, if it has this type.
    pub(crate) fn take_layer<L: Layer>(&mut self) -> Option<Box<L>> {
        self.on_top::<L>()?;
        let layer: Box<dyn Any> = self.layers.pop()?;
        layer.downcast().ok()
    }

    /// The context of the visible screen, ignoring layers.
    pub(crate) fn screen_context(&self) -> &'static Context {
        self.screen().map_or(&ALWAYS, |screen| screen.context())
    }

    /// The nearest active context.
    pub(crate) fn context(&self) -> &'static Context {
        match self.layers.last() {
            Some(layer) => layer.context(),
            None => self.screen_context(),
        }
    }

    /// How letters are handled.
    pub(crate) fn typing(&self) -> Typing {
        match (self.layers.last(), self.screen()) {
            (Some(layer), _) => layer.typing(),
            (None, Some(screen)) => screen.typing(),
            (None, None) => Typing::No,
        }
    }

    /// Runs an action on the visible screen.
    pub(crate) fn on_screen<T>(
        &mut self,
        out: &mut Out,
        act: impl FnOnce(&mut dyn Screen, &mut Cx) -> T,
    ) -> Option<T> {
        let opened = self.screens.last_mut()?;
        let mut cx = Cx {
            shared: &mut self.shared,
            out,
            owner: Owner::Screen(opened.id),
        };
        Some(act(opened.screen.as_mut(), &mut cx))
    }

    /// Runs an action on the visible screen, if it has this type.
    pub(crate) fn with<S: Screen, T>(
        &mut self,
        out: &mut Out,
        act: impl FnOnce(&mut S, &mut Cx) -> T,
    ) -> Option<T> {
        let done = self.on_screen(out, |screen, cx| {
            let screen: &mut dyn Any = screen;
            Some(act(screen.downcast_mut()?, cx))
        });
        done.flatten()
    }

    /// The same without a result, for commands.
    pub(crate) fn act<S: Screen>(&mut self, out: &mut Out, act: impl FnOnce(&mut S, &mut Cx)) {
        self.with(out, act);
    }

    /// The context for actions of the app itself.
    pub(crate) fn cx<'a>(&'a mut self, out: &'a mut Out) -> Cx<'a> {
        Cx {
            shared: &mut self.shared,
            out,
            owner: Owner::App,
        }
    }

    /// Whether the user waits for something.
    pub(crate) fn is_busy(&self) -> bool {
        self.layers.iter().any(|layer| layer.is_busy())
            || self.is_any_service_busy()
            || self.screen().is_some_and(|screen| screen.is_busy())
    }

    fn is_any_service_busy(&self) -> bool {
        let mut services = self.shared.parts.services.iter();
        services.any(|service| (service.is_busy)(&self.shared))
    }
}
