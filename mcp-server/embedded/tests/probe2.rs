use frontdesk_embedded::{Embedded, Storage};
use tokio_postgres::NoTls;
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn probe() {
    if let Ok(v) = std::env::var("STACK_MB") { wasmer_vm::set_stack_size(v.parse::<usize>().unwrap() << 20); }
    let db = Embedded::open(Storage::Memory).await.unwrap();
    let (c, conn) = tokio_postgres::Config::new().user("postgres").connect_raw(db.connect(), NoTls).await.unwrap();
    tokio::spawn(conn);
    c.batch_execute(&format!("set max_stack_depth='{}'", std::env::var("DEPTH").unwrap_or("2MB".into()))).await.unwrap();
    let kind = std::env::var("KIND").unwrap();
    c.batch_execute("create function f(i int) returns int language plpgsql as 'begin return f(i+1); end'; create function g(i int) returns int language sql as 'select $1'").await.unwrap();
    let mut n = 500u64;
    while n < 3_000_000 {
        let sql = match kind.as_str() {
            "json" => format!("select length((repeat('[', {n}) || repeat(']', {n}))::jsonb::text)"),
            "json1" => format!("select length((repeat('[', {n}) || repeat(']', {n}))::json::text)"),
            "obj" => format!("select length((repeat('{{\"a\":', {n}) || '1' || repeat('}}', {n}))::jsonb::text)"),
            "paren" => format!("select {}1{}", "(".repeat(n as usize), ")".repeat(n as usize)),
            "expr" => format!("select {}1{}", "(1+".repeat(n as usize), ")".repeat(n as usize)),
            "plus" => format!("select {}1", "1+".repeat(n as usize)),
            "not" => format!("select {} true", "not ".repeat(n as usize)),
            "regex" => format!("select 'a' ~ (repeat('(', {n}) || repeat(')', {n}))"),
            "tsq" => format!("select length((repeat('(', {n}) || 'a' || repeat(')', {n}))::tsquery::text)"),
            "f" => "select f(1)".into(),
            "like" => format!("select repeat('a', {n}) like repeat('%a', {n})||'b'"),
            k => k.to_owned(),
        };
        let t = std::time::Instant::now();
        let r = c.simple_query(&sql).await.err().map(|e| e.as_db_error().map(|e| format!("{} {}", e.code().code(), e.message())).unwrap_or(e.to_string()));
        println!("{kind} {n} {:?} {:?}", r, t.elapsed());
        if r.is_some() { break }
        if kind == "f" { break }
        n *= 2;
    }
    for i in 0..5 { println!("alive {i} {:?}", c.simple_query("select 1").await.err()); }
    let many: u32 = std::env::var("MANY").ok().map(|v| v.parse().unwrap()).unwrap_or(0);
    let st = c.prepare("select 1/$1::int4").await;
    for i in 0..many { let e = match i % 3 { 0 => c.simple_query("select 1/0").await.err().unwrap(), 1 => c.query(st.as_ref().unwrap(), &[&0i32]).await.err().unwrap(), _ => c.simple_query("selct").await.err().unwrap() }; if i % 20000 == 0 || e.as_db_error().map(|e| e.code().code()) == Some("54001") { println!("{i} {e:?}"); } 
     if e.as_db_error().map(|e| e.code().code()) == Some("54001") { break } }
    println!("alive {:?}", c.simple_query("select 1").await.err());
}
