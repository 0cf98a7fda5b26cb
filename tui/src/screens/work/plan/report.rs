//! What was done: in words, and as JSON to keep.

use frontdesk_protocol::work::plan::Action;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::choice::Choice;
use super::preview::{Preview, Verdict};
use crate::app::export::slug;
use crate::ui::text::clean;

/// What was done.
#[derive(Debug)]
pub(super) struct Report {
    /// The plan that was carried out, as the host told it.
    pub(super) done: Preview,
    /// When this was known.
    pub(super) at: Timestamp,
    /// How it is known.
    pub(super) source: Source,
    /// The file that it was exported to last.
    pub(super) file: Option<String>,
}

/// How it is known that something was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// The host answered.
    Answer,
    /// The answer was lost; looking again showed it. The plan is the one that was confirmed, which
    /// the host carries out as it is, or not at all.
    Look,
}

impl Report {
    /// What was done, in a few words.
    pub(super) fn headline(&self) -> String {
        let title = clean(self.done.title());
        match &self.done.verdict {
            Verdict::Merge(merge) => {
                let canonical = clean(&merge.canonical.title);
                match merge.skeleton_removed {
                    true => format!("MERGED  {title} into {canonical}"),
                    false => format!("MERGED IN PART  {title} into {canonical}"),
                }
            }
            Verdict::Promotion(_) => format!("PROMOTED  {title}"),
            Verdict::Removal(_) | Verdict::Refused(_) => format!("REMOVED  {title}"),
        }
    }

    /// All of it as JSON, for people and programs. Control characters are escaped in it.
    pub(super) fn json(&self) -> String {
        let (key, told) = match self.source {
            Source::Answer => ("result", "the host's answer"),
            Source::Look => ("plan", "looking again: the host's answer was lost"),
        };
        let call = self.done.choice.real();
        let mut report = json!({
            "tool": call.tool,
            "arguments": call.arguments,
            "known_at": self.at,
            "known_by": told,
        });
        if let Value::Object(report) = &mut report {
            report.insert(key.to_owned(), self.done.json());
        }
        let mut text = serde_json::to_string_pretty(&report).unwrap_or_default();
        text.push('\n');
        escaped(&text)
    }

    /// The name of a file for it: `frontdesk-remove-weekly-sync-2026-03-12.json`.
    pub(super) fn file_name(&self, zone: &TimeZone) -> String {
        let name = slug(self.done.title());
        let name = match name.as_str() {
            "" => "meeting",
            name => name,
        };
        let verb = match self.done.choice {
            Choice::Removal { .. } => "remove",
            Choice::Promotion { .. } => "promote",
            Choice::Merge { .. } => "merge",
        };
        let date = self.at.to_zoned(zone.clone()).date();
        format!("frontdesk-{verb}-{name}-{date}.json")
    }

    /// How many meetings are new.
    pub(super) fn new_meetings(&self) -> usize {
        self.done.totals().count(Action::Promote) as usize
    }
}

/// JSON leaves DEL, the C1 control characters and those that turn text around as they are; a
/// terminal that is shown the file, or pasted into, may obey them.
fn escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for char in json.chars() {
        if char == '\n' || clean(&char.to_string()).contains(char) {
            out.push(char);
        } else {
            for unit in char.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    out
}
