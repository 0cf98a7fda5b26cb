//! The suite's tool that reports progress.

use frontdesk_protocol::content::{Content, Contents};
use frontdesk_protocol::wire::Wire;
use frontdesk_server::call::{Answer, Call, Handler, Outcome};

/// Reports its progress three times.
#[derive(Debug, Wire)]
#[wire(strict)]
pub(crate) struct WithProgress {}

shows!(WithProgress = "test_tool_with_progress");

impl Handler for WithProgress {
    async fn handle(self, call: &mut Call) -> Outcome<Contents> {
        for done in [0, 50, 100] {
            call.progress(done, 100);
            // What is done without waiting is answered at once, and tells nothing.
            call.query("select", &[]).await?;
        }
        let text = "It was told three times.".to_owned();
        Answer::of(&Contents(vec![Content::Text { text }]))
    }
}
