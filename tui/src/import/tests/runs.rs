//! Which calls are made, and what their answers mean.

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;

use frontdesk_client::CallError;
use frontdesk_protocol::{ErrorCode, Host, ToolError};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::host::{Next, Table};
use crate::import::{Fate, Import, ImportError, Summary};

/// A host of cohorts, and the place of imports.
fn cohorts() -> (Arc<Table>, TempDir) {
    let place = tempfile::tempdir().expect("a directory");
    (Arc::new(Table::new(Host::Learn)), place)
}

fn slugs(slugs: &[&str]) -> String {
    let rows = slugs.iter().map(|slug| format!("Of {slug},{slug}\n"));
    format!("Name,Slug\n{}", rows.collect::<String>())
}

fn many(count: usize) -> String {
    let rows = (0..count).map(|at| format!("Guest {at:04},g{at}@example.org\n"));
    format!("Name,E-Mail\n{}", rows.collect::<String>())
}

async fn checked(table: &Arc<Table>, place: &Path, text: &str, key: Option<&str>) -> Import {
    let tool = match table.texts("cohort", "name").is_empty() && text.contains("E-Mail") {
        true => "create_event_guest",
        false => "create_cohort",
    };
    let mut import = table.import(place, tool, text).await;
    import.check(key, false, |_| {}).await.expect("checked");
    import
}

async fn run(
    table: &Arc<Table>,
    place: &Path,
    text: &str,
    key: Option<&str>,
) -> Result<Summary, ImportError> {
    let mut import = checked(table, place, text, key).await;
    import.run(false, |_| {}).await
}

/// The number of rows with each outcome: `add 2, same 1`.
fn outcomes(import: &Import) -> String {
    let words = ["add", "change", "same", "earlier", "questionable", "wrong"];
    let counted = words.map(|word| {
        let count = import
            .fates()
            .filter(|(_, fate)| fate.word() == word)
            .count();
        (count > 0).then(|| format!("{word} {count}"))
    });
    counted.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn lost() -> CallError {
    CallError::no_answer("cut")
}

#[tokio::test]
async fn a_refused_row_does_not_stop_the_others() {
    let (table, place) = cohorts();
    let text = slugs(&["one", "two", "one", "three"]);
    let mut import = checked(&table, place.path(), &text, Some("none")).await;
    let summary = import.run(false, |_| {}).await.expect("written");
    assert_eq!((summary.added, summary.changed), (3, 0));
    assert_eq!(summary.failed, [(2, "slug: is in use".to_owned())]);
    let failed = import.failed(&summary);
    let failed: Vec<_> = failed.iter().map(|(row, why)| (row.line, &**why)).collect();
    assert_eq!(failed, [(4, "slug: is in use")]);
    drop(import);
    // The others are not imported again.
    let import = checked(&table, place.path(), &text, Some("none")).await;
    assert_eq!(outcomes(&import), "add 1, earlier 3");
}

#[tokio::test]
async fn an_import_that_is_stopped_goes_on_with_the_rows_that_are_left() {
    let (table, place) = cohorts();
    let names: Vec<_> = (0..100).map(|n| format!("slug-{n}")).collect();
    let text = slugs(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let mut import = checked(&table, place.path(), &text, Some("none")).await;
    let steps = Cell::new(0);
    let summary = import.run_until(false, || steps.get() > 1, |_| steps.set(steps.get() + 1));
    let summary = summary.await.expect("stopped");
    assert!(summary.left > 0 && summary.added > 0, "{summary:?}");
    assert_eq!(summary.left + summary.added, 100);
    assert_eq!(table.texts("cohort", "name").len(), summary.added);
    drop(import);
    let rest = run(&table, place.path(), &text, Some("none")).await;
    assert_eq!(rest.expect("written").added, summary.left);
    assert_eq!(table.texts("cohort", "name").len(), 100);
}

#[tokio::test]
async fn what_somebody_adds_meanwhile_is_compared_again() {
    let record = |name: &str, slug: &str| json!({ "name": name, "slug": slug });
    for (meanwhile, added, changed, unchanged) in [
        (vec![], 2, 0, 0),
        (vec![record("Of one", "one")], 1, 0, 1),
        (
            vec![record("Of one", "one"), record("Of two", "two")],
            0,
            0,
            2,
        ),
        (vec![record("Another", "two")], 1, 1, 0),
    ] {
        let (table, place) = cohorts();
        table.next([Next::After(meanwhile)]);
        let text = slugs(&["one", "two"]);
        let summary = run(&table, place.path(), &text, Some("slug")).await;
        let summary = summary.expect("written");
        let found = (summary.added, summary.changed, summary.unchanged);
        assert_eq!(found, (added, changed, unchanged));
        let mut names = table.texts("cohort", "name");
        names.sort();
        assert_eq!(names, ["Of one", "Of two"]);
    }
}

#[tokio::test]
async fn a_run_that_was_cut_is_continued_without_duplicates() {
    for (next, made) in [
        (Next::IsMadeBut as fn(CallError) -> Next, 20),
        (Next::Fails, 0),
    ] {
        let (table, place) = (Arc::new(Table::new(Host::Events)), cohorts().1);
        table.next([next(lost())]);
        let text = many(50);
        let cut = run(&table, place.path(), &text, None).await;
        assert!(matches!(
            cut,
            Err(ImportError::Call(CallError::OutcomeUnknown(_)))
        ));
        assert_eq!(table.records("guest").len(), made);
        let summary = run(&table, place.path(), &text, None).await;
        assert_eq!(summary.expect("written").added, 50);
        assert_eq!(table.records("guest").len(), 50);
        let import = checked(&table, place.path(), &text, None).await;
        assert_eq!(outcomes(&import), "earlier 50");
    }
}

#[tokio::test]
async fn rows_are_imported_again_if_one_wants_it() {
    let (table, place) = (Arc::new(Table::new(Host::Events)), cohorts().1);
    let text = many(3);
    run(&table, place.path(), &text, None)
        .await
        .expect("written");
    for (again, outcome) in [(false, "earlier 3"), (true, "same 3")] {
        let mut import = table
            .import(place.path(), "create_event_guest", &text)
            .await;
        import.check(None, again, |_| {}).await.expect("checked");
        assert_eq!(outcomes(&import), outcome);
    }
}

#[tokio::test]
async fn rows_whose_records_are_gone_are_imported_again_if_one_says_yes() {
    let (table, place) = (Arc::new(Table::new(Host::Events)), cohorts().1);
    let text = many(3);
    run(&table, place.path(), &text, None)
        .await
        .expect("written");
    table.clear();
    let mut import = checked(&table, place.path(), &text, None).await;
    assert_eq!(outcomes(&import), "questionable 3");
    let summary = import.run(false, |_| {}).await.expect("an end");
    assert_eq!(summary.added, 0);
    import.accept(&"again".parse().expect("a kind"));
    import.check(None, false, |_| {}).await.expect("checked");
    let summary = import.run(false, |_| {}).await.expect("written");
    assert_eq!(summary.added, 3);
    // The host has not answered with what it did before.
    assert_eq!(table.records("guest").len(), 3);
    drop(import);
    let import = checked(&table, place.path(), &text, None).await;
    assert_eq!(outcomes(&import), "earlier 3");
}

#[tokio::test]
async fn a_refused_batch_without_a_place_is_halved() {
    let (table, place) = (Arc::new(Table::new(Host::Events)), cohorts().1);
    let refusal = || CallError::Tool(ToolError::new(ErrorCode::Refused, "too much"));
    table.next([Next::Fails(refusal()), Next::Fails(refusal())]);
    let summary = run(&table, place.path(), &many(20), None).await;
    assert_eq!(summary.expect("written").added, 20);
    assert_eq!(table.keep().batches[..3], [20, 10, 5]);
    // One that is alone has failed.
    table.next([Next::Fails(refusal())]);
    let text = "Name,E-Mail\nAna,ana@example.org\n";
    let summary = run(&table, place.path(), text, None).await.expect("an end");
    assert_eq!(summary.failed, [(0, "too much".to_owned())]);
}

#[tokio::test]
async fn a_trial_writes_nothing() {
    let (table, place) = cohorts();
    let text = slugs(&["one", "one"]);
    let mut import = checked(&table, place.path(), &text, Some("none")).await;
    let summary = import.run(true, |_| {}).await.expect("tried");
    assert_eq!((summary.added, summary.failed.len()), (1, 1));
    assert!(table.records("cohort").is_empty());
    drop(import);
    let import = checked(&table, place.path(), &text, Some("none")).await;
    assert_eq!(outcomes(&import), "add 2");
}

#[tokio::test]
async fn a_record_is_changed_by_its_id_and_only_where_it_differs() {
    let (table, place) = (Arc::new(Table::new(Host::Events)), cohorts().1);
    let text = "Name,E-Mail,Role\nAna,ana@example.org,host\nBia,bia@example.org,guest\n";
    run(&table, place.path(), text, None)
        .await
        .expect("written");
    let text = "Name,E-Mail,Role\nAna,ANA@example.org,speaker\nBia,bia@example.org,\nCaio,c@example.org,\n\
                Bia 2,bia@example.org,\n";
    let mut import = checked(&table, place.path(), text, Some("email")).await;
    assert_eq!(outcomes(&import), "add 1, change 1, same 1, questionable 1");
    let summary = import.run(false, |_| {}).await.expect("written");
    assert_eq!((summary.added, summary.changed), (1, 1));
    assert_eq!(table.texts("guest", "role"), ["speaker", "guest", "null"]);
    assert_eq!(table.texts("guest", "email")[0], "ana@example.org");
}

#[tokio::test]
async fn added_records_are_unique_by_their_key() {
    let (table, place) = (Arc::new(Table::new(Host::Events)), cohorts().1);
    let text = "Name,E-Mail\nAna,ana@example.org\nBia,\n";
    for (key, unique) in [(None, vec!["event_id", "email"]), (Some("none"), vec![])] {
        let mut import = checked(&table, place.path(), text, key).await;
        assert_eq!(outcomes(&import), "add 1, questionable 1");
        let summary = import.run(false, |_| {}).await.expect("written");
        assert_eq!(summary.added, 1);
        assert_eq!(table.keep().unique, unique);
    }
}

#[tokio::test]
async fn a_server_gets_one_call_a_row_and_none_twice() {
    for (error, is_known) in [
        (lost(), false),
        (CallError::unclear("it is no JSON"), false),
        (
            CallError::Tool(ToolError::new(ErrorCode::Refused, "no")),
            true,
        ),
    ] {
        let (_, place) = cohorts();
        let table = Arc::new(Table::server(Host::Learn));
        table.next([Next::Fails(error)]);
        let text = slugs(&["one", "two"]);
        let summary = run(&table, place.path(), &text, None)
            .await
            .expect("an end");
        assert_eq!(summary.added, 1);
        assert_eq!(summary.unknown, usize::from(!is_known));
        assert_eq!(summary.failed.len(), 1);
        let import = checked(&table, place.path(), &text, None).await;
        let fate = import.fates().next().expect("a row").1;
        match is_known {
            true => assert!(matches!(fate, Fate::Add(_))),
            false => {
                let (row, fate) = import.fates().next().expect("a row");
                assert_eq!(import.told(row, fate), super::super::run::PERHAPS);
            }
        }
    }
}

#[tokio::test]
async fn a_choice_of_columns_is_remembered_for_the_same_header() {
    let (table, place) = cohorts();
    let pair = |from: &str, to: &str| (from.to_owned(), to.to_owned());
    let tool = "create_cohort";
    let mut import = table
        .import(place.path(), tool, "Who,Short\nOne,one\n")
        .await;
    let needed = import
        .check(None, false, |_| {})
        .await
        .expect_err("no name");
    assert!(
        needed.to_string().starts_with("create_cohort needs name"),
        "{needed}"
    );
    import
        .assign(&[pair("who", "name"), pair("Short", "slug")])
        .expect("columns");
    import.remember().expect("remembered");
    for (text, expected) in [
        ("Who,Short\nTwo,two\n", [Some("name"), Some("slug")]),
        ("Who,Brief\nTwo,two\n", [None, None]),
    ] {
        let import = table.import(place.path(), tool, text).await;
        let found: Vec<_> = import.columns().map(|(_, argument)| argument).collect();
        assert_eq!(found, expected);
    }
}

#[tokio::test]
async fn a_host_that_accepts_few_batches_gets_larger_ones() {
    let (_, place) = cohorts();
    for (allowance, calls, least) in [
        (None, 5000, 0),
        (Some(100), 5000, 28),
        (Some(60), 5000, 50),
        (Some(11), 5000, 2500),
        (Some(0), 10, 5),
    ] {
        let mut table = Table::new(Host::Learn);
        table.allowance = allowance;
        let table = Arc::new(table);
        let import = table
            .import(place.path(), "create_cohort", &slugs(&["one"]))
            .await;
        assert_eq!(import.least(calls), least, "{allowance:?}");
        assert_eq!(import.most(least), least.clamp(20, 500));
    }
}

#[test]
fn a_batch_fits_into_a_request() {
    let call = |bytes: usize| frontdesk_client::imports::RowCall {
        row: 0,
        tool: "create_cohort".to_owned(),
        arguments: [("name".to_owned(), Value::from("x".repeat(bytes)))]
            .into_iter()
            .collect(),
    };
    let fitting = super::super::sending::fitting;
    assert_eq!(fitting(&vec![call(10); 30], 20), 20);
    assert_eq!(fitting(&vec![call(100_000); 30], 20), 7);
    assert_eq!(fitting(&[call(900_000), call(1)], 20), 1);
}
