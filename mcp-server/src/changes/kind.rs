//! The kind of record that a table holds, from the declarations of the hosts.

use std::collections::HashMap;
use std::sync::LazyLock;

use frontdesk_protocol::Host;
use frontdesk_protocol::resource::Kind;

/// A kind of record, as far as its rows are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Named {
    /// `guest`.
    pub(crate) kind: &'static str,
    /// `guests`.
    plural: &'static str,
    /// The field with the record's name for people.
    pub(crate) name: Option<&'static str>,
}

impl From<&Kind> for Named {
    fn from(kind: &Kind) -> Named {
        Named {
            kind: kind.singular,
            plural: kind.plural,
            name: kind.fields.name,
        }
    }
}

/// The kind of record in the rows of a table, given with its schema. A table has the name of its records in the plural,
/// and its schema that of their host; otherwise the plural is unique, as it is or after the schema (`staff.users`).
pub(crate) fn named(table: &str) -> Option<Named> {
    static KINDS: LazyLock<HashMap<String, Named>> = LazyLock::new(kinds);
    let name = table.split_once('.').map(|(_, name)| name)?;
    [table, name, &table.replace('.', "_")]
        .into_iter()
        .find_map(|table| KINDS.get(table).copied())
}

/// Rows of a table in words: "2 guests". Those that are no records have the name of their table: "1 session guest".
pub(crate) fn counted(table: &str, count: u64) -> String {
    let rows = table.rsplit('.').next().unwrap_or(table);
    let (one, many) = match named(table) {
        Some(named) => (named.kind, named.plural),
        None => (rows.strip_suffix('s').unwrap_or(rows), rows),
    };
    let noun = if count == 1 { one } else { many };
    format!("{count} {}", noun.replace('_', " "))
}

/// The kinds by host and plural, and by plural.
fn kinds() -> HashMap<String, Named> {
    let mut kinds = HashMap::new();
    for host in Host::ALL {
        for kind in host.kinds() {
            let named = Named::from(kind);
            kinds
                .entry(format!("{}.{}", host.area(), kind.plural))
                .or_insert(named);
            kinds.entry(kind.plural.to_owned()).or_insert(named);
        }
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_holds_the_records_of_its_name() {
        let kind = |table| named(table).map(|named| named.kind);
        assert_eq!(kind("events.guests"), Some("guest"));
        assert_eq!(kind("strategy.business_units"), Some("business_unit"));
        assert_eq!(kind("staff.users"), Some("staff_user"));
        assert_eq!(kind("events.tasks"), Some("task"));
        assert_eq!(kind("work.actors"), None);
        assert_eq!(counted("strategy.business_units", 1), "1 business unit");
        assert_eq!(counted("work.series", 2), "2 series");
        assert_eq!(counted("events.session_guests", 33), "33 session guests");
        assert_eq!(counted("events.photo_members", 1), "1 photo member");
        assert_eq!(
            named("work.epics").and_then(|named| named.name),
            Some("name")
        );
    }
}
