//! Questions on the terminal: ctrl-c ends them, and the command.

use std::io::{BufRead, IsTerminal, Stderr, StdinLock, Write};
use std::pin::pin;

use frontdesk::plain;
use tokio::task::spawn_blocking;

use super::Failure;

/// Whether a person can answer questions.
pub(super) fn is_talking() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Does this until its end or an interruption. It is needed after a question, too: from then on, ctrl-c does not end the
/// program by itself.
pub(super) async fn until_interrupted<T>(
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    tokio::select! {
        // It listens before the work begins.
        biased;
        _ = tokio::signal::ctrl_c() => Err(Failure::Interrupted),
        outcome = work => outcome,
    }
}

/// Asks questions and reads their answers. At an interruption, its thread goes on waiting, and ends with the program.
pub(super) async fn talk<T: Send + 'static>(
    talk: impl FnOnce(&mut StdinLock<'_>, &mut Stderr) -> T + Send + 'static,
) -> Result<T, Failure> {
    let talk = || talk(&mut std::io::stdin().lock(), &mut std::io::stderr());
    let talking = async {
        let talked = spawn_blocking(talk).await;
        talked.map_err(|_| Failure::Interrupted)
    };
    until_interrupted(talking).await
}

/// The answer to a question, without spaces around it; empty at the end of the input.
pub(super) async fn ask(question: &str) -> Result<String, Failure> {
    let question = plain(question).into_owned();
    let asked = talk(move |input, out| {
        write!(out, "{question}").and_then(|()| out.flush())?;
        let mut answer = String::new();
        input.read_line(&mut answer)?;
        Ok(answer.trim().to_owned())
    });
    asked
        .await?
        .map_err(|error| Failure::file("the terminal", error))
}

/// Whether the answer is yes.
pub(super) async fn is_yes(question: &str) -> Result<bool, Failure> {
    let answer = ask(question).await?.to_lowercase();
    Ok(["y", "yes"].contains(&answer.as_str()))
}

/// A password, which is not shown. The terminal hands ctrl-c over as a key meanwhile: the question ends by itself, after it has
/// given the terminal back.
pub(super) async fn password(question: String) -> Result<String, Failure> {
    // From now on, the signal that it sends then does not end the program.
    let mut interrupted = pin!(tokio::signal::ctrl_c());
    let _ = futures::poll!(interrupted.as_mut());
    let asked = spawn_blocking(|| rpassword::prompt_password(question)).await;
    let asked = asked.map_err(|_| Failure::Interrupted)?;
    asked.map_err(|error| match error.kind() {
        std::io::ErrorKind::Interrupted => Failure::Interrupted,
        _ => Failure::file("the password", error),
    })
}
