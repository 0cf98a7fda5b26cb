//! The command line: the address, and errors about invalid options.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, Stdio};

use frontdesk_tests::program::{Ended, run_server, server};
use frontdesk_tests::{Answer, Http, Process};
use reqwest::{Method, StatusCode};

use crate::durability::place::{Directory, runtime};

pub(crate) fn port_0_picks_a_port_and_says_which() {
    let directory = Directory::new();
    let server = Process::demo(&directory.database());
    let address = server.url.strip_prefix("http://").expect("an address");
    let address: SocketAddr = address.parse().expect("host and port");
    assert!(address.ip().is_loopback());
    assert_ne!(address.port(), 0);
    runtime().block_on(async {
        let http = Http::with_token(&server.url, "");
        let answer = Answer::to(http.request(Method::GET, "/events/health")).await;
        assert_eq!(answer.status, StatusCode::OK);
        assert_eq!(answer.body["status"], "ok");
    });
    server.stop();
}

pub(crate) fn the_demo_says_who_can_sign_in_and_how() {
    let directory = Directory::prepared();
    let server = Process::demo(&directory.database());
    server.wait_for_log("all with the password demo-password");
    server.wait_for_log("staff@demo.test          staff at ");
    server.stop();
}

pub(crate) fn an_option_that_cannot_be_understood_is_named_and_nothing_is_started() {
    for (args, named) in [
        (&[][..], "Usage"),
        (&["open"], "open"),
        (&["serve", "--colour"], "--colour"),
        (&["serve", "--listen", "here"], "--listen"),
        (&["serve", "--listen", "127.0.0.1:65536"], "--listen"),
        (&["serve", "--rate-limit", "-1"], "-1"),
        (&["serve", "--rate-limit", "many"], "--rate-limit"),
        (
            &["serve", "--database", "mysql://localhost/x"],
            "--database",
        ),
        (
            &["serve", "--database", "postgres://localhost:port/x"],
            "--database",
        ),
        (&["serve", "--connections", "0"], "--connections"),
        (&["serve", "--connections", "501"], "--connections"),
        (&["serve", "--jwks-url", "keys"], "--jwks-url"),
        (
            &[
                "serve",
                "--jwks-url",
                "https://example.org/jwks",
                "--jwt-secret",
                "secret",
            ],
            "--jwt-secret",
        ),
        (
            &["serve", "--jwks-url=https://example.org/jwks"],
            "--jwt-issuer",
        ),
        (
            &[
                "serve",
                "--jwt-secret=0123456789abcdef0123456789abcdef",
                "--jwt-issuer=https://example.org",
            ],
            "--jwt-audience",
        ),
        (
            &[
                "serve",
                "--jwks-url=https://example.org/jwks",
                "--jwt-issuer=",
                "--jwt-audience=desk",
            ],
            "--jwt-issuer",
        ),
        (&["serve", "--public-url", "example.org"], "--public-url"),
        (&["serve", "--provider", "github"], "--provider-client-id"),
        (
            &["serve", "--provider=github", "--provider-client-id=id"],
            "--provider-client-secret",
        ),
        (
            &["serve", "--provider=forge", "--provider-client-id=id"],
            "--provider-authorize-url",
        ),
        (
            &[
                "serve",
                "--provider=github",
                "--provider-client-id=id",
                "--jwks-url=https://example.org/jwks",
            ],
            "--jwks-url",
        ),
        (&["serve", "--token-lifetime", "soon"], "--token-lifetime"),
        (&["serve", "--metrics-listen", "9090"], "--metrics-listen"),
        (&["seed"], "--guests"),
        (&["seed", "--guests", "0"], "--guests"),
        (&["seed", "--guests", "5000001"], "--guests"),
    ] {
        let ended = run_server(args);
        assert_eq!(ended.code, Some(2), "{args:?}: {ended:?}");
        assert!(ended.stderr.contains(named), "{args:?}: {ended:?}");
        assert_eq!(ended.stdout, "", "{args:?}");
    }
}

pub(crate) fn an_environment_variable_that_cannot_be_understood_is_named() {
    for (name, value) in [
        ("FRONTDESK_LISTEN", "here"),
        ("FRONTDESK_RATE_LIMIT", "many"),
        ("FRONTDESK_DATABASE", "mysql://localhost/x"),
    ] {
        let output = server(&["serve"]).env(name, value).output();
        let output = output.expect("it runs");
        assert_eq!(output.status.code(), Some(2), "{name}");
        let option = name
            .replace("FRONTDESK_", "--")
            .replace('_', "-")
            .to_lowercase();
        let stderr = String::from_utf8(output.stderr).expect("text");
        assert!(stderr.contains(&option), "{stderr}");
    }
}

pub(crate) fn the_version_names_the_schema_and_the_revisions() {
    let told = run_server(&["version", "--json"]).stdout;
    let told: serde_json::Value = serde_json::from_str(&told).expect("JSON");
    assert!(
        told["schema"].as_i64().is_some_and(|schema| schema > 122),
        "{told}"
    );
    assert_eq!(told["protocol"][1], "2025-11-25", "{told}");
}

pub(crate) fn a_password_in_an_address_that_cannot_be_understood_is_not_repeated() {
    for (address, says) in [
        ("frontdesk:hunter2@localhost:port/x", "invalid value"),
        (
            "frontdesk:hunter2/@localhost/x",
            "write %40 for @, %2F for /",
        ),
        ("frontdesk:hunter2@#1@localhost/x", "write %40 for @"),
        ("frontdesk:hunter2%1@localhost/x", "%25 for %"),
    ] {
        let address = format!("postgres://{address}");
        let ended = run_server(&["serve", "--database", &address]);
        assert_eq!(ended.code, Some(2), "{address}");
        assert!(ended.stderr.contains(says), "{address}: {}", ended.stderr);
        assert!(!ended.stderr.contains("hunter2"), "{}", ended.stderr);
    }
}

pub(crate) fn what_is_missing_at_the_start_is_an_error_that_says_so() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address");
    let directory = Directory::new();
    let database = directory.database();
    let file = format!("{database}.txt");
    std::fs::write(&file, "not a directory").expect("a file");
    let nobody = TcpListener::bind("127.0.0.1:0").expect("a port");
    let away = nobody.local_addr().expect("an address");
    drop(nobody);
    let away = format!("postgres://frontdesk:hunter2@{away}/x");
    for (listen, database, said) in [
        (port.to_string(), database.clone(), "cannot listen on"),
        (
            "127.0.0.1:0".to_owned(),
            away,
            "the database cannot be reached",
        ),
        ("127.0.0.1:0".to_owned(), file, "database"),
    ] {
        let arguments = ["serve", "--listen", &listen, "--database", &database];
        let ended = run_server(&[&arguments[..], &["--database-wait=0"]].concat());
        assert_eq!(ended.code, Some(1), "{database}: {ended:?}");
        let message = ended.stderr.lines().last().unwrap_or_default();
        assert!(message.starts_with("frontdesk-server: "), "{ended:?}");
        assert!(message.contains(said), "{message}");
        assert!(!ended.stderr.contains("hunter2"), "{ended:?}");
        assert_eq!(ended.stdout, "");
    }
}

/// The commands that create a database, or bring it up to date.
const CREATING: [&str; 5] = ["serve", "seed", "setup", "restore", "migrate"];

/// What a command needs besides the database.
fn needed(command: &str) -> &'static [&'static str] {
    match command {
        "add-account" => &["--email=a@b.test", "--organization=o", "--role=staff"],
        "set-password" | "remove-second-factor" => &["--email=a@b.test"],
        "remove-account" => &["--email=a@b.test", "--yes"],
        "rename-organization" => &["o", "--to=p"],
        "remove-organization" => &["o", "--yes"],
        "backup" => &["-"],
        "move" => &["--to=postgres://127.0.0.1:1/x"],
        "keep-changes" => &["7", "--yes"],
        "completions" => &["bash"],
        "webhooks replay" => &["--all-failed"],
        _ => &[],
    }
}

pub(crate) fn only_commands_that_fill_a_database_create_one() {
    let directory = Directory::new();
    let database = format!("{}/mistyped/postgres", directory.database());
    let page = run_server(&["man"]).stdout;
    let commands = page
        .lines()
        .filter_map(|line| line.strip_prefix(".SH FRONTDESK-SERVER "))
        .map(str::to_lowercase);
    let others: Vec<_> = commands
        .filter(|command| !CREATING.contains(&&**command))
        .collect();
    assert!(
        others.iter().any(|command| command == "webhooks list"),
        "{others:?}"
    );
    for command in others {
        let mut arguments: Vec<_> = command.split(' ').collect();
        arguments.extend(needed(&command));
        let has_database = !["man", "completions", "version"].contains(&&*command);
        if has_database {
            arguments.extend(["--database", &database]);
        }
        let mut process = server(&arguments);
        let stdin = process.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = stdin.stderr(Stdio::piped()).spawn().expect("it runs");
        // The password of an account. A command that asks for none can end before it is written.
        let _ = child
            .stdin
            .take()
            .map(|mut stdin| stdin.write_all(b"a good password\n"));
        let ended = Ended::of(child.wait_with_output().expect("its end"));
        let says_so = match &*command {
            "check" => ended.stdout.contains("not created yet"),
            _ => ended.stderr.contains("there is no Frontdesk in"),
        };
        assert!(says_so || !has_database, "{command}: {ended:?}");
        assert!(!Path::new(&directory.database()).exists(), "{command}");
    }
}

/// `systemd-analyze` reads the unit, and says how exposed it is (from 0 to 10; here in tenths).
pub(crate) fn the_unit_is_valid_and_hardened() {
    let unit = include_str!("../../docs/deploy/frontdesk.service");
    let place = tempfile::tempdir().expect("a directory");
    let file = place.path().join("frontdesk.service");
    // The program is not installed here.
    std::fs::write(
        &file,
        unit.replace("/usr/local/bin/frontdesk-server", "/bin/true"),
    )
    .expect("a file");
    let analyze = |arguments: &[&str]| {
        let output = Command::new("systemd-analyze")
            .args(arguments)
            .arg(&file)
            .output();
        let Ok(output) = output else {
            // Not a machine with systemd.
            return;
        };
        assert!(
            output.status.success() && output.stderr.is_empty(),
            "{output:?}"
        );
    };
    analyze(&["verify"]);
    analyze(&["security", "--offline=true", "--threshold=30"]);
}

pub(crate) fn a_socket_is_served_replaced_after_a_kill_and_removed_at_the_end() {
    let directory = Directory::prepared();
    let path = format!("{}.socket", directory.database());
    let socket = format!("unix:{path}");
    let database = directory.database();
    let arguments = ["serve", "--database", &database, "--listen", &socket];
    let unnamed = run_server(&arguments);
    assert!(unnamed.stderr.contains("needs --public-url"), "{unnamed:?}");
    let serve = || {
        let public = "--public-url=https://desk.example.org";
        Process::start(server(&arguments).arg(public))
    };
    let killed = serve();
    let refused = run_server(&[
        "serve",
        "--database",
        "memory",
        "--listen",
        &socket,
        "--public-url=https://x.test",
    ]);
    assert!(
        refused.stderr.contains("another program listens there"),
        "{refused:?}"
    );
    killed.kill();
    let process = serve();
    assert_eq!(process.url, socket);
    let mut client = UnixStream::connect(&path).expect("a connection");
    client
        .write_all(
            b"GET /staff/health HTTP/1.1\r\nHost: desk.example.org\r\nConnection: close\r\n\r\n",
        )
        .expect("a request");
    let mut answer = String::new();
    client.read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    process.stop();
    assert!(!Path::new(&path).exists());
}
