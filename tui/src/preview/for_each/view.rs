//! Draws an action on several records: its progress, and the result of each record.

use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::super::changes::{self, Tense};
use super::row::{Fate, Row};
use super::{ForEach, Phase};
use crate::app::shared::Shared;
use crate::look::mark::{Mark, spinner};
use crate::look::text::clean;
use crate::ui::frame::waiting;
use crate::ui::gauge;
use crate::ui::panel::{self, framed};
use crate::ui::problem::Problem;
use crate::ui::table::{self, Column, Row as Cells};

/// The width of the progress bar.
const BAR: usize = 20;
/// Lines below the table with the whole text of the selected record.
const WHOLE: u16 = 3;

impl ForEach {
    pub(super) fn draw_all(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let head = self.head(shared);
        let [top, body, whole] = Layout::vertical([
            Length(panel::said_height(&head, area)),
            Fill(1),
            Length(WHOLE),
        ])
        .areas(area);
        panel::said(frame, head, top);
        let title = format!(" {} ", self.records(self.rows.len()));
        let inside = framed(frame, body, title, shared.settings.theme.border);
        let columns = [
            Column::fixed("", 1),
            Column::share("", 2),
            Column::share("", 3),
        ];
        let rows = self.rows.len();
        let at = Some(self.at);
        table::draw(frame, inside, shared, &columns, rows, at, |at| {
            let row = &self.rows[at];
            let (glyph, style, words) = fate(row, shared);
            Cells::new()
                .styled(glyph, style)
                .cell(clean(&row.name))
                .styled(words, style)
        });
        if let Some(row) = self.rows.get(self.at) {
            let (_, style, words) = fate(row, shared);
            panel::text(frame, whole, Line::styled(words, style));
        }
    }

    fn head(&self, shared: &Shared) -> Vec<Line<'static>> {
        let theme = &shared.settings.theme;
        let title = Span::styled(format!("{}  ", clean(&self.action.title)), theme.title);
        let (number, done) = (self.rows.len(), self.number(Fate::is_done));
        let mut lines = match &self.phase {
            Phase::Looking => {
                let words = match self.pause {
                    Some(_) => "the host asks to wait",
                    None => "asking what would change",
                };
                let mut line = waiting(shared, words);
                line.spans.insert(0, title);
                vec![line]
            }
            Phase::Choosing => {
                let ready = self.number(Fate::is_ready);
                let words = format!("not done yet, {} of {number}: ", ready);
                let mut line = Line::from(vec![title]);
                match ready {
                    0 => {
                        let why = self.no_apply().unwrap_or_default();
                        line.push_span(Mark::Warn.span(theme, &why));
                    }
                    _ => line.extend([
                        Mark::Waiting.span(theme, &words),
                        panel::key(shared, "several.apply"),
                        Span::raw(" does exactly this"),
                    ]),
                }
                vec![line]
            }
            Phase::Working => {
                let mut line = gauge::line(theme, BAR, done as u64, number as u64);
                line.spans.insert(0, title);
                line.push_span(Span::raw(" · "));
                line.push_span(panel::key(shared, "app.back"));
                line.push_span(Span::raw(" stops"));
                vec![line]
            }
            Phase::Stopped(why) => {
                let mut line = gauge::line(theme, BAR, done as u64, number as u64);
                line.spans.insert(0, title);
                let words = why.as_ref().map_or("Stopped.".to_owned(), |why| {
                    format!("Stopped. {}", Problem::of_write(why).line())
                });
                vec![line, Line::from(Mark::Warn.span(theme, &words))]
            }
            Phase::Over => {
                let mut line = gauge::line(theme, BAR, done as u64, number as u64);
                line.spans.insert(0, title);
                vec![line]
            }
        };
        match self.phase {
            Phase::Choosing => {
                let words = changes::sentences(&self.changes(), Tense::Preview);
                lines.extend(words.into_iter().map(Line::raw));
            }
            Phase::Stopped(_) | Phase::Over => lines.push(self.left(shared)),
            Phase::Looking | Phase::Working => {}
        }
        lines
    }

    /// What was not done, and what helps.
    fn left(&self, shared: &Shared) -> Line<'static> {
        let unknown = self.number(Fate::is_unknown);
        let left = self.rows.len() - self.number(Fate::is_done) - unknown;
        let mut words = Vec::new();
        if left > 0 {
            words.push(format!("{} not done", self.records(left)));
        }
        if unknown > 0 {
            words.push(format!("outcome unknown for {}", self.records(unknown)));
        }
        if words.is_empty() {
            return Line::default();
        }
        let words = format!("{}; still marked. ", words.join(", "));
        let can_check = unknown == 0 || self.rows.iter().any(Row::can_check);
        let mut line = Line::from(Mark::Warn.span(&shared.settings.theme, &words));
        match can_check || left > 0 {
            true => line.extend([panel::key(shared, "app.refresh"), Span::raw(" tries again")]),
            false => line.push_span("Check them before you repeat this."),
        }
        line
    }
}

/// The glyph, its style, and the result of the record.
fn fate(row: &Row, shared: &Shared) -> (&'static str, Style, String) {
    let theme = &shared.settings.theme;
    let marked = |mark: Mark, words: String| (mark.glyph(), mark.style(theme), words);
    let failed = |error| match Problem::of_write(error) {
        problem if problem.help.is_empty() => problem.what,
        problem => format!("{} {}", problem.what, problem.help),
    };
    match &row.fate {
        Fate::Unseen => ("", theme.dim, String::new()),
        Fate::Asking(_) | Fate::Calling(..) => (spinner(shared.spin), theme.busy, String::new()),
        Fate::Seen(None) => ("", theme.base, "no preview".to_owned()),
        Fate::Seen(Some(changes)) if changes.is_empty() => {
            ("", theme.dim, "nothing would change".to_owned())
        }
        Fate::Seen(Some(changes)) => ("", theme.base, changes::brief(changes, &row.id, shared)),
        Fate::Waiting(changes) => {
            let words = changes.as_ref();
            let words = words.map(|changes| changes::brief(changes, &row.id, shared));
            (Mark::Waiting.glyph(), theme.dim, words.unwrap_or_default())
        }
        Fate::Done => marked(Mark::Good, "done".to_owned()),
        Fate::Refused(error) | Fate::Failed(error) => marked(Mark::Bad, failed(error)),
        Fate::Unknown(error, _) => {
            marked(Mark::Warn, format!("outcome unknown. {}", failed(error)))
        }
    }
}
