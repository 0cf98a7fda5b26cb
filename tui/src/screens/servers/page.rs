//! The page of a server: its title, instructions and capabilities, and its tools, resources and prompts.

use std::time::Duration;

use crossterm::event::KeyEvent;
use frontdesk_client::CallError;
use frontdesk_client::seen::Change;
use frontdesk_client::server::log::LEVELS;
use frontdesk_protocol::ErrorCode;
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};
use serde_json::Value;

use super::contexts::{MESSAGES, PAGE};
use super::messages::Messages;
use super::offers;
use crate::app::cx::{Cx, News, Out};
use crate::app::effects::call::Method;
use crate::app::effects::job::{Ended, Outcome};
use crate::app::effects::server_jobs::VisitServer;
use crate::app::effects::servers::Visit;
use crate::app::input::command::{Context, commands};
use crate::app::log::LogLine;
use crate::app::owner::RequestId;
use crate::app::peer::Peer;
use crate::app::remote::Remote;
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::app::state::{State, Typing};
use crate::call_form::signature::difference;
use crate::look::safe::lines;
use crate::look::text::{clean, count};
use crate::look::time::clock_seconds;
use crate::screens::log::LogScreen;
use crate::tools::{Browser, TOOLS};
use crate::ui::frame::waiting;
use crate::ui::panel;
use crate::ui::sections::{self, Section};
use crate::ui::table::{Column, Row, moved};
use crate::ui::tabs;
use crate::ui::trouble::trouble;

/// The longest instructions that are shown, in characters.
const LONGEST: usize = 2_000;

/// The number of log messages on the page.
const LOGGED: usize = 4;

commands! {
    pub(crate) const COMMANDS;

    PAGE: "server.open", ["enter"], "Open the selected list",
        act |page: &mut ServerPage, cx| page.open(cx), hint("open"),
        needs(ServerPage::selected, "no list is selected");
    PAGE: "server.next_tab", ["tab", "backtab"], "Next tab: every message, or the page again",
        act |page: &mut ServerPage, cx| page.turn(cx), hint("next tab");
    PAGE: "server.again", ["R"], "Restart the session and the process",
        act |page: &mut ServerPage, cx| page.start_again(cx), hint("start again"),
        unless(|state| match state.shows::<ServerPage>()?.seen.is_loading() {
            true => Some("it is being asked".to_owned()),
            false => None,
        });
    PAGE: "server.accept", ["a"], "Accept the changed tools as they are",
        act |page: &mut ServerPage, cx| { cx.accept(&page.server, None) }, sends,
        hint("accept the changes"), hinted_if(|state| no_changes(state).is_none()),
        unless(no_changes);
    PAGE: "server.log_more", ["+"], "More log messages: also those of the next milder level",
        run |state, out| log(state, out, -1), hint("more messages"),
        hinted_if(|state| no_log(state, LEVELS[0]).is_none()),
        unless(|state| no_log(state, LEVELS[0]));
    PAGE: "server.log_less", ["-"], "Fewer log messages: none of the mildest level",
        run |state, out| log(state, out, 1), over("app.before"),
        unless(|state| no_log(state, LEVELS[LEVELS.len() - 1]));
    PAGE: "server.log", ["v"], "Open the messages of all servers",
        run |state, out| state.cx(out).open(LogScreen::default()), hint("messages"),
        hinted_if(|state| {
            let page = state.shows::<ServerPage>();
            page.is_some_and(|page| state.shared.log.of(&page.server).next().is_some())
        });
}

/// Asks for more or fewer log messages: `by` levels further.
fn log(state: &mut State, out: &mut Out, by: isize) {
    state.act(out, |page: &mut ServerPage, cx| {
        let level = page.seen.value().and_then(|visit| visit.log_level);
        let at = LEVELS.iter().position(|it| Some(*it) == level);
        let next = at.and_then(|at| LEVELS.get(at.checked_add_signed(by)?));
        if let Some(level) = next {
            page.visit(cx, Some(level));
        }
    });
}

fn no_log(state: &State, last: &str) -> Option<String> {
    let page = state.shows::<ServerPage>()?;
    match page.seen.value().and_then(|visit| visit.log_level) {
        None => Some("the server has no log".to_owned()),
        Some(level) if level == last => Some("this is the last level".to_owned()),
        Some(_) => None,
    }
}

fn no_changes(state: &State) -> Option<String> {
    let page = state.shows::<ServerPage>()?;
    let is_none = state.shared.changed.of(&page.server).is_empty();
    is_none.then(|| "no tool has changed".to_owned())
}

commands! {
    /// The command of the list of tools.
    pub(crate) const IN_TOOLS;

    TOOLS: "server.page", ["ctrl-s"], "Page of the selected server: resources, prompts, changes",
        run |state, out| {
            if let Some(server) = server(state) {
                state.cx(out).open(ServerPage::new(server));
            }
        }, hint("server"), hinted_if(|state| server(state).is_some()),
        unless(|state| match server(state) {
            Some(_) => None,
            None => Some("`frontdesk resources` and `frontdesk prompts` list those of a host".to_owned()),
        });
}

fn server(state: &State) -> Option<String> {
    match state.shows::<Browser>()?.peer()? {
        Peer::Server(server) => Some(server.clone()),
        Peer::Host(_) => None,
    }
}

/// The page of a server.
#[derive(Debug)]
pub(crate) struct ServerPage {
    server: String,
    seen: Remote<Visit>,
    /// The selected list, or the change behind the lists.
    at: usize,
    pub(super) messages: Messages,
    /// Whether the messages are shown in place of the page.
    shows_messages: bool,
}

impl ServerPage {
    pub(crate) fn new(server: String) -> Self {
        ServerPage {
            messages: Messages::new(server.clone()),
            server,
            seen: Remote::Idle,
            at: 0,
            shows_messages: false,
        }
    }

    pub(super) fn server(&self) -> &str {
        &self.server
    }

    /// Whether the server demands a sign-in.
    pub(super) fn wants_sign_in(&self) -> bool {
        let refusal = self.seen.error();
        refusal.is_some_and(|error| matches!(error, CallError::Tool(refusal) if refusal.code == ErrorCode::Unauthorized))
    }

    fn selected(&self) -> Option<&Method> {
        let visit = self.seen.value()?;
        visit.counts.get(self.at).map(|(method, _)| method)
    }

    /// The tools that are not what was accepted; without one, those that its last start has changed.
    fn changes<'a>(&self, shared: &'a Shared) -> &'a [Change] {
        match shared.changed.of(&self.server) {
            [] => shared.changed.latest(&self.server),
            open => open,
        }
    }

    /// The selected change.
    fn change<'a>(&self, shared: &'a Shared) -> Option<&'a Change> {
        let lists = self.seen.value()?.counts.len();
        self.changes(shared).get(self.at.checked_sub(lists)?)
    }

    fn open(&mut self, cx: &mut Cx) {
        match self.selected() {
            Some(Method::Tool) => cx.back(),
            Some(method) => cx.open(offers::list(&self.server, method.clone())),
            None => {}
        }
    }
}

impl ServerPage {
    fn visit(&mut self, cx: &mut Cx, log_level: Option<&'static str>) {
        self.seen.begin(cx.run(VisitServer {
            server: self.server.clone(),
            log_level,
            is_again: false,
        }));
    }

    /// Begins a new session, with a new process if it is one.
    fn start_again(&mut self, cx: &mut Cx) {
        self.seen.begin(cx.run(VisitServer {
            server: self.server.clone(),
            log_level: None,
            is_again: true,
        }));
    }

    /// Shows the other tab.
    fn turn(&mut self, cx: &mut Cx) {
        self.shows_messages = !self.shows_messages;
        match self.shows_messages {
            true => self.messages.shown(cx),
            false => self.messages.hidden(cx),
        }
    }
}

impl Screen for ServerPage {
    fn context(&self) -> &'static Context {
        match self.shows_messages {
            true => &MESSAGES,
            false => &PAGE,
        }
    }

    fn crumb(&self) -> String {
        self.server.clone()
    }

    fn shown(&mut self, cx: &mut Cx) {
        if self.seen.value().is_none() {
            self.refresh(cx);
        }
        if self.shows_messages {
            self.messages.shown(cx);
        }
    }

    fn hidden(&mut self, cx: &mut Cx) {
        self.messages.hidden(cx);
    }

    fn refresh(&mut self, cx: &mut Cx) {
        if !self.seen.is_loading() {
            self.visit(cx, None);
        }
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, mut outcome: Outcome) {
        if let Some(Ended { job, result }) = outcome.take::<VisitServer>() {
            if let Ok(visit) = &result {
                let (server, about) = (job.server.clone(), visit.about.clone());
                cx.shared.abouts.insert(server, about);
            }
            self.seen.finish(request, cx.now(), result);
        }
        self.messages.answered(cx, request, &mut outcome);
    }

    fn fired(&mut self, cx: &mut Cx, request: RequestId) {
        self.messages.fired(cx, request);
    }

    fn resized(&mut self, cx: &mut Cx) {
        self.messages.resized(cx);
    }

    fn typing(&self) -> Typing {
        self.messages.field().typing()
    }

    fn key(&mut self, cx: &mut Cx, key: KeyEvent) {
        self.messages.key(cx, key);
    }

    fn paste(&mut self, cx: &mut Cx, text: &str) {
        self.messages.paste(cx, text);
    }

    fn can_search(&self) -> bool {
        self.shows_messages
    }

    fn can_sort(&self) -> bool {
        false
    }

    fn search(&mut self) {
        self.messages.search();
    }

    fn escape(&mut self, cx: &mut Cx) -> bool {
        self.shows_messages && self.messages.escape(cx)
    }

    fn turn_tab(&mut self, cx: &mut Cx, by: isize) {
        if by != 0 {
            self.turn(cx);
        }
    }

    fn notified(&mut self, cx: &mut Cx, news: &News) {
        let is_changed = match news {
            News::ToolsChanged(Peer::Server(server)) | News::ListChanged(server, _) => {
                *server == self.server
            }
            _ => false,
        };
        if is_changed {
            self.refresh(cx);
        }
    }

    fn waits_for(&self, server: &str) -> bool {
        server == self.server && self.seen.is_loading()
    }

    fn step(&mut self, cx: &mut Cx, by: isize) {
        if self.shows_messages {
            return self.messages.step(cx, by);
        }
        let lists = self.seen.value().map_or(0, |visit| visit.counts.len());
        let rows = lists + self.changes(cx.shared).len();
        self.at = moved(rows, Some(self.at), by).unwrap_or(0);
    }

    fn is_busy(&self) -> bool {
        self.seen.is_loading()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let [head, area] = Layout::vertical([Length(1), Fill(1)]).areas(area);
        let titles = ["Page", "Messages"].map(str::to_owned);
        tabs::draw(
            shared,
            frame,
            head,
            &titles,
            usize::from(self.shows_messages),
        );
        match self.shows_messages {
            true => self.messages.draw(shared, frame, area),
            false => self.draw_page(shared, frame, area),
        }
    }
}

impl ServerPage {
    fn draw_page(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.settings.theme;
        if let Some(error) = self.seen.error() {
            let mut problem = trouble(error, &Peer::Server(self.server.clone()), true);
            let keymap = &shared.settings.keymap;
            if self.wants_sign_in() {
                let key = keymap.key("server.sign_in");
                problem.help = format!("{key} signs in, unless the configuration names a token.");
            }
            panel::problem(frame, shared, area, &problem, Typing::No);
            return;
        }
        let Some(visit) = self.seen.value() else {
            frame.render_widget(waiting(shared, "asking…"), area);
            return;
        };
        let about = head(shared, visit);
        let height = panel::said_height(&about, area);
        let [head, _, below] = Layout::vertical([Length(height), Length(1), Fill(1)]).areas(area);
        panel::said(frame, about, head);
        let mut all = vec![self.lists(shared, visit)];
        let said = |title: &'static str, lines: &[String]| {
            let rows: Vec<String> = lines.iter().map(|line| clean(line).into_owned()).collect();
            Section {
                title: Line::styled(format!(" {title} "), theme.title),
                columns: vec![Column::share("", 1)],
                len: rows.len(),
                selected: None,
                row: Box::new(move |at| Row::new().cell(rows[at].clone())),
            }
        };
        if !self.changes(shared).is_empty() {
            all.push(self.changed(shared, visit.counts.len()));
        }
        if !visit.odd.is_empty() {
            all.push(said("Left out", &visit.odd));
        }
        let messages: Vec<&LogLine> = shared.log.of(&self.server).take(LOGGED).collect();
        if let Some(level) = visit.log_level {
            all.push(log_lines(shared, level, &messages));
        }
        if !visit.words.is_empty() {
            all.push(said("Last lines of its process", &visit.words));
        }
        let height = sections::height(&all).min(below.height);
        let [rows, _, instructions] =
            Layout::vertical([Length(height), Length(1), Fill(1)]).areas(below);
        sections::draw(frame, rows, shared, &all);
        let (title, text) = match (self.change(shared), &visit.about.instructions) {
            (Some(change), _) => {
                let title = format!(" {} ", clean(&change.tool));
                (title, difference(change).join("\n"))
            }
            (None, Some(text)) => {
                let text: String = text.chars().take(LONGEST).collect();
                (" Instructions ".to_owned(), lines(&text).into_owned())
            }
            (None, None) => return,
        };
        let text = Paragraph::new(text).wrap(Wrap { trim: false });
        let block = panel::titled(title, theme.border);
        frame.render_widget(text.block(block), instructions);
    }
}

impl ServerPage {
    fn changed<'a>(&self, shared: &'a Shared, lists: usize) -> Section<'a> {
        let theme = &shared.settings.theme;
        let changes = self.changes(shared);
        let title = match shared.changed.of(&self.server) {
            [] => "Changed when it was started again",
            _ => "Changed since you accepted its tools",
        };
        Section {
            title: Line::styled(format!(" {title} "), theme.warn),
            columns: vec![Column::share("", 1), Column::fixed("", 10)],
            len: changes.len(),
            selected: self.at.checked_sub(lists),
            row: Box::new(move |at| {
                let change = &changes[at];
                let word = match (&change.before, &change.after) {
                    (None, _) => "+ new",
                    (_, None) => "- gone",
                    _ => "! changed",
                };
                Row::new()
                    .cell(clean(&change.tool))
                    .styled(word, theme.warn)
            }),
        }
    }

    fn lists<'a>(&self, shared: &'a Shared, visit: &'a Visit) -> Section<'a> {
        let dim = shared.settings.theme.dim;
        Section {
            title: Line::styled(" Offers ", shared.settings.theme.title),
            columns: vec![Column::fixed("", 14), Column::share("", 1)],
            len: visit.counts.len(),
            selected: Some(self.at).filter(|at| *at < visit.counts.len()),
            row: Box::new(move |at| {
                let (method, number) = &visit.counts[at];
                let (title, one, many) = match method {
                    Method::Resources => (
                        "Resources",
                        "resource or template",
                        "resources and templates",
                    ),
                    Method::Prompts => ("Prompts", "prompt", "prompts"),
                    Method::Tasks => ("Tasks", "begun call", "begun calls"),
                    _ => ("Tools", "tool", "tools"),
                };
                Row::new()
                    .cell(title)
                    .styled(count(*number, one, many), dim)
            }),
        }
    }
}

/// The newest log messages, under the level that they are asked for.
fn log_lines<'a>(shared: &'a Shared, level: &str, messages: &[&'a LogLine]) -> Section<'a> {
    let theme = &shared.settings.theme;
    let title = format!(" Log: {level} and worse ");
    let messages = messages.to_vec();
    Section {
        title: Line::styled(title, theme.title),
        columns: vec![
            Column::fixed("", 8),
            Column::fixed("", 11),
            Column::share("", 1),
        ],
        len: messages.len(),
        selected: None,
        row: Box::new(move |at| {
            let line = messages[at];
            let level = format!("{} {}", line.mark().glyph(), line.level);
            Row::new()
                .cell(clock_seconds(line.at, &shared.locale))
                .styled(level, line.mark().style(theme))
                .cell(line.text.clone())
        }),
    }
}

/// Name, version, revision, address, and what it announced.
fn head(shared: &Shared, visit: &Visit) -> Vec<Line<'static>> {
    let theme = &shared.settings.theme;
    let about = &visit.about;
    let name = about.name.as_deref().unwrap_or("a server without a name");
    let version = about.version.as_deref().unwrap_or_default();
    let era = match about.has_handshake {
        true => "with a handshake",
        false => "without a handshake",
    };
    let took = visit.took.max(Duration::from_millis(1)).as_millis();
    vec![
        Line::from(vec![
            Span::styled(clean(name).into_owned(), theme.title),
            Span::raw(format!(" {}", clean(version))),
            Span::styled(
                format!("  {} · {era} · {took} ms", clean(&about.protocol)),
                theme.dim,
            ),
        ]),
        Line::styled(clean(&visit.place).into_owned(), theme.dim),
        Line::from(vec![
            Span::styled("announces ", theme.dim),
            Span::raw(capabilities(&about.capabilities)),
        ]),
    ]
}

/// "tools (listChanged), logging"
fn capabilities(announced: &Value) -> String {
    let words = announced.as_object().into_iter().flatten();
    let words = words.map(|(name, details)| {
        let details = details.as_object().into_iter().flatten();
        let flags = details.filter(|(_, flag)| **flag != false);
        let flags: Vec<_> = flags.map(|(flag, _)| flag.as_str()).collect();
        match flags.is_empty() {
            true => name.clone(),
            false => format!("{name} ({})", flags.join(", ")),
        }
    });
    let words = words.collect::<Vec<_>>().join(", ");
    match words.is_empty() {
        true => "nothing".to_owned(),
        false => clean(&words).into_owned(),
    }
}
