//! A program that signs people in: registered by what its id says. Nothing about it is stored, and it has no
//! secret, so that the id is no more than what it said about itself, with our signature.

use serde::{Deserialize, Serialize};
use url::Url;

/// What a program registered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Registered {
    redirects: Vec<Url>,
    /// Seconds since 1970.
    at: i64,
}

impl Registered {
    /// A program that is sent back to these addresses of its own machine.
    pub(super) fn new(redirects: Vec<Url>, at: i64) -> Self {
        Registered { redirects, at }
    }

    /// Whether it is sent back there: a port may be another at each sign-in (RFC 8252, section 7.3).
    pub(super) fn is_known(&self, redirect: &Url) -> bool {
        self.redirects
            .iter()
            .any(|known| without_port(known) == without_port(redirect))
    }
}

fn without_port(url: &Url) -> Url {
    let mut url = url.clone();
    // Only an address without a host has no port to take away.
    let _ = url.set_port(None);
    url
}
