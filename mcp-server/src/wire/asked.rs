//! Who asks, where, and what is asked with each message of a request.

use axum::http::HeaderMap;
use frontdesk_protocol::mcp::CallMeta;

use super::Service;
use super::address::Addressed;
use super::person::Person;
use crate::call::{Call, Hosts};
use crate::database::Access;
use crate::identity::Verified;

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
    /// Who answers questions for a client with a handshake.
    pub(super) person: Option<&'a Person>,
}

impl Asked<'_> {
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
