//! Every command by name, and every tool that the hosts are known to offer: type a few letters of it.

use crossterm::event::KeyEvent;
use frontdesk_client::ToolInfo;
use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;

use crate::app::cx::Out;
use crate::app::layer::Layer;
use crate::app::peer::Peer;
use crate::app::shared::Shared;
use crate::app::state::State;
use crate::app::update;
use crate::commands::{self, Command, Context};
use crate::screens::Screen;
use crate::screens::tools::call::CallScreen;
use crate::screens::tools::effect;
use crate::ui::input::Input;
use crate::ui::panel;
use crate::ui::table::{self, Column, Row};

/// The commands of the palette.
pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        Context::Palette,
        "palette.run",
        "Run the selected command",
        &["enter"],
        run,
    )
    .hint("run"),
    Command::new(
        Context::Palette,
        "palette.next",
        "Next command",
        &["down", "ctrl-n", "tab"],
        |state, _| {
            step(state, 1);
        },
    )
    .hint("next"),
    Command::new(
        Context::Palette,
        "palette.previous",
        "Previous command",
        &["up", "ctrl-p", "backtab"],
        |state, _| {
            step(state, -1);
        },
    ),
    Command::new(
        Context::Palette,
        "palette.close",
        "Close the palette",
        &["esc"],
        |state, _| {
            state.layers.pop();
        },
    )
    .hint("close"),
];

fn run(state: &mut State, out: &mut Out) {
    let Some(Layer::Palette(palette)) = state.layers.pop() else {
        return;
    };
    match palette.at {
        Some(Entry::Command(id)) => {
            if let Some(command) = commands::by_id(id) {
                update::run(state, out, command);
            }
        }
        Some(Entry::Tool(at)) => {
            if let Some((peer, tool)) = palette.tools.into_iter().nth(at) {
                let screen = CallScreen::new(peer, tool);
                state.cx(out).open(Screen::Tool(Box::new(screen)));
            }
        }
        None => {}
    }
}

fn step(state: &mut State, by: isize) {
    if let Some(Layer::Palette(palette)) = state.layers.last_mut() {
        palette.at = table::step(&palette.found, palette.at, by);
        palette.is_chosen = true;
    }
}

/// Something to be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Entry {
    /// The command of this id.
    Command(&'static str),
    /// The tool at this place.
    Tool(usize),
}

/// The palette.
#[derive(Debug)]
pub(crate) struct Palette {
    search: Input,
    /// All commands, those of the screen first.
    all: Vec<&'static Command>,
    /// The tools that are known.
    tools: Vec<(Peer, ToolInfo)>,
    found: Vec<Entry>,
    at: Option<Entry>,
    /// The person moved to it; until then it is the best that was found.
    is_chosen: bool,
}

impl Palette {
    /// The palette over a screen with these contexts, with the tools that are known.
    pub(crate) fn new(contexts: &[Context], shared: &Shared) -> Self {
        // A layer's own commands make sense only on that layer.
        let mut all: Vec<&'static Command> = commands::all()
            .filter(|command| !command.context.is_layer())
            .filter(|command| !(command.writes && shared.mode.is_read_only()))
            .collect();
        let far = contexts.len();
        all.sort_by_key(|command| {
            let near = contexts
                .iter()
                .position(|context| *context == command.context);
            near.unwrap_or(far)
        });
        let mut palette = Palette {
            search: Input::line(""),
            all,
            tools: Vec::new(),
            found: Vec::new(),
            at: None,
            is_chosen: false,
        };
        palette.learn(shared);
        palette
    }

    /// Takes up the tools that are known by now. What the person moved to stays selected.
    pub(crate) fn learn(&mut self, shared: &Shared) {
        let chosen = match self.at {
            Some(Entry::Tool(at)) => self
                .tools
                .get(at)
                .map(|(peer, tool)| (peer.clone(), tool.name.clone())),
            _ => None,
        };
        let command = self.at.filter(|entry| matches!(entry, Entry::Command(_)));
        let known = shared.tools.iter();
        self.tools = known
            .flat_map(|(peer, tools)| tools.iter().map(|tool| (peer.clone(), tool.clone())))
            .filter(|(_, tool)| tool.read_only || !shared.mode.is_read_only())
            .collect();
        self.find();
        if !self.is_chosen {
            return;
        }
        let mut tools = self.tools.iter();
        let there = chosen
            .and_then(|(peer, name)| tools.position(|(at, tool)| *at == peer && tool.name == name));
        self.at = there.map(Entry::Tool).or(command).or(self.at);
    }

    fn find(&mut self) {
        let mut matcher = Matcher::new(Config::DEFAULT);
        let pattern = Pattern::parse(
            &self.search.text(),
            CaseMatching::Ignore,
            Normalization::Smart,
        );
        let mut buffer = Vec::new();
        let commands = self.all.iter().map(|command| {
            let words = format!("{} {}", command.title, command.id);
            (words, Entry::Command(command.id))
        });
        let tools = self.tools.iter().enumerate().map(|(at, (peer, tool))| {
            let words = format!("{} {}", peer.name(), tool.name);
            (words, Entry::Tool(at))
        });
        let mut found: Vec<(u32, Entry)> = commands
            .chain(tools)
            .filter_map(|(words, entry)| {
                let score = pattern.score(Utf32Str::new(&words, &mut buffer), &mut matcher)?;
                Some((score, entry))
            })
            .collect();
        found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        self.found = found.into_iter().map(|(_, entry)| entry).collect();
        self.at = self.found.first().copied();
    }

    /// A key for the search field.
    pub(crate) fn key(&mut self, key: KeyEvent) {
        if self.search.key(key) {
            self.is_chosen = false;
            self.find();
        }
    }

    /// Pasted text for the search field.
    pub(crate) fn paste(&mut self, text: &str) {
        self.search.paste(text);
        self.find();
    }

    /// Draws the palette.
    pub(crate) fn draw(&self, state: &State, frame: &mut Frame, area: Rect) {
        let theme = &state.shared.theme;
        let inner = panel::card(frame, theme, area, 76, 18, "What do you want to do?");
        let [search, list] =
            Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(inner);
        self.search
            .draw(frame, search, Style::new().underlined(), true);
        let at = self.found.iter().position(|entry| Some(*entry) == self.at);
        table::draw(
            frame,
            list,
            theme,
            &[Column::share("", 1), Column::fixed("", 10)],
            self.found.len(),
            at,
            |at| self.row(self.found[at], state),
        );
    }

    fn row(&self, entry: Entry, state: &State) -> Row {
        let theme = &state.shared.theme;
        let command = match entry {
            Entry::Command(id) => commands::by_id(id),
            Entry::Tool(at) => {
                let Some((peer, tool)) = self.tools.get(at) else {
                    return Row::new();
                };
                let (mark, word) = effect(tool);
                return Row::new()
                    .cell(format!("{} {}", peer.name(), tool.name))
                    .styled(word, mark.style(theme));
            }
        };
        let Some(command) = command else {
            return Row::new();
        };
        let obstacle = command.obstacle(state);
        let style = match obstacle {
            Some(_) => theme.dim,
            None => Style::new(),
        };
        let mut title = command.title.to_owned();
        if command.danger {
            title.push_str(" !");
        }
        if let Some(reason) = obstacle {
            title.push_str(&format!(" ({reason})"));
        }
        Row::new()
            .styled(title, style)
            .styled(state.shared.keymap.key(command.id), theme.key)
    }
}

#[cfg(test)]
mod tests {
    use frontdesk_protocol::Host;

    use super::*;
    use crate::testing::tools;

    #[test]
    fn every_command_is_in_the_palette() {
        let palette = Palette::new(&[], &crate::testing::shared());
        for command in commands::all().filter(|command| !command.context.is_layer()) {
            assert!(
                palette.found.contains(&Entry::Command(command.id)),
                "{} is missing",
                command.id
            );
        }
    }

    #[test]
    fn a_few_letters_find_a_command() {
        let mut palette = Palette::new(&[], &crate::testing::shared());
        palette.paste("undo");
        assert_eq!(palette.at, Some(Entry::Command("guest.undo")));
    }

    #[test]
    fn a_tool_that_is_known_is_found_by_its_host_and_name() {
        let mut shared = crate::testing::shared();
        let work = Peer::Host(Host::Work);
        shared.tools.insert(work, tools(Host::Work));
        let mut palette = Palette::new(&[], &shared);
        palette.paste("work remove_meeting_series");
        let Some(Entry::Tool(at)) = palette.at else {
            panic!("no tool: {:?}", palette.at);
        };
        assert_eq!(palette.tools[at].1.name, "remove_meeting_series");
    }
}
