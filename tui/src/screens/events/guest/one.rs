//! One guest: who it is, and whether they came.

use frontdesk_client::{ADDED_BY_MISTAKE, CallError};
use frontdesk_protocol::ToolError;
use frontdesk_protocol::events::guest::{GetEventGuest, Guest};
use frontdesk_protocol::id::{EventId, GuestId};
use jiff::Timestamp;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::app::command::{Command, Context};
use crate::app::cx::{Cx, News};
use crate::app::effect::{Outcome, RequestId};
use crate::app::remote::Remote;
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::app::state::{State, Typing};
use crate::door::{self, Arrival};
use crate::ui::confirm::Confirm;
use crate::ui::mark::Mark;
use crate::ui::panel::{self, titled};
use crate::ui::problem::Problem;
use crate::ui::text::clean;
use crate::ui::time::moment;

pub(crate) static GUEST: Context = Context::screen("One guest");

/// The commands of the screen.
pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        &GUEST,
        "guest.check_in_this",
        "Check in this guest",
        &["enter", "c"],
        |state, out| state.act::<GuestScreen>(out, GuestScreen::check_in),
    )
    .writes()
    .hint("check in")
    .unless(|state| {
        let check_in = guest(state)?.check_in_at;
        check_in.map(|_| "they are in already".to_owned())
    }),
    Command::new(
        &GUEST,
        "guest.undo_this",
        "Undo the check-in of this guest",
        &["u", "ctrl-u"],
        |state, out| state.act::<GuestScreen>(out, GuestScreen::undo),
    )
    .writes()
    .hint("undo")
    .unless(|state| {
        let attempt = state.shared.door().latest(guest(state)?.id);
        match attempt.is_some_and(door::Attempt::is_undoable) {
            true => None,
            false => Some("they were not checked in at this desk".to_owned()),
        }
    }),
    Command::new(
        &GUEST,
        "guest.mark_mistake",
        "Mark this guest as added by mistake, and as not here",
        &["x"],
        |state, out| {
            let Some(guest) = guest(state) else { return };
            let body = format!(
                "No host can delete a guest. {} stays on the list with the role \
                 “{ADDED_BY_MISTAKE}”, and counts as not here.",
                clean(&guest.name)
            );
            state.cx(out).raise(Confirm {
                title: "Mark as added by mistake?".to_owned(),
                body,
                then: |state, out| state.act::<GuestScreen>(out, GuestScreen::mark_mistake),
            });
        },
    )
    .writes()
    .unless(|state| match door::is_mistake(guest(state)?) {
        true => Some("they are marked already".to_owned()),
        false => None,
    }),
];

fn guest(state: &State) -> Option<&Guest> {
    match state.shows::<GuestScreen>() {
        Some(screen) => screen.record.value(),
        _ => None,
    }
}

/// The screen of one guest.
#[derive(Debug)]
pub(crate) struct GuestScreen {
    event: EventId,
    id: GuestId,
    record: Remote<Guest>,
}

impl GuestScreen {
    /// The screen of this guest, as far as a list knows them.
    pub(crate) fn new(guest: Guest, now: Timestamp) -> Self {
        GuestScreen {
            event: guest.event_id,
            id: guest.id,
            record: Remote::known(guest, now),
        }
    }

    fn check_in(&mut self, cx: &mut Cx) {
        if let Some(arrival) = self.arrival() {
            door::check_in(cx, arrival);
        }
    }

    fn mark_mistake(&mut self, cx: &mut Cx) {
        if let Some(arrival) = self.arrival() {
            door::mark_mistake(cx, arrival);
        }
    }

    fn arrival(&self) -> Option<Arrival> {
        let guest = self.record.value()?;
        Some(Arrival {
            event: self.event,
            guest: self.id,
            name: guest.name.clone(),
        })
    }

    fn undo(&mut self, cx: &mut Cx) {
        if let Some(attempt) = cx.shared.door().latest(self.id) {
            let id = attempt.id;
            door::undo(cx, id);
        }
    }
}

impl Screen for GuestScreen {
    fn context(&self) -> &'static Context {
        &GUEST
    }

    fn crumb(&self) -> String {
        match self.record.value() {
            Some(guest) => guest.name.clone(),
            None => "Guest".to_owned(),
        }
    }

    fn shown(&mut self, cx: &mut Cx) {
        self.refresh(cx);
    }

    fn refresh(&mut self, cx: &mut Cx) {
        cx.abort(self.record.request());
        let request = cx.call(GetEventGuest { id: self.id });
        self.record.begin(request);
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: Outcome) {
        if let Outcome::Call(answer) = outcome
            && let Some(result) = answer.of::<GetEventGuest>()
        {
            let result = result.and_then(|guest| {
                guest
                    .0
                    .ok_or_else(|| CallError::Tool(ToolError::not_found("guest")))
            });
            self.record.finish(request, cx.now(), result);
        }
    }

    fn told(&mut self, _: &mut Cx, news: &News) {
        let Some(known) = self.record.value_mut() else {
            return;
        };
        if let Some(guest) = news.record::<Guest>("guest")
            && guest.id == known.id
        {
            *known = guest;
        }
    }

    fn is_busy(&self) -> bool {
        self.record.is_loading()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.theme;
        let block = titled(" Guest ", theme.border);
        let inside = block.inner(area);
        frame.render_widget(block, area);
        let Some(guest) = self.record.value() else {
            if let Some(error) = self.record.error() {
                let problem = Problem::of(error);
                panel::problem(frame, theme, &shared.keymap, inside, &problem, Typing::No);
            }
            return;
        };
        let mut lines = vec![
            Line::styled(clean(&guest.name).into_owned(), theme.title),
            Line::from(state(guest, shared)),
        ];
        if let Some(error) = self.record.error() {
            let problem = Problem::of(error).line();
            lines.push(Line::from(Mark::Bad.span(theme, &clean(&problem))));
        }
        lines.push(Line::default());
        for (label, text) in fields(guest) {
            if !text.is_empty() {
                lines.push(Line::from(vec![
                    Span::styled(format!("{label:<12}"), theme.dim),
                    Span::raw(clean(&text).into_owned()),
                ]));
            }
        }
        let inside = Rect {
            x: inside.x + 1,
            width: inside.width.saturating_sub(2),
            ..inside
        };
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), inside);
    }
}

fn state(guest: &Guest, shared: &Shared) -> Span<'static> {
    let theme = &shared.theme;
    match (shared.door().latest(guest.id), guest.check_in_at) {
        (Some(attempt), _) if attempt.is_pending() => {
            Mark::Waiting.span(theme, "the host has not been told yet")
        }
        (_, Some(at)) => {
            let at = moment(at, shared.now, &shared.zone);
            Mark::Good.span(theme, &format!("checked in at {at}"))
        }
        (_, None) => Span::styled("○ not here yet", theme.dim),
    }
}

fn fields(guest: &Guest) -> Vec<(&'static str, String)> {
    let text = |field: &Option<String>| field.clone().unwrap_or_default();
    let member = guest.member_id.map(|id| id.to_string());
    let mut fields = vec![
        ("Role", text(&guest.role)),
        ("E-mail", text(&guest.email)),
        ("Telephone", text(&guest.phone_number)),
        ("Chat", text(&guest.chat_id)),
        ("Member", member.unwrap_or_default()),
        ("Code", guest.id.to_string()),
    ];
    for (key, value) in &guest.tags {
        fields.push(("Tag", format!("{key}: {value}")));
    }
    fields
}
