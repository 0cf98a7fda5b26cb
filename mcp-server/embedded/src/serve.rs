//! One connection, from its first byte to its last.

use std::rc::Rc;
use std::time::Duration;

use bytes::BytesMut;
use tokio::io::DuplexStream;
use tokio::sync::Mutex;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::engine::Engine;
use crate::fatal::Fatal;
use crate::reply;
use crate::request::{Request, Requests};
use crate::startup::{self, Startup};
use crate::upkeep::keep_up;
use crate::wire::{End, Wire};

/// How long a connection waits for the one before it to end.
const PATIENCE: Duration = Duration::from_secs(30);

/// Serves a connection until it ends or the database stops.
pub(crate) async fn serve(
    stream: DuplexStream,
    engine: Rc<Mutex<Engine>>,
    stop: CancellationToken,
) {
    let mut wire = Wire::new(stream);
    let end = tokio::select! {
        biased;
        () = stop.cancelled() => return wire.abandon(&Fatal::closed()),
        end = converse(&mut wire, &engine) => end,
    };
    if let Err(End::Fatal(fatal)) = end {
        tracing::debug!(?fatal, "a connection to the embedded database ends");
        tokio::select! {
            () = stop.cancelled() => {}
            () = wire.end(&fatal) => {}
        }
    }
}

async fn converse(wire: &mut Wire, engine: &Mutex<Engine>) -> Result<(), End> {
    let mut bytes = BytesMut::new();
    let Some(startup) = startup::greet(wire, &mut bytes).await? else {
        return Ok(());
    };
    let mut engine = timeout(PATIENCE, engine.lock())
        .await
        .map_err(|_| Fatal::busy())?;
    begin(wire, &mut engine, &startup).await?;
    let end = answer_all(wire, &mut engine, Requests::after(bytes)).await;
    // Roll back now: until the next connection, the transaction would hold its locks and snapshot.
    engine.roll_back()?;
    end
}

async fn begin(wire: &mut Wire, engine: &mut Engine, startup: &Startup) -> Result<(), End> {
    engine.renew()?;
    for (name, value) in &startup.settings {
        engine.set(name, value)?;
    }
    let mut greeting = Vec::new();
    reply::authentication_ok(&mut greeting);
    greeting.extend_from_slice(engine.parameters());
    reply::backend_key_data(&mut greeting);
    reply::ready_for_query(&mut greeting);
    wire.write(&greeting).await
}

async fn answer_all(
    wire: &mut Wire,
    engine: &mut Engine,
    mut requests: Requests,
) -> Result<(), End> {
    loop {
        match requests.next()? {
            Some(Request::Terminate) => return Ok(()),
            Some(request) => {
                wire.write(&engine.answer(&request)?).await?;
                engine.check()?;
            }
            None => {
                keep_up(engine)?;
                wire.read(requests.buffer()).await?;
            }
        }
    }
}
