//! The report of an applied plan, in words and as JSON.

use frontdesk_protocol::work::plan::Action;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::choice::Choice;
use super::preview::{Preview, Verdict};
use crate::app::effects::export::slug;
use crate::look::text::clean;
use crate::preview::{Done, Source, real};

pub(super) struct Report<'a>(pub(super) &'a Done<Preview>);

impl Report<'_> {
    /// The result in a few words.
    pub(super) fn headline(&self) -> String {
        let title = clean(self.0.plan.title());
        match &self.0.plan.verdict {
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

    /// The report as JSON, with control characters escaped.
    pub(super) fn json(&self) -> String {
        let (key, told) = match self.0.source {
            Source::Answer => ("result", "the host's answer"),
            Source::Look => ("plan", "checking: the host's answer was lost"),
        };
        let call = real(self.0.plan.choice.dry_run(), None);
        let mut report = json!({
            "tool": call.tool,
            "arguments": call.arguments,
            "known_at": self.0.at,
            "known_by": told,
        });
        if let Value::Object(report) = &mut report {
            report.insert(key.to_owned(), self.0.plan.json());
        }
        let mut text = serde_json::to_string_pretty(&report).unwrap_or_default();
        text.push('\n');
        escaped(&text)
    }

    /// The report's file name: `frontdesk-remove-weekly-sync-2026-03-12.json`.
    pub(super) fn file_name(&self, zone: &TimeZone) -> String {
        let name = slug(self.0.plan.title());
        let name = match name.as_str() {
            "" => "meeting",
            name => name,
        };
        let verb = match self.0.plan.choice {
            Choice::Removal { .. } => "remove",
            Choice::Promotion { .. } => "promote",
            Choice::Merge { .. } => "merge",
        };
        let date = self.0.at.to_zoned(zone.clone()).date();
        format!("frontdesk-{verb}-{name}-{date}.json")
    }

    /// The number of created meetings.
    pub(super) fn new_meetings(&self) -> usize {
        self.0.plan.totals().count(Action::Promote) as usize
    }
}

/// Escapes DEL, C1 and bidirectional control characters, which JSON leaves unchanged and a terminal
/// could obey when the file is shown or pasted.
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
