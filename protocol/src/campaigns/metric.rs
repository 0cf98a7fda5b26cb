//! Metrics of posts.

use jiff::civil::Date;

use super::{READERS, RECORDERS};
use crate::id::PostId;
use crate::record::{Maybe, One};
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Day, Whole};
use crate::wire::Wire;

/// A count on one day.
pub type Count = Whole<0, 1_000_000_000>;

/// The metrics of a post on one day.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Metric {
    pub post_id: PostId,
    pub day: Date,
    /// Number of times it was shown.
    pub impressions: u32,
    /// Number of clicks on its link.
    pub clicks: u32,
    /// Number of likes, similar reactions and comments.
    pub reactions: u32,
    /// Number of shares.
    pub shares: u32,
}

/// The metrics of a post, in total and by day.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct PostAnalytics {
    pub post_id: PostId,
    /// Number of times it was shown.
    pub impressions: u64,
    /// Number of clicks on its link.
    pub clicks: u64,
    /// Number of likes, similar reactions and comments.
    pub reactions: u64,
    /// Number of shares.
    pub shares: u64,
    /// Clicks per 100 impressions, two decimal places; null without impressions.
    pub click_rate: Option<f64>,
    /// The latest 400 days, latest first.
    pub days: Vec<Metric>,
}

resource! {
    PostAnalytics = "post_analytics", "post_analytics" {
        other: RecordMetrics,
        get: GetPostAnalytics(post_id),
    }
    Metric = "metric", "metrics" {}
}

tool! {
    /// Records the metrics of an approved post on a day. Omitted counts keep their value.
    RecordMetrics = "record_metrics" on Campaigns, UPDATE, for RECORDERS => One<Metric> {
        req {
            post_id: PostId,
            day: Day,
        }
        opt {
            impressions: Option<Count>,
            clicks: Option<Count>,
            /// Number of likes, similar reactions and comments.
            reactions: Option<Count>,
            shares: Option<Count>,
        }
    }
}

tool! {
    /// Gets the metrics of a post, in total and by day.
    GetPostAnalytics = "get_post_analytics" on Campaigns, READ, for READERS => Maybe<PostAnalytics> {
        req {
            post_id: PostId,
        }
    }
}
