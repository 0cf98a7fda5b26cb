//! All areas and the kinds of records in each: the second page of Home.

use frontdesk_protocol::Role;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::app::cx::Cx;
use crate::app::effects::effect::{Outcome, RequestId};
use crate::app::input::command::{Command, Context};
use crate::app::peer::Peer;
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::fields::title;
use crate::look::text::count;
use crate::record_screens::open;
use crate::records::kind::{self, Kind};
use crate::ui::panel::titled;
use crate::ui::table::{self, Column, Row};

static AREAS: Context = Context::list("All areas");

/// The commands of the page.
pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        &AREAS,
        "areas.open",
        "Open the list of the selected kind",
        &["enter"],
        |state, out| {
            state.act::<Areas>(out, |areas, cx| {
                if let Some(kind) = areas.kinds.get(areas.at) {
                    open(cx, kind);
                }
            });
        },
    )
    .hint("open"),
    Command::new(
        &AREAS,
        "areas.home",
        "Back to Home",
        &["tab", "backtab"],
        |state, out| state.cx(out).back(),
    )
    .hint("home"),
];

/// The kinds that a person of this role can list, by area.
#[derive(Debug)]
pub(crate) struct Areas {
    kinds: Vec<&'static Kind>,
    at: usize,
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
            at: 0,
        }
    }

    /// The area of a kind, if it is the first one of the area.
    fn heading(&self, at: usize) -> String {
        let peer = &self.kinds[at].peer;
        match at.checked_sub(1).map(|before| &self.kinds[before].peer) {
            Some(before) if before == peer => String::new(),
            _ => peer.title().into_owned(),
        }
    }
}

impl Screen for Areas {
    fn context(&self) -> &'static Context {
        &AREAS
    }

    fn crumb(&self) -> String {
        "All areas".to_owned()
    }

    fn shown(&mut self, _: &mut Cx) {}

    fn refresh(&mut self, _: &mut Cx) {}

    fn answered(&mut self, _: &mut Cx, _: RequestId, _: Outcome) {}

    fn gives_way(&self) -> bool {
        true
    }

    fn step(&mut self, _: &mut Cx, by: isize) {
        self.at = table::moved(self.kinds.len(), Some(self.at), by).unwrap_or(0);
    }

    fn is_busy(&self) -> bool {
        false
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.settings.theme;
        let kinds = count(self.kinds.len(), "kind", "kinds");
        let block = titled(format!(" {kinds} of records "), theme.border);
        let list = block.inner(area);
        frame.render_widget(block, area);
        let columns = [Column::fixed("Area", 22), Column::share("Kind", 1)];
        let row = |at: usize| {
            Row::new()
                .styled(self.heading(at), theme.title)
                .styled(title(&self.kinds[at].many), Style::new())
        };
        let selected = Some(self.at);
        table::draw(
            frame,
            list,
            shared,
            &columns,
            self.kinds.len(),
            selected,
            row,
        );
    }
}
