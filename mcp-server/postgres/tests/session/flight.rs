//! How many flights a request takes, and what happens if a statement fails.

use frontdesk_postgres::Command;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::Type;

use crate::server::{counted, session};

const BEGIN: Command<'_> = Command::plain("begin");
const COMMIT: Command<'_> = Command::plain("commit");

#[tokio::test]
async fn a_transaction_is_one_flight_once_its_statement_is_prepared() {
    let (mut session, sent) = counted().await;
    let number = 41;
    // BEGIN, the statement and COMMIT are prepared once.
    for expected in [(2, 3), (1, 0), (1, 0)] {
        let sql = "select $1::integer + 1, current_setting('transaction_read_only')";
        let begin = Command::plain("begin read only");
        let rows = session.query(&[begin], sql, &[&number], &[COMMIT]).await;
        let rows = rows.unwrap();
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].get::<_, i32>(0), 42);
        assert_eq!(rows[0].get::<_, &str>(1), "on");
        assert!(session.is_idle());
        assert_eq!(sent.since(), expected, "flights, statements prepared");
    }
}

#[tokio::test]
async fn rows_are_those_of_the_statement_and_not_of_what_is_around_it() {
    let mut session = session().await;
    let around = Command {
        sql: "select generate_series(1, $1)",
        types: &[Type::INT4],
        params: &[&3],
    };
    for _ in 0..2 {
        let rows = session
            .query(&[around, around], "select 'this' as which", &[], &[around])
            .await
            .unwrap();
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].get::<_, &str>("which"), "this");
    }
}

#[tokio::test]
async fn nothing_is_run_after_what_fails() {
    let mut session = session().await;
    session
        .batch("create temporary table notes (text text unique)")
        .await
        .unwrap();
    let insert = "insert into notes values ($1) returning text";
    let first = session.query(&[BEGIN], insert, &[&"one"], &[COMMIT]).await;
    assert_eq!(first.unwrap().len(), 1);
    let second = session.query(&[BEGIN], insert, &[&"one"], &[COMMIT]).await;
    assert!(session.is_within(), "the COMMIT was skipped");
    let error = second.unwrap_err();
    assert_eq!(error.code(), Some(&SqlState::UNIQUE_VIOLATION));
    let refusal = error.refusal().unwrap();
    assert_eq!(refusal.table.as_deref(), Some("notes"));
    assert_eq!(refusal.constraint.as_deref(), Some("notes_text_key"));
    session.run(&[Command::plain("rollback")]).await.unwrap();
    assert!(session.is_idle());
    let rows = session.query(&[], "select text from notes", &[], &[]).await;
    assert_eq!(rows.unwrap().len(), 1);
}

#[tokio::test]
async fn what_fails_before_the_statement_keeps_it_from_being_prepared_and_run() {
    let mut session = session().await;
    let wrong = Command::plain("select 1 / 0");
    for _ in 0..2 {
        let refused = session.query(&[wrong], "select 'run'", &[], &[]).await;
        assert_eq!(
            refused.unwrap_err().code(),
            Some(&SqlState::DIVISION_BY_ZERO)
        );
        assert!(session.is_idle());
    }
    let rows = session.query(&[], "select 'run'", &[], &[]).await.unwrap();
    assert_eq!(rows[0].get::<_, &str>(0), "run");
}

#[tokio::test]
async fn a_session_whose_statements_are_gone_or_answer_otherwise_is_of_no_use() {
    let look = "select * from pg_temp.looked_at";
    for (change, code) in [
        ("deallocate all", SqlState::INVALID_SQL_STATEMENT_NAME),
        (
            "alter table pg_temp.looked_at add column more text",
            SqlState::FEATURE_NOT_SUPPORTED,
        ),
    ] {
        let mut session = session().await;
        session
            .batch("create temporary table looked_at (one text)")
            .await
            .unwrap();
        session.query(&[], look, &[], &[]).await.unwrap();
        session.batch(change).await.unwrap();
        let refused = session.query(&[], look, &[], &[]).await.unwrap_err();
        assert_eq!(refused.code(), Some(&code));
        assert!(session.is_closed());
    }
}
