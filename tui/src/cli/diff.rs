//! `diff`: what two servers offer, side by side.

use std::collections::BTreeMap;

use clap::Args;
use frontdesk::plain;
use frontdesk_client::server::{Listing, Offers};
use frontdesk_client::{CallError, Callee, Server};
use frontdesk_protocol::exact;
use serde_json::{Value, json};
use similar::{ChangeTag, TextDiff};

use super::callee;
use super::options::Options;
use super::reach::Reach;
use super::{Failure, completions, say, say_json};

/// Lines around a difference.
const AROUND: usize = 2;

/// Compares the tools, prompts and resources of two hosts or servers.
#[derive(Debug, Args)]
#[command(
    override_usage = "frontdesk diff [OPTIONS] SERVER SERVER\n       frontdesk diff [OPTIONS] SERVER -- COMMAND…"
)]
pub(super) struct Diff {
    /// The first one: a host; or a server, by its configured name or its address.
    #[arg(value_name = "SERVER", add = completions::peers())]
    first: String,
    /// The second one. Left out before `-- COMMAND`.
    #[arg(value_name = "SERVER", required_unless_present = "command", conflicts_with = "command", add = completions::peers())]
    second: Option<String>,
    #[command(flatten)]
    reach: Reach,
}

/// The items of a list by their names.
type Items = BTreeMap<String, Value>;

/// What differs in one list.
struct Differences {
    list: &'static str,
    removed: Vec<String>,
    added: Vec<String>,
    changed: Vec<(String, Value, Value)>,
}

impl Diff {
    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        let first = callee::find(options, &self.first, None)?;
        let second = self.reach.callee(options, self.second.as_deref())?;
        let before = self.offered(&first).await?;
        let after = self.offered(&second).await?;
        let lists = before.into_iter().zip(after);
        let differences = lists.map(|((list, before), (_, after))| between(list, before, after));
        let differences: Vec<_> = differences.collect();
        match options.json() {
            true => {
                let lists = differences
                    .iter()
                    .map(|it| (it.list.to_owned(), it.to_json()));
                say_json(&Value::Object(lists.collect()))?;
            }
            false => differences.iter().try_for_each(Differences::say)?,
        }
        match differences.iter().all(Differences::is_empty) {
            true => Ok(()),
            false => Err(Failure::Different),
        }
    }

    /// Everything that a server offers.
    async fn offered(&self, callee: &Callee) -> Result<Vec<(&'static str, Items)>, Failure> {
        let failure = |error| callee::failure(callee, error);
        let server = callee.server().await.map_err(failure)?;
        let lists = async { lists(&server).await.map_err(failure) };
        let opened = Callee::Server(server.clone());
        callee::until_done(&opened, self.reach.timeout, lists).await
    }
}

async fn lists(server: &Server) -> Result<Vec<(&'static str, Items)>, CallError> {
    let tools = by_name(server.listed_tools().await?, "name");
    let mut lists = vec![("tools", tools)];
    for (list, offers, key) in [
        ("prompts", Offers::Prompts, "name"),
        ("resources", Offers::Resources, "uri"),
        ("templates", Offers::Templates, "uriTemplate"),
    ] {
        lists.push((list, by_name(server.list(offers).await?, key)));
    }
    Ok(lists)
}

fn by_name(listing: Listing<Value>, key: &str) -> Items {
    callee::left_out(&listing.odd);
    let items = listing.items.into_iter();
    let named = items.map(|item| (item[key].as_str().unwrap_or_default().to_owned(), item));
    named.collect()
}

fn between(list: &'static str, mut before: Items, after: Items) -> Differences {
    let mut differences = Differences {
        list,
        removed: Vec::new(),
        added: Vec::new(),
        changed: Vec::new(),
    };
    for (name, item) in after {
        match before.remove(&name) {
            None => differences.added.push(name),
            Some(old) if old != item => differences.changed.push((name, old, item)),
            Some(_) => {}
        }
    }
    differences.removed = before.into_keys().collect();
    differences
}

impl Differences {
    fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.added.is_empty() && self.changed.is_empty()
    }

    fn say(&self) -> Result<(), Failure> {
        let line = |sign: char, name: &str| say(&plain(&format!("{sign} {} {name}", self.list)));
        self.removed.iter().try_for_each(|name| line('-', name))?;
        self.added.iter().try_for_each(|name| line('+', name))?;
        for (name, before, after) in &self.changed {
            line('!', name)?;
            let (before, after) = (exact::pretty(before), exact::pretty(after));
            let diff = TextDiff::from_lines(&before, &after);
            for group in diff.grouped_ops(AROUND) {
                for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
                    let sign = match change.tag() {
                        ChangeTag::Equal => ' ',
                        ChangeTag::Delete => '-',
                        ChangeTag::Insert => '+',
                    };
                    say(&plain(format!("    {sign} {}", change.value()).trim_end()))?;
                }
            }
        }
        Ok(())
    }

    fn to_json(&self) -> Value {
        let changed = self
            .changed
            .iter()
            .map(|(name, before, after)| json!({ "name": name, "before": before, "after": after }));
        let changed: Vec<Value> = changed.collect();
        json!({ "removed": self.removed, "added": self.added, "changed": changed })
    }
}
