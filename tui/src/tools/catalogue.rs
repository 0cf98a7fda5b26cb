//! The tools that hosts and servers offer the signed-in account, and the search in them.

use std::cell::RefCell;
use std::collections::BTreeMap;

use frontdesk_client::{CallError, ToolInfo};
use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher};

use crate::app::cx::Cx;
use crate::app::effects::server_jobs::FetchTools;
use crate::app::input::mode::Mode;
use crate::app::owner::RequestId;
use crate::app::peer::Peer;
use crate::app::remote::Remote;
use crate::ui::search_list::letters;

/// The advantage of a match in the name over one in the description.
const NAME_FIRST: u32 = 10_000;
/// Signs with which a longer search can find more than a shorter one.
const SIGNS: [char; 5] = ['!', '^', '$', '\'', '\\'];

/// A row of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CatalogueRow<'a> {
    /// The heading of a host or server.
    Peer(&'a Peer),
    /// A tool.
    Tool(&'a Peer, &'a str),
}

/// The tools of each host and server.
#[derive(Debug, Default)]
pub(super) struct Catalogue {
    lists: BTreeMap<Peer, Remote<Vec<ToolInfo>>>,
    /// The last search, and what it found: the places of peers and tools.
    found: RefCell<Option<Found>>,
}

type Found = (String, Mode, Vec<Place>);

/// A peer, and a tool of it, by their order.
type Place = (usize, Option<usize>);

impl Catalogue {
    /// Requests all lists that are not being loaded, except those of unopened servers among others: opening one
    /// starts its program.
    pub(super) fn ask(&mut self, cx: &mut Cx) {
        let peers: Vec<Peer> = cx.shared.peers().collect();
        // There is nothing to choose.
        let is_only = peers.len() == 1;
        for peer in peers {
            self.lists.entry(peer.clone()).or_default();
            if is_only || !self.is_unopened(&peer) || cx.shared.tools.contains_key(&peer) {
                self.ask_one(cx, peer);
            }
        }
    }

    /// Whether this is a server whose list was never requested here.
    pub(super) fn is_unopened(&self, peer: &Peer) -> bool {
        let is_idle = matches!(self.lists.get(peer), None | Some(Remote::Idle));
        matches!(peer, Peer::Server(_)) && is_idle
    }

    /// Whether opening this host or server can help: it is an unopened server, or its list failed.
    pub(super) fn can_be_opened(&self, peer: &Peer) -> bool {
        let list = self.lists.get(peer);
        self.is_unopened(peer) || list.is_some_and(|list| list.error().is_some())
    }

    /// Requests this list, unless it is being loaded.
    pub(super) fn ask_one(&mut self, cx: &mut Cx, peer: Peer) {
        self.found.take();
        let list = self.lists.entry(peer.clone()).or_default();
        if !list.is_loading() {
            list.begin(cx.run(FetchTools(peer)));
        }
    }

    /// Handles the list of a host or server.
    pub(super) fn answered(
        &mut self,
        cx: &Cx,
        request: RequestId,
        peer: &Peer,
        result: Result<Vec<ToolInfo>, CallError>,
    ) {
        self.found.take();
        if let Some(list) = self.lists.get_mut(peer) {
            list.finish(request, cx.now(), result);
        }
    }

    /// The state of the list of a host or server.
    pub(super) fn list(&self, peer: &Peer) -> Option<&Remote<Vec<ToolInfo>>> {
        self.lists.get(peer)
    }

    /// The known tools of a host or server.
    pub(super) fn tools(&self, peer: &Peer) -> &[ToolInfo] {
        let known = self.lists.get(peer).and_then(Remote::value);
        known.map_or(&[], Vec::as_slice)
    }

    /// Those that may be called in this mode.
    pub(super) fn offered(&self, peer: &Peer, mode: Mode) -> impl Iterator<Item = &ToolInfo> {
        let tools = self.tools(peer).iter();
        tools.filter(move |tool| tool.read_only || !mode.is_read_only())
    }

    /// One tool.
    pub(super) fn tool(&self, peer: &Peer, name: &str) -> Option<&ToolInfo> {
        self.tools(peer).iter().find(|tool| tool.name == name)
    }

    /// The number of known tools that may be called in this mode.
    pub(super) fn len(&self, mode: Mode) -> usize {
        let peers = self.lists.keys();
        peers.map(|peer| self.offered(peer, mode).count()).sum()
    }

    /// Whether no tool is known.
    pub(super) fn is_empty(&self) -> bool {
        self.lists.keys().all(|peer| self.tools(peer).is_empty())
    }

    /// Whether a list is being loaded.
    pub(super) fn is_loading(&self) -> bool {
        self.lists.values().any(Remote::is_loading)
    }

    /// All entries: hosts with tools, then servers, which stay where they are when they are opened, then hosts without
    /// tools.
    pub(super) fn all(&self, mode: Mode) -> Vec<CatalogueRow<'_>> {
        let peers = self.lists.keys();
        let (with, without): (Vec<&Peer>, Vec<&Peer>) =
            peers.partition(|peer| peer.host().is_none() || !self.tools(peer).is_empty());
        let mut rows = Vec::new();
        for peer in with.into_iter().chain(without) {
            rows.push(CatalogueRow::Peer(peer));
            let tools = self.offered(peer, mode);
            rows.extend(tools.map(|tool| CatalogueRow::Tool(peer, &tool.name)));
        }
        rows
    }

    /// The servers that can be opened and the tools whose names contain the letters in this order, the best
    /// first; then the tools whose descriptions contain the words.
    pub(super) fn find(&self, search: &str, mode: Mode) -> Vec<CatalogueRow<'_>> {
        let mut last = self.found.borrow_mut();
        let is_same = |last: &&mut Found| last.0 == search && last.1 == mode;
        let places = match last.as_mut().filter(is_same) {
            Some((.., places)) => places,
            None => {
                // A longer search finds some of what the shorter one has found.
                let shorter = last.take().filter(|(before, of, _)| {
                    *of == mode && search.starts_with(before) && !search.contains(SIGNS)
                });
                let places = match shorter {
                    Some((.., mut places)) => {
                        places.sort_unstable();
                        places
                    }
                    None => self.all_places(mode),
                };
                let found = self.matching(search, places);
                &mut last.insert((search.to_owned(), mode, found)).2
            }
        };
        let peers = self.peers();
        let row = |(peer, tool): &Place| match (peers[*peer], tool) {
            ((peer, tools), Some(tool)) => CatalogueRow::Tool(peer, &tools[*tool].name),
            ((peer, _), None) => CatalogueRow::Peer(peer),
        };
        places.iter().map(row).collect()
    }

    /// The places of the hosts and servers that can be opened, and of the tools that may be called in this mode.
    fn all_places(&self, mode: Mode) -> Vec<Place> {
        let mut places = Vec::new();
        for (at, peer) in self.lists.keys().enumerate() {
            places.extend(self.can_be_opened(peer).then_some((at, None)));
            let tools = self.tools(peer).iter().enumerate();
            let tools = tools.filter(|(_, tool)| tool.read_only || !mode.is_read_only());
            places.extend(tools.map(|(tool, _)| (at, Some(tool))));
        }
        places
    }

    /// Those of these places that a search finds.
    fn matching(&self, search: &str, places: Vec<Place>) -> Vec<Place> {
        let mut matcher = Matcher::new(Config::DEFAULT);
        let (case, accents) = (CaseMatching::Ignore, Normalization::Smart);
        let loose = Pattern::parse(search, case, accents);
        let words = Pattern::new(search, case, accents, AtomKind::Substring);
        let peers = self.peers();
        let mut buffer = Vec::new();
        let (mut unopened, mut found) = (Vec::new(), Vec::new());
        for place in places {
            let (peer, tools) = peers[place.0];
            let Some(tool) = place.1.map(|tool| &tools[tool]) else {
                let name = letters(peer.name(), &mut buffer);
                let score = loose.score(name, &mut matcher);
                unopened.extend(score.map(|_| place));
                continue;
            };
            let title = tool.title.as_deref().unwrap_or_default();
            let name = format!("{} {} {title}", peer.name(), tool.name);
            let about = tool.description.as_deref().unwrap_or_default();
            let score = loose
                .score(letters(&name, &mut buffer), &mut matcher)
                .map(|score| score + NAME_FIRST)
                .or_else(|| words.score(letters(about, &mut buffer), &mut matcher));
            found.extend(score.map(|score| (score, place)));
        }
        found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        unopened.extend(found.into_iter().map(|(_, place)| place));
        unopened
    }

    fn peers(&self) -> Vec<(&Peer, &[ToolInfo])> {
        let peers = self.lists.keys().map(|peer| (peer, self.tools(peer)));
        peers.collect()
    }
}
