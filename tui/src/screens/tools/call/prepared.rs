//! The form of a tool that is opened for a record: filled in, with what is given locked.

use frontdesk_client::ToolInfo;
use frontdesk_form::{Form, Path, Segment};
use jiff::Timestamp;
use serde_json::{Map, Value};

use super::updating::Loaded;
use super::{CallScreen, schema_of};
use crate::app::cx::Cx;
use crate::app::peer::{Peer, Reply};
use crate::screens::tools::found::found;
use crate::ui::mark::Mark;
use crate::ui::text::clean;

/// What a form is opened for.
#[derive(Debug, Clone)]
pub(crate) struct Prepared {
    /// What it does, in a few words.
    pub(super) title: String,
    /// What is said once it is done.
    done: String,
    /// Arguments that are given, and cannot be changed.
    given: Map<String, Value>,
    /// The record that is changed.
    record: Option<Map<String, Value>>,
    /// The name of the record that the tool does something with.
    name: Option<String>,
}

impl Prepared {
    /// To add one of these to what is given.
    pub(crate) fn adding(one: &str, given: Map<String, Value>) -> Self {
        Prepared {
            title: format!("Add {one}"),
            done: format!("Added the {one}"),
            given,
            record: None,
            name: None,
        }
    }

    /// To change this record, whose id is the argument.
    pub(crate) fn changing(name: &str, argument: &str, record: &Map<String, Value>) -> Self {
        let id = record.get("id").cloned().unwrap_or_default();
        Prepared {
            title: format!("Edit {name}"),
            done: format!("Saved {name}"),
            given: Map::from_iter([(argument.to_owned(), id)]),
            record: Some(record.clone()),
            name: Some(name.to_owned()),
        }
    }

    /// To do something else with a record of this name.
    pub(crate) fn acting(name: &str, given: Map<String, Value>) -> Self {
        Prepared {
            title: name.to_owned(),
            done: String::new(),
            given,
            record: None,
            name: Some(name.to_owned()),
        }
    }

    /// The name of the record that the tool does something with, if it is one that is there.
    pub(super) fn record_name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

impl CallScreen {
    /// The form of this tool for a record.
    pub(crate) fn prepared(peer: Peer, tool: ToolInfo, prepared: Prepared, at: Timestamp) -> Self {
        let mut screen = CallScreen::new(peer, tool);
        let known = prepared.record.as_ref().zip(prepared.given.iter().next());
        if let Some((record, (argument, id))) = known {
            let mut record = record.clone();
            record.insert(argument.clone(), id.clone());
            screen.form = Form::update(&schema_of(&screen.tool), &record);
            screen.record = found(&record, "").map(|found| Loaded {
                argument: argument.clone(),
                found,
                at,
            });
        }
        for (argument, value) in &prepared.given {
            // A list may be narrowed by what the tool takes no argument for.
            let _ = screen.form.set(&Path::root().key(argument), value);
        }
        screen.initial = screen.form.value();
        screen.errors = screen.form.errors();
        screen.prepared = Some(prepared);
        screen.focus = Path::root();
        screen.settle_focus();
        screen
    }

    /// Whether the field is given, so that it cannot be changed.
    pub(super) fn is_locked(&self, path: &Path) -> bool {
        let prepared = self.prepared.as_ref();
        match path.segments().first() {
            Some(Segment::Key(key)) => prepared.is_some_and(|one| one.given.contains_key(key)),
            Some(Segment::Index(_)) => false,
            // The form as a whole is more than what may be changed.
            None => prepared.is_some(),
        }
    }

    /// The tool has done what the form was opened for: goes back to the record. Whether it was opened for
    /// that.
    pub(super) fn is_done(&mut self, cx: &mut Cx, reply: &Reply) -> bool {
        let Some(prepared) = &self.prepared else {
            return false;
        };
        if self.tool.read_only {
            return false;
        }
        let words = match prepared.done.is_empty() {
            true => format!(
                "{}: done",
                self.tool.title.as_ref().unwrap_or(&self.tool.name)
            ),
            false => prepared.done.clone(),
        };
        let mut results = reply.value.as_object().into_iter().flat_map(Map::values);
        let name = results
            .find_map(|one| found(one.as_object()?, ""))
            .map(|found| found.name);
        let words = match (name, prepared.record.is_some()) {
            (Some(name), false) => format!("{words}: {name}"),
            _ => words,
        };
        cx.toast(Mark::Good, clean(&words).into_owned());
        cx.back();
        true
    }
}
