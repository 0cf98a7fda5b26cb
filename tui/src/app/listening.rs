//! What the visible screen has read, and the streams on which hosts report that it changed. While a stream is open, nothing is
//! asked at intervals.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use frontdesk_client::{CallError, Heard};
use frontdesk_protocol::id::UserId;
use frontdesk_protocol::{Host, calls};
use jiff::{SignedDuration, Timestamp};

use super::cx::{Cx, Out};
use super::owner::{Owner, RequestId, ScreenId};
use super::peer::Peer;
use super::state::State;
use crate::app::effects::call::{Method, ToolCall};
use crate::app::effects::effect::Effect;
use crate::app::effects::job::Ended;
use crate::app::effects::listen::Listen;

/// How long the screen has read the same before a host is asked to tell of it.
const SETTLED: SignedDuration = SignedDuration::from_secs(2);
/// The least time between two renewals of a screen that is renewed as a whole.
pub(super) const PAUSE: SignedDuration = SignedDuration::from_secs(10);
/// How long after a lost stream, and after a refused one, another is asked for.
const AFTER_LOSS: SignedDuration = SignedDuration::from_secs(30);
const AFTER_REFUSAL: SignedDuration = SignedDuration::from_mins(10);
/// The results of a screen that are listened to, the last ones.
const MOST: usize = 12;

/// What a screen wants to hear of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Wanted {
    account: Option<UserId>,
    pause: Duration,
    uris: BTreeMap<Host, BTreeSet<String>>,
}

/// A stream that is open, or being opened.
#[derive(Debug)]
struct Stream {
    request: RequestId,
    /// The time at which it was opened, and the addresses that it covers.
    open: Option<(Timestamp, BTreeSet<String>)>,
}

/// The streams, and what they are about.
#[derive(Debug, Default)]
pub(crate) struct Listening {
    /// Whether hosts are listened to at all.
    is_on: bool,
    /// The addresses of what each screen has read since it was last renewed.
    read: BTreeMap<u64, Vec<(Host, String)>>,
    wanted: Wanted,
    streams: BTreeMap<Host, Stream>,
    /// What is wanted next, and the timer until then.
    coming: Option<(Wanted, RequestId)>,
    /// When a host is asked again.
    refused: BTreeMap<Host, Timestamp>,
    /// The screen whose data changed, by a host's report, after it had begun to read.
    told: Option<ScreenId>,
}

impl Listening {
    pub(super) fn new(is_on: bool) -> Self {
        Listening {
            is_on,
            ..Listening::default()
        }
    }

    /// Notes what a screen reads.
    pub(super) fn note(&mut self, owner: Owner, call: &ToolCall) {
        let (Owner::Screen(ScreenId(screen)), Peer::Host(host)) = (owner, &call.peer) else {
            return;
        };
        let tool = host.tool(&call.tool);
        let reads = tool.is_some_and(|tool| tool.effect.read_only && tool.structured);
        let is_own = call.by_hand || call.options.method != Method::Tool;
        if !self.is_on || !reads || is_own || call.options.guests_since.is_some() {
            return;
        }
        let read = self.read.entry(screen).or_default();
        let address = (*host, address(*host, call));
        read.retain(|one| *one != address);
        read.push(address);
        let excess = read.len().saturating_sub(MOST);
        read.drain(..excess);
    }

    /// A screen reads everything again.
    pub(super) fn begin_again(&mut self, screen: ScreenId) {
        self.read.remove(&screen.0);
        self.told = self.told.filter(|told| *told != screen);
    }

    /// Whether a host has reported a change of what this screen shows.
    pub(super) fn has_told(&self, screen: ScreenId) -> bool {
        self.told == Some(screen)
    }

    /// Whether the host tells of changes of this call.
    pub(crate) fn hears(&self, host: Host, call: &ToolCall) -> bool {
        let open = self.streams.get(&host).and_then(|one| one.open.as_ref());
        open.is_some_and(|(_, uris)| uris.contains(&address(host, call)))
    }

    /// Whether hosts tell of something, and no stream is being opened.
    pub(crate) fn is_open(&self) -> bool {
        let mut streams = self.streams.values();
        !self.streams.is_empty() && streams.all(|stream| stream.open.is_some())
    }

    /// Since when hosts tell of everything that the visible screen wants to hear of.
    fn is_whole_since(&self, wanted: &Wanted) -> Option<Timestamp> {
        let since = wanted.uris.iter().map(|(host, uris)| {
            let open = self.streams.get(host)?.open.as_ref()?;
            uris.is_subset(&open.1).then_some(open.0)
        });
        since.collect::<Option<Vec<_>>>()?.into_iter().max()
    }
}

/// The address of a call's result.
fn address(host: Host, call: &ToolCall) -> String {
    calls::address(host, &call.tool, &call.arguments, &call.options.meta())
}

/// What the visible screen wants to hear of.
fn wanted(state: &State) -> Wanted {
    let listening = &state.shared.listening;
    let mut wanted = Wanted {
        account: state.shared.account().map(|account| account.id),
        ..Wanted::default()
    };
    let Some(opened) = state.screens.last() else {
        return wanted;
    };
    let is_wanted = listening.is_on && !state.is_leaving && wanted.account.is_some();
    let told = opened.screen.listens_to(&state.shared);
    wanted.pause = match told {
        Some(_) => Duration::ZERO,
        None => PAUSE.unsigned_abs(),
    };
    let uris: Vec<(Host, String)> = match told {
        _ if !is_wanted => Vec::new(),
        Some(calls) => {
            let hosts = calls
                .iter()
                .filter_map(|call| Some((call.peer.host()?, call)));
            hosts
                .map(|(host, call)| (host, address(host, call)))
                .collect()
        }
        None if opened.screen.as_of().is_none() || !state.renewal.is_in_use(state.shared.now) => {
            Vec::new()
        }
        None => listening
            .read
            .get(&opened.id.0)
            .cloned()
            .unwrap_or_default(),
    };
    let now = state.shared.now;
    for (host, uri) in uris {
        if listening
            .refused
            .get(&host)
            .is_none_or(|until| *until <= now)
        {
            wanted.uris.entry(host).or_default().insert(uri);
        }
    }
    wanted
}

/// Since when the hosts tell of every change of what the visible screen shows.
pub(crate) fn is_live_since(state: &State) -> Option<Timestamp> {
    let listening = &state.shared.listening;
    if listening.streams.is_empty() || listening.read.is_empty() {
        return None;
    }
    let wanted = wanted(state);
    let since = listening.is_whole_since(&wanted);
    since.filter(|_| !wanted.uris.is_empty())
}

/// Sees to it that the streams are about what the visible screen shows, once that has settled.
pub(super) fn keep(state: &mut State, out: &mut Out) {
    if !state.shared.listening.is_on {
        return;
    }
    let open: BTreeSet<u64> = state.screens.iter().map(|opened| opened.id.0).collect();
    let read = &mut state.shared.listening.read;
    read.retain(|screen, _| open.contains(screen));
    let wanted = wanted(state);
    let listening = &mut state.shared.listening;
    let is_known = match &listening.coming {
        Some((coming, _)) => *coming == wanted,
        None => listening.wanted == wanted,
    };
    if is_known {
        return;
    }
    let timer = listening.coming.take();
    out.effects
        .extend(timer.map(|(_, timer)| Effect::CancelTimer(timer)));
    if listening.wanted != wanted {
        let timer = state.cx(out).after(SETTLED);
        state.shared.listening.coming = Some((wanted, timer));
    }
}

/// Handles the timer.
pub(super) fn fired(state: &mut State, out: &mut Out, request: RequestId) {
    let coming = &mut state.shared.listening.coming;
    if let Some((wanted, _)) = coming.take_if(|(_, timer)| *timer == request) {
        listen_to(&mut state.cx(out), wanted);
    }
}

fn listen_to(cx: &mut Cx, wanted: Wanted) {
    let before = std::mem::replace(&mut cx.shared.listening.wanted, wanted.clone());
    let is_other = before.account != wanted.account || before.pause != wanted.pause;
    let hosts: Vec<Host> = before
        .uris
        .keys()
        .chain(wanted.uris.keys())
        .copied()
        .collect();
    for host in hosts.into_iter().collect::<BTreeSet<_>>() {
        let uris = wanted.uris.get(&host);
        let is_open = cx.shared.listening.streams.contains_key(&host);
        if is_open && !is_other && before.uris.get(&host) == uris {
            continue;
        }
        let old = cx.shared.listening.streams.remove(&host);
        cx.abort(old.map(|old| old.request));
        if let Some(uris) = uris {
            let listen = Listen {
                host,
                uris: uris.iter().cloned().collect(),
                pause: wanted.pause,
            };
            let request = cx.run_then(listen, ended);
            let stream = Stream {
                request,
                open: None,
            };
            cx.shared.listening.streams.insert(host, stream);
        }
    }
}

/// A stream has ended, or could not be opened: the screen asks at intervals until there is another.
fn ended(cx: &mut Cx, ended: Ended<Listen>) {
    let host = ended.job.host;
    let listening = &mut cx.shared.listening;
    let stream = listening.streams.remove(&host);
    listening.wanted.uris.remove(&host);
    let wait = match (&ended.result, stream.and_then(|stream| stream.open)) {
        (_, Some(_)) | (Err(CallError::Unreachable { .. }), _) => AFTER_LOSS,
        (Err(error), None) => error.wait().unwrap_or(AFTER_REFUSAL),
        (Ok(()), None) => AFTER_REFUSAL,
    };
    listening.refused.insert(host, cx.shared.now + wait);
}

/// Handles a report on a host's stream of changes.
pub(super) fn heard(state: &mut State, out: &mut Out, request: RequestId, heard: Heard) {
    let now = state.shared.now;
    let mut streams = state.shared.listening.streams.iter_mut();
    let Some((_, stream)) = streams.find(|(_, stream)| stream.request == request) else {
        return;
    };
    match heard {
        Heard::Open(uris) => stream.open = Some((now, uris.into_iter().collect())),
        Heard::Changed(uri) => {
            let Some(opened) = state.screens.last_mut() else {
                return;
            };
            let mut cx = Cx {
                shared: &mut state.shared,
                out,
                owner: Owner::Screen(opened.id),
            };
            let listens = opened.screen.listens_to(cx.shared).is_some();
            match calls::Called::read(&uri).filter(|_| listens) {
                Some(called) => opened.screen.heard(&mut cx, &called.tool),
                None => {
                    let read = state.shared.listening.read.get(&opened.id.0);
                    let is_shown = read.is_some_and(|read| read.iter().any(|one| one.1 == uri));
                    if is_shown {
                        state.shared.listening.told = Some(opened.id);
                    }
                }
            }
        }
    }
}
