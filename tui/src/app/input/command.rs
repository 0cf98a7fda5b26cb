//! Commands: user actions with their keys and contexts.

use std::fmt::Write;

pub(crate) use super::context::{ALWAYS, ANYWHERE, Context, LIST};
use super::keys::{Binding, Keymap, KeymapError};
use crate::app::cx::Out;
use crate::app::shared::{Session, Shared};
use crate::app::state::State;

/// A table of commands, one for each row:
///
/// `CONTEXT: "id", ["key"], "Title", run function, modifier, modifier(value);`
///
/// What it runs is a function of the state (`run`), of the screen (`act`) or of the topmost layer (`top`). Modifiers are the
/// methods of [`Command`] and two that look at the screen: `lacks(Page::why_not)`, and `needs(Page::part, "why not")`.
macro_rules! commands {
    ($(#[$meta:meta])* $visibility:vis const $name:ident; $(
        $context:path: $id:expr, [$($key:expr),*], $title:expr, $how:ident $run:expr
        $(, $modifier:ident $(($($value:tt)*))?)*;
    )*) => {
        $(#[$meta])*
        $visibility const $name: &[$crate::app::input::command::Command] = &[$(
            $crate::app::input::command::commands!(
                @with $crate::app::input::command::Command::new(
                    &$context,
                    $id,
                    $title,
                    &[$($key),*],
                    $crate::app::input::command::commands!(@$how $run),
                );
                $($modifier ($($($value)*)?))*
            ),
        )*];
    };
    (@run $run:expr) => { $run };
    (@act $run:expr) => { |state, out| state.act(out, $run) };
    (@top $run:expr) => { |state, out| state.act_on_top(out, $run) };
    (@with $command:expr;) => { $command };
    (@with $command:expr; lacks ($why_not:expr) $($rest:tt)*) => {
        $crate::app::input::command::commands!(
            @with $command.unless(|state| $why_not(state.shows()?)); $($rest)*
        )
    };
    (@with $command:expr; needs ($part:expr, $why_not:expr) $($rest:tt)*) => {
        $crate::app::input::command::commands!(
            @with $command.unless(|state| match $part(state.shows()?) {
                Some(_) => None,
                None => Some($why_not.to_owned()),
            });
            $($rest)*
        )
    };
    (@with $command:expr; $modifier:ident ($($value:expr)?) $($rest:tt)*) => {
        $crate::app::input::command::commands!(@with $command.$modifier($($value)?); $($rest)*)
    };
}
pub(crate) use commands;

/// A user action.
#[derive(Debug)]
pub(crate) struct Command {
    /// Its id in the configuration and in tests: `guest.check_in`.
    pub(crate) id: &'static str,
    /// The title for people.
    pub(crate) title: &'static str,
    /// The default keys.
    pub(crate) keys: &'static [&'static str],
    /// The context of the keys.
    pub(crate) context: &'static Context,
    /// The word in the footer, if it is shown there.
    pub(crate) hint: Option<&'static str>,
    /// Whether the footer shows it now.
    pub(crate) is_hinted: fn(&State) -> bool,
    /// A more precise text in the footer, if the place has one.
    pub(crate) hint_here: fn(&State) -> Option<String>,
    /// A command of a more general context whose key it overrides.
    pub(crate) over: Option<&'static str>,
    /// Whether it changes or ends something that is hard to undo.
    pub(crate) danger: bool,
    /// Whether it writes to a host or server. Such commands are hidden in read-only mode.
    pub(crate) writes: bool,
    /// Whether it writes at once or answers a question, so that the user must have seen what it acts
    /// on.
    pub(crate) acts: bool,
    /// Whether it needs no loaded data.
    pub(crate) is_immediate: bool,
    /// Whether it works at a locked desk.
    pub(crate) at_lock: bool,
    /// Whether it calls hosts. Such commands are hidden if no service is configured.
    pub(crate) of_service: bool,
    /// Why it is unavailable now.
    pub(crate) why_not: fn(&State) -> Option<String>,
    /// Runs it.
    pub(crate) run: fn(&mut State, &mut Out),
}

impl Command {
    /// A command that is always available.
    pub(crate) const fn new(
        context: &'static Context,
        id: &'static str,
        title: &'static str,
        keys: &'static [&'static str],
        run: fn(&mut State, &mut Out),
    ) -> Self {
        Command {
            id,
            title,
            keys,
            context,
            hint: None,
            is_hinted: |_| true,
            hint_here: |_| None,
            over: None,
            danger: false,
            writes: false,
            acts: false,
            is_immediate: false,
            at_lock: false,
            of_service: false,
            why_not: |_| None,
            run,
        }
    }

    /// Shows it in the footer.
    pub(crate) const fn hint(mut self, hint: &'static str) -> Self {
        self.hint = Some(hint);
        self
    }

    /// Shows a more precise text in the footer where there is one.
    pub(crate) const fn hint_here(mut self, hint: fn(&State) -> Option<String>) -> Self {
        self.hint_here = hint;
        self
    }

    /// Leaves it out of the footer unless this holds, such as the caller's right.
    pub(crate) const fn hinted_if(mut self, is_hinted: fn(&State) -> bool) -> Self {
        self.is_hinted = is_hinted;
        self
    }

    /// Overrides the key of that command where both are active.
    pub(crate) const fn over(mut self, id: &'static str) -> Self {
        self.over = Some(id);
        self
    }

    /// Marks it as hard to undo.
    pub(crate) const fn danger(mut self) -> Self {
        self.danger = true;
        self.acts = true;
        self
    }

    /// Marks it as a write.
    pub(crate) const fn writes(mut self) -> Self {
        self.writes = true;
        self.acts = true;
        self
    }

    /// Marks a write as one that first opens a form, a menu or a preview.
    pub(crate) const fn opens(mut self) -> Self {
        self.acts = false;
        self
    }

    /// Marks it as sending what is shown.
    pub(crate) const fn sends(mut self) -> Self {
        self.acts = true;
        self
    }

    /// Marks it as needing no loaded data.
    pub(crate) const fn immediate(mut self) -> Self {
        self.is_immediate = true;
        self
    }

    /// Marks it as working at a locked desk.
    pub(crate) const fn at_lock(mut self) -> Self {
        self.at_lock = true;
        self
    }

    /// Marks it as calling hosts.
    pub(crate) const fn of_service(mut self) -> Self {
        self.of_service = true;
        self
    }

    /// Sets the function that returns why it is unavailable.
    pub(crate) const fn unless(mut self, why_not: fn(&State) -> Option<String>) -> Self {
        self.why_not = why_not;
        self
    }

    /// Whether it is hidden, because it writes and the app is read-only, because there is no
    /// service to call, or at a locked desk.
    pub(crate) fn is_hidden(&self, shared: &Shared) -> bool {
        let has_service = shared.session != Session::NoService;
        self.writes && shared.mode.is_read_only()
            || self.of_service && !has_service
            || self.is_locked(shared)
    }

    /// Whether the desk is locked, and it does not work there. A layer is opened by what works.
    fn is_locked(&self, shared: &Shared) -> bool {
        shared.is_locked && !self.at_lock && !self.context.is_layer
    }

    /// Why it is unavailable now, regardless of the context. An empty reason is not worth a message.
    pub(crate) fn why_not_now(&self, state: &State) -> Option<String> {
        if self.of_service && state.shared.session == Session::NoService {
            return Some("no service is configured".to_owned());
        }
        if self.is_locked(&state.shared) {
            return Some("this desk is locked".to_owned());
        }
        match self.is_hidden(&state.shared) {
            true => Some(state.shared.mode.way_out(&state.shared.settings.keymap)),
            false => (self.why_not)(state),
        }
    }

    /// Why it is unavailable now in this context.
    pub(crate) fn obstacle(&self, state: &State) -> Option<String> {
        let is_here = state.screen_context().distance(self.context).is_some();
        if is_here || *self.context == ALWAYS {
            self.why_not_now(state)
        } else {
            Some(format!("only in: {}", self.context.title))
        }
    }
}

/// Keys that mean the same wherever they work, with the word that begins the titles of their commands.
pub(crate) const MEANINGS: [(&str, &str); 7] = [
    ("tab", "Next"),
    ("m", "Mark"),
    ("x", "Export"),
    ("<", "More room"),
    (">", "More room"),
    ("ctrl-o", "Preview"),
    ("f8", "Toggle read-only mode"),
];

/// All commands by area; earlier ones come first in the footer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Registry(pub(crate) &'static [&'static [Command]]);

impl Registry {
    /// All commands.
    pub(crate) fn all(self) -> impl Iterator<Item = &'static Command> {
        self.0.iter().copied().flatten()
    }

    /// The command with this id.
    pub(crate) fn by_id(self, id: &str) -> Option<&'static Command> {
        self.all().find(|command| command.id == id)
    }

    /// The default keys of all commands.
    pub(crate) fn bindings(self) -> impl Iterator<Item = Binding> {
        self.all().map(|command| Binding {
            id: command.id,
            keys: command.keys,
            context: command.context,
            over: command.over,
        })
    }

    /// The key reference: the content of `docs/keys.md`.
    ///
    /// # Errors
    /// Two commands share a default key; a test excludes this.
    pub(crate) fn reference(self) -> Result<String, KeymapError> {
        let keymap = Keymap::new(self.bindings(), [])?;
        let mut text = String::from(
            "# Keys\n\n\
         Every command, its keys and its name. To give a command other keys, name it in \
         `config.toml`:\n\n\
         ```toml\n[keys]\n\"guest.check_in\" = [\"enter\", \"ctrl-y\"]\n```\n\n\
         An empty list removes its keys; the palette (`:`) still has it. Where there is no \
         field, a letter without a command does nothing, and neither do the letters typed right \
         behind it: `/` searches. On the check-in desk letters are typed into the search box; signs such as `?` and `:` are commands there only \
         while the box is empty. Where there is text, `ctrl-u` clears it and undoes nothing.\n",
        );
        text.push_str(
            "\nThese keys mean the same wherever they work; only `tab` at the check-in desk is the end of a scanned code.\n\n\
             | Key | Meaning |\n|---|---|\n",
        );
        for (key, word) in MEANINGS {
            let _ = writeln!(text, "| `{key}` | {word} … |");
        }
        let mut contexts: Vec<&Context> = Vec::new();
        for command in self.all() {
            if !contexts.contains(&command.context) {
                contexts.push(command.context);
            }
        }
        for context in contexts {
            let _ = write!(
                text,
                "\n## {}\n\n| Keys | Command | Name |\n|---|---|---|\n",
                context.title
            );
            for command in self.all().filter(|command| command.context == context) {
                let keys: Vec<String> = keymap
                    .keys(command.id)
                    .map(|chord| format!("`{chord}`"))
                    .collect();
                let _ = writeln!(
                    text,
                    "| {} | {} | `{}` |",
                    keys.join(", "),
                    command.title,
                    command.id
                );
            }
        }
        Ok(text)
    }
}
