//! The caller and the conventions of all hosts.

use frontdesk_protocol::ops::context::{Context, GetContext};
use frontdesk_protocol::record::One;
use frontdesk_protocol::value::Limit;
use frontdesk_protocol::{Host, Tool, guide};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::call::{Answer, Call, Handler, Outcome};
use crate::hosts::routes;

impl Handler for GetContext {
    async fn handle(self, call: &mut Call) -> Outcome<One<Context>> {
        let caller = call.caller_at(Self::HOST).await?;
        let hosts = || Host::ALL.into_iter();
        let (mut irreversible, mut id_sources) = (Vec::new(), Vec::new());
        if let Some(role) = caller.role {
            irreversible.extend(hosts().flat_map(|host| guide::irreversible(host, role)));
            id_sources.extend(hosts().flat_map(|host| guide::sources(host, role)));
            id_sources.sort_unstable();
            id_sources.dedup();
        }
        let zone = caller.time_zone.as_deref();
        let zone = zone.and_then(|name| TimeZone::get(name).ok());
        let clock = |zone| {
            Timestamp::now()
                .to_zoned(zone)
                .strftime("%Y-%m-%dT%H:%M%:z")
                .to_string()
        };
        Answer::of(&One(Context {
            caller,
            local_time: zone.map(clock),
            page_size: Limit::<50, 100>::default().get(),
            max_page_size: Limit::<50, 100>::MAX,
            irreversible,
            id_sources,
        }))
    }
}

routes![GetContext => own];
