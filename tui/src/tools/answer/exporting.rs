//! Exporting answers to files.

use std::path::PathBuf;

use super::{AnswerScreen, contents};
use crate::app::cx::Cx;
use crate::app::effect::{ExportError, Work};
use crate::app::export::slug;
use crate::forms::{Form, Paper, Reader};
use crate::tools::layers::export::Export;
use crate::ui::mark::Mark;
use crate::ui::text::{clean, count};

/// The file extension of this form.
fn ending(form: Form) -> &'static str {
    match form {
        Form::Json => "json",
        Form::Csv => "csv",
        Form::Markdown => "md",
        Form::Table => "txt",
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
    /// Asks for the form.
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

    /// Writes the answer to a file of this form.
    pub(super) fn export(&mut self, cx: &mut Cx, form: Form) {
        let value = match (&self.blocks, form) {
            (None, _) | (_, Form::Json) => self.json(),
            (Some(blocks), _) => blocks,
        };
        let mut contents = Vec::new();
        if let Err(error) = Paper::new(form, Reader::File, &mut contents).whole(value) {
            cx.toast(Mark::Bad, format!("Not exported: {error}"));
            return;
        }
        let name = self.file_name(cx, ending(form));
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
