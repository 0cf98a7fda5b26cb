//! A list narrowed by the arguments of its tool that have few values.

use serde_json::{Map, Value};

use super::cell::{self, value_words};
use super::kind::{ListTool, title};
use super::record::Record;
use crate::app::shared::Shared;

/// Values of one field that are offered, at most.
const MOST: usize = 8;

/// The arguments by which a list is narrowed.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Filters(Map<String, Value>);

/// Something by which a list can be narrowed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Choice {
    /// What it is called: "Status: done".
    pub(crate) words: String,
    argument: String,
    value: Value,
    /// The list is narrowed so.
    pub(crate) is_chosen: bool,
}

impl Filters {
    /// All choices: the values that the tool's arguments can have, and those that fields of the loaded
    /// records have which the tool can compare.
    pub(crate) fn choices(
        &self,
        list: &ListTool,
        records: &[Record],
        shared: &Shared,
    ) -> Vec<Choice> {
        let few = list.filters.iter();
        let few = few.flat_map(|filter| filter.values.iter().map(|value| (&filter.name, value)));
        let same = list.same.iter().flat_map(|name| {
            let mut seen: Vec<&Value> = self.0.get(name).into_iter().collect();
            for value in records.iter().map(|record| record.get(name)) {
                let is_text = value.as_str().is_some_and(|text| !text.is_empty());
                if is_text && seen.len() < MOST && !seen.contains(&value) {
                    seen.push(value);
                }
            }
            seen.into_iter().map(move |value| (name, value))
        });
        let choices = few.chain(same).map(|(name, value)| Choice {
            words: words(name, value, shared),
            argument: name.clone(),
            value: value.clone(),
            is_chosen: self.0.get(name) == Some(value),
        });
        choices.collect()
    }

    /// Narrows the list so, or not any more.
    pub(crate) fn turn(&mut self, choice: &Choice) {
        match choice.is_chosen {
            true => self.0.shift_remove(&choice.argument),
            false => self.0.insert(choice.argument.clone(), choice.value.clone()),
        };
    }

    /// Shows everything again. Says whether anything was left out.
    pub(crate) fn clear(&mut self) -> bool {
        !std::mem::take(&mut self.0).is_empty()
    }

    /// The arguments.
    pub(crate) fn arguments(&self) -> &Map<String, Value> {
        &self.0
    }

    /// How the list is narrowed, in words.
    pub(crate) fn chips(&self, shared: &Shared) -> Vec<String> {
        let chosen = self.0.iter();
        chosen
            .map(|(name, value)| words(name, value, shared))
            .collect()
    }

    /// Whether everything is shown.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn words(argument: &str, value: &Value, shared: &Shared) -> String {
    let name = argument.strip_suffix("_id").unwrap_or(argument);
    let is_id = name != argument;
    let value = match value {
        Value::String(id) if is_id => cell::name(id, shared).text,
        value => value_words(value),
    };
    format!("{}: {value}", title(name))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::records::kind;
    use crate::testing::shared;

    #[test]
    fn a_list_is_narrowed_by_the_words_of_its_schema_and_the_values_of_its_records() {
        let task = kind::all()
            .iter()
            .find(|kind| kind.id == "task")
            .expect("a kind");
        let mut shared = shared();
        shared.names.note("m1", "Ana Souza");
        let records = [
            json!({ "id": "a", "assignee_id": "m1" }),
            json!({ "id": "b" }),
        ];
        let records: Vec<Record> = records.iter().filter_map(Record::new).collect();
        let mut filters = Filters::default();
        let choices = filters.choices(task.list(), &records, &shared);
        let words: Vec<&str> = choices.iter().map(|choice| choice.words.as_str()).collect();
        assert_eq!(
            words,
            [
                "Status: to do",
                "Status: in progress",
                "Status: done",
                "Assignee: Ana Souza"
            ]
        );
        filters.turn(&choices[2]);
        assert_eq!(filters.chips(&shared), ["Status: done"]);
        assert_eq!(filters.arguments()["status"], "done");
        // The same again takes it back.
        let choices = filters.choices(task.list(), &records, &shared);
        filters.turn(&choices[2]);
        assert!(filters.is_empty());
    }
}
