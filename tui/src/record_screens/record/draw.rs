//! Drawing of a record.

use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::text::{Line, Span};

use super::{RecordScreen, Tab};
use crate::app::shared::Shared;
use crate::fields;
use crate::look::mark::Mark;
use crate::look::text::fit;
use crate::look::time::moment;
use crate::records::facts;
use crate::ui::panel::{self, framed};
use crate::ui::problem::Problem;
use crate::ui::tabs;

impl RecordScreen {
    pub(super) fn draw_all(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let has_tabs = u16::from(self.tabs.len() > 1);
        let head = match self.is_tree_only() {
            true => 0,
            false => 1 + u16::from(self.view.head.is_some()),
        };
        let [head, tabs, body] =
            Layout::vertical([Length(head), Length(has_tabs), Fill(1)]).areas(area);
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
        let titles = self.tabs.iter().map(|tab| match tab {
            Tab::Facts => "Facts".to_owned(),
            Tab::Tree(_) => "Tree".to_owned(),
            Tab::List(list) => fields::title(&list.kind.many),
        });
        let titles: Vec<String> = titles.collect();
        tabs::draw(shared, frame, area, &titles, self.at);
    }

    fn draw_facts(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.settings.theme;
        let inside = framed(frame, area, " Facts ", theme.border);
        match (self.record.value(), self.record.error()) {
            (Some(_), _) => {
                let lines = self.facts(shared, inside.width.saturating_sub(2).into());
                let number = lines.len();
                facts::draw(lines, frame, inside, self.scroll);
                if self.scroll == 0 {
                    self.picture.draw(shared, frame, inside, number);
                }
            }
            (None, Some(error)) => panel::failed(frame, shared, inside, error),
            (None, None) => {}
        }
    }
}
