//! The fate of each row.

use std::collections::{BTreeSet, HashMap};

use frontdesk_form::Form;
use frontdesk_protocol::{Declaration, Host, text};
use serde_json::{Map, Value};

use super::doubt::{self, About, Doubt};
use super::matching::{Existing, Found, Keys};
use super::status::Statuses;
use super::{Import, Row, Step, row, run, same};
use crate::tabular::cell;

/// The outcome of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Fate {
    /// A record is added.
    Add(Map<String, Value>),
    /// The record with the same key is changed.
    Change(Map<String, Value>, Vec<Difference>),
    /// The record with the same key has these values already.
    Unchanged,
    /// An earlier run has imported it.
    Done,
    /// Somebody has to decide, for these reasons; accepted, the row has the other fate.
    Questionable(Vec<Doubt>, Box<Fate>),
    /// It cannot be imported, for this reason.
    Wrong(String),
}

/// A field that changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The argument.
    pub argument: String,
    /// Its value now.
    pub old: String,
    /// Its value after the import.
    pub new: String,
}

impl Fate {
    /// Its word.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Fate::Add(_) => "add",
            Fate::Change(..) => "change",
            Fate::Unchanged => "same",
            Fate::Done => "earlier",
            Fate::Questionable(..) => "questionable",
            Fate::Wrong(_) => "wrong",
        }
    }
}

impl Import {
    /// Decides the fate of each row by the records that exist now.
    pub(super) fn decide(&mut self, existing: Option<&Existing>, mut on_step: impl FnMut(Step)) {
        let total = self.sheet.rows.len();
        let mut base = Form::new(&self.schema);
        base.fill(&Value::Object(self.set.clone()));
        // Compiles the schema once; clones share it.
        base.errors();
        let declared = self.declared(&self.tool.name);
        let keys = existing.map(|existing| self.keys(existing));
        let matched = existing.zip(keys.as_ref());
        let domains = self.domains();
        let statuses = self.statuses();
        let mut fates = Vec::with_capacity(total);
        let mut unkeyed = BTreeSet::new();
        for (at, row) in self.sheet.rows.iter().enumerate() {
            if at % 100 == 0 {
                on_step(Step { done: at, total });
            }
            let mut doubts = Vec::new();
            doubts.extend(doubt::of_row(
                &self.sheet.header,
                &row.cells,
                at < self.sheet.titles,
            ));
            let is_odd = !doubts.is_empty();
            if self.sheet.hidden.contains(&row.line) {
                doubts.push(Doubt::new(About::Hidden, "is hidden in the workbook"));
            }
            let odd = self.sheet.odd_cells.get(&row.line);
            doubts.extend(odd.map(|what| Doubt::new(About::Cell, what)));
            let status = statuses
                .doubt(&self.sheet.header, &row.cells)
                .filter(|_| !is_odd);
            doubts.extend(status.map(|what| Doubt::new(About::Status, what)));
            let fate = self.fate(at, row, &base, declared, matched, &mut doubts);
            let fate = match fate {
                Ok((fate, is_unkeyed)) => {
                    unkeyed.extend(is_unkeyed.then_some(at));
                    fate
                }
                Err(reason) => Fate::Wrong(reason),
            };
            match is_odd {
                true => doubts.truncate(1),
                false => doubts.extend(self.other_domain(row, &domains)),
            }
            fates.push(match fate {
                Fate::Wrong(_) if !is_odd => fate,
                Fate::Unchanged | Fate::Done => fate,
                fate if doubts.is_empty() || self.accepted.has(row.line, &doubts) => fate,
                fate => Fate::Questionable(doubts, Box::new(fate)),
            });
        }
        self.fates = fates;
        self.unkeyed = unkeyed;
        on_step(Step { done: total, total });
    }

    /// The outcome of the row at this place with its doubts accepted, and whether its key does not tell it apart.
    fn fate(
        &self,
        at: usize,
        row: &Row,
        base: &Form,
        declared: Option<&Declaration>,
        matched: Option<(&Existing, &Keys)>,
        doubts: &mut Vec<Doubt>,
    ) -> Result<(Fate, bool), String> {
        if row.cells.len() > self.sheet.header.len() {
            return Err(format!(
                "has {} cells, and the header {}; is a quotation mark or a separator missing?",
                row.cells.len(),
                self.sheet.header.len()
            ));
        }
        if self.is_done(at) {
            let is_gone = matched.is_some_and(|(existing, keys)| self.is_gone(existing, keys, at));
            if !is_gone {
                return Ok((Fate::Done, false));
            }
            doubts.push(Doubt::new(About::Again, run::GONE));
        }
        let progress = self.progress.as_ref();
        if progress.is_some_and(|progress| progress.is_unknown(at)) {
            doubts.push(Doubt::new(About::Again, run::PERHAPS));
        }
        let found = match matched {
            Some((existing, keys)) => self.found(existing, keys, at, doubts)?,
            None => Found::New,
        };
        let is_unkeyed = matches!(found, Found::Unkeyed);
        let before = match (matched, found) {
            (Some((existing, _)), Found::One(record)) => Some((existing, record)),
            _ => None,
        };
        let none = BTreeSet::new();
        let skipped = before.map_or(&none, |(existing, _)| &existing.without);
        let mut form = match before {
            Some((existing, record)) => Form::update(&existing.schema, record),
            None => base.clone(),
        };
        if before.is_none() && !self.is_change(&self.tool.name) {
            doubts.extend(self.no_address(at));
        }
        let mut wrong = Vec::new();
        for (cell, argument) in row.cells.iter().zip(&self.columns) {
            let Some(argument) = argument else { continue };
            let cell = cell.trim();
            let (root, leaf) = argument.split_once('.').unwrap_or((argument, argument));
            let is_key = before.is_some() && self.key.as_ref() == Some(argument);
            if cell.is_empty() || skipped.contains(root) || is_key {
                continue;
            }
            // The host does not check what is within tags, and the shape of an address would hide the reason.
            let is_checked = same::is_email(leaf) || leaf != root && same::is_code(leaf);
            if let Some((char, why)) = text::misleading(cell).filter(|_| is_checked) {
                let char = text::number(char);
                wrong.push(format!("{argument} must not contain {char}, {why}"));
                continue;
            }
            let doubt = doubt::of_cell(argument, cell);
            let is_left_out = doubt.as_ref().is_some_and(|one| one.about == About::Email);
            doubts.extend(doubt);
            if is_left_out {
                continue;
            }
            let cell = match same::is_strict(leaf) {
                true => cell.into(),
                false => text::visible(cell),
            };
            match self.reader.enter(&mut form, argument, &cell) {
                Ok(doubt) => doubts.extend(doubt),
                Err(message) => wrong.push(message),
            }
        }
        if !wrong.is_empty() {
            return Err(wrong.join("; "));
        }
        if before.is_some() && !form.has_changes() {
            return Ok((Fate::Unchanged, false));
        }
        let arguments = row::arguments(&form)?;
        let declared = match before {
            Some((existing, _)) => self.declared(&existing.tool),
            None => declared,
        };
        if let Some(declared) = declared {
            let checked = declared.check(&Value::Object(arguments.clone()).to_string());
            checked.map_err(|error| match error.field {
                Some(field) => format!("{field} {}", error.message),
                None => error.message,
            })?;
        }
        let fate = match before {
            Some((_, record)) => {
                let differences = differences(record, &arguments);
                Fate::Change(arguments, differences)
            }
            None if self.is_change(&self.tool.name) => Fate::Change(arguments, Vec::new()),
            None => Fate::Add(arguments),
        };
        Ok((fate, is_unkeyed))
    }

    /// The columns with the status of a row. They are not arguments of the tool.
    pub(super) fn statuses(&self) -> Statuses {
        let is_open = |at: usize| {
            let argument = self.columns.get(at).and_then(Option::as_deref);
            argument.is_none_or(|argument| argument.contains('.'))
        };
        let cells = |at: usize| {
            self.sheet
                .rows
                .iter()
                .filter_map(move |row| row.cells.get(at))
        };
        let is_of_people = self.is_of_people(Some("name"));
        Statuses::of(&self.sheet.header, is_open, is_of_people, |at| {
            cells(at).map(String::as_str)
        })
    }

    /// The columns with addresses of an organisation's people, and the domains of most of them.
    fn domains(&self) -> HashMap<usize, Vec<String>> {
        let is_staff = self.host() == Some(Host::Staff);
        let own = self.caller.email().as_deref().and_then(doubt::domain_of);
        let columns = self.columns.iter().enumerate();
        let columns = columns.filter(|(_, argument)| match argument.as_deref() {
            Some("corporate_email") => true,
            Some(argument) => is_staff && argument == "email" && self.tool.name.contains("staff"),
            None => false,
        });
        let domains = columns.map(|(at, _)| {
            let cells = self.sheet.rows.iter().filter_map(|row| row.cells.get(at));
            let most = doubt::domain(cells.map(String::as_str));
            (at, own.iter().cloned().chain(most).collect())
        });
        domains.collect()
    }

    /// A doubt if an address in the row is of another organisation.
    fn other_domain(&self, row: &Row, domains: &HashMap<usize, Vec<String>>) -> Option<Doubt> {
        domains.iter().find_map(|(at, known)| {
            let domain = doubt::domain_of(row.cells.get(*at)?)?;
            let is_known = known
                .iter()
                .any(|one| domain == *one || domain.ends_with(&format!(".{one}")));
            let reason = format!("has an address of another organisation: {domain}");
            (!is_known).then(|| Doubt::new(About::Domain, reason))
        })
    }
}

/// The fields that these arguments change.
fn differences(record: &Map<String, Value>, arguments: &Map<String, Value>) -> Vec<Difference> {
    let differences = arguments.iter().filter_map(|(argument, new)| {
        let old = record.get(argument).map(cell).unwrap_or_default();
        let new = cell(new);
        (old != new).then(|| Difference {
            argument: argument.clone(),
            old,
            new,
        })
    });
    differences.collect()
}
