//! A process with a time limit.
//!
//! On Unix it has its own group, so programs started by a launcher such as `npx` end with it. A guard ends the group if
//! this process is killed: a pipe from here to it closes then.

use std::io;
#[cfg(unix)]
use std::io::Write;
#[cfg(unix)]
use std::process::Stdio;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};
use std::time::Duration;

use tokio::sync::oneshot;

/// The interval of checks whether it has ended.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// The guard: waits for a line, or for the end of its stdin. Its name is the number of the group.
#[cfg(unix)]
const GUARD: &str = "read -r _ || { kill -s TERM -- \"-$0\"; sleep 1; kill -s KILL -- \"-$0\"; }";

/// A process that is killed when this is dropped or this process is killed, with the programs that it started.
#[derive(Debug)]
pub struct Running {
    child: Option<Child>,
    #[cfg(unix)]
    guard: Option<Child>,
}

impl Running {
    /// Starts a program.
    ///
    /// # Errors
    /// The program cannot be started.
    pub fn start(command: &mut Command) -> io::Result<Running> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let child = command.spawn()?;
        Ok(Running {
            #[cfg(unix)]
            guard: guard(child.id()),
            child: Some(child),
        })
    }

    /// The pipes of its stdin, stdout and stderr, once.
    pub(crate) fn pipes(
        &mut self,
    ) -> (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>) {
        let child = self.child.as_mut();
        child.map_or((None, None, None), |child| {
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        })
    }

    /// Resolves when the process has ended, even if programs that it started have not; `None` where this
    /// cannot be watched.
    ///
    /// # Errors
    /// No thread can be started.
    pub(crate) fn exited(&self) -> io::Result<Option<oneshot::Receiver<()>>> {
        #[cfg(unix)]
        if let Some(id) = self.id() {
            use rustix::process::{WaitId, WaitIdOptions, waitid};
            let (ended, exited) = oneshot::channel();
            std::thread::Builder::new().spawn(move || {
                // The status is left for `wait_within`.
                let _ = waitid(
                    WaitId::Pid(id),
                    WaitIdOptions::EXITED | WaitIdOptions::NOWAIT,
                );
                let _ = ended.send(());
            })?;
            return Ok(Some(exited));
        }
        Ok(None)
    }

    /// The exit status, if the process ends within `limit`.
    pub async fn wait_within(&mut self, limit: Duration) -> Option<ExitStatus> {
        let child = self.child.as_mut()?;
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
        // Kill the rest of its group. Afterwards its process id can be reused.
        #[cfg(unix)]
        self.signal(rustix::process::Signal::KILL);
        self.child = None;
        self.dismiss();
        Some(status)
    }

    /// Asks the process and its children to end.
    pub(crate) fn ask(&self) {
        #[cfg(unix)]
        self.signal(rustix::process::Signal::TERM);
    }

    /// Kills the process and its children.
    pub(crate) fn end(&mut self) {
        #[cfg(unix)]
        self.signal(rustix::process::Signal::KILL);
        let Some(mut child) = self.child.take() else {
            return;
        };
        // Fails if the process has already ended.
        let _ = child.kill();
        self.dismiss();
        let _ = child.wait();
    }

    /// Ends the guard: the group has ended, and its number can be reused.
    fn dismiss(&mut self) {
        #[cfg(unix)]
        if let Some(mut guard) = self.guard.take() {
            let line = guard.stdin.take().map(|mut stdin| stdin.write_all(b"\n"));
            if line.is_none_or(|written| written.is_err()) {
                let _ = guard.kill();
            }
            let _ = guard.wait();
        }
    }

    /// Sends a signal to the process group.
    #[cfg(unix)]
    fn signal(&self, signal: rustix::process::Signal) {
        if let Some(id) = self.id() {
            // Fails if the group is empty.
            let _ = rustix::process::kill_process_group(id, signal);
        }
    }

    #[cfg(unix)]
    fn id(&self) -> Option<rustix::process::Pid> {
        let id = i32::try_from(self.child.as_ref()?.id()).ok()?;
        rustix::process::Pid::from_raw(id)
    }
}

/// Starts the guard of a group; `None` on a system without a shell.
#[cfg(unix)]
fn guard(group: u32) -> Option<Child> {
    let mut guard = Command::new("/bin/sh");
    guard.args(["-c", GUARD, &group.to_string()]);
    guard.current_dir("/").stdin(Stdio::piped());
    guard.stdout(Stdio::null()).stderr(Stdio::null());
    // What ends the group of this process leaves the guard.
    std::os::unix::process::CommandExt::process_group(&mut guard, 0);
    guard.spawn().ok()
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}
