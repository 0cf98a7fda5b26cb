//! Commands: what a person can do, declared where it is done, and where its keys work.

use std::fmt::Write;

use super::cx::Out;
use super::keys::{Keymap, KeymapError};
use super::state::State;

/// Where a command's keys work. Each screen and layer has one of its own, above those that are in
/// force there too.
#[derive(Debug)]
pub(crate) struct Context {
    /// The place, for people. No two have the same.
    pub(crate) title: &'static str,
    /// The next one that is in force where this one is.
    below: Option<&'static Context>,
    /// Whether it belongs to a layer, whose commands make sense only there.
    pub(crate) is_layer: bool,
    /// Whether it belongs to screens of many kinds, some of which can never do what it has.
    pub(crate) is_general: bool,
}

/// Everywhere, whatever is open.
pub(crate) static ALWAYS: Context = Context {
    title: "Always",
    below: None,
    is_layer: false,
    is_general: false,
};
/// On every screen, under no layer.
pub(crate) static ANYWHERE: Context = Context::above("On every screen", &ALWAYS).general();
/// On screens with a list.
pub(crate) static LIST: Context = Context::above("In lists", &ANYWHERE).general();

impl Context {
    /// One that is nearer than this other.
    pub(crate) const fn above(title: &'static str, below: &'static Context) -> Self {
        Context {
            title,
            below: Some(below),
            is_layer: false,
            is_general: false,
        }
    }

    /// Marks it as one of screens of many kinds.
    pub(crate) const fn general(mut self) -> Self {
        self.is_general = true;
        self
    }

    /// That of a screen.
    pub(crate) const fn screen(title: &'static str) -> Self {
        Context::above(title, &ANYWHERE)
    }

    /// That of a screen with a list.
    pub(crate) const fn list(title: &'static str) -> Self {
        Context::above(title, &LIST)
    }

    /// That of a layer.
    pub(crate) const fn layer(title: &'static str) -> Self {
        Context {
            is_layer: true,
            ..Context::above(title, &ALWAYS)
        }
    }

    /// The contexts that are in force where this one is the nearest; it is the first of them.
    pub(crate) fn stack(&self) -> impl Iterator<Item = &Context> {
        std::iter::successors(Some(self), |context| context.below)
    }

    /// How far the other is from here; `None` where it is not in force.
    pub(crate) fn distance(&self, other: &Context) -> Option<usize> {
        self.stack().position(|context| context == other)
    }

    /// Whether there is a place where both are in force.
    pub(crate) fn overlaps(&self, other: &Context) -> bool {
        self.distance(other).is_some() || other.distance(self).is_some()
    }
}

impl PartialEq for Context {
    fn eq(&self, other: &Context) -> bool {
        self.title == other.title
    }
}

/// Something that a person can do.
#[derive(Debug)]
pub(crate) struct Command {
    /// Its name in the configuration and in tests: `guest.check_in`.
    pub(crate) id: &'static str,
    /// What it does, for people.
    pub(crate) title: &'static str,
    /// The keys that it comes with.
    pub(crate) keys: &'static [&'static str],
    /// Where they work.
    pub(crate) context: &'static Context,
    /// Its word in the footer; most have none.
    pub(crate) hint: Option<&'static str>,
    /// A command further out whose key it takes.
    pub(crate) over: Option<&'static str>,
    /// Whether it changes or ends something that is hard to get back.
    pub(crate) danger: bool,
    /// Whether it changes something at a host or server. In read-only mode it is not there.
    pub(crate) writes: bool,
    /// Why it cannot be done now.
    pub(crate) why_not: fn(&State) -> Option<String>,
    /// Does it.
    pub(crate) run: fn(&mut State, &mut Out),
}

impl Command {
    /// A command that can always be done.
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
            over: None,
            danger: false,
            writes: false,
            why_not: |_| None,
            run,
        }
    }

    /// Shows it in the footer.
    pub(crate) const fn hint(mut self, hint: &'static str) -> Self {
        self.hint = Some(hint);
        self
    }

    /// Where both are in force, a key of that command runs this one.
    pub(crate) const fn over(mut self, id: &'static str) -> Self {
        self.over = Some(id);
        self
    }

    /// Marks it as dangerous.
    pub(crate) const fn danger(mut self) -> Self {
        self.danger = true;
        self
    }

    /// Marks it as one that changes something at a host or server.
    pub(crate) const fn writes(mut self) -> Self {
        self.writes = true;
        self
    }

    /// Says when it cannot be done, and why.
    pub(crate) const fn unless(mut self, why_not: fn(&State) -> Option<String>) -> Self {
        self.why_not = why_not;
        self
    }

    /// Whether it is not there at all: it writes, and nothing may be written.
    pub(crate) fn is_hidden(&self, state: &State) -> bool {
        self.writes && state.shared.mode.is_read_only()
    }

    /// Why it cannot be done now, wherever that is.
    pub(crate) fn why_not_now(&self, state: &State) -> Option<String> {
        match self.is_hidden(state) {
            true => Some(state.shared.mode.way_out(&state.shared.keymap)),
            false => (self.why_not)(state),
        }
    }

    /// Why it cannot be done now and here.
    pub(crate) fn obstacle(&self, state: &State) -> Option<String> {
        let is_here = state.screen_context().distance(self.context).is_some();
        if is_here || *self.context == ALWAYS {
            self.why_not_now(state)
        } else {
            Some(format!("only there: {}", self.context.title))
        }
    }
}

/// All commands of the app, area by area. Earlier ones come first in the footer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Registry(pub(crate) &'static [&'static [Command]]);

impl Registry {
    /// All commands.
    pub(crate) fn all(self) -> impl Iterator<Item = &'static Command> {
        self.0.iter().copied().flatten()
    }

    /// The command of this id.
    pub(crate) fn by_id(self, id: &str) -> Option<&'static Command> {
        self.all().find(|command| command.id == id)
    }

    /// The key reference: `docs/keys.md` as text.
    ///
    /// # Errors
    /// Two commands come with one key, which a test rules out.
    pub(crate) fn reference(self) -> Result<String, KeymapError> {
        let keymap = Keymap::new(self, [])?;
        let mut text = String::from(
            "# Keys\n\n\
         Every command, its keys and its name. To give a command other keys, name it in \
         `config.toml`:\n\n\
         ```toml\n[keys]\n\"guest.check_in\" = [\"enter\", \"ctrl-y\"]\n```\n\n\
         An empty list takes its keys away; the palette (`:`) still has it. On the check-in desk \
         letters are typed into the search box; signs such as `?` and `:` are commands there only \
         while the box is empty. Where there is text, `ctrl-u` clears it and undoes nothing.\n",
        );
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
                    .keys(command)
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
