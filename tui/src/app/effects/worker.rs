//! Execution of work.

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;

use frontdesk_client::config::edit::{self, Preference};
use frontdesk_client::history::Keep;
use frontdesk_client::{
    CallError, Client, Config, Delivery, Drafts, Entry, GuestLists, History, Journal, Presets,
    SavedFilters, Settled, deliver, journal, listed, paths,
};
use frontdesk_protocol::Host;
use frontdesk_protocol::id::{GuestId, UserId};
use jiff::SignedDuration;
use ratatui_image::picker::Picker;

use uuid::Uuid;

use super::badge::{Printer, badge};
use super::browser::{Begun, Browser};
use super::curl::{self, Request};
use super::drafts;
use super::effect::{Answer, Method, Outcome, SignInTo, ToolCall, Work};
use super::export::export;
use super::filters;
use super::journal::{Happening, JournalError};
use super::picture;
use super::presets;
use super::program;
use super::servers::Servers;
use super::sheets;
use crate::app::engine::Ears;
use crate::app::history::{Forget, HistoryError, Remembered};
use crate::app::peer::{Peer, Reply};

/// Work in progress.
pub(crate) type Working = Pin<Box<dyn Future<Output = Outcome> + Send>>;

/// Executes work.
pub(crate) trait Worker: Send + Sync + 'static {
    /// Executes a piece of work; progress and notices are sent to `ears`.
    fn run(&self, work: Work, ears: Ears) -> Working;

    /// How much the hosts' clock is ahead of this machine's.
    fn clock_ahead(&self) -> SignedDuration {
        SignedDuration::ZERO
    }
}

/// Does it for real: over the network, and in the journal on disk.
#[derive(Debug, Clone)]
pub(crate) struct RealWorker {
    pub(crate) client: Client,
    pub(crate) journal: Journal,
    /// Stored guest lists, for opening a desk while its host cannot be reached; optional.
    pub(crate) guests: Option<GuestLists>,
    /// The history of tool calls.
    pub(crate) history: History,
    /// The public key of the project, for the identity provider.
    pub(crate) api_key: String,
    /// The directories for exports; the first that accepts a file is used.
    pub(crate) exports: Vec<PathBuf>,
    /// The printer of badges; optional.
    pub(crate) printer: Option<Printer>,
    /// The configured servers.
    pub(crate) servers: Servers,
    /// Stored presets; optional.
    pub(crate) presets: Option<Presets>,
    /// What was typed into forms and not sent; optional.
    pub(crate) drafts: Option<Drafts>,
    /// Saved filters; optional.
    pub(crate) filters: Option<SavedFilters>,
    /// The directory of imports; optional.
    pub(crate) imports: Option<PathBuf>,
    /// The configuration file; optional.
    pub(crate) config: Option<PathBuf>,
    /// The browser sign-in.
    pub(crate) browser: Browser,
    /// The rendering method for pictures.
    pub(crate) picker: Picker,
}

impl Worker for RealWorker {
    fn run(&self, work: Work, ears: Ears) -> Working {
        let worker = self.clone();
        Box::pin(async move { worker.work(work, ears).await })
    }

    fn clock_ahead(&self) -> SignedDuration {
        self.client.clock_ahead().unwrap_or_default()
    }
}

impl RealWorker {
    async fn work(self, work: Work, ears: Ears) -> Outcome {
        let client = &self.client;
        match work {
            Work::Call(call) => Outcome::Call(self.call(call, &ears).await),
            Work::Export { name, contents } => {
                Outcome::Exported(export(self.exports, name, contents).await)
            }
            Work::Badge { event, guest } => badge(self.printer, self.exports, event, *guest).await,
            Work::Import(job) => {
                let imported = sheets::import(self.client, self.imports, *job, ears).await;
                Outcome::Imported(imported.map(Box::new))
            }
            Work::List(job) => Outcome::Listed(sheets::list(self.client, *job, ears).await),
            // Only at the start screen, whose worker is another one.
            work @ Work::Start(_) => work.lost(),
            Work::Run { name, line } => Outcome::Ran {
                result: program::run(&line).await,
                name,
            },
            Work::Configure(preference) => {
                Outcome::Configured(configure(self.config, preference).await)
            }
            Work::Draw { bytes, size } => {
                Outcome::Drawn(picture::draw(self.picker, bytes, size).await)
            }
            Work::Presets { peer, tool, change } => {
                Outcome::Presets(presets::change(self.presets, peer, tool, change).await)
            }
            Work::Draft(account, change) => {
                Outcome::Draft(drafts::change(self.drafts, account, change).await)
            }
            Work::Filters(account, change) => {
                let changed = filters::change(self.filters, account, change.clone());
                Outcome::Filters(account, change, changed.await)
            }
            Work::Account => Outcome::Account(client.account().await),
            Work::SignIn {
                email,
                password,
                organization,
            } => {
                let signed_in = client.sign_in_at(
                    organization.as_deref(),
                    &self.api_key,
                    &email,
                    password.expose(),
                );
                Outcome::SignedIn(signed_in.await)
            }
            Work::SignInWays => Outcome::SignInWays(client.sign_in_ways(&self.api_key).await),
            Work::OpenBrowser(SignInTo::Service(provider)) => {
                let begun = client.sign_in_through(&provider, &self.api_key).await;
                let begun = begun.map(|begun| Begun::Service(Box::new(begun)));
                Outcome::BrowserOpened(begun.map(|begun| self.browser.open(begun)))
            }
            Work::OpenBrowser(SignInTo::Server(name)) => {
                let begun = self.servers.sign_in(&name, &ears).await;
                let begun = begun.map(|begun| Begun::Server(name, Box::new(begun)));
                Outcome::BrowserOpened(begun.map(|begun| self.browser.open(begun)))
            }
            Work::AwaitBrowser => self.browser.wait().await,
            Work::FinishInBrowser(answer) => self.browser.finish(answer.expose()).await,
            Work::ChangePassword { current, new } => {
                let changed = client.change_password(current.expose(), new.expose());
                Outcome::PasswordChanged(changed.await)
            }
            Work::SignOut => {
                self.with_guests((), |lists, account, _| lists.forget(account))
                    .await;
                if let (Some(drafts), Some(account)) = (self.drafts, client.last_account())
                    && let Err(error) = drafts.forget(account.id)
                {
                    tracing::warn!(%error, "the drafts could not be removed");
                }
                Outcome::SignedOut(client.sign_out().await)
            }
            Work::GuestLists => Outcome::GuestLists(
                self.with_guests(Vec::new(), |lists, account, host| {
                    lists.events(account, &host)
                })
                .await,
            ),
            Work::GuestList(event) => Outcome::GuestList(
                self.with_guests(None, move |lists, account, host| {
                    let list = lists.of_event(account, &host, event)?;
                    Ok(list.map(Box::new))
                })
                .await,
            ),
            Work::KeepGuests(mut list) => {
                self.with_guests((), move |lists, account, host| {
                    list.host_url = host;
                    lists.keep(account, &list)
                })
                .await;
                Outcome::GuestsKept
            }
            Work::Health(host) => Outcome::Health(host, client.health(host).await),
            Work::Tools(peer) => {
                let tools = match &peer {
                    Peer::Host(host) => client.tools(*host).await,
                    Peer::Server(name) => self.servers.tools(name, &ears).await,
                };
                Outcome::Tools(peer, tools)
            }
            Work::Visit(server, log_level) => {
                let visited = self.servers.visit(&server, log_level, &ears).await;
                Outcome::Visited(server, visited.map(Box::new))
            }
            Work::EndTask(server, id) => {
                let ended = self.servers.end_task(&server, &id, &ears).await;
                Outcome::TaskEnded(server, ended)
            }
            Work::Accept(server, changes) => {
                let accepted = self.servers.accept(&server, changes).await;
                Outcome::Accepted(accepted.map_err(|error| error.to_string()))
            }
            Work::Watch { server, uri } => {
                if let Err(error) = self.servers.watch(&server, uri, &ears).await {
                    tracing::debug!(%error, "a resource is not subscribed to");
                }
                Outcome::Watched
            }
            Work::Curl(call) => Outcome::Curl(self.curl(&call, &ears).await),
            Work::OpenJournal => {
                Outcome::Journal(on_disk(self.journal, |journal| journal.waiting()).await)
            }
            Work::Append(happening) => self.append(happening).await,
            Work::Withdraw(entry) => {
                let outcome = journal::DeliveryOutcome::Refused {
                    message: "taken back at the desk".to_owned(),
                };
                Outcome::Withdrawn(settle(self.journal, entry, outcome).await)
            }
            Work::TakeOver(entries) => {
                let write = move |journal: &Journal| {
                    let written = entries.iter().try_for_each(|entry| journal.append(entry));
                    written.map(|()| entries)
                };
                Outcome::TakenOver(on_disk(self.journal, write).await)
            }
            Work::Deliver { entry, is_again } => {
                Outcome::Delivered(self.deliver(entry, is_again).await)
            }
            Work::Remember(ended) => Outcome::Remembered(
                in_history(self.history, move |history| history.remember(&ended)).await,
            ),
            Work::History(account) => {
                let keep = self.history.keep();
                let entries = in_history(self.history, move |history| history.entries(account));
                let entries = entries.await;
                Outcome::History(entries.map(|entries| Remembered { keep, entries }))
            }
            Work::Forget(account, what) => Outcome::Forgotten(
                in_history(self.history, move |history| match what {
                    Forget::One(id) => history.forget(account, id),
                    Forget::All => history.clear(account),
                })
                .await,
            ),
        }
    }

    /// Accesses the guest lists of the signed-in account at the host of events. They are optional,
    /// so failures are only logged.
    async fn with_guests<T: Send + 'static>(
        &self,
        otherwise: T,
        work: impl FnOnce(&GuestLists, UserId, String) -> std::io::Result<T> + Send + 'static,
    ) -> T {
        let (Some(lists), Some(account)) = (self.guests.clone(), self.client.last_account()) else {
            return otherwise;
        };
        let host = self.client.addresses().base(Host::Events).to_owned();
        let done = tokio::task::spawn_blocking(move || work(&lists, account.id, host)).await;
        match done.map_err(std::io::Error::other).flatten() {
            Ok(done) => done,
            Err(error) => {
                tracing::warn!(%error, "the guest lists on disk");
                otherwise
            }
        }
    }

    async fn call(&self, call: ToolCall, ears: &Ears) -> Answer {
        let written = call.writes_at();
        let ToolCall {
            peer,
            tool,
            arguments,
            options,
            ..
        } = call;
        let result = match &peer {
            Peer::Host(host) => {
                let call = self
                    .client
                    .call_tool(*host, &tool, arguments, options.meta());
                let result = call.await;
                result.and_then(Reply::try_from)
            }
            Peer::Server(name) => {
                let call = self.servers.call(name, &tool, arguments, &options, ears);
                call.await
            }
        };
        let allowance = peer.host().and_then(|host| self.client.allowance(host));
        Answer {
            peer,
            tool,
            written,
            allowance,
            result,
        }
    }

    /// The call as a curl command.
    ///
    /// # Errors
    /// Why the call cannot be made with a single request.
    async fn curl(&self, call: &ToolCall, ears: &Ears) -> Result<String, String> {
        if call.options.method != Method::Tool {
            return Err("it is not a call of a tool".to_owned());
        }
        match &call.peer {
            Peer::Host(host) => {
                let address = self.client.addresses().mcp(*host);
                Ok(curl::command(call, &Request::to_host(address)))
            }
            Peer::Server(name) => {
                let request = self.servers.request(name, ears).await?;
                Ok(curl::command(call, &request))
            }
        }
    }

    async fn append(self, happening: Happening) -> Outcome {
        let Some(account) = self.client.last_account().or(happening.account) else {
            return Outcome::Appended {
                entry: None,
                result: Err(JournalError("nobody is signed in".to_owned())),
            };
        };
        let mut entry = Entry::new(
            self.client.addresses().base(Host::Events),
            account.id,
            happening.event,
            happening.guest.unwrap_or(GuestId(Uuid::nil())),
            happening.name,
            happening.at,
            happening.action,
        );
        entry.id = happening.entry.unwrap_or(entry.id);
        entry.made_by = journal::MadeBy::of(&account);
        entry.walk_in = happening.walk_in;
        entry.scanned = happening.scanned;
        entry.code = happening.code;
        entry.asks = happening.asks;
        entry.reason = happening.reason;
        entry.undoes = happening.undoes;
        entry.by_own_clock = self.client.clock_ahead().is_none();
        if happening.guest.is_none() {
            entry.guest_id = GuestId(entry.id);
        }
        let written = entry.clone();
        let result = on_disk(self.journal, move |journal| journal.append(&written)).await;
        Outcome::Appended {
            entry: Some(entry),
            result,
        }
    }

    async fn deliver(self, mut entry: Entry, is_again: bool) -> Result<Delivery, CallError> {
        if entry.asks && self.has_not_asked(&entry).await {
            if let Some(guest) = listed(&self.client, &entry).await? {
                let outcome = journal::DeliveryOutcome::Refused {
                    message: "may be on the list".to_owned(),
                };
                return Ok(Delivery {
                    listed: Some(Box::new(guest)),
                    ..Delivery::new(outcome, None)
                });
            }
            // If the next answer is lost, the host has this guest.
            entry.asks = false;
            let asked = entry.clone();
            let written = on_disk(self.journal.clone(), move |journal| journal.append(&asked));
            if let Err(error) = written.await {
                tracing::warn!(%error, "the journal");
            }
        }
        let delivery = deliver(&self.client, &entry, is_again).await?;
        self.note(&entry, &delivery).await;
        // If this fails, the entry is delivered again at the next start, without effect.
        if let Err(error) = settle(self.journal.clone(), entry, delivery.outcome.clone()).await {
            tracing::warn!(%error, "a delivered check-in is still in the journal");
        }
        Ok(delivery)
    }
}

impl RealWorker {
    /// Notes what the host has answered, for a desk that opens without it.
    async fn note(&self, entry: &Entry, delivery: &Delivery) {
        let is_own = delivery.outcome == journal::DeliveryOutcome::Delivered;
        let guest = delivery.guest.clone();
        if guest.is_none() && !is_own {
            return;
        }
        let settled = Settled {
            entry: entry.id,
            guest_id: guest.as_ref().map_or(entry.guest_id, |guest| guest.id),
            guest,
            is_own,
        };
        let event = entry.event_id;
        self.with_guests((), move |lists, account, _| {
            lists.note(account, event, &settled)
        })
        .await;
    }

    /// Whether the journal does not say that the host was asked about an entry.
    async fn has_not_asked(&self, entry: &Entry) -> bool {
        let id = entry.id;
        let waiting = on_disk(self.journal.clone(), |journal| journal.waiting()).await;
        let mut waiting = waiting.into_iter().flatten();
        waiting.find(|one| one.id == id).is_none_or(|one| one.asks)
    }
}

async fn settle(
    journal: Journal,
    entry: Entry,
    outcome: journal::DeliveryOutcome,
) -> Result<(), JournalError> {
    on_disk(journal, move |journal| journal.settle(entry.id, outcome)).await
}

/// The history in this data directory; without one, nothing is stored.
pub(crate) fn history(data: Option<&std::path::Path>, config: &Config) -> History {
    match data {
        Some(data) => History::new(paths::history_directory(data), config.history.keep),
        None => History::new(PathBuf::new(), Keep::Off),
    }
}

/// Runs blocking access to the history.
async fn in_history<T: Send + 'static>(
    history: History,
    work: impl FnOnce(&History) -> std::io::Result<T> + Send + 'static,
) -> Result<T, HistoryError> {
    match tokio::task::spawn_blocking(move || work(&history)).await {
        Ok(result) => result.map_err(|error| HistoryError(error.to_string())),
        Err(error) => Err(HistoryError(error.to_string())),
    }
}

/// Runs blocking access to the journal.
async fn on_disk<T: Send + 'static>(
    journal: Journal,
    work: impl FnOnce(&Journal) -> std::io::Result<T> + Send + 'static,
) -> Result<T, JournalError> {
    match tokio::task::spawn_blocking(move || work(&journal)).await {
        Ok(result) => result.map_err(|error| JournalError(error.to_string())),
        Err(error) => Err(JournalError(error.to_string())),
    }
}

/// Changes a setting in the configuration file.
///
/// # Errors
/// Why it is not kept.
async fn configure(file: Option<PathBuf>, preference: Preference) -> Result<(), String> {
    let Some(file) = file else {
        return Err("there is no configuration file".to_owned());
    };
    let set = tokio::task::spawn_blocking(move || edit::set(&file, &preference));
    let set = set.await.map_err(|error| error.to_string())?;
    set.map_err(|error| error.to_string())
}
