//! Filters as they are saved, and back.

use serde_json::{Map, Value, json};

use super::{Filters, Reached};
use crate::app::remote::Remote;
use crate::records::view::View;

/// The keys of the parts.
const ARGUMENTS: &str = "arguments";
const INDIRECT: &str = "within";
const OWN: &str = "only";

impl Filters {
    /// The filters as JSON.
    pub(crate) fn written(&self) -> Map<String, Value> {
        let mut all = Map::new();
        if !self.arguments.is_empty() {
            all.insert(ARGUMENTS.to_owned(), self.arguments.clone().into());
        }
        if let Some(reached) = &self.indirect {
            let record = json!({ "kind": reached.indirect.kind, "id": reached.id });
            all.insert(INDIRECT.to_owned(), record);
        }
        if let Some((name, _)) = self.own {
            all.insert(OWN.to_owned(), (*name).into());
        }
        all
    }

    /// The filters that were written; `None` if the view no longer has one of them.
    pub(crate) fn read(all: &Map<String, Value>, view: &'static View) -> Option<Filters> {
        let arguments = all.get(ARGUMENTS).and_then(Value::as_object);
        let indirect = match all.get(INDIRECT) {
            Some(record) => {
                let kind = record["kind"].as_str()?;
                let mut ways = view.indirect_filters.iter();
                Some(Reached {
                    indirect: ways.find(|one| one.kind == kind)?,
                    id: record["id"].as_str()?.to_owned(),
                    held: Remote::Idle,
                })
            }
            None => None,
        };
        let own = match all.get(OWN) {
            Some(name) => {
                let mut all = view.filters.iter();
                Some(all.find(|(own, _)| name.as_str() == Some(*own))?)
            }
            None => None,
        };
        Some(Filters {
            arguments: arguments.cloned().unwrap_or_default(),
            indirect,
            own,
            ..Filters::default()
        })
    }
}
