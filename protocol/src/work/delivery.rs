//! Deliveries of an epic: tasks that are delivered and paid together.

use super::EVERYBODY;
use super::epic::Epic;
use super::task::TaskSummary;
use crate::id::{DeliveryId, EpicId, MemberId, TransactionId};
use crate::record::{Maybe, Missing, record};
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Amount, Change, Line, Name, Natural, Patch, Prose, Whole};
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

record! {
    /// A delivery.
    Delivery = "delivery", "deliveries" (parent: epic_id, name: name, state: status) {
        id: DeliveryId,
        name: Name [create, change],
        notes: Option<Prose> [create, change],
        epic_id: EpicId [create],
        owner_id: Option<MemberId> [create, change],
        owner_name: Option<String>,
        status: DeliveryStatus [create = "pending", change],
        price: Option<Amount> [create, change],
        price_per_point: Option<Amount> [create, change],
        total_points: Option<Natural> [create, change],
        /// Number of tasks.
        number_of_tasks: u32,
        /// Number of completed tasks.
        number_of_completed_tasks: u32,
        transaction_id: Option<TransactionId> [create, change],
    }
    form DeliveryTree;
    /// Lists deliveries by name.
    list ListDeliveries = "list_deliveries" on Work for EVERYBODY {
        opt {
            epic_id: Option<EpicId>,
            owner_id: Option<MemberId>,
            status: Option<DeliveryStatus>,
            /// Part of the name or notes.
            search: Option<Line>,
        }
    }
    get GetDelivery;
    /// Adds a delivery to an epic.
    create CreateDelivery = "create_delivery" on Work for Roles::DESK;
    /// Changes a delivery.
    change UpdateDelivery = "update_delivery" on Work for Roles::DESK {
        opt {
            /// The delivery's tasks move with it.
            epic_id: Change<EpicId>,
            /// Overrides the task count; null restores it.
            number_of_tasks: Patch<Count>,
            /// Overrides the count of completed tasks; null restores it.
            number_of_completed_tasks: Patch<Count>,
        }
    }
    /// Deletes a delivery. Its tasks stay with the epic.
    delete DeleteDelivery = "delete_delivery" on Work for Roles::DESK;
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

tool! {
    /// Gets a delivery with its epic and tasks.
    GetDelivery = "get_delivery" on Work, READ, for EVERYBODY => Maybe<DeliveryTree> {
        req {
            id: DeliveryId,
        }
    }
}
