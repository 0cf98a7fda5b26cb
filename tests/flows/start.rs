//! The first start: without configuration the app offers ways to begin, and writes only the lines
//! that it shows.

use std::path::{Path, PathBuf};

use frontdesk::local::Local;
use frontdesk::{Choice, Driver, FirstStart, Options};
use frontdesk_client::config::LocalConfig;
use frontdesk_client::config::elsewhere::{Elsewhere, Found};
use frontdesk_client::config::servers::ServerConfig;
use frontdesk_client::{Addresses, Client, Config, CredentialStore, Journal, paths};
use frontdesk_protocol::Host;
use frontdesk_tests::world::enter;
use frontdesk_tests::{Foreign, run, world};
use tempfile::TempDir;

/// Somebody who starts the app for the first time.
struct Newcomer {
    directory: TempDir,
    first: FirstStart,
    app: Driver,
}

impl Newcomer {
    /// At the start screen, with these servers in another client's settings.
    fn with(found: Found) -> Newcomer {
        let directory = tempfile::tempdir().expect("a directory");
        let config = directory.path().join("config.toml");
        let data = directory.path().join("data");
        let first = FirstStart::new(config, data, "demo".to_owned(), found);
        let app = begun(|| Driver::first_start(&first, &Options::default()).expect("it starts"));
        Newcomer {
            directory,
            first,
            app,
        }
    }

    fn config_file(&self) -> PathBuf {
        self.directory.path().join("config.toml")
    }

    fn data(&self) -> PathBuf {
        self.directory.path().join("data")
    }

    fn config(&self) -> Config {
        Config::load(&self.config_file()).expect("a configuration")
    }

    /// The app that is started next.
    fn goes_on(&self) -> Driver {
        let config = self.config();
        let url = config.url.clone();
        let has_service = url.is_some();
        let addresses = Addresses::new(&url.unwrap_or_else(|| world().url())).expect("an address");
        let store = CredentialStore::file(paths::credentials_file(&self.data()));
        let client = Client::new(addresses, store).expect("a client");
        let journal = Journal::open(paths::journal_file(&self.data())).expect("a journal");
        let options = Options {
            config,
            has_service,
            data: Some(self.data()),
            ..Options::default()
        };
        begun(|| Driver::start(client, journal, options).expect("it starts"))
    }
}

/// An app, once everything that it starts has ended.
fn begun(start: impl FnOnce() -> Driver) -> Driver {
    let inside = enter();
    let mut app = start();
    drop(inside);
    run(app.settle());
    app
}

fn press(app: &mut Driver, keys: &str) {
    for key in keys.split(' ') {
        let inside = enter();
        app.key(key).expect("a key");
        drop(inside);
        run(app.settle());
    }
}

fn fill_in(app: &mut Driver, texts: &[&str]) {
    for text in texts {
        let inside = enter();
        app.type_text(text);
        drop(inside);
        press(app, "enter");
    }
}

fn sees(app: &mut Driver, text: &str) {
    let screen = app.screen();
    assert!(screen.contains(text), "not on the screen: {text}\n{screen}");
}

/// Moves down to this row.
fn select(app: &mut Driver, row: &str) {
    for _ in 0..20 {
        if app.selected().iter().any(|selected| selected.contains(row)) {
            return;
        }
        press(app, "down");
    }
    panic!("no row {row}\n{}", app.screen());
}

#[test]
fn a_newcomer_starts_a_server_here_and_is_at_home_as_its_owner() {
    let mut t = Newcomer::with(Found::default());
    sees(&mut t.app, "Try the demo");
    select(&mut t.app, "Start a server here");
    press(&mut t.app, "enter");
    let file = t.config_file();
    assert!(t.app.screen().contains("[local]"), "{}", t.app.screen());
    fill_in(&mut t.app, &["River School", "Ada Lang", "ada@example.org"]);
    fill_in(&mut t.app, &["correct horse", "correct house"]);
    sees(&mut t.app, "The two passwords differ.");
    assert!(!file.exists(), "nothing is written before it is right");
    fill_in(&mut t.app, &["correct horse"]);
    assert!(t.app.is_over(), "{}", t.app.screen());
    assert_eq!(t.first.chosen(), Some(Choice::Configured));
    let local = t.config().local.expect("the hosts of this machine");
    assert!(local.database.starts_with(t.data()));

    let mut app = t.goes_on();
    sees(&mut app, "owner at River School");
    sees(&mut app, "First steps 5, 1 done");
    let hosts = run(t.first.take_local()).expect("the hosts run");
    run(hosts.stop()).expect("they end");
}

#[test]
fn a_server_of_another_client_is_taken_over_and_works_without_a_service() {
    let foreign = Foreign::start();
    let notes = foreign.config().servers["notes"].clone();
    let broken = "it has a placeholder ${…}, which only that client fills in";
    let server = |name: &str, server: Result<ServerConfig, String>| Elsewhere {
        client: "Cursor",
        file: Path::new("mcp.json").to_owned(),
        name: name.to_owned(),
        server,
    };
    let mut t = Newcomer::with(Found {
        servers: vec![
            server("keyed", Err(broken.to_owned())),
            server("notes", Ok(notes.clone())),
        ],
        problems: vec!["Cursor: /home/ada/.cursor/mcp.json: not valid JSON".to_owned()],
    });
    sees(
        &mut t.app,
        "! Cursor: /home/ada/.cursor/mcp.json: not valid JSON",
    );
    sees(&mut t.app, "placeholder");
    select(&mut t.app, "notes");
    press(&mut t.app, "enter");
    sees(&mut t.app, "[servers.notes]");
    press(&mut t.app, "enter");
    assert_eq!(t.config().servers["notes"], notes);
    select(&mut t.app, "Continue with 1 server");
    press(&mut t.app, "enter");
    assert_eq!(t.first.chosen(), Some(Choice::Configured));

    let mut app = t.goes_on();
    assert!(!app.screen().contains("Sign in"), "{}", app.screen());
    assert!(foreign.called().is_empty());
    // It is the only one, so it is opened.
    sees(&mut app, "list_notes");
    press(&mut app, "/");
    // While one searches, `q` is a letter, and the first `esc` clears the search.
    press(&mut app, "l q esc");
    assert!(!app.is_over(), "{}", app.screen());
    press(&mut app, "q");
    assert!(app.is_over());
}

#[test]
fn a_server_of_another_client_that_does_not_answer_is_not_written() {
    let gone = ServerConfig::parse("http://127.0.0.1:9/mcp").expect("a server");
    let mut t = Newcomer::with(Found {
        servers: vec![Elsewhere {
            client: "Cursor",
            file: Path::new("mcp.json").to_owned(),
            name: "gone".to_owned(),
            server: Ok(gone),
        }],
        problems: Vec::new(),
    });
    select(&mut t.app, "gone");
    press(&mut t.app, "enter enter");
    sees(&mut t.app, "cannot be reached");
    assert!(!t.config_file().exists());
}

#[test]
fn a_second_app_takes_the_server_over_when_the_first_one_ends() {
    let directory = tempfile::tempdir().expect("a directory");
    let port = std::net::TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr());
    let config = Config {
        url: Some(format!("http://{}", port.expect("a port"))),
        local: Some(LocalConfig {
            database: directory.path().join("postgres"),
        }),
        ..Config::default()
    };
    run(async {
        let start = || async { Local::of(&config).await.expect("it starts").expect("hosts") };
        let first = start().await;
        let mut second = start().await;
        let client = Client::new(
            Addresses::new(&first.url()).expect("an address"),
            CredentialStore::memory(),
        )
        .expect("a client");
        first.stop().await.expect("it ends");
        second.taken_over().await;
        client.health(Host::Events).await.expect("it is served");
        second.stop().await.expect("it ends");
        client
            .health(Host::Events)
            .await
            .expect_err("nobody serves");
    });
}

#[test]
fn an_address_without_a_server_is_not_written() {
    let mut t = Newcomer::with(Found::default());
    select(&mut t.app, "Sign in to a server");
    press(&mut t.app, "enter");
    fill_in(&mut t.app, &["http://127.0.0.1:9"]);
    sees(&mut t.app, "cannot be reached");
    assert!(!t.config_file().exists());
    press(&mut t.app, "ctrl-u");
    fill_in(&mut t.app, &[&world().url()]);
    assert_eq!(t.first.chosen(), Some(Choice::Configured));
    assert_eq!(t.config().url, Some(world().url()));
}
