//! Everything that the app knows.

use frontdesk_client::Account;

use std::any::Any;

use super::command::{ALWAYS, Context};
use super::cx::{Cx, Out};
use super::effect::{Owner, RequestId, ScreenId};
use super::layer::Layer;
use super::screen::Screen;
use super::shared::{Session, Setup, Shared};

/// A screen on the stack.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) id: ScreenId,
    pub(crate) screen: Box<dyn Screen>,
}

/// Everything that the app knows.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) shared: Shared,
    /// The screens, the visible one last.
    pub(crate) screens: Vec<Opened>,
    /// What lies over the screen, the topmost last.
    pub(crate) layers: Vec<Box<dyn Layer>>,
    /// What was typed last over a screen that takes codes.
    pub(crate) typed: String,
    /// Turns the spinner while something is waited for.
    pub(crate) spinner: Option<RequestId>,
    /// The app ends once what is being written is written.
    pub(crate) is_leaving: bool,
}

/// How a key that could be text is to be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Typing {
    /// There is no text field.
    No,
    /// Into a text field that is empty: letters are typed, unless the screen itself has a command
    /// on them; signs such as `?` and `:` are commands.
    Beginning,
    /// Into a text field.
    Yes,
}

impl State {
    /// The app before anything happened. With `account`, somebody was signed in last time.
    pub(crate) fn new(setup: Setup, account: Option<Account>, is_signed_in: bool) -> Self {
        let mut shared = Shared::new(setup);
        shared.session = match account {
            _ if !is_signed_in => Session::Out,
            Some(account) => Session::In(account),
            None => Session::Unknown,
        };
        State {
            shared,
            screens: Vec::new(),
            layers: Vec::new(),
            typed: String::new(),
            spinner: None,
            is_leaving: false,
        }
    }

    /// The visible screen.
    pub(crate) fn screen(&self) -> Option<&dyn Screen> {
        self.screens.last().map(|opened| opened.screen.as_ref())
    }

    /// The visible screen, if it is one of these.
    pub(crate) fn shows<S: Screen>(&self) -> Option<&S> {
        let screen: &dyn Any = self.screen()?;
        screen.downcast_ref()
    }

    /// The topmost layer, if it is one of these.
    pub(crate) fn on_top<L: Layer>(&self) -> Option<&L> {
        let layer: &dyn Any = self.layers.last()?.as_ref();
        layer.downcast_ref()
    }

    /// The same, to change it.
    pub(crate) fn on_top_mut<L: Layer>(&mut self) -> Option<&mut L> {
        let layer: &mut dyn Any = self.layers.last_mut()?.as_mut();
        layer.downcast_mut()
    }

    /// Lets the topmost layer act, if it is one of these.
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

    /// Takes the topmost layer away, if it is one of these.
    pub(crate) fn take_layer<L: Layer>(&mut self) -> Option<Box<L>> {
        self.on_top::<L>()?;
        let layer: Box<dyn Any> = self.layers.pop()?;
        layer.downcast().ok()
    }

    /// The context of the visible screen, whatever lies over it.
    pub(crate) fn screen_context(&self) -> &'static Context {
        self.screen().map_or(&ALWAYS, |screen| screen.context())
    }

    /// The nearest context whose keys work now.
    pub(crate) fn context(&self) -> &'static Context {
        match self.layers.last() {
            Some(layer) => layer.context(),
            None => self.screen_context(),
        }
    }

    /// How a key that could be text is to be taken.
    pub(crate) fn typing(&self) -> Typing {
        match (self.layers.last(), self.screen()) {
            (Some(layer), _) => layer.typing(),
            (None, Some(screen)) => screen.typing(),
            (None, None) => Typing::No,
        }
    }

    /// Lets the visible screen act.
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

    /// Lets the visible screen act, if it is one of these.
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

    /// The same, as commands want it.
    pub(crate) fn act<S: Screen>(&mut self, out: &mut Out, act: impl FnOnce(&mut S, &mut Cx)) {
        self.with(out, act);
    }

    /// Lets the app itself act.
    pub(crate) fn cx<'a>(&'a mut self, out: &'a mut Out) -> Cx<'a> {
        Cx {
            shared: &mut self.shared,
            out,
            owner: Owner::App,
        }
    }

    /// Whether something is waited for that the person at the screen waits for too.
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
