//! The number of records of a list, for callers that ask for it.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::mcp::Total;
use serde_json::Value;
use tokio_postgres::types::ToSql;

use super::Call;
use crate::database::internal;

impl Call {
    /// The number of records that a statement selects, as fields of the list in JSON. The estimate is the planner's, under
    /// the caller's policies.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub(super) async fn total(
        &mut self,
        total: Total,
        all: &str,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<String, ToolError> {
        match total {
            Total::Exact => {
                let sql = format!("select count(*) from ({all}) r");
                let rows = self.query(&sql, params).await?;
                let count: i64 = rows.first().ok_or_else(internal)?.get(0);
                Ok(format!(r#","total":{count}"#))
            }
            Total::Estimate => {
                let sql = format!("explain (format json) {all}");
                let rows = self.query(&sql, params).await?;
                let plan: Value = rows.first().ok_or_else(internal)?.get(0);
                let rows = plan.pointer("/0/Plan/Plan Rows").and_then(Value::as_u64);
                let rows = rows.ok_or_else(internal)?;
                Ok(format!(r#","total":{rows},"total_is_estimate":true"#))
            }
        }
    }
}
