//! Everything that the app knows.

use frontdesk_client::Account;

use super::cx::{Cx, Out};
use super::effect::{Owner, RequestId, ScreenId};
use super::layer::Layer;
use super::shared::{Session, Setup, Shared};
use crate::commands::Context;
use crate::screens::Screen;

/// A screen on the stack.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) id: ScreenId,
    pub(crate) screen: Screen,
}

/// Everything that the app knows.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) shared: Shared,
    /// The screens, the visible one last.
    pub(crate) screens: Vec<Opened>,
    /// What lies over the screen, the topmost last.
    pub(crate) layers: Vec<Layer>,
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
            spinner: None,
            is_leaving: false,
        }
    }

    /// The visible screen.
    pub(crate) fn screen(&self) -> Option<&Screen> {
        self.screens.last().map(|opened| &opened.screen)
    }

    /// The contexts of the visible screen, the nearest first, whatever lies over it.
    pub(crate) fn screen_contexts(&self) -> &'static [Context] {
        match self.screen() {
            Some(screen) => screen.page().context().stack(),
            None => &[Context::Always],
        }
    }

    /// The contexts whose keys work now, the nearest first.
    pub(crate) fn contexts(&self) -> &'static [Context] {
        match self.layers.last() {
            Some(layer) => layer.context().stack(),
            None => self.screen_contexts(),
        }
    }

    /// How a key that could be text is to be taken.
    pub(crate) fn typing(&self) -> Typing {
        match (self.layers.last(), self.screen()) {
            (Some(layer), _) => layer.typing(),
            (None, Some(screen)) => screen.page().typing(),
            (None, None) => Typing::No,
        }
    }

    /// Lets the visible screen act.
    pub(crate) fn on_screen<T>(
        &mut self,
        out: &mut Out,
        act: impl FnOnce(&mut Screen, &mut Cx) -> T,
    ) -> Option<T> {
        let opened = self.screens.last_mut()?;
        let mut cx = Cx {
            shared: &mut self.shared,
            out,
            owner: Owner::Screen(opened.id),
        };
        Some(act(&mut opened.screen, &mut cx))
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
        self.layers.iter().any(Layer::is_busy)
            || self.shared.door.is_busy()
            || self.screen().is_some_and(|screen| screen.page().is_busy())
    }
}
