//! A few short fields, one below the other, for what is filled in or edited where it stands; what is
//! wrong stands at the field that it is about.

use crossterm::event::KeyEvent;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::input::Input;
use super::text::{cells, clean, fit};
use super::theme::Theme;

/// Cells between a label and its field.
const GAP: u16 = 2;
/// Cells left of the labels, where the mark of the focus stands.
const MARGIN: u16 = 2;

/// A field of one line.
#[derive(Debug)]
pub(crate) struct Field {
    /// The argument's name on the host.
    key: &'static str,
    label: &'static str,
    input: Input,
    error: Option<String>,
}

impl Field {
    /// A field that holds this text.
    pub(crate) fn new(key: &'static str, label: &'static str, text: &str) -> Self {
        Field {
            key,
            label,
            input: Input::line(text),
            error: None,
        }
    }
}

/// Fields, one of which has the focus.
#[derive(Debug)]
pub(crate) struct Fields {
    fields: Vec<Field>,
    at: usize,
}

impl Fields {
    /// These fields, the first with the focus.
    pub(crate) fn new(fields: Vec<Field>) -> Self {
        Fields { fields, at: 0 }
    }

    /// Moves the focus.
    pub(crate) fn focus(&mut self, by: isize) {
        let fields = self.fields.len().max(1);
        self.at = self.at.wrapping_add_signed(by).wrapping_add(fields) % fields;
    }

    /// What is filled in, without the space around it.
    pub(crate) fn text(&self, key: &str) -> String {
        let field = self.fields.iter().find(|field| field.key == key);
        field.map_or_else(String::new, |field| field.input.text().trim().to_owned())
    }

    /// A key for the field with the focus.
    pub(crate) fn key(&mut self, key: KeyEvent) {
        if let Some(field) = self.fields.get_mut(self.at)
            && field.input.key(key)
        {
            field.error = None;
        }
    }

    /// Pasted text for the field with the focus.
    pub(crate) fn paste(&mut self, text: &str) {
        if let Some(field) = self.fields.get_mut(self.at) {
            field.input.paste(text);
            field.error = None;
        }
    }

    /// Forgets what was wrong.
    pub(crate) fn forget_errors(&mut self) {
        for field in &mut self.fields {
            field.error = None;
        }
    }

    /// Notes what is wrong at a field, and goes to the first one with something wrong. Says whether
    /// there is such a field.
    pub(crate) fn mark(&mut self, key: &str, message: &str) -> bool {
        let Some(field) = self.fields.iter_mut().find(|field| field.key == key) else {
            return false;
        };
        field.error = Some(clean(message).into_owned());
        let first = self.fields.iter().position(|field| field.error.is_some());
        self.at = first.unwrap_or(self.at);
        true
    }

    /// The value, or a mark of what is wrong at the field.
    pub(crate) fn note<T>(&mut self, key: &str, value: Result<T, String>) -> Option<T> {
        match value {
            Ok(value) => Some(value),
            Err(message) => {
                self.mark(key, &message);
                None
            }
        }
    }

    /// Lines that it takes.
    pub(crate) fn height(&self) -> u16 {
        let wrong = self.fields.iter().filter(|field| field.error.is_some());
        (self.fields.len() + wrong.count()) as u16
    }

    /// Draws the fields, what is wrong below the field that it is about.
    pub(crate) fn draw(&self, frame: &mut Frame, area: Rect, theme: &Theme, is_active: bool) {
        let labels = self.fields.iter().map(|field| cells(field.label));
        let left = MARGIN + labels.max().unwrap_or(0) as u16 + GAP;
        let width = area.width.saturating_sub(left + 1).min(40);
        let mut y = area.y;
        for (at, field) in self.fields.iter().enumerate() {
            if y >= area.bottom() {
                return;
            }
            let line = Rect {
                y,
                height: 1,
                ..area
            };
            let is_focused = is_active && at == self.at;
            let label = match is_focused {
                true => vec![
                    Span::styled("▸ ", theme.focus),
                    Span::styled(field.label, theme.title),
                ],
                false => vec![Span::raw("  "), Span::raw(field.label)],
            };
            frame.render_widget(Line::from(label), line);
            let place = Rect {
                x: (area.x + left).min(area.right()),
                width,
                ..line
            };
            let style = Style::new().underlined();
            field.input.draw(frame, place, style, is_focused);
            y += 1;
            if let Some(error) = &field.error
                && y < area.bottom()
            {
                let place = Rect {
                    x: (area.x + left).min(area.right()),
                    y,
                    width: area.width.saturating_sub(left),
                    height: 1,
                };
                let text = fit(&format!("✗ {error}"), place.width.into());
                frame.render_widget(Line::styled(text, theme.bad), place);
                y += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_focus_goes_to_the_first_field_with_something_wrong() {
        let mut fields = Fields::new(vec![
            Field::new("from", "From", ""),
            Field::new("to", "To", "x"),
        ]);
        assert!(fields.mark("to", "write it differently"));
        fields.paste("y");
        assert_eq!(fields.text("to"), "xy");
        assert!(fields.mark("to", "no") && fields.mark("from", "no"));
        fields.paste("z");
        assert_eq!(fields.text("from"), "z");
        assert!(!fields.mark("elsewhere", "no"));
    }

    #[test]
    fn a_field_with_something_wrong_takes_another_line() {
        let mut fields = Fields::new(vec![Field::new("from", "From", "")]);
        assert_eq!(fields.height(), 1);
        fields.mark("from", "no");
        assert_eq!(fields.height(), 2);
        fields.forget_errors();
        assert_eq!(fields.height(), 1);
    }
}
