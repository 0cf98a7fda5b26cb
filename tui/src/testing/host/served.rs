//! What the host in memory answers, tool by tool, out of what it knows.

use frontdesk_client::CallError;
use frontdesk_protocol::ToolError;
use frontdesk_protocol::events::event::{
    Arrival, Event, EventWithArrivals, GetEvent, ListEvents, UpdateEvent,
};
use frontdesk_protocol::events::expense::ListEventExpenses;
use frontdesk_protocol::events::guest::{
    CheckInGuest, CheckedIn, CreateEventGuest, GetEventGuest, Guest, ListEventGuests,
    UpdateEventGuest,
};
use frontdesk_protocol::events::photo::ListEventPhotos;
use frontdesk_protocol::events::session::ListEventSessions;
use frontdesk_protocol::events::task::ListEventTasks;
use frontdesk_protocol::id::GuestId;
use frontdesk_protocol::learn::progress::GetProgramMemberProgress;
use frontdesk_protocol::record::{List, Maybe, One};
use frontdesk_protocol::value::{Change, Limit, Line, Offset, Patch};
use frontdesk_protocol::work::series::ListMeetingSeries;
use frontdesk_protocol::work::task::ListTasks;
use frontdesk_protocol::work::weekly::GetWeeklyUpdates;

use super::Inner;
use crate::look::text::fold;
use crate::testing::{expenses, guest, meetings, photos, sessions, tasks};

/// The tools that the host has data for.
pub(super) fn all(host: &mut Inner) {
    host.serve(|host, asked: ListEvents| {
        let found = host.events.iter();
        let found = found.filter(|event| matches(asked.search.as_ref(), &event.name));
        let found = found.map(|event| host.counted(event)).collect();
        Ok(page(found, asked.limit, asked.offset))
    });
    host.serve(|host, asked: GetEvent| {
        let found = host.events.iter().find(|event| event.id == asked.id);
        Ok(Maybe(found.map(|event| EventWithArrivals {
            event: host.counted(event),
            recent_arrivals: host.arrivals(event),
            ticket_tags: Vec::new(),
        })))
    });
    host.serve(Inner::update_event);
    host.serve(|host, asked: ListEventGuests| {
        let found = host.guests.iter();
        let found = found
            .filter(|guest| guest.event_id == asked.event_id)
            .filter(|guest| matches(asked.search.as_ref(), &guest.name));
        let mut found: Vec<Guest> = found.cloned().collect();
        found.sort_by_key(|guest| (fold(&guest.name), guest.id));
        Ok(page(found, asked.limit, asked.offset))
    });
    host.serve(|host, asked: GetEventGuest| {
        let found = host.guests.iter().find(|guest| guest.id == asked.id);
        Ok(Maybe(found.cloned()))
    });
    host.serve(|host, asked: CheckInGuest| {
        let now = host.now;
        let guest = host.guest(asked.id)?;
        let already_checked_in = guest.check_in_at.is_some();
        guest.check_in_at.get_or_insert(now);
        Ok(CheckedIn {
            guest: guest.clone(),
            already_checked_in,
        })
    });
    host.serve(|host, asked: UpdateEventGuest| {
        let guest = host.guest(asked.id)?;
        patch(&mut guest.check_in_at, asked.check_in_at);
        Ok(One(guest.clone()))
    });
    host.serve(|host, asked: CreateEventGuest| {
        let number = host.guests.len() as u128 + 500;
        let mut guest = guest(number, asked.name.as_str());
        guest.email = asked.email.map(|email| email.as_str().to_owned());
        guest.role = asked.role.map(|role| role.as_str().to_owned());
        host.guests.push(guest.clone());
        Ok(One(guest))
    });
    host.serve(|_, asked: ListEventSessions| Ok(page(sessions(), asked.limit, asked.offset)));
    host.serve(|_, asked: ListEventTasks| Ok(page(tasks(), asked.limit, asked.offset)));
    host.serve(|_, asked: ListEventExpenses| Ok(page(expenses(), asked.limit, asked.offset)));
    host.serve(|_, asked: ListEventPhotos| Ok(page(photos(), asked.limit, asked.offset)));
    host.serve(|host, asked: ListMeetingSeries| {
        let found = meetings::found(&host.series, &asked);
        Ok(page(found, asked.limit, asked.offset))
    });
    // Whoever is signed in is no member: nothing is theirs.
    host.serve(|_, _: GetWeeklyUpdates| {
        let words = "is required, because your account is not linked to a member";
        Err(CallError::Tool(ToolError::invalid("member_id", words)))
    });
    host.serve(|_, asked: ListTasks| Ok(page(Vec::new(), asked.limit, asked.offset)));
    host.serve(|_, asked: GetProgramMemberProgress| {
        Ok(page(Vec::new(), asked.limit, asked.offset))
    });
}

impl Inner {
    fn or_refusal(&self) -> Result<(), CallError> {
        self.refusal.clone().map_or(Ok(()), Err)
    }

    fn counted(&self, event: &Event) -> Event {
        let guests = self
            .guests
            .iter()
            .filter(|guest| guest.event_id == event.id);
        let (mut all, mut here) = (0, 0);
        for guest in guests {
            all += 1;
            here += u32::from(guest.check_in_at.is_some());
        }
        Event {
            guest_count: all,
            checked_in_count: here,
            ..event.clone()
        }
    }

    fn arrivals(&self, event: &Event) -> Vec<Arrival> {
        let guests = self.guests.iter();
        let guests = guests.filter(|guest| guest.event_id == event.id);
        let arrivals = guests.filter_map(|guest| {
            Some(Arrival {
                guest_id: guest.id,
                name: guest.name.clone(),
                check_in_at: guest.check_in_at?,
            })
        });
        let mut arrivals: Vec<Arrival> = arrivals.collect();
        arrivals.sort_by_key(|arrival| std::cmp::Reverse(arrival.check_in_at));
        arrivals.truncate(50);
        arrivals
    }

    fn guest(&mut self, id: GuestId) -> Result<&mut Guest, CallError> {
        self.guests
            .iter_mut()
            .find(|guest| guest.id == id)
            .ok_or(CallError::Tool(ToolError::not_found("guest")))
    }

    fn update_event(&mut self, arguments: UpdateEvent) -> Result<One<Event>, CallError> {
        self.or_refusal()?;
        let event = self
            .events
            .iter_mut()
            .find(|event| event.id == arguments.id)
            .ok_or(CallError::Tool(ToolError::not_found("event")))?;
        if let Change::To(name) = &arguments.name {
            event.name = name.as_str().to_owned();
        }
        let location = arguments.location.clone();
        let location = match location {
            Patch::To(text) => Patch::To(text.as_str().to_owned()),
            Patch::Clear => Patch::Clear,
            Patch::Keep => Patch::Keep,
        };
        patch(&mut event.location, location);
        patch(&mut event.start_at, arguments.start_at.clone());
        self.updates.push(arguments);
        let event = event.clone();
        Ok(One(self.counted(&event)))
    }
}

fn patch<T>(value: &mut Option<T>, patch: Patch<T>) {
    match patch {
        Patch::Keep => {}
        Patch::Clear => *value = None,
        Patch::To(new) => *value = Some(new),
    }
}

fn matches(search: Option<&Line>, name: &str) -> bool {
    search.is_none_or(|search| fold(name).contains(&fold(search.as_str())))
}

fn page<T, const USUAL: u32, const MOST: u32>(
    mut items: Vec<T>,
    limit: Limit<USUAL, MOST>,
    offset: Offset,
) -> List<T> {
    let (limit, offset) = (limit.get(), offset.get());
    let all = items.len();
    let first = (offset as usize).min(all);
    items.drain(..first);
    items.truncate(limit as usize);
    List {
        has_more: first + items.len() < all,
        total: Some(all as u64),
        total_is_estimate: false,
        items,
        limit,
        offset: u64::from(offset),
    }
}
