//! `frontdesk login --provider`: through a code-hosting provider, with a browser on this machine or
//! another.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Stdio};

use frontdesk_client::paths;
use frontdesk_protocol::Role;
use frontdesk_server::database::Location;
use frontdesk_server::identity::IdentitySettings;
use frontdesk_server::server::{Server, Settings};
use frontdesk_tests::account::invited;
use frontdesk_tests::builder::PASSWORD;
use frontdesk_tests::code_host::Browser;
use frontdesk_tests::world::identity;
use frontdesk_tests::{CodeHost, Organization, program, run, world};
use tempfile::TempDir;

use crate::commands::stage::Ended;

/// A server with a provider, and the directory of a user who is not signed in.
struct Desk {
    organization: Organization,
    provider: CodeHost,
    server: Server,
    home: TempDir,
}

/// The program, waiting for the browser.
struct Login {
    child: Child,
    address: String,
}

impl Desk {
    fn of(role: Role) -> Desk {
        run(async {
            let organization = Organization::create().await;
            let provider = CodeHost::start(&organization.email(role)).await;
            let settings = Settings {
                identity: IdentitySettings {
                    code_host: Some(provider.settings()),
                    ..identity()
                },
                ..Settings::local(Location::Memory)
            };
            Desk {
                organization,
                provider,
                server: world().server_with(settings).await,
                home: tempfile::tempdir().expect("a directory"),
            }
        })
    }

    fn command(&self, arguments: &[&str]) -> std::process::Command {
        let url = self.server.url();
        let mut command = program::command("frontdesk", &["--url", &url, "--home"]);
        command.arg(self.home.path()).args(arguments);
        command
            .env("HOME", self.home.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn frontdesk(&self, arguments: &[&str]) -> Ended {
        let mut command = self.command(arguments);
        Ended::of(command.stdin(Stdio::null()).output().expect("it runs"))
    }

    fn login(&self, arguments: &[&str]) -> Login {
        let mut command = self.command(&["login", "--provider", "forge"]);
        command.args(arguments);
        let mut child = command.spawn().expect("it starts");
        let stderr = child.stderr.as_mut().expect("its stderr");
        let mut told = BufReader::new(stderr).lines();
        let address = told.find_map(|line| line.ok().filter(|line| line.starts_with("http")));
        Login {
            address: address.expect("the address to open"),
            child,
        }
    }
}

impl Login {
    fn ends(mut self) -> (Option<i32>, String, String) {
        let (mut said, mut told) = (String::new(), String::new());
        let stdout = self.child.stdout.as_mut().expect("its stdout");
        stdout.read_to_string(&mut said).expect("text");
        let stderr = self.child.stderr.as_mut().expect("its stderr");
        stderr.read_to_string(&mut told).expect("text");
        (self.child.wait().expect("it ends").code(), said, told)
    }
}

#[test]
fn a_browser_on_this_machine_brings_the_sign_in_back() {
    let desk = Desk::of(Role::Staff);
    let login = desk.login(&[]);
    let page = run(async {
        let mut browser = Browser::default();
        let end = browser.goes_through(&login.address).await;
        browser.get(end.as_str()).await
    });
    assert_eq!(page.text, "Done. You can close this page.");
    let (code, said, told) = login.ends();
    let email = desk.organization.email(Role::Staff);
    assert_eq!(code, Some(0), "{told}");
    assert!(
        said.starts_with(&format!("Signed in as {email}, staff at ")),
        "{said}"
    );

    let who = desk.frontdesk(&["whoami"]);
    assert!(
        who.stdout.starts_with(&format!("{email}, staff at ")),
        "{who:?}"
    );
    let file = paths::credentials_file(desk.home.path());
    let kept = std::fs::read_to_string(&file).expect("it is kept");
    assert!(kept.contains(&email), "{kept}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(file)
            .expect("it is there")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let left = desk.frontdesk(&["logout"]);
    assert_eq!(left.stdout, "Signed out.\n");
}

#[test]
fn where_the_browser_is_elsewhere_its_last_address_is_pasted() {
    let desk = Desk::of(Role::Teacher);
    let mut login = desk.login(&[]);
    let end = run(async { Browser::default().goes_through(&login.address).await });
    let stdin = login.child.stdin.as_mut().expect("its stdin");
    writeln!(stdin, "  {end}").expect("it reads");
    let (code, said, told) = login.ends();
    assert_eq!(code, Some(0), "{told}");
    assert!(said.contains("teacher at "), "{said}");
}

#[test]
fn who_has_no_account_is_told_on_the_terminal_and_in_the_browser() {
    let desk = Desk::of(Role::Staff);
    desk.provider.visited_by("stranger@nowhere.test", true);
    let login = desk.login(&[]);
    let page = run(async {
        let mut browser = Browser::default();
        let end = browser.goes_through(&login.address).await;
        browser.get(end.as_str()).await
    });
    let why = "no account here is linked to stranger@nowhere.test";
    assert!(
        page.text.starts_with("Not signed in: ") && page.text.contains(why),
        "{page:?}"
    );
    let (code, said, told) = login.ends();
    assert_eq!((code, said.as_str()), (Some(3), ""));
    assert!(
        told.contains("frontdesk: not signed in through forge: "),
        "{told}"
    );
    assert!(told.contains(why), "{told}");
    desk.frontdesk(&["whoami"]).fails(3, "not signed in");
}

#[test]
fn a_way_to_sign_in_is_chosen_once() {
    let desk = Desk::of(Role::Staff);
    let ended = desk.frontdesk(&["login", "--provider", "forge", "--email", "a@b.test"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    let ended = desk.frontdesk(&["login"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
}

/// Signs in with a password.
fn with_password(desk: &Desk, email: &str, password: &str, arguments: &[&str]) -> Ended {
    let mut command = desk.command(&["login", "--email", email, "--password-stdin"]);
    let mut child = command.args(arguments).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("its stdin");
    writeln!(stdin, "{password}").expect("it reads");
    drop(stdin);
    Ended::of(child.wait_with_output().expect("it ends"))
}

#[test]
fn where_a_password_fits_several_accounts_the_organisation_is_an_option() {
    let desk = Desk::of(Role::Staff);
    let email = desk.organization.email(Role::Staff);
    let other = run(async {
        let other = Organization::create().await;
        invited(&other, &email, PASSWORD).await;
        other
    });
    let several = with_password(&desk, &email, PASSWORD, &[]);
    several.fails(2, "--organization");
    assert!(several.stderr.contains(&other.name()), "{several:?}");
    for organization in [desk.organization.name(), other.name()] {
        let arguments = ["--organization", &*organization];
        let ended = with_password(&desk, &email, PASSWORD, &arguments);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        assert!(ended.stdout.contains(&organization), "{ended:?}");
    }
}

#[test]
fn the_code_of_a_second_factor_is_an_option() {
    let desk = Desk::of(Role::Staff);
    let email = desk.organization.email(Role::Staff);
    let [code, other] = run(desk.organization.second_factor(Role::Staff));
    let signing_in = with_password(&desk, &email, PASSWORD, &[]);
    signing_in.fails(2, "--code gives a code");
    let wrong = with_password(&desk, &email, PASSWORD, &["--code", "123456"]);
    wrong.fails(2, "The code is wrong, or was used before");
    let ended = with_password(&desk, &email, PASSWORD, &["--code", code]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let token = desk.frontdesk(&["token", "--read-only"]);
    assert!(
        token.stderr.contains("a program with this token reads as"),
        "{token:?}"
    );
    desk.frontdesk(&["second-factor", "off"])
        .fails(2, "no terminal to ask for a code");
    let again = with_password(&desk, &email, PASSWORD, &["--code", code]);
    again.fails(2, "was used before");
    let ended = with_password(&desk, &email, PASSWORD, &["--code", other]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
}

#[test]
fn an_account_that_is_linked_is_opened_by_the_provider() {
    let desk = Desk::of(Role::Staff);
    let nobody = desk.frontdesk(&["login", "--provider", "forge", "--link"]);
    nobody.fails(3, "nobody is signed in");
    let email = format!("ana@{}.test", desk.organization.id);
    run(invited(&desk.organization, &email, PASSWORD));
    let ended = with_password(&desk, &email, PASSWORD, &[]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    desk.provider.visited_by("ana@forge.test", true);
    let login = desk.login(&["--link"]);
    run(async {
        let mut browser = Browser::default();
        let provider = browser.get(&login.address).await.location();
        let callback = browser.get(provider.as_str()).await.location();
        let page = browser.get(callback.as_str()).await;
        let label = format!("Link {email} at {}", desk.organization.name());
        let (flow, choice) = (page.field("flow"), page.field("choice"));
        let account = page.value_of(&label);
        let fields = [("flow", &*flow), ("choice", &choice), ("account", &account)];
        let end = browser.post(&page.form_address(), &fields).await.location();
        browser.get(end.as_str()).await
    });
    let (code, _, told) = login.ends();
    assert_eq!(code, Some(0), "{told}");
    desk.frontdesk(&["logout"]);

    let login = desk.login(&[]);
    run(async {
        let mut browser = Browser::default();
        let end = browser.goes_through(&login.address).await;
        browser.get(end.as_str()).await
    });
    let (_, said, told) = login.ends();
    assert!(said.contains(&email), "{said}{told}");
}
