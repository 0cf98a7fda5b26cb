//! The question which of two series stays when they are merged. What the merge would do is shown
//! before anything is done.

use frontdesk_protocol::work::series::Series;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::schedule;
use crate::app::shared::Shared;
use crate::ui::panel::titled;
use crate::ui::text::{count, fit};
use crate::ui::time::date;

/// Two series, one of which is to stay.
#[derive(Debug)]
pub(super) struct Question {
    sides: [Series; 2],
    at: usize,
}

impl Question {
    /// Lines that it takes.
    pub(super) const HEIGHT: u16 = 6;

    /// Asks about these two. The one with more transcripts is proposed, then the older one.
    pub(super) fn new(one: Series, two: Series) -> Self {
        let worth = |series: &Series| {
            let carried = series.occurrences_with_transcript;
            (carried, series.occurrences_with_transcript_id)
        };
        let is_second = worth(&two) > worth(&one)
            || worth(&two) == worth(&one) && two.created_at < one.created_at;
        Question {
            at: usize::from(is_second),
            sides: [one, two],
        }
    }

    /// Proposes the other one.
    pub(super) fn turn(&mut self) {
        self.at = 1 - self.at;
    }

    /// The one that stays, and the one that is merged into it.
    pub(super) fn answer(self) -> (Series, Series) {
        let [one, two] = self.sides;
        match self.at {
            0 => (one, two),
            _ => (two, one),
        }
    }

    /// Draws it.
    pub(super) fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.theme;
        let block = titled(" Merge: which one stays? ", theme.focus);
        let inside = block.inner(area);
        frame.render_widget(block, area);
        let width = usize::from(inside.width);
        let mut lines = Vec::new();
        for (at, series) in self.sides.iter().enumerate() {
            let is_selected = at == self.at;
            let (mark, style) = match is_selected {
                true => ("▸ ", theme.selected),
                false => ("  ", theme.base),
            };
            let what = match is_selected {
                true => "stays",
                false => "is merged into it and goes",
            };
            let about = format!(
                "   {} · {} · {} with text · created {}",
                schedule(series),
                count(
                    series.occurrence_count as usize,
                    "occurrence",
                    "occurrences"
                ),
                series.occurrences_with_transcript,
                date(series.created_at, &shared.zone),
            );
            let room = width.saturating_sub(what.len() + 7);
            lines.push(Line::from(vec![
                Span::styled(format!("{mark}{} ", fit(&series.title, room)), style),
                Span::raw(format!(" {what}")),
            ]));
            lines.push(Line::styled(fit(&about, width), theme.dim));
        }
        for (line, y) in lines.into_iter().zip(inside.y..inside.bottom()) {
            let place = Rect {
                y,
                height: 1,
                ..inside
            };
            frame.render_widget(line, place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{all_series, series, series_id};

    #[test]
    fn the_fuller_one_is_proposed_and_then_the_older_one() {
        let all = all_series();
        let (stays, goes) = Question::new(all[1].clone(), all[0].clone()).answer();
        assert_eq!((stays.id, goes.id), (series_id(1), series_id(2)));
        let (old, new) = (
            series(8, "Retro", "2025-01-01"),
            series(9, "Retro", "2025-02-01"),
        );
        let (stays, _) = Question::new(new.clone(), old.clone()).answer();
        assert_eq!(stays.id, old.id);
        let mut question = Question::new(new.clone(), old);
        question.turn();
        assert_eq!(question.answer().0.id, new.id);
    }
}
