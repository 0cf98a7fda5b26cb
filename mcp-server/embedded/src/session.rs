//! The client's session state, carried from one instance of the engine to the next.

use oliphaunt_wasix::StatementResult;

use crate::engine::Engine;
use crate::fatal::Fatal;

const USERS: &str = "select session_user, current_setting('role')";
const SETTINGS: &str = "select name, setting from pg_settings where source = 'session'";
const STATEMENTS: &str = "select name, statement, \
    array_to_string(parameter_types::oid[], ',') from pg_prepared_statements where not from_sql";

/// Users, settings and the protocol's named statements. Not carried over: temporary tables, cursors,
/// advisory locks, LISTEN, statements of `PREPARE` (their text cannot be separated from the statements
/// sent with them), and session-level custom settings (`app.x`), which PostgreSQL does not list.
#[derive(Debug)]
pub(crate) struct Session {
    user: String,
    role: String,
    settings: Vec<(String, String)>,
    statements: Vec<Statement>,
}

/// Only the session's users, for a temporary switch to the superuser.
#[derive(Debug)]
pub(crate) struct Users {
    user: String,
    role: String,
}

#[derive(Debug)]
struct Statement {
    name: String,
    text: String,
    parameter_types: Vec<u32>,
}

impl Users {
    pub(crate) fn of(engine: &mut Engine) -> Result<Self, Fatal> {
        let mut rows = rows(engine, USERS)?.into_iter();
        match rows.next().as_deref() {
            Some([user, role]) => Ok(Self {
                user: user.clone(),
                role: role.clone(),
            }),
            _ => Err(Fatal::incomplete()),
        }
    }

    pub(crate) fn restore(&self, engine: &mut Engine) -> Result<(), Fatal> {
        engine.run(&format!("set session authorization {}", quoted(&self.user)))?;
        match self.role.as_str() {
            "none" => engine.run("set role none")?,
            role => engine.run(&format!("set role {}", quoted(role)))?,
        };
        Ok(())
    }
}

impl Session {
    /// Reads the state of the current session.
    pub(crate) fn of(engine: &mut Engine) -> Result<Self, Fatal> {
        let Users { user, role } = Users::of(engine)?;
        let settings = rows(engine, SETTINGS)?
            .into_iter()
            .filter_map(|row| <[String; 2]>::try_from(row).ok())
            .map(|[name, value]| (name, value))
            .collect();
        let statements = rows(engine, STATEMENTS)?
            .into_iter()
            .filter_map(|row| <[String; 3]>::try_from(row).ok())
            .map(|[name, text, types]| Statement {
                name,
                text,
                parameter_types: types
                    .split(',')
                    .filter_map(|oid| oid.parse().ok())
                    .collect(),
            })
            .collect();
        Ok(Self {
            user,
            role,
            settings,
            statements,
        })
    }

    /// Applies this state to a new session.
    pub(crate) fn restore(&self, engine: &mut Engine) -> Result<(), Fatal> {
        // Runs as the superuser, who can change all settings.
        for (name, value) in &self.settings {
            engine.set(name, value)?;
        }
        // Also as the superuser: the statement can have been prepared under another role and be out of reach for
        // the session's role. PostgreSQL checks rights again when it is executed. One at a time: if one cannot be
        // prepared any more (because its table is gone, say), the others must still be, and it fails when the
        // client uses it, as it would have before.
        for statement in &self.statements {
            engine.send(&statement.parse())?;
        }
        Users {
            user: self.user.clone(),
            role: self.role.clone(),
        }
        .restore(engine)?;
        engine.check()
    }
}

impl Statement {
    /// The Parse and Sync messages.
    fn parse(&self) -> Vec<u8> {
        let mut body = Vec::new();
        body.extend_from_slice(self.name.as_bytes());
        body.push(0);
        body.extend_from_slice(self.text.as_bytes());
        body.push(0);
        // A statement has 65,535 parameters at most.
        body.extend_from_slice(&(self.parameter_types.len() as u16).to_be_bytes());
        for oid in &self.parameter_types {
            body.extend_from_slice(&oid.to_be_bytes());
        }
        let mut messages = vec![b'P'];
        messages.extend_from_slice(&(body.len() as u32 + 4).to_be_bytes());
        messages.extend_from_slice(&body);
        messages.extend_from_slice(&[b'S', 0, 0, 0, 4]);
        messages
    }
}

/// The rows of the last statement, as text; NULL is an empty string.
pub(crate) fn rows(engine: &mut Engine, sql: &str) -> Result<Vec<Vec<String>>, Fatal> {
    let result = engine.run(sql)?;
    let Some(StatementResult::Rows(result)) = result.statements().last() else {
        return Ok(Vec::new());
    };
    let text = |value: &Option<Vec<u8>>| {
        let bytes = value.as_deref().unwrap_or_default();
        String::from_utf8_lossy(bytes).into_owned()
    };
    let rows = result.rows().iter();
    Ok(rows
        .map(|row| row.values().iter().map(text).collect())
        .collect())
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::Storage;

    fn prepare(engine: &mut Engine, name: &str, text: &str) {
        let statement = Statement {
            name: name.to_owned(),
            text: text.to_owned(),
            parameter_types: vec![23],
        };
        engine.send(&statement.parse()).unwrap();
    }

    #[test]
    fn a_session_is_the_same_in_the_next_instance() {
        let mut engine = Engine::open(&Storage::Memory).unwrap();
        engine
            .run(
                "create role outsider; create role insider; create schema closed; \
                 grant usage on schema closed to insider; create table closed.notes (n int); \
                 create temporary table of_this_instance (); set work_mem = '5MB'; set role insider",
            )
            .unwrap();
        prepare(
            &mut engine,
            "inside",
            "select from closed.notes where n = $1",
        );
        // The session's current role could not prepare the first statement.
        engine.run("set role outsider").unwrap();
        prepare(&mut engine, "outside", "select $1");

        let session = Session::of(&mut engine).unwrap();
        engine.replace().unwrap();
        session.restore(&mut engine).unwrap();

        let now = "select current_user, current_setting('work_mem'), \
             to_regclass('pg_temp.of_this_instance') is null, \
             (select string_agg(name, ' ' order by name) from pg_prepared_statements)";
        let now = rows(&mut engine, now).unwrap();
        assert_eq!(now, [["outsider", "5MB", "t", "inside outside"]]);
    }
}
