//! A process with a time limit.
//!
//! On Unix it runs in the group of a guard, so programs started by a launcher such as `npx` end with it. The guard is
//! there first, and ends the group if this process is killed: a pipe from here to it closes then.

use std::io;
#[cfg(unix)]
use std::process::Stdio;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};
use std::time::Duration;

use tokio::sync::oneshot;

/// The interval of checks whether it has ended.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// The guard: waits for the end of its stdin, and ends its group.
#[cfg(unix)]
const GUARD: &str = "trap '' TERM; read -r _; kill -s TERM 0; sleep 1; kill -s KILL 0";

/// A process that is killed when this is dropped or this process is killed, with the programs that it started.
#[derive(Debug)]
pub struct Running {
    child: Option<Child>,
    /// The leader of its group; `None` on a system without a shell.
    guard: Option<Child>,
}

impl Running {
    /// Starts a program.
    ///
    /// # Errors
    /// The program cannot be started.
    pub fn start(command: &mut Command) -> io::Result<Running> {
        let mut running = Running {
            child: None,
            guard: guard(),
        };
        #[cfg(unix)]
        {
            let group = running.group().map_or(0, |group| group.as_raw_pid());
            std::os::unix::process::CommandExt::process_group(command, group);
        }
        running.child = Some(command.spawn()?);
        Ok(running)
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
        if let Some(id) = self.child.as_ref().and_then(id) {
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
        self.end();
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
        for mut process in [self.child.take(), self.guard.take()].into_iter().flatten() {
            // Fails if the process has already ended.
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    /// Sends a signal to the process group.
    #[cfg(unix)]
    fn signal(&self, signal: rustix::process::Signal) {
        if let Some(group) = self.group() {
            // Fails if the group is empty.
            let _ = rustix::process::kill_process_group(group, signal);
        }
    }

    /// The number of the group, which cannot be reused while the guard is there.
    #[cfg(unix)]
    fn group(&self) -> Option<rustix::process::Pid> {
        self.guard.as_ref().or(self.child.as_ref()).and_then(id)
    }
}

#[cfg(unix)]
fn id(process: &Child) -> Option<rustix::process::Pid> {
    rustix::process::Pid::from_raw(i32::try_from(process.id()).ok()?)
}

/// Starts a guard. It leads a group of its own: a signal to the group of this process does not reach it.
#[cfg(unix)]
fn guard() -> Option<Child> {
    let mut guard = Command::new("/bin/sh");
    guard.args(["-c", GUARD]).current_dir("/");
    guard.stdin(Stdio::piped());
    guard.stdout(Stdio::null()).stderr(Stdio::null());
    std::os::unix::process::CommandExt::process_group(&mut guard, 0);
    guard.spawn().ok()
}

#[cfg(not(unix))]
fn guard() -> Option<Child> {
    None
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}
