//! `frontdesk login --provider`: through a code-hosting provider, with a browser on this machine and with
//! one elsewhere.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Stdio};

use frontdesk_client::paths;
use frontdesk_protocol::Role;
use frontdesk_server::database::Location;
use frontdesk_server::identity::IdentitySettings;
use frontdesk_server::server::{Server, Settings};
use frontdesk_tests::code_host::Browser;
use frontdesk_tests::world::identity;
use frontdesk_tests::{CodeHost, Organization, program, run, world};
use tempfile::TempDir;

use crate::stage::Ended;

/// A server that signs people in through a provider, and the directory of somebody who is not.
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

    fn login(&self) -> Login {
        let mut command = self.command(&["login", "--provider", "forge"]);
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
    let login = desk.login();
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
    let mut login = desk.login();
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
    let login = desk.login();
    let page = run(async {
        let mut browser = Browser::default();
        let end = browser.goes_through(&login.address).await;
        browser.get(end.as_str()).await
    });
    let why = "nobody here has the address stranger@nowhere.test";
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
