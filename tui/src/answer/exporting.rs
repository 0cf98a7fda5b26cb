//! Exporting answers to files.

use std::path::PathBuf;

use super::{AnswerScreen, contents};
use crate::answer::export::Export;
use crate::app::cx::Cx;
use crate::app::effects::effect::{ExportError, Work};
use crate::app::effects::export::slug;
use crate::formats::{Format, Paper, Reader};
use crate::look::mark::Mark;
use crate::look::text::{clean, count};

/// The file extension of this format.
fn ending(format: Format) -> &'static str {
    match format {
        Format::Json => "json",
        Format::Csv => "csv",
        Format::Markdown => "md",
        Format::Table => "txt",
    }
}

/// Reports the path of the file, or the error.
pub(super) fn exported(cx: &mut Cx, result: Result<PathBuf, ExportError>) {
    match result {
        Ok(path) => {
            let path = path.display().to_string();
            cx.toast(Mark::Good, format!("Exported to {}", clean(&path)));
        }
        Err(error) => {
            let error = error.to_string();
            cx.toast(Mark::Bad, format!("Not exported: {}", clean(&error)));
        }
    }
}

impl AnswerScreen {
    /// Asks for the format.
    pub(super) fn ask_export(&mut self, cx: &mut Cx) {
        let what = match self.records() {
            Some(records) => {
                let all = count(records.len(), "record", "records");
                format!("Exports the {all} loaded so far, in the host's order.")
            }
            None => "Exports everything on this screen.".to_owned(),
        };
        cx.raise(Export { what });
    }

    /// Writes the answer to a file of this format.
    pub(super) fn export(&mut self, cx: &mut Cx, format: Format) {
        let value = match (&self.blocks, format) {
            (None, _) | (_, Format::Json) => self.json(),
            (Some(blocks), _) => blocks,
        };
        let mut contents = Vec::new();
        if let Err(error) = Paper::new(format, Reader::File, &mut contents).whole(value) {
            cx.toast(Mark::Bad, format!("Not exported: {error}"));
            return;
        }
        let name = self.file_name(cx, ending(format));
        cx.run(Work::Export { name, contents });
    }

    /// Writes the selected image, sound or resource to a file.
    pub(super) fn save(&mut self, cx: &mut Cx) {
        let Some(block) = self.block() else {
            return;
        };
        match contents::file(block) {
            Ok(file) => {
                let name = match file.about.as_str() {
                    "" => self.file_name(cx, &file.ending),
                    about => format!("frontdesk-{about}.{}", file.ending),
                };
                let contents = file.bytes;
                cx.run(Work::Export { name, contents });
            }
            Err(why) => cx.toast(Mark::Warn, format!("Not saved: {why}")),
        }
    }

    /// The file name: `frontdesk-list-events-2026-03-12.csv`.
    fn file_name(&self, cx: &Cx, ending: &str) -> String {
        let date = cx.now().to_zoned(cx.shared.zone.clone()).date();
        format!("frontdesk-{}-{date}.{ending}", slug(&self.call.tool))
    }
}
