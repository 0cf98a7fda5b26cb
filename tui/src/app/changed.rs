//! Tools of servers that are not what they were.

use std::collections::BTreeMap;

use frontdesk_client::seen::Change;

use super::peer::Peer;

/// The changed tools, by server.
#[derive(Debug, Default)]
pub(crate) struct ChangedTools(BTreeMap<String, Changes>);

#[derive(Debug, Default)]
struct Changes {
    open: Vec<Change>,
    /// An answer that began before can still have them.
    accepted: Vec<Change>,
    /// What was different when it was last started again.
    latest: Vec<Change>,
}

impl ChangedTools {
    /// All changes of a server, as compared.
    pub(super) fn compared(&mut self, server: String, mut changes: Vec<Change>) {
        let known = self.0.entry(server).or_default();
        changes.retain(|change| !known.accepted.contains(change));
        known.open = changes;
    }

    /// The changes of a server.
    pub(crate) fn of(&self, server: &str) -> &[Change] {
        self.0.get(server).map_or(&[], |changes| &changes.open)
    }

    /// A server was started again, which made this different.
    pub(super) fn restarted(&mut self, server: String, changes: Vec<Change>) {
        self.0.entry(server).or_default().latest = changes;
    }

    /// What was different when a server was last started again because its files had changed.
    pub(crate) fn latest(&self, server: &str) -> &[Change] {
        self.0.get(server).map_or(&[], |changes| &changes.latest)
    }

    /// The change of a tool that was accepted before.
    pub(crate) fn of_tool(&self, peer: &Peer, tool: &str) -> Option<&Change> {
        let Peer::Server(server) = peer else {
            return None;
        };
        let mut changes = self.of(server).iter();
        let change = changes.find(|change| change.tool == tool)?;
        change.before.as_ref().map(|_| change)
    }

    pub(super) fn accept(&mut self, server: &str, tool: Option<&str>) -> Vec<Change> {
        let Some(changes) = self.0.get_mut(server) else {
            return Vec::new();
        };
        let is_meant = |change: &mut Change| tool.is_none_or(|tool| change.tool == tool);
        let accepted: Vec<_> = changes.open.extract_if(.., is_meant).collect();
        changes.accepted.extend(accepted.clone());
        accepted
    }
}
