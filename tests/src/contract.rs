//! What a tool declares of its answers.

use std::collections::BTreeSet;

use frontdesk_protocol::Declaration;
use serde_json::Value;

use crate::http::Answer;

/// The paths of all keys. What lists hold is one path, what is in tags is none.
fn paths(value: &Value, path: &str, paths_: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) if !path.ends_with(".tags") => {
            for (key, value) in map {
                let path = format!("{path}.{key}");
                paths(value, &path, paths_);
                paths_.insert(path);
            }
        }
        Value::Array(values) => values
            .iter()
            .for_each(|value| paths(value, &format!("{path}[]"), paths_)),
        _ => {}
    }
}

/// Asserts that the answer reads as the declared type, fits the declared schema, and holds nothing that was not
/// declared.
///
/// # Panics
/// If it does not.
#[track_caller]
pub fn fits(tool: &Declaration, answer: &Answer) {
    let output = answer.output();
    assert_eq!(*output, answer.text(), "{tool:?}");
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .build(&tool.output_schema())
        .unwrap_or_else(|error| panic!("{tool:?}: {error}"));
    let errors: Vec<_> = validator
        .iter_errors(output)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{tool:?}: {errors:?}: {output}");

    let again = tool
        .reread(output.clone())
        .unwrap_or_else(|error| panic!("{tool:?}: {error}: {output}"));
    let (mut sent, mut read) = (BTreeSet::new(), BTreeSet::new());
    paths(output, "", &mut sent);
    paths(&again, "", &mut read);
    assert_eq!(sent, read, "{tool:?}");
}
