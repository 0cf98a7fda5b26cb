//! Deliveries of an epic: tasks that are handed over, and paid for, together.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::EVERYBODY;
use super::epic::Epic;
use super::task::TaskSummary;
use crate::id::{DeliveryId, EpicId, MemberId, TransactionId};
use crate::record::{List, Maybe, Missing, One, record};
use crate::role::Roles;
use crate::tool::{tool, tools};
use crate::value::{Amount, Change, Limit, Line, Name, Natural, Offset, Patch, Prose, Whole};
use crate::words::words;

words! {
    /// How far a delivery is.
    DeliveryStatus {
        Pending = "pending",
        InProgress = "in_progress",
        Completed = "completed",
        Canceled = "canceled",
        NoLongerNeeded = "no_longer_needed",
    }
}

/// How many.
type Count = Whole<0, 1_000_000_000>;

/// A delivery.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Delivery {
    /// Identifies the delivery.
    pub id: DeliveryId,
    /// Name.
    pub name: String,
    /// Notes.
    pub notes: Option<String>,
    /// The epic that it belongs to.
    pub epic_id: EpicId,
    /// The member who answers for it.
    pub owner_id: Option<MemberId>,
    /// How far it is.
    pub status: DeliveryStatus,
    /// What it costs.
    pub price: Option<f64>,
    /// What a point costs.
    pub price_per_point: Option<f64>,
    /// Points.
    pub total_points: Option<f64>,
    /// How many tasks it has.
    pub number_of_tasks: u32,
    /// How many of them are done.
    pub number_of_completed_tasks: u32,
    /// The transaction that paid for it.
    pub transaction_id: Option<TransactionId>,
}
record!(Delivery, "delivery", "deliveries");

/// A delivery with its epic and tasks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DeliveryTree {
    /// The delivery.
    #[serde(flatten)]
    pub delivery: Delivery,
    /// Its epic.
    pub epic: Epic,
    /// Its tasks, by priority.
    pub tasks: Vec<TaskSummary>,
    /// What is left out of this list for its size.
    pub missing: Vec<Missing>,
}
record!(DeliveryTree, "delivery", "deliveries");

tool! {
    /// Lists deliveries by name.
    ListDeliveries = "list_deliveries" on Work, READ, for EVERYBODY => List<Delivery> {
        opt {
            /// Only deliveries of this epic.
            epic_id: Option<EpicId>,
            /// Only deliveries of this member.
            owner_id: Option<MemberId>,
            /// Only deliveries of this status.
            status: Option<DeliveryStatus>,
            /// Part of the name or notes.
            search: Option<Line>,
            /// Most deliveries to return.
            limit: Limit,
            /// Deliveries to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Gets a delivery with its epic and tasks.
    GetDelivery = "get_delivery" on Work, READ, for EVERYBODY => Maybe<DeliveryTree> {
        req {
            /// The delivery.
            id: DeliveryId,
        }
    }
}

tool! {
    /// Adds a delivery to an epic.
    CreateDelivery = "create_delivery" on Work, CREATE, for Roles::DESK => One<Delivery> {
        req {
            /// Name.
            name: Name,
            /// The epic.
            epic_id: EpicId,
        }
        opt {
            /// Notes.
            notes: Option<Prose>,
            /// The member who answers for it.
            owner_id: Option<MemberId>,
            /// pending where left out.
            status: Option<DeliveryStatus>,
            /// What it costs.
            price: Option<Amount>,
            /// What a point costs.
            price_per_point: Option<Amount>,
            /// Points.
            total_points: Option<Natural>,
            /// The transaction that paid for it.
            transaction_id: Option<TransactionId>,
        }
    }
}

tool! {
    /// Changes a delivery. Fields left out stay; null clears.
    UpdateDelivery = "update_delivery" on Work, UPDATE, for Roles::DESK => One<Delivery> {
        req {
            /// The delivery.
            id: DeliveryId,
        }
        opt {
            /// Name.
            name: Change<Name>,
            /// Notes.
            notes: Patch<Prose>,
            /// Another epic; its tasks go along.
            epic_id: Change<EpicId>,
            /// The member who answers for it.
            owner_id: Patch<MemberId>,
            /// How far it is.
            status: Change<DeliveryStatus>,
            /// What it costs.
            price: Patch<Amount>,
            /// What a point costs.
            price_per_point: Patch<Amount>,
            /// Points.
            total_points: Patch<Natural>,
            /// Instead of counting its tasks; null counts again.
            number_of_tasks: Patch<Count>,
            /// Instead of counting those done; null counts again.
            number_of_completed_tasks: Patch<Count>,
            /// The transaction that paid for it.
            transaction_id: Patch<TransactionId>,
        }
    }
}

tool! {
    /// Deletes a delivery. Its tasks stay with the epic.
    DeleteDelivery = "delete_delivery" on Work, DELETE, for Roles::DESK => One<Delivery> {
        req {
            /// The delivery.
            id: DeliveryId,
        }
    }
}

tools![
    ListDeliveries,
    GetDelivery,
    CreateDelivery,
    UpdateDelivery,
    DeleteDelivery
];
