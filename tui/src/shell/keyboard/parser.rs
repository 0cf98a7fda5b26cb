//! The bytes of a terminal, as keys, pasted text and mouse events. Replies of the terminal, and sequences that nobody
//! knows, are swallowed whole: they are not keys.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

const ESC: u8 = 0x1b;
const BEL: u8 = 0x07;
/// The maximum length of a reply in bytes. A longer one is dropped.
const LONGEST: usize = 4096;
const PASTE_END: &[u8] = b"\x1b[201~";

/// What the user did.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Input {
    Key(KeyEvent),
    Paste(String),
    Mouse(MouseEvent),
}

/// The result of parsing the first bytes.
enum Step {
    /// These bytes are this, or nothing.
    Done(usize, Option<Input>),
    /// More bytes have to come.
    Unfinished,
}

/// What a fuzzer tries, which chooses bytes and where they are cut: replies of terminals between scans invent no key and
/// lose none, and the next key after any input is a key.
#[doc(hidden)]
pub fn fuzz(bytes: &[u8]) {
    let (cuts, bytes) = bytes.split_at(bytes.len().min(8));
    let mut parser = Parser::default();
    let mut rest = bytes;
    for cut in cuts {
        let (part, after) = rest.split_at(rest.len().min(usize::from(*cut)));
        parser.feed(part);
        rest = after;
    }
    parser.feed(rest);
    while !parser.bytes.is_empty() {
        // An unfinished paste ends with the terminal.
        parser.end();
    }
    let key = KeyCode::Char('q').into();
    assert_eq!(parser.feed(b"q"), [Input::Key(key)]);

    let replies = cuts
        .iter()
        .map(|cut| REPLIES[usize::from(*cut) % REPLIES.len()]);
    let all: Vec<u8> = replies.flat_map(|reply| [SCAN, reply].concat()).collect();
    let mut inputs = Vec::new();
    let mut rest = all.as_slice();
    for cut in bytes.iter().cycle() {
        // A pause does not come within a sequence.
        if cut % 2 == 0 && !parser.is_waiting() {
            inputs.extend(parser.end());
        }
        let (part, after) = rest.split_at(rest.len().min(1 + usize::from(cut / 2)));
        inputs.extend(parser.feed(part));
        rest = after;
        if rest.is_empty() {
            break;
        }
    }
    inputs.extend(parser.feed(rest));
    let scans = SCAN
        .iter()
        .map(|byte| Input::Key(self::key((*byte).into())));
    let keys: Vec<Input> = (0..cuts.len()).flat_map(|_| scans.clone()).collect();
    assert_eq!(inputs, keys, "{}", all.escape_ascii());
}

/// What a scanner types.
const SCAN: &[u8] = b"]Q3TX-4711\r";

/// Replies of terminals to questions that the app has not asked.
const REPLIES: [&[u8]; 22] = [
    b"\x1b[?997;1n",
    b"\x1b[?2026;2$y",
    b"\x1b[12;2$y",
    b"\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\",
    b"\x1b]11;rgb:1e1e/1e1e/2e2e\x07",
    b"\x1b]52;c;Zm9v\x07",
    b"\x1bP>|term 1.0\x1b\\",
    b"\x1bP1$r0m\x1b\\",
    b"\x1bP1+r5463=38\x1b\\",
    b"\x1bP!|00000000\x1b\\",
    b"\x1b_Gi=31;OK\x1b\\",
    b"\x1b[?1;2c",
    b"\x1b[?64;1;2;6;22c",
    b"\x1b[>0;276;0c",
    b"\x1b[24;80R",
    b"\x1b[?24;80;1R",
    b"\x1b[0n",
    b"\x1b[?1u",
    b"\x1b[8;24;80t",
    b"\x1b[4;600;800t",
    b"\x1b[I",
    b"\x9b?997;1n",
];

/// A parser, with the bytes that it has not understood yet.
#[derive(Debug, Default)]
pub(crate) struct Parser {
    bytes: Vec<u8>,
    /// The background of the terminal, if it has just been reported.
    background: Option<[u8; 3]>,
}

impl Parser {
    /// The background that the terminal has reported since the last call, as red, green and blue.
    pub(crate) fn take_background(&mut self) -> Option<[u8; 3]> {
        self.background.take()
    }

    /// Whether a sequence is unfinished, other than pasted text, which may take long.
    pub(crate) fn is_waiting(&self) -> bool {
        !self.bytes.is_empty() && !self.is_pasting()
    }

    /// Whether the unfinished sequence may be the key Esc.
    pub(crate) fn is_esc(&self) -> bool {
        self.bytes == [ESC]
    }

    fn is_pasting(&self) -> bool {
        self.bytes.starts_with(b"\x1b[200~")
    }

    /// Parses further bytes.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Vec<Input> {
        self.bytes.extend_from_slice(bytes);
        let mut inputs = Vec::new();
        let mut at = 0;
        while at < self.bytes.len() {
            match first(&self.bytes[at..]) {
                Step::Done(length, input) => {
                    let reply = &self.bytes[at..at + length];
                    self.background = background(reply).or(self.background);
                    at += length.max(1);
                    inputs.extend(input);
                }
                Step::Unfinished => break,
            }
        }
        self.bytes.drain(..at);
        inputs
    }

    /// Nothing came for a while: an unfinished sequence ends.
    pub(crate) fn end(&mut self) -> Vec<Input> {
        let bytes = std::mem::take(&mut self.bytes);
        let input = match bytes[..] {
            [ESC] => Some(Input::Key(KeyCode::Esc.into())),
            [ESC, char @ b' '..=b'~'] => Some(with_alt(key(char.into()))),
            _ => None,
        };
        input.into_iter().collect()
    }
}

fn first(bytes: &[u8]) -> Step {
    match bytes[0] {
        ESC => match bytes.get(1) {
            None => Step::Unfinished,
            Some(b'[') => control(bytes, 2),
            Some(b'O') => function(bytes, 2),
            Some(b'P' | b']' | b'X' | b'^' | b'_') => string(bytes, 2),
            Some(&ESC) => Step::Done(1, Some(Input::Key(KeyCode::Esc.into()))),
            Some(_) => match first(&bytes[1..]) {
                Step::Done(length, Some(Input::Key(key))) => {
                    Step::Done(length + 1, Some(with_alt(key)))
                }
                Step::Done(length, other) => Step::Done(length + 1, other),
                Step::Unfinished => Step::Unfinished,
            },
        },
        // The same sequences in 8 bits.
        0x9b => control(bytes, 1),
        0x8f => function(bytes, 1),
        0x90 | 0x98 | 0x9d..=0x9f => string(bytes, 1),
        0..=0x7f => Step::Done(1, Some(Input::Key(key(bytes[0].into())))),
        _ => character(bytes),
    }
}

/// The colour of a reply to [`ASK_BACKGROUND`](crate::shell::terminal::ASK_BACKGROUND): each part has one to four
/// hexadecimal digits.
fn background(reply: &[u8]) -> Option<[u8; 3]> {
    let text = std::str::from_utf8(reply).ok()?;
    let text = text.strip_prefix("\u{1b}]11;rgb")?;
    let (_, parts) = text.split_once(':')?;
    let parts = parts.trim_end_matches(['\u{7}', '\\', '\u{1b}']);
    let mut parts = parts.split('/').map(|part| {
        let most = 16_u32.checked_pow(part.len().try_into().ok()?)? - 1;
        let part = u32::from_str_radix(part, 16).ok()?;
        u8::try_from(part * 255 / most.max(1)).ok()
    });
    Some([parts.next()??, parts.next()??, parts.next()??])
}

fn with_alt(mut key: KeyEvent) -> Input {
    key.modifiers |= KeyModifiers::ALT;
    Input::Key(key)
}

/// The key of a character.
fn key(char: char) -> KeyEvent {
    let ctrl = |char| KeyEvent::new(KeyCode::Char(char), KeyModifiers::CONTROL);
    match char {
        '\r' => KeyCode::Enter.into(),
        '\t' => KeyCode::Tab.into(),
        '\u{1b}' => KeyCode::Esc.into(),
        '\u{7f}' => KeyCode::Backspace.into(),
        '\0' => ctrl(' '),
        '\u{1}'..='\u{1a}' => ctrl((b'a' + char as u8 - 1).into()),
        '\u{1c}'..='\u{1f}' => ctrl((b'4' + char as u8 - 0x1c).into()),
        char => {
            let is_upper = char.is_uppercase();
            let modifiers = if is_upper {
                KeyModifiers::SHIFT
            } else {
                KeyModifiers::NONE
            };
            KeyEvent::new(KeyCode::Char(char), modifiers)
        }
    }
}

/// A character of several bytes. Invalid bytes are dropped.
fn character(bytes: &[u8]) -> Step {
    let length = match bytes[0] {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return Step::Done(1, None),
    };
    let is_continued = |byte: &&u8| (0x80..0xc0).contains(*byte);
    let own = 1 + bytes[1..]
        .iter()
        .take(length - 1)
        .take_while(is_continued)
        .count();
    if own < length {
        return if own == bytes.len() {
            Step::Unfinished
        } else {
            Step::Done(own, None)
        };
    }
    let char = std::str::from_utf8(&bytes[..length])
        .ok()
        .and_then(|text| text.chars().next());
    Step::Done(length, char.map(|char| Input::Key(key(char))))
}

/// SS3: a key of the keypad or F1 to F4.
fn function(bytes: &[u8], at: usize) -> Step {
    let Some(letter) = bytes.get(at) else {
        return Step::Unfinished;
    };
    match letter_key(*letter) {
        Some(code) => Step::Done(at + 1, Some(Input::Key(code.into()))),
        // Alt and O, and another key behind it.
        None if at == 2 => Step::Done(2, Some(with_alt(key('O')))),
        None => Step::Done(at, None),
    }
}

/// DCS, OSC, APC, PM or SOS: a reply, up to its end.
fn string(bytes: &[u8], at: usize) -> Step {
    let Some(next) = bytes.get(at) else {
        return Step::Unfinished;
    };
    let is_reply = match bytes[at - 1] {
        b']' | 0x9d => next.is_ascii_digit() || b"lL".contains(next),
        b'_' | 0x9f => next.is_ascii_alphabetic(),
        b'P' | 0x90 => next.is_ascii_digit() || b">!=?+$|".contains(next),
        _ => at == 1,
    };
    if !is_reply {
        // Alt and a sign, and another key behind it.
        return match at {
            2 => Step::Done(2, Some(with_alt(key(bytes[1].into())))),
            _ => Step::Done(1, None),
        };
    }
    for (place, byte) in bytes.iter().enumerate().skip(at).take(LONGEST) {
        match byte {
            &BEL | 0x9c if at == 1 || *byte == BEL => return Step::Done(place + 1, None),
            &ESC => match bytes.get(place + 1) {
                None => return Step::Unfinished,
                Some(b'\\') => return Step::Done(place + 2, None),
                Some(_) => return Step::Done(place, None),
            },
            // No reply has lines.
            b'\r' | b'\n' | b'\t' => return Step::Done(place, None),
            _ => {}
        }
    }
    if bytes.len() - at < LONGEST {
        Step::Unfinished
    } else {
        Step::Done(bytes.len(), None)
    }
}

/// CSI: keys, the mouse, pasted text, or a reply.
fn control(bytes: &[u8], at: usize) -> Step {
    let rest = &bytes[at..];
    if let Some(b'[') = rest.first() {
        // F1 to F5 of the Linux console.
        return match rest.get(1) {
            None => Step::Unfinished,
            Some(letter @ b'A'..=b'E') => {
                let code = KeyCode::F(letter - b'A' + 1);
                Step::Done(at + 2, Some(Input::Key(code.into())))
            }
            Some(_) => Step::Done(at + 1, None),
        };
    }
    let is_parameter = |byte: &&u8| (0x20..0x40).contains(*byte);
    let length = rest.iter().take_while(is_parameter).count();
    let Some(last) = rest.get(length) else {
        return if length < LONGEST {
            Step::Unfinished
        } else {
            Step::Done(bytes.len(), None)
        };
    };
    let end = at + length + 1;
    if !(0x40..0x7f).contains(last) {
        // Another sequence or key begins: this one was none.
        return Step::Done(end - 1, None);
    }
    let parameters = std::str::from_utf8(&rest[..length]).unwrap_or_default();
    if length == 0 && *last == b'M' {
        return match rest.get(1..4) {
            Some(mouse) => Step::Done(end + 3, old_mouse(mouse)),
            None => Step::Unfinished,
        };
    }
    if (parameters, last) == ("200", &b'~') {
        return paste(bytes, end);
    }
    let input = match parameters.strip_prefix('<') {
        Some(parameters) => mouse(parameters, *last),
        None => control_key(parameters, *last).map(Input::Key),
    };
    Step::Done(end, input)
}

fn paste(bytes: &[u8], start: usize) -> Step {
    let text = &bytes[start..];
    let end = text
        .windows(PASTE_END.len())
        .position(|window| window == PASTE_END);
    match end {
        Some(end) => {
            let pasted = String::from_utf8_lossy(&text[..end]).into_owned();
            Step::Done(start + end + PASTE_END.len(), Some(Input::Paste(pasted)))
        }
        None => Step::Unfinished,
    }
}

fn letter_key(letter: u8) -> Option<KeyCode> {
    Some(match letter {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'F' => KeyCode::End,
        b'H' => KeyCode::Home,
        b'M' => KeyCode::Enter,
        b'P'..=b'S' => KeyCode::F(letter - b'P' + 1),
        _ => return None,
    })
}

/// The key of `CSI parameters last`; `None` for a reply.
fn control_key(parameters: &str, last: u8) -> Option<KeyEvent> {
    let fields = parameters.split(';').map(|field| {
        let number = field.split(':').next().unwrap_or_default();
        if number.is_empty() {
            Some(1)
        } else {
            number.parse::<u32>().ok()
        }
    });
    let fields: Option<Vec<u32>> = fields.collect();
    let fields = fields?;
    let modifiers = |at: usize| modifiers(fields.get(at).copied().unwrap_or(1));
    match (last, &fields[..]) {
        (b'Z', _) => Some(KeyEvent::new(KeyCode::BackTab, KeyModifiers::SHIFT)),
        // With a row and a column, this is the position of the cursor.
        (b'R', [row, _]) if *row != 1 => None,
        (b'M', _) => None,
        (b'A'..=b'D' | b'F' | b'H' | b'P'..=b'S', [] | [1] | [1, 1..=16]) => {
            Some(KeyEvent::new(letter_key(last)?, modifiers(1)))
        }
        (b'~', [27, modifier, code]) => {
            let char = char::from_u32(*code)?;
            Some(with(key(char), self::modifiers(*modifier)))
        }
        (b'~', [number] | [number, _]) => Some(KeyEvent::new(numbered(*number)?, modifiers(1))),
        (b'u', [code] | [code, _] | [code, _, _]) => {
            let kind = parameters
                .split(';')
                .nth(1)
                .and_then(|field| field.split(':').nth(1));
            let is_release = kind == Some("3");
            let char = char::from_u32(*code).filter(|_| !is_release)?;
            // The private codes of keys without a character.
            let is_key = !('\u{e000}'..='\u{f8ff}').contains(&char);
            is_key.then(|| with(key(char), modifiers(1)))
        }
        _ => None,
    }
}

fn with(mut key: KeyEvent, modifiers: KeyModifiers) -> KeyEvent {
    if let (KeyCode::Char(char), true) = (key.code, modifiers.contains(KeyModifiers::SHIFT)) {
        let mut upper = char.to_uppercase();
        if let (Some(upper), None) = (upper.next(), upper.next()) {
            key.code = KeyCode::Char(upper);
        }
    }
    key.modifiers |= modifiers;
    key
}

fn modifiers(field: u32) -> KeyModifiers {
    let mask = field.saturating_sub(1);
    let mut modifiers = KeyModifiers::NONE;
    for (bit, modifier) in [
        (1, KeyModifiers::SHIFT),
        (2, KeyModifiers::ALT),
        (4, KeyModifiers::CONTROL),
        (8, KeyModifiers::SUPER),
    ] {
        if mask & bit != 0 {
            modifiers |= modifier;
        }
    }
    modifiers
}

fn numbered(number: u32) -> Option<KeyCode> {
    let function = |first: u32, number: u32| KeyCode::F((number - first) as u8);
    Some(match number {
        1 | 7 => KeyCode::Home,
        2 => KeyCode::Insert,
        3 => KeyCode::Delete,
        4 | 8 => KeyCode::End,
        5 => KeyCode::PageUp,
        6 => KeyCode::PageDown,
        11..=15 => function(10, number),
        17..=21 => function(11, number),
        23..=24 => function(12, number),
        _ => return None,
    })
}

/// A mouse event as `CSI < button ; column ; row M`, or `m` for a release.
fn mouse(parameters: &str, last: u8) -> Option<Input> {
    let mut fields = parameters.split(';').map(|field| field.parse::<u16>().ok());
    let (button, column, row) = (fields.next()??, fields.next()??, fields.next()??);
    mouse_event(button, (column, row), last == b'm')
}

/// A mouse event of old terminals.
fn old_mouse(bytes: &[u8]) -> Option<Input> {
    let place = |byte: u8| u16::from(byte).saturating_sub(32);
    let button = place(bytes[0]);
    mouse_event(
        button,
        (place(bytes[1]), place(bytes[2])),
        button & 3 == 3 && button < 64,
    )
}

fn mouse_event(button: u16, (column, row): (u16, u16), is_release: bool) -> Option<Input> {
    let pressed = match button & 3 {
        0 => MouseButton::Left,
        1 => MouseButton::Middle,
        _ => MouseButton::Right,
    };
    let is_moved = button & 32 != 0;
    let kind = match button & !(4 | 8 | 16 | 32) {
        64 => MouseEventKind::ScrollUp,
        65 => MouseEventKind::ScrollDown,
        66 => MouseEventKind::ScrollLeft,
        67 => MouseEventKind::ScrollRight,
        3 if is_moved => MouseEventKind::Moved,
        0..=3 if is_release => MouseEventKind::Up(pressed),
        0..=2 if is_moved => MouseEventKind::Drag(pressed),
        0..=2 => MouseEventKind::Down(pressed),
        _ => return None,
    };
    let mut modifiers = KeyModifiers::NONE;
    for (bit, modifier) in [
        (4, KeyModifiers::SHIFT),
        (8, KeyModifiers::ALT),
        (16, KeyModifiers::CONTROL),
    ] {
        if button & bit != 0 {
            modifiers |= modifier;
        }
    }
    Some(Input::Mouse(MouseEvent {
        kind,
        column: column.saturating_sub(1),
        row: row.saturating_sub(1),
        modifiers,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(inputs: &[Input]) -> String {
        let keys = inputs.iter().map(|input| match input {
            Input::Key(KeyEvent {
                code: KeyCode::Char(char),
                ..
            }) => *char,
            Input::Key(KeyEvent {
                code: KeyCode::Enter,
                ..
            }) => '\n',
            other => panic!("not typed: {other:?}"),
        });
        keys.collect()
    }

    #[test]
    fn replies_are_no_keys_and_take_none() {
        for reply in REPLIES {
            let all = [b"4711\r".as_slice(), reply, b"TX-\xc3\xa9\r"].concat();
            for size in 1..all.len() {
                let mut parser = Parser::default();
                let parts = all.chunks(size);
                let inputs: Vec<Input> = parts.flat_map(|part| parser.feed(part)).collect();
                assert_eq!(
                    keys(&inputs),
                    "4711\nTX-é\n",
                    "{reply:?} in parts of {size}"
                );
                assert!(!parser.is_waiting());
            }
        }
    }

    #[test]
    fn replies_in_any_two_parts_between_scans_invent_no_key_and_lose_none() {
        let scans: [&[u8]; 3] = [b"4711\r", b"TX-\xc3\xa9\r", b"]Q3\"x\"\r"];
        let all: Vec<u8> = (scans.iter().cycle().zip(REPLIES))
            .flat_map(|(scan, reply)| [scan, reply].concat())
            .collect();
        let right = keys(&Parser::default().feed(&all));
        let scanned: String = (scans.iter().cycle().take(REPLIES.len()))
            .map(|scan| String::from_utf8_lossy(scan).replace('\r', "\n"))
            .collect();
        assert_eq!(right, scanned);
        for at in 0..all.len() {
            for pause in [false, true] {
                let mut parser = Parser::default();
                let mut inputs = parser.feed(&all[..at]);
                // A pause does not come within a sequence.
                if pause && !parser.is_waiting() {
                    inputs.extend(parser.end());
                }
                inputs.extend(parser.feed(&all[at..]));
                assert_eq!(keys(&inputs), scanned, "cut at {at}");
            }
        }
        // Byte by byte.
        let mut parser = Parser::default();
        let inputs: Vec<Input> = all.iter().flat_map(|byte| parser.feed(&[*byte])).collect();
        assert_eq!(keys(&inputs), scanned);
    }

    #[test]
    fn the_background_of_the_terminal_is_read() {
        let background = |reply: &[u8]| {
            let mut parser = Parser::default();
            assert_eq!(parser.feed(reply), []);
            let found = parser.take_background();
            assert_eq!(parser.take_background(), None);
            found
        };
        let solarized = Some([253, 246, 227]);
        assert_eq!(background(b"\x1b]11;rgb:fdfd/f6f6/e3e3\x1b\\"), solarized);
        assert_eq!(background(b"\x1b]11;rgb:fd/f6/e3\x07"), solarized);
        assert_eq!(background(b"\x1b]11;rgba:fd/f6/e3/ff\x07"), solarized);
        assert_eq!(background(b"\x1b]11;rgb:f/0/zz\x07"), None);
        assert_eq!(background(b"\x1b]10;rgb:fd/f6/e3\x07"), None);
    }

    #[test]
    fn an_unfinished_reply_ends_and_the_next_key_is_a_key() {
        for reply in REPLIES {
            for length in 2..reply.len() {
                let mut parser = Parser::default();
                let mut inputs = parser.feed(&reply[..length]);
                if parser.is_waiting() {
                    inputs.extend(parser.end());
                }
                inputs.extend(parser.feed(b"q"));
                let last = inputs.last().cloned();
                assert_eq!(
                    last,
                    Some(Input::Key(KeyCode::Char('q').into())),
                    "{reply:?} {length}"
                );
            }
        }
    }

    #[track_caller]
    fn assert_key(bytes: &[u8], right: KeyEvent) {
        let mut parser = Parser::default();
        let mut inputs = parser.feed(bytes);
        inputs.extend(parser.end());
        assert_eq!(inputs, [Input::Key(right)], "{}", bytes.escape_ascii());
    }

    #[test]
    fn keys_are_read() {
        let ctrl = |char| KeyEvent::new(KeyCode::Char(char), KeyModifiers::CONTROL);
        let alt = |char| KeyEvent::new(KeyCode::Char(char), KeyModifiers::ALT);
        for (bytes, right) in [
            (b"a".as_slice(), KeyCode::Char('a').into()),
            (b"A", KeyEvent::new(KeyCode::Char('A'), KeyModifiers::SHIFT)),
            ("é".as_bytes(), KeyCode::Char('é').into()),
            ("田".as_bytes(), KeyCode::Char('田').into()),
            (b"\x1b", KeyCode::Esc.into()),
            (b"\r", KeyCode::Enter.into()),
            (b"\n", ctrl('j')),
            (b"\t", KeyCode::Tab.into()),
            (b"\x7f", KeyCode::Backspace.into()),
            (b"\x03", ctrl('c')),
            (b"\x1d", ctrl('5')),
            (b"\0", ctrl(' ')),
            (b"\x1bx", alt('x')),
            ("\u{1b}é".as_bytes(), alt('é')),
            (b"\x1b]", alt(']')),
            (b"\x1b[A", KeyCode::Up.into()),
            (b"\x1bOA", KeyCode::Up.into()),
            (
                b"\x1b[1;5C",
                KeyEvent::new(KeyCode::Right, KeyModifiers::CONTROL),
            ),
            (b"\x1b[H", KeyCode::Home.into()),
            (b"\x1b[3~", KeyCode::Delete.into()),
            (
                b"\x1b[6;2~",
                KeyEvent::new(KeyCode::PageDown, KeyModifiers::SHIFT),
            ),
            (
                b"\x1b[Z",
                KeyEvent::new(KeyCode::BackTab, KeyModifiers::SHIFT),
            ),
            (b"\x1bOP", KeyCode::F(1).into()),
            (b"\x1b[[A", KeyCode::F(1).into()),
            (b"\x1b[15~", KeyCode::F(5).into()),
            (b"\x1b[17~", KeyCode::F(6).into()),
            (b"\x1b[21~", KeyCode::F(10).into()),
            (b"\x1b[24~", KeyCode::F(12).into()),
            (
                b"\x1b[1;2R",
                KeyEvent::new(KeyCode::F(3), KeyModifiers::SHIFT),
            ),
            (b"\x1b[99;5u", ctrl('c')),
            (b"\x1b[27;5;106~", ctrl('j')),
            (b"\x1b[13u", KeyCode::Enter.into()),
            (
                b"\x1b[97;2u",
                KeyEvent::new(KeyCode::Char('A'), KeyModifiers::SHIFT),
            ),
        ] {
            assert_key(bytes, right);
        }
    }

    #[test]
    fn esc_before_another_key_is_a_key() {
        let mut parser = Parser::default();
        let inputs = parser.feed(b"\x1b\x1b[A");
        let both = [KeyCode::Esc, KeyCode::Up].map(|code| Input::Key(code.into()));
        assert_eq!(inputs, both);
    }

    #[test]
    fn pasted_text_and_the_mouse_are_read() {
        let mut parser = Parser::default();
        assert_eq!(parser.feed(b"\x1b[200~a\r\x1b[A"), []);
        assert!(!parser.is_waiting());
        assert_eq!(
            parser.feed(b"b\x1b[201~"),
            [Input::Paste("a\r\x1b[Ab".to_owned())]
        );
        let press = MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column: 19,
            row: 9,
            modifiers: KeyModifiers::NONE,
        };
        assert_eq!(parser.feed(b"\x1b[<0;20;10M"), [Input::Mouse(press)]);
        let release = MouseEvent {
            kind: MouseEventKind::Up(MouseButton::Left),
            ..press
        };
        assert_eq!(parser.feed(b"\x1b[<0;20;10m"), [Input::Mouse(release)]);
        let wheel = MouseEvent {
            kind: MouseEventKind::ScrollDown,
            ..press
        };
        assert_eq!(parser.feed(b"\x1b[<65;20;10M"), [Input::Mouse(wheel)]);
    }
}
