//! The removal of a series, the promotion of an occurrence and the merge of two meetings: a
//! preview, then the change after the title was typed.
//!
//! The steps are those of [`crate::preview`]; this module has the drawing and the choices.

mod applying;
mod asking;
mod changed;
mod choice;
mod commands;
mod difference;
mod outcome;
mod preview;
mod previewed;
mod report;
#[cfg(test)]
mod tests;
mod view;
mod words;

pub(crate) use commands::{COMMANDS, EVERYWHERE, not_permitted};

use crossterm::event::KeyEvent;
use frontdesk_protocol::id::{MeetingId, OccurrenceId};
use frontdesk_protocol::work::occurrence::Occurrence;
use frontdesk_protocol::work::series::{OccurrencePolicy, Series};
use jiff::civil::Date;
use ratatui::Frame;
use ratatui::layout::Rect;

use self::changed::Changed;
use self::choice::Choice;
use self::preview::Preview;
use crate::app::cx::{Cx, News};
use crate::app::effects::export::Export;
use crate::app::effects::job::Outcome;
use crate::app::input::command::Context;
use crate::app::owner::RequestId;
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::app::state::Typing;
use crate::look::text::clean;
use crate::preview::{Machine, Phase};
use crate::ui::input::Input;
use crate::ui::table;

/// The screen of a change of meetings, with its plan.
#[derive(Debug)]
pub(crate) struct MeetingChange {
    /// The subject as known before the first answer.
    subject: Subject,
    machine: Machine<Preview>,
    /// The selected date.
    selected: Option<Date>,
    /// The title field of a promotion.
    title: Input,
    is_typing: bool,
    /// What is wrong with the typed title.
    wrong_title: Option<String>,
    /// The timer of a pause in typing.
    pause: Option<RequestId>,
    /// The file of the last export.
    file: Option<String>,
    /// The rows that the plan changes.
    changed: Changed,
}

/// The subject in names.
#[derive(Debug, Clone)]
enum Subject {
    Meeting(Option<String>),
    Occurrence { series: String, date: Date },
    Pair { canonical: String, skeleton: String },
}

impl MeetingChange {
    /// The removal of a series.
    pub(crate) fn removal(series: Series) -> Self {
        MeetingChange::new(Subject::Meeting(Some(series.title)), remove(series.id))
    }

    /// The removal of a meeting that is not in a list.
    pub(crate) fn removal_by_id(meeting: MeetingId) -> Self {
        MeetingChange::new(Subject::Meeting(None), remove(meeting))
    }

    /// The promotion of an occurrence of a series.
    pub(crate) fn promotion(series: Series, occurrence: Occurrence) -> Self {
        let subject = Subject::Occurrence {
            series: series.title,
            date: occurrence.occurrence_date,
        };
        MeetingChange::new(subject, promote(occurrence.id))
    }

    /// The merge of one meeting into another, each by its id and title.
    pub(crate) fn merge(canonical: (MeetingId, String), skeleton: (MeetingId, String)) -> Self {
        let choice = Choice::Merge {
            canonical: canonical.0,
            skeleton: skeleton.0,
        };
        let subject = Subject::Pair {
            canonical: canonical.1,
            skeleton: skeleton.1,
        };
        MeetingChange::new(subject, choice)
    }

    fn new(subject: Subject, choice: Choice) -> Self {
        MeetingChange {
            subject,
            machine: Machine::new(choice),
            selected: None,
            title: Input::line(""),
            is_typing: false,
            wrong_title: None,
            pause: None,
            file: None,
            changed: Changed::default(),
        }
    }

    /// Whether the preview of the last choice is still missing.
    fn is_waiting_for_a_plan(&self) -> bool {
        self.pause.is_some() || self.machine.preview.is_loading()
    }
}

fn remove(series: MeetingId) -> Choice {
    Choice::Removal {
        series,
        policy: OccurrencePolicy::default(),
        allow_non_recurring: false,
    }
}

fn promote(occurrence: OccurrenceId) -> Choice {
    Choice::Promotion {
        occurrence,
        title: None,
        keep: false,
    }
}

impl Screen for MeetingChange {
    fn context(&self) -> &'static Context {
        match (&self.machine.phase, &self.machine.choice) {
            (Phase::Done(_), _) => &commands::DONE,
            (_, Choice::Removal { .. }) => &commands::REMOVAL,
            (_, Choice::Promotion { .. }) => &commands::PROMOTION,
            (_, Choice::Merge { .. }) => &commands::MERGE,
        }
    }

    fn crumb(&self) -> String {
        match &self.subject {
            Subject::Occurrence { date, .. } => format!("Promote {date}"),
            _ => self.machine.choice.verb().to_owned(),
        }
    }

    fn shown(&mut self, cx: &mut Cx) {
        if self.machine.is_open() && self.machine.preview.value().is_none() {
            self.machine.ask(cx);
        }
    }

    fn hidden(&mut self, cx: &mut Cx) {
        cx.cancel(&mut self.pause);
    }

    fn refresh(&mut self, cx: &mut Cx) {
        self.machine.refresh(cx);
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: Outcome) {
        match outcome {
            Outcome::Call(answer) if self.changed.answered(cx, request, &answer) => {}
            Outcome::Call(answer) => {
                self.machine.answered(cx, request, &answer);
                self.settle_selection();
                self.want_rows(cx);
            }
            mut outcome => {
                if let Some(ended) = outcome.take::<Export>() {
                    self.exported(cx, ended.result);
                }
            }
        }
    }

    fn fired(&mut self, cx: &mut Cx, request: RequestId) {
        if self.pause.take_if(|pause| *pause == request).is_some() {
            self.title_typed(cx);
        }
    }

    fn notified(&mut self, cx: &mut Cx, news: &News) {
        self.machine.notified(cx, news);
    }

    fn typing(&self) -> Typing {
        match self.is_typing {
            true => Typing::Yes,
            false => Typing::No,
        }
    }

    fn key(&mut self, cx: &mut Cx, key: KeyEvent) {
        self.title_key(cx, key);
    }

    fn paste(&mut self, cx: &mut Cx, text: &str) {
        if self.is_typing {
            self.title.paste_here(cx, text);
            self.title_changed(cx);
        }
    }

    fn step(&mut self, _: &mut Cx, by: isize) {
        if self.changed.is_shown {
            self.changed.step(by);
        } else if let Some(plan) = self.machine.shown() {
            let days: Vec<Date> = plan.days.iter().map(|day| day.date).collect();
            self.selected = table::step(&days, self.selected, by);
        }
    }

    fn escape(&mut self, cx: &mut Cx) -> bool {
        self.leave(cx)
    }

    fn is_busy(&self) -> bool {
        self.machine.is_busy() || self.changed.is_busy()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        view::draw(self, shared, frame, area);
    }
}

impl MeetingChange {
    /// The subject in words, safe to draw.
    fn about(&self) -> String {
        let known = self.machine.shown();
        match &self.subject {
            Subject::Meeting(title) => match (known, title, &self.machine.choice) {
                (Some(plan), _, _) => clean(plan.title()).into_owned(),
                (None, Some(title), _) => clean(title).into_owned(),
                (None, None, Choice::Removal { series, .. }) => format!("meeting {series}"),
                (None, None, _) => "a meeting".to_owned(),
            },
            Subject::Occurrence { series, date } => format!("{date} of {}", clean(series)),
            Subject::Pair { .. } => {
                let (canonical, skeleton) = self.titles();
                format!("{} into {}", clean(skeleton), clean(canonical))
            }
        }
    }

    /// The titles of both meetings of a merge, from the last preview.
    fn titles(&self) -> (&str, &str) {
        let plan = self
            .machine
            .shown()
            .filter(|plan| plan.choice == self.machine.choice);
        match (plan.and_then(Preview::merge), &self.subject) {
            (Some(merge), _) => (&merge.canonical.title, &merge.skeleton.title),
            (
                None,
                Subject::Pair {
                    canonical,
                    skeleton,
                },
            ) => (canonical, skeleton),
            (None, _) => ("", ""),
        }
    }
}
