//! An event and its guests.

use frontdesk_client::Account;
use frontdesk_protocol::Role;
use frontdesk_protocol::events::event::Event;
use frontdesk_protocol::events::guest::Guest;
use frontdesk_protocol::id::{BusinessUnitId, EventId, GuestId, UserId};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::now;

/// The event of the tests.
pub(crate) const EVENT: EventId = EventId(Uuid::from_u128(0xe1));

/// Who is signed in.
pub(crate) fn account() -> Account {
    Account {
        id: UserId(Uuid::from_u128(0xa1)),
        email: "staff@demo.test".to_owned(),
        organization: Some("Aurora School".to_owned()),
        organization_slug: None,
        time_zone: None,
        name: None,
        member: None,
        role: Some(Role::Staff),
        level: 50,
    }
}

fn at(text: &str) -> Option<Timestamp> {
    Some(text.parse().expect("is a timestamp"))
}

/// The event of the tests; a host fills in its numbers.
pub(crate) fn event() -> Event {
    Event {
        id: EVENT,
        name: "Summer Open Day".to_owned(),
        description: Some("Doors open at ten.\nCoffee in the courtyard.".to_owned()),
        location: Some("Main hall".to_owned()),
        latitude: None,
        longitude: None,
        start_at: at("2026-03-12T10:00:00Z"),
        end_at: at("2026-03-12T18:00:00Z"),
        strategy_business_unit_id: BusinessUnitId(Uuid::from_u128(0xb1)),
        business_unit_name: Some("Community".to_owned()),
        updated_at: None,
        guest_count: 0,
        checked_in_count: 0,
    }
}

/// The id of the guest of this number.
pub(crate) fn guest_id(number: u128) -> GuestId {
    GuestId(Uuid::from_u128(0x90_0000 + number))
}

/// A guest who has not come.
pub(crate) fn guest(number: u128, name: &str) -> Guest {
    Guest {
        email: Some(format!("guest{number}@example.org")),
        role: Some("guest".to_owned()),
        ..Guest::new(guest_id(number), EVENT, name)
    }
}

/// Twelve guests; two have come.
pub(crate) fn guests() -> Vec<Guest> {
    let names = [
        "Zoë Müller",
        "João Silva",
        "João Silva",
        "田中さくら",
        "דנה כהן",
        "Anna-Maria von Hohenstein-Waldburg zu Wolfegg und Waldsee",
        "O'Brien, Siobhán",
        "Ulla Lindqvist",
        "Åsa Öberg",
        "Łukasz Żółć",
        "Ana Souza",
        "Nguyễn Thị Minh Khai",
    ];
    let mut guests: Vec<Guest> = (1..).zip(names).map(|(n, name)| guest(n, name)).collect();
    guests[1].check_in_at = Some(now() - SignedDuration::from_mins(4));
    guests[10].check_in_at = Some(now() - SignedDuration::from_mins(11));
    guests[0].role = Some("speaker".to_owned());
    guests
}
