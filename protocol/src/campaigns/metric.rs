//! How posts do.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::READERS;
use crate::id::PostId;
use crate::record::{Maybe, One, record};
use crate::role::{Role, Roles};
use crate::tool::{tool, tools};
use crate::value::{Day, Whole};

/// A number of people or clicks on one day.
pub type Count = Whole<0, 1_000_000_000>;

/// How a post did on one day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Metric {
    /// The post.
    pub post_id: PostId,
    /// The day.
    pub day: Date,
    /// How often it was shown.
    pub impressions: u32,
    /// How often somebody followed its link.
    pub clicks: u32,
    /// Likes and the like, and comments.
    pub reactions: u32,
    /// How often it was shared.
    pub shares: u32,
}
record!(Metric, "metric", "metrics");

/// How a post does, all days together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PostAnalytics {
    /// The post.
    pub post_id: PostId,
    /// How often it was shown.
    pub impressions: u64,
    /// How often somebody followed its link.
    pub clicks: u64,
    /// Likes and the like, and comments.
    pub reactions: u64,
    /// How often it was shared.
    pub shares: u64,
    /// Clicks in 100 impressions, with two digits; null without impressions.
    pub click_rate: Option<f64>,
    /// The latest 400 days, the latest first.
    pub days: Vec<Metric>,
}
record!(PostAnalytics, "post_analytics", "post_analytics");

tool! {
    /// Records how an approved post did on a day; counts left out stay.
    RecordMetrics = "record_metrics" on Campaigns, UPDATE,
        for Roles::DESK.and(&[Role::Automation]) => One<Metric> {
        req {
            /// The post.
            post_id: PostId,
            /// The day.
            day: Day,
        }
        opt {
            /// How often it was shown.
            impressions: Option<Count>,
            /// How often somebody followed its link.
            clicks: Option<Count>,
            /// Likes and the like, and comments.
            reactions: Option<Count>,
            /// How often it was shared.
            shares: Option<Count>,
        }
    }
}

tool! {
    /// Gets how a post does: totals, and each day.
    GetPostAnalytics = "get_post_analytics" on Campaigns, READ, for READERS => Maybe<PostAnalytics> {
        req {
            /// The post.
            post_id: PostId,
        }
    }
}

tools![RecordMetrics, GetPostAnalytics];
