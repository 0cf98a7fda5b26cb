//! Copying a record, and writing a whole list to a file or the clipboard.

use frontdesk_client::Progress;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use serde_json::Value;

use super::ShowsRecords;
use super::menu::{Item, Menu};
use super::whole_list::ListJob;
use crate::app::cx::Cx;
use crate::app::effects::effect::Effect;
use crate::app::effects::export::Export;
use crate::app::effects::job::Outcome;
use crate::app::feedback::file_name;
use crate::app::input::command::Context;
use crate::app::owner::RequestId;
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::formats::{Format, lines, safe_json, tab_separated};
use crate::look::mark::Mark;
use crate::look::text::count;
use crate::records::record::Record;

static EXPORT: Context = Context::screen("Exports of lists");

/// Opens the menu of what can be copied of the current record.
pub(super) fn open_copy(screen: &mut dyn ShowsRecords, cx: &mut Cx) {
    let Some((kind, record)) = screen.current() else {
        return;
    };
    let value = Value::Object(record.all().clone());
    let json = serde_json::to_string_pretty(&value).unwrap_or_default();
    let row = tab_separated(&value, std::slice::from_ref(&value));
    let link = link(record);
    let entry = |words: &str, letter, text: String| {
        let what = words.to_lowercase();
        let mut entry = Item::new(words.to_owned(), move |_, cx| cx.copy(text, &what));
        entry.letter = Some(letter);
        entry
    };
    let mut entries = vec![
        entry("Id", 'i', record.id().to_owned()),
        entry("Row", 'r', row),
        entry("Record as JSON", 'j', safe_json(&json).into_owned()),
        entry(
            "Link",
            'l',
            link.map_or(String::new(), |link| lines(link).into_owned()),
        ),
    ];
    if link.is_none()
        && let Some(entry) = entries.last_mut()
    {
        entry.obstacle = Some("it has no link".to_owned());
    }
    let title = format!("Copy {}", record.label(kind));
    cx.raise(Menu::new(title, entries));
}

/// The first address in a record.
fn link(record: &Record) -> Option<&str> {
    let is_link = |text: &&str| text.starts_with("https://") || text.starts_with("http://");
    let mut texts = record.all().values().filter_map(Value::as_str);
    texts.find(is_link)
}

/// Opens the link of the current record in a browser. It is also copied, because over SSH no browser opens.
pub(super) fn open_link(screen: &mut dyn ShowsRecords, cx: &mut Cx) {
    let current = screen.current();
    let Some(link) = current.and_then(|(_, record)| link(record)) else {
        return;
    };
    let link = lines(link).into_owned();
    cx.toast(Mark::Good, format!("Opened and copied {link}"));
    cx.out.effects.push(Effect::Copy(link.clone()));
    cx.out.effects.push(Effect::Open(link));
}

/// Why there is no link to open.
pub(super) fn no_link(screen: &dyn ShowsRecords) -> Option<String> {
    match screen.current() {
        None => Some("nothing selected".to_owned()),
        Some((kind, record)) => {
            let is_missing = link(record).is_none();
            is_missing.then(|| format!("this {} has no link", kind.one))
        }
    }
}

/// Opens the menu of formats for the shown list.
pub(super) fn open_export(screen: &mut dyn ShowsRecords, cx: &mut Cx) {
    let list = screen.list();
    let Some((list, host)) = list.and_then(|list| Some((list, list.kind.host()?))) else {
        return;
    };
    let formats = [
        (Format::Csv, "CSV, all columns", 'c', false),
        (Format::Csv, "CSV, the visible columns", 'v', true),
        (Format::Json, "JSON", 'j', false),
        (Format::Markdown, "Markdown, the visible columns", 'm', true),
    ];
    let mut entries = Vec::new();
    for is_copied in [false, true] {
        for (format, words, letter, is_narrow) in formats {
            let (words, letter) = match is_copied {
                false => (format!("File: {words}"), letter),
                true => (format!("Clipboard: {words}"), letter.to_ascii_uppercase()),
            };
            let job = ListJob {
                host,
                tool: list.list.tool.name.clone(),
                arguments: list.request(0),
                format,
                fields: is_narrow.then(|| list.field_names()),
                is_copied,
            };
            let mut entry = Item::new(words, |_, cx| export(cx, job));
            entry.letter = Some(letter);
            entries.push(entry);
        }
    }
    let title = format!("Export all {}", list.kind.many);
    cx.raise(Menu::new(title, entries));
}

/// Why there is no list to export.
pub(super) fn no_export(screen: &dyn ShowsRecords) -> Option<String> {
    let is_there = screen.list().and_then(|list| list.kind.host()).is_some();
    (!is_there).then(|| "no list is shown".to_owned())
}

/// Starts an export.
fn export(cx: &mut Cx, job: ListJob) {
    cx.open(ExportScreen {
        job,
        request: None,
        done: 0,
        records: 0,
    });
}

/// An export in progress.
#[derive(Debug)]
struct ExportScreen {
    job: ListJob,
    request: Option<RequestId>,
    done: usize,
    /// The number of records in the text.
    records: usize,
}

impl Screen for ExportScreen {
    fn context(&self) -> &'static Context {
        &EXPORT
    }

    fn crumb(&self) -> String {
        "Export".to_owned()
    }

    fn shown(&mut self, cx: &mut Cx) {
        if self.request.is_none() {
            self.request = Some(cx.run(self.job.clone()));
        }
    }

    fn hidden(&mut self, cx: &mut Cx) {
        cx.abort(self.request.take());
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, mut outcome: Outcome) {
        if self.request != Some(request) {
            return;
        }
        let all = |records| count(records, "record", "records");
        if let Some(ended) = outcome.take::<ListJob>() {
            match ended.result {
                Ok((text, records)) if self.job.is_copied => {
                    let text = String::from_utf8_lossy(&text).into_owned();
                    cx.copy(text, &all(records));
                }
                Ok((contents, records)) => {
                    self.records = records;
                    let ending = self.job.format.ending();
                    let name = file_name(&self.job.tool, ending, cx.shared);
                    self.request = Some(cx.run(Export { name, contents }));
                    return;
                }
                Err(error) => cx.toast_not_exported(&error),
            }
        } else if let Some(ended) = outcome.take::<Export>() {
            cx.toast_exported(&format!(" {}", all(self.records)), &ended.result);
        } else {
            return;
        }
        self.request = None;
        cx.back();
    }

    fn progressed(&mut self, _: &mut Cx, request: RequestId, progress: &Progress) {
        if self.request == Some(request) {
            self.done = progress.done as usize;
        }
    }

    fn is_busy(&self) -> bool {
        self.request.is_some()
    }

    fn draw(&self, _: &Shared, frame: &mut Frame, area: Rect) {
        let read = count(self.done, "record", "records");
        let words = format!(" Exporting: {read} so far · esc cancel");
        frame.render_widget(Line::from(words), area);
    }
}
