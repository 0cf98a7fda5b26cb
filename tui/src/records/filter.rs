//! A list narrowed by the arguments of its tool, and by what its view knows of its records.

use serde_json::{Map, Value};

use super::cell::{self, value_words};
use super::kind::{ListTool, title};
use super::record::Record;
use super::view::{Narrow, View};
use crate::app::shared::Shared;
use crate::ui::time;

/// Values of one field that are offered, at most.
const MOST: usize = 8;

/// How a list is narrowed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Filters {
    arguments: Map<String, Value>,
    own: Vec<&'static Narrow>,
}

/// Something by which a list can be narrowed.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    /// What it is called: "Status: done".
    pub(crate) words: String,
    by: By,
    /// The list is narrowed so.
    pub(crate) is_chosen: bool,
}

#[derive(Debug, Clone)]
enum By {
    /// The host, by an argument with this value.
    Argument(String, Value),
    /// The view, among the records that are loaded.
    Own(&'static Narrow),
}

impl Filters {
    /// All choices: the values that the tool's arguments can have, and those that fields of the loaded
    /// records have which the tool can compare; and those of the view. Arguments that the view tells otherwise
    /// are left out.
    pub(crate) fn choices(
        &self,
        list: &ListTool,
        view: &'static View,
        records: &[Record],
        shared: &Shared,
    ) -> Vec<Choice> {
        let few = list.filters.iter();
        let few = few.filter(|filter| !view.told.contains(&filter.name.as_str()));
        let few = few.flat_map(|filter| filter.values.iter().map(|value| (&filter.name, value)));
        let same = list.same.iter().flat_map(|name| {
            let mut seen: Vec<&Value> = self.arguments.get(name).into_iter().collect();
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
            by: By::Argument(name.clone(), value.clone()),
            is_chosen: self.arguments.get(name) == Some(value),
        });
        let own = view.narrow.iter().map(|narrow| Choice {
            words: title(narrow.0),
            by: By::Own(narrow),
            is_chosen: self.own.iter().any(|own| own.0 == narrow.0),
        });
        choices.chain(own).collect()
    }

    /// Narrows the list so, or not any more. Says whether the host has to be asked.
    pub(crate) fn turn(&mut self, choice: &Choice) -> bool {
        match &choice.by {
            By::Own(narrow) => self.turn_own(narrow),
            By::Argument(argument, _) if choice.is_chosen => {
                self.arguments.shift_remove(argument);
            }
            By::Argument(argument, value) => {
                self.arguments.insert(argument.clone(), value.clone());
            }
        }
        matches!(choice.by, By::Argument(..))
    }

    /// Narrows the list by what its view knows, or not any more.
    pub(crate) fn turn_own(&mut self, narrow: &'static Narrow) {
        let before = self.own.len();
        self.own.retain(|own| own.0 != narrow.0);
        if self.own.len() == before {
            self.own.push(narrow);
        }
    }

    /// Narrows the list by these arguments and no others.
    pub(crate) fn set(&mut self, arguments: Map<String, Value>) {
        self.arguments = arguments;
    }

    /// Shows everything again. Says whether anything was left out.
    pub(crate) fn clear(&mut self) -> bool {
        let was_narrowed = !self.is_empty();
        *self = Filters::default();
        was_narrowed
    }

    /// The arguments for the host.
    pub(crate) fn arguments(&self) -> &Map<String, Value> {
        &self.arguments
    }

    /// Whether the record is one of those that the view shows now.
    pub(crate) fn shows(&self, record: &Record) -> bool {
        self.own.iter().all(|(_, is_one)| is_one(record))
    }

    /// How the list is narrowed, in words.
    pub(crate) fn chips(&self, shared: &Shared) -> Vec<String> {
        let chosen = self.arguments.iter();
        let chosen = chosen.map(|(name, value)| words(name, value, shared));
        let own = self.own.iter().map(|(words, _)| (*words).to_owned());
        chosen.chain(own).collect()
    }

    /// Whether everything is shown.
    pub(crate) fn is_empty(&self) -> bool {
        self.arguments.is_empty() && self.own.is_empty()
    }
}

fn words(argument: &str, value: &Value, shared: &Shared) -> String {
    let name = argument.strip_suffix("_id").unwrap_or(argument);
    let is_id = name != argument;
    let value = match value {
        Value::String(id) if is_id => cell::name(id, shared).text,
        Value::String(text) => match text.parse() {
            Ok(at) => time::field(at, &shared.zone),
            Err(_) => value_words(value),
        },
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
        let view = View::of(task, &shared);
        let mut filters = Filters::default();
        let choices = filters.choices(task.list(), view, &records, &shared);
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
        let choices = filters.choices(task.list(), view, &records, &shared);
        filters.turn(&choices[2]);
        assert!(filters.is_empty());
    }
}
