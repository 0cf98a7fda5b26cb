//! What one connection leaves for the next.

use frontdesk_embedded::{Embedded, Storage};
use futures::future::join;
use tokio_postgres::Config;

use crate::support::{client, code, connect, database, try_connect};

#[tokio::test]
async fn a_connection_learns_what_it_talks_to() {
    let stream = database().await.connect();
    let (client, connection) = Config::new()
        .user("anybody")
        .options("-c work_mem=5MB")
        .application_name("name")
        .connect_raw(stream, tokio_postgres::NoTls)
        .await
        .unwrap();
    assert!(
        connection
            .parameter("server_version")
            .unwrap()
            .starts_with("18.")
    );
    assert_eq!(connection.parameter("client_encoding"), Some("UTF8"));
    assert_eq!(connection.parameter("integer_datetimes"), Some("on"));
    assert_eq!(
        connection.parameter("standard_conforming_strings"),
        Some("on")
    );
    assert_eq!(connection.parameter("TimeZone"), Some("UTC"));
    assert_eq!(connection.parameter("DateStyle"), Some("ISO, MDY"));

    let settings = async move {
        let query = "select session_user::text, current_setting('work_mem'), \
             current_setting('application_name')";
        client.query_one(query, &[]).await.unwrap()
    };
    let (row, _) = join(settings, connection).await;
    assert_eq!(row.get::<_, &str>(0), "postgres");
    assert_eq!(row.get::<_, &str>(1), "5MB");
    assert_eq!(row.get::<_, &str>(2), "name");
}

#[tokio::test]
async fn a_setting_that_does_not_exist_refuses_the_connection() {
    let stream = database().await.connect();
    let refused = Config::new()
        .user("postgres")
        .options("-c no_such_setting=1")
        .connect_raw(stream, tokio_postgres::NoTls)
        .await;
    assert_eq!(code(&refused.err().unwrap()), "42704");
}

#[tokio::test]
async fn a_transaction_that_is_left_open_is_rolled_back() {
    let first = client().await;
    first
        .batch_execute("create table left_open (n int)")
        .await
        .unwrap();
    first
        .batch_execute("begin; insert into left_open values (1)")
        .await
        .unwrap();
    drop(first);

    let second = client().await;
    let count = second
        .query_one("select count(*) from left_open", &[])
        .await
        .unwrap();
    assert_eq!(count.get::<_, i64>(0), 0);
}

#[tokio::test]
async fn a_stream_that_is_dropped_in_a_transaction_is_the_end_of_it() {
    let stream = database().await.connect();
    let (first, connection) = Config::new()
        .user("postgres")
        .connect_raw(stream, tokio_postgres::NoTls)
        .await
        .unwrap();
    let connection = tokio::spawn(connection);
    first
        .batch_execute("create table dropped (n int)")
        .await
        .unwrap();
    first
        .batch_execute("begin; insert into dropped values (1)")
        .await
        .unwrap();
    // Without a Terminate message: the stream ends with the task.
    connection.abort();

    let second = client().await;
    let count = second
        .query_one("select count(*) from dropped", &[])
        .await
        .unwrap();
    assert_eq!(count.get::<_, i64>(0), 0);
}

#[tokio::test]
async fn a_new_connection_finds_nothing_of_the_last_one() {
    let first = client().await;
    first
        .batch_execute(
            "create role somebody; set session authorization somebody; set work_mem = '5MB'; \
             create temporary table remains (n int); prepare remains as select 1; \
             select pg_advisory_lock(1); listen remains",
        )
        .await
        .unwrap();
    first.prepare("select 1").await.unwrap();
    drop(first);

    let second = client().await;
    let row = second
        .query_one(
            "select session_user::text, current_setting('work_mem'), \
             (select count(*) from pg_prepared_statements where name = 'remains'), \
             to_regclass('pg_temp.remains') is null, \
             (select count(*) from pg_locks where locktype = 'advisory'), \
             (select count(*) from pg_listening_channels())",
            &[],
        )
        .await
        .unwrap();
    assert_eq!(row.get::<_, &str>(0), "postgres");
    assert_eq!(row.get::<_, &str>(1), "4MB");
    assert_eq!(row.get::<_, i64>(2), 0);
    assert!(row.get::<_, bool>(3));
    assert_eq!(row.get::<_, i64>(4), 0);
    assert_eq!(row.get::<_, i64>(5), 0);
}

#[tokio::test]
async fn a_second_connection_waits_for_the_first_to_end() {
    let database = database().await;
    let first = connect(database).await;
    first
        .batch_execute("create table waited (n int)")
        .await
        .unwrap();

    let second = async {
        let second = connect(database).await;
        second
            .query_one("select count(*) from waited", &[])
            .await
            .unwrap()
            .get::<_, i64>(0)
    };
    let end_of_first = async {
        first
            .batch_execute("insert into waited values (1)")
            .await
            .unwrap();
        drop(first);
    };
    assert_eq!(join(second, end_of_first).await.0, 1);
}

#[tokio::test]
async fn closing_ends_the_connections_and_says_so_to_new_ones() {
    let database = Embedded::open(Storage::Memory).await.unwrap();
    let stream = database.connect();
    let (client, connection) = Config::new()
        .user("postgres")
        .connect_raw(stream, tokio_postgres::NoTls)
        .await
        .unwrap();
    let connection = tokio::spawn(connection);
    client.batch_execute("select 1").await.unwrap();

    database.close().await.unwrap();
    database.clone().close().await.unwrap();

    assert_eq!(code(&connection.await.unwrap().unwrap_err()), "57P01");
    assert_eq!(code(&try_connect(&database).await.err().unwrap()), "57P01");
}

#[tokio::test]
async fn dropping_the_last_handle_ends_the_connections() {
    let database = Embedded::open(Storage::Memory).await.unwrap();
    let stream = database.connect();
    let (_client, connection) = Config::new()
        .user("postgres")
        .connect_raw(stream, tokio_postgres::NoTls)
        .await
        .unwrap();
    drop(database);
    assert_eq!(code(&connection.await.unwrap_err()), "57P01");
}
