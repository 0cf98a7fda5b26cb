//! Fills in a form with the operations of the keyboard only, never through its JSON.

use frontdesk_form::{Entry, Field, Form, Kind, Path};
use serde_json::Value;

/// Fills in the field so that it is sent as `value`. Returns whether the widgets allow it.
pub(crate) fn enters(form: &mut Form, path: &Path, value: &Value) -> bool {
    let Some(field) = form.field(path) else {
        return false;
    };
    if value.is_null() && field.is_nullable() {
        return form.set_null(path).is_ok();
    }
    let alternatives = match field.kind() {
        Kind::Variant(alternatives) => alternatives.len(),
        _ => return enters_leaf(form, path, value),
    };
    (0..alternatives).any(|alternative| {
        form.clear(path).expect("it can be left out");
        form.choose_variant(path, alternative)
            .expect("an alternative");
        enters_leaf(form, path, value)
            && form.field(path).and_then(Field::value).as_ref() == Some(value)
    })
}

fn enters_leaf(form: &mut Form, path: &Path, value: &Value) -> bool {
    let leaf = form.field(path).expect("it is there").leaf();
    match (leaf.kind().clone(), value) {
        (Kind::Const(only), value) => only == *value && toggles_to(form, path, value, 2),
        (Kind::Text(_), Value::String(text)) => form.set_text(path, text).is_ok(),
        (Kind::Number(_), Value::Number(number)) => {
            form.set_text(path, &number.to_string()).is_ok()
        }
        (Kind::Boolean, Value::Bool(_)) => toggles_to(form, path, value, 4),
        (Kind::Choice(choices), value) => toggles_to(form, path, value, choices.len() + 2),
        (Kind::List(_), Value::Array(values)) => {
            empties(form, path);
            values.iter().all(|value| {
                let entry = form.add_item(path).expect("a list");
                enters(form, &entry, value)
            })
        }
        (Kind::Object(_) | Kind::Map(_), Value::Object(object)) => {
            empties(form, path);
            object.iter().all(|(key, value)| {
                let field = path.key(key);
                let is_there = form.field(&field).is_some() || form.add_key(path, key).is_ok();
                is_there && enters(form, &field, value)
            })
        }
        _ => false,
    }
}

/// Includes the field and removes its default entries.
fn empties(form: &mut Form, path: &Path) {
    let is_variant = matches!(form.field(path).map(Field::kind), Some(Kind::Variant(_)));
    let is_filled = form
        .field(path)
        .is_some_and(|field| !field.leaf().children().is_empty());
    let is_free = matches!(
        form.field(path).map(|field| field.leaf().kind()),
        Some(Kind::List(_) | Kind::Map(_))
    );
    if is_filled && is_free && !is_variant {
        form.clear(path).expect("it can be left out");
    }
    form.include(path).expect("it can be empty");
}

/// Toggles until the field shows the value.
fn toggles_to(form: &mut Form, path: &Path, value: &Value, most: usize) -> bool {
    let shows = |form: &Form| {
        form.field(path)
            .is_some_and(|field| *field.leaf().entry() == Entry::Chosen(value.clone()))
    };
    for _ in 0..most {
        if shows(form) {
            return true;
        }
        if form.toggle(path).is_err() {
            return false;
        }
    }
    shows(form)
}
