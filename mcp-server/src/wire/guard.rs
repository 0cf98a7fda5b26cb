//! Host and Origin: a web page must not reach the hosts by pointing a name of its own at them (DNS
//! rebinding).

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use frontdesk_protocol::{ErrorCode, ToolError};

use super::address::authority;
use super::refusal::Refusal;
use super::{CALL_TIMEOUT, Service};

/// The names under which the hosts may be addressed, and from which pages may call them.
#[derive(Debug, Clone, Default)]
pub struct Allowed {
    names: Vec<String>,
}

impl Allowed {
    /// This machine's own names, and these. A name stands for the names below it, too:
    /// `example.org` allows `events.example.org`.
    pub fn names(names: impl IntoIterator<Item = String>) -> Self {
        let own = ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned);
        let names = names.into_iter().map(|name| name.to_ascii_lowercase());
        Allowed {
            names: own.into_iter().chain(names).collect(),
        }
    }

    /// Whether the name is allowed as it stands, and not only as a name below one.
    pub(super) fn is_base(&self, authority: &str) -> bool {
        let name = without_port(authority);
        self.names
            .iter()
            .any(|allowed| allowed.eq_ignore_ascii_case(name))
    }

    fn permits(&self, authority: &str) -> bool {
        let name = without_port(authority).to_ascii_lowercase();
        self.names.iter().any(|allowed| {
            name.strip_suffix(allowed.as_str())
                .is_some_and(|below| below.is_empty() || below.ends_with('.'))
        })
    }
}

fn without_port(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => authority,
    }
}

/// Lets a request pass whose Host and, if it has one, Origin are allowed. It is given up where it takes
/// too long, be it that its body does not arrive.
pub(super) async fn check(
    State(service): State<Service>,
    request: Request,
    next: Next,
) -> Response {
    let allowed = &service.inner.allowed;
    let host = authority(request.headers(), request.uri()).unwrap_or_default();
    if !allowed.permits(host) {
        return refuse(
            "this service does not answer to that name",
            "start it with --allow-host NAME to allow the name",
        );
    }
    if let Some(origin) = request.headers().get(header::ORIGIN) {
        let origin = origin.to_str().unwrap_or_default();
        let page = origin
            .split_once("://")
            .map_or("", |(_, authority)| authority);
        if !allowed.permits(page) {
            return refuse(
                "pages of that origin may not call this service",
                "start it with --allow-host NAME to allow the pages of that name",
            );
        }
    }
    match tokio::time::timeout(CALL_TIMEOUT, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Refusal::new(&ToolError::new(
            ErrorCode::OutcomeUnknown,
            "the call took too long: it may or may not have been done",
        ))
        .into_response(),
    }
}

fn refuse(message: &str, hint: &str) -> Response {
    let error = ToolError::new(ErrorCode::Forbidden, message).hint(hint);
    Refusal::with_status(StatusCode::FORBIDDEN, error).into_response()
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
        ] {
            assert!(!allowed.permits(name), "{name}");
        }
    }
}
