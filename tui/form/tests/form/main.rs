//! The forms: what they show, what they take, what they send.

mod corpus;
mod editing;
mod hosts;
mod person;
mod properties;
mod speed;
mod updates;

use frontdesk_form::{Entry, Form, Path};

/// The path, as it is written.
fn at(path: &str) -> Path {
    Path::from(path)
}

/// What is wrong, as a person reads it.
fn complaints(form: &Form) -> Vec<String> {
    let errors = form.errors().into_iter();
    errors
        .map(|error| format!("{}: {}", error.path, error.message))
        .collect()
}

/// The fields that are given as JSON.
fn given_as_json(form: &Form) -> Vec<String> {
    let rows = form.rows().into_iter();
    rows.filter(|row| matches!(row.field.leaf().entry(), Entry::Json(_)))
        .map(|row| row.path.to_string())
        .collect()
}
