//! Delivery of journal entries. The flows of the desk show the rest.

use frontdesk_client::{Action, CallError, Entry};

use crate::support::{EVENT, GUEST, Server, USER};

#[tokio::test]
async fn another_host_does_not_get_it() {
    let server = Server::start().await;
    let elsewhere = "https://elsewhere.test/events";
    let made = Entry::new(
        elsewhere,
        USER.parse().expect("an id"),
        EVENT.parse().expect("an id"),
        GUEST.parse().expect("an id"),
        "Zoë Müller",
        "2026-01-05T18:00:00.25Z".parse().expect("a time"),
        Action::CheckIn,
    );
    let delivered = frontdesk_client::deliver(&server.client(), &made, false).await;
    let Err(CallError::Unreachable { host, .. }) = delivered else {
        panic!("{delivered:?}");
    };
    assert_eq!(host, elsewhere);
    assert_eq!(server.names(), Vec::<String>::new());
}
