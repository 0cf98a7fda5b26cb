//! A question before an action that cannot be undone: the user types a name, then presses a key
//! other than enter.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_normalization::UnicodeNormalization;

use crate::app::cx::{Cx, Out};
use crate::app::input::command::{Context, commands};
use crate::app::layer::Layer;
use crate::app::state::State;
use crate::look::text::{clean, fold};
use crate::ui::frame::wrapped_heights;
use crate::ui::input::Input;
use crate::ui::panel;

pub(crate) static TYPED: Context = Context::layer("Confirmations by typing a name");

commands! {
    pub(crate) const COMMANDS;

    TYPED: "typed.yes", ["ctrl-y"], "Confirm, once the name is typed",
        run |state, out| {
            let Some(typed) = state.on_top_mut::<Typed>() else {
                return;
            };
            match typed.wrong() {
                Some(wrong) => typed.wrong = Some(wrong),
                None => {
                    let then = typed.then;
                    state.layers.pop();
                    then(state, out);
                }
            }
        }, hint("confirm"), danger;
    TYPED: "typed.no", ["esc"], "Cancel", run |state, _| { state.layers.pop(); }, hint("cancel");
}

/// Why the action is not confirmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wrong {
    NothingTyped,
    AnotherTitle,
    /// Enter was pressed, which does not confirm.
    Enter,
}

/// A question answered by typing a name.
#[derive(Debug)]
pub(crate) struct Typed {
    /// The question, in a few words.
    title: String,
    /// The consequences, one sentence each.
    body: Vec<String>,
    /// The name to type.
    name: String,
    /// The noun for that name.
    kind: &'static str,
    input: Input,
    wrong: Option<Wrong>,
    /// Runs after confirmation.
    then: fn(&mut State, &mut Out),
}

impl Typed {
    /// Asks for `name` to be typed before `then` runs.
    pub(crate) fn new(
        title: impl Into<String>,
        body: Vec<String>,
        name: &str,
        then: fn(&mut State, &mut Out),
    ) -> Self {
        Typed {
            title: title.into(),
            body,
            name: plain(name),
            kind: "title",
            input: Input::line(""),
            wrong: None,
            then,
        }
    }

    /// Replaces the noun "title".
    pub(crate) fn asking_for(self, kind: &'static str) -> Self {
        Typed { kind, ..self }
    }

    /// Why the typed text does not confirm.
    fn wrong(&self) -> Option<Wrong> {
        let typed = comparable(&self.input.text());
        if typed == comparable(&self.name) {
            None
        } else if typed.is_empty() {
            Some(Wrong::NothingTyped)
        } else {
            Some(Wrong::AnotherTitle)
        }
    }
}

impl Layer for Typed {
    fn context(&self) -> &'static Context {
        &TYPED
    }

    fn key(&mut self, _: &mut Cx, key: KeyEvent) {
        if key.code == KeyCode::Enter {
            self.wrong = Some(self.wrong().unwrap_or(Wrong::Enter));
        } else if self.input.key(key) {
            self.wrong = None;
        }
    }

    fn paste(&mut self, cx: &mut Cx, text: &str) {
        self.input.paste_here(cx, text);
        self.wrong = None;
    }

    fn draw(&self, state: &State, frame: &mut Frame, area: Rect) {
        let shared = &state.shared;
        const WIDTH: u16 = 70;
        let theme = &shared.settings.theme;
        let inside = usize::from(WIDTH.min(area.width)).saturating_sub(4);
        let mut lines: Vec<Line> = self
            .body
            .iter()
            .map(|text| Line::from(text.clone()))
            .collect();
        lines.push(Line::default());
        lines.push(Line::from(format!("To confirm, type this {}:", self.kind)));
        lines.push(Line::styled(
            self.name.clone(),
            theme.title.patch(theme.bad),
        ));
        let above = wrapped_heights(&lines, inside);
        let inner = panel::card(frame, theme, area, WIDTH, above + 6, &self.title);
        let [words, field, _, keys, status] =
            Layout::vertical([Length(above), Length(1), Fill(1), Length(1), Length(1)])
                .areas(inner);
        panel::text(frame, words, lines);
        let [sign, field] = Layout::horizontal([Length(2), Fill(1)]).areas(field);
        frame.render_widget(Span::styled("> ", theme.key), sign);
        self.input
            .draw(frame, field, Style::new().underlined(), true);
        let (style, state) = match self.wrong() {
            None => (theme.key, " confirm · ".to_owned()),
            Some(_) => (
                theme.dim,
                format!(" confirm once the {} is typed · ", self.kind),
            ),
        };
        let line = Line::from(vec![
            Span::styled(shared.settings.keymap.key_while_typing("typed.yes"), style),
            Span::raw(state),
            Span::styled(
                shared.settings.keymap.key_while_typing("typed.no"),
                theme.key,
            ),
            Span::raw(" cancel"),
        ]);
        frame.render_widget(line, keys);
        if let Some(wrong) = self.wrong {
            let wrong = match wrong {
                Wrong::NothingTyped => format!("type the {} first", self.kind),
                Wrong::AnotherTitle => format!("that is not the {}", self.kind),
                Wrong::Enter => {
                    let key = shared.settings.keymap.key_while_typing("typed.yes");
                    format!("Enter does not confirm; {key} does")
                }
            };
            frame.render_widget(Span::styled(format!("✗ {wrong}"), theme.bad), status);
        }
    }
}

/// The name as it can be seen and typed: safe to draw, with single spaces and composed accents.
fn plain(text: &str) -> String {
    let words: Vec<String> = clean(text).split_whitespace().map(str::to_owned).collect();
    words.join(" ").nfc().collect()
}

/// The name for comparison: case, accents, and the variants of quotation marks and dashes are
/// ignored, because a keyboard has only some of them.
fn comparable(text: &str) -> String {
    let text: String = text
        .chars()
        .map(|char| match char {
            '"'
            | '`'
            | '´'
            | '«'
            | '»'
            | 'ʼ'
            | '\u{2018}'..='\u{201f}'
            | '\u{2032}'..='\u{2037}'
            | '\u{2039}'
            | '\u{203a}'
            | '\u{301d}'..='\u{301f}'
            | '\u{ff02}'
            | '\u{ff07}' => '\'',
            '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => '-',
            char => char,
        })
        .collect();
    plain(&fold(&text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::with_cx;

    fn asked(name: &str, typed: &str) -> Typed {
        let mut question = Typed::new("Remove?", Vec::new(), name, |_, _| {});
        with_cx(|cx| question.paste(cx, typed));
        question
    }

    #[test]
    fn only_the_title_will_do() {
        assert_eq!(asked("Weekly sync", "Weekly sync").wrong(), None);
        assert_eq!(asked("Weekly sync", " Weekly  sync ").wrong(), None);
        assert!(asked("Weekly sync", "Weekly").wrong().is_some());
        assert!(asked("Weekly sync", "").wrong().is_some());
    }

    #[test]
    fn a_title_is_typed_as_it_is_seen() {
        assert_eq!(
            asked("Week\u{200b}ly\u{1b} \n sync", "Weekly sync").wrong(),
            None
        );
        assert_eq!(asked("Cafe\u{301}", "Caf\u{e9}").wrong(), None);
    }

    #[test]
    fn case_accents_and_kinds_of_marks_do_not_matter() {
        let title = "“São João” – l’Équipe";
        for typed in ["'sao joao\" - L'EQUIPE ", "«São João» — l`équipe", title] {
            assert_eq!(asked(title, typed).wrong(), None, "{typed}");
        }
        assert!(asked(title, "sao joao - lequipe").wrong().is_some());
        assert!(asked("—", "").wrong().is_some());
    }

    #[test]
    fn enter_says_that_it_does_nothing() {
        let mut question = asked("Weekly sync", "Weekly sync");
        with_cx(|cx| question.key(cx, KeyEvent::from(KeyCode::Enter)));
        assert_eq!(question.wrong, Some(Wrong::Enter));
        let mut question = asked("Weekly sync", "Weekly");
        with_cx(|cx| question.key(cx, KeyEvent::from(KeyCode::Enter)));
        assert_eq!(question.wrong, Some(Wrong::AnotherTitle));
    }
}
