//! Browser sign-in in progress.

use std::sync::{Arc, Mutex, PoisonError};

use frontdesk_client::{Account, CallError, ProviderSignIn, SIGN_IN_WITHIN};
use frontdesk_protocol::{ErrorCode, ToolError};

/// The sign-in started last. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Browser {
    open: fn(&str),
    begun: Arc<Mutex<Option<Arc<ProviderSignIn>>>>,
}

impl Browser {
    /// Opens addresses with this function.
    pub(crate) fn new(open: fn(&str)) -> Browser {
        Browser {
            open,
            begun: Arc::default(),
        }
    }

    /// Starts a sign-in and returns its address. A previous one is abandoned.
    pub(crate) fn open(&self, begun: ProviderSignIn) -> String {
        let address = begun.address().to_owned();
        (self.open)(&address);
        *self.begun.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(begun));
        address
    }

    fn begun(&self) -> Result<Arc<ProviderSignIn>, CallError> {
        let begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        begun
            .clone()
            .ok_or_else(|| refused("no sign-in was begun".to_owned()))
    }

    /// Waits for the redirect and completes the sign-in.
    ///
    /// # Errors
    /// As for [`Browser::finish`]; also if the time limit is exceeded.
    pub(crate) async fn wait(&self) -> Result<Account, CallError> {
        let begun = self.begun()?;
        match tokio::time::timeout(SIGN_IN_WITHIN, begun.redirected()).await {
            Ok(Ok(answer)) => self.finish(&answer).await,
            Ok(Err(error)) => Err(refused(format!("the browser cannot return: {error}"))),
            Err(_) => Err(refused("nobody signed in within ten minutes".to_owned())),
        }
    }

    /// Completes the sign-in with the redirect address.
    ///
    /// # Errors
    /// [`CallError::Tool`] if it is refused: the previous sign-in is kept. Otherwise as for any
    /// call.
    pub(crate) async fn finish(&self, answer: &str) -> Result<Account, CallError> {
        match self.begun()?.finish(answer).await {
            Err(CallError::SignedOut(reason)) => Err(refused(reason)),
            other => other,
        }
    }
}

fn refused(why: String) -> CallError {
    CallError::Tool(ToolError::new(ErrorCode::Unauthorized, why))
}
