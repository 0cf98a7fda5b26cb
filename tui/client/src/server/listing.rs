//! The pages of a list. One that fails does not take the others with it.

use frontdesk_protocol::ErrorCode;
use rmcp::model::{ClientRequest, PaginatedRequestParams, RequestMetaObject};
use serde_json::Value;

use super::Server;
use crate::catalogue::{Listing, Page, words};
use crate::client::MOST_PAGES;
use crate::error::CallError;
use crate::failure::shorten;

/// A list that a server can have.
pub(super) struct List<'a, R, I> {
    /// Its name in the answer.
    pub(super) name: &'a str,
    /// Whether the server announced it.
    pub(super) is_announced: bool,
    pub(super) meta: Option<RequestMetaObject>,
    pub(super) request: R,
    /// Reads an item.
    pub(super) item: I,
}

impl Server {
    /// The items of a list, and the names of the tools that cannot be called because of their
    /// headers. A list without announcement can be missing.
    ///
    /// # Errors
    /// Any error about the first page, except that an announced list is missing.
    pub(super) async fn pages<T>(
        &self,
        list: List<
            '_,
            impl Fn(Option<PaginatedRequestParams>) -> ClientRequest,
            impl Fn(&Value) -> Result<T, &'static str>,
        >,
    ) -> Result<(Listing<T>, Vec<String>), CallError> {
        let (mut items, mut odd, mut refused) = (Vec::new(), Vec::new(), Vec::new());
        let (mut cursors, mut last) = (Vec::<String>::new(), Vec::new());
        let mut pages = 0;
        let cut = loop {
            let cursor = cursors.last().cloned();
            let params = cursor.map(|it| PaginatedRequestParams::default().with_cursor(Some(it)));
            let answer = self.request((list.request)(params), list.meta.clone(), true, |_| {});
            let read = match answer.await {
                Ok(answer) => {
                    refused.extend(answer.refused.iter().cloned());
                    Page::read(&answer, list.name, &list.item)
                }
                Err(error) => Err(error),
            };
            let page = match read {
                Ok(page) => page,
                Err(error) if !cursors.is_empty() => break Some(error.to_string()),
                Err(CallError::Tool(_)) if !list.is_announced => break None,
                Err(CallError::Tool(error)) if error.code == ErrorCode::Refused => {
                    let name = words(list.name);
                    odd.push(format!(
                        "the list of {name}, which it announces: {}",
                        error.message
                    ));
                    break None;
                }
                Err(error) => return Err(error),
            };
            if !last.is_empty() && page.listed == last {
                break Some("the same items come again".to_owned());
            }
            last = page.listed;
            pages += 1;
            items.extend(page.items);
            odd.extend(page.odd);
            match page.next {
                None => break page.cut,
                Some(next) if cursors.contains(&next) => {
                    break Some(format!("its cursor “{}” comes again", shorten(&next)));
                }
                Some(_) if cursors.len() + 1 == MOST_PAGES => {
                    break Some(format!("it has more than {MOST_PAGES} pages"));
                }
                Some(next) => cursors.push(next),
            }
        };
        if let Some(why) = cut {
            odd.push(format!("the rest of the {}: {why}", words(list.name)));
        }
        Ok((Listing { items, odd, pages }, refused))
    }
}
