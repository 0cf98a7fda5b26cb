//! Copying to the clipboard through the terminal.

use frontdesk_protocol::exact;
use serde_json::Value;

use super::{AnswerScreen, Showing};
use crate::answer::command_line::command_line;
use crate::app::cx::Cx;
use crate::app::effects::curl::AsCurl;
use crate::formats::{lines, safe_json, tab_separated};
use crate::look::mark::Mark;
use crate::look::text::clean;
use crate::tabular;

/// Copies the curl command, or reports why there is none.
pub(super) fn curl(cx: &mut Cx, result: Result<String, String>) {
    match result {
        Ok(command) => cx.copy(command, "as a curl command"),
        Err(why) => cx.toast(Mark::Warn, format!("No curl command: {}", clean(&why))),
    }
}

impl AnswerScreen {
    /// The record to copy: the selected or the shown one.
    fn record_to_copy(&self) -> Option<&Value> {
        match (self.body().table(), self.showing()) {
            (None, Showing::Part) => Some(self.shown_value()).filter(|value| value.is_object()),
            _ => self.body().record(self.shown_value()),
        }
    }

    /// Why no record can be copied.
    pub(super) fn no_record_to_copy(&self) -> Option<String> {
        let is_there = self.record_to_copy().is_some();
        (!is_there).then(|| "no record is selected".to_owned())
    }

    /// Why no cell can be copied.
    pub(super) fn no_cell(&self) -> Option<String> {
        let is_there = self.body().cell(self.shown_value()).is_some();
        (!is_there).then(|| "nothing is selected".to_owned())
    }

    /// Copies the complete answer.
    pub(super) fn copy(&mut self, cx: &mut Cx) {
        cx.copy(pretty(self.json()), "as JSON");
    }

    /// Copies the call as a command of this program.
    pub(super) fn copy_command(&mut self, cx: &mut Cx) {
        let line = command_line(&self.call, &self.tool.input_schema);
        cx.copy(line, "as a command line");
    }

    /// Copies the call as a curl command.
    pub(super) fn copy_curl(&mut self, cx: &mut Cx) {
        cx.run(AsCurl(self.call.clone()));
    }

    /// Copies the selected value as displayed.
    pub(super) fn copy_cell(&mut self, cx: &mut Cx) {
        if let Some(value) = self.body().cell(self.shown_value()) {
            let text = match value {
                Value::Array(_) | Value::Object(_) => pretty(value),
                value => lines(&tabular::cell(value)).into_owned(),
            };
            cx.copy(text, "the value");
        }
    }

    /// Copies the path of the selected value.
    pub(super) fn copy_path(&mut self, cx: &mut Cx) {
        if let Some(tree) = self.body().tree() {
            let path = lines(&tree.path()).into_owned();
            cx.copy(path, "the path");
        }
    }

    /// Copies the selected record as JSON.
    pub(super) fn copy_record(&mut self, cx: &mut Cx) {
        if let Some(record) = self.record_to_copy() {
            cx.copy(pretty(record), "the record as JSON");
        }
    }

    /// Copies the selected record as a line of cells, in column order.
    pub(super) fn copy_row(&mut self, cx: &mut Cx) {
        let Some(record) = self.record_to_copy() else {
            return;
        };
        let records = self.records().unwrap_or(std::slice::from_ref(record));
        let row = tab_separated(record, records);
        cx.copy(row, "the record as tab-separated values");
    }
}

fn pretty(value: &Value) -> String {
    safe_json(&exact::pretty(value)).into_owned()
}
