//! The pages of a list whose entries have names: a cursor contains the name of the last entry of the page before, not a
//! number, so it stays valid if the caller's role or the list changes.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::refusal::{Refusal, invalid};

/// What is listed. The first byte of a cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Listed {
    Tools = 1,
    Resources,
    Templates,
    Prompts,
}

/// The cursor is not valid for this list.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NoSuchCursor;

impl From<NoSuchCursor> for Refusal {
    fn from(_: NoSuchCursor) -> Refusal {
        invalid("unknown cursor; request the first page without a cursor")
    }
}

/// A page, and the member `nextCursor` of its result, if another one follows.
pub(super) struct Page<'a, T> {
    pub(super) entries: Vec<&'a T>,
    pub(super) next: String,
}

/// The first page, or the page at the cursor, of those entries that are offered.
///
/// # Errors
/// [`NoSuchCursor`] if the cursor is not valid for this list.
pub(super) fn page<'a, T>(
    listed: Listed,
    all: &'a [T],
    cursor: Option<&str>,
    per_page: usize,
    name: fn(&T) -> &str,
    is_offered: impl Fn(&T) -> bool,
) -> Result<Page<'a, T>, NoSuchCursor> {
    let cursor = cursor.filter(|cursor| !cursor.is_empty());
    let rest = match cursor.map(|cursor| last(listed, cursor).ok_or(NoSuchCursor)) {
        Some(last) => {
            let last = last?;
            let place = all.iter().position(|entry| name(entry).as_bytes() == last);
            &all[place.ok_or(NoSuchCursor)? + 1..]
        }
        None => all,
    };
    let mut offered = rest.iter().filter(|entry| is_offered(entry)).peekable();
    let entries: Vec<_> = offered.by_ref().take(per_page).collect();
    let last = entries.last().filter(|_| offered.peek().is_some());
    let next = last.map_or(String::new(), |last| {
        format!(r#","nextCursor":"{}""#, cursor_after(listed, name(last)))
    });
    Ok(Page { entries, next })
}

/// The name in a cursor of this list.
fn last(listed: Listed, cursor: &str) -> Option<Vec<u8>> {
    let cursor = URL_SAFE_NO_PAD.decode(cursor).ok()?;
    let (kind, name) = cursor.split_first()?;
    (*kind == listed as u8).then(|| name.to_vec())
}

/// The cursor to the entries after this one.
fn cursor_after(listed: Listed, name: &str) -> String {
    let mut cursor = vec![listed as u8];
    cursor.extend(name.as_bytes());
    URL_SAFE_NO_PAD.encode(cursor)
}
