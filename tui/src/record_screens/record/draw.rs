//! Drawing of a record.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};

use super::{RecordScreen, Tab};
use crate::app::hits::Hit;
use crate::app::shared::Shared;
use crate::app::state::Typing;
use crate::fields;
use crate::look::mark::Mark;
use crate::look::text::{cells, fit};
use crate::look::time::moment;
use crate::records::facts;
use crate::ui::panel::{self, titled};
use crate::ui::problem::Problem;

impl RecordScreen {
    pub(super) fn draw_all(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let has_tabs = u16::from(self.tabs.len() > 1);
        let head = match self.is_tree_only() {
            true => 0,
            false => 1 + u16::from(self.view.head.is_some()),
        };
        let [head, tabs, body] = Layout::vertical([
            Constraint::Length(head),
            Constraint::Length(has_tabs),
            Constraint::Fill(1),
        ])
        .areas(area);
        self.draw_head(shared, frame, head);
        self.draw_tabs(shared, frame, tabs);
        match self.tabs.get(self.at) {
            Some(Tab::Tree(tree)) => tree.draw(shared, frame, body),
            Some(Tab::List(list)) => list.draw(shared, frame, body),
            Some(Tab::Facts) | None => self.draw_facts(shared, frame, body),
        }
    }

    fn draw_head(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.settings.theme;
        let Some(record) = self.record.value() else {
            return;
        };
        let name = fit(&record.label(self.kind), usize::from(area.width));
        let mut line = Line::from(vec![
            Span::styled(name, theme.title),
            Span::styled(format!("  {}", self.kind.one), theme.dim),
        ]);
        if let (Some(error), Some(seen)) = (self.record.error(), self.record.seen()) {
            let since = moment(seen.at, shared.now, &shared.locale);
            let title = match self.is_missing() && !self.is_gone() {
                true => "No longer listed",
                false => Problem::of(error).title,
            };
            let words = format!("{title} (as of {since})");
            line.push_span(Span::raw("  "));
            line.push_span(Mark::Bad.span(theme, &words));
        }
        frame.render_widget(line, Rect { height: 1, ..area });
        if let Some(head) = self.view.head
            && area.height > 1
        {
            let below = Rect {
                y: area.y + 1,
                height: 1,
                ..area
            };
            frame.render_widget(head(record, shared, area.width.into()), below);
        }
    }

    fn draw_tabs(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.settings.theme;
        let mut spans = Vec::new();
        let titles = self.tabs.iter().map(|tab| match tab {
            Tab::Facts => "Facts".to_owned(),
            Tab::Tree(_) => "Tree".to_owned(),
            Tab::List(list) => fields::title(&list.kind.many),
        });
        let titles: Vec<String> = titles.collect();
        // If not all titles fit, those before the current tab are dropped.
        let width = |titles: &[String]| titles.iter().map(|title| cells(title) + 3).sum::<usize>();
        let until = self.at + 1;
        let room = usize::from(area.width).saturating_sub(2);
        let from = (0..=self.at)
            .find(|from| width(&titles[*from..until]) <= room)
            .unwrap_or(self.at);
        if from > 0 {
            spans.push(Span::styled("‹ ", theme.dim));
        }
        for (at, title) in titles.iter().enumerate().skip(from) {
            let used: usize = spans.iter().map(Span::width).sum();
            let place = Rect {
                x: area.x + used as u16,
                width: cells(title) as u16 + 2,
                ..area
            };
            let by = at as isize - self.at as isize;
            shared.hits.add(place.intersection(area), Hit::Tab(by));
            match at == self.at {
                true => spans.push(Span::styled(format!("[{title}]"), theme.selected)),
                false => spans.push(Span::styled(format!(" {title} "), theme.dim)),
            }
            spans.push(Span::raw(" "));
        }
        let line = Line::from(spans);
        let is_cut = line.width() > usize::from(area.width) + 1;
        frame.render_widget(line, area);
        if is_cut {
            let x = area.right().saturating_sub(2);
            let end = Rect {
                x,
                width: 2,
                ..area
            };
            frame.render_widget(Span::styled(" ›", theme.dim), end.intersection(area));
        }
    }

    fn draw_facts(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.settings.theme;
        let block = titled(" Facts ", theme.border);
        let inside = block.inner(area);
        frame.render_widget(block, area);
        match (self.record.value(), self.record.error()) {
            (Some(_), _) => {
                let lines = self.facts(shared, inside.width.saturating_sub(2).into());
                let number = lines.len();
                facts::draw(lines, frame, inside, self.scroll);
                if self.scroll == 0 {
                    self.picture.draw(shared, frame, inside, number);
                }
            }
            (None, Some(error)) => {
                let problem = Problem::of(error);
                panel::problem(
                    frame,
                    theme,
                    &shared.settings.keymap,
                    inside,
                    &problem,
                    Typing::No,
                );
            }
            (None, None) => {}
        }
    }
}
