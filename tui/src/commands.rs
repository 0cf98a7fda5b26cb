//! The commands: the one list that key handling, the footer, the help, the palette and the key
//! reference read.

use std::fmt::Write;

use crate::app::cx::Out;
use crate::app::state::State;
use crate::keys::{Keymap, KeymapError};
use crate::{app, layers, screens};

/// Where a command's keys work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Context {
    /// Everywhere, whatever is open.
    Always,
    /// On every screen, under no layer.
    Anywhere,
    /// On screens with a list.
    List,
    Home,
    Events,
    Event,
    Guest,
    CheckIn,
    Form,
    /// The list of series of meetings.
    SeriesList,
    SeriesFilter,
    SeriesMerge,
    Series,
    /// An editor on the screen of one.
    SeriesEdit,
    /// A plan that is not carried out yet.
    Plan,
    Removal,
    Promotion,
    Merge,
    /// A plan that was carried out.
    Done,
    /// The list of tools.
    Tools,
    /// The form of a tool.
    Tool,
    /// What a tool would do.
    Preview,
    /// What a tool answered.
    Answer,
    /// What servers wrote into their logs.
    Log,
    SignIn,
    /// The calls that were made before.
    History,
    /// What differs between two results.
    Compare,
    /// Earlier calls of a tool.
    Recall,
    Palette,
    Help,
    Confirm,
    /// In which form an answer becomes a file.
    Export,
    Typed,
    Prompt,
    /// A record that is chosen for an id.
    Picker,
    /// Arguments that are kept under a name.
    Presets,
}

impl Context {
    /// Which contexts are in force together: one line per screen and layer, the nearest first.
    const TOGETHER: &[&[Context]] = &[
        &[
            Context::Home,
            Context::List,
            Context::Anywhere,
            Context::Always,
        ],
        &[
            Context::Events,
            Context::List,
            Context::Anywhere,
            Context::Always,
        ],
        &[
            Context::Event,
            Context::List,
            Context::Anywhere,
            Context::Always,
        ],
        &[Context::Guest, Context::Anywhere, Context::Always],
        &[Context::CheckIn, Context::Anywhere, Context::Always],
        &[Context::Form, Context::Anywhere, Context::Always],
        &[
            Context::SeriesList,
            Context::List,
            Context::Anywhere,
            Context::Always,
        ],
        &[Context::SeriesFilter, Context::Anywhere, Context::Always],
        &[Context::SeriesMerge, Context::Anywhere, Context::Always],
        &[
            Context::Series,
            Context::List,
            Context::Anywhere,
            Context::Always,
        ],
        &[Context::SeriesEdit, Context::Anywhere, Context::Always],
        &[Context::SignIn, Context::Always],
        &[
            Context::History,
            Context::List,
            Context::Anywhere,
            Context::Always,
        ],
        &[
            Context::Compare,
            Context::List,
            Context::Anywhere,
            Context::Always,
        ],
        &[Context::Recall, Context::Always],
        &[Context::Palette, Context::Always],
        &[Context::Help, Context::Always],
        &[Context::Confirm, Context::Always],
        &[Context::Export, Context::Always],
        &[Context::Typed, Context::Always],
        &[Context::Prompt, Context::Always],
        &[Context::Picker, Context::Always],
        &[Context::Presets, Context::Always],
        &[
            Context::Removal,
            Context::Plan,
            Context::List,
            Context::Anywhere,
            Context::Always,
        ],
        &[
            Context::Promotion,
            Context::Plan,
            Context::List,
            Context::Anywhere,
            Context::Always,
        ],
        &[
            Context::Merge,
            Context::Plan,
            Context::List,
            Context::Anywhere,
            Context::Always,
        ],
        &[
            Context::Done,
            Context::List,
            Context::Anywhere,
            Context::Always,
        ],
        &[
            Context::Tools,
            Context::List,
            Context::Anywhere,
            Context::Always,
        ],
        &[Context::Tool, Context::Anywhere, Context::Always],
        &[
            Context::Preview,
            Context::Answer,
            Context::List,
            Context::Anywhere,
            Context::Always,
        ],
        &[
            Context::Answer,
            Context::List,
            Context::Anywhere,
            Context::Always,
        ],
        &[
            Context::Log,
            Context::List,
            Context::Anywhere,
            Context::Always,
        ],
    ];

    /// The contexts that are in force where this one is the nearest.
    pub(crate) fn stack(self) -> &'static [Context] {
        Context::TOGETHER
            .iter()
            .copied()
            .find(|stack| stack.first() == Some(&self))
            .unwrap_or(&[Context::Always])
    }

    /// Whether there is a place where both are in force.
    pub(crate) fn overlaps(self, other: Context) -> bool {
        Context::TOGETHER
            .iter()
            .any(|stack| stack.contains(&self) && stack.contains(&other))
    }

    /// Whether it belongs to a layer, whose commands make sense only there.
    pub(crate) fn is_layer(self) -> bool {
        matches!(
            self,
            Context::SignIn
                | Context::Palette
                | Context::Recall
                | Context::Help
                | Context::Confirm
                | Context::Export
                | Context::Typed
                | Context::Prompt
                | Context::Picker
                | Context::Presets
        )
    }

    /// The place, for people.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Context::Always => "Always",
            Context::Anywhere => "On every screen",
            Context::List => "In lists",
            Context::Home => "Home",
            Context::Events => "Events",
            Context::Event => "One event",
            Context::Guest => "One guest",
            Context::CheckIn => "Check-in desk",
            Context::Form => "Forms",
            Context::SeriesList => "Meeting series",
            Context::SeriesFilter => "Filters of meeting series",
            Context::SeriesMerge => "Which series stays",
            Context::Series => "One meeting series",
            Context::SeriesEdit => "Template and time of a series",
            Context::SignIn => "Sign-in",
            Context::History => "History of calls",
            Context::Compare => "What differs between two results",
            Context::Recall => "Earlier calls of a tool",
            Context::Palette => "Command palette",
            Context::Help => "Help",
            Context::Confirm => "Questions",
            Context::Export => "Export of an answer",
            Context::Typed => "Questions that want the title typed",
            Context::Prompt => "Prompts",
            Context::Picker => "Choosing a record for an id",
            Context::Presets => "Presets of a tool",
            Context::Plan => "Plans: remove, promote, merge",
            Context::Removal => "Removing a series",
            Context::Promotion => "Promoting an occurrence",
            Context::Merge => "Merging two meetings",
            Context::Done => "What was done to meetings",
            Context::Tools => "Tools",
            Context::Tool => "The form of a tool",
            Context::Preview => "What a tool would do",
            Context::Answer => "What a tool answered",
            Context::Log => "Messages of servers",
        }
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
    pub(crate) context: Context,
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
        context: Context,
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
        if state.screen_contexts().contains(&self.context) || self.context == Context::Always {
            self.why_not_now(state)
        } else {
            Some(format!("only there: {}", self.context.title()))
        }
    }
}

/// All commands, by area. Earlier ones come first in the footer.
static AREAS: &[&[Command]] = &[
    screens::check_in::COMMANDS,
    screens::home::COMMANDS,
    screens::events::event::LIST_COMMANDS,
    screens::events::event::COMMANDS,
    screens::events::guest::COMMANDS,
    screens::form::COMMANDS,
    screens::sign_in::COMMANDS,
    layers::palette::COMMANDS,
    layers::recall::COMMANDS,
    layers::help::COMMANDS,
    layers::confirm::COMMANDS,
    layers::export::COMMANDS,
    layers::typed::COMMANDS,
    layers::prompt::COMMANDS,
    layers::picker::COMMANDS,
    layers::presets::COMMANDS,
    screens::work::series::LIST_COMMANDS,
    screens::work::series::COMMANDS,
    screens::work::plan::COMMANDS,
    screens::tools::COMMANDS,
    screens::tools::call::COMMANDS,
    screens::tools::answer::COMMANDS,
    screens::tools::history::COMMANDS,
    app::commands::LIST,
    app::commands::COMMANDS,
    screens::work::plan::EVERYWHERE,
    screens::tools::EVERYWHERE,
    screens::tools::history::EVERYWHERE,
    screens::log::EVERYWHERE,
];

/// All commands.
pub(crate) fn all() -> impl Iterator<Item = &'static Command> {
    AREAS.iter().copied().flatten()
}

/// The command of this id.
pub(crate) fn by_id(id: &str) -> Option<&'static Command> {
    all().find(|command| command.id == id)
}

/// The key reference: `docs/keys.md` as text.
///
/// # Errors
/// Two commands come with one key, which a test rules out.
pub fn reference() -> Result<String, KeymapError> {
    let keymap = Keymap::new([])?;
    let mut text = String::from(
        "# Keys\n\n\
         Every command, its keys and its name. To give a command other keys, name it in \
         `config.toml`:\n\n\
         ```toml\n[keys]\n\"guest.check_in\" = [\"enter\", \"ctrl-y\"]\n```\n\n\
         An empty list takes its keys away; the palette (`:`) still has it. On the check-in desk \
         letters are typed into the search box; signs such as `?` and `:` are commands there only \
         while the box is empty. Where there is text, `ctrl-u` clears it and undoes nothing.\n",
    );
    let mut contexts: Vec<Context> = Vec::new();
    for command in all() {
        if !contexts.contains(&command.context) {
            contexts.push(command.context);
        }
    }
    for context in contexts {
        let _ = write!(
            text,
            "\n## {}\n\n| Keys | Command | Name |\n|---|---|---|\n",
            context.title()
        );
        for command in all().filter(|command| command.context == context) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_runs_two_commands_in_one_place() {
        Keymap::new([]).expect("every key runs one command");
    }

    #[test]
    fn no_two_commands_have_one_name() {
        let mut ids: Vec<_> = all().map(|command| command.id).collect();
        ids.sort_unstable();
        let all = ids.len();
        ids.dedup();
        assert_eq!(ids.len(), all);
    }

    #[test]
    fn every_context_is_in_force_somewhere() {
        for command in all() {
            assert!(
                command.context.overlaps(command.context),
                "{} can never be run by a key",
                command.id
            );
        }
    }

    #[test]
    fn the_key_reference_is_current() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/keys.md");
        let reference = reference().expect("is written");
        if std::env::var_os("UPDATE_REFERENCE").is_some() {
            std::fs::write(path, &reference).expect("is written");
        }
        let current = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            current == reference,
            "docs/keys.md is out of date; UPDATE_REFERENCE=1 cargo test -p frontdesk writes it"
        );
    }
}
