//! The trial balance.

use frontdesk_protocol::financing::balance::{GetTrialBalance, TrialBalance};

use crate::call::{Answer, Call, Handler, Outcome};
use crate::database::params;
use crate::hosts::routes;

impl Handler for GetTrialBalance {
    async fn handle(self, call: &mut Call) -> Outcome<TrialBalance> {
        let sql = "with posted as ( \
               select l.account_id, \
                      coalesce(sum(l.amount) filter (where l.side = 'debit'), 0) as debit, \
                      coalesce(sum(l.amount) filter (where l.side = 'credit'), 0) as credit \
               from financing.journal_lines l \
               where $1::date is null \
                 or l.entry_id in (select e.id from financing.journal_entries e where e.entry_on <= $1) \
               group by l.account_id) \
             select json_build_object('until', $1::date, \
               'balances', (select coalesce(json_agg(b), '[]') from ( \
                 select p.account_id, a.code, a.name, a.kind, p.debit, p.credit, p.debit - p.credit as balance \
                 from posted p join financing.accounts a on a.id = p.account_id \
                 order by a.code limit 1000) b), \
               'debit', (select coalesce(sum(debit), 0) from posted), \
               'credit', (select coalesce(sum(credit), 0) from posted))::text";
        match call.json(sql, params![self.until]).await? {
            Some(balance) => Ok(balance),
            None => Answer::of(&TrialBalance {
                until: None,
                balances: Vec::new(),
                debit: 0.0,
                credit: 0.0,
            }),
        }
    }
}

routes![GetTrialBalance => own];
