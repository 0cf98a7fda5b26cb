//! `preview_call` and `apply_call`: a call of any host in the arguments of another. It is made as if it had been sent to
//! its host, with the `_meta` of a preview or of an expected plan.

use frontdesk_protocol::id::ChangeId;
use frontdesk_protocol::mcp::CallMeta;
use frontdesk_protocol::ops::preview::{
    AppliedCall, ApplyCall, CallPreview, MOST_SHOWN, PreviewCall,
};
use frontdesk_protocol::value::{Arguments, Name};
use frontdesk_protocol::wire::Wire;
use frontdesk_protocol::{Declaration, ErrorCode, Host, Tool, ToolError};
use serde_json::{Map, Value};

use super::agents;
use crate::call::{Effect, Hosts, Route};
use crate::database::internal;

/// What happens to the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Through {
    Preview,
    Apply,
}

/// The call to make.
pub(super) struct Inner {
    pub(super) route: &'static Route,
    /// JSON text.
    pub(super) arguments: String,
}

impl Through {
    /// What this tool does with the call in its arguments; `None` for all others.
    pub(super) fn of(tool: &Declaration) -> Option<Through> {
        match (tool.host, tool.name) {
            (Host::Ops, PreviewCall::NAME) => Some(Through::Preview),
            (Host::Ops, ApplyCall::NAME) => Some(Through::Apply),
            _ => None,
        }
    }

    /// The call in these arguments, JSON text. `meta` gets what it is made with.
    ///
    /// # Errors
    /// `invalid_argument`, and `refused` for tools that cannot be called in this way.
    pub(super) async fn read(
        self,
        hosts: &Hosts,
        arguments: &str,
        meta: &mut CallMeta,
    ) -> Result<Inner, ToolError> {
        let (host, tool, arguments) = match self {
            Through::Preview => {
                let call: PreviewCall = agents::read(arguments).await?;
                meta.preview = true;
                (call.host, call.tool, call.arguments)
            }
            Through::Apply => {
                let call: ApplyCall = agents::read(arguments).await?;
                meta.expected_plan = Some(call.expect.as_str().to_owned());
                (call.host, call.tool, call.arguments)
            }
        };
        inner(hosts, host, &tool, &arguments)
    }

    /// The result, JSON text, of the call's result.
    ///
    /// # Errors
    /// `internal`, if it is not an object.
    pub(super) fn result(self, result: &str, effect: &mut Effect) -> Result<String, ToolError> {
        let mut result: Map<String, Value> = serde_json::from_str(result).map_err(|error| {
            internal(format_args!(
                "the result of a call is not an object: {error}"
            ))
        })?;
        let value = match self {
            Through::Preview => {
                let mut changes = effect.changes.take().unwrap_or_default();
                let counts = changes.counts();
                changes.rows.truncate(MOST_SHOWN);
                let cut = cut(&mut result);
                CallPreview {
                    digest: changes.digest,
                    counts,
                    rows: changes.rows,
                    webhooks: changes.webhooks,
                    obstacle: changes.obstacle,
                    result,
                    cut,
                }
                .write()
            }
            Through::Apply => AppliedCall {
                change_id: effect.change.map(ChangeId),
                result,
            }
            .write(),
        };
        Ok(value.to_string())
    }
}

/// Cuts the lists of a result as the rows of a preview are. Returns their lengths.
fn cut(result: &mut Map<String, Value>) -> Option<Map<String, Value>> {
    let lists = result.iter_mut().filter_map(|(name, value)| {
        let list = value.as_array_mut()?;
        let length = list.len();
        list.truncate(MOST_SHOWN);
        (length > MOST_SHOWN).then(|| (name.clone(), length.into()))
    });
    let lists: Map<_, _> = lists.collect();
    (!lists.is_empty()).then_some(lists)
}

fn inner(
    hosts: &Hosts,
    host: Host,
    tool: &Name,
    arguments: &Arguments,
) -> Result<Inner, ToolError> {
    let name = tool.as_str();
    let Some(route) = hosts.route(host, name) else {
        return Err(ToolError::invalid("tool", hosts.without(host, name)));
    };
    let refused = |message: &str| Err(ToolError::new(ErrorCode::Refused, message).on("tool"));
    if Through::of(&route.tool).is_some() {
        return refused("a preview cannot contain another one");
    }
    if route.tool.effect.read_only {
        return refused("this tool writes nothing: call it directly");
    }
    if !route.tool.structured {
        return refused("this tool returns no record: call it directly");
    }
    Ok(Inner {
        route,
        arguments: Value::from(arguments.as_map().clone()).to_string(),
    })
}
