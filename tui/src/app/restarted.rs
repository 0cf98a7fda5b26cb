//! Servers whose files change while the app runs: they are started again.

use frontdesk_client::seen::Change;

use super::cx::{Cx, News};
use super::peer::Peer;
use crate::app::effects::call::Method;
use crate::app::effects::job::Ended;
use crate::app::effects::server_jobs::StartAgain;
use crate::app::effects::servers::Started;
use crate::look::mark::Mark;
use crate::look::text::clean;

/// How many changed tools are named.
const NAMED: usize = 4;

/// Starts a server again whose files have changed, and says what that changed.
pub(super) fn start_again(cx: &mut Cx, server: String) {
    cx.run_then(StartAgain(server), started_again);
}

fn started_again(cx: &mut Cx, Ended { job, result }: Ended<StartAgain>) {
    let server = job.0.clone();
    let name = clean(&server).into_owned();
    let Started { tools, changes } = match result {
        Ok(started) => started,
        Err(error) => {
            let why = clean(&error.to_string()).into_owned();
            return cx.toast(Mark::Bad, format!("{name} did not start again: {why}"));
        }
    };
    let what = said(&changes);
    cx.toast(Mark::Info, format!("{name} was started again: {what}"));
    cx.shared.changed.restarted(server.clone(), changes);
    let peer = Peer::Server(server.clone());
    cx.shared.tools.insert(peer.clone(), tools);
    cx.tell(News::ToolsChanged(peer));
    for list in [Method::Resources, Method::Prompts] {
        cx.tell(News::ListChanged(server.clone(), list));
    }
}

/// "+ new, ! changed, - gone"
fn said(changes: &[Change]) -> String {
    let named = changes.iter().take(NAMED).map(|change| {
        let sign = match (&change.before, &change.after) {
            (None, _) => '+',
            (_, None) => '-',
            _ => '!',
        };
        format!("{sign} {}", clean(&change.tool))
    });
    let mut named: Vec<_> = named.collect();
    match changes.len().saturating_sub(NAMED) {
        0 => {}
        more => named.push(format!("{more} more")),
    }
    match named.is_empty() {
        true => "its tools are the same".to_owned(),
        false => named.join(", "),
    }
}
