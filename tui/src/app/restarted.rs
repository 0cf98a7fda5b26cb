//! Servers whose files change while the app runs: they are started again.

use std::path::PathBuf;

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

/// Says that changes of files do not start a server again any more, because it makes them itself.
pub(super) fn unwatched(cx: &mut Cx, server: &str, changed: &[PathBuf]) {
    let first = changed.first().and_then(|path| path.file_name());
    let first = first.unwrap_or_default().to_string_lossy();
    let others = match changed.len() {
        0 | 1 => String::new(),
        all => format!(" and {} more", all - 1),
    };
    let words = format!(
        "{} writes {}{others} whenever it starts: changes no longer start it again. Watch its sources only, or name that \
         file in .gitignore; R on its page starts it again.",
        clean(server),
        clean(&first)
    );
    cx.toast(Mark::Warn, words);
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
