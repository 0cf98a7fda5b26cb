//! Signing in through a provider, or to a server: what to open in a browser, and where to say what it has
//! ended on, if it is on another machine.

use frontdesk_client::{CallError, Secret};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::app::cx::Cx;
use crate::app::effects::browser::SignInTo;
use crate::app::effects::job::{Ended, Outcome};
use crate::app::effects::session::{FinishInBrowser, OpenBrowser};
use crate::app::owner::RequestId;
use crate::app::remote::Remote;
use crate::app::shared::Shared;
use crate::look::text::clean;
use crate::ui::frame::waiting;
use crate::ui::input::Input;
use crate::ui::panel;
use crate::ui::problem::Problem;

/// A sign-in that goes on in a browser.
#[derive(Debug)]
pub(crate) struct InBrowser {
    to: SignInTo,
    /// What is to be opened.
    address: Remote<String>,
    /// Ends once the browser comes back.
    coming_back: Option<RequestId>,
    /// The address of the page that the browser has ended on.
    pub(crate) ended_on: Input,
    attempt: Remote<()>,
    is_missing: bool,
}

impl InBrowser {
    /// Begins one.
    pub(crate) fn open(cx: &mut Cx, to: SignInTo) -> Self {
        let mut address = Remote::Idle;
        address.begin(cx.run(OpenBrowser(to.clone())));
        InBrowser {
            to,
            address,
            coming_back: None,
            ended_on: Input::line(""),
            attempt: Remote::Idle,
            is_missing: false,
        }
    }

    /// Gives it up.
    pub(crate) fn close(&mut self, cx: &mut Cx) {
        cx.abort(self.coming_back.take());
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.address.is_loading() || self.attempt.is_loading()
    }

    /// Puts what is to be opened on the clipboard.
    pub(crate) fn copy(&self, cx: &mut Cx) {
        if let Some(address) = self.address.value() {
            cx.copy(address.clone(), "the address");
        }
    }

    /// Ends it with the address that was pasted.
    pub(crate) fn submit(&mut self, cx: &mut Cx) {
        let answer = self.ended_on.text();
        self.is_missing = answer.trim().is_empty();
        if !self.is_missing && !self.is_busy() {
            let answer = Secret::new(answer.trim().to_owned());
            self.attempt.begin(cx.run(FinishInBrowser(Some(answer))));
        }
    }

    pub(crate) fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: &Outcome) {
        if let Some(Ended { result, .. }) = outcome.end::<OpenBrowser>() {
            let is_ours = self.address.finish(request, cx.now(), result.clone());
            if is_ours && self.address.error().is_none() {
                self.coming_back = Some(cx.run(FinishInBrowser(None)));
            }
        } else if let Some(Ended { result, .. }) = outcome.end::<FinishInBrowser>() {
            self.ended(cx, request, result.clone().map(drop));
        }
    }

    fn ended(&mut self, cx: &mut Cx, request: RequestId, result: Result<(), CallError>) {
        if self.coming_back.take_if(|it| *it == request).is_some() {
            self.attempt.begin(request);
        }
        let is_ours = self.attempt.finish(request, cx.now(), result);
        if is_ours && self.attempt.error().is_none() {
            self.close(cx);
        }
    }

    fn message(&self, shared: &Shared) -> Line<'static> {
        let theme = &shared.settings.theme;
        let error = self.attempt.error().or(self.address.error());
        match error {
            _ if self.is_missing => Line::styled(
                "! Paste the address of the browser's last page.",
                theme.warn,
            ),
            _ if self.is_busy() => waiting(shared, "signing in"),
            Some(CallError::Tool(refusal)) => {
                Line::styled(format!("✗ {}", clean(&refusal.message)), theme.bad)
            }
            Some(error) => {
                let problem = Problem::of(error);
                let text = format!("✗ {}. {}", problem.title, clean(&problem.what));
                Line::styled(text, theme.bad)
            }
            None => {
                let copy = match &self.to {
                    SignInTo::Service(_) => "sign_in.copy",
                    SignInTo::Server(_) => "server_sign_in.copy",
                };
                let key = shared.settings.keymap.key(copy);
                let text = format!(
                    "{key} copies the address. This screen continues when the browser returns."
                );
                Line::styled(text, theme.dim)
            }
        }
    }

    /// Draws it.
    pub(crate) fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.settings.theme;
        let [title, address, elsewhere, field, _, message] =
            Layout::vertical([1, 7, 2, 1, 1, 2].map(Constraint::Length)).areas(area);
        let text = match &self.to {
            SignInTo::Service(provider) => {
                format!("Sign in with {} in a browser, at", clean(provider))
            }
            SignInTo::Server(name) => format!("Sign in to {} in a browser, at", clean(name)),
        };
        frame.render_widget(Line::raw(text), title);
        let text = self.address.value().map(String::as_str).unwrap_or_default();
        let text = Span::styled(clean(text), theme.focus);
        panel::text(frame, address, text);
        let text = "If the browser is on another machine, it ends on a page that it cannot load. \
                    The address of that page:";
        panel::text(frame, elsewhere, text);
        self.ended_on
            .draw(frame, field, Style::new().underlined(), true);
        panel::text(frame, message, self.message(shared));
    }
}
