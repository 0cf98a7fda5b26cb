//! Signals of the system, and stopping ourselves as the shell does.

use std::io;

/// What the system tells us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    /// End.
    Terminate,
    /// End, from the keyboard; while something else has the terminal, it is for that.
    Interrupt,
    /// We were stopped, and go on.
    Continue,
}

#[cfg(unix)]
mod system {
    use std::io;

    use rustix::process::{Signal as Raw, kill_current_process_group};
    use tokio::signal::unix::{Signal as Stream, SignalKind, signal};

    use super::Signal;

    /// Signals of the system.
    pub(crate) struct Signals {
        interrupt: Stream,
        terminate: Stream,
        hang_up: Stream,
        go_on: Stream,
    }

    impl Signals {
        pub(crate) fn listen() -> io::Result<Self> {
            Ok(Signals {
                interrupt: signal(SignalKind::interrupt())?,
                terminate: signal(SignalKind::terminate())?,
                hang_up: signal(SignalKind::hangup())?,
                go_on: signal(SignalKind::from_raw(Raw::CONT.as_raw()))?,
            })
        }

        pub(crate) async fn next(&mut self) -> Signal {
            let ended = tokio::select! {
                _ = self.interrupt.recv() => Signal::Interrupt,
                _ = self.terminate.recv() => Signal::Terminate,
                _ = self.hang_up.recv() => Signal::Terminate,
                _ = self.go_on.recv() => Signal::Continue,
            };
            ended
        }
    }

    pub(crate) fn stop_ourselves() -> io::Result<()> {
        // The whole group, as ctrl-z does: `cargo run` stops with us.
        kill_current_process_group(Raw::TSTP).map_err(io::Error::from)
    }
}

#[cfg(not(unix))]
mod system {
    use std::io;

    use super::Signal;

    /// Signals of the system: only ctrl-c, which arrives as a key here.
    pub(crate) struct Signals;

    impl Signals {
        pub(crate) fn listen() -> io::Result<Self> {
            Ok(Signals)
        }

        pub(crate) async fn next(&mut self) -> Signal {
            std::future::pending().await
        }
    }

    pub(crate) fn stop_ourselves() -> io::Result<()> {
        Ok(())
    }
}

/// Signals of the system, as a stream.
pub(crate) struct Signals(system::Signals);

impl Signals {
    /// Listens from now on. Called within a tokio runtime.
    pub(crate) fn listen() -> io::Result<Self> {
        system::Signals::listen().map(Signals)
    }

    /// The next one. Safe to drop.
    pub(crate) async fn next(&mut self) -> Signal {
        self.0.next().await
    }
}

/// Stops this process as ctrl-z does in the shell; returns once it goes on. Does nothing where
/// there is no such thing.
pub(crate) fn stop_ourselves() -> io::Result<()> {
    system::stop_ourselves()
}
