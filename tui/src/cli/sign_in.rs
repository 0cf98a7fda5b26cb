//! Browser sign-in to a server, or to the service through a provider.

use std::io::{BufRead, IsTerminal, Write};

use frontdesk::{open_in_browser, plain};
use frontdesk_client::{Account, CallError, SIGN_IN_WITHIN};

use super::callee::{self, of_server};
use super::options::Options;
use super::{Failure, say};

/// Signs in to a server: prints the address to open in a browser, and waits for the redirect or for
/// the pasted redirect address.
pub(super) async fn to_server(options: &Options, name: &str) -> Result<(), Failure> {
    let server = callee::server(options, name, None)?;
    let failure = |error| match error {
        CallError::SignedOut(reason) => {
            Failure::Refused(format!("not signed in to {name}: {reason}"))
        }
        error => of_server(name, error),
    };
    let sign_in = server.sign_in().await.map_err(failure)?;
    let answer = answer(name, sign_in.address(), sign_in.redirected()).await?;
    sign_in.finish(&answer).await.map_err(failure)?;
    say(&format!("Signed in to {name}"))
}

/// Signs in to the service through a code-hosting provider in the same way; `is_link` links the
/// signed-in account first.
pub(super) async fn through_provider(
    options: &Options,
    provider: &str,
    is_link: bool,
) -> Result<Account, Failure> {
    let client = options.client(options.store()?)?;
    let failure = |error| match error {
        CallError::SignedOut(reason) => {
            Failure::Refused(format!("not signed in through {provider}: {reason}"))
        }
        error => Failure::Call(error),
    };
    let api_key = options.public_key();
    let sign_in = match is_link {
        true => client.link_through(provider, &api_key).await,
        false => client.sign_in_through(provider, &api_key).await,
    };
    let sign_in = sign_in.map_err(failure)?;
    let answer = answer(provider, sign_in.address(), sign_in.redirected()).await?;
    sign_in.finish(&answer).await.map_err(failure)
}

/// Prints the address to open in a browser, and waits for the redirect address, `redirected` or
/// pasted.
async fn answer(
    name: &str,
    address: &str,
    redirected: impl Future<Output = std::io::Result<String>>,
) -> Result<String, Failure> {
    let mut stderr = std::io::stderr();
    let first = match stderr.is_terminal() && open_in_browser(address) {
        true => "A browser opens. Sign in there, or open this address in another one",
        false => "Open this address in a browser and sign in",
    };
    let told = writeln!(
        stderr,
        "{first}:\n\n{}\n\nIf the browser is on another \
         machine, it will end on a page that it cannot load: paste the address of that page here.",
        plain(address)
    );
    told.map_err(|error| Failure::file("stderr", error))?;
    let mut pasted = pasted();
    tokio::select! {
        answer = redirected => answer.map_err(|error| Failure::file("the answer", error)),
        Some(line) = pasted.recv() => Ok(line),
        () = tokio::time::sleep(SIGN_IN_WITHIN) => {
            let message = format!("nobody signed in to {name} within ten minutes");
            Err(Failure::Refused(message))
        }
        _ = tokio::signal::ctrl_c() => Err(Failure::Interrupted),
    }
}

/// The first pasted line; nothing at the end of stdin.
fn pasted() -> tokio::sync::mpsc::Receiver<String> {
    let (send, receive) = tokio::sync::mpsc::channel(1);
    // A thread instead of a task, which would prevent the program from ending while it waits for
    // input.
    std::thread::spawn(move || {
        let mut lines = std::io::stdin().lock().lines();
        let line = lines.find(|line| line.as_ref().map_or(true, |line| !line.trim().is_empty()));
        if let Some(Ok(line)) = line {
            // Fails if the redirect came first.
            let _ = send.blocking_send(line);
        }
    });
    receive
}
