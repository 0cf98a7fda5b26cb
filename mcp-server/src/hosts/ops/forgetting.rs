//! Forgetting a person.

use frontdesk_protocol::ToolError;
use frontdesk_protocol::ops::forgetting::{ForgetPerson, Forgotten};

use crate::call::{Answer, Call, Handler, Outcome};
use crate::database::{internal, params};
use crate::hosts::routes;

impl Handler for ForgetPerson {
    async fn handle(self, call: &mut Call) -> Outcome<Forgotten> {
        let field = match (&self.member_id, &self.guest_id) {
            (Some(_), None) => "member_id",
            (None, Some(_)) => "guest_id",
            _ => {
                let message = "give member_id or guest_id, and not both";
                return Err(ToolError::invalid("member_id", message));
            }
        };
        let sql = "select case when count(*) > 0 then \
               json_build_object('records', json_agg(json_build_object('kind', f.kind, 'number', f.number, \
                 'outcome', f.outcome, 'reason', f.reason)))::text end \
             from ops.forget_person($1, $2, $3) f";
        let others: Vec<_> = self
            .guest_ids
            .iter()
            .flat_map(|ids| ids.as_slice())
            .collect();
        let params = params![self.member_id, self.guest_id, others];
        let forgotten = call.query(sql, params).await?;
        let forgotten = forgotten
            .first()
            .ok_or_else(|| internal("a statement returned no row"))?;
        let Some(forgotten) = forgotten.get::<_, Option<String>>(0) else {
            let kind = field.trim_end_matches("_id");
            return Err(ToolError::not_found(kind).on(field));
        };
        call.warn("this cannot be undone: the person is also removed from the history of changes");
        Ok(Answer::new(forgotten))
    }
}

routes![ForgetPerson => own];
