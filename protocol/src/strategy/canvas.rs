//! The Business Model Canvas of a business unit: nine blocks.

use jiff::Timestamp;

use super::MANAGERS;
use crate::id::BusinessUnitId;
use crate::record::{Maybe, One};
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Name, UpTo, Whole};
use crate::wire::Wire;
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
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct CanvasBlock {
    pub block: Block,
    /// Its entries.
    pub items: Vec<String>,
    /// 0: never written.
    pub version: u32,
    /// When it was last written; null: never.
    pub updated_at: Option<Timestamp>,
}

/// The canvas of a business unit.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Canvas {
    pub business_unit_id: BusinessUnitId,
    pub business_unit_name: Option<String>,
    /// All nine blocks, in canvas order.
    pub blocks: Vec<CanvasBlock>,
}

resource! {
    Canvas = "canvas", "canvases" {
        get: GetCanvas(business_unit_id),
    }
    CanvasBlock = "canvas_block", "canvas_blocks" {
        other: SetCanvasBlock,
    }
}

tool! {
    /// Gets the nine blocks of a business unit's Business Model Canvas.
    GetCanvas = "get_canvas" on Strategy, READ, for MANAGERS => Maybe<Canvas> {
        req {
            business_unit_id: BusinessUnitId,
        }
    }
}

tool! {
    /// Replaces the entries of a block of a business unit's canvas.
    SetCanvasBlock = "set_canvas_block" on Strategy, REPLACE, for MANAGERS => One<CanvasBlock> {
        req {
            business_unit_id: BusinessUnitId,
            block: Block,
            /// The version that your change is based on.
            version: Whole<0, 1_000_000_000>,
            items: UpTo<Name, 50>,
        }
    }
}
