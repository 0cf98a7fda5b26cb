//! One plan with its ordered tasks. Changes are collected here, reviewed, sent with one call, then
//! verified by reading the plan again.

use frontdesk_client::CallError;
use frontdesk_protocol::plans::plan::{GetPlan, SetPlanTasks};
use frontdesk_protocol::{Host, Tool, ToolError};
use jiff::Timestamp;
use ratatui::Frame;
use ratatui::layout::Rect;
use serde_json::{Map, Value, json};

use super::changes::{Change, changes, summary};
use crate::app::cx::{Cx, News};
use crate::app::effects::call::Answer;
use crate::app::effects::server_jobs::FetchTools;
use crate::app::input::command::{Context, commands};
use crate::app::owner::{Owner, RequestId};
use crate::app::peer::Peer;
use crate::app::remote::Remote;
use crate::app::screen::Screen;
use crate::app::shared::{Session, Shared};
use crate::app::state::State;
use crate::look::mark::Mark;
use crate::look::text::{clean, count};
use crate::record_screens::{RecordScreen, edit_record, open_record};
use crate::records::chooser::{self, Chooser};
use crate::records::found::Found;
use crate::records::kind;
use crate::records::names::{reading, want_names};
use crate::records::offered::not_offered;
use crate::records::record::Record;
use crate::records::writes::writing;
use crate::ui::confirm::Confirm;
use crate::ui::problem::Problem;
use crate::ui::table;

static PLAN: Context = Context::list("Tasks of a plan");
static REVIEW: Context = Context::list("Changes of a plan");

commands! {
    /// Commands on a plan.
    pub(crate) const COMMANDS;

    PLAN: "plan_tasks.open_task", ["enter"], "Open the selected task", act PlanTasks::open_task,
        hint("open"), unless(no_task);
    PLAN: "plan_tasks.add", ["a"], "Choose tasks to add", act PlanTasks::pick, writes, opens,
        hint("add"), unless(no_change);
    PLAN: "plan_tasks.take_away", ["d"], "Remove the selected task from the plan",
        act |screen: &mut PlanTasks, _| screen.take_away(), writes, hint("remove"),
        unless(|state| no_change(state).or_else(|| no_task(state)));
    PLAN: "plan_tasks.down", ["J", "shift-down"], "Move the selected task down",
        act |screen: &mut PlanTasks, _| screen.shift(1), writes,
        unless(|state| no_change(state).or_else(|| no_task(state)));
    PLAN: "plan_tasks.up", ["K", "shift-up"], "Move the selected task up",
        act |screen: &mut PlanTasks, _| screen.shift(-1), writes, hint("move"),
        unless(|state| no_change(state).or_else(|| no_task(state)));
    PLAN: "plan_tasks.review", ["ctrl-s"], "Review the changes before sending",
        act |screen: &mut PlanTasks, _| screen.is_reviewed = true, writes, opens, hint("send"),
        unless(|state| no_change(state).or_else(|| nothing_changed(state)));
    PLAN: "plan_tasks.restore", ["u"], "Discard the changes",
        act |screen: &mut PlanTasks, _| screen.restore(), unless(nothing_changed);
    PLAN: "plan_tasks.edit", ["e"], "Edit name, status and description of the plan",
        act PlanTasks::edit, writes, opens, lacks(PlanTasks::not_there);
    PLAN: "plan_tasks.facts", ["tab"], "Next page: facts, decisions and questions of the plan",
        act PlanTasks::open_facts, hint("facts"), lacks(PlanTasks::not_there);
    REVIEW: "plan_tasks.send", ["y"], "Send the plan's tasks in this order", act PlanTasks::send,
        writes, hint("send"), unless(|state| no_change(state).or_else(|| nothing_changed(state)));
    REVIEW: "plan_tasks.theirs", ["u"], "Discard the changes and reload the plan",
        act |screen: &mut PlanTasks, _| screen.restore(), hint("discard");
}

fn no_task(state: &State) -> Option<String> {
    match state.shows::<PlanTasks>()?.at() {
        None => Some("no task is selected".to_owned()),
        Some(_) => None,
    }
}

fn no_change(state: &State) -> Option<String> {
    let screen = state.shows::<PlanTasks>()?;
    not_offered_tasks(&state.shared)
        .or_else(|| screen.not_there())
        .or_else(|| {
            let is_busy = screen.doing.is_some();
            is_busy.then(|| "the plan is being sent".to_owned())
        })
}

fn nothing_changed(state: &State) -> Option<String> {
    let is_changed = state.shows::<PlanTasks>()?.is_changed();
    (!is_changed).then(|| "nothing was changed".to_owned())
}

/// Why the caller cannot set the tasks of plans.
pub(super) fn not_offered_tasks(shared: &Shared) -> Option<String> {
    not_offered(&Host::Plans.into(), SetPlanTasks::NAME, shared)
}

/// One plan and its tasks.
#[derive(Debug, Default)]
pub(crate) struct PlanTasks {
    pub(super) plan: Remote<Record>,
    id: String,
    /// The tasks in the user's order.
    pub(super) tasks: Vec<Record>,
    /// The tasks at the host, the basis of the changes.
    pub(super) base: Vec<Record>,
    /// Tasks to add once the plan is loaded.
    adding: Vec<Record>,
    selected: Option<String>,
    /// Whether the changes are under review.
    pub(super) is_reviewed: bool,
    /// Somebody else's changes.
    pub(super) meanwhile: Option<String>,
    doing: Option<(RequestId, Doing)>,
    /// The ids that were sent.
    sent: Vec<String>,
}

/// The steps of sending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Doing {
    /// The plan is loaded again, to find changes by others.
    Checking,
    Sending,
    /// The plan is loaded again and compared with what was sent, whether or not the host has
    /// answered.
    ReadingBack {
        is_sure: bool,
    },
}

impl PlanTasks {
    /// The tasks of a plan, with a list's data of this time.
    pub(crate) fn new(plan: Record, at: Timestamp) -> Self {
        PlanTasks {
            id: plan.id().to_owned(),
            plan: Remote::known(plan, at),
            ..PlanTasks::default()
        }
    }

    /// The same, with a task to add.
    pub(crate) fn adding(plan: Record, task: Record, at: Timestamp) -> Self {
        PlanTasks {
            selected: Some(task.id().to_owned()),
            adding: vec![task],
            ..PlanTasks::new(plan, at)
        }
    }

    /// The index of the selected task.
    pub(super) fn at(&self) -> Option<usize> {
        let mut ids = self.tasks.iter().map(Record::id);
        ids.position(|id| Some(id) == self.selected.as_deref())
    }

    /// The unsent changes.
    pub(super) fn changes(&self) -> Vec<(&str, Change)> {
        changes(&ids(&self.base), &ids(&self.tasks))
    }

    pub(super) fn is_changed(&self) -> bool {
        ids(&self.base) != ids(&self.tasks)
    }

    /// Why there is no plan to act on.
    pub(super) fn not_there(&self) -> Option<String> {
        let plan = self.plan.value()?;
        let is_loaded = plan.get("tasks").is_array();
        (!is_loaded).then(|| "the plan is not loaded".to_owned())
    }

    /// The plan's name, safe to draw.
    pub(super) fn name(&self) -> String {
        let name = self.plan.value().and_then(|plan| plan.text("name"));
        clean(name.unwrap_or_default()).into_owned()
    }

    fn ask(&mut self, cx: &mut Cx) {
        if self.doing.is_none() {
            cx.abort(self.plan.request());
            if let Some(request) = self.get(cx) {
                self.plan.begin(request);
            }
        }
    }

    fn get(&self, cx: &mut Cx) -> Option<RequestId> {
        let is_in = matches!(cx.shared.session, Session::In(_));
        let id = Map::from_iter([("id".to_owned(), self.id.clone().into())]);
        is_in.then(|| cx.send(reading(Host::Plans, GetPlan::NAME, id)))
    }

    /// Discards the changes.
    fn restore(&mut self) {
        self.tasks.clone_from(&self.base);
        self.is_reviewed = false;
        self.meanwhile = None;
        self.settle_selection();
    }

    fn settle_selection(&mut self) {
        if self.at().is_none() {
            self.selected = self.tasks.first().map(|task| task.id().to_owned());
        }
    }

    /// Takes the host's current plan.
    fn know(&mut self, cx: &mut Cx, plan: Record) {
        let was_loaded = self.not_there().is_none();
        let is_changed = was_loaded && self.is_changed();
        let tasks = plan.get("tasks").as_array().into_iter().flatten();
        let theirs: Vec<Record> = tasks.filter_map(Record::new).collect();
        let owners = theirs.iter().filter_map(|task| task.text("owner_id"));
        want_names(
            cx,
            Host::Work,
            "member",
            owners.map(str::to_owned).collect(),
        );
        if is_changed && ids(&theirs) != ids(&self.base) {
            self.meanwhile = Some(told(&self.base, &theirs));
        }
        self.base = theirs;
        if !is_changed {
            self.tasks.clone_from(&self.base);
        }
        for task in std::mem::take(&mut self.adding) {
            self.turn(task);
        }
        self.settle_selection();
        self.plan = Remote::known(plan, cx.now());
    }

    fn open_task(&mut self, cx: &mut Cx) {
        let task = self.at().map(|at| self.tasks[at].clone());
        if let (Some(task), Some(kind)) = (task, kind::find(Host::Work, "work_task")) {
            open_record(cx, kind, &task, cx.now());
        }
    }

    fn open_facts(&mut self, cx: &mut Cx) {
        if let (Some(plan), Some(kind)) = (self.plan.value(), kind::find(Host::Plans, "plan")) {
            let screen = RecordScreen::new(kind, plan.clone(), cx.now(), cx.shared);
            cx.open(screen);
        }
    }

    fn edit(&mut self, cx: &mut Cx) {
        if let (Some(plan), Some(kind)) = (self.plan.value(), kind::find(Host::Plans, "plan")) {
            edit_record(cx, kind, plan);
        }
    }

    /// Opens the chooser of tasks.
    fn pick(&mut self, cx: &mut Cx) {
        let Some(kind) = kind::find(Host::Work, "work_task") else {
            return;
        };
        let there = ids(&self.tasks).into_iter().map(Value::from).collect();
        let steps = chooser::steps(kind, &|_| None);
        let chooser = Chooser::new(steps, cx.shared, |state, out, chosen| {
            state.act::<PlanTasks>(out, |screen, cx| screen.picked(cx, &chosen.found));
        });
        chooser.several(Some(there)).open(cx);
    }

    fn picked(&mut self, cx: &mut Cx, found: &Found) {
        if let Some(task) = found.as_record() {
            let owner = task.text("owner_id").map(str::to_owned);
            want_names(cx, Host::Work, "member", owner.into_iter().collect());
            match self.tasks.iter().position(|one| one.id() == task.id()) {
                Some(at) => drop(self.tasks.remove(at)),
                None => self.turn(task),
            }
            self.settle_selection();
        }
    }

    /// Adds the task, unless the plan already contains it.
    fn turn(&mut self, task: Record) {
        self.selected = Some(task.id().to_owned());
        if self.at().is_none() {
            self.tasks.push(task);
        }
    }

    fn take_away(&mut self) {
        if let Some(at) = self.at() {
            self.tasks.remove(at);
            let next = self.tasks.get(at).or(self.tasks.last());
            self.selected = next.map(|task| task.id().to_owned());
        }
    }

    fn shift(&mut self, by: isize) {
        if let Some(at) = self.at() {
            let to = at.saturating_add_signed(by);
            if to < self.tasks.len() {
                self.tasks.swap(at, to);
            }
        }
    }

    /// Starts sending: loads the plan again, since somebody else may have changed it.
    fn send(&mut self, cx: &mut Cx) {
        cx.abort(self.plan.request());
        let request = self.get(cx);
        self.doing = request.map(|request| (request, Doing::Checking));
    }

    fn checked(&mut self, cx: &mut Cx, plan: Record) {
        let slug = plan.get("slug").clone();
        self.meanwhile = None;
        self.know(cx, plan);
        if self.meanwhile.is_some() {
            return;
        }
        self.sent = ids(&self.tasks).into_iter().map(str::to_owned).collect();
        let tasks: Vec<Value> = self
            .sent
            .iter()
            .map(|id| json!({ "task_id": id }))
            .collect();
        let arguments = Map::from_iter([
            ("slug".to_owned(), slug),
            ("tasks".to_owned(), tasks.into()),
        ]);
        let request = cx.write(writing(Host::Plans, SetPlanTasks::NAME, arguments));
        self.doing = Some((request, Doing::Sending));
    }

    fn read_back(&mut self, cx: &mut Cx, is_sure: bool) {
        let request = self.get(cx);
        self.doing = request.map(|request| (request, Doing::ReadingBack { is_sure }));
    }

    /// Compares the plan after sending.
    fn compared(&mut self, cx: &mut Cx, plan: Record, is_sure: bool) {
        let sent = std::mem::take(&mut self.tasks);
        let wanted = std::mem::take(&mut self.sent);
        let was = std::mem::take(&mut self.base);
        self.know(cx, plan);
        let name = self.name();
        let shown = count(self.base.len(), "task", "tasks");
        if ids(&self.base) == wanted {
            self.is_reviewed = false;
            self.meanwhile = None;
            cx.toast(Mark::Good, format!("Sent: {name} has {shown}"));
        } else if !is_sure && ids(&self.base) == ids(&was) {
            self.tasks = sent;
            cx.toast(Mark::Bad, format!("Not sent. {name} is unchanged"));
        } else {
            self.is_reviewed = false;
            self.meanwhile = Some(told(&sent, &self.base));
            let words = format!("Sent, but somebody else then changed {name}");
            cx.toast(Mark::Warn, words);
        }
    }

    /// Handles the end of a step.
    fn done(&mut self, cx: &mut Cx, doing: Doing, answer: &Answer) {
        match (doing, plan_of(answer)) {
            (Doing::Checking, Ok(plan)) => self.checked(cx, plan),
            (Doing::Sending, Ok(_)) => self.read_back(cx, true),
            (Doing::ReadingBack { is_sure }, Ok(plan)) => self.compared(cx, plan, is_sure),
            (Doing::Sending, Err(error)) if error.may_be_done() => {
                cx.toast(Mark::Warn, "No answer: reading the plan to check");
                self.read_back(cx, false);
            }
            (Doing::ReadingBack { is_sure }, Err(error)) => {
                let words = match is_sure {
                    true => "Sent, but not read back.",
                    false => "Outcome unknown: check the plan.",
                };
                cx.toast(
                    Mark::Warn,
                    format!("{words} {}", Problem::of(&error).line()),
                );
            }
            (_, Err(error)) => {
                let problem = Problem::of_write(&error);
                cx.toast(Mark::Bad, format!("Not sent. {}", problem.line()));
            }
        }
    }
}

pub(super) fn ids(tasks: &[Record]) -> Vec<&str> {
    tasks.iter().map(Record::id).collect()
}

fn plan_of(answer: &Answer) -> Result<Record, CallError> {
    let reply = answer.result.as_ref().map_err(Clone::clone)?;
    let plan = reply.value.get("plan").and_then(Record::new);
    plan.ok_or_else(|| CallError::Tool(ToolError::not_found("plan")))
}

/// Somebody else's changes in words.
fn told(before: &[Record], after: &[Record]) -> String {
    let (before_ids, after_ids) = (ids(before), ids(after));
    let changes = changes(&before_ids, &after_ids);
    let called = |wanted: &str| {
        let mut tasks = before.iter().chain(after);
        let task = tasks.find(|task| task.id() == wanted);
        let name = task.and_then(|task| task.text("identifier"));
        clean(name.unwrap_or_default()).into_owned()
    };
    let words = changes.iter().map(|(id, change)| {
        let name = called(id);
        match change {
            Change::Added { .. } => format!("+ {name}"),
            Change::Moved { .. } => format!("~ {name}"),
            Change::TakenAway { .. } => format!("- {name}"),
        }
    });
    let words: Vec<String> = words.collect();
    format!("{} ({})", summary(&changes), words.join(", "))
}

impl Screen for PlanTasks {
    fn context(&self) -> &'static Context {
        match self.is_reviewed {
            true => &REVIEW,
            false => &PLAN,
        }
    }

    fn subject(&self) -> Option<(String, String)> {
        Some((self.plan.value()?.id().to_owned(), self.name()))
    }

    fn crumb(&self) -> String {
        self.name()
    }

    fn shown(&mut self, cx: &mut Cx) {
        let peer = Peer::Host(Host::Plans);
        let is_in = matches!(cx.shared.session, Session::In(_));
        if is_in && !cx.shared.tools.contains_key(&peer) {
            cx.on_behalf(Owner::App).run(FetchTools(peer));
        }
        self.ask(cx);
    }

    fn refresh(&mut self, cx: &mut Cx) {
        self.ask(cx);
    }

    fn as_of(&self) -> Option<Timestamp> {
        self.not_there().is_none().then_some(self.plan.seen()?.at)
    }

    fn renew(&mut self, cx: &mut Cx) {
        if !self.is_reviewed {
            self.ask(cx);
        }
    }

    fn tool_answered(&mut self, cx: &mut Cx, request: RequestId, answer: Answer) {
        if let Some((_, doing)) = self.doing.take_if(|(awaited, _)| *awaited == request) {
            return self.done(cx, doing, &answer);
        }
        if !self.plan.waits_for(request) {
            return;
        }
        match plan_of(&answer) {
            Ok(plan) => self.know(cx, plan),
            Err(error) => drop(self.plan.finish(request, cx.now(), Err(error))),
        }
    }

    fn notified(&mut self, cx: &mut Cx, news: &News) {
        if news.outdates("plan") {
            self.ask(cx);
        }
        if let News::Changed {
            kind,
            record: Some(record),
        } = news
            && kind == "work_task"
            && let Some(task) = Record::new(record)
        {
            let known = self.tasks.iter_mut().chain(&mut self.base);
            for one in known.filter(|one| one.id() == task.id()) {
                *one = one.updated(&task);
            }
        }
    }

    fn step(&mut self, _: &mut Cx, by: isize) {
        let at = table::moved(self.tasks.len(), self.at(), by);
        self.selected = at.map(|at| self.tasks[at].id().to_owned());
    }

    fn escape(&mut self, cx: &mut Cx) -> bool {
        if std::mem::take(&mut self.is_reviewed) {
            return true;
        }
        if !self.is_changed() {
            return false;
        }
        cx.raise(Confirm {
            title: "Discard changes?".to_owned(),
            body: "Your changes to the plan are not sent yet.".to_owned(),
            then: |state, out| state.cx(out).back(),
        });
        true
    }

    fn awaits(&self) -> bool {
        self.plan.is_loading() && self.not_there().is_some()
    }

    fn is_busy(&self) -> bool {
        self.plan.is_loading() || self.doing.is_some()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        self.draw_all(shared, frame, area);
    }
}
