//! Exporting answers to files.

use super::{AnswerScreen, contents};
use crate::answer::export::Export;
use crate::app::cx::Cx;
use crate::app::effects::export;
use crate::app::feedback::file_name;
use crate::formats::{Format, Paper, Reader};
use crate::look::mark::Mark;
use crate::look::text::count;

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
            return cx.toast_not_exported(&error);
        }
        let name = file_name(&self.call.tool, format.ending(), cx.shared);
        cx.run(export::Export { name, contents });
    }

    /// Writes the selected image, sound or resource to a file.
    pub(super) fn save(&mut self, cx: &mut Cx) {
        let Some(block) = self.block() else {
            return;
        };
        match contents::file(block) {
            Ok(file) => {
                let name = match file.about.as_str() {
                    "" => file_name(&self.call.tool, &file.ending, cx.shared),
                    about => format!("frontdesk-{about}.{}", file.ending),
                };
                let contents = file.bytes;
                cx.run(export::Export { name, contents });
            }
            Err(why) => cx.toast(Mark::Warn, format!("Not saved: {why}")),
        }
    }
}
