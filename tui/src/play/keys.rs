//! The keys of tapes: VHS's names, BackTab, and F1 to F12.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The named keys.
pub(super) const NAMED: [(&str, KeyCode); 16] = [
    ("Backspace", KeyCode::Backspace),
    ("BackTab", KeyCode::BackTab),
    ("Delete", KeyCode::Delete),
    ("Down", KeyCode::Down),
    ("End", KeyCode::End),
    ("Enter", KeyCode::Enter),
    ("Escape", KeyCode::Esc),
    ("Home", KeyCode::Home),
    ("Insert", KeyCode::Insert),
    ("Left", KeyCode::Left),
    ("PageDown", KeyCode::PageDown),
    ("PageUp", KeyCode::PageUp),
    ("Right", KeyCode::Right),
    ("Space", KeyCode::Char(' ')),
    ("Tab", KeyCode::Tab),
    ("Up", KeyCode::Up),
];

const MODIFIERS: [(&str, KeyModifiers); 3] = [
    ("Ctrl+", KeyModifiers::CONTROL),
    ("Alt+", KeyModifiers::ALT),
    ("Shift+", KeyModifiers::SHIFT),
];

/// A key by its name.
pub(super) fn named(name: &str) -> Option<KeyEvent> {
    let function = || {
        let number = name.strip_prefix('F')?.parse().ok()?;
        (1..=12).contains(&number).then_some(KeyCode::F(number))
    };
    let named = NAMED.iter().find(|(known, _)| *known == name);
    let code = named.map(|(_, code)| *code).or_else(function)?;
    Some(KeyEvent::from(code))
}

/// Whether the word is a key with modifiers, well written or not.
pub(super) fn is_combination(word: &str) -> bool {
    MODIFIERS.iter().any(|(name, _)| word.starts_with(name))
}

/// A key with modifiers: `Ctrl+x`, `Ctrl+Alt+Delete`, `Shift+Tab`.
pub(super) fn combination(word: &str) -> Option<KeyEvent> {
    let mut modifiers = KeyModifiers::NONE;
    let mut rest = word;
    while let Some((modifier, after)) = MODIFIERS
        .iter()
        .find_map(|(name, modifier)| Some((*modifier, rest.strip_prefix(name)?)))
    {
        modifiers |= modifier;
        rest = after;
    }
    let mut chars = rest.chars();
    let mut code = match (named(rest), chars.next(), chars.next()) {
        (Some(key), ..) => key.code,
        (None, Some(char), None) => KeyCode::Char(char),
        _ => return None,
    };
    match &mut code {
        KeyCode::Tab if modifiers.contains(KeyModifiers::SHIFT) => code = KeyCode::BackTab,
        KeyCode::Char(char) if modifiers == KeyModifiers::SHIFT => {
            *char = char.to_uppercase().next().unwrap_or(*char);
        }
        KeyCode::Char(char) => char.make_ascii_lowercase(),
        _ => {}
    }
    Some(KeyEvent::new(code, modifiers))
}
