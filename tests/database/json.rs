//! Rows as JSON, compared with what PostgreSQL writes.

use frontdesk_tests::{run, world};

#[test]
fn every_row_of_every_table_is_written_as_postgresql_writes_it() {
    run(async {
        let world = world();
        let tables = world
            .as_owner(
                "select c.oid::regclass::text, string_agg(quote_ident(a.attname), ', ' order by a.attnum) \
                 from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped \
                 where c.relkind = 'r' and c.relnamespace::regnamespace::text !~ '^(pg_|information_schema)' \
                   and a.atttypid not in ('bytea'::regtype, 'tsvector'::regtype, 'interval'::regtype, 'xid8'::regtype) group by c.oid",
                &[],
            )
            .await;
        let mut compared = 0;
        for table in &tables {
            let (table, columns): (&str, &str) = (table.get(0), table.get(1));
            let sql =
                format!("select row_to_json(r)::text, r.* from (select {columns} from {table}) r");
            for row in world.as_owner(&sql, &[]).await {
                let mut written = String::new();
                row.write_json(1, &mut written).expect(table);
                assert_eq!(written, row.get::<_, &str>(0), "{table}");
                compared += 1;
            }
        }
        assert!(compared > 1_000, "only {compared} rows");
    });
}
