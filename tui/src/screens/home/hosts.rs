//! How the hosts are, in one line.

use std::collections::BTreeMap;
use std::sync::Arc;

use frontdesk_client::{CallError, Health};
use frontdesk_protocol::Host;
use jiff::{SignedDuration, Timestamp};
use ratatui::text::{Line, Span};

use crate::app::cx::Cx;
use crate::app::effects::job::Job;
use crate::app::effects::platform::Platform;
use crate::app::owner::RequestId;
use crate::app::remote::Remote;
use crate::app::reporter::Reporter;
use crate::app::shared::Shared;
use crate::look::mark::Mark;

/// How long an answer counts while the host is asked again.
const TRUSTED: SignedDuration = SignedDuration::from_secs(40);

/// Fetches the health of a host.
#[derive(Debug)]
pub(crate) struct FetchHealth(pub(crate) Host);

impl Job for FetchHealth {
    type Value = Health;
    type Error = CallError;

    async fn run(self: Arc<Self>, platform: Platform, _: Reporter) -> Result<Health, CallError> {
        platform.client.health(self.0).await
    }
}

/// What is known of the hosts' health.
#[derive(Debug, Default)]
pub(super) struct Hosts(BTreeMap<Host, Remote<Health>>);

impl Hosts {
    /// Asks these how they are, unless they are being asked.
    pub(super) fn ask(&mut self, cx: &mut Cx, hosts: impl IntoIterator<Item = Host>) {
        for host in hosts {
            let health = self.0.entry(host).or_default();
            if !health.is_loading() {
                health.begin(cx.run(FetchHealth(host)));
            }
        }
    }

    /// Takes what a host says.
    pub(super) fn answered(
        &mut self,
        cx: &Cx,
        request: RequestId,
        host: Host,
        result: Result<Health, CallError>,
    ) {
        if let Some(health) = self.0.get_mut(&host) {
            health.finish(request, cx.now(), result);
        }
    }

    /// Those that could not be asked, and why.
    pub(super) fn away(&self) -> impl Iterator<Item = (Host, &CallError)> {
        let hosts = self.0.iter();
        hosts.filter_map(|(host, health)| Some((*host, health.error()?)))
    }

    /// The time of the oldest answer.
    pub(super) fn as_of(&self) -> Option<Timestamp> {
        let hosts = self.0.values().filter(|health| health.error().is_none());
        hosts.filter_map(|health| Some(health.seen()?.at)).min()
    }

    /// How a host is, in a word. An answer that is old while the host is being asked counts no
    /// longer.
    fn state(&self, host: Host, now: Timestamp) -> (Mark, &'static str) {
        match self.0.get(&host) {
            Some(health) => match (health.value(), health.error()) {
                (_, Some(_)) => (Mark::Bad, "away"),
                _ if health.is_loading()
                    && health.seen().is_some_and(|seen| seen.at + TRUSTED < now) =>
                {
                    (Mark::Busy, "asked")
                }
                (Some(health), _) if health.is_ok() => (Mark::Good, "ok"),
                (Some(_), _) => (Mark::Warn, "unwell"),
                (None, None) => (Mark::Busy, "asked"),
            },
            None => (Mark::Info, "not asked"),
        }
    }

    /// How many are well, and which are not, as far as there is room for their names; nothing if no host is known not to
    /// be well.
    pub(super) fn line(&self, shared: &Shared, width: u16) -> Option<Line<'static>> {
        let mut states: Vec<(Mark, &str, Vec<&str>)> = Vec::new();
        for host in Host::ALL {
            let (mark, word) = self.state(host, shared.now);
            match states.iter_mut().find(|(_, known, _)| *known == word) {
                Some((.., hosts)) => hosts.push(host.title()),
                None => states.push((mark, word, vec![host.title()])),
            }
        }
        let is_bad = |mark: &Mark| matches!(mark, Mark::Bad | Mark::Warn);
        states.iter().find(|(mark, ..)| is_bad(mark))?;
        let line = |names: bool| {
            let mut line = Line::raw("Hosts: ");
            for (mark, word, hosts) in &states {
                let words = match names && is_bad(mark) {
                    true => format!("{word}: {}", hosts.join(", ")),
                    false => format!("{} {word}", hosts.len()),
                };
                line.push_span(mark.span(&shared.settings.theme, &words));
                line.push_span(Span::raw("  "));
            }
            line
        };
        let named = line(true);
        Some(match named.width() <= usize::from(width) + 2 {
            true => named,
            false => line(false),
        })
    }
}
