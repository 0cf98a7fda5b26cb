//! All areas and the kinds of records in each: the second page of Home.

use crossterm::event::KeyEvent;
use frontdesk_protocol::Role;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::app::cx::Cx;
use crate::app::input::command::{Context, commands};
use crate::app::peer::Peer;
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::app::state::Typing;
use crate::fields::title;
use crate::look::text::{count, fold};
use crate::record_screens::open;
use crate::records::kind::{self, Kind};
use crate::ui::panel::framed;
use crate::ui::search::Search;
use crate::ui::table::{self, Column, Row};

static AREAS: Context = Context::list("All areas");

commands! {
    /// The commands of the page.
    pub(crate) const COMMANDS;

    AREAS: "areas.open", ["enter"], "Open the list of the selected kind",
        act |areas: &mut Areas, cx| {
            areas.search.end();
            if let Some(kind) = areas.found().get(areas.at) {
                open(cx, kind);
            }
        }, hint("open");
    AREAS: "areas.home", ["tab", "backtab"], "Next page: Home",
        run |state, out| state.cx(out).back(), hint("home");
}

/// The kinds that a person of this role can list, by area.
#[derive(Debug)]
pub(crate) struct Areas {
    kinds: Vec<&'static Kind>,
    search: Search,
    at: usize,
    /// The selected place before the search.
    before: usize,
}

/// Whether a kind is listed for this role.
pub(crate) fn is_for(kind: &Kind, role: Option<Role>) -> bool {
    let tool = &kind.list().tool;
    let Peer::Host(host) = tool.peer else {
        return true;
    };
    let declared = host.tool(&tool.name);
    declared.is_none_or(|tool| role.is_some_and(|role| tool.audience.contains(role)))
}

impl Areas {
    /// The kinds for the signed-in role.
    pub(crate) fn new(shared: &Shared) -> Self {
        let role = shared.account().and_then(|account| account.role);
        let kinds = kind::all().iter().filter(|kind| is_for(kind, role));
        Areas {
            kinds: kinds.collect(),
            search: Search::default(),
            at: 0,
            before: 0,
        }
    }

    /// The kinds that the search leaves, by their names and areas.
    fn found(&self) -> Vec<&'static Kind> {
        let text = self.search.folded();
        let fits = |kind: &&&Kind| {
            let words = fold(&format!("{} {}", kind.many, kind.peer.title()));
            text.split_whitespace().all(|word| words.contains(word))
        };
        self.kinds.iter().filter(fits).copied().collect()
    }
}

/// The area of a kind, if it is the first one of the area.
fn heading(kinds: &[&Kind], at: usize) -> String {
    let peer = &kinds[at].peer;
    match at.checked_sub(1).map(|before| &kinds[before].peer) {
        Some(before) if before == peer => String::new(),
        _ => peer.title().into_owned(),
    }
}

impl Screen for Areas {
    fn context(&self) -> &'static Context {
        &AREAS
    }

    fn gives_way(&self) -> bool {
        true
    }

    fn step(&mut self, _: &mut Cx, by: isize) {
        self.at = table::moved(self.found().len(), Some(self.at), by).unwrap_or(0);
    }

    fn typing(&self) -> Typing {
        self.search.typing()
    }

    fn key(&mut self, _: &mut Cx, key: KeyEvent) {
        if self.search.key(key) {
            self.at = 0;
        }
    }

    fn paste(&mut self, cx: &mut Cx, text: &str) {
        if self.search.paste(cx, text) {
            self.at = 0;
        }
    }

    fn can_search(&self) -> bool {
        true
    }

    fn can_sort(&self) -> bool {
        false
    }

    fn search(&mut self) {
        if !self.search.is_open() {
            self.before = self.at;
        }
        self.search.begin();
    }

    fn escape(&mut self, _: &mut Cx) -> bool {
        let was_open = self.search.clear();
        if was_open {
            self.at = self.before;
        }
        was_open
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.settings.theme;
        let shown = self.found();
        let kinds = count(shown.len(), "kind", "kinds");
        let list = framed(frame, area, format!(" {kinds} of records "), theme.border);
        let list = self.search.draw_above(theme, frame, list);
        let columns = [Column::fixed("Area", 22), Column::share("Kind", 1)];
        let row = |at: usize| {
            Row::new()
                .styled(heading(&shown, at), theme.title)
                .styled(title(&shown[at].many), Style::new())
        };
        let selected = Some(self.at);
        table::draw(frame, list, shared, &columns, shown.len(), selected, row);
    }
}
