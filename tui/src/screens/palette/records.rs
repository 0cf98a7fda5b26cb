//! The records that the palette finds: the hosts search some lists for the typed text, one after the other.

use std::collections::VecDeque;

use frontdesk_protocol::{Host, Role};
use jiff::SignedDuration;
use serde_json::{Map, Value};

use crate::app::cx::Cx;
use crate::app::effects::call::Answer;
use crate::app::owner::RequestId;
use crate::app::shared::Shared;
use crate::look::text::clean;
use crate::records::kind::{self, Kind};
use crate::records::names::learn_names;
use crate::records::recent;
use crate::records::record::Record;
use crate::screens::areas::is_for;

/// The pause in typing after which the hosts are asked.
const PAUSE: SignedDuration = SignedDuration::from_millis(400);
/// Minimum number of letters to search for.
const LEAST: usize = 3;
/// Maximum number of records of a list, and of all.
const MOST: u64 = 5;
const ENOUGH: usize = 10;
/// Maximum number of events whose guests are searched.
const EVENTS: usize = 2;
/// The lists that are searched, unless the text begins with the name of another one.
const SEARCHED: [(Host, &str); 6] = [
    (Host::Learn, "member"),
    (Host::Work, "work_task"),
    (Host::Staff, "invoice"),
    (Host::Events, "event"),
    (Host::Work, "project"),
    (Host::Learn, "program"),
];

/// The kind of guests, which belong to an event.
const GUEST: &str = "guest";

/// Fields with an address that tells people of one name apart.
const EMAILS: [&str; 3] = ["email", "personal_email", "corporate_email"];

/// A list to search, with this text and these arguments.
#[derive(Debug)]
struct Wanted(&'static Kind, Map<String, Value>);

/// The search for records.
#[derive(Debug, Default)]
pub(super) struct Records {
    /// The events whose guests are searched first, with their names: those of today, or the next ones.
    events: Vec<(String, String)>,
    pause: Option<RequestId>,
    asked: Option<(RequestId, &'static Kind)>,
    /// The lists to search next.
    next: VecDeque<Wanted>,
    found: Vec<(&'static Kind, Record)>,
}

impl Records {
    /// Nothing found yet; guests of these events are searched, too.
    pub(super) fn among(events: impl Iterator<Item = (String, String)>) -> Self {
        Records {
            events: events.take(EVENTS).collect(),
            ..Records::default()
        }
    }

    /// The text has changed.
    pub(super) fn typed(&mut self, cx: &mut Cx, text: &str) {
        self.found.clear();
        self.next.clear();
        cx.abort(self.asked.take().map(|(request, _)| request));
        cx.cancel(&mut self.pause);
        if text.trim().chars().count() >= LEAST {
            self.pause = Some(cx.after(PAUSE));
        }
    }

    /// Asks the hosts after the pause.
    pub(super) fn fired(
        &mut self,
        cx: &mut Cx,
        request: RequestId,
        text: &str,
        role: Option<Role>,
    ) {
        if self.pause.take_if(|pause| *pause == request).is_none() {
            return;
        }
        for (event, name) in &self.events {
            cx.shared.names.note(event, name);
        }
        let all = SEARCHED.iter();
        let all = all.filter_map(|(host, id)| Some((kind::find(*host, id)?, None)));
        let guests = kind::find(Host::Events, GUEST);
        let guests = guests.into_iter().flat_map(|guests| {
            let owner = guests.list().owner().map(|owner| &owner.name);
            let events = owner.into_iter().flat_map(|owner| {
                let events = self.events.iter();
                events.map(move |(event, _)| (owner.clone(), Value::from(event.as_str())))
            });
            events.map(move |event| (guests, Some(event)))
        });
        let (searched, text): (Vec<_>, _) = match named(text) {
            Some((kind, text)) => (vec![(kind, None)], text),
            None => (guests.chain(all).collect(), text.trim()),
        };
        for (kind, owner) in searched {
            let list = kind.list();
            let (Some(search), true) = (&list.search, is_for(kind, role)) else {
                continue;
            };
            let mut arguments = Map::from_iter([(search.clone(), Value::from(text))]);
            arguments.extend(owner);
            if list.most.is_some() {
                arguments.insert("limit".to_owned(), MOST.into());
            }
            self.next.push_back(Wanted(kind, arguments));
        }
        self.ask_next(cx);
    }

    /// Searches the next list, until enough was found.
    fn ask_next(&mut self, cx: &mut Cx) {
        if self.found.len() >= ENOUGH {
            self.next.clear();
        }
        self.asked = self.next.pop_front().map(|Wanted(kind, arguments)| {
            let call = kind.list().tool.reading(arguments);
            (cx.send(call), kind)
        });
    }

    /// Handles an answer. Returns whether it was for the search.
    pub(super) fn answered(&mut self, cx: &mut Cx, request: RequestId, answer: &Answer) -> bool {
        let Some((_, kind)) = self.asked.take_if(|(asked, _)| *asked == request) else {
            return false;
        };
        // A list that cannot be searched now has no records; the others have theirs.
        if let Ok(reply) = &answer.result {
            let rows = reply.value[&kind.list().key].as_array();
            let records = rows.into_iter().flatten();
            for record in records.filter_map(|row| Record::of(kind, row)) {
                learn_names(cx.shared, kind, &record);
                self.found.push((kind, record));
            }
        }
        self.ask_next(cx);
        true
    }

    /// The records found.
    pub(super) fn found(&self) -> &[(&'static Kind, Record)] {
        &self.found
    }

    /// A record in words: its identifier or number, if it has one, and its name; beside another one of this name also
    /// its e-mail address.
    pub(super) fn label(&self, kind: &Kind, record: &Record, shared: &Shared) -> String {
        let name = recent::label(kind, record, shared);
        let number = || Some(record.get("number").as_u64()?.to_string());
        let identifier = record
            .text("identifier")
            .map(|text| clean(text).into_owned());
        let same = self
            .found
            .iter()
            .filter(|(of, other)| of.id == kind.id && recent::label(of, other, shared) == name);
        let email = EMAILS.iter().find_map(|field| record.text(field));
        match (identifier.or_else(number), email) {
            (Some(identifier), _) if !name.contains(&identifier) => format!("{identifier} {name}"),
            (_, Some(email)) if same.count() > 1 => format!("{name} · {}", clean(email)),
            _ => name,
        }
    }

    /// Whether there will be more.
    pub(super) fn is_coming(&self) -> bool {
        self.pause.is_some() || self.asked.is_some()
    }
}

/// The kind whose list the text names at its beginning, and the rest: “invoice 9”.
pub(super) fn named(text: &str) -> Option<(&'static Kind, &str)> {
    let text = text.trim();
    let kinds = kind::all()
        .iter()
        .filter(|kind| kind.list().owner().is_none());
    let named = kinds.filter_map(|kind| {
        let mut names = [&kind.many, &kind.one].into_iter();
        let rest = names.find_map(|name| {
            let head = text.get(..name.len())?;
            let rest = text.get(name.len()..)?.strip_prefix(' ')?;
            head.eq_ignore_ascii_case(name).then_some(rest.trim())
        })?;
        // “tasks (work” names the list and its host.
        let is_text = !rest.is_empty() && !rest.starts_with('(');
        is_text.then_some((kind, rest))
    });
    // “task” and “task type”: the longer name leaves less.
    named.min_by_key(|(_, rest)| rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_searched_list_is_searched_by_its_host() {
        for (host, id) in SEARCHED {
            let kind = kind::find(host, id).expect("a kind");
            assert_eq!(kind.peer, host.into());
            assert!(kind.list().search.is_some(), "{id}");
        }
    }

    #[test]
    fn a_text_that_begins_with_a_kind_searches_its_list() {
        let found = |text| named(text).map(|(kind, rest)| (kind.many.clone(), rest));
        assert_eq!(found("invoice 9"), Some(("invoices".to_owned(), "9")));
        assert_eq!(
            found("Invoices  Lima "),
            Some(("invoices".to_owned(), "Lima"))
        );
        assert_eq!(found("invoices"), None);
        assert_eq!(found("invoices (staff"), None);
        assert_eq!(found("maria"), None);
    }
}
