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
/// addresses of accounts, ids, the server's port, and times by the server's clock. Everything keeps its
/// place, unless such a time stands in a column.
pub(crate) fn without_what_varies(screen: &str, place: &str) -> String {
    let mut text = screen.lines().collect::<Vec<_>>().join("\n");
    text.push('\n');
    let text = without_port(&without_ids(&without_place(&text, place)));
    without_stamps(&without_times(&text))
}

fn without_place(text: &str, place: &str) -> String {
    let mut text = text.to_owned();
    for length in (4..=place.len()).rev() {
        let (cut, plain) = (&place[..length], "0".repeat(length));
        text = text.replace(&format!("@{cut}"), &format!("@{plain}"));
    }
    text
}

/// Whole ids, and the ends of ids after an ellipsis.
fn without_ids(text: &str) -> String {
    const PLAIN: &str = "00000000-0000-0000-0000-000000000000";
    const END: usize = 8;
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
        // The codes that a story types begin with zeros.
        let is_id = |end: &&str| {
            !end.starts_with("0000") && end.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        if char == '…' && rest.get(..END).filter(is_id).is_some() {
            out.push_str(&PLAIN[..END]);
            rest = &rest[END..];
        }
    }
    out
}

/// Times after the year of the stories: `3 Nov 2026 09:31`.
fn without_times(text: &str) -> String {
    const PLAIN: &str = "12 Mar 0000 00:00";
    const TIME: usize = " 2026 09:31".len();
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(" 20") {
        let (before, found) = rest.split_at(at);
        out.push_str(before);
        let time = found.get(..TIME).unwrap_or_default();
        let year = time.get(3..5).and_then(|year| year.parse::<u32>().ok());
        let is_time = time.as_bytes().get(8) == Some(&b':');
        let day = out.rsplit(' ').take(2).map(str::len).sum::<usize>() + 1;
        let length = match year {
            Some(26..) if is_time && day <= "12 Mar".len() => {
                out.truncate(out.len() - day);
                out.push_str(PLAIN);
                TIME
            }
            _ => {
                out.push_str(" 20");
                " 20".len()
            }
        };
        rest = &found[length..];
    }
    out.push_str(rest);
    out
}

/// Times after the year of the stories, as JSON: `"2026-11-03T09:31:02.25+00:00"`. They have as many
/// digits as they need, so the box around them is moved back.
fn without_stamps(text: &str) -> String {
    const PLAIN: &str = "0000-01-01T00:00:00+00:00";
    const STORIES: &str = "2026";
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let mut parts: Vec<String> = line.split('"').map(str::to_owned).collect();
        for at in 1..parts.len().saturating_sub(1) {
            let stamp = parts[at].as_str();
            if stamp < STORIES || stamp.parse::<jiff::Timestamp>().is_err() {
                continue;
            }
            let more = stamp.len().saturating_sub(PLAIN.len());
            parts[at] = PLAIN.to_owned();
            if let Some(end) = parts[at + 1].find(" ") {
                parts[at + 1].insert_str(end, &" ".repeat(more));
            }
        }
        out.push_str(&parts.join("\""));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_of_any_hour_is_masked() {
        for time in ["3 Nov 2026 09:31", "23 Nov 2026 20:06"] {
            let masked = without_times(&format!("Launch 10:00 {time} Unit"));
            assert_eq!(masked, "Launch 10:00 12 Mar 0000 00:00 Unit");
        }
    }

    #[test]
    fn a_row_lies_in_one_box() {
        let line =
            "│  ✓ in 09:34     Ana Souza            guest  │ │09:45 ✓ Zoë Müller            │";
        assert!(row("Ana Souza").with("in 09:34").is(line));
        assert!(!row("Ana Souza").with("09:45").is(line));
        assert!(!selected("Ana Souza").is(line));
    }

    #[test]
    fn addresses_and_ids_look_alike() {
        let screen = "│ staff@a1b2c3d4.test · staff@a1b2c… at http://127.0.0.1:40123 │\n\
                      │ Code 0190a1b2-0000-7000-8000-00000000ffff │\n";
        assert_eq!(
            without_what_varies(screen, "a1b2c3d4"),
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
