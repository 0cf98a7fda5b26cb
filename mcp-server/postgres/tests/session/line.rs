//! Connecting: which address is used, TLS, and whose certificate is accepted.

use std::net::TcpListener as Closed;
use std::sync::Arc;
use std::time::Duration;

use frontdesk_postgres::{Command, Error, Session};
use futures::FutureExt;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UnixListener};
use tokio::time::timeout;
use tokio_postgres::Config;
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_rustls::TlsAcceptor;

use crate::server::{message, ready, refusal};

/// The codes that request TLS and the cancellation of a statement.
const SSL_REQUEST: u32 = 80_877_103;
const CANCEL_REQUEST: u32 = 80_877_102;

/// A step that takes longer has failed. On a busy machine, one can take long.
const PATIENCE: Duration = Duration::from_secs(600);

/// The key data that identify the session in a cancel request.
const SESSION: [u8; 8] = [0, 0, 0, 7, 0, 0, 0, 9];

/// A server's key and certificate, and clients that trust it.
fn certificate_for(name: &str) -> (TlsAcceptor, MakeRustlsConnect) {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed([name.to_owned()]).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let key = PrivatePkcs8KeyDer::from(signing_key.serialize_der());
    let server = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key.into())
        .unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(cert.der().clone()).unwrap();
    let client = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    (
        TlsAcceptor::from(Arc::new(server)),
        MakeRustlsConnect::new(client),
    )
}

fn config(parameters: &str) -> Arc<Config> {
    Arc::new(format!("user=somebody {parameters}").parse().unwrap())
}

async fn listener() -> (TcpListener, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, port)
}

/// A port without a listener.
fn port_of_nobody() -> u16 {
    let away = Closed::bind("127.0.0.1:0").unwrap();
    away.local_addr().unwrap().port()
}

/// The first message of a connection; its leading number is the kind.
async fn first(stream: &mut (impl AsyncRead + Unpin)) -> (u32, Vec<u8>) {
    let length = stream.read_u32().await.unwrap() as usize;
    let kind = stream.read_u32().await.unwrap();
    let mut rest = vec![0; length - 8];
    stream.read_exact(&mut rest).await.unwrap();
    (kind, rest)
}

/// A server without TLS, and its address with these parameters.
async fn unencrypted(parameters: &str) -> (TcpListener, Arc<Config>) {
    let (listener, port) = listener().await;
    let address = format!("hostaddr=127.0.0.1 port={port} sslmode=disable {parameters}");
    (listener, config(&address))
}

/// Accepts the next connection and reads its first message.
async fn connected(listener: &TcpListener) -> TcpStream {
    let (mut stream, _) = listener.accept().await.unwrap();
    first(&mut stream).await;
    stream
}

/// Sends the greeting after a login.
async fn greet(stream: &mut (impl AsyncWrite + Unpin)) {
    let mut greeting = message(b'R', &0_u32.to_be_bytes());
    greeting.extend(message(b'K', &SESSION));
    greeting.extend(ready());
    stream.write_all(&greeting).await.unwrap();
}

/// Logs a client in, and answers every query with `setting` until it disconnects.
async fn serve(stream: &mut (impl AsyncRead + AsyncWrite + Unpin), setting: &[u8]) {
    greet(stream).await;
    let mut said = Vec::new();
    while let Ok(1..) = stream.read_buf(&mut said).await {
        if !said.ends_with(&message(b'S', b"")) {
            continue;
        }
        let mut answer = Vec::new();
        // Parse and the rest of its flight: a statement without parameters and with one text column.
        if said.starts_with(b"P") {
            answer.extend(message(b'1', b""));
        }
        if said.windows(6).any(|part| part == b"D\0\0\0\x08S") {
            answer.extend(message(b't', &[0, 0]));
            let column = [&[0, 1][..], b"is\0", &[0; 6], &[0, 0, 0, 25], &[0; 8]].concat();
            answer.extend(message(b'T', &column));
        } else {
            answer.extend(message(b'2', b""));
            let length = (setting.len() as u32).to_be_bytes();
            answer.extend(message(b'D', &[&[0, 1][..], &length, setting].concat()));
            answer.extend(message(b'C', b"SELECT 1\0"));
        }
        answer.extend(ready());
        stream.write_all(&answer).await.unwrap();
        said.clear();
    }
}

async fn is_well(session: &mut Session) {
    let asked = [Command::plain("select 1")];
    session.run(&asked).await.unwrap();
    assert!(session.is_idle());
}

#[tokio::test]
async fn a_session_goes_on_over_the_tls_that_it_was_logged_in_over() {
    let (tls, client) = certificate_for("database.example");
    let (listener, port) = listener().await;
    let config = config(&format!(
        "host=database.example hostaddr=127.0.0.1 port={port} sslmode=require"
    ));
    let serving = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        assert_eq!(first(&mut stream).await.0, SSL_REQUEST);
        stream.write_all(b"S").await.unwrap();
        let mut stream = tls.accept(stream).await.unwrap();
        first(&mut stream).await;
        serve(&mut stream, b"").await;
    };
    let ((), ()) = tokio::join!(serving, async {
        let mut session = Session::connect(&config, &client).await.unwrap();
        is_well(&mut session).await;
        is_well(&mut session).await;
    });
}

#[tokio::test]
async fn somebody_else_s_certificate_is_not_taken() {
    let (tls, client) = certificate_for("elsewhere.example");
    let (listener, port) = listener().await;
    let config = config(&format!(
        "host=localhost hostaddr=127.0.0.1 port={port} sslmode=require"
    ));
    let serving = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        first(&mut stream).await;
        stream.write_all(b"S").await.unwrap();
        assert!(tls.accept(stream).await.is_err(), "it was taken");
    };
    let (refused, ()) = tokio::join!(Session::connect(&config, &client), serving);
    assert!(matches!(refused.unwrap_err(), Error::Connect(_)));
}

#[tokio::test]
async fn a_server_without_tls_is_refused_where_it_is_required_and_taken_where_it_is_preferred() {
    let (_, client) = certificate_for("localhost");
    for (mode, is_taken) in [("require", false), ("prefer", true)] {
        let (listener, port) = listener().await;
        let config = config(&format!(
            "host=localhost hostaddr=127.0.0.1 port={port} sslmode={mode}"
        ));
        let serving = async {
            let (mut stream, _) = listener.accept().await.unwrap();
            assert_eq!(first(&mut stream).await.0, SSL_REQUEST);
            stream.write_all(b"N").await.unwrap();
            if is_taken {
                first(&mut stream).await;
                serve(&mut stream, b"").await;
            }
        };
        let ((), ()) = tokio::join!(serving, async {
            match Session::connect(&config, &client).await {
                Ok(mut session) if is_taken => is_well(&mut session).await,
                Err(Error::Connect(_)) if !is_taken => {}
                other => panic!("{mode}: {other:?}"),
            }
        });
    }
}

#[tokio::test]
async fn where_the_first_host_is_away_the_next_one_is_asked() {
    let (_, client) = certificate_for("localhost");
    let nobody = port_of_nobody();
    let (listener, port) = listener().await;
    let config = config(&format!(
        "host=one,two hostaddr=127.0.0.1,127.0.0.1 port={nobody},{port} sslmode=disable"
    ));
    let serving = async {
        let mut stream = connected(&listener).await;
        serve(&mut stream, b"").await;
    };
    let ((), ()) = tokio::join!(serving, async {
        let mut session = Session::connect(&config, &client).await.unwrap();
        is_well(&mut session).await;
    });
}

#[tokio::test]
async fn a_server_that_only_reads_is_passed_over_where_writing_is_wanted() {
    let (_, client) = certificate_for("localhost");
    let (only_reads, its_port) = listener().await;
    let (listener, port) = listener().await;
    let config = config(&format!(
        "host=one,two hostaddr=127.0.0.1,127.0.0.1 port={its_port},{port} sslmode=disable \
         target_session_attrs=read-write"
    ));
    let serve = async |listener: &TcpListener, setting: &[u8]| {
        serve(&mut connected(listener).await, setting).await;
    };
    let serving = async {
        serve(&only_reads, b"on").await;
        serve(&listener, b"off").await;
    };
    let asked = async {
        let mut session = Session::connect(&config, &client).await.unwrap();
        let rows = session.query(&[], "select which", &[], &[]).await.unwrap();
        rows[0].get::<_, String>(0)
    };
    tokio::select! {
        setting = asked => assert_eq!(setting, "off"),
        () = serving => panic!("nobody stayed"),
    }
}

#[tokio::test]
async fn a_machine_that_hangs_is_passed_over() {
    let (_, client) = certificate_for("localhost");
    let (hangs, its_port) = listener().await;
    let (listener, port) = listener().await;
    let config = config(&format!(
        "host=one,two hostaddr=127.0.0.1,127.0.0.1 port={its_port},{port} sslmode=disable \
         target_session_attrs=read-write"
    ));
    let serving = async {
        let _silent = connected(&hangs).await;
        serve(&mut connected(&listener).await, b"off").await;
    };
    tokio::select! {
        session = Session::connect(&config, &client) => assert!(session.unwrap().is_idle()),
        () = serving => panic!("nobody stayed"),
    }
}

#[tokio::test]
async fn where_nobody_is_there_or_nobody_is_as_wanted_that_is_told() {
    let (_, client) = certificate_for("localhost");
    let nobody = port_of_nobody();
    let nobody = config(&format!("hostaddr=127.0.0.1 port={nobody} sslmode=disable"));
    let refused = Session::connect(&nobody, &client).await.unwrap_err();
    assert_eq!(refused.to_string(), "Connection refused (os error 111)");

    let (only_reads, config) = unencrypted("target_session_attrs=read-write").await;
    let serving = async {
        let mut stream = connected(&only_reads).await;
        serve(&mut stream, b"on").await;
    };
    tokio::select! {
        refused = Session::connect(&config, &client) => assert_eq!(
            refused.unwrap_err().to_string(),
            "it does not match target_session_attrs"
        ),
        () = serving => {}
    }
}

#[tokio::test]
async fn a_socket_of_this_machine_is_spoken_to_without_tls() {
    let (_, client) = certificate_for("localhost");
    let directory = tempfile::tempdir().unwrap();
    let listener = UnixListener::bind(directory.path().join(".s.PGSQL.5432")).unwrap();
    let config = config(&format!("host={}", directory.path().display()));
    let serving = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        let (kind, _) = first(&mut stream).await;
        assert_eq!(kind, 3 << 16, "the version of the protocol");
        serve(&mut stream, b"").await;
    };
    let ((), ()) = tokio::join!(serving, async {
        let mut session = Session::connect(&config, &client).await.unwrap();
        is_well(&mut session).await;
    });
}

#[tokio::test]
async fn what_is_given_up_is_told_to_stop_until_it_does() {
    let (_, client) = certificate_for("localhost");
    let (listener, config) = unencrypted("").await;
    let serving = async {
        let mut session = connected(&listener).await;
        greet(&mut session).await;
        // Cancel requests that arrive before the statement has begun.
        for _ in 0..2 {
            let (mut stream, _) = listener.accept().await.unwrap();
            let told = first(&mut stream).await;
            assert_eq!(told, (CANCEL_REQUEST, SESSION.to_vec()));
        }
        let stopped = refusal("ERROR", "57014", "canceling statement due to user request");
        session.write_all(&stopped).await.unwrap();
        session.write_all(&ready()).await.unwrap();
        let mut said = Vec::new();
        session.read_to_end(&mut said).await.unwrap();
        assert!(
            said.ends_with(&message(b'S', b"")),
            "nothing is left to say"
        );
    };
    let given_up = async {
        let mut session = Session::connect(&config, &client).await.unwrap();
        let asked = session.run(&[Command::plain("select 1")]).now_or_never();
        assert!(asked.is_none(), "the server says nothing");
        session.abandon().unwrap().await;
    };
    let both = async { tokio::join!(serving, given_up) };
    timeout(PATIENCE, both).await.expect("it is told again");
}

#[tokio::test]
async fn whoever_is_at_nothing_is_not_told_to_stop() {
    let (_, client) = certificate_for("localhost");
    let (listener, config) = unencrypted("").await;
    let serving = async {
        let mut session = connected(&listener).await;
        serve(&mut session, b"").await;
    };
    let ((), ()) = tokio::join!(serving, async {
        let mut session = Session::connect(&config, &client).await.unwrap();
        is_well(&mut session).await;
        assert!(session.abandon().is_none());
    });
}

#[tokio::test]
async fn an_address_whose_parts_do_not_fit_is_told() {
    let (_, client) = certificate_for("localhost");
    for (parameters, told) in [
        ("port=1", "the address names no host"),
        (
            "host=one,two hostaddr=127.0.0.1",
            "there are not as many hostaddr as host",
        ),
        ("host=one port=1,2", "there are not as many port as host"),
    ] {
        let refused = Session::connect(&config(parameters), &client).await;
        let refused = refused.unwrap_err().to_string();
        assert!(refused.ends_with(told), "{refused}");
    }
}
