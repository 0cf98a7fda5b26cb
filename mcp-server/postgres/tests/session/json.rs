//! Rows as JSON, compared with PostgreSQL's own.

use crate::server::session;

/// Compares this row with `row_to_json`, in a session with the time zone UTC.
async fn compare(columns: &str) {
    let mut session = session().await;
    session.batch("set timezone = 'UTC'").await.unwrap();
    let expected = format!("select row_to_json(r)::text from (select {columns}) r");
    let expected = session.query(&[], &expected, &[], &[]).await.unwrap();
    let sql = format!("select {columns}");
    let rows = session.query(&[], &sql, &[], &[]).await.unwrap();
    let mut written = String::new();
    rows[0].write_json(0, &mut written).unwrap();
    assert_eq!(written, expected[0].get::<_, &str>(0));
}

#[tokio::test]
async fn texts_are_quoted() {
    compare(
        r#"'' as "none", E'"\\/\b\f\n\r\t\x01\x1f\x7f é 😀' as "a ""name""", 'x'::varchar, 'x'::char(3) as padded,
           '{ "a" : [1,  2] }'::json, '{ "b": "ä", "a": 1.50 }'::jsonb, null::text as absent, true as yes, false as no,
           '6f1c6a3e-0000-4000-8000-00000000ABCD'::uuid as id"#,
    )
    .await;
}

#[tokio::test]
async fn numbers_have_the_digits_that_postgresql_writes() {
    let numbers = [
        "0",
        "1",
        "-1",
        "0.1",
        "-12.50",
        "100000",
        "1e5",
        "123456.75",
        "1e-4",
        "1e-5",
        "1.25e-7",
        "1e14",
        "1e15",
        "1e16",
        "123456789012345678",
        "1.7976931348623157e308",
        "5e-324",
        "-0",
    ];
    let mut columns: Vec<_> = (numbers.iter().enumerate())
        .map(|(at, number)| format!("'{number}'::float8 as f{at}, '{number}'::numeric as n{at}"))
        .collect();
    for (at, number) in ["NaN", "Infinity", "-Infinity"].iter().enumerate() {
        columns.push(format!("'{number}'::float8 as fx{at}, '{number}'::float4 as sx{at}, '{number}'::numeric as nx{at}"));
    }
    for (at, number) in ["0.1", "123456", "1234567", "1e-5", "3.4e38"]
        .iter()
        .enumerate()
    {
        columns.push(format!("'{number}'::float4 as s{at}"));
    }
    for (at, number) in [
        "0.00",
        "10000",
        "10000.0001",
        "0.00010000",
        "0.000000000001",
        "1e40",
        "99999999.9999",
        "7.5",
    ]
    .iter()
    .enumerate()
    {
        columns.push(format!(
            "'{number}'::numeric as d{at}, '-{number}'::numeric(80, 14) as m{at}"
        ));
    }
    columns.push("(-32768)::int2 as i2, 2147483647 as i4, -9223372036854775808 as i8".to_owned());
    compare(&columns.join(", ")).await;
}

#[tokio::test]
async fn days_and_times_are_in_utc() {
    let days = [
        "2000-01-01",
        "1999-12-31",
        "2000-02-29",
        "2100-03-01",
        "1600-12-31",
        "0001-01-01",
        "0044-03-15 BC",
        "12026-06-30",
        "infinity",
        "-infinity",
    ];
    let times = [
        "",
        " 23:59:59.999999+00",
        " 00:00:00.1+02",
        " 12:30:00.000500-03:30",
    ];
    let mut columns = Vec::new();
    for (at, day) in days.iter().enumerate() {
        columns.push(format!("'{day}'::date as d{at}"));
        for (which, time) in times.iter().enumerate() {
            let written = match day.split_once(" BC") {
                _ if day.ends_with("infinity") => (*day).to_owned(),
                Some((day, _)) => format!("{day}{time} BC"),
                None => format!("{day}{time}"),
            };
            columns.push(format!("'{written}'::timestamptz as t{at}_{which}"));
        }
    }
    columns.push(
        "time '00:00' as first, time '24:00' as last, time '09:05:07.25' as early".to_owned(),
    );
    compare(&columns.join(", ")).await;
}

#[tokio::test]
async fn arrays_are_lists() {
    compare(
        r#"'{}'::text[] as none, array[null, 'a "b"', ''] as texts, array[[1, 2], [3, null]] as twofold,
           array['6f1c6a3e-0000-4000-8000-00000000abcd'::uuid] as ids, array['{"a": 1}'::jsonb] as objects,
           '[3:4]={1,2}'::int8[] as elsewhere, array['2026-03-05'::date] as days"#,
    )
    .await;
}

#[tokio::test]
async fn a_type_that_is_not_written_is_named() {
    let mut session = session().await;
    let sql = "select 1 as a, interval '1 day' as pause";
    let rows = session.query(&[], sql, &[], &[]).await.unwrap();
    let mut written = String::new();
    let error = rows[0].write_json(0, &mut written).unwrap_err();
    assert_eq!(
        error.to_string(),
        "column pause cannot be written as JSON: interval is not written"
    );
    let mut written = String::new();
    rows[0].write_json(2, &mut written).unwrap();
    assert_eq!(written, "{}");
}
