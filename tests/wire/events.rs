//! Section 4.3: the events tools, over the wire.

use frontdesk_protocol::Role;
use frontdesk_protocol::events::guest::{CheckInGuest, ListEventGuests};
use frontdesk_protocol::value::{Limit, Line, Offset};
use frontdesk_tests::{Organization, run};

#[test]
fn a_guest_is_found_whatever_the_accents_and_checked_in_once() {
    run(async {
        let organization = Organization::create().await;
        let event = organization.event("Launch").await;
        let guests = organization
            .guests(event, &["Ana", "Zoë Müller", "Zoe Mull"])
            .await;
        let mut staff = organization.sign_in(Role::Staff).await;

        let found = staff
            .typed(&ListEventGuests {
                event_id: event,
                search: Some(Line::new("ZOE muller").expect("a line")),
                role: None,
                member_id: None,
                limit: Limit::default(),
                offset: Offset::default(),
            })
            .await;
        assert_eq!(found.items.len(), 1);
        assert_eq!(found.items[0].name, "Zoë Müller");
        assert!(!found.has_more);

        let first = staff.typed(&CheckInGuest { id: guests[1] }).await;
        assert!(!first.already_checked_in);
        let again = staff.typed(&CheckInGuest { id: guests[1] }).await;
        assert!(again.already_checked_in);
        assert_eq!(again.guest, first.guest);
        assert_eq!(
            organization.checked_in_at(guests[1]).await,
            first.guest.check_in_at
        );
    });
}
