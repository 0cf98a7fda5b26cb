//! Requests and answers.

use futures::future::join_all;
use futures::{StreamExt, TryStreamExt, pin_mut};
use tokio_postgres::{Client, Error, Row, Statement};

use crate::support::{client, code};

#[tokio::test]
async fn pipelined_queries_are_answered_in_order() {
    let client = client().await;
    let query = client.prepare("select $1::int4 * 2").await.unwrap();

    let parameters: Vec<i32> = (0..500).collect();
    let answers = join_all(parameters.iter().map(|n| ask(&client, &query, n))).await;

    for (n, answer) in parameters.iter().zip(answers) {
        assert_eq!(answer.unwrap().get::<_, i32>(0), n * 2);
    }
}

/// More than tokio's budget for one turn, if the engine waits for a file in each statement.
#[tokio::test]
async fn pipelined_queries_of_a_table_are_answered() {
    let client = client().await;
    let create = "create table looked_at as select generate_series(1, 100) n";
    client.batch_execute(create).await.unwrap();
    let query = client.prepare("select count(*) from looked_at where n > $1::int4");
    let query = query.await.unwrap();

    let parameters: Vec<i32> = (0..500).collect();
    let answers = join_all(parameters.iter().map(|n| ask(&client, &query, n))).await;

    for (n, answer) in parameters.iter().zip(answers) {
        assert_eq!(answer.unwrap().get::<_, i64>(0), i64::from(100 - n).max(0));
    }
}

async fn ask(client: &Client, query: &Statement, n: &i32) -> Result<Row, Error> {
    client.query_one(query, &[n]).await
}

#[tokio::test]
async fn a_transaction_in_one_flight() {
    let client = client().await;
    client
        .batch_execute("create table flight (n int)")
        .await
        .unwrap();
    let [begin, insert, commit] = [
        client.prepare("begin").await.unwrap(),
        client
            .prepare("insert into flight values (1)")
            .await
            .unwrap(),
        client.prepare("commit").await.unwrap(),
    ];

    let (begun, inserted, committed) = futures::join!(
        client.execute(&begin, &[]),
        client.execute(&insert, &[]),
        client.execute(&commit, &[]),
    );

    assert!(begun.is_ok() && committed.is_ok());
    assert_eq!(inserted.unwrap(), 1);
}

#[tokio::test]
async fn an_error_in_the_middle_of_a_flight_fails_only_its_own_request() {
    let client = client().await;
    let divide = client.prepare("select 10 / $1::int4").await.unwrap();

    let (two, zero, five) = futures::join!(
        client.query_one(&divide, &[&2]),
        client.query_one(&divide, &[&0]),
        client.query_one(&divide, &[&5]),
    );

    assert_eq!(two.unwrap().get::<_, i32>(0), 5);
    assert_eq!(code(&zero.unwrap_err()), "22012");
    assert_eq!(five.unwrap().get::<_, i32>(0), 2);
}

#[tokio::test]
async fn a_failed_transaction_says_so_until_it_is_rolled_back() {
    let client = client().await;
    client.batch_execute("begin").await.unwrap();

    let syntax = client.query("selct", &[]).await.unwrap_err();
    let aborted = client.query("select 1", &[]).await.unwrap_err();
    client.batch_execute("rollback").await.unwrap();

    assert_eq!(code(&syntax), "42601");
    assert_eq!(code(&aborted), "25P02");
    assert!(client.query("select 1", &[]).await.is_ok());
}

#[tokio::test]
async fn a_savepoint_outlives_the_error_after_it() {
    let mut client = client().await;
    client
        .batch_execute("create table saved (n int primary key)")
        .await
        .unwrap();
    let mut transaction = client.transaction().await.unwrap();
    transaction
        .execute("insert into saved values (1)", &[])
        .await
        .unwrap();

    let savepoint = transaction.savepoint("before").await.unwrap();
    let twice = savepoint
        .execute("insert into saved values (1)", &[])
        .await
        .unwrap_err();
    savepoint.rollback().await.unwrap();
    transaction.commit().await.unwrap();

    assert_eq!(code(&twice), "23505");
    let count = client
        .query_one("select count(*) from saved", &[])
        .await
        .unwrap();
    assert_eq!(count.get::<_, i64>(0), 1);
}

#[tokio::test]
async fn ten_megabytes_there_and_back() {
    let client = client().await;
    let text = "0123456789".repeat(1_000_000);

    let row = client
        .query_one("select $1::text, md5($1::text)", &[&text])
        .await
        .unwrap();

    assert!(row.get::<_, &str>(0) == text);
    assert_eq!(row.get::<_, &str>(1), "7233cd2eaf78da883a54bc81513f021f");
}

#[tokio::test]
async fn a_result_of_many_rows() {
    let client = client().await;
    let rows = client
        .query_raw(
            "select n, repeat('x', 100) from generate_series(1, $1::int4) n",
            [100_000],
        )
        .await
        .unwrap();
    pin_mut!(rows);

    let mut last = 0;
    while let Some(row) = rows.next().await {
        let n: i32 = row.unwrap().get(0);
        assert_eq!(n, last + 1);
        last = n;
    }
    assert_eq!(last, 100_000);
}

#[tokio::test]
async fn a_request_beyond_the_limit_is_refused() {
    let client = client().await;
    let error = client
        .query_one("select length($1::text)", &[&"x".repeat(65 * 1024 * 1024)])
        .await
        .unwrap_err();
    assert_eq!(code(&error), "54000");
}

#[tokio::test]
async fn copy_to_the_client_works_and_from_the_client_is_refused() {
    let client = client().await;
    client
        .batch_execute("create table copied (n int)")
        .await
        .unwrap();
    let chunks = client
        .copy_out("copy (select generate_series(1, 3)) to stdout")
        .await
        .unwrap();
    let text = chunks.try_fold(Vec::new(), |mut text, chunk| async move {
        text.extend_from_slice(&chunk);
        Ok(text)
    });
    assert_eq!(text.await.unwrap(), b"1\n2\n3\n");

    let refused = client
        .batch_execute("copy copied from stdin")
        .await
        .unwrap_err();
    assert_eq!(code(&refused), "0A000");
}
