//! How a call ended, and how it should have.

use frontdesk_tests::blocking::Answer;
use reqwest::StatusCode;
use serde_json::Value;

/// The end of a call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Verdict {
    /// The tool did it.
    Done,
    /// HTTP 403.
    Forbidden,
    /// The tool error `not_found`, with the field that it names.
    NotFound(String),
}

impl Verdict {
    /// How this call ended.
    ///
    /// # Panics
    /// If it ended in a way that access has nothing to do with.
    pub(crate) fn of(answer: &Answer) -> Verdict {
        if answer.status == StatusCode::FORBIDDEN {
            assert_eq!(answer.refusal(), "forbidden", "{}", answer.body);
            return Verdict::Forbidden;
        }
        if answer.result()["isError"] == false {
            return Verdict::Done;
        }
        let error = answer.tool_error();
        assert_eq!(error["code"], "not_found", "{error}");
        let field = error["field"].as_str();
        Verdict::NotFound(
            field
                .unwrap_or_else(|| panic!("no field: {error}"))
                .to_owned(),
        )
    }
}

/// The ids of the records in a list's page.
pub(crate) fn ids(output: &Value, plural: &str) -> Vec<String> {
    let records = output[plural].as_array();
    let records = records.unwrap_or_else(|| panic!("no {plural}: {output}"));
    let mut ids: Vec<String> = records
        .iter()
        .map(|record| record["id"].as_str().expect("an id").to_owned())
        .collect();
    ids.sort();
    ids
}
