//! Remarks on a result: why it is empty, and what a person would question.

use frontdesk_protocol::resource::{Kind, Verb};
use frontdesk_protocol::wire::is_blank;
use frontdesk_protocol::{Declaration, ToolError, args};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::{Map, Value};
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::{Call, Filter, Storage};
use crate::database::{Part, Said, params};

/// The most values of a field that a note names.
const VALUES: u32 = 10;
/// The most records that are searched for them.
const SEARCHED: u32 = 1000;

/// The arguments that choose a page of a list.
const PAGING: [&str; 2] = ["limit", "offset"];

/// The remarks on a result.
#[derive(Debug, Default)]
pub(super) struct Remarks {
    note: Option<Said>,
    /// The note if there is no other.
    limit: Option<Said>,
    warnings: Vec<Said>,
}

/// The result, an object as JSON text, with more warnings.
pub(super) fn warned(result: String, warnings: Vec<Said>) -> String {
    let Ok(Value::Object(mut value)) = serde_json::from_str(&result) else {
        return result;
    };
    let said = value
        .entry("warnings")
        .or_insert_with(|| Value::Array(Vec::new()));
    if let Value::Array(said) = said {
        said.extend(
            warnings
                .into_iter()
                .map(|warning| Value::from(warning.into_text())),
        );
    }
    Value::Object(value).to_string()
}

impl Call {
    /// Explains the result.
    pub fn note(&mut self, note: impl Into<Said>) {
        self.remarks.note = Some(note.into());
    }

    /// Notes that nothing fits the arguments, unless the caller's role limits the list, JSON text.
    pub(super) fn note_empty(&mut self, list: &str, arguments: &Value) {
        let list = list.split('"').nth(1).unwrap_or_default().replace('_', " ");
        let names = arguments.as_object().into_iter().flat_map(Map::keys);
        let filters = names
            .map(String::as_str)
            .filter(|name| !PAGING.contains(name));
        let filters = filters.collect::<Vec<_>>().join(", ");
        let parts = [Part::Word(&list), Part::Word(&filters)];
        let note = match filters.is_empty() {
            true => Said::with("there are no {} that you can see", &parts),
            false => Said::with("no {} that you can see match {}", &parts),
        };
        self.remarks.limit.get_or_insert(note);
    }

    /// Whether the result is explained.
    pub(super) fn has_note(&self) -> bool {
        self.remarks.note.is_some()
    }

    /// Adds a warning to the result, which is complete all the same.
    pub fn warn(&mut self, warning: impl Into<Said>) {
        self.remarks.warnings.push(warning.into());
    }

    /// Adds the texts that a statement returns as warnings.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub async fn warn_of(
        &mut self,
        sql: &str,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<(), ToolError> {
        for row in self.query(sql, params).await? {
            if let Some(warning) = row.get::<_, Option<Said>>(0) {
                self.warn(warning);
            }
        }
        Ok(())
    }

    /// Questions days that are hardly meant: more than ten years ago, or in more than four years.
    pub(super) fn question_days(&mut self, tool: &Declaration, arguments: &Value) {
        let this = Timestamp::now().to_zoned(TimeZone::UTC).year();
        let is_odd = |year: i16| year < this - 10 || year > this + 4;
        let given = arguments.as_object().into_iter().flatten();
        let days = given.filter_map(|(name, value)| {
            let text = value.as_str()?;
            let year = text.get(..10)?.parse::<Date>().ok()?.year();
            is_odd(year).then_some((name, year))
        });
        for (name, year) in days {
            let schema = &tool.input_schema()["properties"][name];
            if schema.to_string().contains(r#""format":"date"#) {
                let parts = [Part::Word(name), Part::Number(year.into())];
                self.warn(Said::with(
                    "{} is in the year {}: look whether that is meant",
                    &parts,
                ));
            }
        }
    }

    /// Names the fields that empty texts clear. A model that sends each argument of a schema has not meant it, perhaps.
    pub(super) fn question_blank(&mut self, tool: &Declaration, arguments: &Value) {
        let given = arguments.as_object().into_iter().flatten();
        let blank: Vec<_> = given.filter(|(_, value)| is_blank(value)).collect();
        if blank.is_empty() {
            return;
        }
        let Ok(checked) = args::check_from(tool.shape, arguments) else {
            return;
        };
        let names = blank.into_iter().map(|(name, _)| name.as_str());
        let cleared: Vec<_> = names
            .filter(|name| checked.get(*name) == Some(&Value::Null))
            .collect();
        if !cleared.is_empty() {
            let names = [Part::Word(&cleared.join(", "))];
            self.warn(Said::with(
                "an empty text clears a field: {}; to keep its value, omit the argument",
                &names,
            ));
        }
    }

    /// Drops the remarks of a call that was only tried.
    pub(super) fn drop_remarks(&mut self) {
        self.remarks = Remarks::default();
    }

    /// The result, an object as JSON text, with its remarks as `note` and `warnings`.
    pub(super) fn remarked(&mut self, mut result: String) -> String {
        let Remarks {
            note,
            limit,
            warnings,
        } = std::mem::take(&mut self.remarks);
        let mut remarks = Map::new();
        remarks.extend(
            note.or(limit)
                .map(|note| ("note".to_owned(), note.into_text().into())),
        );
        if !warnings.is_empty() {
            let warnings: Vec<_> = warnings.into_iter().map(Said::into_text).collect();
            remarks.insert("warnings".to_owned(), warnings.into());
        }
        if !remarks.is_empty() && result.ends_with('}') {
            result.pop();
            let remarks = Value::Object(remarks).to_string();
            result.push_str(if result.ends_with('{') { "" } else { "," });
            result.push_str(&remarks[1..]);
        }
        result
    }

    /// Explains a list, JSON text, without records: an id of another kind, the values that a field has, or the caller's
    /// role.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub async fn explain_empty(
        &mut self,
        storage: &Storage,
        list: &str,
        arguments: &Map<String, Value>,
    ) -> Result<(), ToolError> {
        if !list.starts_with(&format!(r#"{{"{}":[],"#, storage.plural)) {
            return Ok(());
        }
        let is_filter = |name: &str| storage.filters.iter().any(|(filter, _)| *filter == name);
        let own = |name: &str| name != "search" && !is_filter(name);
        let texts = arguments.iter().filter(|(name, _)| own(name));
        let texts = texts.filter_map(|(name, value)| Some((name, value.as_str()?)));
        let mut ids = Vec::new();
        for (name, text) in texts {
            match text.parse::<Uuid>() {
                Ok(id) => ids.push((name, id)),
                Err(_) => {
                    if let Some(note) = self.values(storage, name, text, arguments).await? {
                        self.note(note);
                        return Ok(());
                    }
                }
            }
        }
        let (names, ids): (Vec<_>, Vec<_>) = ids.into_iter().unzip();
        let sql = format!(
            "select (select e.note from unnest($1::text[], $2::uuid[]) with ordinality f (name, id, place), \
                  app.explain_reference('{}', f.name, f.id) e (note) \
                where e.note is not null order by f.place limit 1), \
               case when not app.caller_is_admin() \
                 then format('limited to what your role, %s, can see', app.caller_role()) end",
            storage.table
        );
        let rows = self.query(&sql, params![names, ids]).await?;
        if let Some(row) = rows.first() {
            (self.remarks.note, self.remarks.limit) = (row.get(0), row.get(1));
        }
        Ok(())
    }

    /// Explains the result of a tool that gets a record and found none.
    pub(super) async fn explain_missing(
        &mut self,
        tool: &Declaration,
        arguments: &Value,
    ) -> Result<(), ToolError> {
        let gets = |kind: &'static Kind| {
            let mut uses = kind.uses.iter();
            let get = uses.find(|one| one.tool == tool.name && one.verb == Verb::Get)?;
            Some((kind.singular.replace('_', " "), get.id))
        };
        let Some((kind, field)) = tool.host.kinds().find_map(gets) else {
            return Ok(());
        };
        let Some(arguments) = arguments.as_object() else {
            return Ok(());
        };
        let text = |name: &str| arguments.get(name).and_then(Value::as_str);
        let id = text(field).and_then(|id| id.parse::<Uuid>().ok());
        let note = match (id, arguments.keys().next()) {
            (Some(id), _) if arguments.len() == 1 => {
                let sql = "select app.explain_id($1, $2, $3)";
                let rows = self.query(sql, params![field, kind, id]).await?;
                rows.first().map(|row| row.get(0))
            }
            (_, Some(name)) if arguments.len() == 1 => {
                let parts = [Part::Word(&kind), Part::Word(name)];
                Some(Said::with("no {} that you can see has this {}", &parts))
            }
            _ => {
                let kind = [Part::Word(&kind)];
                Some(Said::with(
                    "no {} that you can see has these arguments",
                    &kind,
                ))
            }
        };
        self.remarks.note = note;
        Ok(())
    }

    /// The values that the field has in the records of the same parents, if it nowhere has the given one.
    async fn values(
        &mut self,
        storage: &Storage,
        field: &str,
        given: &str,
        arguments: &Map<String, Value>,
    ) -> Result<Option<Said>, ToolError> {
        let is_parent = |value: &Value| {
            value
                .as_str()
                .is_some_and(|text| text.parse::<Uuid>().is_ok())
        };
        let mut others = arguments.clone();
        others.retain(|name, value| name != field && is_parent(value));
        let filter = Filter::new(storage, others);
        let mut params = filter.params();
        params.push(&given);
        let sql = format!(
            "select string_agg(app.quoted(value), ', ') filter (where place <= {VALUES}) \
             from (select value, row_number() over (order by value) as place from \
               (select t.\"{field}\"::text as value from {} t where {} limit {SEARCHED}) t \
             where value <> '' group by value) v having not bool_or(value = ${})",
            storage.table,
            filter.conditions(),
            params.len(),
        );
        let rows = self.query(&sql, &params).await?;
        let values = rows.first().and_then(|row| row.get::<_, Option<Said>>(0));
        Ok(values.map(|values| {
            Said::with("no record has this {}; present: ", &[Part::Word(field)]).and(values)
        }))
    }
}
