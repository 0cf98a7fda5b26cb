//! Tests of forms: display, input and the value to send.

mod corpus;
mod editing;
mod hosts;
mod person;
mod properties;
mod speed;
mod updates;

use frontdesk_form::{Entry, Form, Path};

/// The path in its written form.
fn at(path: &str) -> Path {
    Path::from(path)
}

/// The errors as shown to the user.
fn complaints(form: &Form) -> Vec<String> {
    let errors = form.errors().into_iter();
    errors
        .map(|error| format!("{}: {}", error.path, error.message))
        .collect()
}

/// The fields that are edited as JSON.
fn given_as_json(form: &Form) -> Vec<String> {
    let rows = form.rows().into_iter();
    rows.filter(|row| matches!(row.field.leaf().entry(), Entry::Json(_)))
        .map(|row| row.path.to_string())
        .collect()
}
