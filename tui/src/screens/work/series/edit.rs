//! The template and the time of a series, edited where they stand. Only the host's word closes the
//! editor; where no answer came, the series is read again before anything is said.

use crossterm::event::KeyEvent;
use frontdesk_client::CallError;
use frontdesk_protocol::value::TimeOfDay;
use frontdesk_protocol::work::meeting::{SetMeetingRecurrenceTime, SetMeetingTemplate, Template};
use frontdesk_protocol::work::series::Series;
use jiff::SignedDuration;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use super::clock;
use crate::app::effect::ToolCall;
use crate::app::remote::Remote;
use crate::app::shared::Shared;
use crate::app::state::Typing;
use crate::ui::fields::{Field, Fields};
use crate::ui::frame::{waiting, wrapped_heights};
use crate::ui::panel::titled;
use crate::ui::problem::Problem;
use crate::ui::text::clean;

/// The start's field: the argument's name.
const START: &str = "recurrence_start_time";
/// The end's field.
const END: &str = "recurrence_end_time";

/// A meeting that takes longer is rather a slip: the end was not changed with the start.
const LONG: SignedDuration = SignedDuration::from_hours(12);

/// An editor on the screen of a series.
#[derive(Debug)]
pub(super) struct Edit {
    what: What,
    /// The write under way, or how the last one failed.
    saving: Remote<()>,
    /// What the last write asked for.
    wanted: Option<Wanted>,
    /// What the person was asked whether it is meant.
    doubted: Option<Wanted>,
}

#[derive(Debug)]
enum What {
    /// The place of the chosen template among all.
    Template(usize),
    Time(Fields),
}

/// What a write asks for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Wanted {
    /// This template.
    Template(Template),
    /// From and to.
    Time(TimeOfDay, TimeOfDay),
}

impl Wanted {
    /// The call that asks a host for it.
    pub(super) fn call(self, series: &Series) -> ToolCall {
        match self {
            Wanted::Template(template) => ToolCall::of(&SetMeetingTemplate {
                meeting_id: series.id,
                template,
            }),
            Wanted::Time(start, end) => ToolCall::of(&SetMeetingRecurrenceTime {
                meeting_id: series.id,
                recurrence_start_time: start,
                recurrence_end_time: end,
            }),
        }
    }

    /// Whether the series is like that.
    pub(super) fn is_so(self, series: &Series) -> bool {
        match self {
            // None is as good as default.
            Wanted::Template(template) => series.template.unwrap_or(Template::Default) == template,
            Wanted::Time(start, end) => {
                series.recurrence_start_time == Some(start)
                    && series.recurrence_end_time == Some(end)
            }
        }
    }

    /// The same in words.
    pub(super) fn words(self) -> String {
        match self {
            Wanted::Template(template) => format!("template {}", template.name()),
            Wanted::Time(start, end) => format!("{}–{}", clock(start), clock(end)),
        }
    }
}

impl Edit {
    /// To choose the template of this series.
    pub(super) fn template(series: &Series) -> Self {
        let template = series.template.unwrap_or(Template::Default);
        let at = Template::ALL.iter().position(|other| *other == template);
        Edit::new(What::Template(at.unwrap_or(0)))
    }

    /// To set the time of this series.
    pub(super) fn time(series: &Series) -> Self {
        let text = |time: Option<TimeOfDay>| time.map_or_else(String::new, clock);
        Edit::new(What::Time(Fields::new(vec![
            Field::new(START, "From", &text(series.recurrence_start_time)),
            Field::new(END, "To", &text(series.recurrence_end_time)),
        ])))
    }

    fn new(what: What) -> Self {
        Edit {
            what,
            saving: Remote::Idle,
            wanted: None,
            doubted: None,
        }
    }

    /// Whether an answer is waited for.
    pub(super) fn is_saving(&self) -> bool {
        self.saving.is_loading()
    }

    /// The write under way, or how the last one failed.
    pub(super) fn saving(&mut self) -> &mut Remote<()> {
        &mut self.saving
    }

    /// What was asked for, if it is not known whether it was done.
    pub(super) fn in_doubt(&self) -> Option<Wanted> {
        match self.saving.error() {
            Some(CallError::OutcomeUnknown(_)) => self.wanted,
            _ => None,
        }
    }

    /// What the last write asked for.
    pub(super) fn wanted(&self) -> Option<Wanted> {
        self.wanted
    }

    /// What is filled in. None: something is wrong, and is marked at its field.
    pub(super) fn filled(&mut self) -> Option<Wanted> {
        let wanted = match &mut self.what {
            What::Template(at) => Wanted::Template(*Template::ALL.get(*at)?),
            What::Time(fields) => {
                fields.forget_errors();
                let (start, end) = (fields.text(START), fields.text(END));
                let start = fields.note(START, time_of_day(&start));
                let end = fields.note(END, time_of_day(&end));
                let (start, end) = (start?, end?);
                if start == end {
                    fields.mark(END, "must not be the same as the start");
                    return None;
                }
                let wanted = Wanted::Time(start, end);
                let length = length(start, end);
                if length > LONG && self.doubted.replace(wanted) != Some(wanted) {
                    let length = hours(length);
                    let question = format!("that is {length} after the start: Enter again if so");
                    fields.mark(END, &question);
                    return None;
                }
                wanted
            }
        };
        self.wanted = Some(wanted);
        Some(wanted)
    }

    /// Notes what a host finds wrong at a field. Says whether there is such a field.
    pub(super) fn mark(&mut self, field: &str, message: &str) -> bool {
        match &mut self.what {
            What::Template(_) => false,
            What::Time(fields) => fields.mark(field, message),
        }
    }

    /// Moves to another field or value.
    pub(super) fn focus(&mut self, by: isize) {
        match &mut self.what {
            What::Template(at) => {
                let all = Template::ALL.len();
                *at = at.wrapping_add_signed(by).wrapping_add(all) % all;
            }
            What::Time(fields) => fields.focus(by),
        }
    }

    /// A key that no command took.
    pub(super) fn key(&mut self, key: KeyEvent) {
        if let What::Time(fields) = &mut self.what {
            fields.key(key);
        }
    }

    /// Text was pasted.
    pub(super) fn paste(&mut self, text: &str) {
        if let What::Time(fields) = &mut self.what {
            fields.paste(text);
        }
    }

    /// How a key that could be text is to be taken.
    pub(super) fn typing(&self) -> Typing {
        match self.what {
            What::Template(_) => Typing::No,
            What::Time(_) => Typing::Yes,
        }
    }

    /// Lines that it takes at this width.
    pub(super) fn height(&self, shared: &Shared, width: u16) -> u16 {
        let inside = usize::from(width.saturating_sub(2));
        2 + self.rows() + wrapped_heights(&self.status(shared), inside)
    }

    fn rows(&self) -> u16 {
        match &self.what {
            What::Template(_) => Template::ALL.len() as u16,
            What::Time(fields) => fields.height(),
        }
    }

    /// Draws it.
    pub(super) fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.theme;
        let title = match self.what {
            What::Template(_) => " Template ",
            What::Time(_) => " Time of day, in the organisation's zone ",
        };
        let block = titled(title, theme.focus);
        let inside = block.inner(area);
        frame.render_widget(block, area);
        match &self.what {
            What::Time(fields) => fields.draw(frame, inside, theme, true),
            What::Template(chosen) => {
                let lines =
                    Template::ALL
                        .iter()
                        .enumerate()
                        .map(|(at, template)| match at == *chosen {
                            true => Line::styled(format!("▸ {} ", template.name()), theme.selected),
                            false => Line::raw(format!("  {}", template.name())),
                        });
                frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()), inside);
            }
        }
        let rows = self.rows().min(inside.height);
        let below = Rect {
            y: inside.y + rows,
            height: inside.height - rows,
            ..inside
        };
        let status = Paragraph::new(self.status(shared)).wrap(Wrap { trim: true });
        frame.render_widget(status, below);
    }

    /// How it stands with saving, and what the time that is typed means.
    fn status(&self, shared: &Shared) -> Vec<Line<'static>> {
        let theme = &shared.theme;
        if self.saving.is_loading() {
            return vec![waiting(shared, "saving…")];
        }
        if let Some(error) = self.saving.error() {
            let problem = Problem::of_write(error);
            let words = format!("✗ {}. {}", problem.title, clean(&problem.what));
            let help = match self.in_doubt() {
                // It is read again by itself.
                Some(wanted) => format!(
                    "Check it above before you try again: it was to be {}.",
                    wanted.words()
                ),
                None => clean(&problem.help).into_owned(),
            };
            let again = Line::from(vec![
                Span::styled(shared.keymap.key("series.save"), theme.key),
                Span::raw(" tries again"),
            ]);
            return vec![
                Line::styled(words, theme.bad),
                Line::styled(help, Style::new()),
                again,
            ];
        }
        match &self.what {
            What::Time(fields) => vec![Line::styled(meaning(fields), theme.dim)],
            What::Template(_) => Vec::new(),
        }
    }
}

/// How long it takes as it is typed.
fn meaning(fields: &Fields) -> String {
    let (start, end) = (
        time_of_day(&fields.text(START)),
        time_of_day(&fields.text(END)),
    );
    match (start, end) {
        (Ok(start), Ok(end)) if start == end => String::new(),
        (Ok(start), Ok(end)) => {
            let length = hours(length(start, end));
            match end.get() < start.get() {
                true => format!("  It takes {length}, and ends on the next day."),
                false => format!("  It takes {length}."),
            }
        }
        _ => String::new(),
    }
}

/// From the start to the end; an end before the start is on the next day.
fn length(start: TimeOfDay, end: TimeOfDay) -> SignedDuration {
    let length = end.get().duration_since(start.get());
    match length.is_negative() {
        true => length + SignedDuration::from_hours(24),
        false => length,
    }
}

/// "1 h 30 min".
fn hours(length: SignedDuration) -> String {
    match (length.as_hours(), length.as_mins() % 60) {
        (0, minutes) => format!("{minutes} min"),
        (hours, 0) => format!("{hours} h"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}

/// The time of day of this text; "9:30" is as good as "09:30".
fn time_of_day(text: &str) -> Result<TimeOfDay, String> {
    let text = match text.find(':') {
        Some(1) => format!("0{text}"),
        _ => text.to_owned(),
    };
    TimeOfDay::new(&text).map_err(|_| "write it like 09:30, from 00:00 to 23:59".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{series, weekly};

    #[test]
    fn a_time_is_read_as_people_write_it() {
        let time = |text: &str| time_of_day(text).map(clock);
        assert_eq!(time("9:30"), Ok("09:30".to_owned()));
        assert_eq!(time("09:30"), Ok("09:30".to_owned()));
        assert_eq!(time("09:30:15"), Ok("09:30:15".to_owned()));
        for wrong in ["", "930", "24:00", "9h30", "18:60", "123:00"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_end_before_the_start_is_on_the_next_day() {
        let time = |text| TimeOfDay::new(text).expect("is a time");
        let length = |start, end| hours(length(time(start), time(end)));
        assert_eq!(length("18:00", "19:30"), "1 h 30 min");
        assert_eq!(length("23:30", "00:15"), "45 min");
        assert_eq!(length("10:00", "09:00"), "23 h");
    }

    #[test]
    fn what_was_asked_for_is_told_from_what_is() {
        let retro = weekly(series(1, "Retro", "2025-01-01"), "monday", "18:00", "19:00");
        let time = |text| TimeOfDay::new(text).expect("is a time");
        assert!(Wanted::Time(time("18:00"), time("19:00")).is_so(&retro));
        assert!(!Wanted::Time(time("18:00"), time("20:00")).is_so(&retro));
        assert!(Wanted::Template(Template::Default).is_so(&retro));
        assert!(!Wanted::Template(Template::WeeklyLeaders).is_so(&retro));
    }
}
