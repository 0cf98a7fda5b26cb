//! The work of the start screen: looks at this machine, writes the configuration, serves hosts.

use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use frontdesk_client::config::edit::{self, Addition};
use frontdesk_client::config::elsewhere::Found;
use frontdesk_client::{Addresses, CallError, Client, CredentialStore, Server, paths};
use frontdesk_protocol::Host;

use crate::app::effects::job::{Outcome, Work, Working};
use crate::app::effects::worker::Worker;
use crate::app::reporter::Reporter;
use crate::local::{FirstOwner, Local, has_database};
use crate::screens::start::job::{Choice, Done, Seen, Step};

/// The port of `frontdesk-server serve`.
const PORT: u16 = 4700;

/// The start of a user without configuration. Clones share the result.
#[derive(Debug, Clone)]
pub struct FirstStart(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    config_file: PathBuf,
    data: PathBuf,
    api_key: String,
    /// The servers of other clients.
    found: Found,
    chosen: Mutex<Option<Choice>>,
    local: tokio::sync::Mutex<Option<Local>>,
}

impl FirstStart {
    /// Writes to this configuration file and data directory. `api_key` is the public key of the
    /// project; `found` are servers to offer.
    pub fn new(config_file: PathBuf, data: PathBuf, api_key: String, found: Found) -> FirstStart {
        FirstStart(Arc::new(Inner {
            config_file,
            data,
            api_key,
            found,
            chosen: Mutex::default(),
            local: tokio::sync::Mutex::default(),
        }))
    }

    /// What the user chose; `None` before that, and if they left.
    pub fn chosen(&self) -> Option<Choice> {
        *self.0.chosen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The hosts that were started.
    pub async fn take_local(&self) -> Option<Local> {
        self.0.local.lock().await.take()
    }

    /// Starts the hosts of this machine, creates the organisation with its owner, and signs in.
    ///
    /// # Errors
    /// Why that is not possible, as a sentence.
    pub async fn set_up(&self, owner: FirstOwner) -> Result<(), String> {
        self.serve(Some(owner)).await.map(drop)
    }

    async fn step(&self, step: Step) -> Result<Done, String> {
        match step {
            Step::Look => self.look().await.map(|seen| Done::Seen(Box::new(seen))),
            Step::Add(addition) => {
                answers(&addition).await?;
                self.add(addition).await.map(|()| Done::Added)
            }
            Step::Serve(owner) => self.serve(owner).await,
            Step::Leave(choice) => {
                let mut chosen = self.0.chosen.lock().unwrap_or_else(PoisonError::into_inner);
                *chosen = Some(choice);
                Ok(Done::Left)
            }
        }
    }

    async fn look(&self) -> Result<Seen, String> {
        let first = self.clone();
        let look = move || {
            let database = first.0.data.join("postgres");
            Seen {
                config_file: first.0.config_file.clone(),
                has_database: has_database(&database),
                place: Local::place(),
                local: Local::IS_POSSIBLE.then(|| Addition::Local {
                    url: format!("http://127.0.0.1:{}", free_port()),
                    database,
                }),
                found: first.0.found.clone(),
            }
        };
        on_disk(look).await
    }

    async fn add(&self, addition: Addition) -> Result<(), String> {
        let file = self.0.config_file.clone();
        let added = on_disk(move || edit::add(&file, &addition)).await?;
        added.map_err(|error| error.to_string())
    }

    async fn serve(&self, owner: Option<FirstOwner>) -> Result<Done, String> {
        let seen = self.look().await?;
        let Some(Addition::Local { url, database }) = seen.local else {
            return Err("this build of frontdesk has no hosts".to_owned());
        };
        let mut running = self.0.local.lock().await;
        let local = match running.take() {
            Some(local) => local,
            None => Local::start(&database, &url)
                .await
                .map_err(|error| error.to_string())?,
        };
        let local = running.insert(local);
        let is_set_up = local.is_set_up().await.map_err(|error| error.to_string())?;
        let url = local.url();
        match (&owner, is_set_up) {
            (None, false) => return Ok(Done::NeedsOwner),
            (Some(owner), false) => local
                .set_up(owner)
                .await
                .map_err(|error| error.to_string())?,
            (Some(_), true) => {
                return Err(format!(
                    "{} already has an organisation; go back and open it",
                    database.display()
                ));
            }
            (None, true) => {}
        }
        self.add(Addition::Local {
            url: url.clone(),
            database,
        })
        .await?;
        if let Some(owner) = owner {
            let store = CredentialStore::file(paths::credentials_file(&self.0.data));
            let client = client(&url, store)?;
            let password = owner.password.expose();
            let signed_in = client.sign_in(&self.0.api_key, &owner.email, password);
            signed_in.await.map_err(|error| error.to_string())?;
        }
        Ok(Done::Serving)
    }
}

impl Worker for FirstStart {
    fn run(&self, work: Work, _: Reporter) -> Working {
        let first = self.clone();
        Box::pin(async move {
            match work.job::<Step>() {
                Some(step) => {
                    let done = first.step(Step::clone(&step)).await;
                    Outcome::of(step, done)
                }
                None => work.lost(),
            }
        })
    }
}

/// The port of the hosts; another free one if it is taken.
fn free_port() -> u16 {
    let bound = TcpListener::bind((Ipv4Addr::LOCALHOST, PORT))
        .or_else(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)));
    bound
        .and_then(|listener| listener.local_addr())
        .map_or(PORT, |address| address.port())
}

async fn on_disk<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, String> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| error.to_string())
}

fn client(url: &str, store: CredentialStore) -> Result<Client, String> {
    let addresses = Addresses::new(url).map_err(|error| error.to_string())?;
    Client::new(addresses, store).map_err(|error| error.to_string())
}

/// Checks that the service or server answers. One that requires a sign-in does.
async fn answers(addition: &Addition) -> Result<(), String> {
    match addition {
        Addition::Service(url) | Addition::Local { url, .. } => {
            let client = client(url, CredentialStore::memory())?;
            let health = client.health(Host::Events).await;
            health.map(drop).map_err(|error| error.to_string())
        }
        Addition::Server(name, config) => {
            let server = Server::new(name, config, None).map_err(|error| error.to_string())?;
            let about = server.about().await;
            server.close().await;
            match about {
                Ok(_) | Err(CallError::SignedOut(_)) => Ok(()),
                Err(error) => Err(error.to_string()),
            }
        }
    }
}
