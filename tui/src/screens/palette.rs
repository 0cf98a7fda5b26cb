//! The palette: all commands, lists, known tools and records, found by a few letters.

mod records;

use std::any::Any;
use std::collections::HashSet;

use crossterm::event::KeyEvent;
use frontdesk_client::ToolInfo;
use frontdesk_protocol::Role;
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::style::Style;
use ratatui::text::Line;

use self::records::Records;
use crate::app::cx::{Cx, Out};
use crate::app::effects::job::{Ended, Outcome};
use crate::app::effects::server_jobs::FetchTools;
use crate::app::input::command::{Command, Context, commands};
use crate::app::input::press;
use crate::app::layer::{Layer, step};
use crate::app::owner::RequestId;
use crate::app::peer::Peer;
use crate::app::shared::{Session, Shared};
use crate::app::state::State;
use crate::call_form::CallScreen;
use crate::call_form::signature::effect;
use crate::look::text::clean;
use crate::record_screens::{about, ask_own, open, open_record, open_searched, own_here};
use crate::records::kind::{self, Kind};
use crate::records::recent::{self, Opened};
use crate::screens::areas::is_for;
use crate::screens::home::Home;
use crate::ui::frame::waiting;
use crate::ui::panel;
use crate::ui::search_list::SearchList;
use crate::ui::table::{Column, Row};

/// The groups of what the hosts found.
const FOUND: [u8; 2] = [4, 5];
/// The group of what cannot be used here; it comes last.
const UNAVAILABLE: u8 = 6;

pub(crate) static PALETTE: Context = Context::layer("Command palette");

commands! {
    /// The commands of the palette.
    pub(crate) const COMMANDS;

    PALETTE: "palette.run", ["enter"], "Run the selected command", run run, hint("run");
    PALETTE: "palette.next", ["down", "ctrl-n", "tab"], "Next command",
        run |state, _| step(state, 1), hint("next");
    PALETTE: "palette.previous", ["up", "ctrl-p", "backtab"], "Previous command",
        run |state, _| step(state, -1);
    PALETTE: "palette.close", ["esc"], "Close the palette", run |state, _| { state.layers.pop(); },
        hint("close");
}

fn run(state: &mut State, out: &mut Out) {
    let Some(palette) = state.take_layer::<Palette>() else {
        return;
    };
    match palette.list.selected() {
        Some(PaletteItem::Command(id)) => {
            if let Some(command) = state.shared.parts.commands.by_id(id) {
                press::run(state, out, command);
            }
        }
        Some(PaletteItem::Kind(at)) => {
            if let Some(kind) = kind::all().get(at) {
                open(&mut state.cx(out), kind);
            }
        }
        Some(PaletteItem::Searched) => {
            if let Some((kind, text)) = records::named(&palette.list.text()) {
                open_searched(&mut state.cx(out), kind, text);
            }
        }
        Some(PaletteItem::Record(at)) => {
            if let Some((kind, record)) = palette.records.found().get(at) {
                let now = state.shared.now;
                open_record(&mut state.cx(out), kind, record, now);
            }
        }
        Some(PaletteItem::Recent(at)) => {
            if let Some((kind, record)) = palette.recent.get(at) {
                let now = state.shared.now;
                open_record(&mut state.cx(out), kind, record, now);
            }
        }
        Some(PaletteItem::Own(at)) => ask_own(state, out, at),
        Some(PaletteItem::Tool(at)) => {
            if let Some((peer, tool)) = palette.tools.into_iter().nth(at) {
                let screen = CallScreen::new(peer, tool);
                state.cx(out).open(screen);
            }
        }
        // Tools that the hosts are still listing may match.
        None => state.layers.push(palette),
    }
}

/// An item of the palette.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PaletteItem {
    /// The command of this id.
    Command(&'static str),
    /// The list of the kind of record at this place.
    Kind(usize),
    /// The tool at this place.
    Tool(usize),
    /// The list that the text names, searched for the rest.
    Searched,
    /// The found record at this place.
    Record(usize),
    /// The record at this place that was open.
    Recent(usize),
    /// The command of the user's own at this place.
    Own(usize),
}

/// The records that were open before what is on screen, the last one first.
pub(crate) fn before(state: &State) -> impl Iterator<Item = &Opened> {
    let here = about(state);
    let recent = recent::list(&state.shared).iter();
    recent.filter(move |(_, record)| Some(record.id()) != here.as_deref())
}

/// The events on Home, those of today first.
fn near_events(state: &State) -> impl Iterator<Item = (String, String)> {
    let home = state.screens.first().and_then(|first| {
        let screen: &dyn Any = first.screen.as_ref();
        screen.downcast_ref::<Home>()
    });
    home.into_iter().flat_map(Home::events)
}

#[derive(Debug)]
pub(crate) struct Palette {
    pub(crate) list: SearchList<PaletteItem>,
    /// All commands with their groups; those of the screen come first.
    all: Vec<(&'static Command, u8)>,
    /// The known tools.
    tools: Vec<(Peer, ToolInfo)>,
    /// The kinds of records; none without a service.
    kinds: &'static [Kind],
    /// The commands of the user's own for the selected record, with their names.
    own: Vec<(usize, String)>,
    role: Option<Role>,
    records: Records,
    /// The records that were open, without the visible one.
    recent: Vec<Opened>,
    /// The number of hosts that have not listed their tools yet.
    awaited: usize,
}

impl Palette {
    /// The palette over the visible screen, while this many hosts list their tools.
    pub(crate) fn new(state: &State, awaited: usize) -> Self {
        let shared = &state.shared;
        let context = state.screen_context();
        // A layer's own commands work only on that layer.
        let commands = shared.parts.commands.all();
        let has_service = shared.session != Session::NoService;
        // Without a service there are no other screens to learn about.
        let is_known =
            |command: &&Command| has_service || context.distance(command.context).is_some();
        let mut all: Vec<&'static Command> = commands
            .filter(|command| !command.context.is_layer)
            .filter(|command| !command.is_hidden(shared))
            .filter(is_known)
            .collect();
        let far = usize::MAX;
        all.sort_by_key(|command| context.distance(command.context).unwrap_or(far));
        let all = all.into_iter().map(|command| {
            let is_here = context.distance(command.context).is_some();
            let group = match command.obstacle(state) {
                None => 1,
                Some(_) if is_here => 2,
                Some(_) => UNAVAILABLE,
            };
            (command, group)
        });
        let role = shared.account().and_then(|account| account.role);
        let mut palette = Palette {
            list: SearchList::new(),
            all: all.collect(),
            tools: Vec::new(),
            own: own_here(state)
                .into_iter()
                .filter_map(|at| Some((at, shared.settings.own.get(at)?.name.clone())))
                .collect(),
            kinds: if has_service { kind::all() } else { &[] },
            role,
            records: Records::among(near_events(state)),
            recent: before(state).cloned().collect(),
            awaited,
        };
        palette.learn(shared);
        palette
    }

    /// Adds tools that have become known. The selected item stays selected.
    pub(crate) fn learn(&mut self, shared: &Shared) {
        let selected = self.list.selected();
        let chosen = match selected {
            Some(PaletteItem::Tool(at)) => self
                .tools
                .get(at)
                .map(|(peer, tool)| (peer.clone(), tool.name.clone())),
            _ => None,
        };
        let command = selected.filter(|item| !matches!(item, PaletteItem::Tool(_)));
        let known = shared.tools.iter();
        self.tools = known
            .flat_map(|(peer, tools)| tools.iter().map(|tool| (peer.clone(), tool.clone())))
            .filter(|(_, tool)| tool.read_only || !shared.mode.is_read_only())
            .collect();
        let mut tools = self.tools.iter();
        let there = chosen
            .and_then(|(peer, name)| tools.position(|(at, tool)| *at == peer && tool.name == name));
        self.find(there.map(PaletteItem::Tool).or(command));
    }

    /// Updates the matches: kinds, commands available here, those that are not possible now, tools,
    /// then what belongs elsewhere; `before` was selected.
    fn find(&mut self, before: Option<PaletteItem>) {
        let kinds = self.kinds.iter().enumerate().map(|(at, kind)| {
            let group = if is_for(kind, self.role) {
                0
            } else {
                UNAVAILABLE
            };
            let words = named(&kind.many, kind.peer.name());
            (group, words, PaletteItem::Kind(at))
        });
        let mut titles = HashSet::new();
        let commands = self.all.iter().map(|(command, group)| {
            // What has one name in several other places is listed once.
            let is_told = *group == UNAVAILABLE && !titles.insert(command.title);
            let words = match is_told {
                true => command.id.to_owned(),
                false => format!("{} {}", command.title, command.id),
            };
            (*group, words, PaletteItem::Command(command.id))
        });
        let tools =
            self.tools.iter().enumerate().map(|(at, (peer, tool))| {
                (3, named(&tool.name, peer.name()), PaletteItem::Tool(at))
            });
        let own = self.own.iter();
        let own = own.map(|(at, name)| (1, name.clone(), PaletteItem::Own(*at)));
        let text = self.list.text();
        let searched = records::named(&text).filter(|_| !self.kinds.is_empty());
        // The hosts have found them, in whichever field.
        let searched = searched.map(|_| (FOUND[0], text.clone(), PaletteItem::Searched));
        let records = (0..self.records.found().len())
            .map(|at| (FOUND[1], text.clone(), PaletteItem::Record(at)));
        // What is not available is only found.
        let is_searched = !text.trim().is_empty();
        let recent = match is_searched {
            true => 0..0,
            false => 0..self.recent.len(),
        };
        let recent = recent.map(|at| (0, String::new(), PaletteItem::Recent(at)));
        let all = recent.chain(kinds).chain(own).chain(commands);
        let all = all.chain(tools).chain(searched).chain(records);
        let all = all.filter(|(group, ..)| is_searched || *group < UNAVAILABLE);
        self.list.find_in_groups(all, &FOUND, UNAVAILABLE, before);
    }

    fn typed(&mut self, cx: &mut Cx) {
        if !self.kinds.is_empty() {
            self.records.typed(cx, &self.list.text());
        }
        self.find(None);
    }

    fn row(&self, item: PaletteItem, state: &State) -> Row {
        let theme = &state.shared.settings.theme;
        let command = match item {
            PaletteItem::Kind(at) => {
                let kind = kind::all().get(at);
                return kind.map_or(Row::new(), |kind| {
                    Row::new()
                        .cell(named(&kind.many, kind.peer.name()))
                        .styled("list", theme.dim)
                });
            }
            PaletteItem::Searched => {
                let text = self.list.text();
                return records::named(&text).map_or(Row::new(), |(kind, text)| {
                    Row::new()
                        .cell(format!("{}: search “{}”", kind.many, clean(text)))
                        .styled("list", theme.dim)
                });
            }
            PaletteItem::Record(at) => {
                let found = self.records.found().get(at);
                return found.map_or(Row::new(), |(kind, record)| {
                    Row::new()
                        .cell(self.records.label(kind, record, &state.shared))
                        .styled(kind.one.clone(), theme.dim)
                });
            }
            PaletteItem::Recent(at) => {
                return self.recent.get(at).map_or(Row::new(), |(kind, record)| {
                    Row::new()
                        .cell(recent::label(kind, record, &state.shared))
                        .styled(kind.one.clone(), theme.dim)
                });
            }
            PaletteItem::Own(at) => {
                let own = state.shared.settings.own.get(at);
                return own.map_or(Row::new(), |own| {
                    let key = own.key.map(|chord| chord.to_string());
                    Row::new()
                        .cell(format!("{}…", clean(&own.name)))
                        .styled(key.unwrap_or_default(), theme.key)
                });
            }
            PaletteItem::Command(id) => state.shared.parts.commands.by_id(id),
            PaletteItem::Tool(at) => {
                let Some((peer, tool)) = self.tools.get(at) else {
                    return Row::new();
                };
                let (mark, word) = effect(tool);
                return Row::new()
                    .cell(named(&tool.name, peer.name()))
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
        if let Some(reason) = obstacle.filter(|reason| !reason.is_empty()) {
            title.push_str(&format!(" ({reason})"));
        }
        Row::new()
            .styled(title, style)
            .styled(state.shared.settings.keymap.key(command.id), theme.key)
    }
}

impl Layer for Palette {
    fn context(&self) -> &'static Context {
        &PALETTE
    }

    fn step(&mut self, by: isize) {
        self.list.step(by);
    }

    fn key(&mut self, cx: &mut Cx, key: KeyEvent) {
        if self.list.key(key) {
            self.typed(cx);
        }
    }

    fn paste(&mut self, cx: &mut Cx, text: &str) {
        self.list.paste(cx, text);
        self.typed(cx);
    }

    fn fired(&mut self, cx: &mut Cx, request: RequestId) {
        self.records
            .fired(cx, request, &self.list.text(), self.role);
    }

    fn is_busy(&self) -> bool {
        self.records.is_coming() && self.list.found().is_empty()
    }

    fn draw(&self, state: &State, frame: &mut Frame, area: Rect) {
        let theme = &state.shared.settings.theme;
        let inner = panel::card(frame, theme, area, 76, 18, "What do you want to do?");
        let [search, list] = Layout::vertical([Length(1), Fill(1)]).areas(inner);
        self.list.draw_field(theme, frame, search);
        let columns = [Column::share("", 1), Column::fixed("", 12)];
        if self.list.found().is_empty() {
            let line = match self.records.is_coming() || self.awaited > 0 {
                true => waiting(&state.shared, "searching"),
                false => {
                    let words = format!("No match for “{}”", clean(&self.list.text()));
                    Line::styled(words, theme.dim)
                }
            };
            return frame.render_widget(line, panel::middle(list, list.width, 1));
        }
        self.list
            .draw_rows(&state.shared, frame, list, &columns, |item| {
                self.row(item, state)
            });
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: &Outcome) {
        if let Outcome::Call(answer) = outcome
            && self.records.answered(cx, request, answer)
        {
            let selected = self.list.selected();
            self.find(selected);
        }
        if let Some(Ended { result, .. }) = outcome.end::<FetchTools>() {
            self.awaited = self.awaited.saturating_sub(1);
            if result.is_ok() {
                self.learn(cx.shared);
            }
        }
    }

    fn awaits(&self) -> bool {
        self.awaited > 0 && self.list.is_loose()
    }
}

/// The searched text of a list or tool: its name, then its host's.
fn named(name: &str, host: &str) -> String {
    format!("{name} ({host})")
}

#[cfg(test)]
mod tests {
    use frontdesk_protocol::Host;

    use super::*;
    use crate::testing::tools;
    use crate::testing::with_cx;

    fn palette() -> Palette {
        Palette::new(&crate::testing::state(), 0)
    }

    #[test]
    fn kinds_come_first_then_what_is_available() {
        let palette = palette();
        let is_kind = |item: &PaletteItem| matches!(item, PaletteItem::Kind(_));
        let found = palette.list.found();
        let kinds = found.iter().take_while(|item| is_kind(item)).count();
        assert!(kinds > 20);
        let others = &found[kinds..];
        assert!(!others.iter().any(is_kind));
        assert!(others.contains(&PaletteItem::Command("app.redraw")));
        assert!(!others.contains(&PaletteItem::Command("guest.check_in")));
    }

    #[test]
    fn every_command_is_found() {
        for command in crate::shell::parts::COMMANDS.all() {
            let mut palette = palette();
            with_cx(|cx| palette.paste(cx, command.id));
            let item = PaletteItem::Command(command.id);
            let is_found = palette.list.found().contains(&item);
            assert_eq!(is_found, !command.context.is_layer, "{}", command.id);
        }
    }

    #[test]
    fn loose_matches_come_last() {
        let mut palette = palette();
        with_cx(|cx| palette.paste(cx, "tasks"));
        let rank = |item: &PaletteItem| match item {
            PaletteItem::Kind(at) => kind::all()[*at].many.contains("task"),
            _ => false,
        };
        let found = palette.list.found();
        let kinds = found.iter().take_while(|item| rank(item)).count();
        assert!(kinds >= 2);
        assert!(!found[kinds..].iter().any(rank));
    }

    #[test]
    fn what_only_resembles_the_text_is_not_run() {
        let mut state = crate::testing::state();
        for host in [Host::Events, Host::Work] {
            state.shared.tools.insert(Peer::Host(host), tools(host));
        }
        for (text, expected) in [
            ("Souto", None),
            ("Renato", None),
            ("Davi", None),
            ("hist", Some("History")),
            ("sign o", Some("Sign out")),
            ("gn out", None),
        ] {
            let mut palette = Palette::new(&state, 0);
            with_cx(|cx| palette.paste(cx, text));
            let title = match palette.list.selected() {
                Some(PaletteItem::Command(id)) => {
                    let command = state.shared.parts.commands.by_id(id);
                    command.map(|command| command.title)
                }
                None => None,
                other => panic!("{text}: {other:?}"),
            };
            assert_eq!(
                title.map(|title| &title[..7]),
                expected.map(|title| &title[..7]),
                "{text}"
            );
        }
    }

    #[test]
    fn a_tool_that_is_known_is_found_by_its_host_and_name() {
        let mut state = crate::testing::state();
        let work = Peer::Host(Host::Work);
        state.shared.tools.insert(work, tools(Host::Work));
        let mut palette = Palette::new(&state, 0);
        with_cx(|cx| palette.paste(cx, "work remove_meeting_series"));
        let Some(PaletteItem::Tool(at)) = palette.list.selected() else {
            panic!("no tool: {:?}", palette.list.selected());
        };
        assert_eq!(palette.tools[at].1.name, "remove_meeting_series");
    }
}
