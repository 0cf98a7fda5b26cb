//! Choosing a record: typing searches, enter takes the selected one, and its opener gets the
//! answer. If the list of its kind requires the id of another record, that one is chosen first.

pub(crate) mod call;
mod step;
mod view;

use std::fmt;

use crossterm::event::KeyEvent;
use ratatui::Frame;
use ratatui::layout::Rect;
use serde_json::Value;

pub(crate) use self::step::{Entered, Fills, Step, Supply, steps, steps_to};

use self::call::Page;
use super::found::Found;
use super::kind::Kind;
use super::listing::Listing;
use super::record::Record;
use crate::app::cx::{Cx, Out};
use crate::app::effects::job::Outcome;
use crate::app::input::command::{Context, commands};
use crate::app::layer::Layer;
use crate::app::owner::{Owner, RequestId};
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::app::state::State;

/// Number of rows of a page.
const PAGE: isize = 10;

pub(crate) static CHOOSER: Context = Context::layer("Choosing a record");

commands! {
    pub(crate) const COMMANDS;

    CHOOSER: "chooser.choose", ["enter"], "Choose the selected record, or try again",
        run choose_selected, hint("take");
    CHOOSER: "chooser.next", ["down", "ctrl-n", "tab"], "Next record",
        run |state, out| step(state, out, 1), hint("next");
    CHOOSER: "chooser.previous", ["up", "ctrl-p", "backtab"], "Previous record",
        run |state, out| step(state, out, -1);
    CHOOSER: "chooser.page_down", ["pgdn"], "Next page of records",
        run |state, out| step(state, out, PAGE);
    CHOOSER: "chooser.page_up", ["pgup"], "Previous page of records",
        run |state, out| step(state, out, -PAGE);
    CHOOSER: "chooser.close", ["esc"], "Back", run close, hint("back");
}

/// The answer to the opener.
#[derive(Debug)]
pub(crate) struct Chosen {
    pub(crate) found: Found,
    /// The records chosen in earlier steps, by argument name.
    pub(crate) on_the_way: Vec<(String, Found)>,
}

/// Passes the answer on.
type Then = Box<dyn Fn(&mut State, &mut Out, Chosen)>;

/// The choice of a record.
pub(crate) struct Chooser {
    /// The question of the last step, unless it follows from the steps.
    question: Option<String>,
    steps: Vec<Step>,
    /// The current step.
    at: usize,
    shelf: Shelf,
    /// The ids chosen so far, if there can be several.
    several: Option<Vec<Value>>,
    /// A record was chosen: going back closes the chooser.
    has_taken: bool,
    /// The selection was moved or proposed; otherwise it is the first record.
    has_moved: bool,
    then: Then,
}

/// The records of the current step.
#[derive(Debug)]
enum Shelf {
    List(Box<Listing>),
    Page(Box<Page>),
}

impl fmt::Debug for Chooser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chooser")
            .field("steps", &self.steps)
            .field("at", &self.at)
            .finish_non_exhaustive()
    }
}

/// Lets the user choose a record of this kind for the visible screen.
pub(crate) fn choose<S: Screen>(
    cx: &mut Cx,
    kind: &'static Kind,
    question: String,
    then: impl Fn(&mut S, &mut Cx, &Record) + 'static,
) {
    of_kind(kind, question, cx.shared, move |state, out, record| {
        state.act(out, |screen, cx| then(screen, cx, record));
    })
    .open(cx);
}

/// A chooser for a record of this kind.
pub(crate) fn of_kind(
    kind: &'static Kind,
    question: String,
    shared: &Shared,
    then: impl Fn(&mut State, &mut Out, &Record) + 'static,
) -> Chooser {
    let chooser = Chooser::new(steps(kind, &|_| None), shared, move |state, out, chosen| {
        if let Some(record) = chosen.found.as_record() {
            then(state, out, &record);
        }
    });
    Chooser {
        question: Some(question),
        ..chooser
    }
}

impl Chooser {
    /// A chooser with these steps, which are not empty.
    pub(crate) fn new(
        steps: Vec<Step>,
        shared: &Shared,
        then: impl Fn(&mut State, &mut Out, Chosen) + 'static,
    ) -> Self {
        Chooser {
            question: None,
            shelf: Shelf::of(&steps[0], shared),
            steps,
            at: 0,
            several: None,
            has_taken: false,
            has_moved: false,
            then: Box::new(then),
        }
    }

    /// Stays open to choose several records; these ids are chosen already.
    pub(crate) fn several(self, ids: Option<Vec<Value>>) -> Self {
        Chooser {
            several: ids,
            ..self
        }
    }

    /// Leaves this record out.
    pub(crate) fn except(mut self, id: &str) -> Self {
        if let Shelf::List(list) = &mut self.shelf {
            list.leave_out(id);
        }
        self
    }

    /// Selects this record at first.
    pub(crate) fn proposing(mut self, id: Option<&str>) -> Self {
        if let (Shelf::List(list), Some(id)) = (&mut self.shelf, id) {
            list.select_once(id);
            self.has_moved = true;
        }
        self
    }

    /// Opens the chooser and requests the records.
    pub(crate) fn open(mut self, cx: &mut Cx) {
        self.shelf.ask(&mut cx.on_behalf(Owner::App));
        cx.raise(self);
    }

    /// Whether this id is chosen already.
    fn is_held(&self, id: &Value) -> bool {
        let is_last = self.at + 1 == self.steps.len();
        is_last && self.several.as_ref().is_some_and(|ids| ids.contains(id))
    }

    /// Takes the selected record. In the last step it is the answer.
    fn take(&mut self, cx: &mut Cx) -> Option<Chosen> {
        let found = self.shelf.selected()?;
        let step = self.steps.get_mut(self.at)?;
        let fills = step.fills.clone();
        step.chosen = Some(found.clone());
        if let Some(fills) = fills {
            let next = self.steps.get_mut(fills.step)?;
            next.given.insert(fills.argument, found.id.clone());
            self.go(cx, self.at + 1);
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
            let fills = step.fills.as_ref()?;
            Some((fills.known_as.clone(), step.chosen.clone()?))
        });
        Some(Chosen {
            found,
            on_the_way: on_the_way.collect(),
        })
    }

    fn go(&mut self, cx: &mut Cx, step: usize) {
        self.shelf.leave(cx);
        self.at = step;
        self.has_moved = false;
        self.shelf = Shelf::of(&self.steps[step], cx.shared);
        self.shelf.ask(cx);
    }

    fn typed(&mut self, is_other: bool) {
        if is_other {
            self.has_moved = false;
        }
        self.settle();
    }

    /// Selects the first record, unless the user chose another one.
    fn settle(&mut self) {
        if let (Shelf::List(list), false) = (&mut self.shelf, self.has_moved) {
            list.select(0);
        }
    }
}

impl Shelf {
    fn of(step: &Step, shared: &Shared) -> Self {
        match &step.supply {
            Supply::Records(kind) => {
                let mut list = Listing::new(kind, kind.list(), step.given.clone(), shared);
                list.begin_search();
                Shelf::List(Box::new(list))
            }
            Supply::Call(call) => {
                Shelf::Page(Box::new(Page::new(*call.clone(), step.given.clone())))
            }
        }
    }

    fn ask(&mut self, cx: &mut Cx) {
        match self {
            Shelf::List(list) => list.load(cx),
            Shelf::Page(page) => page.ask(cx),
        }
    }

    /// Cancels what was requested.
    fn leave(&mut self, cx: &mut Cx) {
        match self {
            Shelf::List(list) => list.leave(cx),
            Shelf::Page(page) => page.leave(cx),
        }
    }

    fn selected(&self) -> Option<Found> {
        match self {
            Shelf::List(list) => list.selected().map(|record| Found {
                id: record.id().into(),
                name: record.label(list.kind),
                record: record.all().clone(),
            }),
            Shelf::Page(page) => page.selected().cloned(),
        }
    }

    fn has_failed(&self) -> bool {
        match self {
            Shelf::List(list) => list.error().is_some() && list.selected().is_none(),
            Shelf::Page(page) => page.error().is_some(),
        }
    }
}

impl Layer for Chooser {
    fn draw(&self, state: &State, frame: &mut Frame, area: Rect) {
        self.draw_card(&state.shared, frame, area);
    }

    fn context(&self) -> &'static Context {
        &CHOOSER
    }

    fn key(&mut self, cx: &mut Cx, key: KeyEvent) {
        let is_other = match &mut self.shelf {
            Shelf::List(list) => list.key(cx, key),
            Shelf::Page(page) => page.key(cx, key),
        };
        self.typed(is_other);
    }

    fn paste(&mut self, cx: &mut Cx, text: &str) {
        match &mut self.shelf {
            Shelf::List(list) => list.paste(cx, text),
            Shelf::Page(page) => page.paste(cx, text),
        }
        self.typed(true);
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: &Outcome) {
        if let Outcome::Call(answer) = outcome {
            match &mut self.shelf {
                Shelf::List(list) => drop(list.answered(cx, request, answer)),
                Shelf::Page(page) => page.answered(cx, request, answer),
            }
            self.settle();
        }
    }

    fn fired(&mut self, cx: &mut Cx, request: RequestId) {
        match &mut self.shelf {
            Shelf::List(list) => drop(list.fired(cx, request)),
            Shelf::Page(page) => page.fired(cx, request),
        }
    }

    fn awaits(&self) -> bool {
        match &self.shelf {
            Shelf::List(list) => list.awaits(),
            Shelf::Page(page) => page.awaits(),
        }
    }

    fn is_busy(&self) -> bool {
        match &self.shelf {
            Shelf::List(list) => list.is_busy(),
            Shelf::Page(page) => page.is_busy(),
        }
    }
}

fn step(state: &mut State, out: &mut Out, by: isize) {
    state.act_on_top::<Chooser>(out, |chooser, cx| {
        chooser.has_moved = true;
        match &mut chooser.shelf {
            Shelf::List(list) => list.step(cx, by),
            Shelf::Page(page) => page.list.step(by),
        }
    });
}

fn choose_selected(state: &mut State, out: &mut Out) {
    let Some(mut chooser) = state.take_layer::<Chooser>() else {
        return;
    };
    let mut cx = state.cx(out);
    if chooser.shelf.has_failed() {
        chooser.shelf.ask(&mut cx);
        return state.layers.push(chooser);
    }
    let Some(chosen) = chooser.take(&mut cx) else {
        return state.layers.push(chooser);
    };
    if chooser.several.is_none() {
        chooser.shelf.leave(&mut cx);
        return (chooser.then)(state, out, chosen);
    }
    // The answer is given below the chooser, which stays open.
    (chooser.then)(state, out, chosen);
    state.layers.push(chooser);
}

fn close(state: &mut State, out: &mut Out) {
    let Some(mut chooser) = state.take_layer::<Chooser>() else {
        return;
    };
    let mut cx = state.cx(out);
    match chooser.at.checked_sub(1).filter(|_| !chooser.has_taken) {
        Some(before) => {
            chooser.go(&mut cx, before);
            state.layers.push(chooser);
        }
        None => chooser.shelf.leave(&mut cx),
    }
}
