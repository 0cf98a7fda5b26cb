//! Expenses of an event: what was estimated against what was paid.

use frontdesk_client::CallError;
use frontdesk_protocol::events::expense::{Expense, ListEventExpenses};
use frontdesk_protocol::id::EventId;
use frontdesk_protocol::record::List;
use frontdesk_protocol::value::{Limit, Line, Offset};
use ratatui::text::{Line as TextLine, Span};
use uuid::Uuid;

use crate::app::effect::{Answer, ToolCall};
use crate::app::shared::Shared;
use crate::screens::listing::{Key, Listed, Listing};
use crate::ui::mark::Mark;
use crate::ui::table::{Column, Row};

impl Listed for Expense {
    type Scope = EventId;
    const NAMES: (&'static str, &'static str) = ("expense", "expenses");

    fn id(&self) -> Uuid {
        self.id.0
    }

    fn text(&self) -> &str {
        self.vendor_name.as_deref().unwrap_or_default()
    }

    fn columns() -> Vec<Column> {
        vec![
            Column::share("Vendor", 3),
            Column::share("For", 2),
            Column::fixed("Estimated", 14).right(),
            Column::fixed("Paid", 14).right(),
            Column::fixed("", 9),
        ]
    }

    fn column_names() -> &'static [&'static str] {
        &["vendor", "category", "estimate", "payment"]
    }

    fn row(&self, shared: &Shared) -> Row {
        let theme = &shared.theme;
        let row = Row::new()
            .cell(
                self.vendor_name
                    .clone()
                    .unwrap_or_else(|| "(no vendor)".to_owned()),
            )
            .cell(self.vendor_category.clone().unwrap_or_default())
            .cell(self.amount_estimated.map(money).unwrap_or_default())
            .cell(self.amount_paid.map(money).unwrap_or_default());
        match (self.amount_estimated, self.amount_paid) {
            (Some(estimated), Some(paid)) if paid > estimated => row.styled(
                format!("{} over", Mark::Warn.glyph()),
                Mark::Warn.style(theme),
            ),
            (_, None | Some(0.0)) => row.styled("○ not yet", theme.dim),
            // Whether less is a bargain or a part of it, nobody has written down.
            (Some(estimated), Some(paid)) if paid < estimated => {
                row.styled(format!("{} below", Mark::Good.glyph()), theme.good)
            }
            _ => row.styled(format!("{} paid", Mark::Good.glyph()), theme.good),
        }
    }

    fn key(&self, column: usize) -> Key<'_> {
        match column {
            0 => Key::Text(self.vendor_name.as_deref()),
            1 => Key::Text(self.vendor_category.as_deref()),
            2 => Key::amount(self.amount_estimated),
            _ => Key::amount(self.amount_paid),
        }
    }

    fn ask(event: EventId, search: Option<Line>, limit: Limit, offset: Offset) -> ToolCall {
        ToolCall::of(&ListEventExpenses {
            event_id: event,
            vendor_category: None,
            search,
            limit,
            offset,
        })
    }

    fn take(answer: &Answer) -> Option<Result<List<Self>, CallError>> {
        answer.of::<ListEventExpenses>()
    }
}

/// An amount with thousands apart and two digits behind the point: `12,300.00`.
pub(crate) fn money(amount: f64) -> String {
    // Cents, so that 0.1 + 0.2 is 0.30.
    let cents = (amount.abs() * 100.0).round() as u64;
    let whole = (cents / 100).to_string();
    let mut text = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    let sign = if amount < 0.0 && cents > 0 { "-" } else { "" };
    format!("{sign}{text}.{:02}", cents % 100)
}

/// The totals below the list.
pub(crate) fn totals(expenses: &Listing<Expense>, shared: &Shared) -> TextLine<'static> {
    let theme = &shared.theme;
    let items = expenses.items();
    let sum = |amount: fn(&Expense) -> Option<f64>| items.iter().filter_map(amount).sum::<f64>();
    let estimated = sum(|expense| expense.amount_estimated);
    let paid = sum(|expense| expense.amount_paid);
    let mut spans = vec![
        Span::styled(" Estimated ", theme.dim),
        Span::styled(money(estimated), theme.title),
        Span::styled("  Paid ", theme.dim),
        Span::styled(money(paid), theme.title),
    ];
    let rest = estimated - paid;
    spans.push(match rest < 0.0 {
        true => Mark::Warn.span(theme, &format!("{} over the estimate", money(-rest))),
        false => Span::styled(format!("{} still open", money(rest)), theme.dim),
    });
    spans.insert(4, Span::raw("  "));
    if expenses.has_more() {
        spans.push(Span::styled(
            format!(" (of the first {})", items.len()),
            theme.dim,
        ));
    }
    TextLine::from(spans)
}

/// What is known of an expense beyond its row, line by line.
pub(crate) fn details(expense: &Expense) -> Vec<(&'static str, String)> {
    let contact = [&expense.vendor_email, &expense.vendor_phone];
    let contact: Vec<&str> = contact
        .into_iter()
        .filter_map(|part| part.as_deref())
        .collect();
    vec![
        ("Contact", contact.join(" · ")),
        ("Note", expense.note.clone().unwrap_or_default()),
    ]
}

#[cfg(test)]
mod tests {
    use super::money;

    #[test]
    fn money_is_read_at_a_glance() {
        assert_eq!(money(0.0), "0.00");
        assert_eq!(money(0.1 + 0.2), "0.30");
        assert_eq!(money(999.999), "1,000.00");
        assert_eq!(money(1_234_567.5), "1,234,567.50");
        assert_eq!(money(-1200.0), "-1,200.00");
    }
}
