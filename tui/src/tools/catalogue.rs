//! The tools that hosts and servers offer the signed-in account, and the search in them.

use std::collections::BTreeMap;

use frontdesk_client::{CallError, ToolInfo};
use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use crate::app::cx::Cx;
use crate::app::effects::effect::{RequestId, Work};
use crate::app::input::mode::Mode;
use crate::app::peer::Peer;
use crate::app::remote::Remote;

/// The advantage of a match in the name over one in the description.
const NAME_FIRST: u32 = 10_000;

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
}

impl Catalogue {
    /// Requests all lists that are not being loaded, except those of unopened servers: opening one
    /// starts its program.
    pub(super) fn ask(&mut self, cx: &mut Cx) {
        let peers: Vec<Peer> = cx.shared.peers().collect();
        for peer in peers {
            self.lists.entry(peer.clone()).or_default();
            if !self.is_unopened(&peer) || cx.shared.tools.contains_key(&peer) {
                self.ask_one(cx, peer);
            }
        }
    }

    /// Whether this is a server whose list was never requested here.
    pub(super) fn is_unopened(&self, peer: &Peer) -> bool {
        let is_idle = matches!(self.lists.get(peer), None | Some(Remote::Idle));
        matches!(peer, Peer::Server(_)) && is_idle
    }

    /// Requests this list, unless it is being loaded.
    pub(super) fn ask_one(&mut self, cx: &mut Cx, peer: Peer) {
        let list = self.lists.entry(peer.clone()).or_default();
        if !list.is_loading() {
            list.begin(cx.run(Work::Tools(peer)));
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

    /// All entries: hosts and servers with tools first, then the others.
    pub(super) fn all(&self, mode: Mode) -> Vec<CatalogueRow<'_>> {
        let peers = self.lists.keys();
        let (with, without): (Vec<&Peer>, Vec<&Peer>) =
            peers.partition(|peer| !self.tools(peer).is_empty());
        let mut rows = Vec::new();
        for peer in with.into_iter().chain(without) {
            rows.push(CatalogueRow::Peer(peer));
            let tools = self.offered(peer, mode);
            rows.extend(tools.map(|tool| CatalogueRow::Tool(peer, &tool.name)));
        }
        rows
    }

    /// The unopened servers and the tools whose names contain the letters in this order, the best
    /// first; then the tools whose descriptions contain the words.
    pub(super) fn find(&self, search: &str, mode: Mode) -> Vec<CatalogueRow<'_>> {
        let mut matcher = Matcher::new(Config::DEFAULT);
        let (case, accents) = (CaseMatching::Ignore, Normalization::Smart);
        let letters = Pattern::parse(search, case, accents);
        let words = Pattern::new(search, case, accents, AtomKind::Substring);
        let mut buffer = Vec::new();
        let mut found: Vec<(u32, CatalogueRow)> = Vec::new();
        for peer in self.lists.keys() {
            for tool in self.offered(peer, mode) {
                let title = tool.title.as_deref().unwrap_or_default();
                let name = format!("{} {} {title}", peer.name(), tool.name);
                let about = tool.description.as_deref().unwrap_or_default();
                let score = letters
                    .score(Utf32Str::new(&name, &mut buffer), &mut matcher)
                    .map(|score| score + NAME_FIRST)
                    .or_else(|| words.score(Utf32Str::new(about, &mut buffer), &mut matcher));
                found.extend(score.map(|score| (score, CatalogueRow::Tool(peer, &tool.name))));
            }
        }
        found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        let unopened = self.lists.keys().filter(|peer| self.is_unopened(peer));
        let unopened = unopened.filter(|peer| {
            let name = Utf32Str::new(peer.name(), &mut buffer);
            letters.score(name, &mut matcher).is_some()
        });
        let unopened: Vec<CatalogueRow> = unopened.map(CatalogueRow::Peer).collect();
        unopened
            .into_iter()
            .chain(found.into_iter().map(|(_, row)| row))
            .collect()
    }
}
