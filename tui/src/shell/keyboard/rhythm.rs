//! How soon characters follow each other: scanners are faster than people.

use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::parser::Input;
use crate::app::input::scan::{Rhythm, SHORTEST};
use crate::app::msg::What;

/// Two characters within this time were not typed by a person.
const RAPID: Duration = Duration::from_millis(30);
/// The same for a control character and another one.
const RAPID_CONTROL: Duration = Duration::from_millis(50);
/// In the middle of a code, a slow connection can hold characters back.
const HICCUP: Duration = Duration::from_millis(150);

/// Measures the rhythm of keys.
#[derive(Debug, Default)]
pub(super) struct Measure {
    last: Option<Instant>,
    /// The number of characters in a scanner's rhythm.
    run: usize,
    /// Whether letters and digits are kept, too: they could be commands.
    pub(super) letters_wait: bool,
    /// A character that is kept until it is known whether a code follows, and whether it follows one.
    kept: Option<(KeyEvent, Instant, bool)>,
}

impl Measure {
    /// Adds what came at this time, and gives what is known now.
    pub(super) fn add(&mut self, input: Input, at: Instant) -> Vec<What> {
        let mut all = Vec::new();
        let key = match input {
            Input::Key(key) => key,
            other => {
                all.extend(self.release(false));
                *self = Measure {
                    letters_wait: self.letters_wait,
                    ..Measure::default()
                };
                all.push(match other {
                    Input::Paste(text) => What::Paste(text),
                    Input::Mouse(event) => What::Mouse(event),
                    Input::Key(key) => What::Key(key, Rhythm::default()),
                });
                return all;
            }
        };
        let is_control = key.modifiers == KeyModifiers::CONTROL;
        let is_typed = matches!(key.code, KeyCode::Char(_) | KeyCode::Enter | KeyCode::Tab);
        let since = self.last.map(|last| at.duration_since(last));
        let limit = match is_control {
            true => RAPID_CONTROL,
            false if self.run >= SHORTEST && matches!(key.code, KeyCode::Char(_)) => HICCUP,
            false => RAPID,
        };
        let follows = is_typed && since.is_some_and(|since| since <= limit);
        let is_beside_control = is_typed && since.is_some_and(|since| since <= RAPID_CONTROL);
        let is_control_kept =
            matches!(&self.kept, Some((kept, ..)) if kept.modifiers == KeyModifiers::CONTROL);
        all.extend(self.release(if is_control_kept {
            is_beside_control
        } else {
            follows
        }));
        self.last = is_typed.then_some(at);
        self.run = if follows { self.run + 1 } else { 1 };
        match is_typed {
            // What may begin a code, and may be a command, is known by what follows it.
            true if is_control || self.may_begin(key) => self.kept = Some((key, at, follows)),
            _ => all.push(What::Key(
                key,
                Rhythm {
                    follows,
                    is_followed: false,
                },
            )),
        }
        all
    }

    /// What is due: nothing has followed it.
    pub(super) fn due(&mut self, at: Instant) -> Option<What> {
        let is_due = self.left(at).is_some_and(|left| left.is_zero());
        is_due.then(|| self.release(false))?
    }

    /// The time until something is due.
    pub(super) fn left(&self, at: Instant) -> Option<Duration> {
        let (key, since, follows) = self.kept.as_ref()?;
        let limit = match (follows, key.modifiers == KeyModifiers::CONTROL) {
            // It belongs to a code anyway.
            (true, _) => Duration::ZERO,
            (false, true) => RAPID_CONTROL,
            (false, false) => RAPID,
        };
        Some((*since + limit).saturating_duration_since(at))
    }

    fn may_begin(&self, key: KeyEvent) -> bool {
        let is_plain = (key.modifiers - KeyModifiers::SHIFT).is_empty();
        let is_sign = |char: char| !char.is_alphanumeric();
        matches!(key.code, KeyCode::Char(char) if is_plain && (self.letters_wait || is_sign(char)))
    }

    fn release(&mut self, is_followed: bool) -> Option<What> {
        let (key, _, follows) = self.kept.take()?;
        let rhythm = Rhythm {
            follows,
            is_followed,
        };
        Some(What::Key(key, rhythm))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::keyboard::parser::Parser;

    /// Each key of these parts, of which each comes so many milliseconds after the one before: `c` is a key that
    /// follows, `f` one that is followed, `-` one alone.
    fn rhythm(parts: &[(u64, &str)]) -> String {
        measured(parts, false)
    }

    fn measured(parts: &[(u64, &str)], letters_wait: bool) -> String {
        let mut at = Instant::now();
        let (mut parser, mut measure) = (Parser::default(), Measure::default());
        measure.letters_wait = letters_wait;
        let mut all = Vec::new();
        for (gap, part) in parts {
            let next = at + Duration::from_millis(*gap);
            while let Some(left) = measure.left(at).filter(|left| at + *left < next) {
                at += left;
                all.extend(measure.due(at));
            }
            at = next;
            let inputs = parser.feed(part.as_bytes()).into_iter();
            all.extend(inputs.flat_map(|input| measure.add(input, at)));
            all.extend(measure.due(at));
        }
        all.extend(measure.due(at + RAPID_CONTROL));
        let marks = all.iter().map(|what| match what {
            What::Key(_, Rhythm { follows: true, .. }) => 'c',
            What::Key(
                _,
                Rhythm {
                    is_followed: true, ..
                },
            ) => 'f',
            What::Key(..) => '-',
            other => panic!("no key: {other:?}"),
        });
        marks.collect()
    }

    #[test]
    fn a_scanner_is_faster_than_a_person() {
        assert_eq!(rhythm(&[(0, "4711\r")]), "-cccc");
        assert_eq!(
            rhythm(&[(0, "z"), (120, "o"), (90, "e"), (200, "\r")]),
            "----"
        );
        assert_eq!(
            rhythm(&[(0, "4"), (20, "7"), (20, "1"), (20, "1"), (20, "\r")]),
            "-cccc"
        );
        // A person begins a name, and a guest is scanned.
        assert_eq!(rhythm(&[(0, "a"), (100, "n"), (300, "4711\r")]), "---cccc");
    }

    #[test]
    fn a_connection_that_holds_back_a_part_of_a_code_does_not_split_it() {
        assert_eq!(rhythm(&[(0, "TX-47"), (120, "11\r")]), "-ccccccc");
        assert_eq!(rhythm(&[(0, "TX-4711\r"), (400, "TX\r")]), "-ccccccc-cc");
        // Enter may be a person's.
        assert_eq!(rhythm(&[(0, "zoe"), (100, "\r")]), "-cc-");
    }

    #[test]
    fn a_control_character_beside_a_code_belongs_to_it() {
        assert_eq!(rhythm(&[(0, "\u{2}4711\u{3}\r")]), "fcccccc");
        assert_eq!(rhythm(&[(0, "\u{2}"), (40, "4711")]), "f-ccc");
        assert_eq!(rhythm(&[(0, "4711"), (45, "\u{3}")]), "-cccc");
        assert_eq!(rhythm(&[(0, "\u{2}")]), "-");
        assert_eq!(rhythm(&[(0, "\u{3}"), (200, "z")]), "--");
        assert_eq!(rhythm(&[(0, "*4711*")]), "fccccc");
    }

    #[test]
    fn where_letters_are_commands_the_first_one_waits_for_the_second() {
        assert_eq!(measured(&[(0, "c0ffee\r")], true), "fcccccc");
        assert_eq!(measured(&[(0, "T"), (20, "X"), (20, "9")], true), "fcc");
        assert_eq!(measured(&[(0, "j"), (120, "j"), (90, "\r")], true), "---");
    }
}
