//! The notation of keys.

use std::fmt;
use std::str::FromStr;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A key with its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Chord {
    code: KeyCode,
    modifiers: KeyModifiers,
}

impl Chord {
    /// Whether a text field would accept it.
    pub(crate) fn is_text(self) -> bool {
        matches!(self.code, KeyCode::Char(_)) && self.modifiers.is_empty()
    }

    /// Whether it is a letter or digit, which can begin a name or a code.
    pub(crate) fn is_letter(self) -> bool {
        self.is_text() && matches!(self.code, KeyCode::Char(char) if char.is_alphanumeric())
    }

    /// The letter with Alt, if the terminal may have merged esc and a letter immediately after it
    /// into one key.
    pub(crate) fn behind_esc(self, key: KeyEvent) -> Option<KeyEvent> {
        let is_letter = matches!(self.code, KeyCode::Char(_));
        (is_letter && self.modifiers == KeyModifiers::ALT).then(|| KeyEvent {
            modifiers: key.modifiers - KeyModifiers::ALT,
            ..key
        })
    }
}

impl From<KeyEvent> for Chord {
    fn from(key: KeyEvent) -> Self {
        let mut modifiers =
            key.modifiers & (KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SHIFT);
        let mut code = key.code;
        match &mut code {
            // Shift is already part of the character; with ctrl, terminals disagree.
            KeyCode::Char(char) => {
                modifiers -= KeyModifiers::SHIFT;
                if !modifiers.is_empty() {
                    char.make_ascii_lowercase();
                }
            }
            KeyCode::BackTab => modifiers -= KeyModifiers::SHIFT,
            _ => {}
        }
        Chord { code, modifiers }
    }
}

impl From<Chord> for KeyEvent {
    fn from(chord: Chord) -> Self {
        KeyEvent::new(chord.code, chord.modifiers)
    }
}

/// The notation of a key is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a key; write it like ctrl-n, enter, pgdn, f1 or ?")]
pub struct ChordError(String);

const NAMED: [(&str, KeyCode); 15] = [
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("tab", KeyCode::Tab),
    ("backtab", KeyCode::BackTab),
    ("space", KeyCode::Char(' ')),
    ("backspace", KeyCode::Backspace),
    ("del", KeyCode::Delete),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pgup", KeyCode::PageUp),
    ("pgdn", KeyCode::PageDown),
];

impl FromStr for Chord {
    type Err = ChordError;

    fn from_str(text: &str) -> Result<Self, ChordError> {
        let mut modifiers = KeyModifiers::NONE;
        let mut rest = text;
        while let Some((modifier, after)) = [
            ("ctrl-", KeyModifiers::CONTROL),
            ("alt-", KeyModifiers::ALT),
            ("shift-", KeyModifiers::SHIFT),
        ]
        .into_iter()
        .find_map(|(name, modifier)| rest.strip_prefix(name).map(|after| (modifier, after)))
        .filter(|(_, after)| !after.is_empty())
        {
            modifiers |= modifier;
            rest = after;
        }
        let wrong = || ChordError(text.to_owned());
        let named = NAMED.iter().find(|(name, _)| *name == rest);
        let mut chars = rest.chars();
        let code = match (named, chars.next(), chars.next()) {
            (Some((_, code)), _, _) => *code,
            (None, Some(char), None) if !char.is_control() => KeyCode::Char(char),
            (None, Some('f'), Some(_)) => match rest[1..].parse() {
                Ok(number @ 1..=12) => KeyCode::F(number),
                _ => return Err(wrong()),
            },
            _ => return Err(wrong()),
        };
        Ok(KeyEvent::new(code, modifiers).into())
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (modifier, name) in [
            (KeyModifiers::CONTROL, "ctrl-"),
            (KeyModifiers::ALT, "alt-"),
            (KeyModifiers::SHIFT, "shift-"),
        ] {
            if self.modifiers.contains(modifier) {
                f.write_str(name)?;
            }
        }
        match self.code {
            KeyCode::F(number) => write!(f, "f{number}"),
            code => match NAMED.iter().find(|(_, named)| *named == code) {
                Some((name, _)) => f.write_str(name),
                None => match code {
                    KeyCode::Char(char) => write!(f, "{char}"),
                    code => write!(f, "{code}"),
                },
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_back_as_they_are_written() {
        for text in [
            "ctrl-n",
            "enter",
            "?",
            "f1",
            "f12",
            "alt-x",
            "shift-tab",
            "-",
            "ctrl--",
            "space",
            "pgdn",
            "ü",
            "ctrl-alt-del",
        ] {
            let chord: Chord = text.parse().expect(text);
            assert_eq!(chord.to_string(), text);
        }
        for text in ["", "ctrl-", "f13", "fn", "entr", "ctrl-enter-x"] {
            assert!(text.parse::<Chord>().is_err(), "{text}");
        }
    }

    #[test]
    fn shift_is_part_of_a_character() {
        let key = KeyEvent::new(KeyCode::Char('?'), KeyModifiers::SHIFT);
        assert_eq!("?".parse(), Ok(Chord::from(key)));
    }
}
