//! The event that the stories are about: today from 10:00 to 18:00, with twelve guests, two of whom
//! came already.

use frontdesk_protocol::id::{EventId, GuestId};
use frontdesk_protocol::{Host, Role};
use frontdesk_tests::builder::PASSWORD;
use frontdesk_tests::desk::Stored;
use frontdesk_tests::{Http, Organization, world};
use jiff::Timestamp;
use serde_json::json;

/// The event's name.
pub(crate) const LAUNCH: &str = "Launch";

const GUESTS: [&str; 12] = [
    "Ana Souza",
    "Anna-Maria von Hohenstein-Waldburg zu Wolfegg und Waldsee",
    "João Silva",
    "João Silva",
    "Łukasz Żółć",
    "Nguyễn Thị Minh Khai",
    "O'Brien, Siobhán",
    "Ulla Lindqvist",
    "Zoë Müller",
    "Åsa Öberg",
    "דנה כהן",
    "田中さくら",
];

/// 09:34 at the desk.
pub(crate) const ANA_CAME: &str = "2025-03-12T12:34:00Z";
/// 09:41 at the desk.
const JOAO_CAME: &str = "2025-03-12T12:41:00Z";

/// A school, whose accounts have addresses such as people have.
pub(crate) async fn school() -> Organization {
    let organization = Organization::create().await;
    let owner = world().owner().await;
    owner
        .execute(
            "update app.organizations set name = 'Riverside School' where id = $1",
            &[&organization.id.0],
        )
        .await
        .expect("a name");
    // The end of an id is what differs between two that are made in the same moment.
    let id = organization.id.to_string();
    let place = &id[id.len() - 8..];
    for role in Role::ALL {
        owner
            .execute(
                "update auth.users set email = $2 where id = $1",
                &[
                    &organization.user(role).0,
                    &format!("{}@{place}.test", role.name()),
                ],
            )
            .await
            .expect("an address");
    }
    organization
}

/// A school with the event.
pub(crate) async fn launch() -> (Organization, EventId) {
    let organization = school().await;
    let event = event_today(&organization, LAUNCH).await;
    let guests = organization.guests(event, &GUESTS).await;
    came(guests[0], at(ANA_CAME)).await;
    came(guests[2], at(JOAO_CAME)).await;
    (organization, event)
}

/// An event of today.
pub(crate) async fn event_today(organization: &Organization, name: &str) -> EventId {
    let event = organization.event(name).await;
    let (start, end) = (at("2025-03-12T13:00:00Z"), at("2025-03-12T21:00:00Z"));
    world()
        .owner()
        .await
        .execute(
            "update events.events set start_at = $2, end_at = $3, location = 'Main hall' where id = $1",
            &[&event.0, &start, &end],
        )
        .await
        .expect("the event is today");
    event
}

/// Another desk checked the guest in at this time.
pub(crate) async fn came(guest: GuestId, at: Timestamp) {
    world()
        .owner()
        .await
        .execute(
            "update events.guests set check_in_at = $2 where id = $1",
            &[&guest.0, &at],
        )
        .await
        .expect("the guest came");
}

/// A time.
pub(crate) fn at(text: &str) -> Timestamp {
    text.parse().expect("a time")
}

/// Another desk checks the guest in, as somebody else's program does it; the guest came at `at`.
pub(crate) async fn another_desk_checks_in(
    organization: &Organization,
    guest: GuestId,
    at: Timestamp,
) {
    let email = Stored::of(organization).email(Role::Teacher).await;
    let mut other = Http::sign_in(&world().url(), &email, PASSWORD).await;
    let call = json!({
        "name": "check_in_guest",
        "arguments": { "id": guest },
        "_meta": { "frontdesk/occurredAt": at },
    });
    other.rpc(Host::Events, "tools/call", call).await.output();
}

/// An event of today with this many guests, called Guest 0001 and so on.
pub(crate) async fn crowd(organization: &Organization, name: &str, guests: i32) -> EventId {
    let event = event_today(organization, name).await;
    world()
        .owner()
        .await
        .execute(
            "insert into events.guests (organization_id, event_id, name) \
             select $1, $2, 'Guest ' || lpad(n::text, 4, '0') from generate_series(1, $3) n",
            &[&organization.id.0, &event.0, &guests],
        )
        .await
        .expect("guests");
    event
}
