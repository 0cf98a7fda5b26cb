//! The tab of a server's page with every message between it and this program, newest first.
//!
//! The messages are kept outside the loop ([`frontdesk_client::trace`]), and searched there ([`super::finding`]). The tab
//! knows the numbers of those that it lists, looks for new ones a few times a second while it is visible, and reads only
//! the rows that it draws.

use std::sync::Arc;

use crossterm::event::KeyEvent;
use frontdesk_client::ToolInfo;
use frontdesk_client::trace::{Direction, HIDDEN, Kept, Kind, Message};
use frontdesk_protocol::exact;
use jiff::SignedDuration;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use serde_json::{Map, Value};
use tokio::task::spawn_blocking;

use super::finding::{Filter, Find, Found};
use super::offers;
use crate::app::cx::Cx;
use crate::app::effects::call::{CallOptions, Method, ToolCall};
use crate::app::effects::curl::AsCurl;
use crate::app::effects::job::{Ended, Job, Lost, Outcome};
use crate::app::effects::platform::Platform;
use crate::app::effects::server_jobs::{FetchTools, MessagesOf};
use crate::app::owner::RequestId;
use crate::app::peer::Peer;
use crate::app::reporter::Reporter;
use crate::app::shared::Shared;
use crate::call_form::CallScreen;
use crate::look::mark::Mark;
use crate::look::text::{clean, count};
use crate::look::time::clock_seconds;
use crate::ui::panel::framed;
use crate::ui::search::Search;
use crate::ui::table::{self, Column, Row, moved};
use crate::ui::wrap::wrapped;

/// How often new messages are looked for.
const AGAIN: SignedDuration = SignedDuration::from_millis(250);
/// The longest message that is read in the loop, in bytes: a row tells more of it than its method.
const BRIEF: usize = 8 * 1024;
/// Height of the app's lines, the tabs and the frame around an open message.
const AROUND: u16 = 6;

/// A message that is shown whole.
#[derive(Debug)]
struct Whole {
    message: Arc<Message>,
    lines: Vec<String>,
    /// The first visible line.
    top: usize,
    /// The lines of a long message, which take longer than a frame, are on their way.
    waiting: Option<RequestId>,
}

/// Makes the lines of a message outside the loop.
#[derive(Debug)]
struct LayOut {
    message: Arc<Message>,
    width: usize,
}

impl Job for LayOut {
    type Value = Vec<String>;
    type Error = Lost;

    async fn run(self: Arc<Self>, _: Platform, _: Reporter) -> Result<Vec<String>, Lost> {
        let laid_out = spawn_blocking(move || lines(&self.message, self.width));
        laid_out.await.map_err(|_| Lost)
    }
}

impl Whole {
    /// Makes its lines, at once if it is short.
    fn lay_out(&mut self, cx: &mut Cx) {
        let width = cx.shared.size.width.saturating_sub(2).into();
        cx.abort(self.waiting.take());
        let message = Arc::clone(&self.message);
        match message.text.len() <= BRIEF {
            true => self.lines = lines(&message, width),
            false => self.waiting = Some(cx.run(LayOut { message, width })),
        }
    }
}

/// The tab.
#[derive(Debug, Default)]
pub(super) struct Messages {
    server: String,
    kept: Option<Kept>,
    /// The numbers of the listed messages, the oldest first.
    found: Vec<usize>,
    /// The number of the next message that was not looked at; without one, all are.
    next: Option<usize>,
    /// The search for messages that are listed, too.
    finding: Option<RequestId>,
    /// The selected message; without one, the newest.
    at: Option<usize>,
    filter: Filter,
    search: Search,
    whole: Option<Whole>,
    timer: Option<RequestId>,
    /// The call that waits for the tools of the server.
    waiting: Option<(RequestId, Value)>,
}

impl Messages {
    pub(super) fn new(server: String) -> Self {
        Messages {
            server,
            ..Messages::default()
        }
    }

    /// The tab became visible.
    pub(super) fn shown(&mut self, cx: &mut Cx) {
        if self.kept.is_none() {
            cx.run(MessagesOf(self.server.clone()));
        }
        self.look(cx);
    }

    /// The tab was hidden.
    pub(super) fn hidden(&mut self, cx: &mut Cx) {
        cx.cancel(&mut self.timer);
        cx.abort(self.finding.take());
    }

    /// Lists what is new, and looks again later.
    pub(super) fn look(&mut self, cx: &mut Cx) {
        cx.cancel(&mut self.timer);
        self.timer = Some(cx.after(AGAIN));
        self.follow(cx);
    }

    pub(super) fn fired(&mut self, cx: &mut Cx, timer: RequestId) {
        if self.timer == Some(timer) {
            self.look(cx);
        }
    }

    /// Drops what is no longer kept, and looks for what is new.
    fn follow(&mut self, cx: &mut Cx) {
        let Some(kept) = &self.kept else { return };
        let numbers = kept.numbers();
        let gone = self.found.partition_point(|it| *it < numbers.start);
        self.found.drain(..gone);
        self.at = self.at.filter(|at| *at >= numbers.start);
        if self.finding.is_none() && self.next != Some(numbers.end) {
            let text = self.search.text();
            let find = Find::new(kept.clone(), self.next, self.filter, &text);
            self.finding = Some(cx.run(find));
        }
    }

    /// Lists everything again. What was listed stays until then.
    fn relist(&mut self, cx: &mut Cx) {
        cx.abort(self.finding.take());
        self.next = None;
        self.follow(cx);
    }

    fn list(&mut self, is_all: bool, found: Found) {
        if is_all {
            self.found.clear();
        }
        self.found.extend(found.numbers);
        self.next = Some(found.next);
        self.at = self.at.filter(|at| self.found.binary_search(at).is_ok());
    }

    pub(super) fn selected(&self) -> Option<Arc<Message>> {
        let number = self.at.or(self.found.last().copied())?;
        self.kept.as_ref()?.get(number)
    }

    /// The position of the selected message, counted from the newest.
    fn position(&self) -> Option<usize> {
        let last = self.found.len().checked_sub(1)?;
        let at = self.at.and_then(|at| self.found.binary_search(&at).ok());
        Some(last - at.unwrap_or(last))
    }

    pub(super) fn step(&mut self, cx: &mut Cx, by: isize) {
        if let Some(whole) = &mut self.whole {
            let height = usize::from(cx.shared.size.height.saturating_sub(AROUND));
            let last = whole.lines.len().saturating_sub(height);
            whole.top = whole.top.saturating_add_signed(by).min(last);
            return;
        }
        let position = moved(self.found.len(), self.position(), by);
        // At the top, the newest stays selected.
        let position = position.filter(|position| *position > 0);
        self.at = position.and_then(|it| self.found.iter().nth_back(it).copied());
    }

    pub(super) fn escape(&mut self, cx: &mut Cx) -> bool {
        if self.whole.take().is_some() {
            return true;
        }
        let was_searching = self.search.clear();
        let was_filtered = std::mem::take(&mut self.filter) != Filter::All;
        self.relist(cx);
        was_searching || was_filtered
    }

    pub(super) fn search(&mut self) {
        self.whole = None;
        self.search.begin();
    }

    pub(super) fn field(&self) -> &Search {
        &self.search
    }

    pub(super) fn key(&mut self, cx: &mut Cx, key: KeyEvent) {
        if self.search.key(key) {
            self.relist(cx);
        }
    }

    pub(super) fn paste(&mut self, cx: &mut Cx, text: &str) {
        if self.search.paste(cx, text) {
            self.relist(cx);
        }
    }

    pub(super) fn resized(&mut self, cx: &mut Cx) {
        if let Some(whole) = &mut self.whole {
            whole.top = 0;
            whole.lay_out(cx);
        }
    }

    pub(super) fn open(&mut self, cx: &mut Cx) {
        if self.search.end() || self.whole.is_some() {
            return;
        }
        self.whole = self.selected().map(|message| {
            let mut whole = Whole {
                message,
                lines: Vec::new(),
                top: 0,
                waiting: None,
            };
            whole.lay_out(cx);
            whole
        });
    }

    pub(super) fn filter_next(&mut self, cx: &mut Cx) {
        self.whole = None;
        self.filter = self.filter.next();
        self.relist(cx);
    }

    pub(super) fn clear(&mut self, cx: &mut Cx) {
        if let Some(kept) = &self.kept {
            kept.clear();
        }
        self.whole = None;
        self.relist(cx);
    }

    pub(super) fn copy(&mut self, cx: &mut Cx) {
        if let Some(message) = self.selected() {
            cx.copy(pretty(&message.text), "as JSON");
        }
    }

    pub(super) fn copy_curl(&mut self, cx: &mut Cx) {
        if let Some((_, params)) = self.selected().and_then(|it| asked(&it)) {
            cx.run(AsCurl(ToolCall {
                peer: Peer::Server(self.server.clone()),
                tool: params["name"].as_str().unwrap_or_default().to_owned(),
                arguments: params["arguments"].as_object().cloned().unwrap_or_default(),
                options: CallOptions::default(),
                changes_nothing: false,
                by_hand: true,
            }));
        }
    }

    /// Repeats the selected request.
    pub(super) fn repeat(&mut self, cx: &mut Cx) {
        let Some((method, params)) = self.selected().and_then(|it| asked(&it)) else {
            return;
        };
        let text = |name: &str| params[name].as_str().unwrap_or_default();
        match method.as_str() {
            "tools/call" => {
                let tools = FetchTools(Peer::Server(self.server.clone()));
                self.waiting = Some((cx.run(tools), params));
            }
            "resources/read" => cx.open(offers::resource(&self.server, text("uri"))),
            "prompts/get" => {
                let (given, _) = without_hidden(&params["arguments"]);
                cx.open(offers::prompt(&self.server, text("name"), &given));
            }
            "prompts/list" => cx.open(offers::list(&self.server, Method::Prompts)),
            "tools/list" => drop(cx.run(FetchTools(Peer::Server(self.server.clone())))),
            _ => cx.open(offers::list(&self.server, Method::Resources)),
        }
    }

    pub(super) fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: &mut Outcome) {
        if let Some(Ended {
            result: Ok(kept), ..
        }) = outcome.take::<MessagesOf>()
        {
            self.kept = kept;
            self.follow(cx);
        } else if let Some(ended) = outcome.take::<Find>() {
            if self.finding.take_if(|it| *it == request).is_some()
                && let Ok(found) = ended.result
            {
                self.list(ended.job.from.is_none(), found);
            }
        } else if let Some(ended) = outcome.take::<LayOut>() {
            if let Some(whole) = &mut self.whole
                && whole.waiting.take_if(|it| *it == request).is_some()
                && let Ok(lines) = ended.result
            {
                whole.lines = lines;
            }
        } else if let Some(ended) = outcome.take::<AsCurl>() {
            match ended.result {
                Ok(command) => cx.copy(command, "as a curl command"),
                Err(why) => cx.toast(Mark::Warn, format!("No curl command: {}", clean(&why))),
            }
        } else if let Some(ended) = outcome.take::<FetchTools>() {
            let waiting = self.waiting.take_if(|(waiting, _)| *waiting == request);
            match (waiting, ended.result) {
                (Some((_, params)), Ok(tools)) => self.call(cx, &tools, &params),
                (_, Ok(_)) => {}
                (_, Err(error)) => cx.toast(Mark::Bad, clean(&error.to_string()).into_owned()),
            }
        }
    }

    /// Opens the form of a call, and makes it if it only reads and nothing was hidden.
    fn call(&self, cx: &mut Cx, tools: &[ToolInfo], params: &Value) {
        let name = params["name"].as_str().unwrap_or_default();
        let Some(tool) = tools.iter().find(|tool| tool.name == name) else {
            let words = format!(
                "{} does not offer {} any more",
                clean(&self.server),
                clean(name)
            );
            return cx.toast(Mark::Warn, words);
        };
        let (arguments, is_whole) = without_hidden(&params["arguments"]);
        let mut form =
            CallScreen::new(Peer::Server(self.server.clone()), tool.clone()).filled(&arguments);
        if is_whole {
            form.call_once_shown();
        }
        cx.open(form);
    }

    pub(super) fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.settings.theme;
        if let Some(whole) = &self.whole {
            let title = format!(" {} ", heading(&whole.message));
            let inside = framed(frame, area, title, theme.border);
            let lines = whole.lines.iter().skip(whole.top);
            for (line, place) in lines.zip(inside.rows()) {
                frame.render_widget(Line::raw(line.as_str()), place);
            }
            return;
        }
        let number = count(self.found.len(), "message", "messages");
        let searching = match self.next {
            None if self.finding.is_some() => "· searching… ",
            _ => "",
        };
        let title = format!(" {number} {}{searching}", self.filter.words());
        let inside = framed(frame, area, title, theme.border);
        let inside = self.search.draw_above(theme, frame, inside);
        let columns = [
            Column::fixed("Time", 8),
            Column::fixed("Kind", 14),
            Column::share("Message", 1),
            Column::fixed("Duration", 9).right(),
            Column::fixed("Bytes", 8).right(),
        ];
        let (len, at) = (self.found.len(), self.position());
        table::draw(frame, inside, shared, &columns, len, at, |at| {
            let number = self.found.iter().nth_back(at);
            let message = number.and_then(|number| self.kept.as_ref()?.get(*number));
            message.map_or_else(Row::new, |message| row(&message, shared))
        });
    }
}

fn row(message: &Message, shared: &Shared) -> Row {
    let theme = &shared.settings.theme;
    let style = match message.kind {
        Kind::Error | Kind::Failure => theme.bad,
        Kind::Line | Kind::Notification | Kind::Exchange => theme.dim,
        Kind::Request | Kind::Answer => Style::new(),
    };
    Row::new()
        .cell(clock_seconds(message.at, &shared.locale))
        .styled(kind(message), style)
        .cell(brief(message))
        .cell(message.took.map_or_else(String::new, |took| {
            format!("{:.1} ms", took.as_secs_f64() * 1e3)
        }))
        .cell(message.bytes.to_string())
}

/// "→ request"
fn kind(message: &Message) -> String {
    let arrow = match message.direction {
        Direction::Sent => '→',
        Direction::Received => '←',
    };
    format!("{arrow} {}", message.kind)
}

fn heading(message: &Message) -> String {
    let method = message.method.as_deref().unwrap_or_default();
    clean(&format!("{} {method}", kind(message)))
        .trim_end()
        .to_owned()
}

/// The method and what it is about, or the text of a line.
fn brief(message: &Message) -> String {
    let value: Value = match message.text.len() {
        0..BRIEF => serde_json::from_str(&message.text).unwrap_or_default(),
        _ => Value::Null,
    };
    let params = &value["params"];
    let about = [
        &params["name"],
        &params["uri"],
        &value["error"]["message"],
        &params["data"],
        &params["message"],
        &value["request"]["url"],
    ];
    let about = about.into_iter().find_map(Value::as_str);
    let status = value["status"]
        .as_u64()
        .filter(|_| message.kind == Kind::Exchange);
    let text = match (&message.method, about) {
        (Some(method), Some(about)) if let Some(status) = status => {
            format!("{method} {about} {status}")
        }
        (Some(method), Some(about)) => format!("{method} {about}"),
        (Some(method), None) => method.clone(),
        (None, _) => message.text.chars().take(BRIEF).collect(),
    };
    clean(&text).into_owned()
}

/// The text of a message for people.
fn whole(message: &Message) -> String {
    let cut = match message.is_cut {
        true => "\n… (only the beginning is kept)",
        false => "",
    };
    format!("{}{cut}", pretty(&message.text))
}

fn pretty(text: &str) -> String {
    exact::read(text).map_or_else(|_| text.to_owned(), |value| exact::pretty(&value))
}

fn lines(message: &Message, width: usize) -> Vec<String> {
    wrapped(&whole(message), width)
}

/// Whether it is a request that can be repeated.
pub(super) fn is_repeatable(message: &Message) -> bool {
    let methods = [
        "tools/call",
        "tools/list",
        "resources/read",
        "resources/list",
        "resources/templates/list",
        "prompts/get",
        "prompts/list",
    ];
    let method = message.method.as_deref().unwrap_or_default();
    let is_request = message.kind == Kind::Request && message.direction == Direction::Sent;
    is_request && !message.is_cut && methods.contains(&method)
}

/// Method and parameters of a request that can be repeated.
fn asked(message: &Message) -> Option<(String, Value)> {
    let value = serde_json::from_str::<Value>(&message.text);
    let mut value = value.ok().filter(|_| is_repeatable(message))?;
    Some((message.method.clone()?, value["params"].take()))
}

/// Arguments without those that were hidden, and whether none was.
fn without_hidden(arguments: &Value) -> (Map<String, Value>, bool) {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    let all = arguments.len();
    let shown = arguments
        .into_iter()
        .filter(|(_, value)| !value.to_string().contains(HIDDEN));
    let shown: Map<_, _> = shown.collect();
    let is_whole = shown.len() == all;
    (shown, is_whole)
}
