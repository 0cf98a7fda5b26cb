//! Pages of other origins that may call the hosts from a browser (CORS). They are named one by one; a page has no rights of its
//! own, only the token that it sends.

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// The headers of requests that clients send.
const ASKED: HeaderValue = HeaderValue::from_static(
    "authorization, content-type, accept, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name, last-event-id, \
     x-frontdesk-tools, idempotency-key",
);
/// The headers of answers that pages can read.
const SHOWN: HeaderValue = HeaderValue::from_static(
    "mcp-session-id, www-authenticate, retry-after, x-ratelimit-remaining",
);
const METHODS: HeaderValue = HeaderValue::from_static("GET, POST");
/// How long a browser remembers this, in seconds.
const REMEMBERED: HeaderValue = HeaderValue::from_static("7200");

/// An origin that may call.
pub(super) struct Page(HeaderValue);

impl Page {
    /// The page of a request, if its origin is one of these.
    pub(super) fn of(headers: &HeaderMap, allowed: &[String]) -> Option<Page> {
        let origin = headers.get(header::ORIGIN)?;
        let named = origin.to_str().ok()?;
        let is_allowed = allowed.iter().any(|one| one.eq_ignore_ascii_case(named));
        is_allowed.then(|| Page(origin.clone()))
    }

    /// The answer to the question whether the page may call; `None` for other requests.
    pub(super) fn asks(&self, method: &Method, headers: &HeaderMap) -> Option<Response> {
        let asks = headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
        (method == Method::OPTIONS && asks).then(|| {
            let about = [
                (header::ACCESS_CONTROL_ALLOW_METHODS, METHODS),
                (header::ACCESS_CONTROL_ALLOW_HEADERS, ASKED),
                (header::ACCESS_CONTROL_MAX_AGE, REMEMBERED),
            ];
            self.may_read((StatusCode::NO_CONTENT, about).into_response())
        })
    }

    /// The answer, which the page may read.
    pub(super) fn may_read(&self, mut response: Response) -> Response {
        let headers: [(HeaderName, HeaderValue); 3] = [
            (header::ACCESS_CONTROL_ALLOW_ORIGIN, self.0.clone()),
            (header::ACCESS_CONTROL_EXPOSE_HEADERS, SHOWN),
            (header::VARY, HeaderValue::from_static("origin")),
        ];
        response.headers_mut().extend(headers);
        response
    }
}
