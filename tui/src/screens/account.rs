//! The signed-in account: its organisation, role and member, and its password.

use crossterm::event::KeyEvent;
use frontdesk_client::{Account, CallError, Secret};
use ratatui::Frame;
use ratatui::layout::Constraint::Length;
use ratatui::layout::{Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use crate::app::cx::{Cx, News};
use crate::app::effects::job::Outcome;
use crate::app::effects::session::{ChangePassword, FetchAccount};
use crate::app::input::command::{ANYWHERE, Context, commands};
use crate::app::owner::RequestId;
use crate::app::remote::Remote;
use crate::app::screen::Screen;
use crate::app::shared::{Session, Shared};
use crate::app::state::{State, Typing};
use crate::local::FirstOwner;
use crate::look::mark::Mark;
use crate::look::text::clean;
use crate::ui::fields::Fields;
use crate::ui::frame::waiting;
use crate::ui::panel::{self, INSET};
use crate::ui::problem::Problem;

pub(crate) static ACCOUNT: Context = Context::screen("Account");

commands! {
    /// The commands of the account screen.
    pub(crate) const COMMANDS;

    ACCOUNT: "account.password", ["enter", "p"], "Change the password, or go on in its form",
        act AccountScreen::go, hint("change password"), writes;
    ACCOUNT: "account.next", ["tab", "down"], "Next field",
        act |screen: &mut AccountScreen, _| screen.step_field(1);
    ACCOUNT: "account.previous", ["backtab", "up"], "Previous field",
        act |screen: &mut AccountScreen, _| screen.step_field(-1);
}

commands! {
    /// Commands available everywhere.
    pub(crate) const EVERYWHERE;

    ANYWHERE: "app.account", [], "Account: who is signed in, and the password",
        run |state, out| state.cx(out).open(AccountScreen::default()), of_service,
        unless(no_account);
}

fn no_account(state: &State) -> Option<String> {
    match state.shared.session {
        Session::In(_) => None,
        _ => Some("nobody is signed in".to_owned()),
    }
}

/// The account screen.
#[derive(Debug, Default)]
pub(crate) struct AccountScreen {
    account: Remote<Account>,
    /// The fields of a new password, while it is changed.
    form: Option<Fields>,
    changing: Remote<()>,
    problem: Option<&'static str>,
}

impl AccountScreen {
    fn go(&mut self, cx: &mut Cx) {
        let Some(form) = &mut self.form else {
            let labels = ["Current password", "New password", "New password again"];
            self.form = Some(Fields::new(&[]).with_secrets(&labels));
            self.changing = Remote::Idle;
            return;
        };
        if self.changing.is_loading() || form.goes_on() {
            return;
        }
        let [current, new, again] = [0, 1, 2].map(|at| form.text(at));
        let wrong = if current.is_empty() {
            Some((0, "The current password is missing."))
        } else if new.chars().count() < FirstOwner::SHORTEST {
            Some((1, "The new password needs at least 8 characters."))
        } else if new != again {
            form.set(2, "");
            Some((2, "The two new passwords differ."))
        } else {
            None
        };
        self.problem = wrong.map(|(_, problem)| problem);
        match wrong {
            Some((at, _)) => form.focus(at),
            None => self.changing.begin(cx.run(ChangePassword {
                current: Secret::new(current),
                new: Secret::new(new),
            })),
        }
    }

    fn step_field(&mut self, by: isize) {
        match &mut self.form {
            Some(form) if by > 0 => form.next(),
            Some(form) => form.previous(),
            None => {}
        }
    }

    fn facts(&self, shared: &Shared) -> Vec<(&'static str, String)> {
        let Some(account) = self.account.value().or(shared.account()) else {
            return Vec::new();
        };
        let organization = match (&account.organization, &account.organization_slug) {
            (Some(name), Some(slug)) => format!("{name} (~{slug})"),
            (Some(name), None) => name.clone(),
            (None, _) => "none".to_owned(),
        };
        let role = account.role.map_or("none", |role| role.name());
        let role = match account.level {
            0 => role.to_owned(),
            level => format!("{role}, global level {level}"),
        };
        let none = || "none".to_owned();
        vec![
            ("E-mail address", account.email.clone()),
            ("Name", account.name.clone().unwrap_or_else(none)),
            ("Organisation", organization),
            ("Role", role),
            ("Member", account.member.clone().unwrap_or_else(none)),
            ("Server", shared.address.clone()),
        ]
    }

    fn message(&self, shared: &Shared) -> Line<'static> {
        let bad =
            |text: String| Line::styled(format!("✗ {}", clean(&text)), shared.settings.theme.bad);
        match (&self.form, self.problem, self.changing.error()) {
            (None, ..) => panel::hint(shared, "account.password", "changes the password."),
            _ if self.changing.is_loading() => waiting(shared, "changing the password"),
            (_, Some(problem), _) => bad(problem.to_owned()),
            (_, _, Some(CallError::Tool(refusal))) => {
                bad(format!("{}.", sentence(refusal.message.as_str())))
            }
            (_, _, Some(error)) => bad(Problem::of_write(error).line()),
            _ => Line::styled("Your other sign-ins end.", shared.settings.theme.dim),
        }
    }
}

/// The text as the beginning of a sentence.
fn sentence(text: &str) -> String {
    let mut letters = text.trim_end_matches('.').chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

impl Screen for AccountScreen {
    fn context(&self) -> &'static Context {
        &ACCOUNT
    }

    fn refresh(&mut self, cx: &mut Cx) {
        if matches!(cx.shared.session, Session::In(_)) {
            self.account.begin(cx.run(FetchAccount));
        }
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, mut outcome: Outcome) {
        if let Some(ended) = outcome.take::<FetchAccount>() {
            self.account.finish(request, cx.now(), ended.result);
        } else if let Some(ended) = outcome.take::<ChangePassword>() {
            let is_changed = ended.result.is_ok();
            if self.changing.finish(request, cx.now(), ended.result) && is_changed {
                self.form = None;
                cx.toast(Mark::Good, "Changed the password");
            }
        }
    }

    fn notified(&mut self, cx: &mut Cx, news: &News) {
        if matches!(news, News::SignedIn) {
            self.refresh(cx);
        }
    }

    fn typing(&self) -> Typing {
        self.form.as_ref().map_or(Typing::No, Fields::typing)
    }

    fn key(&mut self, _: &mut Cx, key: KeyEvent) {
        self.problem = None;
        if let Some(form) = &mut self.form {
            form.key(key);
        }
    }

    fn paste(&mut self, _: &mut Cx, text: &str) {
        if let Some(form) = &mut self.form {
            form.paste(text);
        }
    }

    fn escape(&mut self, _: &mut Cx) -> bool {
        self.problem = None;
        self.form.take().is_some()
    }

    fn is_busy(&self) -> bool {
        self.account.is_loading() || self.changing.is_loading()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let area = area.inner(INSET);
        let facts = self.facts(shared);
        let lines = facts.iter().map(|(label, value)| {
            Line::from(vec![
                Span::styled(format!("{label:<18}"), shared.settings.theme.dim),
                Span::raw(clean(value).into_owned()),
            ])
        });
        let fields = self.form.as_ref().map_or(0, Fields::height);
        let [_, about, _, form, _, message] = Layout::vertical([
            Length(1),
            Length(facts.len() as u16),
            Length(1),
            Length(fields),
            Length(fields.min(1)),
            Length(3),
        ])
        .areas(area);
        frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()), about);
        if let Some(fields) = &self.form {
            fields.draw(&shared.settings.theme, frame, form);
        }
        panel::text(frame, message, self.message(shared));
    }
}
