//! Metrics of posts.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::campaigns::metric::{
    GetPostAnalytics, Metric, PostAnalytics, RecordMetrics,
};
use frontdesk_protocol::campaigns::post::Post;
use frontdesk_protocol::record::{Maybe, One, Record};

use crate::call::{Answer, Call, Handler, Outcome, Stored, columns};
use crate::database::params;
use crate::hosts::routes;

impl Stored for Metric {
    const TABLE: &'static str = "campaigns.metrics";
}

impl Handler for RecordMetrics {
    async fn handle(self, call: &mut Call) -> Outcome<One<Metric>> {
        let sql = format!(
            "with r as (insert into campaigns.metrics as t (post_id, day, impressions, clicks, reactions, shares) \
               values ($1, $2, coalesce($3, 0), coalesce($4, 0), coalesce($5, 0), coalesce($6, 0)) \
               on conflict (post_id, organization_id, day) do update set \
                 impressions = coalesce($3, t.impressions), clicks = coalesce($4, t.clicks), \
                 reactions = coalesce($5, t.reactions), shares = coalesce($6, t.shares) \
               returning {}) \
             select json_build_object('metric', row_to_json(r))::text from r",
            columns::<Metric>()
        );
        let params = params![
            self.post_id,
            self.day,
            self.impressions,
            self.clicks,
            self.reactions,
            self.shares
        ];
        let written = call.finally().json(&sql, params).await?;
        written.ok_or_else(|| ToolError::not_found(Post::SINGULAR).on("post_id"))
    }
}

impl Handler for GetPostAnalytics {
    async fn handle(self, call: &mut Call) -> Outcome<Maybe<PostAnalytics>> {
        let sql = format!(
            "select json_build_object('post_analytics', (select json_build_object( \
               'post_id', p.id, 'impressions', coalesce(s.impressions, 0), 'clicks', coalesce(s.clicks, 0), \
               'reactions', coalesce(s.reactions, 0), 'shares', coalesce(s.shares, 0), \
               'click_rate', round(100.0 * s.clicks / nullif(s.impressions, 0), 2), \
               'days', (select coalesce(json_agg(d order by d.day desc), '[]') from ( \
                 select {} from campaigns.metrics t where t.post_id = p.id order by t.day desc limit 400) d)) \
             from campaigns.posts p, lateral ( \
               select sum(m.impressions) as impressions, sum(m.clicks) as clicks, sum(m.reactions) as reactions, \
                      sum(m.shares) as shares from campaigns.metrics m where m.post_id = p.id) s \
             where p.id = $1))::text",
            columns::<Metric>()
        );
        match call.json(&sql, params![self.post_id]).await? {
            Some(analytics) => Ok(analytics),
            None => Answer::of(&Maybe(None)),
        }
    }
}

routes![
    RecordMetrics => own,
    GetPostAnalytics => own,
];
