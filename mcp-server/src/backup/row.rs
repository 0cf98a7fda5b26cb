//! Rows in the text format of COPY, and the checksum of a table.

use sha2::{Digest, Sha256};

/// Adds a value to a line, after a tab unless it is the first.
pub(super) fn push(line: &mut String, is_first: bool, value: Option<&str>) {
    if !is_first {
        line.push('\t');
    }
    let Some(value) = value else {
        line.push_str("\\N");
        return;
    };
    for character in value.chars() {
        match character {
            '\\' => line.push_str("\\\\"),
            '\t' => line.push_str("\\t"),
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            other => line.push(other),
        }
    }
}

/// Adds a line's values to a statement, as a row of VALUES.
pub(super) fn push_literals(sql: &mut String, line: &str) {
    sql.push('(');
    for (at, field) in line.split('\t').enumerate() {
        if at > 0 {
            sql.push(',');
        }
        if field == "\\N" {
            sql.push_str("null");
            continue;
        }
        sql.push('\'');
        let mut characters = field.chars();
        while let Some(character) = characters.next() {
            let plain = match character {
                '\\' => match characters.next() {
                    Some('t') => '\t',
                    Some('n') => '\n',
                    Some('r') => '\r',
                    other => other.unwrap_or('\\'),
                },
                other => other,
            };
            if plain == '\'' {
                sql.push('\'');
            }
            sql.push(plain);
        }
        sql.push('\'');
    }
    sql.push(')');
}

/// The number of rows of a table, and a checksum that does not depend on their order: the sum of their SHA-256.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) rows: u64,
    sum: [u8; 32],
}

impl Tally {
    pub(super) fn add(&mut self, line: &str) {
        self.rows += 1;
        let hash = Sha256::digest(line);
        let mut carry = 0;
        for (byte, added) in self.sum.iter_mut().zip(hash).rev() {
            let [high, low] = (u16::from(*byte) + u16::from(added) + carry).to_be_bytes();
            *byte = low;
            carry = u16::from(high);
        }
    }

    /// The checksum in hexadecimal digits.
    pub(super) fn checksum(&self) -> String {
        self.sum.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_the_same_in_a_statement() {
        let mut line = String::new();
        let values = [Some("a\tb\\\n\r\n'c'"), None, Some(""), Some("\\N")];
        for (at, value) in values.into_iter().enumerate() {
            push(&mut line, at == 0, value);
        }
        assert!(!line.contains('\n'), "{line}");
        let mut sql = String::new();
        push_literals(&mut sql, &line);
        assert_eq!(sql, "('a\tb\\\n\r\n''c''',null,'','\\N')");
    }

    #[test]
    fn a_checksum_has_every_row_and_no_order() {
        let tally = |lines: &[&str]| {
            let mut tally = Tally::default();
            lines.iter().for_each(|line| tally.add(line));
            tally
        };
        assert_eq!(tally(&["a", "b", "b"]), tally(&["b", "a", "b"]));
        assert_ne!(tally(&["a", "b", "b"]), tally(&["a", "a", "b"]));
        assert_ne!(tally(&["a", "b", "b"]).checksum(), tally(&["a"]).checksum());
    }
}
