//! Cells, and what they become.

use std::sync::Arc;

use frontdesk_protocol::Host;
use serde_json::{Value, json};

use super::host::Table;
use crate::import::{Fate, Sheet};

/// A kind, its name, another column, and the cells of that with the values that are imported, or `wrong`.
const COLUMNS: [(&str, &str, &str, &str); 20] = [
    (
        "event_task",
        "title",
        "due_date",
        "03/04/2027 04/13/2027 → 2027-03-04 2027-04-13",
    ),
    (
        "event_task",
        "title",
        "due_date",
        "03/04/2027 13/04/2027 → 2027-04-03 2027-04-13",
    ),
    (
        "event_task",
        "title",
        "due_date",
        "13/04/2027 04/25/2027 03/04/2027 → wrong wrong wrong",
    ),
    (
        "event_task",
        "title",
        "due_date",
        "03/04/2027 04/04/2027 → wrong 2027-04-04",
    ),
    (
        "event_task",
        "title",
        "due_date",
        "13_Apr_23 12_Mar_18 13.4.27 13.4.87 → 2023-04-13 2018-03-12 2027-04-13 wrong",
    ),
    (
        "event_task",
        "title",
        "due_date",
        "1.5.2027 April_13,_2027 2027/04/13 → 2027-05-01 2027-04-13 2027-04-13",
    ),
    (
        "event_task",
        "title",
        "due_date",
        "13.04.2027_00:00:00 2027-04-13T00:00:00 → 2027-04-13 2027-04-13",
    ),
    (
        "event_task",
        "title",
        "due_date",
        "31/04/2027 46490 10/12 13_abr_2027 → wrong wrong wrong wrong",
    ),
    (
        "event_task",
        "title",
        "status",
        "todo In_progress in-progress DONE 1 → todo in_progress in_progress done wrong",
    ),
    (
        "event_expense",
        "vendor_name",
        "amount_paid",
        "1.250 1234,56 10.000 → 1250 1234.56 10000",
    ),
    (
        "event_expense",
        "vendor_name",
        "amount_paid",
        "1.250 12.5 1,250.50 → 1.25 12.5 1250.5",
    ),
    (
        "event_expense",
        "vendor_name",
        "amount_paid",
        "1.250 10.000 7 → wrong wrong 7",
    ),
    (
        "event_expense",
        "vendor_name",
        "amount_paid",
        "1.250,50 1_250,50 1'250.50 → 1250.5 1250.5 1250.5",
    ),
    (
        "event_expense",
        "vendor_name",
        "amount_paid",
        "(4.50) 4,50- 1e2 .5 → wrong wrong wrong wrong",
    ),
    (
        "event_expense",
        "vendor_name",
        "amount_paid",
        "120,50 -1 → 120.5 wrong",
    ),
    (
        "event_guest",
        "name",
        "phone_number",
        "+55_(11)_98765-4321 0301234567 → +55_(11)_98765-4321 0301234567",
    ),
    (
        "event_guest",
        "name",
        "tags.table",
        "07 true 1e400 → 07 true 1e400",
    ),
    (
        "event_session",
        "title",
        "start_time",
        "2027-03-12T18:30:00Z 12.3.2027_18:30 → 2027-03-12T18:30:00Z 2027-03-12T18:30:00Z",
    ),
    (
        "event_guest",
        "name",
        "member_id",
        "00000000-0000-0000-0000-000000000007 Nobody → 00000000-0000-0000-0000-000000000007 wrong",
    ),
    ("event_session", "title", "order", "1 2.5 x → 1 2.5 wrong"),
];

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.replace(' ', "_"),
        value => value.to_string(),
    }
}

#[tokio::test]
async fn a_column_has_one_notation() {
    let place = tempfile::tempdir().expect("a directory");
    for (kind, name, field, case) in COLUMNS {
        let (cells, expected) = case.split_once(" → ").expect("an arrow");
        let rows = (2..).zip(cells.split(' ')).map(|(line, cell)| {
            let cell = cell.replace('_', " ");
            format!("{line};{cell}\n")
        });
        let file = format!("{name};{field}\n{}", rows.collect::<String>());
        let table = Arc::new(Table::new(Host::Events));
        let tool = format!("create_{kind}");
        let mut import = table.import(place.path(), &tool, &file).await;
        import.reader.locale.zone = jiff::tz::TimeZone::UTC;
        import
            .check(Some("none"), false, |_| {})
            .await
            .expect("checked");
        let found = import.fates().map(|(row, fate)| match fate {
            Fate::Add(given) => {
                let place = format!("/{}", field.replace('.', "/"));
                text(json!(given).pointer(&place).unwrap_or(&Value::Null))
            }
            Fate::Wrong(why) => {
                assert!(why.contains(field), "line {}: {why}", row.line);
                "wrong".to_owned()
            }
            other => format!("{other:?}"),
        });
        let found: Vec<_> = found.collect();
        assert_eq!(found.join(" "), expected, "{kind}.{field}");
    }
}

/// A sheet whose first cells are the names of so many tags.
fn wide(count: usize) -> String {
    let names: Vec<_> = (1..=count).map(|at| format!("tags.c{at}")).collect();
    format!(
        "name,{}\nAna,{}\n",
        names.join(","),
        "7,".repeat(count - 1) + "7"
    )
}

#[test]
fn a_file_has_at_most_a_thousand_columns() {
    let record = |at: usize| json!({ "name": "Ana", (format!("c{at}")): 1 });
    let records = Value::from_iter((0..1000).map(record)).to_string();
    for text in [wide(1000), records] {
        let wrong = Sheet::of(text.as_bytes())
            .expect_err("too many")
            .to_string();
        assert!(
            wrong.starts_with("it has 1001 columns; a file has at most 1000"),
            "{wrong}"
        );
    }
    let read = Sheet::of(wide(999).as_bytes()).expect("a sheet");
    assert_eq!(read.rows[0].cells.len(), 1000);
}

#[test]
fn only_a_file_of_a_limited_size_is_read() {
    let place = tempfile::tempdir().expect("a directory");
    let read = |name: &str| {
        let read = Sheet::read(&place.path().join(name), None, None, None);
        read.expect_err("refused").to_string()
    };
    let huge = std::fs::File::create(place.path().join("huge")).expect("a file");
    huge.set_len(1_000_000_000).expect("a sparse file");
    assert_eq!(
        read("huge"),
        "it has 1000 MB; a file has at most 64 MB: split it into several"
    );
    std::fs::create_dir(place.path().join("folder")).expect("a folder");
    let other = "it is not a regular file; save the rows in one and import that";
    assert_eq!(read("folder"), other);
    // Nobody writes into the pipe: opening it would wait for ever.
    #[cfg(unix)]
    {
        let kind = rustix::fs::FileType::Fifo;
        let (mode, path) = (rustix::fs::Mode::RUSR, place.path().join("pipe"));
        rustix::fs::mknodat(rustix::fs::CWD, path, kind, mode, 0).expect("a pipe");
        assert_eq!(read("pipe"), other);
    }
}
