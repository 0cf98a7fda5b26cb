//! Which host a request is for: the path's first segment, or the first label of its Host header.

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use frontdesk_protocol::{ErrorCode, Host, ToolError};

use super::refusal::Refusal;
use super::{Allowed, Service};

/// What the path's first segment is called in the routes.
pub(super) const AREA: &str = "area";

/// The host that a request is for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Addressed {
    pub(super) host: Host,
    /// The path names the area; else the Host header does.
    pub(super) in_path: bool,
}

impl Addressed {
    /// The host whose area stands in the path.
    pub(super) fn by_path(host: Host) -> Self {
        Addressed {
            host,
            in_path: true,
        }
    }

    /// The host that the Host header names, if it names one.
    pub(super) fn by_name(service: &Service, headers: &HeaderMap, uri: &Uri) -> Option<Self> {
        let host = by_name(&service.inner.allowed, headers, uri)?;
        Some(Addressed {
            host,
            in_path: false,
        })
    }
}

impl FromRequestParts<Service> for Addressed {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, service: &Service) -> Result<Self, Response> {
        let path = RawPathParams::from_request_parts(parts, service).await.ok();
        let mut path = path.iter().flatten();
        let addressed = match path.find(|(name, _)| *name == AREA) {
            Some((_, area)) => area.parse().ok().map(Addressed::by_path),
            None => Addressed::by_name(service, &parts.headers, &parts.uri),
        };
        match addressed {
            Some(addressed) => Ok(addressed),
            None => Err(no_such_address(parts.uri.clone()).await),
        }
    }
}

/// The host whose area is the first label of the Host header; the staff-management host answers at
/// the base address itself (specification, section 1). Another name below it is nobody's: dashed
/// names are retired (section 9).
fn by_name(allowed: &Allowed, headers: &HeaderMap, uri: &Uri) -> Option<Host> {
    let name = authority(headers, uri)?;
    let label = name.split('.').next()?.to_ascii_lowercase();
    match label.parse() {
        Ok(host) => Some(host),
        Err(_) => allowed.is_base(name).then_some(Host::Staff),
    }
}

/// The name and port that the client addressed. None where the request says none, or several.
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

/// Nothing answers here.
pub(super) async fn no_such_address(uri: Uri) -> Response {
    let areas: Vec<_> = Host::ALL.iter().map(|host| host.area()).collect();
    let error = ToolError::new(
        ErrorCode::NotFound,
        format!("nothing answers at {}", uri.path()),
    )
    .hint(format!(
        "a host answers at /AREA/mcp; the areas are {}",
        areas.join(", ")
    ));
    Refusal::with_status(StatusCode::NOT_FOUND, error).into_response()
}
