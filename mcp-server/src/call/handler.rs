//! Maps a tool to its handler, with JSON text on both sides.

use frontdesk_protocol::record::Holds;
use frontdesk_protocol::resource::Act;
use frontdesk_protocol::{Declaration, ErrorCode, Host, Role, Tool, ToolError, args};
use serde_json::Value;

use super::answer::Running;
use super::write::NO_WARNINGS;
use super::{Acting, Admission, Answer, Call, Given, Outcome, Stored};
use crate::database::FORBIDDEN;

/// Calls that count against the rate limit of a host.
pub type Charge = (Host, u32);

/// A host's implementation of a tool. Every declared tool has one.
pub trait Handler: Tool {
    /// Calls that this call counts as, in addition to itself.
    const CHARGE: Option<fn(&Self) -> Charge> = None;
    /// What the caller must be permitted before the content of the arguments is read.
    const ADMISSION: Option<Admission> = None;

    /// Runs the tool as the caller.
    fn handle(self, call: &mut Call) -> impl Future<Output = Outcome<Self::Output>> + Send;
}

/// A handler with its types erased.
#[derive(Clone, Copy)]
struct Own {
    /// Runs the handler with checked arguments.
    handle: for<'a> fn(&'a mut Call, &Value) -> Result<Running<'a>, ToolError>,
    charge: Option<fn(&Value) -> Option<Charge>>,
    admission: Option<Admission>,
}

/// What a tool does.
#[derive(Clone, Copy)]
enum Does {
    /// What its verb says.
    Verb(Acting),
    /// What its handler does.
    Own(Own),
}

/// A tool with what it does.
#[derive(Clone, Copy)]
pub struct Route {
    /// The tool's name, description and schemas.
    pub tool: Declaration,
    does: Does,
}

impl std::fmt::Debug for Route {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.tool.fmt(f)
    }
}

impl Route {
    /// The route to `T`'s handler.
    pub const fn to<T: Handler>() -> Self {
        Route {
            tool: Declaration::of::<T>(),
            does: Does::Own(Own {
                handle: |call, arguments| {
                    let arguments = args::read_from::<T>(arguments)?;
                    Ok(Box::pin(async move {
                        arguments.handle(call).await.map(Answer::into_json)
                    }))
                },
                charge: match T::CHARGE {
                    Some(_) => Some(charge::<T>),
                    None => None,
                },
                admission: T::ADMISSION,
            }),
        }
    }

    /// The route of a tool whose verb says all that it does.
    pub const fn by_verb<T: Act>() -> Self
    where
        T::Output: Holds<Record: Stored>,
    {
        Route {
            tool: Declaration::of::<T>(),
            does: Does::Verb(Acting::of::<T>()),
        }
    }

    /// What its caller must be permitted before the content of the arguments is read, if that takes work.
    pub fn admission(&self) -> Option<Admission> {
        match self.does {
            Does::Own(own) => own.admission,
            Does::Verb(_) => None,
        }
    }

    /// Calls that a call with these arguments counts as in addition to itself.
    pub fn charge(&self, given: &Given<'_>) -> Option<Charge> {
        match self.does {
            Does::Own(Own {
                charge: Some(charge),
                ..
            }) => charge(given.value().ok()?),
            _ => None,
        }
    }

    /// Refuses a caller without one of the tool's roles, at a host that checks roles before the database does.
    ///
    /// # Errors
    /// `forbidden`.
    pub fn admit(&self, role: Option<Role>) -> Result<(), ToolError> {
        let error = || ToolError::new(ErrorCode::Forbidden, FORBIDDEN);
        match role {
            Some(role) if self.tool.audience.contains(role) => Ok(()),
            Some(role) => Err(self.hint(role, error())),
            None => Err(error()),
        }
    }

    /// Adds the roles that can make the call to the refusal of a caller with this role.
    pub(crate) fn hint(&self, role: Role, error: ToolError) -> ToolError {
        let own = role.name();
        if self.tool.audience.contains(role) {
            return match role {
                Role::Owner => error,
                _ => error.hint(format!(
                    "as {own} you can make this call for some records only; an owner can make it"
                )),
            };
        }
        let roles = self.roles().join(", ");
        error.hint(format!("roles that can: {roles}; yours is {own}"))
    }

    /// The names of the roles that see the tool.
    pub(crate) fn roles(&self) -> Vec<&'static str> {
        let roles = Role::ALL.into_iter();
        let roles = roles.filter(|role| self.tool.audience.contains(*role));
        roles.map(Role::name).collect()
    }

    /// Runs the handler, or does what the verb says.
    pub(super) async fn run(
        &self,
        call: &mut Call,
        arguments: &Value,
    ) -> Result<String, ToolError> {
        match self.does {
            Does::Verb(act) => {
                let arguments = args::check_from(self.tool.shape, arguments)?;
                call.does(act, arguments, NO_WARNINGS).await
            }
            Does::Own(own) => (own.handle)(call, arguments)?.await,
        }
    }
}

fn charge<T: Handler>(arguments: &Value) -> Option<Charge> {
    let charge = T::CHARGE?;
    // The handler reports an error.
    let call = args::read_from::<T>(arguments).ok()?;
    Some(charge(&call))
}
