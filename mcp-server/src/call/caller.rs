//! The caller of a host.

use frontdesk_protocol::ops::context::Caller;
use frontdesk_protocol::{ErrorCode, Host, Role, ToolError};

use super::Call;
use crate::database::internal;

impl Call {
    /// The caller, with the current role at this host. Only staff can call the staff-management host.
    ///
    /// # Errors
    /// `forbidden` if the role cannot use the host; otherwise as [`Call::query`].
    pub async fn caller_at(&mut self, host: Host) -> Result<Caller, ToolError> {
        let sql = "select json_build_object( \
               'account_id', app.caller_id(), 'name', p.name, 'role', app.caller_role(), \
               'level', coalesce(app.caller_level(), 0), 'member_id', app.caller_member(), \
               'organization_id', o.id, 'organization_name', o.name, 'time_zone', o.time_zone, \
               'today', (now() at time zone o.time_zone)::date, 'currency', o.currency)::text \
             from (select) c left join app.organizations o on o.id = app.caller_org() \
             left join learn.profiles p on p.id = app.caller_id()";
        let rows = self.query(sql, &[]).await?;
        let json = rows.first().map_or("null", |row| row.get(0));
        let caller: Caller = serde_json::from_str(json)
            .map_err(|error| internal(format_args!("the caller cannot be read: {error}")))?;
        admit(host, caller.role)?;
        Ok(caller)
    }

    /// The caller's current role at this host.
    ///
    /// # Errors
    /// As [`Call::caller_at`].
    pub async fn role_at(&mut self, host: Host) -> Result<Option<Role>, ToolError> {
        let rows = self.query("select app.caller_role()", &[]).await?;
        let role = rows
            .first()
            .and_then(|row| row.get::<_, Option<&str>>(0))
            .and_then(Role::from_name);
        admit(host, role)?;
        Ok(role)
    }
}

fn admit(host: Host, role: Option<Role>) -> Result<(), ToolError> {
    if host.is_for_staff() && matches!(role, None | Some(Role::Fellow)) {
        return Err(ToolError::new(
            ErrorCode::Forbidden,
            "Caller is not a registered staff user",
        )
        .hint("an owner must invite the account"));
    }
    Ok(())
}
