//! Schemas of real servers: `fixtures/schemas/`.

use std::collections::BTreeMap;
use std::path::{Path as File, PathBuf};

use frontdesk_form::{Form, Path};
use serde_json::Value;

use crate::{at, complaints, given_as_json, person};

struct Example {
    name: String,
    schema: Value,
    fields: BTreeMap<String, String>,
    valid: Vec<Value>,
    invalid: Vec<Value>,
}

fn examples() -> Vec<Example> {
    let folder = File::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/schemas");
    let files = std::fs::read_dir(folder).expect("the schemas");
    let files = files.map(|file| file.expect("a file").path());
    let is_json = |file: &PathBuf| {
        file.extension()
            .is_some_and(|extension| extension == "json")
    };
    let mut files: Vec<PathBuf> = files.filter(is_json).collect();
    files.sort();
    let examples = files.iter().map(|file| {
        let text = std::fs::read_to_string(file).expect("a text");
        let mut read: Value = serde_json::from_str(&text).expect("JSON");
        let list = |value: Value| value.as_array().expect("a list").clone();
        Example {
            name: file
                .file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned(),
            fields: serde_json::from_value(read["fields"].take()).expect("texts"),
            valid: list(read["valid"].take()),
            invalid: list(read["invalid"].take()),
            schema: read["schema"].take(),
        }
    });
    examples.collect()
}

#[test]
fn there_are_schemas() {
    assert!(examples().len() >= 40);
}

#[test]
fn every_field_is_what_it_should_be() {
    for example in examples() {
        let form = Form::new(&example.schema);
        assert!(form.is_checked(), "{} cannot be checked", example.name);
        let shown: BTreeMap<String, String> = example
            .fields
            .keys()
            .map(|path| {
                let field = form.field(&at(path));
                let kind = field.map_or("missing", |field| field.kind().noun());
                (path.clone(), kind.to_owned())
            })
            .collect();
        assert_eq!(shown, example.fields, "{}", example.name);
    }
}

#[test]
fn what_is_filled_in_is_what_is_sent() {
    for example in examples() {
        for valid in &example.valid {
            let mut form = Form::new(&example.schema);
            form.fill(valid);
            assert_eq!(form.value(), *valid, "{}", example.name);
            assert_eq!(complaints(&form), [""; 0], "{}: {valid}", example.name);
            assert_eq!(given_as_json(&form), [""; 0], "{}: {valid}", example.name);
        }
    }
}

#[test]
fn everything_valid_can_be_entered_by_hand() {
    for example in examples() {
        for valid in &example.valid {
            let mut form = Form::new(&example.schema);
            let entered = person::enters(&mut form, &Path::root(), valid);
            assert!(entered, "{}: {valid} is out of reach", example.name);
            assert_eq!(form.value(), *valid, "{}", example.name);
            assert_eq!(complaints(&form), [""; 0], "{}: {valid}", example.name);
        }
    }
}

#[test]
fn what_is_wrong_is_said_on_the_field_in_words() {
    for example in examples() {
        for invalid in &example.invalid {
            let mut form = Form::new(&example.schema);
            form.fill(&invalid["arguments"]);
            let text = |key: &str| invalid[key].as_str().expect("a text");
            let expected = format!("{}: {}", text("field"), text("message"));
            assert_eq!(complaints(&form), [expected], "{}: {invalid}", example.name);
        }
    }
}
