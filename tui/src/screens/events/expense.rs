//! Expenses of an event, with totals.

use frontdesk_protocol::Host;
use ratatui::text::{Line, Span};

use crate::app::shared::Shared;
use crate::fields::cell::amount;
use crate::look::mark::Mark;
use crate::records::columns::Column;
use crate::records::record::Record;
use crate::records::view::View;

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("vendor_name", "Vendor"),
        Column::field("amount_estimated", "Estimated"),
        Column::field("amount_paid", "Paid"),
        Column::field("vendor_category", "Category"),
    ],
    foot: Some(totals),
    ..View::new(Host::Events, "expenses")
};

/// The totals of the loaded expenses.
fn totals(expenses: &[Record], has_more: bool, shared: &Shared) -> Line<'static> {
    let theme = &shared.settings.theme;
    let sum = |field: &str| {
        expenses
            .iter()
            .filter_map(|one| one.number(field))
            .sum::<f64>()
    };
    let (estimated, paid) = (sum("amount_estimated"), sum("amount_paid"));
    let rest = estimated - paid;
    let mut spans = vec![
        Span::styled(" Estimated ", theme.dim),
        Span::styled(amount(estimated, shared), theme.title),
        Span::styled("  Paid ", theme.dim),
        Span::styled(amount(paid, shared), theme.title),
        Span::raw("  "),
        match rest < 0.0 {
            true => Mark::Warn.span(
                theme,
                &format!("{} over the estimate", amount(-rest, shared)),
            ),
            false => Span::styled(format!("{} still open", amount(rest, shared)), theme.dim),
        },
    ];
    if has_more {
        let words = format!(" (of the first {})", expenses.len());
        spans.push(Span::styled(words, theme.dim));
    }
    Line::from(spans)
}
