//! Forms: fields, one of which has the focus; what is wrong stands at the field that it is about.

use crossterm::event::KeyEvent;
use frontdesk_client::CallError;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::app::command::{Command, Context};
use crate::app::cx::{Cx, News};
use crate::app::effect::{Answer, Outcome, RequestId};
use crate::app::remote::Remote;
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::app::state::Typing;
use crate::ui::confirm::Confirm;
use crate::ui::frame::{waiting, wrapped_heights};
use crate::ui::input::Input;
use crate::ui::problem::Problem;
use crate::ui::text::clean;

pub(crate) static FORM: Context = Context::screen("Forms");

/// The commands of forms.
pub(crate) const COMMANDS: &[Command] = &[
    Command::new(&FORM, "form.save", "Save", &["ctrl-s"], |state, out| {
        state.act::<Form>(out, Form::save);
    })
    .writes()
    .hint("save"),
    Command::new(&FORM, "form.next", "Next field", &["tab"], |state, out| {
        state.act::<Form>(out, |form, _| form.focus(1));
    })
    .hint("next field"),
    Command::new(
        &FORM,
        "form.previous",
        "Previous field",
        &["backtab"],
        |state, out| {
            state.act::<Form>(out, |form, _| form.focus(-1));
        },
    ),
];

/// What a form is for.
pub(crate) trait Purpose: std::fmt::Debug {
    /// What is to be done with what is filled in. None: nothing.
    ///
    /// # Errors
    /// What is wrong at which field, by its key.
    fn read(&self, form: &Filled, shared: &Shared) -> Result<Option<Ready>, Vec<Wrong>>;

    /// What has become of what others carry out. None as long as it is under way.
    fn ended(&self, cx: &mut Cx, request: RequestId) -> Option<Result<(), CallError>> {
        let _ = (cx, request);
        None
    }

    /// Takes the answer to its own call.
    ///
    /// # Errors
    /// Why it did not work.
    fn done(&self, cx: &mut Cx, answer: Answer) -> Result<(), CallError> {
        let _ = (cx, answer);
        Ok(())
    }
}

/// A form that is filled in properly.
pub(crate) struct Ready {
    /// What is to be asked before it is sent.
    pub(crate) doubt: Option<Doubt>,
    pub(crate) send: Box<dyn FnOnce(&mut Cx) -> RequestId>,
}

/// A question before a form is sent.
pub(crate) struct Doubt {
    pub(crate) title: String,
    pub(crate) body: String,
}

/// Something is wrong at a field.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    /// The field's key.
    pub(crate) field: &'static str,
    /// What would be right.
    pub(crate) message: String,
}

/// A field of a form.
#[derive(Debug)]
pub(crate) struct Field {
    /// The argument's name on the host.
    key: &'static str,
    label: &'static str,
    input: Input,
    before: String,
    height: u16,
    error: Option<String>,
}

impl Field {
    /// A field of one line.
    pub(crate) fn line(key: &'static str, label: &'static str, text: &str) -> Self {
        Field::new(key, label, Input::line(text), 1)
    }

    fn new(key: &'static str, label: &'static str, input: Input, height: u16) -> Self {
        Field {
            key,
            label,
            // As the field took it: what it cannot hold, nobody has changed.
            before: input.text(),
            input,
            height,
            error: None,
        }
    }

    fn is_changed(&self) -> bool {
        self.input.text() != self.before
    }
}

/// What is filled in.
pub(crate) struct Filled<'a>(&'a [Field]);

impl Filled<'_> {
    /// The text of a field.
    pub(crate) fn text(&self, key: &str) -> String {
        let field = self.0.iter().find(|field| field.key == key);
        field.map(|field| field.input.text()).unwrap_or_default()
    }
}

/// A form.
#[derive(Debug)]
pub(crate) struct Form {
    title: String,
    fields: Vec<Field>,
    at: usize,
    purpose: Box<dyn Purpose>,
    saving: Remote<()>,
}

impl Form {
    /// A form with these fields.
    pub(crate) fn new(
        title: impl Into<String>,
        fields: Vec<Field>,
        purpose: impl Purpose + 'static,
    ) -> Self {
        Form {
            title: title.into(),
            fields,
            at: 0,
            purpose: Box::new(purpose),
            saving: Remote::Idle,
        }
    }

    fn focus(&mut self, by: isize) {
        let fields = self.fields.len().max(1);
        self.at = self.at.wrapping_add_signed(by).wrapping_add(fields) % fields;
    }

    fn save(&mut self, cx: &mut Cx) {
        self.send(cx, false);
    }

    /// Sends what is filled in; asks before where there is a doubt, unless they are sure.
    fn send(&mut self, cx: &mut Cx, is_sure: bool) {
        if self.saving.is_loading() {
            return;
        }
        for field in &mut self.fields {
            field.error = None;
        }
        match self.purpose.read(&Filled(&self.fields), cx.shared) {
            Ok(Some(Ready {
                doubt: Some(doubt), ..
            })) if !is_sure => cx.raise(Confirm {
                title: doubt.title,
                body: doubt.body,
                then: |state, out| state.act::<Form>(out, |form, cx| form.send(cx, true)),
            }),
            Ok(None) => {
                cx.toast(crate::ui::mark::Mark::Info, "Nothing was changed");
                cx.back();
            }
            Ok(Some(ready)) => {
                let request = (ready.send)(cx);
                self.saving.begin(request);
            }
            Err(wrong) => {
                for wrong in wrong {
                    self.mark(wrong.field, &wrong.message);
                }
                self.focus_first_error();
            }
        }
    }

    /// Takes how it ended.
    fn take(&mut self, cx: &mut Cx, request: RequestId, result: Result<(), CallError>) {
        if let Err(CallError::Tool(refusal)) = &result
            && let Some(path) = &refusal.field
            && self.mark(path, &refusal.message)
        {
            self.saving = Remote::Idle;
            self.focus_first_error();
            return;
        }
        self.saving.finish(request, cx.now(), result);
        if self.saving.error().is_none() {
            cx.back();
        }
    }

    /// Notes what is wrong at a field; says whether there is such a field.
    fn mark(&mut self, path: &str, message: &str) -> bool {
        let is_at = |field: &&mut Field| {
            path.strip_prefix(field.key)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        match self.fields.iter_mut().find(is_at) {
            Some(field) => {
                field.error = Some(clean(message).into_owned());
                true
            }
            None => false,
        }
    }

    fn focus_first_error(&mut self) {
        if let Some(at) = self.fields.iter().position(|field| field.error.is_some()) {
            self.at = at;
        }
    }

    fn is_changed(&self) -> bool {
        self.fields.iter().any(Field::is_changed)
    }
}

impl Screen for Form {
    fn context(&self) -> &'static Context {
        &FORM
    }

    fn crumb(&self) -> String {
        self.title.clone()
    }

    fn shown(&mut self, _: &mut Cx) {}

    fn refresh(&mut self, _: &mut Cx) {}

    fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: Outcome) {
        let Outcome::Call(answer) = outcome else {
            return;
        };
        if self.saving.waits_for(request) {
            let result = self.purpose.done(cx, answer);
            self.take(cx, request, result);
        }
    }

    fn told(&mut self, cx: &mut Cx, _: &News) {
        if let Some(request) = self.saving.request()
            && let Some(result) = self.purpose.ended(cx, request)
        {
            self.take(cx, request, result);
        }
    }

    fn typing(&self) -> Typing {
        Typing::Yes
    }

    fn key(&mut self, _: &mut Cx, key: KeyEvent) {
        use crossterm::event::KeyCode;
        let Some(field) = self.fields.get_mut(self.at) else {
            return;
        };
        if field.input.key(key) {
            field.error = None;
            return;
        }
        // What a field of one line has no use for.
        match key.code {
            KeyCode::Enter | KeyCode::Down => self.focus(1),
            KeyCode::Up => self.focus(-1),
            _ => {}
        }
    }

    fn paste(&mut self, _: &mut Cx, text: &str) {
        if let Some(field) = self.fields.get_mut(self.at) {
            field.input.paste(text);
            field.error = None;
        }
    }

    fn escape(&mut self, cx: &mut Cx) -> bool {
        let is_changed = self.is_changed();
        if is_changed {
            cx.raise(Confirm {
                title: "Throw away what you typed?".to_owned(),
                body: "It has not been saved.".to_owned(),
                then: |state, out| state.cx(out).back(),
            });
        }
        is_changed
    }

    fn is_busy(&self) -> bool {
        self.saving.is_loading()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.theme;
        let area = Rect {
            x: area.x + 1,
            y: area.y,
            width: area.width.saturating_sub(2).min(90),
            height: area.height,
        };
        let status = self.status(shared, usize::from(area.width));
        let status_height = wrapped_heights(&status, area.width.into());
        let mut heights: Vec<Constraint> = self
            .fields
            .iter()
            .map(|field| Constraint::Length(field.height + 2))
            .collect();
        heights.push(Constraint::Min(status_height));
        let places = Layout::vertical(heights).split(area);
        for ((at, field), place) in self.fields.iter().enumerate().zip(places.iter()) {
            let is_focused = at == self.at;
            let [label, input, _] = Layout::vertical([
                Constraint::Length(1),
                Constraint::Length(field.height),
                Constraint::Fill(1),
            ])
            .areas(*place);
            let mut spans = match is_focused {
                true => vec![
                    Span::styled("▸ ", theme.focus),
                    Span::styled(field.label, theme.title),
                ],
                false => vec![Span::raw("  "), Span::raw(field.label)],
            };
            if field.is_changed() {
                spans.push(Span::styled(" (changed)", theme.dim));
            }
            if let Some(error) = &field.error {
                spans.push(Span::styled(format!("  ✗ {error}"), theme.bad));
            }
            frame.render_widget(Line::from(spans), label);
            let input = Rect {
                x: input.x + 2,
                width: input.width.saturating_sub(2),
                ..input
            };
            field
                .input
                .draw(frame, input, Style::new().underlined(), is_focused);
        }
        if let Some(place) = places.last() {
            frame.render_widget(Paragraph::new(status).wrap(Wrap { trim: true }), *place);
        }
    }
}

impl Form {
    fn status(&self, shared: &Shared, _width: usize) -> Vec<Line<'static>> {
        let theme = &shared.theme;
        match (&self.saving, self.saving.error()) {
            (Remote::Loading { .. }, _) => vec![waiting(shared, "saving…")],
            (_, Some(error)) => {
                let problem = Problem::of_write(error);
                let key = shared.keymap.key("form.save");
                let mut lines = vec![
                    Line::styled(
                        format!("✗ {}. {}", problem.title, clean(&problem.what)),
                        theme.bad,
                    ),
                    Line::styled(
                        format!("Nothing that you typed is lost. {}", clean(&problem.help)),
                        Style::new(),
                    ),
                ];
                lines.push(Line::from(vec![
                    Span::styled(key, theme.key),
                    Span::raw(" tries again"),
                ]));
                lines
            }
            _ => Vec::new(),
        }
    }
}
