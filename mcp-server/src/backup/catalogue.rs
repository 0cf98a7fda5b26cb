//! The tables of a database, and what has to be set aside while they are filled.

use tokio_postgres::{Client, Error, SimpleQueryMessage};

use super::file::{Sequence, Table};
use super::row::{self, Tally};

/// The number of rows that are fetched at once.
const FETCH: usize = 250;

/// Settings under which values have the same text in every database, however long it takes.
pub(super) const SETTINGS: &str = "set timezone = 'UTC'; set datestyle = 'ISO, YMD'; \
    set intervalstyle = 'postgres'; set extra_float_digits = 1; set bytea_output = 'hex'; \
    set standard_conforming_strings = on; set search_path = pg_catalog; set statement_timeout = 0; \
    set idle_in_transaction_session_timeout = 0; set role frontdesk_owner";

/// The tables of this program, with the rows of their partitions: which partitions there are depends on the day. The
/// tables that say what the schema is are not data.
const TABLES: &str = "select c.oid, n.nspname::text, c.relname::text,
      (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '')
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p' and n.nspowner = 'frontdesk_owner'::regrole
      and format('%s.%s', n.nspname, c.relname) not in ('app.migrations', 'app.functions', 'app.function_sets')
    order by 2, 3";

/// The tables with the columns that are stored and not generated.
pub(super) async fn tables(client: &Client) -> Result<Vec<Table>, Error> {
    let rows = client.query(TABLES, &[]).await?;
    let table = |row: tokio_postgres::Row| Table {
        schema: row.get(1),
        name: row.get(2),
        columns: row.get::<_, Option<Vec<String>>>(3).unwrap_or_default(),
    };
    Ok(rows.into_iter().map(table).collect())
}

/// The names of the tables that have to be in a backup. They are found by what stores rows, independently of
/// [`tables`], so that each can be checked by the other.
const STORED: &str = "select distinct w.nspname::text, whole.relname::text
    from pg_class c
    join pg_class whole on whole.oid = coalesce(pg_partition_root(c.oid), c.oid)
    join pg_namespace w on w.oid = whole.relnamespace
    where c.relkind = 'r' and c.relpersistence = 'p' and w.nspowner = 'frontdesk_owner'::regrole
      and format('%s.%s', w.nspname, whole.relname) not in ('app.migrations', 'app.functions', 'app.function_sets')
    order by 1, 2";

/// The first table that stores rows, itself or in partitions, and is not in this list. `later`: tables that an older backup
/// cannot have.
pub(super) async fn left_out(
    client: &Client,
    tables: &[Table],
    later: &[&str],
) -> Result<Option<String>, Error> {
    let has = |schema: &str, name: &str| {
        let mut tables = tables.iter();
        tables.any(|table| table.schema == schema && table.name == name)
    };
    let rows = client.query(STORED, &[]).await?;
    let stored = rows.iter().map(|row| [row.get(0), row.get(1)]);
    let mut missing = stored
        .into_iter()
        .filter(|[schema, name]: &[&str; 2]| !has(schema, name))
        .map(|[schema, name]| format!("{schema}.{name}"));
    Ok(missing.find(|name| !later.contains(&&**name)))
}

/// The sequences that were used.
pub(super) async fn sequences(client: &Client) -> Result<Vec<Sequence>, Error> {
    let rows = client
        .query(
            "select schemaname::text, sequencename::text, last_value from pg_sequences
              where sequenceowner = 'frontdesk_owner' and last_value is not null order by 1, 2",
            &[],
        )
        .await?;
    let sequence = |row: tokio_postgres::Row| Sequence {
        schema: row.get(0),
        name: row.get(1),
        last_value: row.get(2),
    };
    Ok(rows.into_iter().map(sequence).collect())
}

/// Passes each row of a table on as a line. Needs a transaction.
pub(super) async fn each_row<E: From<Error>>(
    client: &Client,
    table: &Table,
    mut take: impl FnMut(&str) -> Result<(), E>,
) -> Result<(), E> {
    let columns = columns(table);
    let cursor = format!(
        "declare backup no scroll cursor for select {columns} from {}",
        name(table)
    );
    client.batch_execute(&cursor).await?;
    let fetch = format!("fetch {FETCH} from backup");
    loop {
        let mut fetched = 0;
        for message in client.simple_query(&fetch).await? {
            if let SimpleQueryMessage::Row(values) = message {
                let mut line = String::new();
                for at in 0..values.len() {
                    row::push(&mut line, at == 0, values.get(at));
                }
                take(&line)?;
                fetched += 1;
            }
        }
        if fetched < FETCH {
            break;
        }
    }
    Ok(client.batch_execute("close backup").await?)
}

/// The count and checksum of a table's rows. Needs a transaction.
pub(super) async fn tally(client: &Client, table: &Table) -> Result<Tally, Error> {
    let mut tally = Tally::default();
    each_row(client, table, |line| {
        tally.add(line);
        Ok::<_, Error>(())
    })
    .await?;
    Ok(tally)
}

/// The statements that set triggers and foreign keys aside, and those that put them back. Triggers would write
/// events again, and rows arrive in any order.
pub(super) async fn aside(client: &Client) -> Result<(Vec<String>, Vec<String>), Error> {
    let ours = "c.relkind = 'r' and n.nspowner = 'frontdesk_owner'::regrole";
    let triggers = format!(
        "select format('alter table %I.%I disable trigger %I', nspname, relname, tgname),
                format('alter table %I.%I enable trigger %I', nspname, relname, tgname)
           from pg_trigger t join pg_class c on c.oid = t.tgrelid
           join pg_namespace n on n.oid = c.relnamespace
          where {ours} and not tgisinternal and tgenabled = 'O'"
    );
    let keys = format!(
        "select format('alter table %I.%I drop constraint %I', nspname, relname, conname),
                format('alter table %I.%I add constraint %I %s', nspname, relname, conname,
                       pg_get_constraintdef(k.oid))
           from pg_constraint k join pg_class c on c.oid = k.conrelid
           join pg_namespace n on n.oid = c.relnamespace
          where {ours} and contype = 'f' and conparentid = 0"
    );
    let mut statements = (Vec::new(), Vec::new());
    for query in [triggers, keys] {
        for row in client.query(&query, &[]).await? {
            statements.0.push(row.get(0));
            statements.1.push(row.get(1));
        }
    }
    Ok(statements)
}

/// The number of organisations and accounts.
pub(super) async fn population(client: &Client) -> Result<(i64, i64), Error> {
    let row = client
        .query_one(
            "select (select count(*) from app.organizations), (select count(*) from auth.users)",
            &[],
        )
        .await?;
    Ok((row.get(0), row.get(1)))
}

/// The table's name, quoted.
pub(super) fn name(table: &Table) -> String {
    format!("{}.{}", quoted(&table.schema), quoted(&table.name))
}

/// The table's columns, quoted.
pub(super) fn columns(table: &Table) -> String {
    let columns: Vec<_> = table.columns.iter().map(|name| quoted(name)).collect();
    columns.join(", ")
}

pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
