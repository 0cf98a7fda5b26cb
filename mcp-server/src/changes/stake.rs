//! What a change of a row means to people, beyond the row itself.

use serde_json::Value;
use uuid::Uuid;

use super::{Changed, Columns};

/// What is at stake when a column gets another value. Everything else is plain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stake {
    /// A rule of the organisation: who has to agree, and who needs a second factor.
    Rule,
    /// How somebody signs in as an account.
    Credential,
    /// What an account may do.
    Right,
    /// An amount of money.
    Money,
    /// Something that is sent to somebody, or shown to everybody.
    Leaves,
}

/// An amount from which money is at stake, in the organisation's currency.
const MUCH: f64 = 1_000.0;

/// The columns that are not plain, with their tables.
const STAKES: [(&str, &str, Stake); 24] = [
    ("app.organizations", "agents", Stake::Rule),
    ("app.organizations", "second_factor", Stake::Rule),
    ("app.organizations", "removed_at", Stake::Rule),
    ("auth.password_links", "issued_at", Stake::Credential),
    ("staff.users", "has_second_factor", Stake::Credential),
    ("staff.users", "role", Stake::Right),
    ("staff.users", "is_active", Stake::Right),
    ("staff.invitations", "role", Stake::Right),
    ("learn.profiles", "level", Stake::Right),
    ("learn.profiles", "member_id", Stake::Right),
    ("learn.profiles", "is_active", Stake::Right),
    ("learn.profiles", "removed_at", Stake::Right),
    ("events.expenses", "amount_paid", Stake::Money),
    ("financing.journal_lines", "amount", Stake::Money),
    ("payments.fellow_payments", "amount", Stake::Money),
    ("payments.transactions", "amount", Stake::Money),
    ("staff.invoices", "amount", Stake::Money),
    ("staff.payments", "amount", Stake::Money),
    ("work.deliveries", "price", Stake::Money),
    ("campaigns.posts", "published_at", Stake::Leaves),
    ("ops.messages", "recipient_id", Stake::Leaves),
    ("proposals.submissions", "submitted_at", Stake::Leaves),
    ("quiz.dispatches", "chat_id", Stake::Leaves),
    ("staff.invoices", "sent_at", Stake::Leaves),
];

/// The tables with a row for each account, whose id is the key.
const ACCOUNTS: [&str; 3] = ["auth.password_links", "learn.profiles", "staff.users"];

impl Stake {
    /// What is at stake in a column of a table, given with its schema; `None` if it is plain.
    pub fn of(table: &str, column: &str) -> Option<Stake> {
        let mut stakes = STAKES.iter();
        let found = stakes.find(|(of, name, _)| (*of, *name) == (table, column));
        found.map(|(_, _, stake)| *stake)
    }

    /// Whether this change of a value matters.
    fn matters(self, before: &Value, after: &Value) -> bool {
        match self {
            Stake::Rule | Stake::Credential | Stake::Right => true,
            Stake::Money => [before, after]
                .into_iter()
                .filter_map(amount)
                .any(|it| it.abs() >= MUCH),
            Stake::Leaves => !after.is_null(),
        }
    }
}

fn amount(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.parse().ok())
}

/// A value that matters, before and after.
#[derive(Debug, Clone)]
pub struct AtStake {
    /// What is at stake.
    pub stake: Stake,
    /// The account of the row, if it is one of an account.
    pub account: Option<Uuid>,
    /// The name of the row's record for people.
    pub label: Option<String>,
    /// The column.
    pub column: &'static str,
    /// Its value before; null for a new row, and for a column that the caller cannot read.
    pub before: Value,
    /// Its value after; null for a row that is removed, and for a column that the caller cannot read.
    pub after: Value,
}

/// The values of a row that matter. The caller can read its `readable` columns.
pub(crate) fn at_stake(
    row: &Changed,
    label: Option<&str>,
    readable: Option<&Vec<String>>,
) -> Vec<AtStake> {
    let value = |columns: &Option<Columns>, column: &str| -> Option<Value> {
        columns.as_ref()?.get(column).cloned()
    };
    let columns = STAKES.iter().filter(|(table, ..)| *table == row.table);
    let values = columns.filter_map(|(_, column, stake)| {
        let (before, after) = (value(&row.before, column), value(&row.after, column));
        let is_there = before.is_some() || after.is_some();
        let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
        if !is_there || before == after || !stake.matters(&before, &after) {
            return None;
        }
        let is_readable = readable.is_some_and(|names| names.iter().any(|name| name == column));
        let shown = |value| if is_readable { value } else { Value::Null };
        Some(AtStake {
            stake: *stake,
            account: account(row),
            label: label.map(str::to_owned),
            column,
            before: shown(before),
            after: shown(after),
        })
    });
    values.collect()
}

/// The account of a row.
fn account(row: &Changed) -> Option<Uuid> {
    if !ACCOUNTS.contains(&row.table.as_str()) {
        return None;
    }
    let key: Columns = serde_json::from_str(&row.key).ok()?;
    key.values().next()?.as_str()?.parse().ok()
}
