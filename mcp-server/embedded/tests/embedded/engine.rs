//! The engine's own limits, and that clients do not reach them. These tests take seconds: each has its
//! own database, so other tests do not wait for it.

use frontdesk_embedded::{Embedded, Storage};

use crate::support::{code, connect};

#[tokio::test]
async fn hundreds_of_errors_do_not_wear_the_engine_out() {
    let database = Embedded::open(Storage::Memory).await.unwrap();
    let client = connect(&database).await;
    client
        .batch_execute(
            "create role patient; create table errors (n int); grant all on errors to patient;
             set work_mem = '5MB';
             set session authorization postgres; set role patient",
        )
        .await
        .unwrap();
    // Raised deep in an expression. Earlier releases of the engine lost about 20 kB of their 6 MB stack per
    // error; this one loses about 1 kB and is replaced after some 2,700 errors.
    let deep = format!(
        "insert into errors values ({}100 / $1::int4)",
        "0 + ".repeat(100)
    );
    let insert = client.prepare(&deep).await.unwrap();

    for _ in 0..800 {
        assert_eq!(
            code(&client.execute(&insert, &[&0]).await.unwrap_err()),
            "22012"
        );
    }

    assert_eq!(client.execute(&insert, &[&1]).await.unwrap(), 1);
    let row = client
        .query_one(
            "select session_user::text, current_user::text, current_setting('work_mem'), \
             (select count(*) from errors)",
            &[],
        )
        .await
        .unwrap();
    assert_eq!(row.get::<_, &str>(0), "postgres");
    assert_eq!(row.get::<_, &str>(1), "patient");
    assert_eq!(row.get::<_, &str>(2), "5MB");
    assert_eq!(row.get::<_, i64>(3), 1);
}

#[tokio::test]
async fn a_statement_that_the_engine_does_not_survive_costs_its_connection_only() {
    let database = Embedded::open(Storage::Memory).await.unwrap();
    let first = connect(&database).await;
    first
        .batch_execute("create table kept as select 1 as n")
        .await
        .unwrap();

    let nested = "select (repeat('[', 1000000))::json";
    assert_eq!(
        code(&first.batch_execute(nested).await.unwrap_err()),
        "58000"
    );

    let second = connect(&database).await;
    second.query_one("select n from kept", &[]).await.unwrap();
    second
        .batch_execute(
            "create function deeper(n int) returns int language plpgsql as \
             $$ begin return deeper(n + 1); end $$",
        )
        .await
        .unwrap();
    assert!(second.batch_execute("select deeper(1)").await.is_err());

    // If it comes first, it is refused; after another statement it reaches the engine, which exits.
    let third = connect(&database).await;
    let waits = "insert into kept values (2); copy kept from stdin";
    assert_eq!(
        code(&third.batch_execute(waits).await.unwrap_err()),
        "58000"
    );

    let fourth = connect(&database).await;
    fourth.query_one("select n from kept", &[]).await.unwrap();
    drop(fourth);
    database.close().await.unwrap();
}

#[tokio::test]
async fn the_write_ahead_log_does_not_grow_for_ever() {
    let database = Embedded::open(Storage::Memory).await.unwrap();
    let client = connect(&database).await;
    client
        .batch_execute("create table churn (n int, text text)")
        .await
        .unwrap();
    for _ in 0..30 {
        client
            .batch_execute(
                "insert into churn select n, repeat('x', 1000) from generate_series(1, 10000) n; \
                 delete from churn",
            )
            .await
            .unwrap();
    }
    // 30 rounds write about 350 MB.
    let size = client
        .query_one("select sum(size)::int8 from pg_ls_waldir()", &[])
        .await
        .unwrap();
    assert!(
        size.get::<_, i64>(0) < 200 << 20,
        "{} bytes",
        size.get::<_, i64>(0)
    );
}

#[tokio::test]
async fn a_growing_table_soon_has_statistics() {
    let database = Embedded::open(Storage::Memory).await.unwrap();
    let client = connect(&database).await;
    client
        .batch_execute("create table grown as select n from generate_series(1, 1000) n")
        .await
        .unwrap();
    let is_known = "select reltuples > 0 from pg_class where relname = 'grown'";
    // Upkeep follows work: each round is some of it.
    let mut known = false;
    for _ in 0..100 {
        let rounds = "select count(*) from generate_series(1, 200000) n where n % 7 = 0";
        client.batch_execute(rounds).await.unwrap();
        known = client.query_one(is_known, &[]).await.unwrap().get(0);
        if known {
            break;
        }
    }
    assert!(known);
}
