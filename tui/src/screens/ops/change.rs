//! The history of changes: one change with its rows, before → after, and its undo.

use frontdesk_client::CallError;
use frontdesk_protocol::ops::change::{Change, GetChange};
use frontdesk_protocol::{Host, ToolError};
use jiff::Timestamp;
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::text::{Line, Span, Text};

use crate::app::cx::{Cx, News};
use crate::app::effects::call::Answer;
use crate::app::input::command::{Context, commands};
use crate::app::owner::RequestId;
use crate::app::remote::Remote;
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::app::state::State;
use crate::app::toast::UNDO;
use crate::fields::cell::Cell;
use crate::fields::key::Key;
use crate::look::mark::Mark;
use crate::look::text::{clean, count, fit};
use crate::look::time::moment;
use crate::preview::changes::rows::{Rows, want_names};
use crate::preview::changes::{Tense, undo};
use crate::records::columns::Column;
use crate::records::record::Record;
use crate::records::view::View;
use crate::ui::frame::waiting;
use crate::ui::panel::{self, framed};

static CHANGE: Context = Context::list("One change");

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("created_at", "Time"),
        Column::field("summary", "Change"),
        Column::field("account_name", "By"),
        Column::own("State", state, |change, _| {
            Key::text(change.text("undone_by"))
        }),
        Column::field("tool", "Tool"),
    ],
    is_past: Some(|change, _| change.text("undone_by").is_some()),
    open: Some(|cx, record, at| {
        if let Some(screen) = ChangeScreen::new(record, at) {
            cx.open(screen);
        }
    }),
    ..View::new(Host::Ops, "changes")
};

/// Whether the change was undone, or is an undo.
fn state(change: &Record, _: &Shared) -> Cell {
    match (change.text("undone_by"), change.text("undoes")) {
        (Some(_), _) => Cell::marked(Mark::Again, "undone"),
        (None, Some(_)) => Cell::marked(Mark::Again, "undo"),
        (None, None) => Cell::new(""),
    }
}

commands! {
    pub(crate) const COMMANDS;

    CHANGE: "change.undo_this", ["U"], "Undo this change, after a preview",
        act |screen: &mut ChangeScreen, cx| screen.undo(cx), over(UNDO), writes, hint("undo"),
        unless(no_undo);
    CHANGE: "change.fields", ["enter", "right", "left"],
        "Show or hide the fields of the selected row",
        act |screen: &mut ChangeScreen, _| screen.toggle(), hint("fields");
}

fn no_undo(state: &State) -> Option<String> {
    match state.shared.undoable() {
        Some(_) => None,
        None => state.shows::<ChangeScreen>()?.obstacle(),
    }
}

/// One change.
#[derive(Debug)]
pub(crate) struct ChangeScreen {
    ask: GetChange,
    summary: String,
    change: Remote<Change>,
    rows: Rows,
}

impl ChangeScreen {
    /// The change with this entry in a list.
    fn new(record: &Record, _: Timestamp) -> Option<Self> {
        Some(ChangeScreen {
            ask: GetChange {
                change_id: record.id().parse().ok()?,
            },
            summary: record.text("summary").unwrap_or_default().to_owned(),
            change: Remote::Idle,
            rows: Rows::default(),
        })
    }

    fn ask(&mut self, cx: &mut Cx) {
        cx.abort(self.change.request());
        self.change.begin(cx.call(self.ask.clone()));
    }

    fn toggle(&mut self) {
        if let Some(change) = self.change.value() {
            self.rows.toggle(&change.changes);
        }
    }

    /// Undoes the change of the message, if there is one that offers it, or this one.
    fn undo(&mut self, cx: &mut Cx) {
        let own = self.ask.change_id.to_string();
        let offered = cx.shared.undoable().filter(|offered| *offered != own);
        match offered.map(str::to_owned) {
            Some(offered) => undo(cx, &offered, None),
            None => undo(cx, &own, Some(self.summary.clone())),
        }
    }

    /// Why the change cannot be undone.
    fn obstacle(&self) -> Option<String> {
        match self.change.value() {
            None => Some("the change is not loaded yet".to_owned()),
            Some(change) if change.undone_by.is_some() => Some("it is already undone".to_owned()),
            Some(change) => change.obstacle.as_ref().map(|why| clean(why).into_owned()),
        }
    }

    fn head(&self, change: &Change, shared: &Shared, width: usize) -> Vec<Line<'static>> {
        let theme = &shared.settings.theme;
        let when = moment(change.created_at, shared.now, &shared.locale);
        let by = format!(" {when} by {}", clean(&change.by()));
        let mut tool = format!(" {} {}", clean(&change.host), clean(&change.tool));
        if let Some(client) = &change.client {
            tool = format!("{tool} · {}", clean(client));
        }
        let key = panel::key(shared, "change.undo_this");
        let state = match (self.obstacle(), change.undoes.is_some()) {
            (Some(_), _) if change.undone_by.is_some() => {
                Line::from(vec![Span::raw(" "), Mark::Again.span(theme, "undone")])
            }
            (Some(why), _) => {
                let words = fit(&format!("cannot be undone: {why}"), width.saturating_sub(4));
                Line::from(vec![Span::raw(" "), Mark::Warn.span(theme, &words)])
            }
            (None, true) => Line::from(vec![
                Span::raw(" "),
                Mark::Again.span(theme, "an undo; "),
                key,
                Span::raw(" makes the change again"),
            ]),
            (None, false) => Line::from(vec![Span::raw(" "), key, Span::raw(" undoes it")]),
        };
        vec![
            Line::styled(
                format!(" {}", fit(&self.summary, width.saturating_sub(2))),
                theme.title,
            ),
            Line::from(fit(&by, width)),
            Line::styled(fit(&tool, width), theme.dim),
            state,
        ]
    }
}

impl Screen for ChangeScreen {
    fn context(&self) -> &'static Context {
        &CHANGE
    }

    fn crumb(&self) -> String {
        clean(&self.summary).into_owned()
    }

    fn refresh(&mut self, cx: &mut Cx) {
        self.ask(cx);
    }

    fn as_of(&self) -> Option<Timestamp> {
        Some(self.change.seen()?.at)
    }

    fn tool_answered(&mut self, cx: &mut Cx, request: RequestId, answer: Answer) {
        let Some(result) = answer.of::<GetChange>() else {
            return;
        };
        let missing = || CallError::Tool(ToolError::not_found("change"));
        let result = result.and_then(|change| change.0.ok_or_else(missing));
        if self.change.finish(request, cx.now(), result)
            && let Some(change) = self.change.value()
        {
            self.summary = change.summary.clone();
            want_names(cx, &change.changes);
        }
    }

    fn notified(&mut self, cx: &mut Cx, news: &News) {
        if news.outdates("change") && !self.change.is_loading() {
            self.ask(cx);
        }
    }

    fn step(&mut self, _: &mut Cx, by: isize) {
        if let Some(change) = self.change.value() {
            self.rows.step(&change.changes, by);
        }
    }

    fn gives_way(&self) -> bool {
        true
    }

    fn awaits(&self) -> bool {
        self.change.is_loading() && self.change.value().is_none()
    }

    fn is_busy(&self) -> bool {
        self.change.is_loading()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let Some(change) = self.change.value() else {
            match self.change.error() {
                Some(error) => panel::failed(frame, shared, area, error),
                None => panel::note(frame, area, waiting(shared, "loading the change")),
            }
            return;
        };
        let head = self.head(change, shared, area.width.into());
        let [top, body] = Layout::vertical([
            Length(u16::try_from(head.len()).unwrap_or(u16::MAX)),
            Fill(1),
        ])
        .areas(area);
        frame.render_widget(Text::from(head), top);
        let rows = count(change.rows as usize, "row", "rows");
        let title = format!(" {rows} ");
        let inside = framed(frame, body, title, shared.settings.theme.border);
        self.rows
            .draw(&change.changes, Tense::Past, shared, frame, inside);
    }
}
