//! Who asks, where, and what is asked with each message of a request.

use std::sync::Arc;

use axum::http::HeaderMap;
use axum::http::header::USER_AGENT;
use frontdesk_protocol::Role;
use frontdesk_protocol::mcp::{CallMeta, SESSION_HEADER};
use frontdesk_protocol::ops::context::Caller;
use sha2::{Digest, Sha256};

use super::Service;
use super::address::Addressed;
use super::person::Person;
use super::readings::Found;
use super::refusal::Refusal;
use crate::call::{Call, Capabilities, Hosts, Progress, Stop};
use crate::database::{Access, Actor, Reads, Transaction};
use crate::identity::Verified;

/// How Frontdesk's own programs name themselves.
const OWN: &str = "frontdesk/";
/// The maximum length of a client's name in characters.
const MOST_OF_A_NAME: usize = 200;

/// The context that all messages of a request share.
#[derive(Clone)]
pub(super) struct Asked<'a> {
    pub(super) service: &'a Service,
    pub(super) addressed: Addressed,
    pub(super) caller: Verified,
    pub(super) headers: &'a HeaderMap,
    /// The tools that the caller asks for.
    pub(super) hosts: Hosts,
    /// The id of the request in the log's lines.
    pub(super) request: String,
    /// What its client can be asked about its requests.
    pub(super) client: Capabilities,
    /// Who answers questions for a client with a handshake.
    pub(super) person: Option<&'a Person>,
    /// Reports the progress of the call to its client.
    pub(super) progress: Option<Progress>,
    /// Whether the client has cancelled its call.
    pub(super) stop: Option<Stop>,
    /// What notes the tables that its calls read.
    pub(super) reads: Option<Arc<Reads>>,
}

impl Asked<'_> {
    /// The caller's current role at the host.
    pub(super) async fn role(&self) -> Result<Option<Role>, Refusal> {
        let role = self.asking().role_at(self.addressed.host).await;
        role.map_err(|error| Refusal::new(&error))
    }

    /// Who the caller is at the host, and the organisation's day.
    pub(super) async fn who(&self) -> Result<Caller, Refusal> {
        let caller = self.asking().caller_at(self.addressed.host).await;
        caller.map_err(|error| Refusal::new(&error))
    }

    /// The resources that a caller with this role is offered.
    pub(super) fn readings(&self, role: Option<Role>) -> Vec<Found<'_>> {
        let readings = &self.service.inner.readings;
        readings.offered(&self.hosts, self.addressed, role)
    }

    /// The digest of the request's session, with which its questions and subscriptions are stored: no other session has
    /// them, not even one of the same account. Without a session it is that of nothing.
    pub(super) fn session(&self) -> Vec<u8> {
        let session = self.headers.get(SESSION_HEADER);
        Sha256::digest(session.map_or(&b""[..], |session| session.as_bytes())).to_vec()
    }

    /// A transaction of the caller's.
    pub(super) fn transaction(&self, access: Access) -> Transaction {
        let database = &self.service.inner.database;
        let mut transaction =
            database.transaction(Actor::Caller(self.caller.user), self.caller.access(access));
        transaction.prove(Some(self.caller.proof));
        transaction
    }

    /// A call that reads who the caller is.
    pub(super) fn asking(&self) -> Call {
        Call::new(
            &self.service.inner.database,
            self.caller.user,
            Some(self.caller.proof),
            Access::Read,
            CallMeta::default(),
        )
    }
}

/// Whether the calling program is one of Frontdesk's own.
pub(super) fn is_own(headers: &HeaderMap) -> bool {
    client(headers).is_some_and(|client| client.starts_with(OWN))
}

/// The calling program, as it names itself.
pub(super) fn client(headers: &HeaderMap) -> Option<String> {
    let named = headers.get(USER_AGENT)?.to_str().ok()?;
    Some(named.chars().take(MOST_OF_A_NAME).collect())
}
