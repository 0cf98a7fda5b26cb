//! The answer as a file, for whatever else one works with.

use std::path::PathBuf;

use super::AnswerScreen;
use crate::app::cx::Cx;
use crate::app::effect::{ExportError, Work};
use crate::app::export::slug;
use crate::app::layer::Layer;
use crate::forms::{Form, Paper, Reader};
use crate::layers::export::Export;
use crate::ui::mark::Mark;
use crate::ui::text::{clean, count};

/// How a file of this form ends.
fn ending(form: Form) -> &'static str {
    match form {
        Form::Json => "json",
        Form::Csv => "csv",
        Form::Markdown => "md",
        Form::Table => "txt",
    }
}

/// Where the file is, or why it is not there.
pub(super) fn exported(cx: &mut Cx, result: Result<PathBuf, ExportError>) {
    match result {
        Ok(path) => {
            let path = path.display().to_string();
            cx.toast(Mark::Good, format!("Exported as {}", clean(&path)));
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
        let what = match super::table::records(self.json()) {
            Some(records) => {
                let all = count(records.len(), "record", "records");
                format!("All that is loaded: {all}, in the order of the host.")
            }
            None => "The whole of what is on this screen.".to_owned(),
        };
        cx.raise(Layer::Export(Export { what }));
    }

    /// Writes it as a file of this form.
    pub(super) fn export(&mut self, cx: &mut Cx, form: Form) {
        let mut contents = Vec::new();
        if let Err(error) = Paper::new(form, Reader::File, &mut contents).whole(self.json()) {
            cx.toast(Mark::Bad, format!("Not exported: {error}"));
            return;
        }
        let name = self.file_name(cx, ending(form));
        cx.run(Work::Export { name, contents });
    }

    /// The name of a file for what is on screen: `frontdesk-list-events-2026-03-12.csv`.
    fn file_name(&self, cx: &Cx, ending: &str) -> String {
        let date = cx.now().to_zoned(cx.shared.zone.clone()).date();
        format!("frontdesk-{}-{date}.{ending}", slug(&self.call.tool))
    }
}
