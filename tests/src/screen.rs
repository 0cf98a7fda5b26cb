//! Looking at a screen of text: its rows, and what in it differs from run to run.

/// A row that is looked for.
#[derive(Debug, Clone)]
pub struct Row {
    texts: Vec<String>,
    is_selected: bool,
}

/// A row with this text.
pub fn row(text: &str) -> Row {
    Row {
        texts: vec![text.to_owned()],
        is_selected: false,
    }
}

/// The selected row, with this text.
pub fn selected(text: &str) -> Row {
    Row {
        is_selected: true,
        ..row(text)
    }
}

impl Row {
    /// The same row holds this text as well.
    pub fn with(mut self, text: &str) -> Row {
        self.texts.push(text.to_owned());
        self
    }

    /// Whether a line of the screen holds it. The line may run through several boxes; a row lies
    /// in one of them.
    pub(crate) fn is(&self, line: &str) -> bool {
        line.split('│').any(|part| {
            part.trim_start().starts_with('▸') == self.is_selected
                && self.texts.iter().all(|text| part.contains(text))
        })
    }
}

/// The text of a screen with the lines of each box joined, so that a sentence which is wrapped
/// there can be found.
pub(crate) fn unwrapped(screen: &str) -> String {
    let boxes = screen
        .lines()
        .map(|line| line.split('│').collect::<Vec<_>>());
    let mut columns: Vec<String> = Vec::new();
    for parts in boxes {
        for (at, part) in parts.iter().enumerate() {
            if columns.len() <= at {
                columns.push(String::new());
            }
            let column = &mut columns[at];
            for word in part.split_whitespace() {
                if !column.is_empty() {
                    column.push(' ');
                }
                column.push_str(word);
            }
        }
    }
    columns.join("\n")
}

/// The screen with the same text for what differs from run to run: the place after the @ in the
/// addresses of accounts, ids, the server's port, and the times of these guests, whom the server
/// checked in by its own clock. Everything keeps its place.
pub(crate) fn without_what_varies(screen: &str, place: &str, by_the_clock: &[String]) -> String {
    let lines = screen.lines().map(|line| {
        let parts = line.split('│').map(|part| {
            let is_of = |name: &String| {
                let drawn = name.chars().filter(|char| !char.is_control());
                let beginning: String = drawn.take(10).collect();
                part.contains(&beginning)
            };
            // What waits has its time from the desk.
            match !part.contains('◌') && by_the_clock.iter().any(is_of) {
                true => without_times(part),
                false => part.to_owned(),
            }
        });
        parts.collect::<Vec<_>>().join("│")
    });
    let mut text = lines.collect::<Vec<_>>().join("\n");
    text.push('\n');
    without_port(&without_ids(&without_place(&text, place)))
}

/// The place may be cut: its beginning counts.
fn without_place(text: &str, place: &str) -> String {
    let mut text = text.to_owned();
    for length in (4..=place.len()).rev() {
        let (cut, plain) = (&place[..length], "0".repeat(length));
        text = text.replace(&format!("@{cut}"), &format!("@{plain}"));
    }
    text
}

/// Whole ids only: none is shown cut.
fn without_ids(text: &str) -> String {
    const PLAIN: &str = "00000000-0000-0000-0000-000000000000";
    let mut out = String::new();
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        let id = rest
            .get(..PLAIN.len())
            .filter(|id| uuid::Uuid::try_parse(id).is_ok());
        let length = match id {
            Some(_) => {
                out.push_str(PLAIN);
                PLAIN.len()
            }
            None => {
                out.push(char);
                char.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    out
}

fn without_port(text: &str) -> String {
    let mut parts = text.split("127.0.0.1:");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        out.push_str("127.0.0.1:");
        out.push_str(&"0".repeat(digits));
        out.push_str(&part[digits..]);
    }
    out
}

/// `hh:mm` for 09:45, and `hh:mm:ss` for 09:45:07.
fn without_times(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let is_pair = |at: usize| {
        let pair = chars.get(at..at + 2);
        pair.is_some_and(|pair| pair.iter().all(char::is_ascii_digit))
    };
    let is_colon = |at: usize| chars.get(at) == Some(&':');
    let mut out = String::new();
    let mut at = 0;
    while at < chars.len() {
        if is_pair(at) && is_colon(at + 2) && is_pair(at + 3) {
            out.push_str("hh:mm");
            at += 5;
            if is_colon(at) && is_pair(at + 1) {
                out.push_str(":ss");
                at += 3;
            }
        } else {
            out.push(chars[at]);
            at += 1;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_lies_in_one_box() {
        let line =
            "│  ✓ in 09:34     Ana Souza            guest  │ │09:45 ✓ Zoë Müller            │";
        assert!(row("Ana Souza").with("in 09:34").is(line));
        assert!(!row("Ana Souza").with("09:45").is(line));
        assert!(!selected("Ana Souza").is(line));
    }

    #[test]
    fn only_the_times_of_the_guests_in_question_are_taken_out() {
        let screen = "│  ✓ in 09:34   Ana Souza  │ │09:45 ✓ Zoë Müller │\n ✓ CHECKED IN  Zoë Müller · at 09:45:07\n";
        let names = ["Zoë Müller".to_owned()];
        assert_eq!(
            without_what_varies(screen, "school", &names),
            "│  ✓ in 09:34   Ana Souza  │ │hh:mm ✓ Zoë Müller │\n ✓ CHECKED IN  Zoë Müller · at hh:mm:ss\n",
        );
    }

    #[test]
    fn addresses_and_ids_look_alike() {
        let screen = "│ staff@a1b2c3d4.test · staff@a1b2c… at http://127.0.0.1:40123 │\n\
                      │ Code 0190a1b2-0000-7000-8000-00000000ffff │\n";
        assert_eq!(
            without_what_varies(screen, "a1b2c3d4", &[]),
            "│ staff@00000000.test · staff@00000… at http://127.0.0.1:00000 │\n\
             │ Code 00000000-0000-0000-0000-000000000000 │\n",
        );
    }

    #[test]
    fn a_sentence_that_is_wrapped_is_found() {
        let screen = "│ the host │ │ else │\n│ is away  │ │ here │\n";
        assert!(unwrapped(screen).contains("the host is away"));
    }
}
