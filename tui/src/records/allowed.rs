//! The states of a record in which a tool can act on it, and the callers who can use it on that record,
//! where a host would refuse the others.

use frontdesk_client::Account;
use frontdesk_protocol::Host;

use super::kind::{Kind, Tool};
use super::record::Record;
use crate::app::peer::Peer;
use crate::app::shared::Shared;
use crate::fields::cell::words;

/// The rules of some tools, a refinement of the screens.
#[derive(Debug)]
pub(crate) struct Allowed(pub(crate) &'static [Rule]);

/// A rule of a tool.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) host: Host,
    pub(crate) tool: &'static str,
    /// The field with the state of the record.
    pub(crate) field: &'static str,
    pub(crate) states: &'static [&'static str],
}

/// The rights of callers that differ from record to record, a refinement of the screens.
#[derive(Debug)]
pub(crate) struct Rights(pub(crate) &'static [Right]);

/// A right to use some tools.
#[derive(Debug)]
pub(crate) struct Right {
    pub(crate) host: Host,
    pub(crate) tools: &'static [&'static str],
    /// Why the caller cannot use them on the record.
    pub(crate) refusal: fn(&Record, &Account) -> Option<&'static str>,
}

/// Why the caller has no right to use the tool on the record. The host decides in any case.
fn forbidden(tool: &Tool, record: &Record, shared: &Shared) -> Option<String> {
    let refinements = shared.parts.refinements.iter();
    let mut rights = refinements
        .filter_map(|one| one.downcast_ref::<Rights>())
        .flat_map(|rights| rights.0);
    let right = rights.find(|right| {
        Peer::Host(right.host) == tool.peer && right.tools.contains(&tool.name.as_str())
    })?;
    (right.refusal)(record, shared.account()?).map(str::to_owned)
}

/// Why the caller or the state of the record does not allow the tool.
pub(crate) fn refusal(
    tool: &Tool,
    kind: &Kind,
    record: &Record,
    shared: &Shared,
) -> Option<String> {
    if let Some(why) = forbidden(tool, record, shared) {
        return Some(why);
    }
    let refinements = shared.parts.refinements.iter();
    let mut rules = refinements
        .filter_map(|one| one.downcast_ref::<Allowed>())
        .flat_map(|allowed| allowed.0);
    let rule =
        rules.find(|rule| Peer::Host(rule.host) == tool.peer && rule.tool == tool.name.as_str())?;
    let now = record.text(rule.field)?;
    if rule.states.contains(&now) {
        return None;
    }
    let states: Vec<String> = rule.states.iter().map(|state| words(state)).collect();
    Some(format!(
        "the {} is {}, not {}",
        kind.one,
        words(now),
        states.join(" or ")
    ))
}
