//! The outbound webhooks: one request for each meeting created (specification, section 6) and for other events, which
//! docs/webhooks.md lists, as the Standard Webhooks specification says.
//!
//! A trigger writes an event into the outbox in the transaction that changes its subject; some events are due later. The worker claims due
//! events under a lease, sends them outside any transaction, and settles them as delivered, due again later, or
//! given up. Each event arrives at least once, always with the same id. The events of a subject arrive in order.
//! `docs/webhooks.md` is for receivers and operators.

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
pub use worker::{DeliveryOutcome, Worker};
