//! The records that were open, the last one first.

use frontdesk_protocol::id::UserId;

use super::kind::Kind;
use super::record::Record;
use crate::app::shared::Shared;
use crate::look::text::clean;

/// Maximum number of records that are remembered.
const MOST: usize = 20;

/// A record with its kind.
pub(crate) type Opened = (&'static Kind, Record);

/// The records that an account has opened since the start.
#[derive(Debug, Clone, Default)]
struct Recent {
    account: Option<UserId>,
    records: Vec<Opened>,
}

/// Remembers an opened record.
pub(crate) fn note(shared: &mut Shared, kind: &'static Kind, record: &Record) {
    let account = shared.account().map(|account| account.id);
    let recent = shared.services.get_or_insert_default::<Recent>();
    if recent.account != account {
        *recent = Recent::default();
        recent.account = account;
    }
    forget(shared, record.id());
    let recent = shared.services.get_or_insert_default::<Recent>();
    recent.records.insert(0, (kind, record.clone()));
    recent.records.truncate(MOST);
}

/// Forgets a record, which no longer exists.
pub(crate) fn forget(shared: &mut Shared, id: &str) {
    if let Some(recent) = shared.services.get_mut::<Recent>() {
        recent.records.retain(|(_, record)| record.id() != id);
    }
}

/// The records that the signed-in account has opened.
pub(crate) fn list(shared: &Shared) -> &[Opened] {
    let account = shared.account().map(|account| account.id);
    let recent = shared.services.get::<Recent>();
    let recent = recent.filter(|recent| recent.account == account);
    recent.map_or(&[], |recent| &recent.records)
}

/// The name of a record, and that of the record to which it belongs, as far as known.
pub(crate) fn label(kind: &Kind, record: &Record, shared: &Shared) -> String {
    let name = record.label(kind);
    let parent = kind.parent.as_ref().and_then(|parent| record.text(parent));
    match parent.and_then(|parent| shared.names.get(parent)) {
        Some(parent) => format!("{name} · {}", clean(parent)),
        None => name,
    }
}
