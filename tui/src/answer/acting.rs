//! Commands of an answer: apply, refresh, page, open a record.

use frontdesk_client::Content;
use jiff::Timestamp;
use ratatui::layout::Size;
use serde_json::Value;

use super::body::fields_of;
use super::tree::Tree;
use super::{AnswerScreen, Body, Showing, alone, blocks_of, contents, fields, view};
use crate::answer::danger::before_removing;
use crate::app::cx::{Cx, Move, News};
use crate::app::effects::call::Answer;
use crate::app::owner::RequestId;
use crate::app::peer::Peer;
use crate::app::shared::Shared;
use crate::look::mark::Mark;
use crate::preview::{self, Previewed as _};
use crate::records::names::want_names_in;
use crate::ui::picture::Picture;

impl AnswerScreen {
    /// Applies the preview. A destructive tool asks first.
    pub(super) fn apply(&mut self, cx: &mut Cx) {
        let Some(dry_run) = self.plan.as_mut().and_then(|plan| plan.confirm()) else {
            return;
        };
        let bound = match dry_run.digest() {
            Some(_) => "Applies exactly this preview, or nothing.",
            None => "The data may have changed since this preview.",
        };
        match self.tool.destructive {
            true => before_removing(cx, &self.call, None, "Apply", bound, |state, out| {
                state.act(out, AnswerScreen::confirmed);
            }),
            false => self.confirmed(cx),
        }
    }

    fn confirmed(&mut self, cx: &mut Cx) {
        if let Some(plan) = &mut self.plan {
            plan.apply(cx, true);
        }
    }

    /// Repeats the call if it changes nothing.
    pub(super) fn ask_again(&mut self, cx: &mut Cx) {
        if self.reply.is_loading() || self.is_part {
            return;
        }
        match &mut self.plan {
            Some(plan) if plan.too_late() != Some(preview::IS_DONE) => plan.refresh(cx),
            None if self.call.changes_nothing => {
                self.reply.begin(cx.send(self.call.clone()));
            }
            _ => cx.toast(Mark::Warn, "Not repeated: go back to call the tool again"),
        }
    }

    /// A number of the page: as answered, otherwise as requested.
    fn paging(&self, name: &str) -> Option<u64> {
        let answered = self.json().get(name);
        answered.or_else(|| self.call.arguments.get(name))?.as_u64()
    }

    /// The number of records before this page.
    pub(super) fn offset(&self) -> u64 {
        let offset = self.paging("offset").filter(|_| !self.is_part);
        offset.unwrap_or(0)
    }

    /// The offset of the next page, if there is one.
    pub(super) fn next_offset(&self) -> Option<u64> {
        let value = self.json();
        let is_one = self.showing() == Showing::Answer && self.call.changes_nothing;
        let has_more = value.get("has_more") == Some(&Value::Bool(true));
        let here = self.offset();
        let there = self.records()?.len() as u64;
        (is_one && has_more && there > 0 && !self.reply.is_loading()).then_some(here + there)
    }

    /// The offset of the previous page, if there is one.
    pub(super) fn previous_offset(&self) -> Option<u64> {
        let is_one = self.showing() == Showing::Answer && self.call.changes_nothing;
        let here = self.offset();
        let length = match self.paging("limit") {
            Some(limit) => limit,
            None => self.records()?.len() as u64,
        };
        (is_one && here > 0 && !self.reply.is_loading()).then(|| here.saturating_sub(length))
    }

    /// Loads the page at this offset.
    pub(super) fn turn_to(&mut self, cx: &mut Cx, offset: Option<u64>) {
        if let Some(offset) = offset {
            self.call
                .arguments
                .insert("offset".to_owned(), offset.into());
            self.is_other_page = true;
            self.reply.begin(cx.send(self.call.clone()));
        }
    }

    /// Handles a further answer of the tool.
    pub(super) fn came(&mut self, cx: &mut Cx, request: RequestId, answer: Answer) {
        let now = cx.now();
        let result = match &mut self.plan {
            None => answer.result,
            Some(plan) => {
                plan.answered(cx, request, &answer);
                if let preview::Phase::Done(done) = &plan.phase
                    && self.call.changes_nothing
                {
                    self.call = preview::real(done.plan.choice().clone(), done.plan.digest());
                    let (peer, tool) = (self.call.peer.clone(), self.call.tool.clone());
                    cx.toast(Mark::Good, format!("Done: {tool}"));
                    cx.tell(News::Applied(peer, tool));
                }
                let Some(shown) = plan.shown().map(|dry_run| dry_run.reply.clone()) else {
                    return;
                };
                self.reply.begin(request);
                Ok(shown)
            }
        };
        let mut block = None;
        let result = result.map(|reply| {
            let (reply, only) = alone(&self.call, reply);
            block = only;
            reply
        });
        let is_new = result.is_ok();
        let mark = match std::mem::take(&mut self.is_other_page) {
            true => None,
            false => {
                let answer = self.blocks.as_ref().unwrap_or_else(|| self.json());
                self.best.bookmark(answer)
            }
        };
        if !self.reply.finish(request, now, result) || !is_new {
            return;
        }
        if block.is_some() {
            self.picture = block.as_ref().and_then(contents::picture).map(Picture::new);
            self.block = block;
            self.fit_picture(cx);
        }
        let reply = self.reply.value();
        let answer = reply.map_or(&Value::Null, |reply| &reply.value);
        self.blocks = reply.and_then(blocks_of);
        let shown = self.blocks.as_ref().unwrap_or(answer);
        self.fields = fields(&self.call, shown);
        self.best
            .renew(shown, &self.fields, mark.as_ref(), cx.shared);
        self.as_json = self.is_json.then(|| Body::json(answer));
        self.want_names(cx);
    }

    /// Opens the selection: a part on its own screen, or a folded node of a tree.
    pub(super) fn open(&mut self, cx: &mut Cx) {
        let (body, answer) = self.body_mut();
        body.end_search();
        let is_nested = |tree: &Tree| tree.value(answer).is_some_and(|value| !value.is_string());
        if body.tree().is_some_and(is_nested) {
            body.on_tree(answer, Tree::turn);
            return;
        }
        if let (Some(Content::Link { uri, .. }), Peer::Server(server)) =
            (self.block(), &self.call.peer)
        {
            let screen = (cx.shared.parts.resource)(server, uri);
            cx.out.moves.push(Move::Open(screen));
            return;
        }
        if let Some(block) = self.block().filter(|_| self.block.is_none()).cloned() {
            let screen = self.block_screen(block, cx.now());
            cx.open(screen);
            return;
        }
        if let Some(part) = self.body().part(self.shown_value(), &self.fields) {
            let screen = self.part(part.name, part.fields, part.value.clone(), cx.now());
            cx.open(screen);
        }
    }

    /// The screen of an image, sound or resource: its text or its description.
    fn block_screen(&self, block: Content, now: Timestamp) -> AnswerScreen {
        let part = contents::value(&block);
        AnswerScreen {
            picture: contents::picture(&block).map(Picture::new),
            block: Some(block.clone()),
            ..self.part(
                Some(contents::name(&block)),
                fields_of(None, &part),
                part,
                now,
            )
        }
    }

    /// Renders the picture at its current size.
    pub(super) fn fit_picture(&mut self, cx: &mut Cx) {
        let size = cx.shared.size;
        let size = Size::new(size.width, size.height.saturating_sub(view::BESIDE_PICTURE));
        if let Some(picture) = &mut self.picture {
            picture.fit(cx, size);
        }
    }

    /// Moves to the next column, or unfolds the node.
    pub(super) fn right(&mut self) {
        let (body, answer) = self.body_mut();
        body.right(answer);
    }

    /// Moves to the previous column, or folds the node.
    pub(super) fn left(&mut self) {
        let (body, answer) = self.body_mut();
        body.left(answer);
    }

    /// Toggles between rendered Markdown and its source.
    pub(super) fn turn_markdown(&mut self) {
        let (body, answer) = self.body_mut();
        if let Some(prose) = body.markdown(answer) {
            prose.turn();
        }
    }

    /// Folds or unfolds the whole tree.
    pub(super) fn fold_all(&mut self) {
        let (body, answer) = self.body_mut();
        body.on_tree(answer, Tree::turn_all);
    }

    /// Sorts by the selected column.
    pub(super) fn sort_here(&mut self, shared: &Shared) {
        let (body, answer) = self.body_mut();
        body.on_table(answer, |table, records| table.sort_here(records, shared));
    }

    /// Requests the names of the records that the answer refers to.
    pub(super) fn want_names(&self, cx: &mut Cx) {
        let value = self.json();
        let one = std::slice::from_ref(value);
        let records = value.as_array().map_or(one, Vec::as_slice);
        for record in records.iter().filter_map(Value::as_object) {
            want_names_in(cx, &self.call.peer, &self.fields, record);
        }
    }

    /// Toggles JSON.
    pub(super) fn turn(&mut self) {
        self.is_json = !self.is_json;
        if self.as_json.is_none() {
            self.as_json = Some(Body::json(self.json()));
        }
    }
}
