//! PostgreSQL with TLS, as Debian sets it up: with a certificate that nobody has signed.

use std::net::TcpListener;
use std::path::Path;

use frontdesk_server::database::{Database, Location};
use frontdesk_tests::Cluster;
use frontdesk_tests::program::{Ended, run_server};

use crate::server::stage::runtime;

/// For `localhost` and 127.0.0.1, until 2126, with its key.
const CERTIFICATE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/server/certificate.pem");
const KEY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/server/certificate.key");
/// Another authority.
const STRANGER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/server/stranger.pem");

/// A cluster that accepts encrypted connections, and its address at a host without options.
fn encrypted() -> (Cluster, impl Fn(&str) -> String) {
    let mut cluster = Cluster::start_new();
    let free = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = free.local_addr().expect("an address").port();
    drop(free);
    let certificate = cluster.install(Path::new(CERTIFICATE), "certificate.pem");
    let key = cluster.install(Path::new(KEY), "certificate.key");
    cluster.restart_with(&[
        "ssl=on".to_owned(),
        format!("ssl_cert_file={}", certificate.display()),
        format!("ssl_key_file={}", key.display()),
        "listen_addresses=127.0.0.1".to_owned(),
        format!("port={port}"),
    ]);
    (cluster, move |host| {
        format!("postgres://postgres@{host}:{port}/postgres")
    })
}

fn check(address: &str) -> Ended {
    run_server(&["check", "--database", address, "--listen", "127.0.0.1:0"])
}

pub(crate) fn sslmode_verifies_what_libpq_verifies_and_check_names_it() {
    let (_cluster, at) = encrypted();
    let opens = |address: &str| {
        let location: Location = address.parse().expect("an address");
        let opened = runtime().block_on(Database::open(&location, 1));
        opened.map(drop).map_err(|error| error.to_string())
    };
    let (here, numbered) = (at("localhost"), at("127.0.0.1"));
    let (own, other) = (
        format!("sslrootcert={CERTIFICATE}"),
        format!("sslrootcert={STRANGER}"),
    );
    for (address, is_open) in [
        (here.clone(), true),
        (format!("{here}?sslmode=disable"), true),
        (format!("{here}?sslmode=allow"), true),
        (format!("{here}?sslmode=require"), true),
        (format!("{here}?sslmode=verify-ca"), false),
        (format!("{here}?sslmode=verify-ca&{own}"), true),
        (format!("{here}?sslmode=verify-ca&{other}"), false),
        (format!("{here}?sslmode=require&{other}"), false),
        (format!("{numbered}?sslmode=verify-full&{own}"), true),
        (
            format!("{here}?sslmode=verify-full&{own}&hostaddr=127.0.0.1"),
            true,
        ),
    ] {
        let opened = opens(&address);
        assert_eq!(opened.is_ok(), is_open, "{address}: {opened:?}");
    }
    // Another name than that of the certificate.
    let named = at("desk.example.org");
    let named = format!("{named}?hostaddr=127.0.0.1&{own}&sslmode=");
    assert_eq!(opens(&format!("{named}verify-ca")), Ok(()));
    let refused = opens(&format!("{named}verify-full")).expect_err("another name");
    assert!(refused.contains("certificate"), "{refused}");

    let checked = check(&format!("{here}?sslmode=verify-full&{own}"));
    let says = "sslmode=verify-full, the certificate ends 2126-";
    assert!(checked.stdout.contains(says), "{checked:?}");
    let checked = check(&format!("{here}?sslmode=verify-full"));
    assert!(
        checked.stdout.contains("give sslrootcert=FILE"),
        "{checked:?}"
    );
}
