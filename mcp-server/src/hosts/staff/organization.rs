//! The caller's organisation.

use frontdesk_protocol::record::One;
use frontdesk_protocol::staff::organization::{GetOrganization, Organization, UpdateOrganization};
use frontdesk_protocol::value::Change;
use jiff::tz::TimeZone;

use crate::call::{Call, Handler, Outcome, Stored};
use crate::database::params;
use crate::hosts::routes;

impl Stored for Organization {
    const TABLE: &'static str = "app.organizations";
}

impl Handler for GetOrganization {
    async fn handle(self, call: &mut Call) -> Outcome<One<Organization>> {
        call.only("t.id = app.caller_org()").await
    }
}

/// A warning if series meet at other moments in the time zone `$1`: their time of day stays.
const MOVED: &str = "select format('%s series will meet at another moment, since the time of day stays: %s on %s at %s instead of %s UTC', \
       count(*), \
       app.quoted((array_agg(s.title order by s.day, s.title))[1]), (array_agg(s.day order by s.day, s.title))[1], \
       (array_agg(to_char(s.after, 'HH24:MI') order by s.day, s.title))[1], \
       (array_agg(to_char(s.before, 'HH24:MI') order by s.day, s.title))[1]) \
     from (select m.title, n.day, \
             (n.day + m.recurrence_start_time) at time zone z.time_zone at time zone 'UTC' as before, \
             (n.day + m.recurrence_start_time) at time zone $1 at time zone 'UTC' as after \
           from app.organizations z join work.meetings m on m.organization_id = z.id and m.is_recurring and m.recurrence_zone is null, \
             lateral (select min(o.occurrence_date) as day from work.meeting_occurrences o \
                      where o.meeting_id = m.id and o.occurrence_date >= (now() at time zone z.time_zone)::date) n \
           where z.id = app.caller_org()) s \
     where s.before <> s.after having count(*) > 0";

impl Handler for UpdateOrganization {
    async fn handle(self, call: &mut Call) -> Outcome<One<Organization>> {
        // The database refuses another name.
        if let Change::To(zone) = &self.time_zone
            && TimeZone::get(zone.as_str()).is_ok()
        {
            call.warn_of(MOVED, params![zone]).await?;
        }
        let rows = call.query("select app.caller_org()", &[]).await?;
        let id: Option<uuid::Uuid> = rows.first().and_then(|row| row.get(0));
        call.finally().change(id, &self).await
    }
}

routes![
    GetOrganization => own,
    UpdateOrganization => own,
];
