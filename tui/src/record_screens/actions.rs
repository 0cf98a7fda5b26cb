//! The menu of actions, for the selected record or for all marked ones.

use super::acting::{no_states, open_states, refusal, why_not};
use super::adding::{adding_items, preferred};
use super::marked::{Marked, marked};
use super::menu::{Item, Menu};
use super::open::act_on;
use super::own;
use super::{ShowsRecords, edit_record};
use crate::app::cx::Cx;
use crate::app::shared::Shared;
use crate::records::kind::Taker;

/// Opens the menu of actions for the selected record. What also has a key on the screen has the same
/// one here; the others are numbered.
pub(super) fn open_actions(screen: &mut dyn ShowsRecords, cx: &mut Cx) {
    if let Some(marked) = marked(screen) {
        return open_common_actions(screen, cx, &marked);
    }
    let Some((kind, record)) = screen.current() else {
        return;
    };
    let title = record.label(kind);
    let key = |id: &str| cx.shared.settings.keymap.key(id).chars().next();
    let mut numbers = '1'..='9';
    let is = |one: &Option<Taker>, taker: &Taker| {
        one.as_ref().is_some_and(|one| std::ptr::eq(one, taker))
    };
    let additions = screen.additions();
    // An addition to this record is listed as such.
    let is_addition = |taker: &&Taker| {
        additions.iter().any(|one| {
            let create = one.kind.create.as_ref();
            let is_here = one.to.as_ref().is_some_and(|(id, _)| id == record.id());
            is_here && create.is_some_and(|tool| tool.name == taker.tool.name)
        })
    };
    let takers = kind.takers().filter(|taker| !is_addition(taker));
    let takers = takers.map(|taker| {
        let record = record.clone();
        let is_update = is(&kind.update, taker);
        let letter = match is_update {
            true => key("record.edit"),
            false if is(&kind.delete, taker) => key("record.delete"),
            false => numbers.next(),
        };
        let obstacle = refusal(kind, &record, Some(&taker.tool), "", cx.shared);
        let run = move |_: &mut dyn ShowsRecords, cx: &mut Cx| match is_update {
            true => edit_record(cx, kind, &record),
            false => act_on(cx, kind, &record, taker),
        };
        Item {
            letter,
            obstacle,
            ..Item::new(taker.tool.title.clone(), run)
        }
    });
    let mut items: Vec<Item> = takers.collect();
    if no_states(screen, cx.shared).is_none() {
        items.push(Item {
            letter: key("record.state"),
            ..Item::new("Set state".to_owned(), open_states)
        });
    }
    let adds = preferred(additions.clone(), cx.shared);
    let adding = additions.iter().zip(adding_items(&additions, cx.shared));
    items.extend(adding.map(|(addition, item)| Item {
        letter: match &adds {
            Some(adds) if adds.is_like(addition) => key("record.add"),
            _ => numbers.next(),
        },
        ..item
    }));
    items.extend(own::items(kind, record, cx.shared));
    cx.raise(Menu::new(title, items));
}

/// Opens the menu of actions for all marked records.
fn open_common_actions(screen: &dyn ShowsRecords, cx: &mut Cx, marked: &Marked) {
    let kind = marked.kind;
    let key = |id: &str| cx.shared.settings.keymap.key(id).chars().next();
    let mut numbers = '1'..='9';
    let is = |one: &Option<Taker>, taker: &Taker| {
        one.as_ref().is_some_and(|one| std::ptr::eq(one, taker))
    };
    let takers = kind.takers().filter(|taker| !taker.tool.is_read_only);
    let takers = takers.map(|taker| Item {
        letter: match taker {
            update if is(&kind.update, update) => key("record.edit"),
            delete if is(&kind.delete, delete) => key("record.delete"),
            _ => numbers.next(),
        },
        obstacle: why_not(kind, Some(&taker.tool), "", cx.shared),
        ..Item::new(taker.tool.title.clone(), {
            let marked = marked.clone();
            move |_, cx| marked.act(cx, taker)
        })
    });
    let mut items: Vec<Item> = takers.collect();
    if no_states(screen, cx.shared).is_none() {
        items.push(Item {
            letter: key("record.state"),
            ..Item::new("Set state".to_owned(), open_states)
        });
    }
    cx.raise(Menu::new(marked.words(), items));
}

/// Why the selected record has no actions.
pub(super) fn no_actions(screen: &dyn ShowsRecords, shared: &Shared) -> Option<String> {
    match screen.current() {
        None => Some("nothing selected".to_owned()),
        Some((kind, record)) => {
            let is_none =
                kind.takers().next().is_none() && own::items(kind, record, shared).is_empty();
            is_none.then(|| format!("{} have no actions", kind.many))
        }
    }
}
