//! Choosing a record for an id field: typing searches with the tool that lists such records. If
//! that tool itself needs an id, that record is chosen first.

mod view;

use crossterm::event::KeyEvent;
use frontdesk_client::CallError;
use frontdesk_form::Path;
use jiff::SignedDuration;
use serde_json::{Map, Value};

use crate::app::cx::{Cx, Out};
use crate::app::effects::effect::{Outcome, RequestId, ToolCall, Work};
use crate::app::input::command::{Command, Context};
use crate::app::layer::{Layer, step};
use crate::app::peer::Peer;
use crate::app::remote::Remote;
use crate::app::state::State;
use crate::filling::CallScreen;
use crate::filling::found::{Found, records};
use crate::filling::source::Source;
use crate::ui::search_list::SearchList;
use ratatui::Frame;
use ratatui::layout::Rect;

/// The pause in typing after which the host is queried.
const TYPING_PAUSE: SignedDuration = SignedDuration::from_millis(250);
/// Number of rows of a page.
const PAGE: isize = 10;

pub(crate) static PICKER: Context = Context::layer("Choosing a record for an id");

pub(crate) const COMMANDS: &[Command] = &[
    Command::new(
        &PICKER,
        "picker.choose",
        "Choose the selected record, or try again",
        &["enter"],
        choose,
    )
    .hint("take"),
    Command::new(
        &PICKER,
        "picker.next",
        "Next record",
        &["down", "ctrl-n", "tab"],
        |state, _| step(state, 1),
    )
    .hint("next"),
    Command::new(
        &PICKER,
        "picker.previous",
        "Previous record",
        &["up", "ctrl-p", "backtab"],
        |state, _| step(state, -1),
    ),
    Command::new(
        &PICKER,
        "picker.page_down",
        "Next page of records",
        &["pgdn"],
        |state, _| step(state, PAGE),
    ),
    Command::new(
        &PICKER,
        "picker.page_up",
        "Previous page of records",
        &["pgup"],
        |state, _| step(state, -PAGE),
    ),
    Command::new(&PICKER, "picker.close", "Back", &["esc"], close).hint("back"),
];

/// One step of the choice.
#[derive(Debug)]
struct Step {
    source: Source,
    /// The known arguments of the tool.
    given: Map<String, Value>,
    /// The later step and its argument that this step determines.
    fills: Option<(usize, String)>,
    /// What was chosen.
    chosen: Option<Found>,
}

/// An answer and its search text.
#[derive(Debug)]
struct Page {
    text: String,
    found: Vec<Found>,
    has_more: bool,
}

/// The result of the choice.
#[derive(Debug)]
pub(crate) struct Picked {
    /// The field.
    pub(crate) path: Path,
    /// The record.
    pub(crate) found: Found,
    /// The records chosen in earlier steps, by argument name.
    pub(crate) on_the_way: Vec<(String, Found)>,
}

/// The choice of a record.
#[derive(Debug)]
pub(crate) struct Picker {
    peer: Peer,
    /// The field to fill in.
    path: Path,
    /// Passes the result to its screen.
    give: fn(&mut State, &mut Out, Picked),
    /// The ids in the field, if it accepts several.
    several: Option<Vec<Value>>,
    /// A record was chosen: going back returns to the form.
    has_taken: bool,
    steps: Vec<Step>,
    /// The current step.
    step: usize,
    /// The indices of the shown records in the answer.
    pub(crate) list: SearchList<usize>,
    /// The timer for a pause in typing.
    pause: Option<RequestId>,
    /// The search text of the last request.
    asked: String,
    page: Remote<Page>,
}

impl Picker {
    /// A picker for this field. `entered` returns the input for an argument.
    pub(crate) fn new(
        peer: Peer,
        path: Path,
        several: Option<Vec<Value>>,
        source: Source,
        entered: impl Fn(&str) -> Option<Value>,
    ) -> Self {
        let mut steps = Vec::new();
        plan(&mut steps, source, None, &entered);
        // The steps were planned backwards.
        steps.reverse();
        let last = steps.len().saturating_sub(1);
        for step in &mut steps {
            if let Some((at, _)) = &mut step.fills {
                *at = last - *at;
            }
        }
        Picker {
            peer,
            path,
            give: |state, out, picked| {
                state.act::<CallScreen>(out, |form, cx| form.picked(cx, picked));
            },
            several,
            has_taken: false,
            steps,
            step: 0,
            list: SearchList::new(),
            pause: None,
            asked: String::new(),
            page: Remote::Idle,
        }
    }

    /// For a screen other than the form of a tool.
    pub(crate) fn for_screen(self, give: fn(&mut State, &mut Out, Picked)) -> Self {
        Picker { give, ..self }
    }

    /// Opens the picker and requests the records.
    pub(crate) fn open(mut self, cx: &mut Cx) {
        self.ask(cx);
        cx.raise(self);
    }

    fn current(&self) -> Option<&Step> {
        self.steps.get(self.step)
    }

    fn text(&self) -> String {
        self.list.text().trim().to_owned()
    }

    /// Whether the tool searches.
    fn is_searched(&self) -> bool {
        self.current()
            .is_some_and(|step| step.source.search.is_some())
    }

    /// Requests the matching records and drops earlier requests.
    fn ask(&mut self, cx: &mut Cx) {
        cx.abort(self.page.request());
        cx.cancel(&mut self.pause);
        let text = self.text();
        self.asked.clone_from(&text);
        let Some(step) = self.steps.get(self.step) else {
            return;
        };
        let mut arguments = step.given.clone();
        match &step.source.search {
            Some(_) if text.is_empty() && step.source.must_search => {
                self.page = Remote::Idle;
                self.shown();
                return;
            }
            Some(search) if !text.is_empty() => {
                arguments.insert(search.clone(), Value::String(text));
            }
            _ => {}
        }
        if let Some((limit, most)) = &step.source.limit {
            arguments.insert(limit.clone(), (*most).into());
        }
        let request = cx.run(Work::Call(ToolCall {
            peer: self.peer.clone(),
            tool: step.source.tool.clone(),
            arguments,
            expected_plan: None,
            changes_nothing: true,
            by_hand: true,
        }));
        self.page.begin(request);
    }

    fn typed(&mut self, cx: &mut Cx) {
        if self.is_searched() {
            cx.abort(self.page.request());
            cx.cancel(&mut self.pause);
            self.pause = Some(cx.after(TYPING_PAUSE));
        }
        self.shown();
    }

    /// The text or the step changed: recomputes the rows.
    fn shown(&mut self) {
        let selected = self.selected_id();
        self.find(selected.as_ref());
    }

    /// Recomputes the rows. The record with this id was selected before.
    fn find(&mut self, selected: Option<&Value>) {
        let text = self.text();
        let page = self.page.value();
        // The host's matches for this text are kept, whichever fields it searched. Until its
        // answer, only records that visibly match are offered.
        let is_answer = self.is_searched() && page.is_some_and(|page| page.text == text);
        let found = page.map_or(&[][..], |page| page.found.as_slice());
        let fits = |at: &usize| is_answer || found[*at].fits(&text);
        let rows = (0..found.len()).filter(fits).collect();
        let before = found.iter().position(|found| Some(&found.id) == selected);
        self.list.show(rows, before);
    }

    fn selected(&self) -> Option<&Found> {
        self.page.value()?.found.get(self.list.selected()?)
    }

    fn selected_id(&self) -> Option<Value> {
        self.selected().map(|found| found.id.clone())
    }

    fn error(&self) -> Option<&CallError> {
        self.page.error()
    }

    /// Whether the field already holds this id.
    fn is_held(&self, found: &Found) -> bool {
        let several = self.several.as_ref();
        let is_last = self.step + 1 == self.steps.len();
        is_last && several.is_some_and(|ids| ids.contains(&found.id))
    }

    /// Chooses the selected record. In the last step it is the result.
    fn take(&mut self, cx: &mut Cx) -> Option<Picked> {
        let found = self.selected()?.clone();
        let step = self.steps.get_mut(self.step)?;
        let fills = step.fills.clone();
        step.chosen = Some(found.clone());
        if let Some((at, argument)) = fills {
            let next = self.steps.get_mut(at)?;
            next.given.insert(argument, found.id.clone());
            self.go(cx, self.step + 1);
            return None;
        }
        self.has_taken = true;
        if let Some(ids) = &mut self.several {
            match ids.iter().position(|id| *id == found.id) {
                Some(at) => drop(ids.remove(at)),
                None => ids.push(found.id.clone()),
            }
        }
        let on_the_way = self.steps.iter().filter_map(|step| {
            let (_, argument) = step.fills.as_ref()?;
            Some((argument.clone(), step.chosen.clone()?))
        });
        Some(Picked {
            path: self.path.clone(),
            found,
            on_the_way: on_the_way.collect(),
        })
    }

    fn go(&mut self, cx: &mut Cx, step: usize) {
        cx.abort(self.page.request());
        self.step = step;
        self.list.clear();
        self.page = Remote::Idle;
        self.shown();
        self.ask(cx);
    }

    /// Cancels pending requests.
    fn end(&mut self, cx: &mut Cx) {
        cx.abort(self.page.request());
        cx.cancel(&mut self.pause);
    }
}

impl Layer for Picker {
    fn draw(&self, state: &State, frame: &mut Frame, area: Rect) {
        self.draw_card(&state.shared, frame, area);
    }

    fn context(&self) -> &'static Context {
        &PICKER
    }

    fn step(&mut self, by: isize) {
        self.list.step(by);
    }

    fn key(&mut self, cx: &mut Cx, key: KeyEvent) {
        if self.list.key(key) {
            self.typed(cx);
        }
    }

    fn paste(&mut self, cx: &mut Cx, text: &str) {
        self.list.paste(text);
        self.typed(cx);
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: &Outcome) {
        let Outcome::Call(answer) = outcome else {
            return;
        };
        let page = match (&answer.result, self.current()) {
            (Err(error), _) => Err(error.clone()),
            (Ok(reply), Some(step)) => Ok(Page {
                text: self.asked.clone(),
                found: records(&reply.value, &step.source.kind),
                has_more: reply.value.get("has_more") == Some(&Value::Bool(true)),
            }),
            (Ok(_), None) => return,
        };
        let selected = self.selected_id();
        if self.page.finish(request, cx.now(), page) {
            self.find(selected.as_ref());
        }
    }

    fn fired(&mut self, cx: &mut Cx, request: RequestId) {
        if self.pause == Some(request) {
            self.pause = None;
            self.ask(cx);
        }
    }

    fn is_busy(&self) -> bool {
        self.page.is_loading()
    }
}

/// Plans the steps, the last one first.
fn plan(
    steps: &mut Vec<Step>,
    source: Source,
    fills: Option<(usize, String)>,
    entered: &impl Fn(&str) -> Option<Value>,
) {
    let at = steps.len();
    let mut given = Map::new();
    let mut open = Vec::new();
    for (argument, need) in &source.needs {
        match entered(argument) {
            Some(value) => drop(given.insert(argument.clone(), value)),
            None => open.push((argument.clone(), need.clone())),
        }
    }
    steps.push(Step {
        source,
        given,
        fills,
        chosen: None,
    });
    for (argument, need) in open.into_iter().rev() {
        plan(steps, need, Some((at, argument)), entered);
    }
}

fn choose(state: &mut State, out: &mut Out) {
    let Some(mut picker) = state.take_layer::<Picker>() else {
        return;
    };
    let mut cx = state.cx(out);
    let picked = match picker.error() {
        Some(_) => {
            picker.ask(&mut cx);
            None
        }
        None => picker.take(&mut cx),
    };
    let give = picker.give;
    // If the field accepts several, the picker stays open.
    if picked.is_none() || picker.several.is_some() {
        state.layers.push(picker);
    } else {
        picker.end(&mut cx);
    }
    if let Some(picked) = picked {
        give(state, out, picked);
    }
}

fn close(state: &mut State, out: &mut Out) {
    let Some(mut picker) = state.take_layer::<Picker>() else {
        return;
    };
    let mut cx = state.cx(out);
    match picker.step.checked_sub(1).filter(|_| !picker.has_taken) {
        Some(before) => {
            picker.go(&mut cx, before);
            state.layers.push(picker);
        }
        None => picker.end(&mut cx),
    }
}
