//! The list of tools. The selected tool is described beside it.

mod view;

use crossterm::event::KeyEvent;
use frontdesk_client::ToolInfo;
use ratatui::Frame;
use ratatui::layout::Rect;

use super::catalogue::{Catalogue, CatalogueRow};
use crate::app::cx::{Cx, News};
use crate::app::effects::job::{Ended, Outcome};
use crate::app::effects::server_jobs::FetchTools;
use crate::app::input::command::Context;
use crate::app::input::mode::Mode;
use crate::app::owner::RequestId;
use crate::app::peer::Peer;
use crate::app::screen::Screen;
use crate::app::shared::{Session, Shared};
use crate::app::state::Typing;
use crate::call_form::CallScreen;
use crate::ui::search::Search;
use crate::ui::table;

/// The list of tools.
#[derive(Debug, Default)]
pub(crate) struct Browser {
    pub(super) catalogue: Catalogue,
    /// Whether writing tools are listed.
    pub(super) mode: Mode,
    pub(super) search: Search,
    /// The selected host or server, and tool.
    selected: Option<(Peer, Option<String>)>,
    /// The selection before the search.
    before: Option<(Peer, Option<String>)>,
    /// Whether the user moved the selection. Otherwise it stays on the first entry while answers
    /// arrive.
    is_chosen: bool,
    /// The first visible line of the schema, if it replaces the list.
    pub(super) schema: Option<usize>,
    /// Whether it is the first screen.
    is_first: bool,
}

impl Browser {
    /// The first screen without a service.
    pub(crate) fn first() -> Browser {
        Browser {
            is_first: true,
            ..Browser::default()
        }
    }

    /// The entries of the list.
    pub(super) fn rows(&self) -> Vec<CatalogueRow<'_>> {
        match self.search.text().trim() {
            "" => self.catalogue.all(self.mode),
            search => self.catalogue.find(search, self.mode),
        }
    }

    /// The selected entry.
    pub(super) fn row(&self) -> Option<CatalogueRow<'_>> {
        match self.selected.as_ref()? {
            (peer, None) => Some(CatalogueRow::Peer(peer)),
            (peer, Some(tool)) => Some(CatalogueRow::Tool(peer, tool)),
        }
    }

    /// The host or server of the selection.
    pub(crate) fn peer(&self) -> Option<&Peer> {
        self.selected.as_ref().map(|(peer, _)| peer)
    }

    /// The selected tool with its host or server.
    pub(crate) fn tool(&self) -> Option<(&Peer, &ToolInfo)> {
        let (peer, name) = self.selected.as_ref()?;
        let tool = self.catalogue.tool(peer, name.as_deref()?)?;
        Some((peer, tool))
    }

    /// The heading of a host with tools is not selectable.
    fn can_be_selected(&self, row: &CatalogueRow) -> bool {
        match row {
            CatalogueRow::Peer(peer) => self.catalogue.tools(peer).is_empty(),
            CatalogueRow::Tool(..) => true,
        }
    }

    fn select(&mut self, by: Option<isize>) {
        let rows: Vec<CatalogueRow> = self
            .rows()
            .into_iter()
            .filter(|row| self.can_be_selected(row))
            .collect();
        let there = self.row().filter(|row| rows.contains(row));
        let next = match (by, there) {
            (Some(by), there) => table::step(&rows, there, by),
            (None, Some(there)) => Some(there),
            (None, None) => rows.first().copied(),
        };
        self.selected = next.map(|row| match row {
            CatalogueRow::Peer(peer) => (peer.clone(), None),
            CatalogueRow::Tool(peer, tool) => (peer.clone(), Some(tool.to_owned())),
        });
    }

    /// The search changed: selects the best match.
    fn searched(&mut self) {
        self.selected = None;
        self.is_chosen = false;
        self.select(None);
    }

    /// The selected host or server, if it was not opened or could not be.
    pub(super) fn closed(&self) -> Option<&Peer> {
        match self.row()? {
            CatalogueRow::Peer(peer) if self.catalogue.can_be_opened(peer) => Some(peer),
            _ => None,
        }
    }

    /// Opens the selected server, or the form of the selected tool.
    pub(super) fn open(&mut self, cx: &mut Cx) {
        self.search.end();
        self.before = None;
        if let Some(peer) = self.closed().cloned() {
            self.catalogue.ask_one(cx, peer);
        } else if let Some((peer, tool)) = self.tool() {
            let screen = CallScreen::new(peer.clone(), tool.clone());
            cx.open(screen.called_if_bare());
        }
    }

    /// Toggles between list and schema.
    pub(super) fn turn(&mut self) {
        self.search.end();
        self.schema = match self.schema {
            Some(_) => None,
            None => Some(0),
        };
    }
}

impl Screen for Browser {
    fn context(&self) -> &'static Context {
        match self.is_first {
            true => &super::FIRST,
            false => &super::TOOLS,
        }
    }

    fn crumb(&self) -> String {
        "Tools".to_owned()
    }

    fn shown(&mut self, cx: &mut Cx) {
        self.mode = cx.shared.mode;
        if self.catalogue.is_empty() {
            self.refresh(cx);
        }
    }

    fn refresh(&mut self, cx: &mut Cx) {
        if matches!(cx.shared.session, Session::In(_) | Session::NoService) {
            self.catalogue.ask(cx);
            self.select(None);
        }
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, mut outcome: Outcome) {
        if let Some(Ended { job, result }) = outcome.take::<FetchTools>() {
            let peer = job.0.clone();
            if let Ok(tools) = &result {
                cx.shared.tools.insert(peer.clone(), tools.clone());
            }
            self.catalogue.answered(cx, request, &peer, result);
            let first = self.catalogue.tools(&peer).first();
            match (&self.selected, first) {
                // It was just opened.
                (Some((selected, None)), Some(tool)) if *selected == peer => {
                    self.selected = Some((peer, Some(tool.name.clone())));
                }
                _ if !self.is_chosen => self.selected = None,
                _ => {}
            }
            self.select(None);
        }
    }

    fn notified(&mut self, cx: &mut Cx, news: &News) {
        match news {
            News::SignedIn => self.refresh(cx),
            News::Mode => {
                self.mode = cx.shared.mode;
                self.select(None);
            }
            News::ToolsChanged(peer) => self.catalogue.ask_one(cx, peer.clone()),
            _ => {}
        }
    }

    fn typing(&self) -> Typing {
        self.search.typing()
    }

    fn key(&mut self, _: &mut Cx, key: KeyEvent) {
        if self.search.key(key) {
            self.searched();
        }
    }

    fn paste(&mut self, cx: &mut Cx, text: &str) {
        if self.search.paste(cx, text) {
            self.searched();
        }
    }

    fn can_search(&self) -> bool {
        true
    }

    fn can_sort(&self) -> bool {
        false
    }

    fn search(&mut self) {
        self.schema = None;
        if !self.search.is_open() {
            self.before = self.selected.clone();
        }
        self.search.begin();
    }

    fn step(&mut self, cx: &mut Cx, by: isize) {
        match self.schema {
            Some(top) => {
                let size = cx.shared.size;
                let width = usize::from(size.width.saturating_sub(2));
                let last = view::schema_lines(self, width).len();
                let last = last.saturating_sub(view::schema_height(size.height));
                self.schema = Some(top.saturating_add_signed(by).min(last));
            }
            None => {
                self.is_chosen = true;
                self.select(Some(by));
            }
        }
    }

    fn escape(&mut self, _: &mut Cx) -> bool {
        if self.schema.take().is_some() {
            return true;
        }
        let was_open = self.search.clear();
        if was_open {
            self.selected = self.before.take().or(self.selected.take());
            self.select(None);
        }
        was_open
    }

    fn is_busy(&self) -> bool {
        self.catalogue.is_loading()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        view::draw(self, shared, frame, area);
    }
}
