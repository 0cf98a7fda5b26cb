//! The attention list: guests who were not checked in although the desk went on to the next one.

use frontdesk_protocol::id::EventId;
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::text::{Line, Span};

use super::CheckIn;
use crate::app::cx::Out;
use crate::app::input::command::{Context, commands};
use crate::app::layer::{Layer, step};
use crate::app::owner::RequestId;
use crate::app::state::{State, Typing};
use crate::desk::door::{self, Concern};
use crate::look::mark::Mark;
use crate::look::text::clean;
use crate::look::time::clock_seconds;
use crate::ui::panel;
use crate::ui::table::{self, Column, Row};

pub(crate) static ATTENTION: Context = Context::layer("Check-ins that need attention");

commands! {
    /// The commands of the list.
    pub(crate) const COMMANDS;

    ATTENTION: "attention.find", ["enter"],
        "Search for the selected one; a walk-in is the listed guest", run find, hint("search");
    ATTENTION: "attention.add", ["a"],
        "Add the selected walk-in: another person than the listed guest",
        run |state, out| {
            let walk_in = walk_in(state);
            state.layers.pop();
            if let Some(walk_in) = walk_in {
                door::decide_listed(&mut state.cx(out), walk_in, false);
            }
        }, unless(|state| match walk_in(state) {
            Some(_) => None,
            None => Some("only for a walk-in who may be on the list".to_owned()),
        });
    ATTENTION: "attention.dismiss", ["del", "d"], "Remove the selected one from the list",
        run |state, _| {
            if let Some(id) = state.on_top::<Attention>().and_then(|list| list.selected) {
                leave(state, id, 1);
                door::dismiss(&mut state.shared, id);
            }
        }, hint("dismiss");
    ATTENTION: "attention.next", ["down", "j"], "Next", run |state, _| step(state, 1);
    ATTENTION: "attention.previous", ["up", "k"], "Previous", run |state, _| step(state, -1);
    ATTENTION: "attention.close", ["esc"], "Close", run |state, _| { state.layers.pop(); },
        hint("close");
}

/// The selected check-in, if it adds somebody who may be on the list.
fn walk_in(state: &State) -> Option<RequestId> {
    let selected = state.on_top::<Attention>()?.selected;
    let door = state.shared.door();
    let mut concerns = door.all_concerns().iter();
    let concern = concerns.find(|concern| Some(concern.id) == selected)?;
    let attempt = door.attempt(concern.attempt?)?;
    attempt.listed.map(|_| attempt.id)
}

/// Puts the name back into the search box, where it is found again or added; the entry stays until that is done. A walk-in
/// who may be on the list is the listed guest.
fn find(state: &mut State, out: &mut Out) {
    if let Some(walk_in) = walk_in(state) {
        state.layers.pop();
        door::decide_listed(&mut state.cx(out), walk_in, true);
        return;
    }
    let selected = state.on_top::<Attention>().and_then(|list| list.selected);
    let Some(id) = selected else { return };
    state.layers.pop();
    let concerns = state.shared.door().all_concerns();
    let Some(concern) = concerns.iter().find(|concern| concern.id == id).cloned() else {
        return;
    };
    state.act::<CheckIn>(out, |desk, cx| desk.search_for(cx, &concern));
}

/// Moves the selection off a row before its removal.
fn leave(state: &mut State, id: RequestId, by: isize) {
    let event = state.on_top::<Attention>().map(|list| list.event);
    let Some(event) = event else { return };
    let rows: Vec<RequestId> = ids(state.shared.door().concerns(event));
    let next = table::step(&rows, Some(id), by).filter(|next| *next != id);
    let next = next.or_else(|| table::step(&rows, Some(id), -by).filter(|next| *next != id));
    if let Some(list) = state.on_top_mut::<Attention>() {
        list.selected = next;
        list.rows = rows.into_iter().filter(|row| *row != id).collect();
    }
}

fn ids<'a>(concerns: impl Iterator<Item = &'a Concern>) -> Vec<RequestId> {
    concerns.map(|concern| concern.id).collect()
}

/// The attention list of one event.
#[derive(Debug)]
pub(super) struct Attention {
    event: EventId,
    rows: Vec<RequestId>,
    selected: Option<RequestId>,
}

impl Attention {
    pub(super) fn new<'a>(event: EventId, concerns: impl Iterator<Item = &'a Concern>) -> Self {
        let rows = ids(concerns);
        Attention {
            event,
            selected: rows.first().copied(),
            rows,
        }
    }
}

impl Layer for Attention {
    fn context(&self) -> &'static Context {
        &ATTENTION
    }

    fn typing(&self) -> Typing {
        Typing::No
    }

    fn step(&mut self, by: isize) {
        self.selected = table::step(&self.rows, self.selected, by);
    }

    fn draw(&self, state: &State, frame: &mut Frame, area: Rect) {
        let shared = &state.shared;
        let theme = &shared.settings.theme;
        let height = (self.rows.len() as u16).saturating_add(4).min(area.height);
        let inner = panel::card(frame, theme, area, 76, height.max(5), "Needs attention");
        let [list, keys] = Layout::vertical([Fill(1), Length(1)]).areas(inner);
        let concerns: Vec<&Concern> = shared.door().concerns(self.event).collect();
        let at = concerns
            .iter()
            .position(|concern| Some(concern.id) == self.selected);
        if concerns.is_empty() {
            frame.render_widget(Line::styled("Nothing left.", theme.dim), list);
        }
        table::draw(
            frame,
            list,
            &state.shared,
            &[
                Column::fixed("Time", 8),
                Column::name("Guest or text"),
                Column::text("Why"),
            ],
            concerns.len(),
            at,
            |at| {
                let concern = concerns[at];
                Row::new()
                    .styled(clock_seconds(concern.at, &shared.locale), theme.dim)
                    .cell(clean(&concern.what).into_owned())
                    .styled(
                        format!("{} {}", Mark::Warn.glyph(), clean(&concern.why)),
                        theme.warn,
                    )
            },
        );
        let mut line = match walk_in(state) {
            Some(_) => vec![
                panel::key(shared, "attention.find"),
                Span::raw(" the same person · "),
                panel::key(shared, "attention.add"),
                Span::raw(" another one, to add · "),
            ],
            None => vec![
                panel::key(shared, "attention.find"),
                Span::raw(" search · "),
            ],
        };
        line.extend([
            panel::key(shared, "attention.dismiss"),
            Span::raw(" dismiss · "),
            panel::key(shared, "attention.close"),
            Span::raw(" close"),
        ]);
        frame.render_widget(Line::from(line), keys);
    }
}
