//! What a tool answered: a table, a card or JSON; and what a dry run would do, to be applied.

mod acting;
mod commands;
#[cfg(test)]
mod tests;
mod view;

use frontdesk_client::ToolInfo;
use jiff::Timestamp;
use ratatui::Frame;
use ratatui::layout::Rect;
use serde_json::Value;

pub(crate) use commands::COMMANDS;

use super::call::DRY_RUN;
use crate::app::cx::Cx;
use crate::app::effect::{Outcome, RequestId, ToolCall};
use crate::app::peer::Reply;
use crate::app::remote::Remote;
use crate::app::shared::Shared;
use crate::commands::Context;
use crate::screens::Page;
use crate::shape::Shape;
use crate::ui::table;

/// What is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// What the tool answered.
    Answer,
    /// What it would do.
    Preview,
    /// What it did after a preview.
    Applied,
    /// One record of an answer.
    Record,
}

/// What a tool answered.
#[derive(Debug)]
pub(crate) struct AnswerScreen {
    tool: ToolInfo,
    call: ToolCall,
    stage: Stage,
    reply: Remote<Reply>,
    /// The selected record of a table.
    at: usize,
    /// The line at the top of what is no table.
    top: usize,
    /// As JSON, whatever else it could be.
    is_json: bool,
    /// The preview is being applied.
    applying: Option<RequestId>,
    /// What was tried last is to apply it.
    was_applied: bool,
    /// What was asked about, to be applied.
    confirming: Option<ToolCall>,
}

impl AnswerScreen {
    /// The answer to this call.
    pub(crate) fn new(tool: ToolInfo, call: ToolCall, reply: Reply, now: Timestamp) -> Self {
        let stage = match call.arguments.get(DRY_RUN) {
            Some(Value::Bool(true)) => Stage::Preview,
            _ => Stage::Answer,
        };
        AnswerScreen {
            tool,
            call,
            stage,
            reply: Remote::known(reply, now),
            at: 0,
            top: 0,
            is_json: false,
            applying: None,
            was_applied: false,
            confirming: None,
        }
    }

    /// One record of it.
    fn record(&self, record: Value, now: Timestamp) -> Self {
        AnswerScreen {
            stage: Stage::Record,
            ..AnswerScreen::new(self.tool.clone(), self.call.clone(), record.into(), now)
        }
    }

    /// The answer.
    fn json(&self) -> &Value {
        self.reply
            .value()
            .map_or(&Value::Null, |reply| &reply.value)
    }

    /// Its records, where it is shown as a table.
    fn records(&self) -> Option<&[Value]> {
        let list = Shape::of(self.json()).and_then(|shape| shape.list);
        let (_, records) = list.filter(|_| !self.is_json)?;
        Some(records)
    }
}

impl Page for AnswerScreen {
    fn context(&self) -> Context {
        match self.stage {
            Stage::Preview => Context::Preview,
            Stage::Answer | Stage::Applied | Stage::Record => Context::Answer,
        }
    }

    fn crumb(&self) -> String {
        match self.stage {
            Stage::Answer => "Answer",
            Stage::Preview => "Preview",
            Stage::Applied => "Done",
            Stage::Record => "Record",
        }
        .to_owned()
    }

    fn shown(&mut self, _: &mut Cx) {}

    fn refresh(&mut self, cx: &mut Cx) {
        self.ask_again(cx);
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: Outcome) {
        if let Outcome::Tool(result) = outcome {
            self.came(cx, request, result);
        }
    }

    fn step(&mut self, cx: &mut Cx, by: isize) {
        match self.records().map(<[Value]>::len) {
            Some(records) => {
                let rows: Vec<usize> = (0..records).collect();
                self.at = table::step(&rows, Some(self.at), by).unwrap_or(0);
            }
            None => {
                let last = view::last_top(self, cx.shared);
                self.top = self.top.min(last).saturating_add_signed(by).min(last);
            }
        }
    }

    fn is_busy(&self) -> bool {
        self.reply.is_loading()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        view::draw(self, shared, frame, area);
    }
}
