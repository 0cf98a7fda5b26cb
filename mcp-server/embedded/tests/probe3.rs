use frontdesk_embedded::{Embedded, Storage};
use tokio_postgres::NoTls;
use std::time::Instant;
fn rss() -> String { std::fs::read_to_string("/proc/self/status").unwrap().lines().filter(|l| l.starts_with("VmRSS")||l.starts_with("VmHWM")).collect::<Vec<_>>().join(" ") }
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn probe() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("db");
    for round in 0..6 {
        let t = Instant::now();
        let db = Embedded::open(Storage::Directory(path.clone())).await.unwrap();
        println!("open {:?} {}", t.elapsed(), rss());
        let (c, conn) = tokio_postgres::Config::new().user("postgres").connect_raw(db.connect(), NoTls).await.unwrap();
        tokio::spawn(conn);
        
        for sql in ["show fsync", "show wal_sync_method", "show max_stack_depth"] { println!("{sql} {:?}", c.query_one(sql, &[]).await.unwrap().get::<_,String>(0)); }
        if round == 0 { c.batch_execute("create table t(a int primary key, b text)").await.unwrap(); }
        let t = Instant::now();
        for i in 0..100i32 { c.execute("insert into t values ($1, 'x')", &[&(round*1000+i)]).await.unwrap(); }
        println!("insert {:?} each", t.elapsed()/100);
        if round == 3 { // break the engine
            println!("{:?}", c.simple_query("select (repeat('[', 100000))::json").await.err().map(|e| e.to_string()));
        }
        let t = Instant::now();
        println!("close {:?} {:?}", db.close().await.map_err(|e| e.to_string()), t.elapsed());
    }
}
