//! Importing a spreadsheet into a list.

use std::path::PathBuf;

use frontdesk_client::Progress;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};
use serde_json::Value;

use super::{Browse, act, adding, shown};
use crate::app::cx::{Cx, Out};
use crate::app::effects::effect::{Outcome, RequestId, Work};
use crate::app::effects::sheets::{ImportJob, ImportReport};
use crate::app::input::command::{Command, Context};
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::app::state::State;
use crate::records::addition::Addition;
use crate::ui::gauge;
use crate::ui::mark::Mark;
use crate::ui::prompt::Prompt;
use crate::ui::table::{self, Column, Row};
use crate::ui::text::{clean, fold};

static IMPORT: Context = Context::list("Imports of spreadsheets");

pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        &IMPORT,
        "import.run",
        "Import the rows",
        &["ctrl-y"],
        |state, out| state.act::<ImportScreen>(out, ImportScreen::import),
    )
    .writes()
    .hint("import")
    .unless(|state| state.shows::<ImportScreen>()?.no_import()),
    Command::new(
        &IMPORT,
        "import.argument",
        "Choose another argument for the selected column",
        &["space", "right", "l"],
        |state, out| state.act::<ImportScreen>(out, |screen, cx| screen.turn(cx, 1)),
    )
    .hint("argument"),
    Command::new(
        &IMPORT,
        "import.previous_argument",
        "Choose the previous argument for the selected column",
        &["left", "h"],
        |state, out| state.act::<ImportScreen>(out, |screen, cx| screen.turn(cx, -1)),
    ),
    Command::new(
        &IMPORT,
        "import.key",
        "Match rows with records by the selected column",
        &["k"],
        |state, out| state.act::<ImportScreen>(out, ImportScreen::turn_key),
    )
    .over("list.previous")
    .hint("match by it"),
    Command::new(
        &IMPORT,
        "import.accept",
        "Import questionable rows, too",
        &["y"],
        |state, out| state.act::<ImportScreen>(out, ImportScreen::turn_accept),
    )
    .hint("accept"),
];

/// Asks for the file to import.
pub(super) fn ask(_: &mut dyn Browse, cx: &mut Cx) {
    cx.raise(Prompt::new(
        "Import a spreadsheet",
        "Path of a CSV file whose first line names the columns, or of an export. Nothing is written before you have seen what happens \
         to each row.",
        open,
    ));
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
pub(super) fn no_import(screen: &dyn Browse, shared: &Shared) -> Option<String> {
    adding::no_add(screen, shared)
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
    at: usize,
}

impl ImportScreen {
    fn of(screen: &dyn Browse, file: PathBuf) -> Option<Self> {
        let Addition {
            kind, given: known, ..
        } = screen.additions().into_iter().next()?;
        let tool = kind.create.as_ref()?;
        let set = known
            .into_iter()
            .filter(|(name, _)| name.ends_with("_id") && tool.takes(name));
        let set = set.map(|(name, value)| match value {
            Value::String(text) => (name, text),
            value => (name, value.to_string()),
        });
        Some(ImportScreen {
            job: ImportJob {
                host: kind.host()?,
                tool: tool.name.clone(),
                file,
                set: set.collect(),
                map: Vec::new(),
                key: None,
                accepts: false,
                writes: false,
            },
            kind: kind.id.clone(),
            many: kind.many.clone(),
            report: ImportReport::default(),
            wrong: None,
            request: None,
            progress: (0, 0),
            at: 0,
        })
    }

    fn check(&mut self, cx: &mut Cx) {
        cx.abort(self.request.take());
        self.job.writes = false;
        self.request = Some(cx.run(Work::Import(Box::new(self.job.clone()))));
    }

    fn import(&mut self, cx: &mut Cx) {
        self.job.writes = true;
        self.request = Some(cx.run(Work::Import(Box::new(self.job.clone()))));
    }

    fn no_import(&self) -> Option<String> {
        let [added, changed, ..] = self.report.counts;
        match (&self.wrong, self.report.written.is_some()) {
            _ if self.request.is_some() => Some("the rows are being read or written".to_owned()),
            (Some(wrong), _) => Some(wrong.clone()),
            (None, true) => Some("the rows are imported".to_owned()),
            (None, false) if added + changed == 0 => Some("no row can be imported".to_owned()),
            (None, false) => None,
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

    /// Matches rows by the selected column, or not any more.
    fn turn_key(&mut self, cx: &mut Cx) {
        let column = self.report.columns.get(self.at);
        let argument = column.and_then(|(_, _, argument)| argument.clone());
        let Some(argument) = argument.filter(|_| !self.job.writes) else {
            return;
        };
        self.job.key = match self.job.key.as_ref() == Some(&argument) {
            true => None,
            false => Some(argument),
        };
        self.check(cx);
    }

    /// Imports questionable rows, too, or not any more.
    fn turn_accept(&mut self, cx: &mut Cx) {
        if self.job.writes {
            return;
        }
        self.job.accepts = !self.job.accepts;
        self.check(cx);
    }

    fn summary(&self) -> String {
        let [added, changed, unchanged, done, wrong, open] = self.report.counts;
        if let Some((added, changed, _)) = self.report.written {
            let failed = self.report.wrong.len();
            return format!("Imported: {added} added, {changed} changed, {failed} not imported");
        }
        let open = match (open, self.job.accepts) {
            (_, true) => " · questionable rows accepted".to_owned(),
            (0, false) => String::new(),
            (open, false) => format!(" · {open} questionable"),
        };
        format!(
            "{added} to add · {changed} to change · {unchanged} unchanged · {done} imported earlier · {wrong} wrong{open}"
        )
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
        if self.report.columns.is_empty() && self.request.is_none() {
            self.check(cx);
        }
    }

    fn refresh(&mut self, cx: &mut Cx) {
        if !self.job.writes {
            self.check(cx);
        }
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: Outcome) {
        let Outcome::Imported(result) = outcome else {
            return;
        };
        if self.request != Some(request) {
            return;
        }
        self.request = None;
        match result {
            Ok(report) => {
                self.wrong = None;
                if report.written.is_some() {
                    cx.tell_outdated(&self.kind);
                }
                self.report = *report;
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

    fn progressed(&mut self, _: &mut Cx, request: RequestId, progress: &Progress) {
        if self.request == Some(request) {
            self.progress = (
                progress.done as usize,
                progress.total.unwrap_or(0.0) as usize,
            );
        }
    }

    fn step(&mut self, _: &mut Cx, by: isize) {
        let columns = self.report.columns.len();
        self.at = table::moved(columns, Some(self.at), by).unwrap_or(0);
    }

    fn is_busy(&self) -> bool {
        self.request.is_some()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.theme;
        let list = (self.report.columns.len() as u16 + 1).min(area.height / 2);
        let [head, summary, _, columns, _, below] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Length(1),
            Constraint::Length(1),
            Constraint::Length(list),
            Constraint::Length(1),
            Constraint::Fill(1),
        ])
        .areas(area);
        let file = self.job.file.display().to_string();
        let title = format!(" {} into {}", clean(&file), self.many);
        frame.render_widget(Line::styled(title, theme.title), head);
        let line = match (&self.wrong, self.request) {
            (_, Some(_)) => {
                let (done, total) = self.progress;
                let mut line = gauge::line(theme, 30, done as u64, total as u64);
                line.spans.insert(0, " ".into());
                line
            }
            (Some(wrong), None) => Line::styled(format!(" ✗ {wrong}"), theme.bad),
            (None, None) => Line::from(format!(" {}", self.summary())),
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
            Some(self.at),
            |at| {
                let (name, value, argument) = &self.report.columns[at];
                let row = Row::new().cell(clean(name)).cell(clean(value));
                match argument {
                    Some(argument) if self.job.key.as_ref() == Some(argument) => {
                        row.cell(format!("{argument} · matches records"))
                    }
                    Some(argument) => row.cell(argument.clone()),
                    None => row.styled("not imported", theme.dim),
                }
            },
        );
        let mut words = Vec::new();
        if let Some((_, _, Some(path))) = &self.report.written {
            let path = path.display().to_string();
            words.push(format!(
                " The rows that were not imported are in {}",
                clean(&path)
            ));
        }
        let wrong = self.report.wrong.iter();
        words.extend(wrong.map(|(line, reason)| format!(" line {line}: {}", clean(reason))));
        let text: Vec<Line> = words.into_iter().map(Line::from).collect();
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: false }), below);
    }
}
