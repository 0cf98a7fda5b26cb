//! Signing in: at the start, and over whatever was open when a sign-in is no longer accepted.

use crossterm::event::KeyEvent;
use frontdesk_client::{Addresses, CallError, Secret, SignInWays};
use frontdesk_protocol::ErrorCode;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use self::in_browser::InBrowser;
use crate::app::cx::{Cx, Move};
use crate::app::effects::browser::SignInTo;
use crate::app::effects::job::{Ended, Outcome};
use crate::app::effects::session::{FetchWays, SignInByPassword};
use crate::app::input::command::{Command, Context};
use crate::app::layer::Layer;
use crate::app::owner::RequestId;
use crate::app::remote::Remote;
use crate::app::shared::Shared;
use crate::app::state::State;
use crate::look::text::clean;
use crate::ui::frame::{waiting, wrapped_heights};
use crate::ui::input::Input;
use crate::ui::panel;
use crate::ui::problem::Problem;

pub(crate) mod in_browser;

pub(crate) static SIGN_IN: Context = Context::layer("Sign-in");

/// The commands of the sign-in card.
pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        &SIGN_IN,
        "sign_in.submit",
        "Sign in",
        &["enter"],
        |state, out| {
            state.act_on_top::<SignIn>(out, SignIn::submit);
        },
    )
    .hint("sign in"),
    Command::new(
        &SIGN_IN,
        "sign_in.next",
        "Next field",
        &["tab", "down"],
        |state, out| state.act_on_top::<SignIn>(out, |sign_in, _| sign_in.next()),
    )
    .hint("next field")
    .unless(|state| in_browser(state).map(|_| "only one field".to_owned())),
    Command::new(
        &SIGN_IN,
        "sign_in.previous",
        "Previous field",
        &["backtab", "up"],
        |state, out| state.act_on_top::<SignIn>(out, |sign_in, _| sign_in.previous()),
    )
    .unless(|state| in_browser(state).map(|_| "only one field".to_owned())),
    Command::new(
        &SIGN_IN,
        "sign_in.browser",
        "Sign in through a provider, in a browser",
        &["ctrl-b", "f7"],
        |state, out| state.act_on_top::<SignIn>(out, SignIn::open_browser),
    )
    .unless(|state| match state.on_top::<SignIn>() {
        Some(sign_in) if sign_in.in_browser.is_some() => {
            Some("sign-in is in progress; esc goes back".to_owned())
        }
        Some(sign_in) if sign_in.ways.providers.is_empty() => {
            Some("this service names no provider".to_owned())
        }
        _ => None,
    }),
    Command::new(
        &SIGN_IN,
        "sign_in.copy",
        "Copy the address to open in a browser",
        &["ctrl-y"],
        |state, out| {
            state.act_on_top::<SignIn>(out, |sign_in, cx| {
                if let Some(browser) = &sign_in.in_browser {
                    browser.copy(cx);
                }
            });
        },
    )
    .unless(|state| match in_browser(state) {
        Some(_) => None,
        None => Some("no address yet".to_owned()),
    }),
    Command::new(
        &SIGN_IN,
        "sign_in.close",
        "Continue without signing in, or go back from the browser",
        &["esc"],
        |state, out| state.act_on_top::<SignIn>(out, SignIn::close),
    )
    .hint("not now"),
];

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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Email,
    Password,
    Organization,
}

/// The sign-in card.
#[derive(Debug)]
pub(crate) struct SignIn {
    email: Input,
    password: Input,
    /// The organisation's name, once the service asks for it.
    organization: Option<Input>,
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
            organization: None,
            at: match email.is_empty() {
                true => Field::Email,
                false => Field::Password,
            },
            reason,
            attempt: Remote::Idle,
            gap: None,
            ways: SignInWays::default(),
            in_browser: None,
        }
    }

    fn next(&mut self) {
        self.at = match (self.at, &self.organization) {
            (Field::Email, _) => Field::Password,
            (Field::Password, Some(_)) => Field::Organization,
            (Field::Password, None) | (Field::Organization, _) => Field::Email,
        };
    }

    fn previous(&mut self) {
        self.at = match (self.at, &self.organization) {
            (Field::Email, Some(_)) => Field::Organization,
            (Field::Email, None) | (Field::Organization, _) => Field::Password,
            (Field::Password, _) => Field::Email,
        };
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
                organization: self
                    .organization
                    .as_ref()
                    .map(|name| name.text().trim().to_owned()),
            });
            self.attempt.begin(request);
        }
    }

    fn focused(&mut self) -> &mut Input {
        match (&mut self.in_browser, &mut self.organization, self.at) {
            (Some(browser), ..) => &mut browser.ended_on,
            (None, Some(organization), Field::Organization) => organization,
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
            if is_ours && self.attempt.error().is_some_and(wants_organization) {
                self.organization.get_or_insert_with(|| Input::line(""));
                self.at = Field::Organization;
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
        let more = if self.organization.is_some() { 3 } else { 0 };
        let said = self.message(shared);
        // A long message takes more lines, so that its end is visible too.
        let said_height = wrapped_heights(&said, usize::from(WIDTH) - 4).max(3 + more / 3);
        let height = 10 + more + said_height;
        let inner = panel::card(frame, theme, area, WIDTH, height, "Sign in to Frontdesk");
        let [
            address,
            _,
            email,
            email_field,
            _,
            password,
            password_field,
            organization,
            _,
            message,
        ] = Layout::vertical([1, 1, 1, 1, 1, 1, 1, more, 1, said_height].map(Constraint::Length))
            .areas(inner);
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
        let is_at = |field| self.at == field;
        frame.render_widget(label("E-mail address", is_at(Field::Email)), email);
        self.email
            .draw(frame, indent(email_field), style, is_at(Field::Email));
        frame.render_widget(label("Password", is_at(Field::Password)), password);
        self.password
            .draw(frame, indent(password_field), style, is_at(Field::Password));
        if let Some(name) = &self.organization {
            let [_, title, field] =
                Layout::vertical([1, 1, 1].map(Constraint::Length)).areas(organization);
            frame.render_widget(label("Organisation", is_at(Field::Organization)), title);
            name.draw(frame, indent(field), style, is_at(Field::Organization));
        }
        frame.render_widget(Paragraph::new(said).wrap(Wrap { trim: true }), message);
    }
}

/// Whether the password fits accounts at several organisations.
fn wants_organization(error: &CallError) -> bool {
    matches!(error, CallError::Tool(refusal) if refusal.field.as_deref() == Some(ORGANIZATION))
}

/// Whether address or password is wrong.
fn is_refused(error: &CallError) -> bool {
    matches!(error, CallError::Tool(refusal) if refusal.code == ErrorCode::Unauthorized)
}
