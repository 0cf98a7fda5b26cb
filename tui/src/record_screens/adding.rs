//! Adding what belongs at the cursor.

use super::ShowsRecords;
use super::acting::{refusal, why_not};
use super::menu::{Item, Menu};
use super::open::{act_on, form};
use crate::app::cx::Cx;
use crate::app::shared::Shared;
use crate::call_form::Prepared;
use crate::look::text::sentence;
use crate::records::addition::Addition;
use crate::records::kind::{Kind, Taker};
use crate::records::record::Record;

/// Opens the form that adds what belongs here. On the facts of a record, several kinds can belong.
pub(super) fn add(screen: &mut dyn ShowsRecords, cx: &mut Cx) {
    let additions = screen.additions();
    if asks_what(screen, &additions) {
        let items = adding_items(&additions, cx.shared);
        return cx.raise(Menu::new("Add".to_owned(), items));
    }
    if let Some(addition) = preferred(additions, cx.shared) {
        add_this(screen, cx, &addition);
    } else if let Some((kind, record, taker)) = of_owner(screen) {
        let record = record.clone();
        act_on(cx, kind, &record, taker);
    }
}

/// The tool of the record on screen that adds to the visible list, whose kind has none: an invoice
/// records its payments.
fn of_owner(screen: &dyn ShowsRecords) -> Option<(&'static Kind, &Record, &'static Taker)> {
    let list = screen.list().filter(|list| list.kind.create.is_none())?;
    let (kind, record) = screen.about()?;
    let adds = |taker: &&Taker| {
        let name = taker.tool.name.split_once('_');
        name.is_some_and(|(verb, what)| {
            matches!(verb, "record" | "add" | "create") && what == list.kind.id
        })
    };
    Some((kind, record, kind.actions.iter().find(adds)?))
}

fn add_this(screen: &mut dyn ShowsRecords, cx: &mut Cx, addition: &Addition) {
    let kind = addition.kind;
    let Some(tool) = &kind.create else {
        return;
    };
    if let Some(tree) = screen.tree_mut() {
        tree.adding(addition);
    }
    // The owner is fixed; position and state are defaults.
    let is_id = |name: &String| tool.ids.iter().any(|id| id.name == *name);
    let known = addition.given.clone().into_iter();
    let (given, proposed) = known.partition(|(name, _)| is_id(name));
    if let Some(form) = form(cx, tool, Prepared::adding(&kind.one, given)) {
        cx.open(form.filled(&proposed));
    }
}

/// The first that the caller can add, otherwise the first.
pub(super) fn preferred(mut additions: Vec<Addition>, shared: &Shared) -> Option<Addition> {
    let possible = additions
        .iter()
        .position(|one| cannot_add(one, shared).is_none());
    match additions.is_empty() {
        true => None,
        false => Some(additions.swap_remove(possible.unwrap_or(0))),
    }
}

fn cannot_add(addition: &Addition, shared: &Shared) -> Option<String> {
    let kind = addition.kind;
    why_not(kind, kind.create.as_ref(), "added", shared)
}

/// Whether the place does not decide what is added.
fn asks_what(screen: &dyn ShowsRecords, additions: &[Addition]) -> bool {
    screen.tree().is_none() && screen.list().is_none() && additions.len() > 1
}

/// An item for each addition.
pub(super) fn adding_items(additions: &[Addition], shared: &Shared) -> Vec<Item> {
    let items = additions.iter().map(|addition| Item {
        obstacle: cannot_add(addition, shared),
        ..Item::new(sentence(&addition.words()), {
            let addition = addition.clone();
            move |screen, cx| add_this(screen, cx, &addition)
        })
    });
    items.collect()
}

/// What would be added, for the footer: "add milestone to Kick-off".
pub(super) fn adds(screen: &dyn ShowsRecords, shared: &Shared) -> Option<String> {
    let additions = screen.additions();
    match asks_what(screen, &additions) {
        true => Some("add".to_owned()),
        false => {
            let words = preferred(additions, shared).map(|one| one.words());
            words.or_else(|| {
                of_owner(screen)?;
                Some(format!("add {}", screen.list()?.kind.one))
            })
        }
    }
}

/// Why no record can be added.
pub(crate) fn no_add(screen: &dyn ShowsRecords, shared: &Shared) -> Option<String> {
    if let Some((kind, record, taker)) = of_owner(screen) {
        return refusal(kind, record, Some(&taker.tool), "added", shared);
    }
    match (preferred(screen.additions(), shared), screen.list()) {
        (Some(addition), _) => cannot_add(&addition, shared),
        (None, Some(list)) => Some(format!("{} cannot be added", list.kind.many)),
        (None, None) => Some("nothing can be added here".to_owned()),
    }
}
