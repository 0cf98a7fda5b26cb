//! The number of records of a list, for callers that ask for it.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::mcp::{COUNTED, Total};
use tokio_postgres::types::ToSql;

use super::Call;
use crate::database::internal;

impl Call {
    /// The number of records that a statement selects, as fields of the list in JSON.
    ///
    /// Nothing is taken from the planner: its statistics are of all organisations, and would tell a caller how many
    /// records others have.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub(super) async fn total(
        &mut self,
        total: Total,
        all: &str,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<String, ToolError> {
        let sql = match total {
            Total::Exact => format!("select count(*) from ({all}) r"),
            Total::Estimate => {
                format!("select count(*) from (select from ({all}) r limit {COUNTED} + 1) r")
            }
        };
        let rows = self.query(&sql, params).await?;
        let count: i64 = rows
            .first()
            .ok_or_else(|| internal("a statement returned no row"))?
            .get(0);
        Ok(match total {
            Total::Estimate if count > COUNTED => {
                format!(r#","total":{COUNTED},"total_is_estimate":true"#)
            }
            _ => format!(r#","total":{count}"#),
        })
    }
}
