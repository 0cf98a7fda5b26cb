//! The Business Model Canvas of a business unit: nine blocks.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::MANAGERS;
use crate::id::BusinessUnitId;
use crate::record::{Maybe, One, record};
use crate::tool::{tool, tools};
use crate::value::{Name, UpTo};
use crate::words::words;

words! {
    /// A block of the canvas.
    Block {
        KeyPartners = "key_partners",
        KeyActivities = "key_activities",
        KeyResources = "key_resources",
        ValuePropositions = "value_propositions",
        CustomerRelationships = "customer_relationships",
        Channels = "channels",
        CustomerSegments = "customer_segments",
        CostStructure = "cost_structure",
        RevenueStreams = "revenue_streams",
    }
}

/// A block of a business unit's canvas.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CanvasBlock {
    /// Which of the nine.
    pub block: Block,
    /// What stands in it.
    pub items: Vec<String>,
    /// When that was written; null for a block that is empty so far.
    pub updated_at: Option<Timestamp>,
}
record!(CanvasBlock, "canvas_block", "canvas_blocks");

/// The canvas of a business unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Canvas {
    /// The business unit.
    pub business_unit_id: BusinessUnitId,
    /// All nine blocks, in the canvas's order.
    pub blocks: Vec<CanvasBlock>,
}
record!(Canvas, "canvas", "canvases");

tool! {
    /// Gets the nine blocks of a business unit's Business Model Canvas.
    GetCanvas = "get_canvas" on Strategy, READ, for MANAGERS => Maybe<Canvas> {
        req {
            /// The business unit.
            business_unit_id: BusinessUnitId,
        }
    }
}

tool! {
    /// Writes a block of a business unit's canvas, instead of what stood in it.
    SetCanvasBlock = "set_canvas_block" on Strategy, UPDATE, for MANAGERS => One<CanvasBlock> {
        req {
            /// The business unit.
            business_unit_id: BusinessUnitId,
            /// Which of the nine.
            block: Block,
            /// What stands in it.
            items: UpTo<Name, 50>,
        }
    }
}

tools![GetCanvas, SetCanvasBlock];
