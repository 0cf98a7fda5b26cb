//! Tables within a record with a column for each value of a field: debit and credit.

use serde_json::Value;

use crate::fields::{Field, Is, title};

/// A table in which a field says to which column the amount of a row belongs.
#[derive(Debug)]
pub(crate) struct Pivot {
    /// The field with the rows.
    pub(crate) rows: &'static str,
    /// The field of a row whose values become columns.
    pub(crate) by: &'static str,
    /// The field of a row that is shown in those columns.
    pub(crate) amount: &'static str,
}

impl Pivot {
    /// The table with columns for the values, if the field has rows with both fields.
    pub(crate) fn turned(&self, field: &Field, rows: &Value) -> Option<(Field, Value)> {
        let Is::Rows(fields) = &field.is else {
            return None;
        };
        let named = |name: &str| fields.iter().find(|field| field.name == name);
        let (by, amount) = (named(self.by)?, named(self.amount)?);
        let Is::State(words) = &by.is else {
            return None;
        };
        let columns = words.iter().map(|word| Field {
            name: word.clone(),
            title: title(word),
            is: amount.is.clone(),
        });
        let columns: Vec<Field> = columns.collect();
        let mut turned = Vec::new();
        for one in fields {
            match one.name.as_str() {
                name if name == self.by => turned.extend(columns.iter().cloned()),
                name if name == self.amount => {}
                _ => turned.push(one.clone()),
            }
        }
        let rows = rows.as_array()?.iter().cloned().map(|mut row| {
            let word = row[self.by].as_str().map(str::to_owned);
            if let (Some(word), Some(row)) = (word, row.as_object_mut()) {
                let amount = row.remove(self.amount).unwrap_or_default();
                row.insert(word, amount);
            }
            row
        });
        let field = Field {
            is: Is::Rows(turned),
            ..field.clone()
        };
        Some((field, rows.collect()))
    }
}
