//! The log messages of servers, newest first.

use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::text::{Line, Span};

use crate::app::cx::{Cx, News};
use crate::app::input::command::{ANYWHERE, Context, commands};
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::look::time::clock_seconds;
use crate::ui::panel::{self, framed};
use crate::ui::table::{self, Column, Row};

/// Lines for the box with the selected message.
const WHOLE: u16 = 7;

pub(crate) static LOG: Context = Context::list("Messages of servers");

commands! {
    /// Commands available everywhere.
    pub(crate) const EVERYWHERE;

    ANYWHERE: "app.log", [], "Messages of servers: what they wrote into their logs",
        run |state, out| state.cx(out).open(LogScreen::default());
}

/// The log of all servers.
#[derive(Debug, Default)]
pub(crate) struct LogScreen {
    /// The position of the selected message, counted from the newest.
    at: usize,
    /// The number of messages when it was selected.
    seen: usize,
}

impl Screen for LogScreen {
    fn context(&self) -> &'static Context {
        &LOG
    }

    fn crumb(&self) -> String {
        "Messages".to_owned()
    }

    fn shown(&mut self, cx: &mut Cx) {
        self.seen = cx.shared.log.written();
    }

    fn notified(&mut self, cx: &mut Cx, news: &News) {
        if matches!(news, News::Log) {
            // The selection stays on its message, or at the top on the newest.
            let written = cx.shared.log.written();
            if self.at > 0 {
                self.at += written - self.seen;
            }
            self.seen = written;
            self.at = self.at.min(cx.shared.log.len().saturating_sub(1));
        }
    }

    fn step(&mut self, cx: &mut Cx, by: isize) {
        let last = cx.shared.log.len().saturating_sub(1);
        self.at = self.at.saturating_add_signed(by).min(last);
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.settings.theme;
        let [list, whole] = Layout::vertical([Fill(1), Length(WHOLE)]).areas(area);
        let Some(selected) = shared.log.newest(self.at) else {
            let words = "No server has written anything yet.";
            frame.render_widget(Line::styled(format!(" {words}"), theme.dim), area);
            return;
        };
        let columns = [
            Column::fixed("time", 8),
            Column::fixed("server", 14),
            Column::fixed("level", 11),
            Column::share("message", 1),
        ];
        let (len, at) = (shared.log.len(), Some(self.at));
        table::draw(frame, list, shared, &columns, len, at, |at| {
            match shared.log.newest(at) {
                Some(line) => Row::new()
                    .cell(clock_seconds(line.at, &shared.locale))
                    .cell(line.server.clone())
                    .styled(
                        format!("{} {}", line.mark().glyph(), line.level),
                        line.mark().style(theme),
                    )
                    .cell(line.text.clone()),
                None => Row::new(),
            }
        });
        let title = format!(" {} ", selected.server);
        let inside = framed(frame, whole, title, theme.border);
        panel::text(frame, inside, Span::raw(selected.text.clone()));
    }
}
