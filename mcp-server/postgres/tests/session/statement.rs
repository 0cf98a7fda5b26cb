//! Parameters sent and rows received.

use frontdesk_postgres::{Error, Session};
use tokio_postgres::types::ToSql;

use crate::server::session;

/// Checks that the session still reads its answers in step.
async fn is_well(session: &mut Session) {
    let rows = session.query(&[], "select 'well'", &[], &[]).await.unwrap();
    assert_eq!(rows[0].get::<_, &str>(0), "well");
}

#[tokio::test]
async fn values_arrive_as_they_were_sent_absent_ones_too() {
    let mut session = session().await;
    let long = "é".repeat(300_000);
    let many: Vec<i64> = (0..1000).collect();
    for text in [Some(long.as_str()), Some(""), None] {
        let rows = session
            .query(
                &[],
                "select $1::text as text, $2::bigint[] as many, $3::boolean",
                &[&text, &many, &true],
                &[],
            )
            .await
            .unwrap();
        assert_eq!(rows[0].get::<_, Option<&str>>("text"), text);
        assert_eq!(rows[0].get::<_, Vec<i64>>("many"), many);
        assert!(rows[0].get::<_, bool>(2));
    }
}

#[tokio::test]
async fn many_rows_are_all_of_them_in_their_order() {
    let mut session = session().await;
    let sql = "select n, repeat('x', 100) from generate_series(1, 10000) n";
    let rows = session.query(&[], sql, &[], &[]).await.unwrap();
    let numbers: Vec<i32> = rows.iter().map(|row| row.get(0)).collect();
    assert_eq!(numbers, (1..=10_000).collect::<Vec<_>>());
}

#[tokio::test]
async fn too_few_and_too_many_values_are_told_and_nothing_is_sent() {
    let mut session = session().await;
    let sql = "select $1::integer, $2::integer";
    let numbers: [&(dyn ToSql + Sync); 3] = [&1, &2, &3];
    for given in [1, 3] {
        let params = &numbers[..given];
        let refused = session.query(&[], sql, params, &[]).await.unwrap_err();
        assert_eq!(
            refused.to_string(),
            format!("the statement takes 2 parameters and {given} were given")
        );
        assert!(session.is_idle());
    }
    is_well(&mut session).await;
}

#[tokio::test]
async fn a_value_of_another_type_is_told_by_its_number_and_nothing_is_sent() {
    let mut session = session().await;
    let sql = "select $1::integer, $2::date";
    let refused = session.query(&[], sql, &[&1, &"tomorrow"], &[]).await;
    match refused.unwrap_err() {
        Error::Parameter { number, cause } => {
            assert_eq!(number, 2);
            assert!(cause.to_string().contains("`date`"), "{cause}");
        }
        other => panic!("{other}"),
    }
    is_well(&mut session).await;
}

#[tokio::test]
async fn a_type_that_is_not_postgresql_s_own_is_told() {
    let mut session = session().await;
    session
        .batch("create type pg_temp.mood as enum ('good')")
        .await
        .unwrap();
    let sql = "select 'good'::pg_temp.mood";
    let refused = session.query(&[], sql, &[], &[]).await.unwrap_err();
    let refused = refused.to_string();
    assert!(
        refused.ends_with("is not one of PostgreSQL's own"),
        "{refused}"
    );
}

#[tokio::test]
async fn a_session_keeps_no_more_statements_than_it_has_room_for() {
    let mut session = session().await;
    for number in 0..620 {
        let sql = format!("select {number}");
        let rows = session.query(&[], &sql, &[], &[]).await.unwrap();
        assert_eq!(rows[0].get::<_, i32>(0), number);
    }
    let count = "select count(*) from pg_prepared_statements where not from_sql";
    let rows = session.query(&[], count, &[], &[]).await.unwrap();
    let kept: i64 = rows[0].get(0);
    assert!((100..=500).contains(&kept), "{kept}");
    // This statement was dropped.
    let rows = session.query(&[], "select 3", &[], &[]).await.unwrap();
    assert_eq!(rows[0].get::<_, i32>(0), 3);
}

#[tokio::test]
#[should_panic(expected = "column other: the answer has no such column")]
async fn a_column_that_is_not_there_is_a_mistake() {
    let mut session = session().await;
    let rows = session.query(&[], "select 1 as one", &[], &[]).await;
    let _: i32 = rows.unwrap()[0].get("other");
}

#[tokio::test]
#[should_panic(expected = "column 0: it is int4")]
async fn a_column_of_another_type_is_a_mistake() {
    let mut session = session().await;
    let rows = session.query(&[], "select 1", &[], &[]).await.unwrap();
    let _: &str = rows[0].get(0);
}
