//! The lists of a server, item by item: one that cannot be read does not take the others with it.

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
        let page = answer.value().map_err(CallError::Protocol)?;
        let listed = page[name].as_array().ok_or_else(|| {
            CallError::Protocol(format!(
                "it is not a list of {}",
                name.replace("Templates", " templates")
            ))
        })?;
        let (mut items, mut odd) = (Vec::new(), Vec::new());
        for (at, value) in listed.iter().enumerate() {
            match item(value) {
                Ok(item) => items.push(item),
                Err(why) => odd.push(format!("item {} of the {name}: {why}", at + 1)),
            }
        }
        let next = page["nextCursor"]
            .as_str()
            .filter(|cursor| !cursor.is_empty());
        Ok(Page {
            items,
            odd,
            next: next.map(str::to_owned),
        })
    }
}
