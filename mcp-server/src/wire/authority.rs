//! The host name and port in a request.

use axum::http::{HeaderMap, Uri, header};

/// The name and port that the client addressed, or `None` if the request names none or several.
pub(super) fn authority<'a>(headers: &'a HeaderMap, uri: &'a Uri) -> Option<&'a str> {
    let target = uri.authority().map(|authority| authority.as_str());
    let mut hosts = headers.get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (Some(host), None) => {
            let host = host.to_str().ok()?;
            target
                .is_none_or(|target| target.eq_ignore_ascii_case(host))
                .then_some(host)
        }
        (None, _) => target,
        (Some(_), Some(_)) => None,
    }
}
