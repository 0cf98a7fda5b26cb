//! Wrong set-ups, and what `frontdesk-server check` says about each.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use frontdesk_tests::program::run_server;
use frontdesk_tests::{Cluster, Process};

use crate::server::stage::{runtime, superuser};

/// The answer of a healthy server at `/staff/health` and `/events/health`.
const HEALTH: &str =
    r#"{"status":"ok","host":"HOST","version":"0.2.0","tools":1,"database":"ok","forwarded":1}"#;

/// What answers at the public address.
#[derive(Clone, Copy)]
enum Front {
    /// Everything with this status line, these headers and this body.
    Always(&'static str, &'static str, &'static str),
    /// As a server behind one proxy, but in one respect.
    But(&'static str, &'static str, &'static str),
    /// As a server behind one proxy, with this header.
    With(&'static str),
}

/// Answers requests at a new address, which it returns, until the tests end.
fn front(front: Front) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("its address"));
    let base = url.clone();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (stream, base) = (stream.expect("a client"), base.clone());
            // The client may have gone.
            thread::spawn(move || answer(&stream, front, &base).ok());
        }
    });
    url
}

fn answer(mut stream: &TcpStream, front: Front, base: &str) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head)? > 0 {}
    let path = head.split(' ').nth(1).unwrap_or_default();
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        (name.eq_ignore_ascii_case("content-length")).then(|| value.parse::<u64>().ok())?
    });
    std::io::copy(&mut reader.take(length.unwrap_or(0)), &mut std::io::sink())?;
    let host = path.trim_start_matches('/').split('/').next();
    let own = match path {
        "/staff/health" | "/events/health" => {
            let health = HEALTH.replace("HOST", host.unwrap_or_default());
            ("200 OK", String::new(), health)
        }
        "/staff/mcp" => ("401 Unauthorized", String::new(), "{}".to_owned()),
        _ => {
            let named = format!(r#"{{"resource":"{base}/staff/mcp"}}"#);
            ("200 OK", String::new(), named)
        }
    };
    let (status, header, body) = match front {
        Front::Always(status, header, body) => (status, header.to_owned(), body.to_owned()),
        Front::But(at, status, body) if path == at => (status, String::new(), body.to_owned()),
        Front::With(header) => (own.0, header.to_owned(), own.2),
        Front::But(..) => own,
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n{header}connection: close\r\n\r\n{body}",
        body.len()
    )
}

const METADATA: &str = "/.well-known/oauth-protected-resource/staff/mcp";

/// Databases with one mistake each; `modest` has no rights.
const DATABASES: [&str; 12] = [
    "create role modest login",
    "create role lame login superuser",
    "alter role lame set default_transaction_read_only = on",
    "create database ascii encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C' template template0",
    "create database sorted locale_provider icu icu_locale 'en' template template0",
    "update pg_database set datcollversion = '1' where datname = 'sorted'",
    "create database foreign_one",
    "create database begun",
    "create database older",
    "create database newer",
    "create database earlier",
    "create database kept",
];

pub(crate) fn wrong_set_ups_are_named_with_what_to_change() {
    let cluster = Cluster::start_new();
    let address = cluster.address();
    let (server, _) = address.rsplit_once('/').expect("a database");
    let at = |database: &str| format!("{server}/{database}");
    let of = |user: &str, database: &str| at(database).replace("postgres@", &format!("{user}@"));
    runtime().block_on(async {
        let superuser = superuser(&cluster).await;
        for statement in DATABASES {
            superuser.batch_execute(statement).await.expect(statement);
        }
        for (database, statement) in [
            ("foreign_one", "create schema events"),
            ("begun", "create schema app"),
            (
                "older",
                "create schema app; comment on schema app is 'schema 130'",
            ),
            (
                "newer",
                "create schema app; comment on schema app is 'schema 9999'",
            ),
            (
                "earlier",
                "create schema app; comment on schema app is 'schema 33'",
            ),
        ] {
            let (client, connection) =
                tokio_postgres::connect(&at(database), tokio_postgres::NoTls)
                    .await
                    .expect("a database");
            tokio::spawn(connection);
            client.batch_execute(statement).await.expect(statement);
        }
    });
    let prepared = run_server(&["migrate", "--database", &at("kept")]);
    assert_eq!(prepared.code, Some(0), "{prepared:?}");

    let place = tempfile::tempdir().expect("a directory");
    let path = |name: &str| place.path().join(name).display().to_string();
    std::fs::write(path("file"), "").expect("a file");
    std::fs::create_dir_all(path("broken/pgdata")).expect("a directory");
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let taken = taken
        .local_addr()
        .map(|address| (taken, address.to_string()));
    let (_taken, port) = taken.expect("its address");
    let demo = Process::demo("memory");
    let tls = demo.url.replace("http:", "https:");
    let below = format!("{}/desk", demo.url);

    let public = |url: &str| vec!["--public-url".to_owned(), url.to_owned()];
    let behind = |front_: Front| [public(&front(front_)), vec!["--proxies=1".to_owned()]].concat();
    let option = |option: &str| vec![option.to_owned()];
    let is_bad = true;
    #[rustfmt::skip]
    let rows = [
        // The database.
        (path("file"), vec![], is_bad, "is a file; --database needs a directory"),
        (path("file/below"), vec![], is_bad, "choose another with --database"),
        (path("broken"), vec![], is_bad, "is incomplete: restore a backup"),
        ("memory".to_owned(), vec![], false, "everything is lost when the server ends"),
        ("postgres://127.0.0.1:1/x".to_owned(), vec![], is_bad, "check host and port, that PostgreSQL runs"),
        (at("nowhere"), vec![], is_bad, "create the database: createdb"),
        (of("nobody", "kept"), vec![], is_bad, "allow this user and machine in pg_hba.conf"),
        (of("modest", "postgres"), vec![], is_bad, "alter role \"modest\" createrole"),
        (of("modest", "kept"), vec![], is_bad, "grant frontdesk_owner, authenticator to \"modest\""),
        (of("lame", "kept"), vec![], is_bad, "change default_transaction_read_only"),
        (at("ascii"), vec![], is_bad, "has the encoding SQL_ASCII, and Frontdesk needs UTF8"),
        (at("sorted"), vec![], is_bad, "reindex database \"sorted\"; alter database \"sorted\" refresh collation version"),
        (at("foreign_one"), vec![], is_bad, "another program (events)"),
        (at("begun"), vec![], is_bad, "start `frontdesk-server migrate`: it continues"),
        (at("older"), vec![], false, "make a backup; then `serve` or `migrate`"),
        (at("newer"), vec![], is_bad, "use the newer frontdesk-server"),
        (at("earlier"), vec![], is_bad, "frontdesk-server 0.2.0 first"),
        (at("kept"), option("--connections=500"), false, "choose fewer, or raise max_connections"),
        // The port, and what is in front of it.
        (at("kept"), vec!["--listen".to_owned(), port.clone()], is_bad, "another program has the port"),
        (at("kept"), option("--listen=192.0.2.1:4700"), is_bad, "this machine does not have the address"),
        (at("kept"), option("--listen=unix:/nowhere/http.sock"), is_bad, "choose a directory of the server's user"),
        (at("kept"), public("http://127.0.0.1:1"), is_bad, "nothing listens there"),
        (at("kept"), public(&tls), is_bad, "the port does not speak TLS"),
        (at("kept"), public("http://192.0.2.1:1"), is_bad, "anyone on the network can read passwords"),
        (at("kept"), public(&below), is_bad, "pass paths on unchanged"),
        (at("kept"), [public(&demo.url), option("--proxies=1")].concat(), is_bad, "X-Forwarded-For has 0 addresses"),
        (at("kept"), public(&front(Front::With(""))), false, "start the server with --proxies 1"),
        (at("kept"), behind(Front::Always("301 Moved", "location: https://x.test/\r\n", "")), is_bad, "redirects to https://x.test/"),
        (at("kept"), behind(Front::Always("502 Bad Gateway", "", "")), is_bad, "let the proxy forward to its --listen address"),
        (at("kept"), behind(Front::Always("200 OK", "", "<html>")), is_bad, "another program answers"),
        (at("kept"), behind(Front::Always("403 Forbidden", "", r#"{"error":{"message":"the Host header is refused"}}"#)), is_bad, "pass the Host header on"),
        (at("kept"), behind(Front::With("date: Mon, 01 Jan 2024 00:00:00 GMT\r\n")), is_bad, "keep both clocks set by NTP"),
        (at("kept"), behind(Front::But("/staff/mcp", "413 Too Large", "")), is_bad, "client_max_body_size 8m"),
        (at("kept"), behind(Front::But(METADATA, "404 Not Found", "")), is_bad, "let the proxy forward /.well-known/ too"),
        (at("kept"), behind(Front::But(METADATA, "200 OK", r#"{"resource":"http://other/staff/mcp"}"#)), is_bad, "start the server with --public-url http"),
        (at("kept"), ["--jwks-url", &front(Front::With("")), "--jwt-issuer=x", "--jwt-audience=y"].map(str::to_owned).to_vec(), is_bad, "give the address of the provider's JWKS"),
    ];
    thread::scope(|scope| {
        let checks: Vec<_> = rows
            .iter()
            .map(|(database, options, is_bad, says)| {
                let has_port = options.iter().any(|option| option.starts_with("--listen"));
                let free = (!has_port).then_some("--listen=127.0.0.1:0");
                let arguments: Vec<_> = ["check", "--database", database]
                    .into_iter()
                    .chain(free)
                    .chain(options.iter().map(String::as_str))
                    .collect();
                scope.spawn(move || {
                    let checked = run_server(&arguments);
                    let told = checked.stdout.contains(says);
                    (!told || (checked.code != Some(0)) != *is_bad)
                        .then(|| format!("{says:?}: {arguments:?}: {checked:?}"))
                })
            })
            .collect();
        let wrong: Vec<_> = checks
            .into_iter()
            .filter_map(|check| check.join().expect("it runs"))
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    });
}
