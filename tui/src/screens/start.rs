//! The start screen: what a user without configuration can begin with.

mod form;
pub(crate) mod job;

pub(crate) use form::COMMANDS as FORM_COMMANDS;

use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use self::form::{Form, Purpose};
use crate::app::cx::Cx;
use crate::app::effects::job::{Ended, Outcome};
use crate::app::input::command::{Context, commands};
use crate::app::navigation::quit;
use crate::app::owner::RequestId;
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::desk::door::leave;
use crate::look::mark::Mark;
use crate::look::text::{clean, count};
use crate::ui::frame::waiting;
use crate::ui::sections::{self, Section};
use crate::ui::table::{Column, Row, moved};
pub use job::Choice;
use job::{Done, Seen, Step};

pub(crate) static START: Context = Context::list("Start");

commands! {
    /// The commands of the start screen.
    pub(crate) const COMMANDS;

    START: "start.open", ["enter"], "Begin with the selection", act Start::open, hint("begin");
    START: "start.quit", ["q"], "Leave Frontdesk", run leave, over("app.back"), hint("quit");
}

/// An option of the start screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StartOption {
    /// Goes on with the servers that were added.
    Go,
    Demo,
    Service,
    Serve,
    Connect,
    /// The server of another client at this place.
    Found(usize),
}

/// The start screen.
#[derive(Debug, Default)]
pub(crate) struct Start {
    seen: Option<Seen>,
    problem: Option<String>,
    selected: usize,
    /// The names of the added servers.
    added: Vec<String>,
    asking: Option<RequestId>,
}

impl Start {
    /// A server was added under this name.
    fn added(&mut self, name: String) {
        self.added.push(name);
        self.selected = 0;
    }

    /// What a user can begin with, without the servers of other clients.
    fn ways(&self) -> Vec<StartOption> {
        let can_serve = self.seen.as_ref().is_some_and(|seen| seen.local.is_some());
        let go = (!self.added.is_empty()).then_some(StartOption::Go);
        let demo = can_serve.then_some(StartOption::Demo);
        let serve = can_serve.then_some(StartOption::Serve);
        let ways = [
            go,
            demo,
            Some(StartOption::Service),
            serve,
            Some(StartOption::Connect),
        ];
        ways.into_iter().flatten().collect()
    }

    fn options(&self) -> Vec<StartOption> {
        let found = self
            .seen
            .as_ref()
            .map_or(0, |seen| seen.found.servers.len());
        let mut options = self.ways();
        options.extend((0..found).map(StartOption::Found));
        options
    }

    fn open(&mut self, cx: &mut Cx) {
        let (Some(seen), Some(option)) = (&self.seen, self.options().get(self.selected).copied())
        else {
            return;
        };
        let purpose = match option {
            StartOption::Go | StartOption::Demo => {
                let choice = match option {
                    StartOption::Go => Choice::Configured,
                    _ => Choice::Demo,
                };
                cx.run(Step::Leave(choice));
                return;
            }
            StartOption::Service => Purpose::Service,
            StartOption::Serve => Purpose::Serve {
                needs_owner: !seen.has_database,
            },
            StartOption::Connect => Purpose::Connect,
            StartOption::Found(at) => match seen.found.servers.get(at) {
                Some(one) => match &one.server {
                    Ok(server) => Purpose::Found(one.name.clone(), Box::new(server.clone())),
                    Err(reason) => {
                        cx.toast(Mark::Warn, format!("{} cannot be used: {reason}", one.name));
                        return;
                    }
                },
                None => return,
            },
        };
        cx.open(Form::new(purpose, seen.clone()));
    }

    fn row(&self, option: StartOption) -> (String, String) {
        let texts = |name: &str, about: &str| (name.to_owned(), about.to_owned());
        match option {
            StartOption::Go => {
                let servers = count(self.added.len(), "server", "servers");
                (format!("Continue with {servers}"), self.added.join(", "))
            }
            StartOption::Demo => texts("Try the demo", "a sample organisation; nothing is kept"),
            StartOption::Service => {
                texts("Sign in to a server", "your organisation's, by its address")
            }
            StartOption::Serve => match self.seen.as_ref().is_some_and(|seen| seen.has_database) {
                true => texts("Open the server here", "the database on this machine"),
                false => texts(
                    "Start a server here",
                    "your own organisation, on this machine",
                ),
            },
            StartOption::Connect => {
                texts("Connect an MCP server", "any, by its address or command")
            }
            StartOption::Found(at) => {
                let servers = self.seen.as_ref().map(|seen| &seen.found.servers);
                let Some(one) = servers.and_then(|servers| servers.get(at)) else {
                    return texts("", "");
                };
                let about = match &one.server {
                    _ if self.added.contains(&one.name) => "✓ added".to_owned(),
                    Ok(server) => format!("{}: {}", one.client, clean(&server.place())),
                    Err(reason) => format!("{}: {}", one.client, clean(reason)),
                };
                (one.name.clone(), about)
            }
        }
    }

    fn section<'a>(
        &'a self,
        shared: &Shared,
        title: &'static str,
        rows: Vec<StartOption>,
    ) -> Section<'a> {
        let all = self.options();
        let selected = all.get(self.selected).copied();
        let dim = shared.settings.theme.dim;
        Section {
            title: Line::styled(format!(" {title} "), shared.settings.theme.title),
            columns: vec![Column::fixed("", 25), Column::share("", 1)],
            len: rows.len(),
            selected: rows.iter().position(|row| Some(*row) == selected),
            row: Box::new(move |at| {
                let (name, about) = self.row(rows[at]);
                Row::new().cell(name).styled(about, dim)
            }),
        }
    }
}

impl Screen for Start {
    fn context(&self) -> &'static Context {
        &START
    }

    fn shown(&mut self, cx: &mut Cx) {
        if self.seen.is_none() {
            self.refresh(cx);
        }
    }

    fn refresh(&mut self, cx: &mut Cx) {
        self.asking = Some(cx.run(Step::Look));
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, mut outcome: Outcome) {
        let Some(Ended { result, .. }) = outcome.take::<Step>() else {
            return;
        };
        self.asking.take_if(|asking| *asking == request);
        match result {
            Ok(Done::Seen(seen)) => self.seen = Some(*seen),
            Ok(Done::Left) => cx.then(quit),
            Ok(_) => {}
            Err(problem) => self.problem = Some(problem),
        }
    }

    fn step(&mut self, _: &mut Cx, by: isize) {
        let next = moved(self.options().len(), Some(self.selected), by);
        self.selected = next.unwrap_or(0);
    }

    fn is_busy(&self) -> bool {
        self.asking.is_some()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.settings.theme;
        let Some(seen) = &self.seen else {
            let line = match &self.problem {
                Some(problem) => Line::styled(format!("✗ {problem}"), theme.bad),
                None => waiting(shared, "looking at this machine"),
            };
            frame.render_widget(line, area);
            return;
        };
        let mut sections = vec![self.section(shared, "Welcome to Frontdesk", self.ways())];
        let found: Vec<StartOption> = (0..seen.found.servers.len())
            .map(StartOption::Found)
            .collect();
        if !found.is_empty() {
            sections.push(self.section(shared, "Servers of your other MCP clients", found));
        }
        let problems = seen.found.problems.iter();
        let problems = problems.map(|text| Line::styled(format!("! {}", clean(text)), theme.warn));
        let problems = Paragraph::new(problems.collect::<Vec<_>>()).wrap(Wrap { trim: true });
        let said = match seen.found.problems.len() {
            0 => 0,
            some => (some as u16 * 2).min(area.height / 3),
        };
        let [_, rows, _, said, _, file] = Layout::vertical([
            Length(1),
            Length(sections::height(&sections).min(area.height.saturating_sub(said + 4))),
            Length(1),
            Length(said),
            Fill(1),
            Length(1),
        ])
        .areas(area);
        sections::draw(frame, rows, shared, &sections);
        frame.render_widget(problems, said);
        let file_text = format!(
            " Nothing is configured yet in {}",
            clean(&seen.config_file.display().to_string())
        );
        let style: Style = theme.dim;
        if self.added.is_empty() {
            frame.render_widget(Line::styled(file_text, style), file);
        }
    }
}
