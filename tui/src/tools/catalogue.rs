//! What the hosts and servers offer to the one who is signed in: all of it, or what a search finds.

use std::collections::BTreeMap;

use frontdesk_client::{CallError, ToolInfo};
use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use crate::app::cx::Cx;
use crate::app::effect::{RequestId, Work};
use crate::app::mode::Mode;
use crate::app::peer::Peer;
use crate::app::remote::Remote;

/// What a name that fits has ahead of a description that does.
const NAME_FIRST: u32 = 10_000;

/// A place in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place<'a> {
    /// The heading of a host or server.
    Peer(&'a Peer),
    /// A tool of it.
    Tool(&'a Peer, &'a str),
}

/// The tools of each host and server.
#[derive(Debug, Default)]
pub(super) struct Catalogue {
    lists: BTreeMap<Peer, Remote<Vec<ToolInfo>>>,
}

impl Catalogue {
    /// Asks all that are not being asked.
    pub(super) fn ask(&mut self, cx: &mut Cx) {
        let peers: Vec<Peer> = cx.shared.peers().collect();
        for peer in peers {
            self.ask_one(cx, peer);
        }
    }

    /// Asks this one, unless it is being asked.
    pub(super) fn ask_one(&mut self, cx: &mut Cx, peer: Peer) {
        let list = self.lists.entry(peer.clone()).or_default();
        if !list.is_loading() {
            list.begin(cx.run(Work::Tools(peer)));
        }
    }

    /// One has answered.
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

    /// How we stand with a host or server.
    pub(super) fn list(&self, peer: &Peer) -> Option<&Remote<Vec<ToolInfo>>> {
        self.lists.get(peer)
    }

    /// The tools of a host or server, as far as they are known.
    pub(super) fn tools(&self, peer: &Peer) -> &[ToolInfo] {
        let known = self.lists.get(peer).and_then(Remote::value);
        known.map_or(&[], Vec::as_slice)
    }

    /// Those of them that may be called now.
    pub(super) fn offered(&self, peer: &Peer, mode: Mode) -> impl Iterator<Item = &ToolInfo> {
        let tools = self.tools(peer).iter();
        tools.filter(move |tool| tool.read_only || !mode.is_read_only())
    }

    /// One tool.
    pub(super) fn tool(&self, peer: &Peer, name: &str) -> Option<&ToolInfo> {
        self.tools(peer).iter().find(|tool| tool.name == name)
    }

    /// How many tools are known that may be called now.
    pub(super) fn len(&self, mode: Mode) -> usize {
        let peers = self.lists.keys();
        peers.map(|peer| self.offered(peer, mode).count()).sum()
    }

    /// Whether no tool is known.
    pub(super) fn is_empty(&self) -> bool {
        self.lists.keys().all(|peer| self.tools(peer).is_empty())
    }

    /// Whether one has not answered yet.
    pub(super) fn is_loading(&self) -> bool {
        self.lists.values().any(Remote::is_loading)
    }

    /// Everything: those that offer something, each with its tools, then the others.
    pub(super) fn all(&self, mode: Mode) -> Vec<Place<'_>> {
        let peers = self.lists.keys();
        let (with, without): (Vec<&Peer>, Vec<&Peer>) =
            peers.partition(|peer| !self.tools(peer).is_empty());
        let mut places = Vec::new();
        for peer in with.into_iter().chain(without) {
            places.push(Place::Peer(peer));
            let tools = self.offered(peer, mode);
            places.extend(tools.map(|tool| Place::Tool(peer, &tool.name)));
        }
        places
    }

    /// The tools in whose name the letters stand in this order, the best first; then those whose
    /// description has the words.
    pub(super) fn find(&self, search: &str, mode: Mode) -> Vec<Place<'_>> {
        let mut matcher = Matcher::new(Config::DEFAULT);
        let (case, accents) = (CaseMatching::Ignore, Normalization::Smart);
        let letters = Pattern::parse(search, case, accents);
        let words = Pattern::new(search, case, accents, AtomKind::Substring);
        let mut buffer = Vec::new();
        let mut found: Vec<(u32, Place)> = Vec::new();
        for peer in self.lists.keys() {
            for tool in self.offered(peer, mode) {
                let title = tool.title.as_deref().unwrap_or_default();
                let name = format!("{} {} {title}", peer.name(), tool.name);
                let about = tool.description.as_deref().unwrap_or_default();
                let score = letters
                    .score(Utf32Str::new(&name, &mut buffer), &mut matcher)
                    .map(|score| score + NAME_FIRST)
                    .or_else(|| words.score(Utf32Str::new(about, &mut buffer), &mut matcher));
                found.extend(score.map(|score| (score, Place::Tool(peer, &tool.name))));
            }
        }
        found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        found.into_iter().map(|(_, place)| place).collect()
    }
}
