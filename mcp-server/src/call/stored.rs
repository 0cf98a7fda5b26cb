//! How a record is stored: its table, and the fields that are not columns.

use frontdesk_protocol::Tool;
use frontdesk_protocol::record::{List, Record};
use frontdesk_protocol::wire::{Shape, Table};

/// Names of arguments or fields, each with its SQL.
pub type SqlByName = &'static [(&'static str, &'static str)];

/// A record with a table. Its fields are columns of the same name, except for those listed here. The same holds for
/// arguments that write or filter it. SQL refers to the table as `t`.
pub trait Stored: Record + Table {
    /// The table: `events.photos`.
    const TABLE: &'static str;
    /// The order of its lists. The last key is unique, so that pages do not overlap.
    const ORDER: &'static str = "t.id";
    /// Filter arguments that are not columns: the name, and the condition with `$` for the value. A function of the
    /// value needs a subselect, which runs once per statement: statements are planned without values, and would
    /// otherwise call the function for each row.
    const FILTERS: SqlByName = &[];
    /// The function that finds the matches of the argument `search` in an index, if the table has one. It returns
    /// null if there are too many matches for an index lookup to pay off.
    const FINDER: Option<&'static str> = None;
    /// Fields that are not columns: the name, and its SQL. Empty for a field that only some tools return.
    const COMPUTED: SqlByName = &[];
    /// Fields that list the ids of other records.
    const LINKS: &'static [Link] = &[];
    /// The statement that refuses callers without any right to these records, where the policies alone would return
    /// an empty list.
    const GUARD: Option<&'static str> = None;
    /// All of this as data.
    const STORAGE: &'static Storage = &Storage {
        singular: Self::SINGULAR,
        plural: Self::PLURAL,
        shape: Self::SHAPE,
        table: Self::TABLE,
        order: Self::ORDER,
        filters: Self::FILTERS,
        finder: Self::FINDER,
        computed: Self::COMPUTED,
        links: Self::LINKS,
        guard: Self::GUARD,
    };
}

/// How a kind of record is stored, as [`Stored`] says it.
#[derive(Debug)]
pub struct Storage {
    pub(super) singular: &'static str,
    pub(super) plural: &'static str,
    shape: &'static Shape,
    pub(super) table: &'static str,
    pub(super) order: &'static str,
    pub(super) filters: SqlByName,
    pub(super) finder: Option<&'static str>,
    computed: SqlByName,
    pub(super) links: &'static [Link],
    pub(super) guard: Option<&'static str>,
}

impl Storage {
    /// The SQL expressions of the record, in the order of its fields.
    pub(super) fn columns(&self) -> String {
        let computed = |field: &str| {
            let computed = self.computed.iter().find(|(name, _)| *name == field);
            let link = self.links.iter().find(|link| link.field == field);
            let made_of = computed.map(|(_, made_of)| (*made_of).to_owned());
            made_of.or_else(|| link.map(|link| link.select(self)))
        };
        let mut columns = String::new();
        for field in self.shape.names() {
            let column = match computed(field) {
                None => format!("t.\"{field}\""),
                Some(made_of) if made_of.is_empty() => continue,
                Some(made_of) => format!("{made_of} as \"{field}\""),
            };
            columns.push_str(if columns.is_empty() { "" } else { ", " });
            columns.push_str(&column);
        }
        columns
    }

    /// The statement of a page. A later page looks up its rows first: PostgreSQL would compute the fields that are not
    /// columns for all rows before them.
    pub(super) fn page(
        &self,
        conditions: &str,
        limit: &str,
        offset: &str,
        is_first: bool,
    ) -> String {
        let (columns, table, order) = (self.columns(), self.table, self.order);
        let page = format!("where {conditions} order by {order} limit {limit} + 1 offset {offset}");
        let has_id = self.shape.names().contains(&"id");
        match is_first || !has_id || self.computed.is_empty() && self.links.is_empty() {
            true => format!("select {columns} from {table} t {page}"),
            false => format!(
                "select t.* from \
                   (select t.id, row_number() over (order by {order}) as place from {table} t {page}) page, \
                   lateral (select {columns} from {table} t where t.id = page.id limit 1) t \
                 order by page.place"
            ),
        }
    }
}

/// A field that lists ids, such as `member_ids`. Each id is a row of another table, with the columns `member_id` and,
/// if the record is a photo, `photo_id`. As an argument it replaces those rows.
#[derive(Debug, Clone, Copy)]
pub struct Link {
    /// Its name, a plural ending in `_ids`.
    pub field: &'static str,
    /// The table of the rows.
    pub table: &'static str,
    /// Columns that are copied from the record, in addition to its id.
    pub copied: &'static [&'static str],
}

impl Link {
    /// The column with the listed id.
    fn to(&self) -> &'static str {
        self.field.trim_end_matches('s')
    }

    /// The field's SQL expression.
    pub(super) fn select(&self, storage: &Storage) -> String {
        let (from, to, table) = (storage.singular, self.to(), self.table);
        format!("array(select l.{to} from {table} l where l.{from}_id = t.id order by l.{to})")
    }

    /// The statement that replaces the rows of the record `$1` with the ids `$2`.
    pub(super) fn replace(&self, storage: &Storage) -> String {
        let (from, to, table) = (storage.singular, self.to(), self.table);
        let copied = |prefix: &str| -> String {
            let columns = self.copied.iter();
            columns
                .map(|column| format!("{prefix}{column}, "))
                .collect()
        };
        format!(
            "with gone as (delete from {table} where {from}_id = $1 and {to} <> all ($2)) \
             insert into {table} ({from}_id, {}{to}) select t.id, {}l from {} t, unnest($2::uuid[]) l \
             where t.id = $1 on conflict do nothing",
            copied(""),
            copied("t."),
            storage.table,
        )
    }
}

/// A field with the name of the member, account or business unit in a column, for [`Stored::COMPUTED`]. The name of a
/// person is null if the caller cannot read that person; the name of a unit is no secret in its organisation.
macro_rules! named {
    ($name:literal: member $id:literal) => {
        crate::call::named!(@ $name, "(select n.name from learn.members n where n.id = t.", $id)
    };
    ($name:literal: account $id:literal) => {
        crate::call::named!(@ $name, "(select n.name from learn.profiles n where n.id = t.", $id)
    };
    ($name:literal: unit $id:literal) => {
        crate::call::named!(@ $name, "events.business_unit_name(t.", $id)
    };
    (@ $name:literal, $lookup:literal, $id:literal) => {
        ($name, concat!($lookup, $id, ")"))
    };
}
pub(crate) use named;

/// The SQL expressions of the record, in the order of its fields.
pub fn columns<T: Stored>() -> String {
    T::STORAGE.columns()
}

/// The maximum number of records in a list within a record.
pub const MOST_WITHIN: u32 = 2000;

/// A list within a record: the records that refer to it, in the order of their list tool.
#[derive(Debug)]
pub struct Part {
    pub(super) field: &'static str,
    /// The tool that lists all of them.
    tool: &'static str,
    /// The tool's argument for the containing record; also a column of the listed records.
    by: &'static str,
    /// The statement that selects the records of `o`.
    rows: String,
}

impl Part {
    /// The records that the tool `L` lists if its argument `by` is the containing record.
    pub fn of<T: Stored, L: Tool<Output = List<T>>>(field: &'static str, by: &'static str) -> Part {
        Part {
            field,
            tool: L::NAME,
            by,
            rows: rows::<T>(&format!("t.{by} = o.id")),
        }
    }

    /// The first items that fit into this many bytes, as in [`cut`].
    pub(super) fn cut(&self, bytes: usize) -> String {
        cut(&self.rows, bytes)
    }

    /// A description of the omitted items, as JSON, or null. `cut` is the result of [`Part::cut`].
    pub(super) fn missing(&self, cut: &str) -> String {
        missing(self.field, self.tool, self.by, "o.id", cut)
    }
}

/// The records that match a condition on `t`, in the order of their list; one more than is returned.
pub fn rows<T: Stored>(condition: &str) -> String {
    format!(
        "select {} from {} t where {condition} order by {} limit {MOST_WITHIN} + 1",
        columns::<T>(),
        T::TABLE,
        T::ORDER,
    )
}

/// Selects each record as JSON (`j`) and its number (`n`).
pub fn measured(rows: &str) -> String {
    format!("select row_to_json(t) as j, row_number() over () as n from ({rows}) t")
}

/// The first records whose JSON fits into this many bytes in total: `items`, their number (`shown`), and whether there
/// are more (`more`).
pub fn cut(rows: &str, bytes: usize) -> String {
    format!(
        "(select coalesce(json_agg(j order by n) filter (where fits), '[]') as items, \
           count(*) filter (where fits) as shown, coalesce(bool_or(not fits), false) as more \
          from (select j, n, n <= {MOST_WITHIN} and sum(octet_length(j::text)) over (order by n) <= {bytes} as fits \
                from ({}) m) m)",
        measured(rows)
    )
}

/// The [`Missing`](frontdesk_protocol::record::Missing) of a list that was cut; null if it is complete.
pub fn missing(field: &str, tool: &str, argument: &str, id: &str, cut: &str) -> String {
    format!(
        "case when {cut}.more then jsonb_build_object('field', '{field}', 'tool', '{tool}', \
         'arguments', jsonb_build_object('{argument}', {id}, 'offset', {cut}.shown)) end"
    )
}

/// The record that matches a condition on `t`, as JSON, or null.
pub fn only<T: Stored>(condition: &str) -> String {
    format!(
        "(select to_jsonb(t) from (select {} from {} t where {condition}) t)",
        columns::<T>(),
        T::TABLE,
    )
}
