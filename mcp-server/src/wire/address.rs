//! Which host a request is for: the path's first segment, or the first label of its Host header.

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use frontdesk_protocol::{ErrorCode, Host, ToolError};

use super::refusal::Refusal;
use super::{Service, alias};

/// What the path's first segment is called in the routes.
pub(super) const AREA: &str = "area";

/// The host that a request is for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Addressed {
    pub(super) host: Host,
    /// The path names the area; else the Host header does.
    pub(super) in_path: bool,
    /// By the earlier name of the thumbnail tool's host, which has no other tool.
    pub(super) is_alias: bool,
}

impl Addressed {
    /// The host of this name: its area, or its earlier name.
    fn named(service: &Service, name: &str, in_path: bool) -> Option<Self> {
        let is_alias = service.is_alias(name);
        let host = match is_alias {
            true => alias::HOST,
            false => name.parse().ok()?,
        };
        Some(Addressed {
            host,
            in_path,
            is_alias,
        })
    }

    /// The host whose name stands in the path.
    pub(super) fn by_path(service: &Service, area: &str) -> Option<Self> {
        Addressed::named(service, area, true)
    }

    /// The host whose name is the first label of the Host header; the staff-management host answers at
    /// the base address itself (specification, section 1). Another name below it is nobody's: dashed
    /// names are retired (section 9).
    pub(super) fn by_name(service: &Service, headers: &HeaderMap, uri: &Uri) -> Option<Self> {
        let name = authority(headers, uri)?;
        let label = name.split('.').next()?.to_ascii_lowercase();
        let staff = || service.inner.allowed.is_base(name).then_some(Host::Staff);
        Addressed::named(service, &label, false).or_else(|| {
            Some(Addressed {
                host: staff()?,
                in_path: false,
                is_alias: false,
            })
        })
    }

    /// The name of the host in a path.
    pub(super) fn name(self, service: &Service) -> &str {
        match self.is_alias {
            true => service.inner.allowed.alias(),
            false => self.host.area(),
        }
    }

    /// Whether a tool of the host is served at this address.
    pub(super) fn serves(self, tool: &str) -> bool {
        !self.is_alias || tool == alias::TOOL
    }
}

impl FromRequestParts<Service> for Addressed {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, service: &Service) -> Result<Self, Response> {
        let path = RawPathParams::from_request_parts(parts, service).await.ok();
        let mut path = path.iter().flatten();
        let addressed = match path.find(|(name, _)| *name == AREA) {
            Some((_, area)) => Addressed::by_path(service, area),
            None => Addressed::by_name(service, &parts.headers, &parts.uri),
        };
        match addressed {
            Some(addressed) => Ok(addressed),
            None => Err(no_such_address(parts.uri.clone()).await),
        }
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
