//! Finds a request's host: by the path's first segment, or by the first label of its Host header.

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use frontdesk_protocol::{ErrorCode, Host, ToolError};

use super::authority::authority;
use super::refusal::Refusal;
use super::{Service, agents, alias};

/// The name of the path's first segment in the routes.
pub(super) const AREA: &str = "area";

/// The host that a request is for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Addressed {
    pub(super) host: Host,
    /// Whether the path names the area; otherwise the Host header does.
    pub(super) in_path: bool,
    /// Whether the address uses the former name of the thumbnail tool's host, which serves no other tool.
    pub(super) is_alias: bool,
    /// Whether it is the address with the tools of all hosts.
    pub(super) is_for_agents: bool,
}

impl Addressed {
    /// The host with this name: its area, or its former name.
    fn named(service: &Service, name: &str, in_path: bool) -> Option<Self> {
        let is_alias = service.is_alias(name);
        let is_for_agents = name == agents::NAME;
        let host = match (is_alias, is_for_agents) {
            (true, _) => alias::HOST,
            (_, true) => agents::HOST,
            _ => name.parse().ok()?,
        };
        Some(Addressed {
            host,
            in_path,
            is_alias,
            is_for_agents,
        })
    }

    /// The address of a host by its path.
    pub(super) fn of(host: Host) -> Self {
        Addressed {
            host,
            in_path: true,
            is_alias: false,
            is_for_agents: false,
        }
    }

    /// The host named in the path.
    pub(super) fn by_path(service: &Service, area: &str) -> Option<Self> {
        Addressed::named(service, area, true)
    }

    /// The host named by the first label of the Host header. The staff-management host answers at the base address
    /// (specification, section 1). Other names below the base address have no host: dashed names are retired
    /// (section 9).
    pub(super) fn by_name(service: &Service, headers: &HeaderMap, uri: &Uri) -> Option<Self> {
        let name = authority(headers, uri)?;
        let label = name.split('.').next()?.to_ascii_lowercase();
        let staff = || service.inner.allowed.is_base(name).then_some(Host::Staff);
        Addressed::named(service, &label, false).or_else(|| {
            Some(Addressed {
                host: staff()?,
                in_path: false,
                ..Addressed::of(staff()?)
            })
        })
    }

    /// The host's name in a path.
    pub(super) fn name(self, service: &Service) -> &str {
        match self {
            Addressed { is_alias: true, .. } => service.inner.allowed.alias(),
            Addressed {
                is_for_agents: true,
                ..
            } => agents::NAME,
            _ => self.host.area(),
        }
    }

    /// Whether resources of a host are read at this address.
    pub(super) fn reads(self, host: Host) -> bool {
        !self.is_alias && (self.is_for_agents || self.host == host)
    }

    /// Whether this address serves the host's tool.
    pub(super) fn serves(self, tool: &str) -> bool {
        match self {
            Addressed { is_alias: true, .. } => tool == alias::TOOL,
            Addressed {
                is_for_agents: true,
                ..
            } => agents::serves(tool),
            _ => true,
        }
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

/// The answer at an unknown address.
pub(super) async fn no_such_address(uri: Uri) -> Response {
    let hosts = Host::ALL.into_iter().map(Host::area);
    let areas: Vec<_> = hosts.chain([agents::NAME]).collect();
    let error = ToolError::new(
        ErrorCode::NotFound,
        format!("no host has the path {}", uri.path()),
    )
    .hint(format!(
        "hosts have the path /AREA/mcp; the areas are {}",
        areas.join(", ")
    ));
    Refusal::with_status(StatusCode::NOT_FOUND, error).into_response()
}
