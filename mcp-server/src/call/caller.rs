//! The caller of a host.

use frontdesk_protocol::ops::context::Caller;
use frontdesk_protocol::{ErrorCode, Host, Role, ToolError};

use frontdesk_protocol::wire::TIME_EXAMPLE;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

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

    /// The example of a time, with the offset that the caller's organisation has then.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub(super) async fn time_example(&mut self) -> Result<Option<String>, ToolError> {
        let sql = "select o.time_zone from app.organizations o where o.id = app.caller_org()";
        let rows = self.query(sql, &[]).await?;
        let zone = rows.first().map(|row| row.get::<_, &str>(0));
        let zone = zone.and_then(|zone| TimeZone::get(zone).ok());
        let time = TIME_EXAMPLE.parse::<DateTime>().ok();
        let local = zone
            .zip(time)
            .and_then(|(zone, time)| zone.to_zoned(time).ok());
        Ok(local.map(|local| local.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()))
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
