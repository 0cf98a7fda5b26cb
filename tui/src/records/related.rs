//! Additional data of a shown record, displayed below its facts.

use frontdesk_protocol::Host;
use ratatui::text::Line;
use serde_json::{Map, Value};

use super::names::{reading, want_names};
use super::record::Record;
use crate::app::cx::Cx;
use crate::app::effects::call::Answer;
use crate::app::owner::RequestId;
use crate::app::remote::Remote;
use crate::app::shared::{Session, Shared};
use crate::ui::problem::Problem;

/// Data about a record from another tool.
#[derive(Debug)]
pub(crate) struct Related {
    /// The title, a word or two.
    pub(crate) title: &'static str,
    pub(crate) host: Host,
    pub(crate) tool: &'static str,
    /// The arguments of each call, from the record and the rows of the preceding entries.
    pub(crate) arguments: Arguments,
    /// Selects the rows of a result that concern the record.
    pub(crate) keep: fn(&Record, &Value) -> Vec<Value>,
    /// Fields of a row that are ids to be shown as names, each with its kind.
    pub(crate) names: &'static [(&'static str, &'static str)],
    /// The lines for the rows; empty if the rows are only used by later entries.
    pub(crate) lines: fn(&[Value], &Shared) -> Vec<Line<'static>>,
}

/// The arguments of calls about a record, from the rows found before.
pub(crate) type Arguments = fn(&Record, &[Vec<Value>]) -> Vec<Map<String, Value>>;

/// The results for one record, for each entry.
#[derive(Debug)]
pub(crate) struct Findings {
    related: &'static [Related],
    found: Vec<Vec<Remote<Vec<Value>>>>,
}

impl Findings {
    /// Nothing is requested yet.
    pub(crate) fn of(related: &'static [Related]) -> Self {
        let found = related.iter().map(|_| Vec::new()).collect();
        Findings { related, found }
    }

    /// Requests everything, starting with the first entry.
    pub(crate) fn ask(&mut self, cx: &mut Cx, record: &Record) {
        if matches!(cx.shared.session, Session::In(_)) {
            self.ask_from(cx, record, 0);
        }
    }

    /// Requests the first entry from this index on that has arguments.
    fn ask_from(&mut self, cx: &mut Cx, record: &Record, from: usize) {
        for at in from..self.related.len() {
            let one = &self.related[at];
            let known: Vec<Vec<Value>> = (0..at).map(|at| self.rows(at)).collect();
            let calls = (one.arguments)(record, &known);
            if calls.is_empty() {
                self.found[at].clear();
                continue;
            }
            let found = &mut self.found[at];
            found.resize_with(calls.len(), Remote::default);
            for (found, arguments) in found.iter_mut().zip(calls) {
                cx.abort(found.request());
                found.begin(cx.send(reading(one.host, one.tool, arguments)));
            }
            return;
        }
    }

    /// The rows of one entry.
    fn rows(&self, at: usize) -> Vec<Value> {
        let found = self.found[at].iter().filter_map(Remote::value);
        found.flatten().cloned().collect()
    }

    /// The rows of the entry with this tool.
    pub(crate) fn of_tool(&self, tool: &str) -> Vec<Value> {
        let at = self.related.iter().position(|one| one.tool == tool);
        at.map_or_else(Vec::new, |at| self.rows(at))
    }

    /// Handles an answer, and requests the next entry.
    pub(crate) fn answered(
        &mut self,
        cx: &mut Cx,
        record: &Record,
        request: RequestId,
        answer: &Answer,
    ) -> bool {
        let waits = |found: &Vec<Remote<_>>| found.iter().any(|one| one.waits_for(request));
        let Some(at) = self.found.iter().position(waits) else {
            return false;
        };
        let one = &self.related[at];
        let result = answer.result.as_ref().map_err(Clone::clone);
        let result = result.map(|reply| (one.keep)(record, &reply.value));
        for (field, kind) in one.names {
            let rows = result.iter().flatten();
            let ids = rows.filter_map(|row| Some(row[*field].as_str()?.to_owned()));
            want_names(cx, one.host, kind, ids.collect());
        }
        let mut found = self.found[at].iter_mut();
        if let Some(found) = found.find(|found| found.waits_for(request)) {
            found.finish(request, cx.now(), result);
        }
        if !self.found[at].iter().any(Remote::is_loading) {
            self.ask_from(cx, record, at + 1);
        }
        true
    }

    /// The lines to show, each group under its title.
    pub(crate) fn lines(&self, shared: &Shared) -> Vec<Line<'static>> {
        let theme = &shared.settings.theme;
        let mut lines = Vec::new();
        for (at, one) in self.related.iter().enumerate() {
            let found = &self.found[at];
            let mut told = match found.iter().any(|found| found.value().is_some()) {
                true => (one.lines)(&self.rows(at), shared),
                false => Vec::new(),
            };
            if let Some(error) = found.iter().find_map(Remote::error) {
                let words = format!("✗ {}", Problem::of(error).title);
                told.push(Line::styled(words, theme.bad));
            }
            if !told.is_empty() && !one.title.is_empty() {
                lines.push(Line::default());
                lines.push(Line::styled(one.title, theme.title));
                lines.append(&mut told);
            }
        }
        lines
    }
}
