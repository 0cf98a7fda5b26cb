//! Calls that are made once more: a model that got no answer, or did not read it, repeats a call without an idempotency
//! key, and makes a second record. Each process remembers its own calls.

use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use frontdesk_protocol::id::UserId;
use frontdesk_protocol::{Declaration, args, guide};
use serde_json::Value;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{Call, Effect};
use crate::database::{Part, Said};

/// The time for which a call is remembered.
const REMEMBERED: Duration = Duration::from_secs(10 * 60);
/// The most calls that are remembered; the oldest go first.
const MOST: usize = 20_000;

/// The caller, the tool and the arguments.
type Same = [u8; 32];

/// What a call has made.
#[derive(Debug, Clone, Copy)]
struct Made {
    at: Instant,
    /// Its entry in the history, and the action to which that belongs.
    change: Uuid,
    action: Option<Uuid>,
    /// The record.
    id: Option<Uuid>,
}

/// The last calls that made something, without idempotency keys.
#[derive(Debug, Default)]
pub struct Repeats(Mutex<Calls>);

#[derive(Debug, Default)]
struct Calls {
    made: HashMap<Same, Made>,
    order: VecDeque<(Instant, Same)>,
}

/// A call that would make the same again.
#[derive(Debug)]
pub(super) struct Watched(Same);

impl Watched {
    /// `None` for a call that changes nothing more if it is repeated. The order of the arguments does not matter.
    pub(super) fn of(caller: UserId, tool: &Declaration, arguments: &str) -> Option<Watched> {
        if tool.effect.idempotent {
            return None;
        }
        let mut arguments = args::parse(arguments).ok()?;
        arguments.sort_all_objects();
        let mut same = Sha256::new();
        for part in [tool.host.area(), tool.name, arguments.to_string().as_str()] {
            same.update(part);
            same.update([0]);
        }
        same.update(caller.0);
        Some(Watched(same.finalize().into()))
    }
}

impl Repeats {
    /// Questions a call that was made before. It is made all the same: a second equal sale can be meant.
    pub(super) fn question(&self, call: &mut Call, tool: &Declaration, watched: &Watched) {
        let calls = self.0.lock().unwrap_or_else(|error| error.into_inner());
        let made = calls.made.get(&watched.0).copied();
        drop(calls);
        let Some(made) = made.filter(|made| made.at.elapsed() < REMEMBERED) else {
            return;
        };
        let minutes = made.at.elapsed().as_secs().div_ceil(60).max(1);
        let change = made.change.to_string();
        let record = made
            .id
            .map_or_else(|| "what it made".to_owned(), |id| id.to_string());
        let lasting = guide::lasting(tool);
        let parts = [
            Part::Number(minutes.try_into().unwrap_or(i64::MAX)),
            Part::Word(&record),
            Part::Word(lasting.unwrap_or("undo_change takes the first back, change")),
            Part::Word(if lasting.is_some() { "" } else { &change }),
        ];
        call.warn(Said::with(
            "you made the same call in the last {} min: {} exists, too; if once was meant, {} {}",
            &parts,
        ));
    }

    /// Remembers a call that has made something.
    pub(super) fn remember(&self, watched: Watched, answer: &str, effect: &Effect) {
        let Some(change) = effect.change else { return };
        let now = Instant::now();
        let made = Made {
            at: now,
            change,
            action: effect.action,
            id: id_of(answer),
        };
        let mut calls = self.0.lock().unwrap_or_else(|error| error.into_inner());
        let calls = &mut *calls;
        calls.made.insert(watched.0, made);
        calls.order.push_back((now, watched.0));
        while let Some((at, same)) = calls.order.front().copied()
            && (calls.order.len() > MOST || now.duration_since(at) >= REMEMBERED)
        {
            calls.order.pop_front();
            // A later call of the same kind stays.
            if calls.made.get(&same).is_some_and(|made| made.at == at) {
                calls.made.remove(&same);
            }
        }
    }

    /// Forgets the calls of a change or an action that was undone: making them again is no repetition.
    pub(super) fn undone(&self, change: Uuid) {
        let mut calls = self.0.lock().unwrap_or_else(|error| error.into_inner());
        let is_other = |made: &Made| made.change != change && made.action != Some(change);
        calls.made.retain(|_, made| is_other(made));
    }
}

/// The id of the record in a result.
fn id_of(answer: &str) -> Option<Uuid> {
    let answer: Value = serde_json::from_str(answer).ok()?;
    let mut fields = answer.as_object()?.values();
    fields.find_map(|field| field.get("id")?.as_str()?.parse().ok())
}
