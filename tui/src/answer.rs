//! The answer of a tool as a table, card, text or tree; and previews that can be applied.

mod acting;
mod body;
mod card;
pub(crate) mod command_line;
mod commands;
mod contents;
mod copying;
pub(crate) mod danger;
mod dry_run;
pub(crate) mod export;
mod exporting;
mod prose;
mod table;
#[cfg(test)]
mod tests;
mod tree;
mod view;
mod watching;

use crossterm::event::KeyEvent;
use frontdesk_client::{Content, ToolInfo};
use frontdesk_protocol::{Declaration, Host};
use jiff::Timestamp;
use ratatui::Frame;
use ratatui::layout::Rect;
use serde_json::Value;

use body::{Body, fields_of};
pub(crate) use commands::{ANSWER, COMMANDS, OFFERS};
pub(crate) use contents::picture as picture_of;
use dry_run::DryRun;

use crate::app::cx::{Cx, News};
use crate::app::effects::call::{Method, ToolCall};
use crate::app::effects::curl::AsCurl;
use crate::app::effects::export::Export;
use crate::app::effects::job::Outcome;
use crate::app::input::command::Context;
use crate::app::owner::RequestId;
use crate::app::peer::{Peer, Reply};
use crate::app::remote::Remote;
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::app::state::Typing;
use crate::fields::{Field, Is};
use crate::preview::{self, DRY_RUN, Machine};
use crate::ui::picture::Picture;

/// The content of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Showing {
    /// The answer of a tool.
    Answer,
    /// The preview of a call.
    Preview,
    /// The answer to an applied preview.
    Applied,
    /// A part of an answer, such as one record.
    Part,
}

/// The screen of an answer.
#[derive(Debug)]
pub(crate) struct AnswerScreen {
    tool: ToolInfo,
    call: ToolCall,
    /// The plan, if the tool made a dry run.
    plan: Option<Box<Machine<DryRun>>>,
    is_part: bool,
    /// The last answer.
    reply: Remote<Reply>,
    /// Images, sounds and resources as rows, if the answer has any.
    blocks: Option<Value>,
    /// The title of the part.
    name: Option<String>,
    /// The image, sound or resource shown.
    block: Option<Content>,
    /// The same as a picture, if it is an image.
    picture: Option<Picture>,
    /// The fields of the answer.
    fields: Vec<Field>,
    /// The default display.
    best: Body,
    /// The display as JSON, once requested.
    as_json: Option<Body>,
    /// Whether it is shown as JSON.
    is_json: bool,
    /// Another page of the list is being loaded.
    is_other_page: bool,
}

impl AnswerScreen {
    /// The screen for the answer to this call.
    pub(crate) fn new(tool: ToolInfo, call: ToolCall, reply: Reply, now: Timestamp) -> Self {
        let (reply, block) = alone(&call, reply);
        let blocks = blocks_of(&reply);
        let is_dry_run = call.arguments.get(DRY_RUN) == Some(&Value::Bool(true));
        let plan = is_dry_run.then(|| {
            let dry_run = DryRun::new(call.clone(), reply.clone());
            let mut plan = Machine::new(call.clone());
            plan.preview = Remote::known(dry_run, now);
            Box::new(plan)
        });
        let shown = blocks.as_ref().unwrap_or(&reply.value);
        let fields = fields(&call, shown);
        AnswerScreen {
            tool,
            call,
            plan,
            is_part: false,
            name: None,
            picture: block.as_ref().and_then(contents::picture).map(Picture::new),
            block,
            best: Body::of(shown, &fields),
            fields,
            blocks,
            as_json: None,
            reply: Remote::known(reply, now),
            is_json: false,
            is_other_page: false,
        }
    }

    /// The call that was answered.
    pub(super) fn call(&self) -> &ToolCall {
        &self.call
    }

    /// A screen for a part of the answer with these fields.
    fn part(&self, name: Option<String>, fields: Vec<Field>, part: Value, now: Timestamp) -> Self {
        AnswerScreen {
            plan: None,
            is_part: true,
            best: Body::of_part(&part, &fields),
            fields,
            name,
            ..AnswerScreen::new(self.tool.clone(), self.call.clone(), part.into(), now)
        }
    }

    fn showing(&self) -> Showing {
        match &self.plan {
            _ if self.is_part => Showing::Part,
            None => Showing::Answer,
            Some(plan) if matches!(plan.phase, preview::Phase::Done(_)) => Showing::Applied,
            Some(_) => Showing::Preview,
        }
    }

    /// Whether it shows the resources or prompts of a server.
    fn is_list_of_server(&self) -> bool {
        let method = &self.call.options.method;
        matches!(method, Method::Resources | Method::Prompts | Method::Tasks)
    }

    /// The selected resource or prompt, with its server.
    pub(crate) fn offer(&self) -> Option<(&str, &Value)> {
        match &self.call.peer {
            Peer::Server(server) if self.is_list_of_server() => {
                Some((server, self.body().record(self.shown_value())?))
            }
            _ => None,
        }
    }

    /// The answer, or the shown part of it.
    fn json(&self) -> &Value {
        self.reply
            .value()
            .map_or(&Value::Null, |reply| &reply.value)
    }

    /// The shown value: the rows of its content blocks, or the answer itself.
    fn shown_value(&self) -> &Value {
        let blocks = self.blocks.as_ref().filter(|_| !self.is_json);
        blocks.unwrap_or_else(|| self.json())
    }

    /// The selected or shown content block.
    fn block(&self) -> Option<&Content> {
        if let Some(block) = &self.block {
            return Some(block);
        }
        self.blocks.as_ref().filter(|_| !self.is_json)?;
        let at = self.body().table()?.index()?;
        self.reply.value()?.content.get(at)
    }

    /// The current display.
    fn body(&self) -> &Body {
        let as_json = self.as_json.as_ref().filter(|_| self.is_json);
        as_json.unwrap_or(&self.best)
    }

    /// The current display, mutable, and its value.
    fn body_mut(&mut self) -> (&mut Body, &Value) {
        let reply = self.reply.value();
        let answer = reply.map_or(&Value::Null, |reply| &reply.value);
        let answer = match &self.blocks {
            Some(blocks) if !self.is_json => blocks,
            _ => answer,
        };
        let as_json = self.as_json.as_mut().filter(|_| self.is_json);
        (as_json.unwrap_or(&mut self.best), answer)
    }

    /// Its records, if it is shown as a table.
    fn records(&self) -> Option<&[Value]> {
        self.body().table()?;
        table::records(self.shown_value())
    }
}

/// The content blocks of an answer as rows, if there are any. Those of a prompt have roles.
fn blocks_of(reply: &Reply) -> Option<Value> {
    if reply.content.is_empty() {
        return None;
    }
    let mut rows = contents::rows(&reply.content);
    let messages = reply.value["messages"].as_array().into_iter().flatten();
    let blocks = rows["content"].as_array_mut().into_iter().flatten();
    for (row, message) in blocks.zip(messages) {
        if let (Some(row), Value::String(role)) = (row.as_object_mut(), &message["role"]) {
            row.shift_insert(0, "role".to_owned(), role.as_str().into());
        }
    }
    Some(rows)
}

/// A resource that is read is shown by its only content.
fn alone(call: &ToolCall, reply: Reply) -> (Reply, Option<Content>) {
    match reply.content.as_slice() {
        [only] if call.options.method == Method::Read => {
            let block = only.clone();
            (contents::value(&block).into(), Some(block))
        }
        _ => (reply, None),
    }
}

/// The fields of an answer, as its tool declares them.
fn fields(call: &ToolCall, value: &Value) -> Vec<Field> {
    let Peer::Host(host) = call.peer else {
        return fields_of(None, value);
    };
    let declared = host.tool(&call.tool).map(Declaration::result);
    let mut fields = fields_of(declared.as_ref(), value);
    find_names(host, &mut fields);
    fields
}

/// Finds the names of the records in these fields.
fn find_names(host: Host, fields: &mut [Field]) {
    for field in fields {
        let mut kinds = host.kinds();
        let kind = kinds.find(|kind| [kind.singular, kind.plural].contains(&field.name.as_str()));
        let name = kind.and_then(|kind| kind.fields.name).unwrap_or("name");
        if let Is::Rows(inner) | Is::Record(inner) = &mut field.is {
            for one in inner.iter_mut().filter(|one| one.name == name) {
                one.is = Is::Name;
            }
            find_names(host, inner);
        }
    }
}

impl Screen for AnswerScreen {
    fn context(&self) -> &'static Context {
        match self.showing() {
            Showing::Preview => &commands::PREVIEW,
            Showing::Answer if self.is_list_of_server() => &commands::OFFERS,
            Showing::Answer | Showing::Applied | Showing::Part => &commands::ANSWER,
        }
    }

    fn crumb(&self) -> String {
        match self.showing() {
            Showing::Answer => match self.call.options.method {
                Method::Tool | Method::Complete(_) | Method::TaskResult(_) => "Answer",
                Method::Tasks => "Tasks",
                Method::Resources => "Resources",
                Method::Prompts => "Prompts",
                Method::Read | Method::Prompt => {
                    self.tool.title.as_deref().unwrap_or(&self.tool.name)
                }
            },
            Showing::Preview => "Preview",
            Showing::Applied => "Done",
            Showing::Part => self.name.as_deref().unwrap_or("Record"),
        }
        .to_owned()
    }

    fn shown(&mut self, cx: &mut Cx) {
        self.fit_picture(cx);
        self.want_names(cx);
        self.watch(cx, self.watched());
    }

    fn hidden(&mut self, cx: &mut Cx) {
        if self.watched().is_some() {
            self.watch(cx, None);
        }
    }

    fn resized(&mut self, cx: &mut Cx) {
        self.fit_picture(cx);
    }

    fn refresh(&mut self, cx: &mut Cx) {
        self.ask_again(cx);
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: Outcome) {
        match outcome {
            Outcome::Call(answer) => self.came(cx, request, answer),
            mut outcome => {
                if let Some(ended) = outcome.take::<AsCurl>() {
                    copying::curl(cx, ended.result);
                } else if let Some(ended) = outcome.take::<Export>() {
                    cx.toast_exported("", &ended.result);
                } else if let Some(picture) = &mut self.picture {
                    picture.answered(request, &mut outcome);
                }
            }
        }
    }

    fn notified(&mut self, cx: &mut Cx, news: &News) {
        if let Some(plan) = &mut self.plan {
            plan.notified(cx, news);
        }
        if self.is_outdated_by(news) {
            self.ask_again(cx);
        }
    }

    fn step(&mut self, cx: &mut Cx, by: isize) {
        let (body, answer) = self.body_mut();
        body.step(answer, cx.shared, by);
    }

    fn typing(&self) -> Typing {
        self.body().typing()
    }

    fn key(&mut self, cx: &mut Cx, key: KeyEvent) {
        let (body, answer) = self.body_mut();
        body.key(answer, cx.shared, key);
    }

    fn paste(&mut self, cx: &mut Cx, text: &str) {
        let (body, answer) = self.body_mut();
        body.paste(answer, cx, text);
    }

    fn escape(&mut self, cx: &mut Cx) -> bool {
        let (body, answer) = self.body_mut();
        body.clear_search(answer, cx.shared)
            || self.plan.as_ref().is_some_and(|plan| plan.keeps(cx))
    }

    fn can_search(&self) -> bool {
        self.body().can_search()
    }

    fn can_sort(&self) -> bool {
        self.body().table().is_some()
    }

    fn search(&mut self) {
        self.body_mut().0.begin_search();
    }

    fn sort(&mut self, shared: &Shared) {
        let (body, answer) = self.body_mut();
        body.on_table(answer, |table, records| table.sort(records, shared));
    }

    fn reverse(&mut self, shared: &Shared) {
        let (body, answer) = self.body_mut();
        body.on_table(answer, |table, records| table.reverse(records, shared));
    }

    fn waits_for(&self, server: &str) -> bool {
        let is_called = matches!(&self.call.peer, Peer::Server(name) if name == server);
        is_called && self.reply.is_loading()
    }

    fn is_busy(&self) -> bool {
        self.reply.is_loading() || self.plan.as_ref().is_some_and(|plan| plan.is_busy())
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        view::draw(self, shared, frame, area);
    }
}
