//! The former name of the Lesson Studio host, used for thumbnails (specification, sections 1, 8 and 9). Under this name
//! it serves one tool, and announces the end of the name in every answer; after that it does not answer.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri, header};
use axum::middleware::Next;
use axum::response::Response;
use frontdesk_protocol::Host;
use jiff::Timestamp;

use super::Service;
use super::authority::authority;

/// The host of the tool.
pub(super) const HOST: Host = Host::Studio;
/// The only tool served under this name.
pub(super) const TOOL: &str = "generate_thumbnail";
/// Added to the tool's description.
pub(super) const NOTE: &str =
    "This name of the host ends after 2026-12-04; the tool stays, at the studio host.";
/// The end of the name, in seconds since 1970: 2026-12-05 00:00 UTC.
const ENDS: i64 = 1_796_428_800;
/// The same time as an HTTP date (RFC 8594).
const SUNSET: HeaderValue = HeaderValue::from_static("Sat, 05 Dec 2026 00:00:00 GMT");
/// The start of the deprecation (RFC 9745): 2026-11-22 00:00 UTC.
const DEPRECATION: HeaderValue = HeaderValue::from_static("@1795305600");

impl Service {
    /// Whether a path's first segment or a Host header's first label is the alias, and the alias has not ended.
    pub(super) fn is_alias(&self, name: &str) -> bool {
        let ends = Timestamp::from_second(ENDS).unwrap_or(Timestamp::MIN);
        self.inner.allowed.is_alias(name) && self.inner.clock.now() < ends
    }

    /// Whether a request uses the alias.
    fn asks_alias(&self, headers: &HeaderMap, uri: &Uri) -> bool {
        let segment = uri.path().split('/').nth(1).unwrap_or_default();
        let label = authority(headers, uri).and_then(|name| name.split('.').next());
        self.is_alias(segment)
            || segment.parse::<Host>().is_err()
                && label.is_some_and(|label| self.is_alias(&label.to_ascii_lowercase()))
    }
}

/// Adds the end of the alias to each of its answers.
pub(super) async fn tell_end(
    State(service): State<Service>,
    request: Request,
    next: Next,
) -> Response {
    let ends = service.asks_alias(request.headers(), request.uri());
    let mut response = next.run(request).await;
    if ends {
        let headers = response.headers_mut();
        headers.insert(HeaderName::from_static("deprecation"), DEPRECATION);
        headers.insert(HeaderName::from_static("sunset"), SUNSET);
        let successor = HeaderValue::from_static("</studio/mcp>; rel=\"successor-version\"");
        headers.append(header::LINK, successor);
    }
    response
}
