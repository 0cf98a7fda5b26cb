//! Signing in: at the start, and over whatever was open when a sign-in is no longer accepted.

use crossterm::event::KeyEvent;
use frontdesk_client::{Addresses, CODE, CallError, Secret, SignInDetails, SignInWays};
use frontdesk_protocol::ErrorCode;
use ratatui::Frame;
use ratatui::layout::Constraint::Length;
use ratatui::layout::{Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use self::in_browser::InBrowser;
use crate::app::cx::{Cx, Move};
use crate::app::effects::browser::SignInTo;
use crate::app::effects::job::{Ended, Outcome};
use crate::app::effects::session::{FetchWays, SignInByPassword};
use crate::app::input::command::{Context, commands};
use crate::app::layer::Layer;
use crate::app::owner::RequestId;
use crate::app::remote::Remote;
use crate::app::shared::Shared;
use crate::app::state::{State, Typing};
use crate::look::text::clean;
use crate::ui::frame::{waiting, wrapped_heights};
use crate::ui::input::Input;
use crate::ui::panel;
use crate::ui::problem::Problem;

pub(crate) mod in_browser;

pub(crate) static SIGN_IN: Context = Context::layer("Sign-in");

commands! {
    /// The commands of the sign-in card.
    pub(crate) const COMMANDS;

    SIGN_IN: "sign_in.submit", ["enter"], "Sign in", top SignIn::submit, hint("sign in");
    SIGN_IN: "sign_in.next", ["tab", "down"], "Next field",
        top |sign_in: &mut SignIn, _| sign_in.next(), hint("next field"),
        unless(|state| in_browser(state).map(|_| "only one field".to_owned()));
    SIGN_IN: "sign_in.previous", ["backtab", "up"], "Previous field",
        top |sign_in: &mut SignIn, _| sign_in.previous(),
        unless(|state| in_browser(state).map(|_| "only one field".to_owned()));
    SIGN_IN: "sign_in.browser", ["ctrl-b", "f7"], "Sign in through a provider, in a browser",
        top SignIn::open_browser,
        unless(|state| match state.on_top::<SignIn>() {
            Some(sign_in) if sign_in.in_browser.is_some() => {
                Some("sign-in is in progress; esc goes back".to_owned())
            }
            Some(sign_in) if sign_in.ways.providers.is_empty() => {
                Some("this service names no provider".to_owned())
            }
            _ => None,
        });
    SIGN_IN: "sign_in.copy", ["ctrl-y"], "Copy the address to open in a browser",
        top |sign_in: &mut SignIn, cx| {
            if let Some(browser) = &sign_in.in_browser {
                browser.copy(cx);
            }
        }, unless(|state| match in_browser(state) {
            Some(_) => None,
            None => Some("no address yet".to_owned()),
        });
    SIGN_IN: "sign_in.close", ["esc"], "Continue without signing in, or go back from the browser",
        top SignIn::close, hint("not now");
}

fn in_browser(state: &State) -> Option<&InBrowser> {
    state.on_top::<SignIn>()?.in_browser.as_ref()
}

/// Nobody has an account yet.
const NO_ORGANIZATION: &str = "! This server has no organisation yet. Open the link that it printed at its start, or run frontdesk-server setup there.";
/// The width of the card.
const WIDTH: u16 = 60;

/// The argument that a service asks for if the password fits accounts at several organisations.
const ORGANIZATION: &str = "organization";

/// A field of the card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Field {
    #[default]
    Email,
    Password,
    Organization,
    Code,
}

/// The sign-in card.
#[derive(Debug, Default)]
pub(crate) struct SignIn {
    email: Input,
    password: Input,
    /// The organisation's name, once the service asks for it.
    organization: Option<Input>,
    /// The code of the second factor, once the service asks for it.
    code: Option<Input>,
    at: Field,
    /// Why one has to sign in again.
    reason: Option<String>,
    attempt: Remote<()>,
    /// What is missing before one can try.
    gap: Option<&'static str>,
    ways: SignInWays,
    in_browser: Option<InBrowser>,
}

impl SignIn {
    /// A card for this address, if it is known.
    pub(crate) fn new(email: &str, reason: Option<String>) -> Self {
        SignIn {
            email: Input::line(email),
            password: Input::secret(),
            at: match email.is_empty() {
                true => Field::Email,
                false => Field::Password,
            },
            reason,
            ..SignIn::default()
        }
    }

    /// The fields, from top to bottom.
    fn fields(&self) -> impl Iterator<Item = (Field, &'static str, &Input)> {
        let more = [
            (
                Field::Organization,
                "Organisation",
                self.organization.as_ref(),
            ),
            (
                Field::Code,
                "Code of your authenticator",
                self.code.as_ref(),
            ),
        ];
        let more = more.into_iter();
        [
            (Field::Email, "E-mail address", &self.email),
            (Field::Password, "Password", &self.password),
        ]
        .into_iter()
        .chain(more.filter_map(|(field, title, input)| Some((field, title, input?))))
    }

    fn next(&mut self) {
        self.go(1);
    }

    fn previous(&mut self) {
        self.go(self.fields().count() - 1);
    }

    /// Goes so many fields on, round the end.
    fn go(&mut self, on: usize) {
        let fields: Vec<Field> = self.fields().map(|(field, ..)| field).collect();
        let at = fields.iter().position(|field| *field == self.at);
        self.at = fields[(at.unwrap_or(0) + on) % fields.len()];
    }

    fn open_browser(&mut self, cx: &mut Cx) {
        if let Some(provider) = self.ways.providers.first() {
            let to = SignInTo::Service(provider.clone());
            self.in_browser = Some(InBrowser::open(cx, to));
        }
    }

    fn close(&mut self, cx: &mut Cx) {
        match self.in_browser.take() {
            Some(mut browser) => browser.close(cx),
            None => cx.out.moves.push(Move::Drop),
        }
    }

    fn submit(&mut self, cx: &mut Cx) {
        if let Some(browser) = &mut self.in_browser {
            browser.submit(cx);
            return;
        }
        if self.is_busy() {
            return;
        }
        self.gap = None;
        if !self.email.text().contains('@') {
            self.at = Field::Email;
            self.gap = Some("Your e-mail address is missing.");
        } else if self.password.is_empty() {
            // Enter in the first field goes on to the second.
            self.gap = (self.at != Field::Email).then_some("Your password is missing.");
            self.at = Field::Password;
        } else {
            let request = cx.run(SignInByPassword {
                email: self.email.text().trim().to_owned(),
                password: Secret::new(self.password.text()),
                details: SignInDetails {
                    organization: self
                        .organization
                        .as_ref()
                        .map(|name| name.text().trim().to_owned()),
                    code: self
                        .code
                        .as_ref()
                        .map(|code| Secret::new(code.text().trim())),
                    enrolment: None,
                },
            });
            self.attempt.begin(request);
        }
    }

    fn focused(&mut self) -> &mut Input {
        let more = match self.at {
            Field::Organization => &mut self.organization,
            _ => &mut self.code,
        };
        match (&mut self.in_browser, more, self.at) {
            (Some(browser), ..) => &mut browser.ended_on,
            (None, Some(more), Field::Organization | Field::Code) => more,
            (None, _, Field::Email) => &mut self.email,
            (None, ..) => &mut self.password,
        }
    }

    fn message(&self, shared: &Shared) -> Vec<Line<'static>> {
        let theme = &shared.settings.theme;
        let submit = shared.settings.keymap.key("sign_in.submit");
        let said = match (self.gap, &self.attempt, self.attempt.error(), &self.reason) {
            (Some(gap), ..) => Some(Line::styled(format!("! {gap}"), theme.warn)),
            (_, Remote::Loading { .. }, ..) => return vec![waiting(shared, "signing in")],
            (_, _, Some(error), _) if is_refused(error) => Some(Line::styled(
                "✗ Address or password is wrong. Try again.",
                theme.bad,
            )),
            (_, _, Some(error), _) if wants(error, CODE) => {
                return vec![Line::styled(self.about_code(error), theme.warn)];
            }
            (_, _, Some(CallError::Tool(refusal)), _)
                if refusal.field.as_deref() == Some(ORGANIZATION) =>
            {
                let text = format!("! {}", clean(&refusal.message));
                return vec![Line::styled(text, theme.warn)];
            }
            (_, _, Some(error), _) => {
                let problem = Problem::of(error);
                return vec![
                    Line::styled(
                        format!("✗ {}. {}", problem.title, clean(&problem.what)),
                        theme.bad,
                    ),
                    Line::styled(format!("{submit} tries again"), theme.dim),
                ];
            }
            _ if self.ways.needs_setup => Some(Line::styled(NO_ORGANIZATION, theme.warn)),
            (.., Some(reason)) => Some(Line::styled(format!("! {}", clean(reason)), theme.warn)),
            _ => None,
        };
        said.into_iter().chain(self.other_way(shared)).collect()
    }

    /// What is said about the code.
    fn about_code(&self, error: &CallError) -> String {
        match (error, &self.code) {
            // Keys are shown at a terminal only, with their QR code.
            (CallError::Tool(refusal), _) if refusal.details.is_some() => {
                "! Your organisation requires a second factor. Turn it on in a terminal: frontdesk login --email E"
                    .to_owned()
            }
            (_, Some(code)) if code.is_empty() => {
                "! Enter the code that your authenticator shows, or a recovery code.".to_owned()
            }
            _ => "✗ The code is wrong, or was used before.".to_owned(),
        }
    }

    /// How one can sign in without a password.
    fn other_way(&self, shared: &Shared) -> Option<Line<'static>> {
        let key = shared.settings.keymap.key("sign_in.browser");
        let name = clean(self.ways.providers.first()?);
        let text = format!("{key} signs in with {name}, in a browser");
        Some(Line::styled(text, shared.settings.theme.dim))
    }
}

impl Layer for SignIn {
    fn context(&self) -> &'static Context {
        &SIGN_IN
    }

    fn is_sign_in(&self) -> bool {
        true
    }

    fn typing(&self) -> Typing {
        match self.at {
            Field::Code => Typing::Secret,
            at => self
                .fields()
                .find(|field| field.0 == at)
                .map_or(Typing::Yes, |field| field.2.typing()),
        }
    }

    fn key(&mut self, _: &mut Cx, key: KeyEvent) {
        self.focused().key(key);
    }

    fn paste(&mut self, _: &mut Cx, text: &str) {
        self.focused().paste(text);
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: &Outcome) {
        if let Some(Ok(ways)) = outcome.end::<FetchWays>().map(|ended| &ended.result) {
            self.ways.clone_from(ways);
        }
        if let Some(browser) = &mut self.in_browser {
            browser.answered(cx, request, outcome);
        }
        if let Some(Ended { result, .. }) = outcome.end::<SignInByPassword>() {
            let result = result.clone().map(drop);
            let is_ours = self.attempt.finish(request, cx.now(), result);
            // A host that is away has said nothing against the password.
            if is_ours && self.attempt.error().is_some_and(is_refused) {
                self.password.set("");
                self.at = Field::Password;
            }
            let wants = |field| {
                self.attempt
                    .error()
                    .is_some_and(|error| wants(error, field))
            };
            if is_ours && wants(ORGANIZATION) {
                self.organization.get_or_insert_with(|| Input::line(""));
                self.at = Field::Organization;
            }
            if is_ours && wants(CODE) && self.attempt.error().is_some_and(|it| !enrols(it)) {
                self.code.get_or_insert_with(|| Input::line(""));
                self.at = Field::Code;
            }
        }
    }

    fn is_busy(&self) -> bool {
        let in_browser = self.in_browser.as_ref();
        self.attempt.is_loading() || in_browser.is_some_and(InBrowser::is_busy)
    }

    fn draw(&self, state: &State, frame: &mut Frame, area: Rect) {
        let shared = &state.shared;
        let theme = &shared.settings.theme;
        if let Some(browser) = &self.in_browser {
            let inner = panel::card(frame, theme, area, 76, 16, "Sign in to Frontdesk");
            browser.draw(shared, frame, inner);
            return;
        }
        let more = 3 * (self.fields().count() as u16 - 2);
        let said = self.message(shared);
        // A long message takes more lines, so that its end is visible too.
        let said_height = wrapped_heights(&said, usize::from(WIDTH) - 4).max(3 + more / 3);
        let height = 10 + more + said_height;
        let inner = panel::card(frame, theme, area, WIDTH, height, "Sign in to Frontdesk");
        let [address, fields, _, message] =
            Layout::vertical([1, 6 + more, 1, said_height].map(Length)).areas(inner);
        let mut at = Line::styled(format!("at {}", clean(&shared.address)), theme.dim);
        if Addresses::new(&shared.address).is_ok_and(|it| it.is_readable_by_others()) {
            at.push_span(Span::styled(" ! not encrypted", theme.warn));
        }
        frame.render_widget(at, address);
        let label = |text: &'static str, is_focused: bool| match is_focused {
            true => Line::from(vec![
                Span::styled("▸ ", theme.focus),
                Span::styled(text, theme.title),
            ]),
            false => Line::from(Span::raw(format!("  {text}"))),
        };
        let indent = |area: Rect| Rect {
            x: area.x + 2,
            width: area.width.saturating_sub(2),
            ..area
        };
        let style = Style::new().underlined();
        let areas = Layout::vertical(self.fields().map(|_| Length(3))).split(fields);
        for ((field, text, input), area) in self.fields().zip(areas.iter()) {
            let [_, title, line] = Layout::vertical([1, 1, 1].map(Length)).areas(*area);
            frame.render_widget(label(text, self.at == field), title);
            input.draw(frame, indent(line), style, self.at == field);
        }
        panel::text(frame, message, said);
    }
}

/// Whether the service asks for this, too.
fn wants(error: &CallError, field: &str) -> bool {
    matches!(error, CallError::Tool(refusal) if refusal.field.as_deref() == Some(field))
}

/// Whether the account has to turn its second factor on.
fn enrols(error: &CallError) -> bool {
    matches!(error, CallError::Tool(refusal) if refusal.details.is_some())
}

/// Whether address or password is wrong.
fn is_refused(error: &CallError) -> bool {
    matches!(error, CallError::Tool(refusal) if refusal.code == ErrorCode::Unauthorized)
}
