//! The outbound webhook: one request for each meeting that is inserted (specification, section 6) and for each
//! interview that is dispatched, as the Standard Webhooks specification says.
//!
//! A trigger writes an event into the outbox, in the transaction that inserts its subject. The worker
//! claims what is due under a lease, sends it outside any transaction, and settles it: delivered, due
//! again later, or given up. Each event arrives at least once, under one id; the events of a subject
//! arrive in their order. docs/webhooks.md tells receivers and operators.

mod address;
mod event;
mod outbox;
mod receiver;
mod retry;
mod settings;
mod signature;
mod worker;

pub(crate) use address::PublicOnly;
pub use event::{Event, MessageId, MessageIdError};
pub use outbox::{Entry, LEASE, Outbox, ReplayError, State};
pub use receiver::{Failure, Receiver, ReceiverError};
pub use settings::{SettingsError, WebhookSettings};
pub use signature::{Secret, SecretError};
pub use worker::{Outcome, Worker};
