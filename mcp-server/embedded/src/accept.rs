//! The database's thread: it opens the engine, takes connections, and closes the engine.

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use tokio::io::DuplexStream;
use tokio::runtime;
use tokio::sync::{Mutex, mpsc, oneshot, watch};
use tokio::task::{JoinError, JoinSet, LocalSet, unconstrained};
use tokio_util::sync::CancellationToken;

use crate::engine::Engine;
use crate::fatal::Fatal;
use crate::serve::serve;
use crate::wire::Wire;
use crate::{Error, Storage};

/// A message from the handles to the thread.
#[derive(Debug)]
pub(crate) enum Command {
    /// Serve this connection.
    Connect(DuplexStream),
    /// Copy the files to this directory, between two connections.
    Copy(PathBuf, oneshot::Sender<Result<(), Error>>),
    /// End all connections and close the engine.
    Close,
}

/// Runs the thread. The engine is created, used and dropped here because it cannot move to another
/// thread. The thread has its own runtime: if the client's runtime ends, the connection lives long
/// enough to roll its transaction back.
pub(crate) fn run(
    storage: &Storage,
    opened: oneshot::Sender<Result<(), Error>>,
    commands: mpsc::UnboundedReceiver<Command>,
    closed: &watch::Sender<Option<Result<(), Error>>>,
) {
    let runtime = match runtime::Builder::new_current_thread().enable_time().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            let _ = opened.send(Err(Error::Thread(Arc::new(error))));
            return;
        }
    };
    let engine = match Engine::open(storage) {
        Ok(engine) => engine,
        Err(error) => {
            let _ = opened.send(Err(error));
            return;
        }
    };
    // If the caller no longer waits, the command channel is closed too and the loop ends at once.
    let _ = opened.send(Ok(()));
    let outcome = LocalSet::new().block_on(&runtime, unconstrained(accept(engine, commands)));
    if let Err(error) = &outcome {
        tracing::warn!(%error, "the embedded database was not closed cleanly");
    }
    let _ = closed.send(Some(outcome));
}

/// Runs this loop and the connections without tokio's cooperative budget. In the middle of a
/// statement the engine blocks the whole thread on file futures that respect that budget: once it
/// is used up, nothing would wake them.
async fn accept(
    engine: Engine,
    mut commands: mpsc::UnboundedReceiver<Command>,
) -> Result<(), Error> {
    let engine = Rc::new(Mutex::new(engine));
    let stop = CancellationToken::new();
    let mut connections = JoinSet::new();
    while let Some(command) = commands.recv().await {
        match command {
            Command::Connect(stream) => {
                let serving = serve(stream, Rc::clone(&engine), stop.clone());
                connections.spawn_local(unconstrained(serving));
            }
            Command::Copy(to, done) => {
                let engine = Rc::clone(&engine);
                connections.spawn_local(async move {
                    // If the caller no longer waits, nobody needs the copy.
                    let copied = engine.lock().await.copy_files(&to, &|| done.is_closed());
                    let _ = done.send(copied);
                });
            }
            Command::Close => break,
        }
        while let Some(ended) = connections.try_join_next() {
            report(ended);
        }
    }
    stop.cancel();
    commands.close();
    while let Some(command) = commands.recv().await {
        if let Command::Connect(stream) = command {
            Wire::new(stream).abandon(&Fatal::closed());
        }
    }
    while let Some(ended) = connections.join_next().await {
        report(ended);
    }
    engine.lock().await.close()
}

fn report(ended: Result<(), JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "a connection to the embedded database ended in a panic");
    }
}
