//! Drawing of the chooser.

use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::text::Line;
use serde_json::Value;

use super::call::Page;
use super::{Chooser, Shelf};
use crate::app::shared::Shared;
use crate::fields::Field;
use crate::fields::cell::{Cell, cell};
use crate::fields::rows::widest;
use crate::look::mark::Mark;
use crate::look::text::{clean, count, fit};
use crate::records::found::about;
use crate::ui::frame::waiting;
use crate::ui::panel;
use crate::ui::problem::Problem;
use crate::ui::table::{Column, Row};

/// Maximum width of the card.
const WIDTH: u16 = 96;
/// Maximum width of a column beside the names.
const WIDEST: usize = 20;

impl Chooser {
    pub(super) fn draw_card(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.settings.theme;
        let width = area.width.min(WIDTH);
        let question = fit(&self.question(), usize::from(width).saturating_sub(6));
        let inner = panel::card(frame, theme, area, width, 20, &question);
        let note = self.steps[self.at].note.as_deref();
        let [said, inner] = Layout::vertical([Length(note.is_some().into()), Fill(1)]).areas(inner);
        frame.render_widget(Line::styled(note.unwrap_or_default(), theme.dim), said);
        let held = |id: &Value| self.is_held(id);
        let held: Option<&dyn Fn(&Value) -> bool> = self.several.as_ref().map(|_| &held as _);
        match &self.shelf {
            Shelf::List(list) => list.draw_choice(shared, frame, inner, held),
            Shelf::Page(page) => page.draw(shared, frame, inner, held),
        }
    }

    /// The question: `Which guest of Launch?`
    fn question(&self) -> String {
        let last = self.steps.len().saturating_sub(1);
        let one = clean(&self.steps[self.at].one);
        let before = self.at.checked_sub(1).and_then(|at| self.steps.get(at));
        let before = before.and_then(|step| step.chosen.as_ref());
        match (&self.question, before) {
            _ if self.at < last => format!("First, which {one}?"),
            (Some(question), _) => clean(question).into_owned(),
            (None, Some(before)) => format!("Which {one} of {}?", before.name),
            (None, None) => format!("Which {one}?"),
        }
    }
}

impl Page {
    fn draw(
        &self,
        shared: &Shared,
        frame: &mut Frame,
        area: Rect,
        held: Option<&dyn Fn(&Value) -> bool>,
    ) {
        let theme = &shared.settings.theme;
        let [search, said, rows] = Layout::vertical([Length(1), Length(1), Fill(1)]).areas(area);
        self.list.draw_field(theme, frame, search);
        frame.render_widget(self.status(shared), said);
        if let Some(error) = self.error() {
            let problem = Problem::of(error);
            let key = shared.settings.keymap.key_while_typing("chooser.choose");
            let lines = vec![
                Line::styled(format!("✗ {}", problem.title), theme.bad),
                Line::from(clean(&problem.what).into_owned()),
                Line::default(),
                Line::from(format!("{key} tries again.")),
            ];
            panel::text(frame, rows, lines);
            return;
        }
        self.draw_rows(shared, frame, rows, held);
    }

    fn draw_rows(
        &self,
        shared: &Shared,
        frame: &mut Frame,
        area: Rect,
        held: Option<&dyn Fn(&Value) -> bool>,
    ) {
        let (found, rows) = (self.found(), self.list.found());
        let theme = &shared.settings.theme;
        if rows.is_empty() {
            return;
        }
        let about = about(found);
        let mut columns: Vec<Column> = held.map(|_| Column::fixed("", 1)).into_iter().collect();
        columns.push(Column::share("Name", 1));
        for field in &about {
            let shown = rows.iter().map(|at| self.cell(*at, field, shared));
            let shown: Vec<Cell> = shown.collect();
            let width = widest(field, &shown).min(WIDEST);
            columns.push(Column::fixed(field.title.clone(), width as u16));
        }
        self.list.draw_rows(shared, frame, area, &columns, |at| {
            let one = &found[at];
            let row = match held {
                Some(held) => Row::new().styled(Mark::tick(held(&one.id)), theme.good),
                None => Row::new(),
            };
            let row = row.cell(one.name.clone());
            about.iter().fold(row, |row, field| {
                let cell = self.cell(at, field, shared);
                row.styled(cell.text, cell.tone.style(theme))
            })
        });
    }

    fn cell(&self, at: usize, field: &Field, shared: &Shared) -> Cell {
        cell(field, self.found()[at].value(field), shared)
    }

    fn status(&self, shared: &Shared) -> Line<'static> {
        let text = self.text();
        if self.is_busy() {
            return waiting(shared, "searching");
        }
        let words = match (self.has_more(), self.list.found().len()) {
            _ if self.is_paused() => "searching".to_owned(),
            _ if self.error().is_some() => String::new(),
            (None, _) => "Type a name.".to_owned(),
            (Some(false), 0) if text.is_empty() => "Nothing to choose from".to_owned(),
            (_, 0) => format!("No match for “{}”", clean(&text)),
            (Some(true), rows) => {
                format!("The first {rows}. Type part of a name to find others.")
            }
            (_, rows) => count(rows, "record", "records"),
        };
        Line::styled(words, shared.settings.theme.dim)
    }
}
