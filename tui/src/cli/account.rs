//! `login`, `logout`, `whoami`.

use std::io::{BufRead, Write};
use std::time::Duration;

use clap::Args;
use frontdesk::plain;
use frontdesk_client::{Account, CallError};
use frontdesk_protocol::ErrorCode;

use super::options::Options;
use super::peer::{Peer, of_server};
use super::{Failure, completions, say};

/// How long somebody has to sign in in a browser.
const SIGN_IN_WITHIN: Duration = Duration::from_secs(10 * 60);

/// Signs in.
#[derive(Debug, Args)]
pub(super) struct Login {
    /// The account's e-mail address.
    #[arg(long, value_name = "E", required_unless_present = "server")]
    email: Option<String>,
    /// Sign in to this server of the configuration instead, in a browser.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["email", "password_stdin"], add = completions::configured())]
    server: Option<String>,
    /// Read the password from stdin, one line, instead of asking for it.
    #[arg(long)]
    password_stdin: bool,
}

impl Login {
    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        if let Some(name) = &self.server {
            return sign_in(options, name).await;
        }
        let email = self.email.as_deref().unwrap_or_default();
        let client = options.client(options.store()?)?;
        let password = self
            .password(email)
            .map_err(|error| Failure::File("the password", error))?;
        let account = client
            .sign_in(&options.public_key(), email, &password)
            .await
            .map_err(|error| match error {
                CallError::Tool(refusal) if refusal.code == ErrorCode::Unauthorized => {
                    Failure::WrongPassword
                }
                error => Failure::from(error),
            })?;
        say(&format!("Signed in as {}", describe(&account)))
    }

    fn password(&self, email: &str) -> std::io::Result<String> {
        if !self.password_stdin {
            return rpassword::prompt_password(format!("Password of {email}: "));
        }
        let mut line = String::new();
        std::io::stdin().lock().read_line(&mut line)?;
        Ok(line.trim_end_matches(['\r', '\n']).to_owned())
    }
}

/// Signs in to a server: says what to open in a browser, and waits until the browser is sent back
/// to this machine, or somebody pastes where it was sent to.
async fn sign_in(options: &Options, name: &str) -> Result<(), Failure> {
    let server = Peer::server(options, name)?;
    let failure = |error| match error {
        CallError::SignedOut(reason) => {
            Failure::Refused(format!("not signed in to {name}: {reason}"))
        }
        error => of_server(name, error),
    };
    let sign_in = server.sign_in().await.map_err(failure)?;
    let told = writeln!(
        std::io::stderr(),
        "Open this address in a browser and sign in:\n\n{}\n\nIf the browser is on another \
         machine, it will end on a page that it cannot load: paste the address of that page here.",
        plain(sign_in.address())
    );
    told.map_err(|error| Failure::File("stderr", error))?;
    let mut pasted = pasted();
    let answer = tokio::select! {
        answer = sign_in.redirected() => {
            answer.map_err(|error| Failure::File("the answer", error))?
        }
        Some(line) = pasted.recv() => line,
        () = tokio::time::sleep(SIGN_IN_WITHIN) => {
            let message = format!("nobody signed in to {name} within ten minutes");
            return Err(Failure::Refused(message));
        }
        _ = tokio::signal::ctrl_c() => return Err(Failure::Interrupted),
    };
    sign_in.finish(&answer).await.map_err(failure)?;
    say(&format!("Signed in to {name}"))
}

/// The first line that is pasted; nothing where stdin ends without one.
fn pasted() -> tokio::sync::mpsc::Receiver<String> {
    let (send, receive) = tokio::sync::mpsc::channel(1);
    // Not a task: it would keep the program from ending while nobody types.
    std::thread::spawn(move || {
        let mut lines = std::io::stdin().lock().lines();
        let line = lines.find(|line| line.as_ref().map_or(true, |line| !line.trim().is_empty()));
        if let Some(Ok(line)) = line {
            // The browser may have been quicker.
            let _ = send.blocking_send(line);
        }
    });
    receive
}

/// Signs out.
#[derive(Debug, Args)]
pub(super) struct Logout {
    /// Sign out of this server of the configuration instead.
    #[arg(long, value_name = "NAME", add = completions::configured())]
    server: Option<String>,
}

impl Logout {
    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        let Some(name) = &self.server else {
            return logout(options).await;
        };
        let forgotten = Peer::server(options, name)?.sign_out().await;
        match forgotten.map_err(|error| of_server(name, error))? {
            true => say(&format!("Signed out of {name}.")),
            false => say(&format!("Nobody was signed in to {name}.")),
        }
    }
}

/// Signs out, and forgets the token.
async fn logout(options: &Options) -> Result<(), Failure> {
    let client = options.client(options.store()?)?;
    if !client.is_signed_in() {
        return say("Nobody was signed in.");
    }
    match client.sign_out().await {
        Ok(()) => say("Signed out."),
        // Here it is forgotten all the same; only the host was not told.
        Err(error) => say(&format!("Signed out here. The host was not told: {error}")),
    }
}

/// Says who is signed in.
pub(super) async fn whoami(options: &Options) -> Result<(), Failure> {
    let client = options.client(options.store()?)?;
    say(&describe(&client.account().await?))
}

fn describe(account: &Account) -> String {
    let role = account.role.map_or("no role", |role| role.name());
    let organization = match &account.organization {
        Some(name) => format!("{role} at {name}"),
        None => format!("{role}, in no organisation"),
    };
    plain(&format!("{}, {organization}", account.email)).into_owned()
}
