//! The states in which hosts accept a tool: menus explain the others instead of offering them.

use frontdesk_protocol::Host;

use crate::records::allowed::{Allowed, Rule};

const fn rule(
    host: Host,
    tool: &'static str,
    field: &'static str,
    states: &'static [&'static str],
) -> Rule {
    Rule {
        host,
        tool,
        field,
        states,
    }
}

pub(crate) static ALLOWED: Allowed = Allowed(&[
    rule(
        Host::Campaigns,
        "submit_post",
        "status",
        &["draft", "changes_requested"],
    ),
    rule(Host::Campaigns, "review_post", "status", &["in_review"]),
    rule(
        Host::Engineering,
        "update_spec_run",
        "status",
        &["queued", "running"],
    ),
    rule(Host::Learn, "instantiate_program", "kind", &["template"]),
    rule(Host::Ops, "end_sandbox", "status", &["running"]),
    rule(Host::Payments, "pay_fellow_payment", "status", &["due"]),
    rule(
        Host::Plans,
        "set_adr_status",
        "status",
        &["proposed", "accepted"],
    ),
    rule(
        Host::Proposals,
        "set_submission_answer",
        "status",
        &["draft"],
    ),
    rule(Host::Proposals, "submit_submission", "status", &["draft"]),
    rule(Host::Skills, "retire_skill", "status", &["published"]),
    rule(Host::Staff, "update_invoice", "status", &["draft"]),
    rule(Host::Staff, "mark_invoice_sent", "status", &["draft"]),
    rule(Host::Staff, "record_payment", "status", &["sent"]),
    rule(Host::Staff, "cancel_invoice", "status", &["draft", "sent"]),
    rule(Host::Staff, "revoke_invitation", "status", &["open"]),
    rule(
        Host::Staff,
        "renew_invitation",
        "status",
        &["open", "expired"],
    ),
]);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::Is;
    use crate::records::kind;

    #[test]
    fn every_rule_names_a_tool_and_states_of_its_record() {
        for rule in ALLOWED.0 {
            let mut kinds = kind::all()
                .iter()
                .filter(|one| one.peer == rule.host.into());
            let found = kinds.find(|kind| kind.takers().any(|one| one.tool.name == rule.tool));
            let found = found.unwrap_or_else(|| panic!("no kind has the tool {}", rule.tool));
            let field = found.field(rule.field).expect(rule.tool);
            let Is::State(words) = &field.is else {
                panic!("{}: {} is no state", rule.tool, rule.field);
            };
            for state in rule.states {
                assert!(
                    words.iter().any(|word| word == state),
                    "{}: {state}",
                    rule.tool
                );
            }
        }
    }
}
