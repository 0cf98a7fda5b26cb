//! Servers that disconnect, interrupt, or send unexpected messages.

use frontdesk_postgres::{Command, Error, Session};
use futures::FutureExt;
use tokio_postgres::error::SqlState;

use crate::server::{Server, greeted, message, ready, refusal, scripted};

const PING: Command<'_> = Command::plain("select 1");

/// The answer to [`PING`], including its preparation.
fn pong() -> Vec<Vec<u8>> {
    vec![
        message(b'1', b""),
        message(b'2', b""),
        message(b'D', &[0, 1, 0, 0, 0, 1, b'1']),
        message(b'C', b"SELECT 1\0"),
        ready(),
    ]
}

async fn ping(session: &mut Session, server: &mut Server, answer: &[Vec<u8>]) -> Result<(), Error> {
    let (pinged, ()) = tokio::join!(session.run(&[PING]), async {
        server.flight().await;
        server.say(answer).await;
    });
    pinged.map(drop)
}

fn parameter_status() -> Vec<u8> {
    message(b'S', b"TimeZone\0UTC\0")
}

fn notice() -> Vec<u8> {
    message(b'N', b"SNOTICE\0C00000\0Mby the way\0\0")
}

fn notification() -> Vec<u8> {
    message(b'A', b"\0\0\0\x07channel\0payload\0")
}

#[tokio::test]
async fn what_a_server_says_of_itself_is_no_answer() {
    let (mut session, mut server) = greeted().await;
    let aside = [parameter_status(), notice(), notification()];
    let answer: Vec<Vec<u8>> = pong()
        .into_iter()
        .flat_map(|part| [aside.concat(), part])
        .collect();
    ping(&mut session, &mut server, &answer).await.unwrap();
    // Also between two flights.
    server.say(&aside).await;
    assert!(!session.is_closed());
    let again = pong().split_off(1);
    ping(&mut session, &mut server, &again).await.unwrap();
}

#[tokio::test]
async fn an_answer_in_single_bytes_is_an_answer() {
    let (mut session, mut server) = greeted().await;
    let bytes: Vec<Vec<u8>> = pong().concat().into_iter().map(|byte| vec![byte]).collect();
    let (pinged, ()) = tokio::join!(session.run(&[PING]), async {
        server.flight().await;
        for byte in bytes {
            server.say(&[byte]).await;
            tokio::task::yield_now().await;
        }
    });
    pinged.unwrap();
    assert!(session.is_idle());
}

#[tokio::test]
async fn a_server_that_says_more_than_a_login_takes_is_not_taken_over() {
    let (session, _server) = scripted(&[ready(), parameter_status()]).await;
    assert_eq!(
        session.unwrap_err().to_string(),
        "the connection to the database was lost: the server sent more than a login needs"
    );
}

#[tokio::test]
async fn a_login_that_is_refused_says_why() {
    let said = refusal("FATAL", "28P01", "password authentication failed");
    let (session, _server) = scripted(&[said]).await;
    let error = session.unwrap_err();
    assert_eq!(error.code(), Some(&SqlState::INVALID_PASSWORD));
}

#[tokio::test]
async fn a_server_that_ends_while_nothing_is_asked_is_noticed_before_the_next_flight() {
    let (mut session, server) = greeted().await;
    assert!(!session.is_closed());
    drop(server);
    assert!(session.is_closed());

    let (mut session, mut server) = greeted().await;
    let last = refusal(
        "FATAL",
        "57P01",
        "terminating connection due to administrator command",
    );
    server.say(&[last]).await;
    assert!(session.is_closed());
}

#[tokio::test]
async fn a_server_that_ends_in_a_flight_is_lost_with_the_reason_it_gave() {
    let (mut session, mut server) = greeted().await;
    let (pinged, ()) = tokio::join!(session.run(&[PING]), async {
        server.flight().await;
        server.say(&pong()[..2]).await;
        drop(server);
    });
    assert!(matches!(pinged.unwrap_err(), Error::Lost(_)));
    assert!(session.is_closed());

    let (mut session, mut server) = greeted().await;
    let (pinged, ()) = tokio::join!(session.run(&[PING]), async {
        server.flight().await;
        let last = refusal("FATAL", "57P01", "terminating connection");
        server.say(&[last]).await;
        drop(server);
    });
    assert_eq!(pinged.unwrap_err().code(), Some(&SqlState::ADMIN_SHUTDOWN));
    assert!(session.is_closed());
}

#[tokio::test]
async fn a_flight_that_nobody_waits_for_is_the_session_s_last() {
    let (mut session, _server) = greeted().await;
    let pinged = session.run(&[PING]).now_or_never();
    assert!(pinged.is_none(), "the server says nothing");
    assert!(session.is_closed());
    let refused = session.run(&[PING]).await.unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the connection to the database was lost: it was closed before"
    );
}

#[tokio::test]
async fn what_nobody_asked_for_ends_the_session() {
    for unasked in [
        message(b'G', &[0, 0, 0]),
        message(b'?', b""),
        vec![b'Z', 0, 0, 0, 1],
    ] {
        let (mut session, mut server) = greeted().await;
        let pinged = ping(&mut session, &mut server, &[unasked]).await;
        assert!(matches!(pinged.unwrap_err(), Error::Lost(_)));
        assert!(session.is_closed());
    }
}

#[tokio::test]
async fn a_session_that_is_dropped_says_goodbye() {
    use tokio::io::AsyncReadExt;
    let (session, mut server) = greeted().await;
    drop(session);
    let mut said = Vec::new();
    server.0.read_to_end(&mut said).await.unwrap();
    assert_eq!(said, message(b'X', b""));
}
