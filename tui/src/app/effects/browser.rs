//! Browser sign-in in progress.

use std::sync::{Arc, Mutex, PoisonError};

use frontdesk_client::server::SignIn;
use frontdesk_client::{Account, CallError, ProviderSignIn, SIGN_IN_WITHIN};
use frontdesk_protocol::{ErrorCode, ToolError};

/// Where a sign-in in a browser leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SignInTo {
    /// To the service, through this provider.
    Service(String),
    /// To the server with this name.
    Server(String),
}

/// A completed sign-in.
#[derive(Debug, Clone)]
pub(crate) enum SignedIn {
    /// To the service, with this account.
    Service(Account),
    /// To the server with this name.
    Server(String),
}

/// A sign-in that goes on in a browser.
#[derive(Debug)]
pub(crate) enum Begun {
    /// To the service.
    Service(Box<ProviderSignIn>),
    /// To the server with this name.
    Server(String, Box<SignIn>),
}

/// The sign-in started last. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Browser {
    open: fn(&str) -> bool,
    begun: Arc<Mutex<Option<Arc<Begun>>>>,
}

impl Begun {
    fn address(&self) -> &str {
        match self {
            Begun::Service(begun) => begun.address(),
            Begun::Server(_, begun) => begun.address(),
        }
    }

    async fn redirected(&self) -> std::io::Result<String> {
        match self {
            Begun::Service(begun) => begun.redirected().await,
            Begun::Server(_, begun) => begun.redirected().await,
        }
    }

    /// Completes it with the redirect address.
    async fn finish(&self, answer: &str) -> Result<SignedIn, CallError> {
        let signed_in = match self {
            Begun::Service(begun) => begun.finish(answer).await.map(SignedIn::Service),
            Begun::Server(name, begun) => {
                let ended = begun.finish(answer).await;
                ended.map(|()| SignedIn::Server(name.clone()))
            }
        };
        signed_in.map_err(refusal)
    }
}

impl Browser {
    /// Opens addresses with this function.
    pub(crate) fn new(open: fn(&str) -> bool) -> Browser {
        Browser {
            open,
            begun: Arc::default(),
        }
    }

    /// Opens the page of a sign-in and returns its address. A previous one is abandoned.
    pub(crate) fn open(&self, begun: Begun) -> String {
        let address = begun.address().to_owned();
        // The address is on screen as well.
        let _ = (self.open)(&address);
        *self.begun.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(begun));
        address
    }

    fn begun(&self) -> Option<Arc<Begun>> {
        let begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        begun.clone()
    }

    /// Waits for the redirect and completes the sign-in. Fails if the time limit is exceeded.
    pub(super) async fn wait(&self) -> Result<SignedIn, CallError> {
        let begun = self.begun().ok_or_else(not_begun)?;
        match tokio::time::timeout(SIGN_IN_WITHIN, begun.redirected()).await {
            Ok(Ok(answer)) => begun.finish(&answer).await,
            Ok(Err(error)) => Err(refused(format!("the browser cannot return: {error}"))),
            Err(_) => Err(refused("nobody signed in within ten minutes".to_owned())),
        }
    }

    /// Completes the sign-in with the redirect address. If it is refused, the previous one is kept.
    pub(super) async fn finish(&self, answer: &str) -> Result<SignedIn, CallError> {
        self.begun().ok_or_else(not_begun)?.finish(answer).await
    }
}

fn not_begun() -> CallError {
    refused("no sign-in was begun".to_owned())
}

/// The refusal of a sign-in does not end the session that there is.
fn refusal(error: CallError) -> CallError {
    match error {
        CallError::SignedOut(reason) => refused(reason),
        error => error,
    }
}

fn refused(why: String) -> CallError {
    CallError::Tool(ToolError::new(ErrorCode::Unauthorized, why))
}
