//! Deliveries of an epic: tasks that are delivered and paid together.

use super::EVERYBODY;
use super::epic::Epic;
use super::task::TaskSummary;
use crate::id::{DeliveryId, EpicId, MemberId, TransactionId};
use crate::record::{List, Maybe, Missing, One};
use crate::resource::resource;
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Amount, Change, Limit, Line, Name, Natural, Offset, Patch, Prose, Whole};
use crate::wire::Wire;
use crate::words::words;

words! {
    /// The status of a delivery.
    DeliveryStatus {
        Pending = "pending",
        InProgress = "in_progress",
        Completed = "completed",
        Canceled = "canceled",
        NoLongerNeeded = "no_longer_needed",
    }
}

/// A number of tasks.
type Count = Whole<0, 1_000_000_000>;

/// A delivery.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Delivery {
    pub id: DeliveryId,
    pub name: String,
    pub notes: Option<String>,
    /// The epic it belongs to.
    pub epic_id: EpicId,
    /// The responsible member.
    pub owner_id: Option<MemberId>,
    pub owner_name: Option<String>,
    pub status: DeliveryStatus,
    #[wire(amount)]
    pub price: Option<f64>,
    #[wire(amount)]
    pub price_per_point: Option<f64>,
    /// Points.
    pub total_points: Option<f64>,
    /// Number of tasks.
    pub number_of_tasks: u32,
    /// Number of completed tasks.
    pub number_of_completed_tasks: u32,
    /// The transaction that paid for it.
    pub transaction_id: Option<TransactionId>,
}

/// A delivery with its epic and tasks.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct DeliveryTree {
    /// The delivery.
    #[wire(flatten)]
    pub delivery: Delivery,
    /// Its epic.
    pub epic: Epic,
    /// Its tasks, by priority.
    pub tasks: Vec<TaskSummary>,
    /// Lists that were cut for size, with the call that returns the rest.
    pub missing: Vec<Missing>,
}

resource! {
    Delivery, DeliveryTree = "delivery", "deliveries" (parent: epic_id, name: name, state: status) {
        list: ListDeliveries,
        get: GetDelivery,
        create: CreateDelivery,
        change: UpdateDelivery,
        delete: DeleteDelivery,
    }
}

tool! {
    /// Lists deliveries by name.
    ListDeliveries = "list_deliveries" on Work, READ, for EVERYBODY => List<Delivery> {
        opt {
            epic_id: Option<EpicId>,
            owner_id: Option<MemberId>,
            status: Option<DeliveryStatus>,
            /// Part of the name or notes.
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Gets a delivery with its epic and tasks.
    GetDelivery = "get_delivery" on Work, READ, for EVERYBODY => Maybe<DeliveryTree> {
        req {
            id: DeliveryId,
        }
    }
}

tool! {
    /// Adds a delivery to an epic.
    CreateDelivery = "create_delivery" on Work, CREATE, for Roles::DESK => One<Delivery> {
        req {
            name: Name,
            epic_id: EpicId,
        }
        opt {
            notes: Option<Prose>,
            owner_id: Option<MemberId>,
            status: Option<DeliveryStatus> = "pending",
            price: Option<Amount>,
            price_per_point: Option<Amount>,
            total_points: Option<Natural>,
            transaction_id: Option<TransactionId>,
        }
    }
}

tool! {
    /// Changes a delivery.
    UpdateDelivery = "update_delivery" on Work, UPDATE, for Roles::DESK => One<Delivery> {
        req {
            id: DeliveryId,
        }
        opt {
            name: Change<Name>,
            notes: Patch<Prose>,
            /// The delivery's tasks move with it.
            epic_id: Change<EpicId>,
            owner_id: Patch<MemberId>,
            status: Change<DeliveryStatus>,
            price: Patch<Amount>,
            price_per_point: Patch<Amount>,
            total_points: Patch<Natural>,
            /// Overrides the task count; null restores it.
            number_of_tasks: Patch<Count>,
            /// Overrides the count of completed tasks; null restores it.
            number_of_completed_tasks: Patch<Count>,
            transaction_id: Patch<TransactionId>,
        }
    }
}

tool! {
    /// Deletes a delivery. Its tasks stay with the epic.
    DeleteDelivery = "delete_delivery" on Work, DELETE, for Roles::DESK => One<Delivery> {
        req {
            id: DeliveryId,
        }
    }
}
