//! Requests to a server: sent over its session, watched, and cancelled if nobody waits.

use std::sync::{MutexGuard, PoisonError};
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{
    CancelledNotification, CancelledNotificationParam, ClientNotification, ClientRequest,
    RequestId, RequestMetaObject,
};
use rmcp::service::Peer;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::{Server, Way};
use crate::answers::Answer;
use crate::error::CallError;
use crate::failure::Failure;
use crate::listener::{Notice, Progress};
use crate::session::{Session, Trouble};

/// The time limit of a call. A progress report restarts it, so only a silent tool is given up.
pub(super) const ANSWER_WITHIN: Duration = Duration::from_secs(10 * 60);

impl Server {
    /// Sends a request over the session. It is sent once more if the server did not execute it: over
    /// a new session if the server does not know this one, and after the user has opened the pages that
    /// the server requires.
    pub(super) async fn request(
        &self,
        request: ClientRequest,
        meta: Option<RequestMetaObject>,
        is_safe: bool,
        mut on_progress: impl FnMut(Progress) + Send,
    ) -> Result<Answer, CallError> {
        let (mut is_retry, mut has_opened) = (false, false);
        loop {
            let session = self.session().await?;
            let meta = self.with_log_level(&session, meta.clone());
            let trouble = match self
                .exchange(&session, request.clone(), meta, &mut on_progress)
                .await
            {
                Ok(result) => return Ok(result),
                Err(trouble) => self.explained(trouble),
            };
            if let Some(is_repeatable) = trouble.is_forgotten(is_safe) {
                self.retire(&session).await;
                if is_repeatable && !is_retry {
                    is_retry = true;
                    continue;
                }
            }
            if let Some(pages) = trouble.required_pages().filter(|_| !has_opened)
                && self.0.listener.responder.open(&pages).await?
            {
                has_opened = true;
                continue;
            }
            return Err(trouble.into_error(&self.0.place, is_safe));
        }
    }

    async fn exchange(
        &self,
        session: &Session,
        request: ClientRequest,
        meta: Option<RequestMetaObject>,
        on_progress: &mut (impl FnMut(Progress) + Send),
    ) -> Result<Answer, Trouble> {
        // Subscribe before sending, so no notice is missed.
        let mut notices = self.notices();
        let handle = session.begin(request, meta).await?;
        let token = handle.progress_token.0.to_string();
        let mut cancel = Cancel {
            server: self,
            session,
            request: Some((handle.peer.clone(), handle.id.clone())),
        };
        let answer = session.response(handle);
        let silence = tokio::time::sleep(ANSWER_WITHIN);
        tokio::pin!(answer, silence);
        let answer = loop {
            tokio::select! {
                biased;
                notice = notices.recv() => {
                    if let Ok(Notice::Progress(progress)) = notice && progress.token == token {
                        on_progress(progress);
                        silence.as_mut().reset(Instant::now() + ANSWER_WITHIN);
                    }
                }
                answer = &mut answer => break answer,
                () = &mut silence => {
                    if !self.0.listener.responder.is_asking() {
                        let reason = "no answer in time".to_owned();
                        return Err(Trouble::Exchange(Failure::Lost(reason)));
                    }
                    // The server waits for the user.
                    silence.as_mut().reset(Instant::now() + ANSWER_WITHIN);
                }
            }
        };
        cancel.request = None;
        answer
    }

    /// A lost answer of a process that has ended, with its end.
    fn explained(&self, trouble: Trouble) -> Trouble {
        match (&self.0.way, trouble) {
            (Way::Command(_, fate), Trouble::Exchange(Failure::Lost(reason))) => {
                Trouble::Exchange(Failure::Lost(fate.tell().unwrap_or(reason)))
            }
            (_, trouble) => trouble,
        }
    }

    pub(super) fn cancelling(&self) -> MutexGuard<'_, Vec<JoinHandle<()>>> {
        let cancelling = self.0.cancelling.lock();
        cancelling.unwrap_or_else(PoisonError::into_inner)
    }
}

/// Cancels the request at the server if it is dropped before the answer.
struct Cancel<'a> {
    server: &'a Server,
    session: &'a Session,
    request: Option<(Peer<RoleClient>, RequestId)>,
}

impl Drop for Cancel<'_> {
    fn drop(&mut self) {
        let Some((peer, id)) = self.request.take() else {
            return;
        };
        self.session.forget(&id);
        // Without a runtime there is no connection either.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        let params = CancelledNotificationParam::new(Some(id), Some("nobody waits".to_owned()));
        let notification = CancelledNotification::new(params);
        let task = runtime.spawn(async move {
            let notification = ClientNotification::CancelledNotification(notification);
            // The caller has stopped waiting, so a failure does not matter.
            let _ = peer.send_notification(notification).await;
        });
        let mut cancelling = self.server.cancelling();
        cancelling.retain(|task| !task.is_finished());
        cancelling.push(task);
    }
}
