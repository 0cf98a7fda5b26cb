//! Fills the empty tables of a database from a backup, in one transaction.

use std::collections::BTreeMap;
use std::io::Read;

use tokio_postgres::Client;

use super::BackupError;
use super::catalogue::{self, SETTINGS, name};
use super::file::{Part, Reader, Sequence, Start, Table, Totals};
use super::row::{self, Tally};
use crate::database::{LOCK_MIGRATIONS, data_after, marked, needed, tables_after};

/// The length from which a statement is sent.
const STATEMENT: usize = 256 * 1024;

/// Fills the tables of this program's schema, and compares them with the backup before it commits. The upgrades that the
/// backup lacks then change the rows.
///
/// # Errors
/// [`BackupError`]; the database is unchanged then.
pub(super) async fn load<R: Read>(
    client: &Client,
    backup: &mut Reader<R>,
    start: &Start,
) -> Result<Totals, BackupError> {
    client.batch_execute(SETTINGS).await?;
    client.batch_execute("begin").await?;
    let loaded = load_open(client, backup, start).await;
    let end = if loaded.is_ok() { "commit" } else { "rollback" };
    // A failed load is the error to report.
    let ended = client.batch_execute(end).await;
    let totals = loaded?;
    ended?;
    Ok(totals)
}

async fn load_open<R: Read>(
    client: &Client,
    backup: &mut Reader<R>,
    start: &Start,
) -> Result<Totals, BackupError> {
    // A server that starts meanwhile waits before it migrates.
    client.batch_execute(LOCK_MIGRATIONS).await?;
    if marked(client).await? != Some(needed()) {
        return Err(BackupError::InUse);
    }
    let tables = catalogue::tables(client).await?;
    let names: Vec<_> = tables.iter().map(name).collect();
    let lock = format!("lock table {} in access exclusive mode", names.join(", "));
    client.batch_execute(&lock).await?;
    let (organizations, accounts) = catalogue::population(client).await?;
    if organizations + accounts > 0 {
        return Err(BackupError::NotEmpty {
            organizations,
            accounts,
        });
    }
    let (set_aside, put_back) = catalogue::aside(client).await?;
    client.batch_execute(&set_aside.join(";")).await?;
    // Rows of the schema itself: the backup has its own.
    let truncate = format!("truncate {}", names.join(", "));
    client.batch_execute(&truncate).await?;
    let known = tables
        .iter()
        .map(|table| (name(table), &table.columns))
        .collect();
    let (filled, totals) = fill(client, backup, &known).await?;
    let (filled, expected): (Vec<_>, Vec<_>) = filled.into_iter().unzip();
    let later = tables_after(&start.migrations);
    if let Some(table) = catalogue::left_out(client, &filled, &later).await? {
        return Err(BackupError::LeftOut(table));
    }
    for (table, expected) in filled.into_iter().zip(expected) {
        if catalogue::tally(client, &table).await? != expected {
            let table = format!("{}.{}", table.schema, table.name);
            return Err(BackupError::Different { table });
        }
    }
    client.batch_execute(&put_back.join(";")).await?;
    client.batch_execute(&data_after(&start.migrations)).await?;
    Ok(totals)
}

/// Inserts the rows of all tables and sets the sequences. Returns what each table has to contain.
async fn fill<R: Read>(
    client: &Client,
    backup: &mut Reader<R>,
    known: &BTreeMap<String, &Vec<String>>,
) -> Result<(Vec<(Table, Tally)>, Totals), BackupError> {
    let mut filled = Vec::new();
    let mut rows = Insert::default();
    loop {
        match backup.next()? {
            Part::Table(table) => {
                expect_known(&table, known)?;
                rows = Insert::into(table);
            }
            Part::Row(line) => {
                rows.add(&line);
                if rows.sql.len() > STATEMENT {
                    rows.send(client).await?;
                }
            }
            Part::EndOfTable(tally) => {
                rows.send(client).await?;
                filled.extend(rows.table.take().map(|table| (table, tally)));
            }
            Part::Sequences(sequences) => set(client, &sequences).await?,
            Part::End(totals) => return Ok((filled, totals)),
        }
    }
}

/// Fails if the schema lacks the table or one of its columns.
fn expect_known(table: &Table, known: &BTreeMap<String, &Vec<String>>) -> Result<(), BackupError> {
    let Some(columns) = known.get(&name(table)) else {
        let table = format!("the table {}.{}", table.schema, table.name);
        return Err(BackupError::Unknown(table));
    };
    match table.columns.iter().find(|name| !columns.contains(name)) {
        Some(column) => Err(BackupError::Unknown(format!(
            "the column {column} of {}.{}",
            table.schema, table.name
        ))),
        None => Ok(()),
    }
}

async fn set(client: &Client, sequences: &[Sequence]) -> Result<(), BackupError> {
    for Sequence {
        schema,
        name,
        last_value,
    } in sequences
    {
        let statement = "select setval(format('%I.%I', $1::text, $2::text)::regclass, $3)";
        client
            .execute(statement, &[schema, name, last_value])
            .await?;
    }
    Ok(())
}

/// A statement that inserts rows. COPY FROM STDIN would be faster, but the embedded database has none.
#[derive(Default)]
struct Insert {
    table: Option<Table>,
    sql: String,
}

impl Insert {
    fn into(table: Table) -> Insert {
        Insert {
            table: Some(table),
            sql: String::new(),
        }
    }

    fn add(&mut self, line: &str) {
        match (&self.table, self.sql.is_empty()) {
            (Some(table), true) => {
                self.sql = format!(
                    "insert into {} ({}) overriding system value values ",
                    name(table),
                    catalogue::columns(table)
                );
            }
            _ => self.sql.push(','),
        }
        row::push_literals(&mut self.sql, line);
    }

    async fn send(&mut self, client: &Client) -> Result<(), BackupError> {
        if !self.sql.is_empty() {
            client.batch_execute(&self.sql).await?;
            self.sql.clear();
        }
        Ok(())
    }
}
