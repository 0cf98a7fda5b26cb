//! Drawing of the picker.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use super::Picker;
use crate::app::layer::Layer;
use crate::app::shared::Shared;
use crate::filling::found::about;
use crate::ui::frame::waiting;
use crate::ui::panel;
use crate::ui::problem::Problem;
use crate::ui::table::{Column, Row};
use crate::ui::text::{cells, clean, count};

/// Maximum width of a column beside the names.
const WIDEST: usize = 20;

impl Picker {
    /// Draws the list.
    pub(crate) fn draw_card(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.theme;
        let inner = panel::card(frame, theme, area, 76, 20, &self.title());
        let [search, said, list] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Length(1),
            Constraint::Fill(1),
        ])
        .areas(inner);
        self.list.draw_field(theme, frame, search);
        frame.render_widget(self.said(shared), said);
        if let Some(error) = self.error() {
            let problem = Problem::of(error);
            let key = shared.keymap.key_while_typing("picker.choose");
            let lines = vec![
                Line::styled(format!("✗ {}", problem.title), theme.bad),
                Line::from(clean(&problem.what).into_owned()),
                Line::default(),
                Line::from(format!(
                    "{key} tries again. You can also type or paste the id."
                )),
            ];
            frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }), list);
            return;
        }
        self.draw_rows(shared, frame, list);
    }

    fn draw_rows(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let found = self.page.value().map_or(&[][..], |page| &page.found);
        let rows = self.list.found();
        if rows.is_empty() {
            return;
        }
        let about = about(found);
        let title = |name: &str| {
            let words = name.replace('_', " ");
            let mut letters = words.chars();
            let first = letters.next().map(|first| first.to_uppercase().to_string());
            clean(&format!(
                "{}{}",
                first.unwrap_or_default(),
                letters.as_str()
            ))
            .into_owned()
        };
        let mut columns = Vec::new();
        if self.several.is_some() {
            columns.push(Column::fixed("", 1));
        }
        columns.push(Column::share("Name", 1));
        for name in &about {
            let cell = |at: &usize| cells(&found[*at].cell(name, shared.now, &shared.zone));
            let widest = rows.iter().map(cell).max().unwrap_or(0);
            let width = widest.max(cells(&title(name))).min(WIDEST);
            columns.push(Column::fixed(title(name), width as u16));
        }
        self.list
            .draw_rows(&shared.theme, frame, area, &columns, |at| {
                let one = &found[at];
                let mut cells = Row::new();
                if self.several.is_some() {
                    let mark = if self.is_held(one) { "✓" } else { "" };
                    cells = cells.styled(mark, shared.theme.good);
                }
                let cells = cells.cell(one.name.clone());
                about.iter().fold(cells, |cells, name| {
                    cells.cell(one.cell(name, shared.now, &shared.zone))
                })
            });
    }

    /// The question: `Which guest of Launch?`
    fn title(&self) -> String {
        let kind = |at: usize| {
            let kind = self.steps.get(at).map(|step| step.source.kind.as_str());
            clean(&kind.unwrap_or("record").replace('_', " ")).into_owned()
        };
        let before = self.step.checked_sub(1).and_then(|at| self.steps.get(at));
        let before = before.and_then(|step| step.chosen.as_ref());
        let last = self.steps.len().saturating_sub(1);
        match before {
            _ if self.step < last => format!("First, which {}?", kind(self.step)),
            Some(before) => format!("Which {} of {}?", kind(last), before.name),
            None => format!("Which {}?", kind(last)),
        }
    }

    /// The status line.
    fn said(&self, shared: &Shared) -> Line<'static> {
        let theme = &shared.theme;
        let text = self.text();
        if self.is_busy() {
            return waiting(shared, "searching…");
        }
        if self.pause.is_some() {
            return Line::styled("…", theme.dim);
        }
        if self.error().is_some() {
            return Line::default();
        }
        let Some(page) = self.page.value() else {
            return Line::styled("Type a name.", theme.dim);
        };
        let words = match (self.list.found().len(), page.has_more, text.is_empty()) {
            (0, false, true) => "Nothing to choose from".to_owned(),
            (0, ..) => format!("No match for “{}”", clean(&text)),
            (rows, true, _) => format!("The first {rows}. Type part of a name to find others."),
            (rows, false, _) => count(rows, "record", "records"),
        };
        Line::styled(words, theme.dim)
    }
}
