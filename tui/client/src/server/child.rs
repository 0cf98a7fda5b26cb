//! A server in a process: JSON-RPC, a message to a line, over its stdin and stdout.
//!
//! Its pipes are read and written by threads, so that this works on every platform alike. The
//! process has a group of its own where there are such, so that what a launcher such as `npx`
//! started ends with it.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::sync::{mpsc, oneshot};

use crate::config::servers::CommandServer;
use crate::http::LARGEST_ANSWER;

/// Lines of stderr that are kept, to say why a server ended.
const LAST_WORDS: usize = 8;
/// The most of one such line that is kept, in bytes.
const LONGEST_WORD: u64 = 400;
/// How long a server has to end by itself once its stdin is closed.
const TO_END: Duration = Duration::from_secs(2);
/// How long it then has after it was asked to.
const TO_OBEY: Duration = Duration::from_secs(1);
/// How long to wait between two looks at whether it has ended.
const LOOK_AGAIN: Duration = Duration::from_millis(20);
/// Messages on their way to or from the process.
const QUEUE: usize = 32;

/// A message on its way, and who waits for it to be written.
type Outgoing = (Vec<u8>, oneshot::Sender<io::Result<()>>);

/// What a process said last, and how it ended.
#[derive(Debug, Clone, Default)]
pub(super) struct Fate {
    words: Arc<Mutex<VecDeque<String>>>,
    status: Arc<Mutex<Option<ExitStatus>>>,
}

impl Fate {
    fn hear(&self, line: String) {
        let mut words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        if words.len() == LAST_WORDS {
            words.pop_front();
        }
        words.push_back(line);
    }

    fn ended(&self, status: ExitStatus) {
        *self.status.lock().unwrap_or_else(PoisonError::into_inner) = Some(status);
    }

    /// For a person: how it ended, and its last words.
    pub(super) fn tell(&self) -> String {
        let status = *self.status.lock().unwrap_or_else(PoisonError::into_inner);
        let words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        let ended = match status {
            Some(status) => format!("it ended ({status})"),
            None => "it closed its stdout".to_owned(),
        };
        let words: Vec<_> = words.iter().map(|line| line.trim_end()).collect();
        match words.is_empty() {
            true => ended,
            false => format!("{ended} and said: {}", words.join(" / ")),
        }
    }
}

/// A running process as a transport.
#[derive(Debug)]
pub(super) struct Process {
    child: Running,
    fate: Fate,
    outgoing: Option<mpsc::Sender<Outgoing>>,
    incoming: mpsc::Receiver<ServerJsonRpcMessage>,
    /// Ends when stderr does.
    silence: oneshot::Receiver<()>,
}

impl Process {
    /// Starts the program.
    ///
    /// # Errors
    /// It cannot be started.
    pub(super) fn start(server: &CommandServer, fate: Fate) -> io::Result<Self> {
        let mut command = Command::new(server.program());
        command
            .args(server.command.iter().skip(1))
            .envs(
                server
                    .env
                    .iter()
                    .map(|(name, value)| (name, value.expose())),
            )
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(cwd) = &server.cwd {
            command.current_dir(cwd);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let child = Running(Some(child));
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(io::Error::other("it has no pipes"));
        };
        let (outgoing, to_write) = mpsc::channel(QUEUE);
        let (read, incoming) = mpsc::channel(QUEUE);
        std::thread::Builder::new().spawn(move || write_all(stdin, to_write))?;
        std::thread::Builder::new().spawn(move || read_all(stdout, &read))?;
        let (speaking, silence) = oneshot::channel();
        let words = fate.clone();
        std::thread::Builder::new().spawn(move || {
            listen(stderr, &words);
            drop(speaking);
        })?;
        Ok(Process {
            child,
            fate,
            outgoing: Some(outgoing),
            incoming,
            silence,
        })
    }
}

impl Transport<RoleClient> for Process {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let outgoing = self.outgoing.clone();
        async move {
            let gone = || io::Error::new(io::ErrorKind::BrokenPipe, "it reads no more");
            let mut line = serde_json::to_vec(&message)?;
            line.push(b'\n');
            let (written, outcome) = oneshot::channel();
            outgoing
                .ok_or_else(gone)?
                .send((line, written))
                .await
                .map_err(|_| gone())?;
            match outcome.await.map_err(|_| gone())? {
                // It ends, and what is received next says how.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                outcome => outcome,
            }
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        let message = self.incoming.recv().await;
        if message.is_none()
            && let Some(status) = self.child.wait_within(TO_OBEY).await
        {
            self.fate.ended(status);
            // Its last words are on their way.
            let _ = tokio::time::timeout(TO_OBEY, &mut self.silence).await;
        }
        message
    }

    /// Closes its stdin, which tells it to end; then asks, then makes it.
    async fn close(&mut self) -> io::Result<()> {
        self.outgoing = None;
        if self.child.wait_within(TO_END).await.is_none() {
            self.child.ask();
            self.child.wait_within(TO_OBEY).await;
        }
        self.child.end();
        Ok(())
    }
}

/// A process that ends with this.
#[derive(Debug)]
struct Running(Option<Child>);

impl Running {
    /// How it ended, if it does so in this time.
    async fn wait_within(&mut self, limit: Duration) -> Option<ExitStatus> {
        let child = self.0.as_mut()?;
        let looking = async {
            loop {
                match child.try_wait() {
                    Ok(Some(status)) => return Some(status),
                    Ok(None) => tokio::time::sleep(LOOK_AGAIN).await,
                    Err(_) => return None,
                }
            }
        };
        let status = tokio::time::timeout(limit, looking).await.ok().flatten()?;
        // What it left behind ends with it. From here on its number may be another's.
        #[cfg(unix)]
        self.signal(rustix::process::Signal::KILL);
        self.0 = None;
        Some(status)
    }

    /// Asks it and what it started to end.
    fn ask(&self) {
        #[cfg(unix)]
        self.signal(rustix::process::Signal::TERM);
    }

    /// Makes it and what it started end.
    fn end(&mut self) {
        #[cfg(unix)]
        self.signal(rustix::process::Signal::KILL);
        let Some(mut child) = self.0.take() else {
            return;
        };
        // It may have ended already.
        let _ = child.kill();
        let _ = child.wait();
    }

    /// To the process and everything that it started.
    #[cfg(unix)]
    fn signal(&self, signal: rustix::process::Signal) {
        let id = self.0.as_ref().and_then(|child| {
            let id = i32::try_from(child.id()).ok()?;
            rustix::process::Pid::from_raw(id)
        });
        if let Some(id) = id {
            // There may be nobody left.
            let _ = rustix::process::kill_process_group(id, signal);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

/// Until there is nothing more to write; then stdin closes.
fn write_all(mut stdin: ChildStdin, mut lines: mpsc::Receiver<Outgoing>) {
    while let Some((line, written)) = lines.blocking_recv() {
        let outcome = stdin.write_all(&line).and_then(|()| stdin.flush());
        // Whoever waited may have gone.
        let _ = written.send(outcome);
    }
}

/// Until stdout closes. What is no message is left out: some programs greet first.
fn read_all(stdout: ChildStdout, messages: &mpsc::Sender<ServerJsonRpcMessage>) {
    let mut stdout = BufReader::new(stdout);
    let mut line = Vec::new();
    loop {
        line.clear();
        let limit = LARGEST_ANSWER as u64 + 1;
        match (&mut stdout).take(limit).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            // The rest of it would be read as messages.
            Ok(read) if read > LARGEST_ANSWER => return,
            Ok(_) => {}
        }
        match serde_json::from_slice(&line) {
            Ok(message) => {
                if messages.blocking_send(message).is_err() {
                    return;
                }
            }
            // Not repeated: it may hold names.
            Err(_) => tracing::debug!(bytes = line.len(), "a line that is no message"),
        }
    }
}

/// Keeps the last lines of stderr.
fn listen(stderr: ChildStderr, fate: &Fate) {
    let mut stderr = BufReader::new(stderr);
    loop {
        let mut line = Vec::new();
        match (&mut stderr)
            .take(LONGEST_WORD)
            .read_until(b'\n', &mut line)
        {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                let line = String::from_utf8_lossy(&line).trim().to_owned();
                if !line.is_empty() {
                    fate.hear(line);
                }
            }
        }
    }
}
