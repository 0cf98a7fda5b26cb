//! The states in which hosts accept a tool, and rights that differ from record to record: menus explain
//! what is refused instead of offering it.

use frontdesk_client::Account;
use frontdesk_protocol::{Host, Role};

use crate::records::allowed::{Allowed, Right, Rights, Rule};

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
        Host::Campaigns,
        "mark_post_published",
        "status",
        &["approved", "published"],
    ),
    rule(
        Host::Engineering,
        "update_spec_run",
        "status",
        &["queued", "running"],
    ),
    rule(Host::Learn, "instantiate_program", "kind", &["template"]),
    rule(Host::Ops, "report_sandbox", "status", &["running"]),
    rule(Host::Ops, "end_sandbox", "status", &["running"]),
    rule(
        Host::Payments,
        "pay_fellow_payment",
        "status",
        &["submitted", "due"],
    ),
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

pub(crate) static RIGHTS: Rights = Rights(&[
    Right {
        host: Host::Learn,
        tools: &["update_wiki_article", "publish_wiki_article"],
        refusal: |article, account| not_author(article.text("author_id"), account),
    },
    Right {
        host: Host::Events,
        tools: &["update_event_guest"],
        refusal: |_, account| {
            let is_teacher = account.role == Some(Role::Teacher);
            is_teacher.then_some("teachers can only change a guest's check-in")
        },
    },
]);

/// Why the caller cannot change an article with this author.
pub(crate) fn not_author(author: Option<&str>, account: &Account) -> Option<&'static str> {
    let is_author = author.is_some_and(|author| author == account.id.to_string());
    let is_admin = account.level >= 80 || account.role == Some(Role::Owner);
    (!is_author && !is_admin).then_some("only its author and global admins can change it")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::Is;
    use crate::records::kind::{self, Kind};

    #[test]
    fn every_rule_names_a_tool_and_states_of_its_record() {
        for rule in ALLOWED.0 {
            let kinds = kind::all()
                .iter()
                .filter(|one| one.peer == rule.host.into());
            let takes = |kind: &&Kind| kind.takers().any(|one| one.tool.name == rule.tool);
            let fields = kinds.filter(takes);
            let mut fields = fields.filter_map(|kind| kind.field(rule.field));
            let field = fields.next().expect(rule.tool);
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
