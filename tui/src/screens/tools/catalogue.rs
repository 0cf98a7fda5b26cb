//! What the hosts offer to the one who is signed in: all of it by host, or what a search finds.

use std::collections::BTreeMap;

use frontdesk_client::{CallError, ToolInfo};
use frontdesk_protocol::Host;
use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use crate::app::cx::Cx;
use crate::app::effect::{RequestId, Work};
use crate::app::remote::Remote;

/// What a name that fits has ahead of a description that does.
const NAME_FIRST: u32 = 10_000;

/// A place in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place<'a> {
    /// The heading of a host.
    Host(Host),
    /// A tool of it.
    Tool(Host, &'a str),
}

/// The tools of each host.
#[derive(Debug, Default)]
pub(super) struct Catalogue {
    lists: BTreeMap<Host, Remote<Vec<ToolInfo>>>,
}

impl Catalogue {
    /// Asks every host that is not being asked.
    pub(super) fn ask(&mut self, cx: &mut Cx) {
        for host in Host::ALL {
            let list = self.lists.entry(host).or_default();
            if !list.is_loading() {
                list.begin(cx.run(Work::Tools(host)));
            }
        }
    }

    /// A host has answered.
    pub(super) fn answered(
        &mut self,
        cx: &Cx,
        request: RequestId,
        host: Host,
        result: Result<Vec<ToolInfo>, CallError>,
    ) {
        if let Some(list) = self.lists.get_mut(&host) {
            list.finish(request, cx.now(), result);
        }
    }

    /// How we stand with a host.
    pub(super) fn host(&self, host: Host) -> Option<&Remote<Vec<ToolInfo>>> {
        self.lists.get(&host)
    }

    /// The tools of a host, as far as they are known.
    pub(super) fn tools(&self, host: Host) -> &[ToolInfo] {
        let known = self.lists.get(&host).and_then(Remote::value);
        known.map_or(&[], Vec::as_slice)
    }

    /// One tool.
    pub(super) fn tool(&self, host: Host, name: &str) -> Option<&ToolInfo> {
        self.tools(host).iter().find(|tool| tool.name == name)
    }

    /// How many tools are known.
    pub(super) fn len(&self) -> usize {
        Host::ALL.map(|host| self.tools(host).len()).iter().sum()
    }

    /// Whether a host has not answered yet.
    pub(super) fn is_loading(&self) -> bool {
        self.lists.values().any(Remote::is_loading)
    }

    /// Everything: the hosts that offer something, each with its tools, then the others.
    pub(super) fn all(&self) -> Vec<Place<'_>> {
        let (with, without): (Vec<Host>, Vec<Host>) = Host::ALL
            .into_iter()
            .partition(|host| !self.tools(*host).is_empty());
        let mut places = Vec::new();
        for host in with.into_iter().chain(without) {
            places.push(Place::Host(host));
            let tools = self.tools(host).iter();
            places.extend(tools.map(|tool| Place::Tool(host, &tool.name)));
        }
        places
    }

    /// The tools in whose name the letters stand in this order, the best first; then those whose
    /// description has the words.
    pub(super) fn find(&self, search: &str) -> Vec<Place<'_>> {
        let mut matcher = Matcher::new(Config::DEFAULT);
        let (case, accents) = (CaseMatching::Ignore, Normalization::Smart);
        let letters = Pattern::parse(search, case, accents);
        let words = Pattern::new(search, case, accents, AtomKind::Substring);
        let mut buffer = Vec::new();
        let mut found: Vec<(u32, Place)> = Vec::new();
        for host in Host::ALL {
            for tool in self.tools(host) {
                let title = tool.title.as_deref().unwrap_or_default();
                let name = format!("{} {} {title}", host.area(), tool.name);
                let about = tool.description.as_deref().unwrap_or_default();
                let score = letters
                    .score(Utf32Str::new(&name, &mut buffer), &mut matcher)
                    .map(|score| score + NAME_FIRST)
                    .or_else(|| words.score(Utf32Str::new(about, &mut buffer), &mut matcher));
                found.extend(score.map(|score| (score, Place::Tool(host, &tool.name))));
            }
        }
        found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        found.into_iter().map(|(_, place)| place).collect()
    }
}
