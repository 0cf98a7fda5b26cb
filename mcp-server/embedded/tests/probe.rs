use frontdesk_embedded::{Embedded, Storage};
use std::time::Instant;
use tokio_postgres::{NoTls, Client};
async fn client(db: &Embedded) -> Client {
    let (c, conn) = tokio_postgres::Config::new().user("postgres").connect_raw(db.connect(), NoTls).await.unwrap();
    tokio::spawn(conn);
    c
}
fn rss() -> String { std::fs::read_to_string("/proc/self/status").unwrap().lines().filter(|l| l.starts_with("VmRSS")||l.starts_with("VmHWM")).collect::<Vec<_>>().join(" ") }
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn probe() {
    tracing_subscriber::fmt().with_env_filter("oliphaunt_wasix=debug").init(); let t = Instant::now();
    let db = Embedded::open(Storage::Memory).await.unwrap();
    println!("open {:?} {}", t.elapsed(), rss());
    let t = Instant::now();
    let c = client(&db).await;
    println!("connect {:?}", t.elapsed());
    for sql in ["select session_user, current_user", "show timezone", "show fsync", "show synchronous_commit","show full_page_writes", "show search_path", "show allow_system_table_mods", "show wal_level","show max_wal_size","show autovacuum", "show server_version", "show shared_buffers", "show max_stack_depth"] {
        println!("{sql}: {:?}", c.simple_query(sql).await.unwrap().iter().filter_map(|m| if let tokio_postgres::SimpleQueryMessage::Row(r) = m { Some((0..r.len()).map(|i| r.get(i).unwrap().to_owned()).collect::<Vec<_>>()) } else {None}).collect::<Vec<_>>());
    }
    let st = c.prepare("select $1::int4 + 1").await.unwrap();
    let t = Instant::now();
    for i in 0..2000i32 { let _: i32 = c.query_one(&st, &[&i]).await.unwrap().get(0); }
    println!("prepared select: {:?} each", t.elapsed()/2000);
    let t = Instant::now();
    for _ in 0..2000 { c.simple_query("").await.unwrap(); }
    println!("empty simple: {:?} each", t.elapsed()/2000);
    println!("{:?}", c.simple_query("create role authenticator login noinherit; create role authenticated").await);
    println!("{:?}", c.simple_query("set session authorization authenticator").await);
    println!("{:?}", c.simple_query("select session_user").await);
    println!("{:?}", c.simple_query("discard all").await);
    println!("after discard all {:?}", c.simple_query("select session_user").await);
    println!("{:?}", c.simple_query("set session authorization postgres").await);
    println!("after set {:?}", c.simple_query("select session_user").await);
    drop(c);
    let c = client(&db).await;
    println!("{:?}", c.simple_query("create table t(a int, b text)").await.err());
    let t = Instant::now();
    println!("copy out {:?}", c.copy_out("copy (select 1) to stdout").await.err());
    println!("after copy out {:?}", c.simple_query("select 1").await.err());
    for sql in ["select repeat('[', 100000)::jsonb", "select repeat('(', 100000) ~ repeat('(', 100000)", "create function f(i int) returns int language plpgsql as 'begin return f(i+1); end'", "select f(1)", "with recursive r(i) as (select 1 union all select i+1 from r) select count(*) from (select i, repeat('x',1000) from r limit 300000) q", "select length(repeat('x', 500000000))", "select length(repeat('x', 1000000000) || repeat('x', 70000000))", "select count(*) from (select repeat('x', 200000000) a from generate_series(1, 3) g order by 1) q", "select 1/0", "listen x; notify x, 'hi'", "create database other"] {
        let t = Instant::now();
        println!("{sql}: {:?} {:?} {}", c.simple_query(sql).await.err().map(|e| e.to_string() + " " + &e.as_db_error().map(|e| format!("{} {}", e.code().code(), e.message())).unwrap_or_default()), t.elapsed(), rss());
        assert!(c.simple_query("select 1").await.is_ok());
    }
    let nested = format!("select {}1{}", "(".repeat(20000), ")".repeat(20000));
    println!("nested: {:?}", c.simple_query(&nested).await.err());
    let t = Instant::now();
    for i in 0..2000i32 { let _: i32 = c.query_one(&st, &[&i]).await.unwrap().get(0); }
    println!("prepared select: {:?} each", t.elapsed()/2000);
    let t = Instant::now();
    for _ in 0..2000 { c.simple_query("").await.unwrap(); }
    println!("empty simple: {:?} each", t.elapsed()/2000);
    println!("{:?}", c.simple_query("create role authenticator login noinherit; create role authenticated").await);
    println!("{:?}", c.simple_query("set session authorization authenticator").await);
    println!("{:?}", c.simple_query("select session_user").await);
    println!("{:?}", c.simple_query("discard all").await);
    println!("after discard all {:?}", c.simple_query("select session_user").await);
    println!("{:?}", c.simple_query("set session authorization postgres").await);
    println!("after set {:?}", c.simple_query("select session_user").await);
    drop(c);
    let c = client(&db).await;
    println!("{:?}", c.simple_query("create table t(a int, b text)").await.err());
    let t = Instant::now();
    println!("copy {:?}", c.simple_query("copy t from stdin").await);
    println!("{:?}", t.elapsed());
    println!("after copy {:?}", c.simple_query("select 1").await);
    let c = if c.is_closed() { client(&db).await } else { c };
    println!("copy_in {:?}", c.copy_in::<_, bytes::Bytes>("copy t from stdin").await.err());
    println!("after copy {:?}", c.simple_query("select 1").await);
    let c = if c.is_closed() { client(&db).await } else { c };
    println!("after copy {:?}", c.simple_query("select 1").await);
    let t = Instant::now();
    for i in 0..20 {
        c.batch_execute("insert into t select g, repeat('x', 1000) from generate_series(1,10000) g; delete from t").await.unwrap();
        if i % 5 == 4 { println!("{:?} wal {:?} {}", t.elapsed(), c.query_one("select sum(size)::int8, (select n_dead_tup from pg_stat_all_tables where relname='t') from pg_ls_waldir()", &[]).await.map(|r| (r.get::<_,i64>(0), r.get::<_,Option<i64>>(1))), rss()); }
    }
    let t = Instant::now();
    println!("checkpoint {:?} {:?}", c.batch_execute("checkpoint").await, t.elapsed());
    println!("vacuum {:?} {:?}", c.batch_execute("vacuum analyze t").await, t.elapsed());
    println!("{:?}", c.query_one("select sum(size)::int8 from pg_ls_waldir()", &[]).await.map(|r| r.get::<_,i64>(0)));
    println!("terminate {:?}", c.simple_query("select pg_terminate_backend(pg_backend_pid())").await);
    println!("after terminate {:?}", c.simple_query("select 1").await);
    let c = if c.is_closed() { client(&db).await } else { c };
    println!("after terminate {:?}", c.simple_query("select 1").await);
    println!("close {:?}", db.close().await);
    println!("close {:?}", db.close().await);
    println!("conn {:?}", tokio_postgres::Config::new().user("postgres").connect_raw(db.connect(), NoTls).await.err());
}
