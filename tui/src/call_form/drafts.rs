//! What was typed and not sent is kept on disk, and offered when the same form opens again.

use frontdesk_client::Preset;
use frontdesk_protocol::id::UserId;
use jiff::SignedDuration;
use serde_json::{Map, Value};

use super::presets::without_secrets;
use super::stored::{ChangeDraft, DraftChange};
use super::{CallScreen, schema_of};
use crate::app::cx::Cx;
use crate::app::effects::disk::DiskError;
use crate::app::owner::RequestId;
use crate::look::mark::Mark;
use crate::look::text::clean;
use crate::look::time::day;

/// How long typing goes on before it is written to disk.
const PAUSE: SignedDuration = SignedDuration::from_secs(1);

/// The draft of the form.
#[derive(Debug, Default)]
pub(super) struct Drafts {
    /// The account whose draft it is, once the form was shown.
    account: Option<Option<UserId>>,
    reading: Option<RequestId>,
    timer: Option<RequestId>,
    /// The draft that was there when the form was opened.
    pub(super) found: Option<Preset>,
    /// What is on disk.
    kept: Option<Map<String, Value>>,
}

impl CallScreen {
    /// Whether the input is kept: not that of a read, of the answer to a question, or of a form of the door.
    pub(super) fn keeps_draft(&self) -> bool {
        self.own_purpose().is_none() && !self.tool.read_only
    }

    /// The name of the draft: the record that the form is for.
    fn draft_name(&self) -> String {
        let given = self.prepared.as_ref().map(|one| one.given.clone());
        let given = given.filter(|given| !given.is_empty());
        given.map_or(String::new(), |given| Value::Object(given).to_string())
    }

    fn draft_work(&self, cx: &mut Cx, change: DraftChange) -> RequestId {
        let account = self.drafts.account.flatten();
        cx.run(ChangeDraft(account, change))
    }

    /// Reads the draft, once.
    pub(super) fn read_draft(&mut self, cx: &mut Cx) {
        if self.keeps_draft() && self.drafts.account.is_none() {
            self.drafts.account = Some(cx.caller());
            let (peer, tool) = (self.peer.name().to_owned(), self.tool.name.clone());
            let name = self.draft_name();
            let change = DraftChange::Read { peer, tool, name };
            self.drafts.reading = Some(self.draft_work(cx, change));
        }
    }

    /// The draft was read, or a change of it has ended.
    pub(super) fn draft_came(
        &mut self,
        cx: &mut Cx,
        request: RequestId,
        result: Result<Option<Preset>, DiskError>,
    ) {
        let is_read = self.drafts.reading.take_if(|asked| *asked == request);
        match result {
            Ok(Some(draft)) if is_read.is_some() => {
                let at = day(draft.saved_at, cx.now(), &cx.shared.locale);
                let key = cx.shared.settings.keymap.key("tool.recall");
                let words = format!("What you typed here {at} was not sent: {key} fills it in");
                cx.toast(Mark::Info, words);
                self.drafts.kept.get_or_insert(draft.arguments.clone());
                self.drafts.found = Some(draft);
            }
            Ok(_) => {}
            Err(error) => cx.toast(Mark::Warn, format!("Drafts: {}", clean(&error.0))),
        }
    }

    /// Something may have been typed: it is written soon.
    pub(super) fn keep_soon(&mut self, cx: &mut Cx) {
        if self.drafts.timer.is_none() && self.keeps_draft() && self.form.value() != self.initial {
            self.drafts.timer = Some(cx.after(PAUSE));
        }
    }

    /// Handles the timer.
    pub(super) fn draft_due(&mut self, cx: &mut Cx, request: RequestId) {
        if self
            .drafts
            .timer
            .take_if(|timer| *timer == request)
            .is_some()
        {
            self.keep_draft(cx);
        }
    }

    /// Writes what is typed and not sent.
    pub(super) fn keep_draft(&mut self, cx: &mut Cx) {
        cx.cancel(&mut self.drafts.timer);
        let value = self.form.value();
        if !self.keeps_draft() || value == self.initial {
            return;
        }
        let (mut arguments, _) = without_secrets(&schema_of(&self.tool), &value);
        if let Some(prepared) = &self.prepared {
            arguments.retain(|name, _| !prepared.given.contains_key(name));
        }
        if self.drafts.kept.as_ref() != Some(&arguments) {
            let draft = Preset {
                peer: self.peer.name().to_owned(),
                tool: self.tool.name.clone(),
                name: self.draft_name(),
                arguments: arguments.clone(),
                saved_at: cx.now(),
            };
            self.drafts.kept = Some(arguments);
            self.draft_work(cx, DraftChange::Keep(draft));
        }
    }

    /// Leaves the form with what is typed and not sent.
    pub(super) fn leave_draft(&mut self, cx: &mut Cx) {
        self.keep_draft(cx);
        if self.form.value() != self.initial {
            cx.toast(
                Mark::Info,
                "Kept what you typed, for when this form opens again",
            );
        }
    }

    /// The form was sent or discarded: nothing of it is kept.
    pub(super) fn drop_draft(&mut self, cx: &mut Cx) {
        cx.cancel(&mut self.drafts.timer);
        self.initial = self.form.value();
        self.drafts.found = None;
        if self.drafts.kept.take().is_some() {
            let (peer, tool) = (self.peer.name().to_owned(), self.tool.name.clone());
            let name = self.draft_name();
            self.draft_work(cx, DraftChange::Remove { peer, tool, name });
        }
    }

    /// Leaves the form. What was typed is discarded, unless it was sent and the answer is not there yet.
    pub(super) fn discard(&mut self, cx: &mut Cx) {
        if !self.calling.is_loading() {
            self.drop_draft(cx);
        }
        cx.back();
    }
}
