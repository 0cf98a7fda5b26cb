//! The removal of a series, the promotion of an occurrence and the merge of two meetings: first what
//! would happen, then, once the title was typed, what did.
//!
//! Trust is the point. What is done is the plan that is on the screen, to the letter, or nothing: the
//! real call carries the digest of the plan, and a host that would do something else does nothing.
//! Where no answer comes, nothing is called done or failed before it was looked at again.

mod applying;
mod asking;
mod choice;
mod commands;
mod difference;
mod outcome;
mod preview;
mod report;
#[cfg(test)]
mod tests;
mod view;
mod words;

pub(crate) use commands::{COMMANDS, EVERYWHERE, not_permitted};

use crossterm::event::KeyEvent;
use frontdesk_client::CallError;
use frontdesk_protocol::id::{MeetingId, OccurrenceId};
use frontdesk_protocol::work::occurrence::Occurrence;
use frontdesk_protocol::work::series::{OccurrencePolicy, Series};
use jiff::Timestamp;
use jiff::civil::Date;
use ratatui::Frame;
use ratatui::layout::Rect;

use self::choice::Choice;
use self::preview::Preview;
use self::report::Report;
use crate::app::command::Context;
use crate::app::cx::{Cx, News};
use crate::app::effect::{Outcome, RequestId};
use crate::app::remote::Remote;
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::app::state::Typing;
use crate::ui::input::Input;
use crate::ui::table;
use crate::ui::text::clean;

/// The screen of a plan.
#[derive(Debug)]
pub(crate) struct PlanScreen {
    /// What the screen is about, as far as it is known before a host was asked.
    subject: Subject,
    choice: Choice,
    /// What the host says would happen for some choice, the current one or the one before.
    preview: Remote<Preview>,
    stage: Stage,
    /// What was learned beside the plan.
    notice: Option<Notice>,
    /// The day that is selected.
    selected: Option<Date>,
    /// The field for another title, where an occurrence is promoted.
    title: Input,
    is_typing: bool,
    /// What is wrong with the title that is typed.
    wrong_title: Option<String>,
    /// A pause in typing.
    pause: Option<RequestId>,
}

/// What the screen is about, in names.
#[derive(Debug, Clone)]
enum Subject {
    Meeting(Option<String>),
    Occurrence { series: String, date: Date },
    Pair { canonical: String, skeleton: String },
}

/// How far it has come.
#[derive(Debug)]
enum Stage {
    /// One looks, and chooses.
    Choosing,
    /// The title is being typed for the plan of this digest.
    Confirming(String),
    /// The call that does it is under way.
    Applying {
        request: RequestId,
        plan: Box<Preview>,
    },
    /// The call was sent, and nobody knows whether it was done.
    Checking(Check),
    /// It was done.
    Done(Box<Report>),
    /// There is nothing left that it could be done to.
    Gone(Gone),
}

/// Looking again whether something was done.
#[derive(Debug)]
struct Check {
    /// What was confirmed.
    plan: Box<Preview>,
    /// Why it is not known.
    why: CallError,
    /// The look that is under way, and what is looked at.
    request: Option<(RequestId, Look)>,
    /// Why the last look did not help.
    error: Option<CallError>,
}

/// What is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    /// What would happen now.
    Plan,
    /// Whether the meeting is there that was to be made.
    NewMeeting,
}

/// Nothing is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gone {
    /// It was not there when the screen was opened.
    NeverSeen,
    /// It went while one looked at it: somebody else did that.
    Meanwhile,
    /// It went after a call whose answer was lost, and what that call makes is not there.
    AfterLoss,
}

/// What was learned beside the plan.
#[derive(Debug)]
enum Notice {
    /// The data changed after this plan was confirmed; nothing was done. With what differs, once the
    /// new plan is there.
    Changed {
        before: Box<Preview>,
        lines: Option<Vec<String>>,
    },
    /// It was not done, as a second look showed. With what differs, if something does.
    NotDone { at: Timestamp, lines: Vec<String> },
    /// It could not be done, and nothing was.
    Failed(CallError),
}

impl PlanScreen {
    /// The removal of a series.
    pub(crate) fn removal(series: Series) -> Self {
        PlanScreen::new(Subject::Meeting(Some(series.title)), remove(series.id))
    }

    /// The removal of a meeting that no list shows.
    pub(crate) fn removal_by_id(meeting: MeetingId) -> Self {
        PlanScreen::new(Subject::Meeting(None), remove(meeting))
    }

    /// The promotion of an occurrence of a series.
    pub(crate) fn promotion(series: Series, occurrence: Occurrence) -> Self {
        let subject = Subject::Occurrence {
            series: series.title,
            date: occurrence.occurrence_date,
        };
        PlanScreen::new(subject, promote(occurrence.id))
    }

    /// The merge of the skeleton into the canonical meeting.
    pub(crate) fn merge(canonical: Series, skeleton: Series) -> Self {
        let choice = Choice::Merge {
            canonical: canonical.id,
            skeleton: skeleton.id,
        };
        let subject = Subject::Pair {
            canonical: canonical.title,
            skeleton: skeleton.title,
        };
        PlanScreen::new(subject, choice)
    }

    fn new(subject: Subject, choice: Choice) -> Self {
        PlanScreen {
            subject,
            choice,
            preview: Remote::Idle,
            stage: Stage::Choosing,
            notice: None,
            selected: None,
            title: Input::line(""),
            is_typing: false,
            wrong_title: None,
            pause: None,
        }
    }

    /// The plan on the screen: what would happen, or what was done.
    fn shown_plan(&self) -> Option<&Preview> {
        match &self.stage {
            Stage::Done(report) => Some(&report.done),
            Stage::Applying { plan, .. } => Some(plan),
            Stage::Checking(check) => Some(&check.plan),
            Stage::Gone(_) => None,
            Stage::Choosing | Stage::Confirming(_) => self.preview.value(),
        }
    }

    /// Whether the plan of what was chosen last is still to come.
    fn is_waiting_for_a_plan(&self) -> bool {
        self.pause.is_some() || self.preview.is_loading()
    }

    /// Whether the person can still choose.
    fn is_open(&self) -> bool {
        matches!(self.stage, Stage::Choosing | Stage::Confirming(_))
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

impl Screen for PlanScreen {
    fn context(&self) -> &'static Context {
        match (&self.stage, &self.choice) {
            (Stage::Done(_), _) => &commands::DONE,
            (_, Choice::Removal { .. }) => &commands::REMOVAL,
            (_, Choice::Promotion { .. }) => &commands::PROMOTION,
            (_, Choice::Merge { .. }) => &commands::MERGE,
        }
    }

    fn crumb(&self) -> String {
        match (&self.choice, &self.subject) {
            (_, Subject::Occurrence { date, .. }) => format!("Promote {date}"),
            (choice, _) => choice.verb().to_owned(),
        }
    }

    fn shown(&mut self, cx: &mut Cx) {
        if self.is_open() && self.preview.value().is_none() {
            self.ask(cx);
        }
    }

    fn hidden(&mut self, cx: &mut Cx) {
        cx.cancel(&mut self.pause);
    }

    fn refresh(&mut self, cx: &mut Cx) {
        match &self.stage {
            Stage::Choosing | Stage::Confirming(_) => {
                self.notice = None;
                self.ask(cx);
            }
            Stage::Checking(_) => self.look_again(cx),
            Stage::Gone(_) => {
                self.stage = Stage::Choosing;
                self.ask(cx);
            }
            Stage::Applying { .. } | Stage::Done(_) => {}
        }
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: Outcome) {
        match outcome {
            Outcome::Call(answer) => match &self.stage {
                Stage::Applying { request: sent, .. } if *sent == request => {
                    self.applied(cx, answer);
                }
                Stage::Checking(_) => self.looked(cx, request, answer),
                _ => self.previewed(cx, request, answer),
            },
            Outcome::Exported(result) => self.exported(cx, result),
            _ => {}
        }
    }

    fn fired(&mut self, cx: &mut Cx, request: RequestId) {
        if self.pause.take_if(|pause| *pause == request).is_some() {
            self.title_typed(cx);
        }
    }

    fn told(&mut self, cx: &mut Cx, news: &News) {
        if news.outdates("meeting") && self.is_open() && self.preview.value().is_some() {
            self.ask(cx);
        }
        if !matches!(news, News::SignedIn) {
            return;
        }
        match &self.stage {
            Stage::Choosing | Stage::Confirming(_)
                if self.preview.error().is_some()
                    || matches!(self.notice, Some(Notice::Failed(_))) =>
            {
                self.notice = None;
                self.ask(cx);
            }
            Stage::Checking(check) if check.request.is_none() => self.look_again(cx),
            _ => {}
        }
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
            self.title.paste(text);
            self.title_changed(cx);
        }
    }

    fn step(&mut self, _: &mut Cx, by: isize) {
        if let Some(plan) = self.shown_plan() {
            let days: Vec<Date> = plan.days.iter().map(|day| day.date).collect();
            self.selected = table::step(&days, self.selected, by);
        }
    }

    fn escape(&mut self, cx: &mut Cx) -> bool {
        self.leave(cx)
    }

    fn is_busy(&self) -> bool {
        match &self.stage {
            Stage::Applying { .. } => true,
            Stage::Checking(check) => check.request.is_some(),
            Stage::Choosing | Stage::Confirming(_) => self.preview.is_loading(),
            Stage::Done(_) | Stage::Gone(_) => false,
        }
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        view::draw(self, shared, frame, area);
    }
}

impl PlanScreen {
    /// What it is about, in words that are safe to draw.
    fn about(&self) -> String {
        let known = self.shown_plan();
        match &self.subject {
            Subject::Meeting(title) => match (known, title, &self.choice) {
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

    /// The titles of the canonical meeting and the skeleton, as the host told them last.
    fn titles(&self) -> (&str, &str) {
        let plan = self.shown_plan().filter(|plan| plan.choice == self.choice);
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
