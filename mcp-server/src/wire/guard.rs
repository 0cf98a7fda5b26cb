//! Checks Host and Origin, so that a web page cannot reach the hosts through a name that it points at them (DNS
//! rebinding).

use std::net::Ipv6Addr;

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use frontdesk_protocol::{ErrorCode, ToolError};

use super::Service;
use super::authority::authority;
use super::cors::Page;
use super::refusal::Refusal;
use crate::telemetry;

/// The host names that requests can use, and the origins that can send them.
#[derive(Debug, Clone, Default)]
pub struct Allowed {
    names: Vec<String>,
    /// The former name of the thumbnail tool's host; empty if there is none.
    alias: String,
    /// Origins of pages that can call from a browser.
    origins: Vec<String>,
}

impl Allowed {
    /// Allows this machine's own names and the given ones, each with its subdomains: `example.org` also allows
    /// `events.example.org`.
    pub fn names(names: impl IntoIterator<Item = String>) -> Self {
        let own = ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned);
        let names = names.into_iter().map(|name| name.to_ascii_lowercase());
        Allowed {
            names: own.into_iter().chain(names).collect(),
            alias: String::new(),
            origins: Vec::new(),
        }
    }

    /// Also lets the pages of these origins call, such as `https://app.example.org`.
    #[must_use]
    pub fn with_origins(mut self, origins: Vec<String>) -> Self {
        self.origins = origins;
        self
    }

    /// Also allows the former name of the Lesson Studio host.
    #[must_use]
    pub fn with_alias(mut self, name: &str) -> Self {
        self.alias = name.to_ascii_lowercase();
        self
    }

    /// The former name of the Lesson Studio host.
    pub(super) fn alias(&self) -> &str {
        &self.alias
    }

    /// Whether this is the former name of the Lesson Studio host.
    pub(super) fn is_alias(&self, name: &str) -> bool {
        !name.is_empty() && name == self.alias
    }

    /// Whether the name itself is allowed, not only as a subdomain.
    pub(super) fn is_base(&self, authority: &str) -> bool {
        let name = plain_name(authority).unwrap_or_default();
        self.names
            .iter()
            .any(|allowed| allowed.eq_ignore_ascii_case(name))
    }

    fn permits(&self, authority: &str) -> bool {
        let name = plain_name(authority).unwrap_or_default();
        let name = name.to_ascii_lowercase();
        self.names.iter().any(|allowed| {
            name.strip_suffix(allowed.as_str())
                .is_some_and(|below| below.is_empty() || below.ends_with('.'))
        })
    }
}

/// The host of a plain `host[:port]`: a name of letters, digits, `-` and `_`, or an IP address. `None` for everything
/// else that RFC 3986 allows there, such as user names and escapes.
fn plain_name(authority: &str) -> Option<&str> {
    let (name, port) = match authority.rsplit_once(':') {
        Some((name, port)) if !authority.ends_with(']') => (name, port),
        _ => (authority, "0"),
    };
    let is_port = port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok();
    let is_label = |label: &str| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        !label.is_empty() && label.bytes().all(is_plain)
    };
    let is_name = match name.strip_prefix('[') {
        Some(address) => address
            .strip_suffix(']')
            .is_some_and(|address| address.parse::<Ipv6Addr>().is_ok()),
        None => name.split('.').all(is_label),
    };
    (is_port && is_name).then_some(name)
}

/// Whether a refused name can be repeated to its sender: with letters, digits, dots and hyphens only, and a port.
fn is_plain(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':');
    name.len() <= 100 && name.chars().all(is_plain)
}

/// Accepts requests with an allowed Host and, if they have one, an allowed Origin. A request that exceeds the time
/// limit is aborted, for example if its body does not arrive.
pub(super) async fn check(
    State(service): State<Service>,
    request: Request,
    next: Next,
) -> Response {
    let allowed = &service.inner.allowed;
    let host = authority(request.headers(), request.uri()).unwrap_or_default();
    if !allowed.permits(host) {
        telemetry::record_refusal("host", host);
        let named = match host {
            "" => "a request without a name".to_owned(),
            name if is_plain(name) => format!("the name `{name}`"),
            _ => "this name".to_owned(),
        };
        let error = ToolError::new(
            ErrorCode::InvalidArgument,
            format!("the Host header is refused: this service does not answer to {named}"),
        );
        let hint = "start it with --public-url https://NAME or --allow-host NAME; a proxy has to pass the Host \
                    header on unchanged";
        return Refusal::with_status(StatusCode::BAD_REQUEST, error.hint(hint)).into_response();
    }
    let page = Page::of(request.headers(), &allowed.origins);
    if let Some(page) = &page
        && let Some(answer) = page.asks(request.method(), request.headers())
    {
        return answer;
    }
    if let Some(origin) = request
        .headers()
        .get(header::ORIGIN)
        .filter(|_| page.is_none())
    {
        let origin = origin.to_str().unwrap_or_default();
        let from = origin
            .split_once("://")
            .map_or("", |(_, authority)| authority);
        if !allowed.permits(from) {
            telemetry::record_refusal("origin", from);
            let error = ToolError::new(
                ErrorCode::Forbidden,
                "pages of this origin cannot call this service",
            );
            let hint = "start it with --allow-origin ORIGIN to let the pages of that origin call";
            return Refusal::with_status(StatusCode::FORBIDDEN, error.hint(hint)).into_response();
        }
    }
    let answered = tokio::time::timeout(service.inner.limit_of_call, next.run(request)).await;
    let response = answered.unwrap_or_else(|_| Refusal::too_slow().into_response());
    match page {
        Some(page) => page.may_read(response),
        None => response,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_the_names_below_them_are_allowed() {
        let allowed = Allowed::names(["Example.org".to_owned()]);
        for name in [
            "localhost:4700",
            "events.localhost",
            "127.0.0.1:80",
            "[::1]:80",
            "example.org",
            "events.EXAMPLE.org:443",
        ] {
            assert!(allowed.permits(name), "{name}");
        }
        for name in [
            "",
            "evil.test",
            "badexample.org",
            "example.org.evil.test",
            "null",
            "evil.test/.localhost",
            "evil.test:80/.localhost",
            "evil.test@localhost",
            "evil.test?.localhost",
            "evil.test#.localhost",
            "\"evil\".localhost",
            "a b.localhost",
            ".localhost",
            "a..localhost",
            "localhost.",
            "localhost:",
            "localhost:+80",
            "localhost:65536",
            "localhost:80:80",
            "[localhost]",
            "[::1",
            "::1",
        ] {
            assert!(!allowed.permits(name), "{name}");
        }
    }
}
