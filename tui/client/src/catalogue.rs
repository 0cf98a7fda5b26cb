//! The lists of a server, item by item: one that cannot be read does not take the others with it.

use frontdesk_protocol::exact;
use serde_json::Value;

use crate::answers::Answer;
use crate::error::CallError;

/// A page of a list.
#[derive(Debug)]
pub(crate) struct Page<T> {
    pub(crate) items: Vec<T>,
    /// What is wrong with the items that were left out.
    pub(crate) odd: Vec<String>,
    /// The cursor of the next page.
    pub(crate) next: Option<String>,
    /// Why there is no next page, although the server says so.
    pub(crate) cut: Option<String>,
    /// The items as received.
    pub(crate) listed: Vec<Value>,
}

/// A list of a server, as far as it can be read.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing<T> {
    /// The items.
    pub items: Vec<T>,
    /// What is missing, and why.
    pub odd: Vec<String>,
    /// The number of pages that it came in.
    pub pages: usize,
}

impl<T> Page<T> {
    /// Reads a page with the items under this name.
    ///
    /// # Errors
    /// [`CallError::Protocol`] if it has no such list.
    pub(crate) fn read(
        answer: &Answer,
        name: &str,
        item: impl Fn(&Value) -> Result<T, &'static str>,
    ) -> Result<Self, CallError> {
        let mut page = answer.value().map_err(CallError::Protocol)?;
        let Value::Array(listed) = page[name].take() else {
            let message = format!("it is not a list of {}", words(name));
            return Err(CallError::Protocol(message));
        };
        let (mut items, mut odd) = (Vec::new(), Vec::new());
        for (at, value) in listed.iter().enumerate() {
            match item(value) {
                Ok(item) => items.push(item),
                Err(why) => odd.push(format!("item {} of the {}: {why}", at + 1, words(name))),
            }
        }
        let (next, cut) = match &page["nextCursor"] {
            Value::Null => (None, None),
            Value::String(cursor) if exact::digits(&page["nextCursor"]).is_none() => {
                (Some(cursor.clone()).filter(|it| !it.is_empty()), None)
            }
            other => {
                let cursor = exact::text(other);
                (None, Some(format!("its cursor {cursor} is not a text")))
            }
        };
        Ok(Page {
            items,
            odd,
            next,
            cut,
            listed,
        })
    }
}

/// The name of a list for people.
pub(crate) fn words(name: &str) -> String {
    name.replace("Templates", " templates")
}
