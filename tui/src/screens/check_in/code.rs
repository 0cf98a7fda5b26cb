//! Codes: the id of a guest, as scanners type or paste it.

use frontdesk_protocol::id::GuestId;

/// The length of an id as codes write it: 8-4-4-4-12 hexadecimal digits.
const LENGTH: usize = 36;

/// The code in a text, if there is one: an id at its end, or a URL or a JSON object that contains an id. What
/// precedes the code does not matter.
pub(super) fn find(text: &str) -> Option<Code> {
    let text = text.trim_end();
    let start = ["{", "http://", "https://"]
        .iter()
        .filter_map(|sign| text.find(sign))
        .min();
    if let Some(start) = start {
        let code = &text[start..];
        let mut ids: Vec<(usize, GuestId)> = ids(code).collect();
        match code.rfind("guest") {
            Some(guest) => ids.sort_by_key(|(at, _)| *at < guest),
            None => ids.reverse(),
        }
        let ids: Vec<GuestId> = ids.into_iter().map(|(_, id)| id).collect();
        return (!ids.is_empty()).then_some(Code { start, ids });
    }
    if let Some(start) = text.len().checked_sub(LENGTH)
        && let Some(id) = text.get(start..).and_then(|id| id.parse().ok())
    {
        let ids = vec![id];
        return Some(Code { start, ids });
    }
    // Ids in other notations must stand alone.
    let id = text.trim_start().parse().ok()?;
    let ids = vec![id];
    Some(Code { start: 0, ids })
}

/// A code within a text.
#[derive(Debug, PartialEq)]
pub(super) struct Code {
    /// The byte offset of its start.
    pub(super) start: usize,
    /// The ids in it, the most likely first; at least one.
    pub(super) ids: Vec<GuestId>,
}

/// The ids in a text with their byte offsets.
fn ids(text: &str) -> impl Iterator<Item = (usize, GuestId)> {
    let places = text.char_indices().filter_map(|(at, _)| {
        let id = text.get(at..at + LENGTH)?;
        Some((at, id.parse().ok()?))
    });
    let mut end = 0;
    places.filter(move |(at, _)| {
        let is_next = *at >= end;
        if is_next {
            end = at + LENGTH;
        }
        is_next
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0190a1b2-0000-7000-8000-000000000001";
    const EVENT: &str = "0190a1b2-0000-7000-8000-00000000eeee";

    #[track_caller]
    fn assert_code(text: &str, start: usize) {
        let found = find(text).unwrap_or_else(|| panic!("no code: {text}"));
        assert_eq!(found.ids[0], ID.parse().expect("is an id"), "{text}");
        assert_eq!(found.start, start, "{text}");
    }

    #[test]
    fn a_text_that_ends_in_an_id_is_a_code() {
        assert_code(ID, 0);
        assert_code(&format!("{ID}\r\n"), 0);
        assert_code(&format!("ana s{ID}"), 5);
        assert_code(&format!("ana s {ID}  "), 6);
        assert_code(&format!("é{ID}"), 2);
        assert_code(&ID.to_uppercase(), 0);
        assert_code(&format!("urn:uuid:{ID}"), 9);
        assert_code(&ID.replace('-', ""), 0);
    }

    #[test]
    fn a_url_or_an_object_that_contains_an_id_is_a_code() {
        assert_code(&format!("https://t.example/{EVENT}/{ID}?lang=pt"), 0);
        assert_code(&format!("https://t.example/guests/{ID}/of/{EVENT}"), 0);
        assert_code(&format!("ana shttps://t.example/t/{ID}#x"), 5);
        assert_code(
            &format!(r#"{{"v":1,"guest_id":"{ID}","event_id":"{EVENT}"}}"#),
            0,
        );
        assert_code(&format!(r#"{{"event":"{EVENT}","id":"{ID}"}}"#), 0);
    }

    #[test]
    fn anything_else_is_a_name() {
        for text in [
            "",
            "Ana",
            "https://t.example/",
            "{}",
            &ID[1..],
            &format!("{ID} x"),
        ] {
            assert_eq!(find(text), None, "{text}");
        }
    }
}
