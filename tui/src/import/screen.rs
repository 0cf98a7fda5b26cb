//! Importing a spreadsheet into a list.

mod commands;

use std::path::PathBuf;

use frontdesk_client::Progress;
use frontdesk_protocol::number::Mark as Decimal;
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::text::{Line, Span};
use serde_json::Value;

pub(crate) use commands::COMMANDS;

use super::job::{ImportJob, ImportReport, ReportRow};
use super::{Accepted, Choices, WHOLE, Whole};
use crate::app::cx::{Cx, Out};
use crate::app::effects::job::Ended;
use crate::app::effects::job::Outcome;
use crate::app::input::command::Context;
use crate::app::owner::RequestId;
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::app::state::State;
use crate::app::toast::UNDO;
use crate::look::mark::Mark;
use crate::look::text::{clean, count, fit, fold};
use crate::record_screens::{ShowsRecords, act, no_add, refusal, shown};
use crate::records::addition::Addition;
use crate::records::kind::{self, Kind, Taker};
use crate::records::record::Record;
use crate::ui::gauge;
use crate::ui::prompt::Prompt;
use crate::ui::table::{self, Column, Row};

static IMPORT: Context = Context::list("Imports of spreadsheets");

/// The encodings that can be chosen.
const ENCODINGS: [&str; 6] = [
    "UTF-8",
    "windows-1252",
    "MacRoman",
    "CP850",
    "CP852",
    "CP860",
];
/// The outcomes of rows, and their words in the summary.
const OUTCOMES: [(&str, &str); 6] = [
    ("add", "to add"),
    ("change", "to change"),
    ("same", "same"),
    ("earlier", "imported earlier"),
    ("questionable", "questionable"),
    ("wrong", "wrong"),
];

/// Asks for the file to import.
fn ask(screen: &mut dyn ShowsRecords, cx: &mut Cx) {
    let (title, about) = match of_record(screen) {
        Some(_) => (
            "Import a bank statement",
            "Path of the bank's file (CSV, .xlsx or .ods). Nothing is written before you have seen what happens to each line.",
        ),
        None => (
            "Import a spreadsheet",
            "Path of a file (CSV, .xlsx or .ods) whose first line names the columns, of an export, or of a calendar (.ics) at the \
             meetings. Nothing is written before you have seen what happens to each row.",
        ),
    };
    cx.raise(Prompt::new(title, about, open));
}

/// Opens the file.
fn open(state: &mut State, out: &mut Out, path: &str) -> Result<(), String> {
    let path = PathBuf::from(path.trim_matches(['"', '\'']));
    let path = match path.strip_prefix("~") {
        Ok(rest) => std::env::home_dir().unwrap_or_default().join(rest),
        Err(_) => path,
    };
    match std::fs::metadata(&path) {
        Ok(file) if file.is_file() => {}
        Ok(_) => return Err("it is not a file".to_owned()),
        Err(error) => return Err(error.to_string()),
    }
    let screen = shown(state).and_then(|screen| ImportScreen::of(screen, path));
    let screen = screen.ok_or("nothing can be added here")?;
    act(state, out, |_, cx| cx.open(screen));
    Ok(())
}

/// Why nothing can be imported here.
fn no_import(screen: &dyn ShowsRecords, shared: &Shared) -> Option<String> {
    match of_record(screen) {
        Some((_, kind, record, taker)) => {
            refusal(kind, record, Some(&taker.tool), "imported", shared)
        }
        None => no_add(screen, shared),
    }
}

/// The file that one call imports for the record on screen, and the tool: a bank's statement for an account.
fn of_record(
    screen: &dyn ShowsRecords,
) -> Option<(&'static Whole, &'static Kind, &Record, &'static Taker)> {
    let (kind, record) = screen.about()?;
    let mut takers = kind.takers();
    takers.find_map(|taker| {
        let mut wholes = WHOLE.iter();
        let whole = wholes.find(|whole| whole.tool == taker.tool.name)?;
        Some((whole, kind, record, taker))
    })
}

/// An import: the fate of each row, before and after.
#[derive(Debug)]
struct ImportScreen {
    job: ImportJob,
    /// The kind of the records.
    kind: String,
    many: String,
    report: ImportReport,
    wrong: Option<String>,
    request: Option<RequestId>,
    progress: (usize, usize),
    /// Whether the import ends with the rows that are being sent.
    is_stopping: bool,
    /// The selected column.
    at: usize,
    /// Whether rows are selected, not columns.
    is_at_rows: bool,
    /// The selected one of the shown rows.
    row: usize,
    /// The outcome of the shown rows; all if `None`.
    shown: Option<&'static str>,
}

impl ImportScreen {
    fn of(screen: &dyn ShowsRecords, file: PathBuf) -> Option<Self> {
        if let Some((whole, _, record, taker)) = of_record(screen) {
            let set = vec![(taker.argument.clone(), record.id().to_owned())];
            return ImportScreen::whole(whole, file, set);
        }
        let Addition {
            kind, given: known, ..
        } = screen.additions().into_iter().next()?;
        let end = file.extension().unwrap_or_default();
        if kind.id == "meeting" && end.eq_ignore_ascii_case("ics") {
            return ImportScreen::whole(Whole::named("calendar")?, file, Vec::new());
        }
        let tool = kind.create.as_ref()?;
        let set = known
            .into_iter()
            .filter(|(name, _)| name.ends_with("_id") && tool.takes(name));
        let set = set.map(|(name, value)| match value {
            Value::String(text) => (name, text),
            value => (name, value.to_string()),
        });
        ImportScreen::new(kind, &tool.name, None, file, set.collect())
    }

    fn whole(whole: &'static Whole, file: PathBuf, set: Vec<(String, String)>) -> Option<Self> {
        let kind = kind::find(whole.host, whole.kind)?;
        ImportScreen::new(kind, whole.tool, Some(whole), file, set)
    }

    fn new(
        kind: &Kind,
        tool: &str,
        whole: Option<&'static Whole>,
        file: PathBuf,
        set: Vec<(String, String)>,
    ) -> Option<Self> {
        Some(ImportScreen {
            job: ImportJob {
                host: kind.host()?,
                tool: tool.to_owned(),
                file,
                whole,
                set,
                map: Vec::new(),
                key: None,
                encoding: None,
                sheet: None,
                choices: Choices::default(),
                accepted: Accepted::default(),
                writes: false,
                seen: String::new(),
            },
            kind: kind.id.clone(),
            many: whole.map_or_else(|| kind.many.clone(), |whole| whole.many.to_owned()),
            report: ImportReport::default(),
            wrong: None,
            request: None,
            progress: (0, 0),
            is_stopping: false,
            at: 0,
            is_at_rows: whole.is_some(),
            row: 0,
            shown: None,
        })
    }

    fn check(&mut self, cx: &mut Cx) {
        cx.abort(self.request.take());
        (self.job.writes, self.is_stopping) = (false, false);
        self.request = Some(cx.run(self.job.clone()));
    }

    /// The user has stopped the import: tells what was done, and shows what is left.
    fn tell_left(&mut self, cx: &mut Cx) {
        let (added, changed, _) = self.report.written.clone().unwrap_or_default();
        let undo = cx.shared.settings.keymap.key(UNDO);
        let left = count(self.report.left, "row is", "rows are");
        let words =
            format!("Stopped: {added} added, {changed} changed ({undo} undoes), {left} left");
        cx.toast(Mark::Warn, words);
        self.check(cx);
    }

    fn import(&mut self, cx: &mut Cx) {
        self.is_stopping = false;
        self.job.writes = true;
        self.request = Some(cx.run(self.job.clone()));
    }

    fn no_import(&self) -> Option<String> {
        let wrong = self.wrong.as_ref().or(self.report.problem.as_ref());
        match (wrong, self.report.written.is_some()) {
            _ if self.request.is_some() => Some("the rows are being read or written".to_owned()),
            (Some(wrong), _) => Some(wrong.clone()),
            (None, true) => Some("the rows are imported".to_owned()),
            (None, false) if self.count("add") + self.count("change") == 0 => {
                Some("no row can be imported".to_owned())
            }
            (None, false) => None,
        }
    }

    /// The word of the row's fate, after what the user has accepted.
    fn word(&self, row: &ReportRow) -> &'static str {
        match row.is_accepted(&self.job.accepted) {
            true => row.accepted,
            false => row.word,
        }
    }

    fn count(&self, word: &str) -> usize {
        let rows = self.report.rows.iter();
        rows.filter(|row| self.word(row) == word).count()
    }

    /// The shown rows: a row that is accepted stays among the questionable ones.
    fn rows(&self) -> Vec<&ReportRow> {
        let rows = self.report.rows.iter();
        let is_shown = |row: &&ReportRow| {
            self.shown
                .is_none_or(|shown| row.word == shown || self.word(row) == shown)
        };
        rows.filter(is_shown).collect()
    }

    /// Shows the rows with the next outcome that there is, and after the last one all.
    fn filter(&mut self) {
        let words = OUTCOMES.map(|(word, _)| word);
        let at = words.iter().position(|word| Some(*word) == self.shown);
        let next = words.into_iter().skip(at.map_or(0, |at| at + 1));
        let mut next = next.filter(|word| self.count(word) > 0);
        self.shown = next.next();
        self.row = 0;
        self.is_at_rows = true;
    }

    fn no_doubt(&self) -> Option<String> {
        let rows = self.rows();
        let row = rows.get(self.row).filter(|_| self.is_at_rows);
        match row.is_some_and(|row| !row.doubts.is_empty()) && !self.job.writes {
            true => None,
            false => Some("the selected row is not questionable".to_owned()),
        }
    }

    /// Accepts the selected row, or all of its kinds, or takes that back.
    fn accept(&mut self, is_kind: bool) {
        let rows = self.rows();
        let Some(row) = rows.get(self.row).filter(|_| !self.job.writes) else {
            return;
        };
        let (line, doubts) = (row.line, row.doubts.clone());
        let is_accepted = row.is_accepted(&self.job.accepted);
        let accepted = &mut self.job.accepted;
        match (is_kind, is_accepted) {
            (false, false) => accepted.lines.extend(line),
            (true, false) => accepted
                .kinds
                .extend(doubts.iter().map(|doubt| doubt.about)),
            (_, true) => {
                accepted.lines.retain(|one| Some(*one) != line);
                for doubt in &doubts {
                    accepted.kinds.remove(&doubt.about);
                }
            }
        }
    }

    /// Chooses another argument for the selected column.
    fn turn(&mut self, cx: &mut Cx, by: isize) {
        let Some((name, _, argument)) = self.report.columns.get(self.at) else {
            return;
        };
        if self.job.writes {
            return;
        }
        let set = |name: &String| self.job.set.iter().any(|(set, _)| set == name);
        let mut columns = self.report.columns.iter();
        let mut taken = columns.by_ref().filter_map(|(_, _, taken)| taken.clone());
        let taken: Vec<String> = taken.by_ref().collect();
        let is_free = |name: &&String| {
            Some(*name) == argument.as_ref() || !set(name) && !taken.contains(name)
        };
        let mut choices: Vec<Option<String>> = vec![None];
        choices.extend(
            self.report
                .arguments
                .iter()
                .filter(is_free)
                .cloned()
                .map(Some),
        );
        // A key of an object is named as the column.
        let key = fold(name).replace(' ', "_");
        let keys = self.report.free.iter().map(|free| format!("{free}.{key}"));
        choices.extend(keys.map(Some));
        let at = choices.iter().position(|one| one == argument).unwrap_or(0);
        let to = (at as isize + by).rem_euclid(choices.len() as isize) as usize;
        let chosen = choices.swap_remove(to).unwrap_or_default();
        let name = name.clone();
        self.job.map.retain(|(column, _)| *column != name);
        self.job.map.push((name, chosen));
        self.check(cx);
    }

    /// Reads the file in the next usual encoding, and after the last one in the likeliest; of a workbook, the next sheet.
    fn turn_encoding(&mut self, cx: &mut Cx) {
        let sheets = &self.report.sheets;
        if !sheets.is_empty() {
            let now = self.job.sheet.as_ref();
            let at = now.and_then(|now| sheets.iter().position(|one| one == now));
            self.job.sheet = sheets.get(at.map_or(0, |at| at + 1)).cloned();
            return self.check(cx);
        }
        let now = self.job.encoding;
        let at = ENCODINGS.iter().position(|one| Some(*one) == now);
        self.job.encoding = ENCODINGS.get(at.map_or(0, |at| at + 1)).copied();
        self.check(cx);
    }

    fn turn_dates(&mut self, cx: &mut Cx) {
        let choices = &mut self.job.choices;
        choices.day_first = match choices.day_first {
            None => Some(true),
            Some(true) => Some(false),
            Some(false) => None,
        };
        self.check(cx);
    }

    /// The decimal mark; of a statement, the sign of its amounts.
    fn turn_decimals(&mut self, cx: &mut Cx) {
        let choices = &mut self.job.choices;
        if self.job.whole.is_some() {
            choices.negate = match choices.negate {
                None => Some(true),
                Some(true) => Some(false),
                Some(false) => None,
            };
            return self.check(cx);
        }
        choices.mark = match choices.mark {
            None => Some(Decimal::Comma),
            Some(Decimal::Comma) => Some(Decimal::Point),
            Some(Decimal::Point) => None,
        };
        self.check(cx);
    }

    /// Matches rows by the selected column, or not any more.
    fn turn_key(&mut self, cx: &mut Cx) {
        let column = self.report.columns.get(self.at);
        let argument = column.and_then(|(_, _, argument)| argument.clone());
        let Some(argument) = argument.filter(|_| !self.job.writes) else {
            return;
        };
        self.job.key = match self.report.key.as_ref() == Some(&argument) {
            true => Some("none".to_owned()),
            false => Some(argument),
        };
        self.check(cx);
    }

    fn summary(&self) -> String {
        if let Some((added, changed, _)) = self.report.written {
            let failed = self.report.rows.len();
            return format!("Imported: {added} added, {changed} changed, {failed} not imported");
        }
        let counts = OUTCOMES.map(|(word, words)| (self.count(word), words));
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let counts = counts.map(|(count, words)| format!("{count} {words}"));
        let open = &self.report.open;
        let dates = open
            .dates
            .iter()
            .map(|(_, text)| format!("d: order of {text}"));
        let numbers = open
            .numbers
            .iter()
            .map(|(_, text)| format!("n: mark of {text}"));
        let sign = open
            .sign
            .iter()
            .map(|_| "n: which amounts are paid".to_owned());
        let words: Vec<_> = counts.chain(dates).chain(numbers).chain(sign).collect();
        words.join(" · ")
    }
}

impl Screen for ImportScreen {
    fn context(&self) -> &'static Context {
        &IMPORT
    }

    fn crumb(&self) -> String {
        "Import".to_owned()
    }

    fn shown(&mut self, cx: &mut Cx) {
        if self.report.digest.is_empty() && self.request.is_none() {
            self.check(cx);
        }
    }

    fn refresh(&mut self, cx: &mut Cx) {
        if !self.job.writes {
            self.check(cx);
        }
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, mut outcome: Outcome) {
        let Some(Ended { result, .. }) = outcome.take::<ImportJob>() else {
            return;
        };
        if self.request != Some(request) {
            return;
        }
        self.request = None;
        match result {
            Ok(report) => {
                self.wrong = None;
                if report.digest != self.job.seen {
                    // A line is another row now.
                    self.job.accepted.lines.clear();
                }
                if report.written.is_some() {
                    cx.tell_outdated(&self.kind);
                    (self.shown, self.row) = (None, 0);
                } else if std::mem::take(&mut self.job.writes) {
                    cx.toast(Mark::Warn, "The file has changed; this is the new preview");
                }
                self.job.seen.clone_from(&report.digest);
                self.report = report;
                if let Some(change) = &self.report.change {
                    cx.changed(change);
                }
                if self.report.left > 0 {
                    self.tell_left(cx);
                }
            }
            Err(error) if self.is_stopping => {
                cx.toast(Mark::Warn, format!("Stopped: {}", clean(&error)));
                self.check(cx);
            }
            Err(error) => {
                if self.job.writes {
                    cx.toast(Mark::Bad, "Interrupted; import the file again to continue");
                }
                self.job.writes = false;
                self.wrong = Some(clean(&error).into_owned());
            }
        }
    }

    /// Stops an import: after the rows that are being sent, or as the host stops its one call.
    fn escape(&mut self, cx: &mut Cx) -> bool {
        let Some(request) = self.request.filter(|_| self.stops()) else {
            return false;
        };
        self.is_stopping = true;
        cx.stop(request);
        true
    }

    fn stops(&self) -> bool {
        self.request.is_some() && self.job.writes && !self.is_stopping
    }

    fn progressed(&mut self, _: &mut Cx, request: RequestId, progress: &Progress) {
        if self.request == Some(request) {
            self.progress = (
                progress.done as usize,
                progress.total.unwrap_or(0.0) as usize,
            );
        }
    }

    fn step(&mut self, _: &mut Cx, by: isize) {
        match self.is_at_rows {
            true => self.row = table::moved(self.rows().len(), Some(self.row), by).unwrap_or(0),
            false => {
                let columns = self.report.columns.len();
                self.at = table::moved(columns, Some(self.at), by).unwrap_or(0);
            }
        }
    }

    fn is_busy(&self) -> bool {
        self.request.is_some()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.settings.theme;
        let list = match self.job.whole {
            Some(_) => 0,
            None => (self.report.columns.len() as u16 + 1).min(area.height / 2),
        };
        let [head, summary, _, columns, _, below] = Layout::vertical([
            Length(1),
            Length(1),
            Length(1),
            Length(list),
            Length(1),
            Fill(1),
        ])
        .areas(area);
        let rows = self.rows();
        // Its directory would push what is said of it out of the line.
        let file = self.job.file.file_name().unwrap_or_default().display();
        let format = match self.report.format.is_empty() {
            true => String::new(),
            false => format!(" ({})", self.report.format),
        };
        let title = format!(" {file}{format} into {}", self.many);
        let title = fit(&title, head.width.into());
        frame.render_widget(Line::styled(title, theme.title), head);
        let wrong = self.wrong.as_ref().or(self.report.problem.as_ref());
        let line = match (wrong, self.request) {
            (_, Some(_)) => {
                let (done, total) = self.progress;
                let mut line = gauge::line(theme, 30, done as u64, total as u64);
                line.spans.insert(0, " ".into());
                if self.is_stopping {
                    line.push_span(Span::styled("  ·  stopping", theme.dim));
                } else if self.stops() {
                    let key = shared.settings.keymap.key("app.back");
                    line.push_span(Span::styled(format!("  ·  {key}"), theme.key));
                    line.push_span(" stops it");
                }
                line
            }
            (Some(wrong), None) => Line::styled(format!(" ✗ {}", clean(wrong)), theme.bad),
            (None, None) => {
                let last = shared.undoable();
                let undo = last.filter(|last| Some(*last) == self.report.change.as_deref());
                let undo = undo.map(|_| format!(" · {} undoes", shared.settings.keymap.key(UNDO)));
                Line::from(format!(" {}{}", self.summary(), undo.unwrap_or_default()))
            }
        };
        frame.render_widget(line, summary);
        let heads = [
            Column::share("column", 1),
            Column::share("first value", 1),
            Column::share("argument", 1),
        ];
        table::draw(
            frame,
            columns,
            shared,
            &heads,
            self.report.columns.len(),
            Some(self.at).filter(|_| !self.is_at_rows),
            |at| {
                let (name, value, argument) = &self.report.columns[at];
                let row = Row::new().cell(clean(name)).cell(clean(value));
                match argument {
                    Some(argument) if self.report.key.as_ref() == Some(argument) => {
                        row.cell(format!("{argument} · matches records"))
                    }
                    Some(argument) => row.cell(argument.clone()),
                    None => row.styled("not imported", theme.dim),
                }
            },
        );
        let mut below = below;
        if let Some((_, _, Some(path))) = &self.report.written {
            let path = path.display().to_string();
            let words = format!(" The rows that were not imported are in {}", clean(&path));
            let [first, rest] = Layout::vertical([Length(1), Fill(1)]).areas(below);
            frame.render_widget(Line::from(words), first);
            below = rest;
        }
        let shown = self
            .shown
            .map_or("rows".to_owned(), |shown| format!("rows: {shown}"));
        let heads = [Column::fixed("outcome", 15), Column::share(shown, 1)];
        let selected = Some(self.row).filter(|_| self.is_at_rows);
        table::draw(frame, below, shared, &heads, rows.len(), selected, |at| {
            let row = rows[at];
            let word = self.word(row);
            let (style, word) = match word {
                "wrong" | "failed" => (theme.bad, word.to_owned()),
                "questionable" => (theme.warn, word.to_owned()),
                word if word != row.word => (theme.good, format!("✓ {word}")),
                word => (theme.dim, word.to_owned()),
            };
            let line = row
                .line
                .map_or(String::new(), |line| format!("line {line}: "));
            let text = format!("{line}{}", clean(&row.text));
            Row::new().styled(word, style).cell(text)
        });
    }
}
