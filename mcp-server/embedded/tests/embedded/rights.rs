//! Engine features that the server's access rules need.

use crate::support::{client, code};

#[tokio::test]
async fn a_role_for_one_transaction_sees_its_own_rows() {
    let mut client = client().await;
    client
        .batch_execute(
            "create role gatekeeper noinherit; create role caller; grant caller to gatekeeper;
             create schema rights; grant usage on schema rights to caller;
             create table rights.note (org int, text text);
             insert into rights.note values (1, 'mine'), (2, 'theirs');
             grant select, insert on rights.note to caller;
             alter table rights.note enable row level security;
             alter table rights.note force row level security;
             create policy own on rights.note to caller
                 using (org = (select current_setting('app.org')::int));
             set session authorization gatekeeper",
        )
        .await
        .unwrap();

    let denied = client
        .query("select * from rights.note", &[])
        .await
        .unwrap_err();
    assert_eq!(code(&denied), "42501");

    let transaction = client.transaction().await.unwrap();
    transaction
        .query(
            "select set_config('role', 'caller', true), set_config('app.org', '1', true)",
            &[],
        )
        .await
        .unwrap();
    let rows = transaction
        .query("select text from rights.note", &[])
        .await
        .unwrap();
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].get::<_, &str>(0), "mine");
    let foreign = transaction
        .execute("insert into rights.note values (2, 'x')", &[])
        .await;
    assert_eq!(code(&foreign.unwrap_err()), "42501");
    transaction.rollback().await.unwrap();

    let denied = client
        .query("select * from rights.note", &[])
        .await
        .unwrap_err();
    assert_eq!(code(&denied), "42501");
}

#[tokio::test]
async fn a_read_only_transaction_does_not_write() {
    let client = client().await;
    client
        .batch_execute("create table unwritten (n int); begin read only")
        .await
        .unwrap();
    let written = client
        .execute("insert into unwritten values (1)", &[])
        .await;
    assert_eq!(code(&written.unwrap_err()), "25006");
}

#[tokio::test]
async fn names_are_found_by_a_trigram_index_without_their_accents() {
    let client = client().await;
    client
        .batch_execute(
            "create extension pg_trgm; create extension unaccent; create schema plain;
             create function plain.plain(text) returns text language sql immutable strict
                 parallel safe return lower(public.unaccent('public.unaccent', $1));
             create table plain.guest (name text);
             create index on plain.guest using gin (plain.plain(name) gin_trgm_ops);
             insert into plain.guest values ('Zoë Müller'), ('Łukasz Nowak');
             insert into plain.guest select md5(n::text) from generate_series(1, 2000) n;
             analyze plain.guest; set enable_seqscan = off",
        )
        .await
        .unwrap();
    let search = "select name from plain.guest where plain.plain(name) like '%muller%'";

    let plan = client
        .query(&format!("explain {search}"), &[])
        .await
        .unwrap();
    let plan: Vec<&str> = plan.iter().map(|row| row.get(0)).collect();
    assert!(plan.join("\n").contains("Bitmap Index Scan"), "{plan:?}");
    let found = client.query_one(search, &[]).await.unwrap();
    assert_eq!(found.get::<_, &str>(0), "Zoë Müller");
}
