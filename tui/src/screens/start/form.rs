//! A form of the start screen: what to write to the configuration, and what will be written.

use crossterm::event::KeyEvent;
use frontdesk_client::Secret;
use frontdesk_client::config::edit::Addition;
use frontdesk_client::config::servers::ServerConfig;
use frontdesk_protocol::value::Currency;
use jiff::tz::TimeZone;
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use super::Start;
use super::job::{Choice, Done, Seen, Step};
use crate::app::cx::Cx;
use crate::app::effects::job::{Ended, Outcome};
use crate::app::input::command::{Context, commands};
use crate::app::navigation::quit;
use crate::app::owner::RequestId;
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::app::state::Typing;
use crate::local::FirstOwner;
use crate::look::mark::Mark;
use crate::look::text::clean;
use crate::ui::fields::Fields;
use crate::ui::frame::{waiting, wrapped_heights};
use crate::ui::panel::{self, INSET};

pub(crate) static FORM: Context = Context::screen("Start: form");

commands! {
    /// The commands of the form.
    pub(crate) const COMMANDS;

    FORM: "start.submit", ["enter"], "Next empty field, or go on", act Form::submit, hint("go on");
    FORM: "start.next", ["tab", "down"], "Next field", act |form: &mut Form, _| form.fields.next(),
        hint("next field");
    FORM: "start.previous", ["backtab", "up"], "Previous field",
        act |form: &mut Form, _| form.fields.previous();
}

/// What the form is for.
#[derive(Debug, Clone)]
pub(super) enum Purpose {
    /// Sign in to a service.
    Service,
    /// Serve the hosts here.
    Serve { needs_owner: bool },
    /// Connect any server.
    Connect,
    /// Connect a server of another client.
    Found(String, Box<ServerConfig>),
}

/// The form.
#[derive(Debug)]
pub(super) struct Form {
    purpose: Purpose,
    fields: Fields,
    seen: Seen,
    working: Option<RequestId>,
    problem: Option<String>,
}

impl Form {
    pub(super) fn new(purpose: Purpose, seen: Seen) -> Form {
        let fields = match &purpose {
            Purpose::Service => Fields::new(&["Address"]),
            Purpose::Serve { needs_owner: true } => {
                let labels = [
                    "Organisation",
                    "Your name",
                    "E-mail address",
                    "Time zone",
                    "Currency",
                ];
                let mut fields = Fields::new(&labels).with_secrets(&["Password", "Password again"]);
                fields.set(3, &seen.place.0);
                fields.set(4, seen.place.1);
                fields
            }
            Purpose::Serve { .. } => Fields::new(&[]),
            Purpose::Connect => Fields::new(&["Address or command", "Name"]),
            Purpose::Found(name, _) => {
                let mut fields = Fields::new(&["Name"]);
                fields.set(0, name);
                fields
            }
        };
        Form {
            purpose,
            fields,
            seen,
            working: None,
            problem: None,
        }
    }

    fn text(&self, at: usize) -> String {
        self.fields.text(at).trim().to_owned()
    }

    /// What is added to the configuration; an error names what is wrong. Nothing before a first
    /// field is filled in.
    fn addition(&self) -> Option<Result<Addition, String>> {
        match &self.purpose {
            Purpose::Serve { .. } => self.seen.local.clone().map(Ok),
            Purpose::Service => {
                let address = self.text(0);
                let address = match address.is_empty() {
                    true => return None,
                    false if address.contains("://") => address,
                    false if is_here(&address) => format!("http://{address}"),
                    false => format!("https://{address}"),
                };
                let addresses = frontdesk_client::Addresses::new(&address);
                let addresses = addresses.map_err(|error| error.to_string());
                Some(addresses.map(|addresses| Addition::Service(addresses.url().to_owned())))
            }
            Purpose::Connect if self.text(0).is_empty() => None,
            Purpose::Connect => {
                let server = ServerConfig::parse(&self.text(0));
                Some(server.map(|server| {
                    let name = match self.text(1) {
                        name if name.is_empty() => suggested(&server),
                        name => name,
                    };
                    Addition::Server(name, server)
                }))
            }
            Purpose::Found(_, server) => {
                let server = ServerConfig::clone(server);
                Some(Ok(Addition::Server(self.text(0), server)))
            }
        }
    }

    /// The owner that an empty database needs.
    fn owner(&mut self) -> Result<FirstOwner, String> {
        let wrong = |form: &mut Form, at: usize, problem: &str| {
            form.fields.focus(at);
            Err(problem.to_owned())
        };
        let missing = [
            "Name your organisation.",
            "Your name is missing.",
            "Your e-mail address is missing.",
            "The time zone is missing.",
            "The currency is missing.",
        ];
        for (at, problem) in missing.into_iter().enumerate() {
            if self.text(at).is_empty() {
                return wrong(self, at, problem);
            }
        }
        if !self.text(2).contains('@') {
            return wrong(self, 2, "Write the address like name@example.org.");
        }
        if TimeZone::get(&self.text(3)).is_err() {
            return wrong(self, 3, "Write the time zone like Europe/Lisbon.");
        }
        if Currency::new(self.text(4)).is_err() {
            return wrong(self, 4, "Write the currency like EUR.");
        }
        let password = self.fields.text(5);
        if password.chars().count() < FirstOwner::SHORTEST {
            let least = FirstOwner::SHORTEST;
            let problem = format!("The password needs at least {least} characters.");
            return wrong(self, 5, &problem);
        }
        if password != self.fields.text(6) {
            self.fields.set(6, "");
            return wrong(self, 6, "The two passwords differ.");
        }
        Ok(FirstOwner {
            organization: self.text(0),
            name: self.text(1),
            email: self.text(2),
            time_zone: self.text(3),
            currency: self.text(4),
            password: Secret::new(password),
        })
    }

    fn submit(&mut self, cx: &mut Cx) {
        if self.working.is_some() {
            return;
        }
        self.problem = None;
        // The name of a server is optional.
        if !matches!(self.purpose, Purpose::Connect) && self.fields.goes_on() {
            return;
        }
        let job = match &self.purpose {
            Purpose::Serve { needs_owner: true } => {
                self.owner().map(|owner| Step::Serve(Some(owner)))
            }
            Purpose::Serve { .. } => Ok(Step::Serve(None)),
            Purpose::Service | Purpose::Connect | Purpose::Found(..) => match self.addition() {
                None => Err("Fill in the first field.".to_owned()),
                Some(addition) => addition.map(Step::Add),
            },
        };
        match job {
            Ok(job) => self.working = Some(cx.run(job)),
            Err(problem) => self.problem = Some(problem),
        }
    }

    fn words(&self) -> &'static str {
        match &self.purpose {
            Purpose::Service => {
                "The address of your organisation's server, such as desk.example.org. \
                 You sign in next."
            }
            Purpose::Serve { needs_owner: true } => {
                "Your organisation and you, its owner. The server runs inside this app; others on \
                 your network cannot reach it."
            }
            Purpose::Serve { .. } => "The server on this machine starts with the app.",
            Purpose::Connect => {
                "Any MCP server: its address, such as https://example.org/mcp, or the command that \
                 starts it, such as npx -y @modelcontextprotocol/server-everything."
            }
            Purpose::Found(..) => {
                "The server as its other client starts it. That client's settings stay as they are."
            }
        }
    }

    /// The lines that enter writes, and the file.
    fn preview(&self, shared: &Shared) -> Vec<Line<'static>> {
        let theme = &shared.settings.theme;
        let file = clean(&self.seen.config_file.display().to_string()).into_owned();
        let mut lines = vec![Line::styled(format!("Added to {file}:"), theme.dim)];
        match self.addition() {
            Some(Ok(addition)) => {
                let text = addition.lines();
                let added = text.lines().filter(|line| !line.is_empty());
                lines.extend(added.map(|line| Line::raw(format!("  {}", clean(line)))));
            }
            Some(Err(problem)) => lines.push(Line::styled(format!("  ! {problem}"), theme.warn)),
            None => lines.push(Line::styled("  (nothing yet)", theme.dim)),
        }
        lines
    }

    fn message(&self, shared: &Shared) -> Line<'static> {
        match &self.problem {
            _ if self.working.is_some() => {
                let words = match &self.purpose {
                    Purpose::Serve { .. } => "starting the database and the hosts",
                    _ => "trying",
                };
                waiting(shared, words)
            }
            Some(problem) => {
                Line::styled(format!("✗ {}", clean(problem)), shared.settings.theme.bad)
            }
            None => Line::default(),
        }
    }
}

/// Whether an address without a scheme is of this machine, where nothing is encrypted.
fn is_here(address: &str) -> bool {
    ["localhost", "127.", "[::1]"]
        .iter()
        .any(|here| address.starts_with(here))
}

/// A name for a server: of its machine, or of its program or package.
fn suggested(server: &ServerConfig) -> String {
    let text = match server {
        ServerConfig::Http(server) => {
            let name = server.url.host_str().unwrap_or_default();
            let mut labels = name
                .split('.')
                .filter(|label| !["www", "mcp"].contains(label));
            labels.next().unwrap_or_default().to_owned()
        }
        ServerConfig::Command(server) => {
            let mut words = server.command.iter().rev();
            let word =
                words.find(|word| !word.starts_with('-') && word.contains(char::is_alphabetic));
            let word = word.map_or("", |word| word.as_str());
            let word = word.rsplit(['/', '\\']).next().unwrap_or_default();
            word.split(['@', '.']).next().unwrap_or_default().to_owned()
        }
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let name: String = text.chars().filter(|c| is_plain(*c)).collect();
    match frontdesk_client::config::servers::check_name(&name) {
        Ok(()) => name,
        Err(_) => "server".to_owned(),
    }
}

impl Screen for Form {
    fn context(&self) -> &'static Context {
        &FORM
    }

    fn crumb(&self) -> String {
        match &self.purpose {
            Purpose::Service => "Sign in to a server".to_owned(),
            Purpose::Serve { .. } => "A server here".to_owned(),
            Purpose::Connect => "Connect an MCP server".to_owned(),
            Purpose::Found(name, _) => format!("Connect {}", clean(name)),
        }
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, mut outcome: Outcome) {
        let Some(Ended { result, .. }) = outcome.take::<Step>() else {
            return;
        };
        if self
            .working
            .take_if(|working| *working == request)
            .is_none()
        {
            return;
        }
        match result {
            Ok(Done::Left) => cx.then(quit),
            Ok(Done::NeedsOwner) => {
                let purpose = Purpose::Serve { needs_owner: true };
                *self = Form::new(purpose, self.seen.clone());
                self.problem = Some("Its database has no organisation yet.".to_owned());
            }
            Ok(Done::Added) if !matches!(self.purpose, Purpose::Service) => {
                cx.back();
                if let Some(Ok(Addition::Server(name, _))) = self.addition() {
                    cx.toast(Mark::Good, format!("Added {name}"));
                    cx.then(move |state, out| {
                        state.act::<Start>(out, |start, _| start.added(name));
                    });
                }
            }
            Ok(Done::Added | Done::Serving) => {
                let leave = Step::Leave(Choice::Configured);
                self.working = Some(cx.run(leave));
            }
            Ok(Done::Seen(_)) => {}
            Err(problem) => self.problem = Some(problem),
        }
    }

    fn typing(&self) -> Typing {
        match self.fields.height() {
            0 => Typing::Yes,
            _ => self.fields.typing(),
        }
    }

    fn key(&mut self, _: &mut Cx, key: KeyEvent) {
        self.problem = None;
        self.fields.key(key);
    }

    fn paste(&mut self, _: &mut Cx, text: &str) {
        self.fields.paste(text);
    }

    fn escape(&mut self, cx: &mut Cx) -> bool {
        match &self.purpose {
            // The hosts are starting; they are not left alone.
            Purpose::Serve { .. } => self.working.is_some(),
            _ => {
                cx.abort(self.working.take());
                false
            }
        }
    }

    fn is_busy(&self) -> bool {
        self.working.is_some()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let area = area.inner(INSET);
        let words = Line::raw(self.words());
        let preview = self.preview(shared);
        let width = usize::from(area.width);
        let said = wrapped_heights([&words], width);
        let written = wrapped_heights(&preview, width);
        let needed = said + self.fields.height() + 2 + written;
        // Blank lines are the first to go in a small terminal.
        let gap = u16::from(area.height >= needed + 3);
        let [_, about, _, fields, _, message, written] = Layout::vertical([
            Length(gap),
            Length(said),
            Length(gap),
            Length(self.fields.height()),
            Length(gap),
            Length(2 + gap),
            Fill(1),
        ])
        .areas(area);
        panel::text(frame, about, words);
        self.fields.draw(&shared.settings.theme, frame, fields);
        panel::text(frame, message, self.message(shared));
        frame.render_widget(Paragraph::new(preview).wrap(Wrap { trim: false }), written);
    }
}
