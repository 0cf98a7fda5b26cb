//! The guest search: as fast as its index, and under row-level security.

use frontdesk_protocol::Role;
use frontdesk_protocol::id::EventId;
use frontdesk_server::database::{Access, Actor};
use frontdesk_tests::{Account, Organization, run, world};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use crate::database::guests::fill;
use crate::database::session::nodes;

/// The statement inside `events.find_guests`, for one word and one way of finding guests.
async fn statement(event: EventId, way: &str, word: &str, page: (u32, u32)) -> String {
    let owner = world().owner().await;
    let row = owner
        .query_one(
            "select p.prosrc, quote_literal(app.word_pattern($1)), quote_literal(app.typo_pattern($1)) from pg_proc p \
             where p.oid = 'events.find_guests'::regproc",
            &[&word],
        )
        .await
        .expect("the function");
    let (body, pattern, typo): (String, String, String) = (row.get(0), row.get(1), row.get(2));
    let start = format!("'% {}", &pattern[2..]);
    let complete = format!("{} %'", &start[..start.len() - 2]);
    let (_, select) = body.split_once("found := array(").expect("one statement");
    let (select, _) = select.split_once(");\n    return query").expect("its end");
    let arguments = [
        ("event", format!("'{event}'::uuid")),
        ("way", format!("'{way}'::text")),
        ("words", format!("array['{word}']")),
        ("are_apart", "true".to_owned()),
        ("completes", format!("array[{complete}]")),
        ("better", "'{}'::uuid[]".to_owned()),
        ("starts", format!("array[{start}]")),
        ("start", start),
        ("complete", complete),
        ("patterns", format!("array[{pattern}]")),
        ("pattern", pattern),
        ("typos", format!("array[{typo}]")),
        ("typo", typo),
        ("address", "null::text".to_owned()),
        ("codes", format!("array['{word}']")),
        ("guest_role", "null::text".to_owned()),
        ("member", "null::uuid".to_owned()),
        ("wanted", page.0.to_string()),
        ("skipped", page.1.to_string()),
    ];
    let mut statement = String::new();
    let mut word = String::new();
    for c in select.chars().chain([' ']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        match arguments.iter().find(|(name, _)| *name == word) {
            Some((_, value)) => statement.push_str(value),
            None => statement.push_str(&word),
        }
        word.clear();
        statement.push(c);
    }
    statement
}

#[test]
fn a_search_among_many_guests_uses_the_trigram_index() {
    run(async {
        let organization = Organization::create().await;
        let event = organization.event("Festival").await;
        fill(&organization, event, 20).await;
        // Of the guest "Guest c4ca4238a0b923820dcc509a6f75849b".
        let mut statements = Vec::new();
        for (way, word, finds) in [
            ("name", "c4ca4238", 0),
            ("prefix", "c4ca4238", 1),
            ("part", "ca4238a0", 1),
            ("similar", "c4ca4283a0b923820", 0),
        ] {
            statements.push((statement(event, way, word, (51, 0)).await, finds));
        }
        let mut owner = world().owner().await;
        let transaction = owner.transaction().await.expect("a transaction");
        transaction
            .query(
                "select set_config('app.organization_id', $1, true), \
                        set_config('app.role', 'staff', true)",
                &[&organization.id.to_string()],
            )
            .await
            .expect("a caller");
        // Planned as in the function, with its settings.
        transaction
            .query(
                "select set_config(split_part(setting, '=', 1), split_part(setting, '=', 2), true) \
                 from pg_proc p, unnest(p.proconfig) setting \
                 where p.oid = 'events.find_guests'::regproc and setting !~ '^search_path='",
                &[],
            )
            .await
            .expect("its settings");
        for (statement, finds) in statements {
            let rows = transaction.query(&statement, &[]).await.expect(&statement);
            assert_eq!(rows.len(), finds, "{statement}");
            let explain = format!("explain (format json) {statement}");
            let row = transaction.query_one(&explain, &[]).await.expect(&explain);
            let plan: Value = row.get(0);
            let mut used = Vec::new();
            nodes(&plan, &mut |node| {
                used.extend(node["Index Name"].as_str().map(str::to_owned))
            });
            assert!(used.contains(&"guests_words_idx".to_owned()), "{plan:#}");
            assert!(!plan.to_string().contains("Seq Scan"), "{plan:#}");
        }
    });
}

/// Names to search among: with case, accents, LIKE's special characters, and duplicates.
const NAMES: [&str; 17] = [
    "Ana",
    "ANA",
    "Ana María",
    "Zoë Müller",
    "Ána Anaí, Ana",
    "100% Ana",
    "a_a",
    "a%a",
    "a\\a",
    "\\",
    "%",
    "_",
    "\\%_",
    "Łukasz",
    "İpek",
    "山田 花子",
    "محمد",
];

/// A searching caller.
struct Searcher {
    name: String,
    actor: Actor,
    /// Whether the caller sees any guests.
    sees: bool,
}

struct Desk {
    event: EventId,
    member: Uuid,
    searchers: Vec<Searcher>,
}

impl Desk {
    async fn open() -> Desk {
        let organization = Organization::create().await;
        let stranger = Organization::create().await;
        let event = organization.event("Open day").await;
        organization.guests(event, &NAMES).await;
        let elsewhere = organization.event("Another day").await;
        organization.guests(elsewhere, &NAMES[..4]).await;
        let owner = world().owner().await;
        owner
            .execute(
                "update events.guests set member_id = $2, role = 'fellow' where id = \
                   (select id from events.guests where event_id = $1 and name = 'Ana María')",
                &[&event.0, &organization.fellow.0],
            )
            .await
            .expect("the fellow's guest");
        drop(owner);
        let mut searchers: Vec<Searcher> = Role::ALL
            .into_iter()
            .map(|role| Searcher {
                name: role.name().to_owned(),
                actor: Actor::Caller(organization.user(role)),
                sees: role != Role::Automation,
            })
            .collect();
        searchers.push(Searcher {
            name: "staff of another organisation".to_owned(),
            actor: Actor::Caller(stranger.user(Role::Staff)),
            sees: false,
        });
        searchers.push(Searcher {
            name: "nobody".to_owned(),
            actor: Actor::Caller(Account::create().await.id),
            sees: false,
        });
        Desk {
            event,
            member: organization.fellow.0,
            searchers,
        }
    }
}

/// What is asked for.
#[derive(Debug, Clone)]
struct Search {
    words: String,
    role: Option<&'static str>,
    is_member: bool,
    limit: i64,
    offset: i64,
}

fn searches() -> impl Strategy<Value = Search> {
    let piece = prop_oneof![
        4 => proptest::sample::select(vec!["a", "A", "n", "ana", "á", "ë", "ü", "l", "i", " ", "山", "م"]),
        3 => proptest::sample::select(vec!["%", "_", "\\", "\\\\", "\\%", "\\_", "％", "＿", "＼"]),
        1 => proptest::sample::select(vec!["", "'", "\"", "\u{301}", "ﬁ", "\u{200b}", "\n", "$1"]),
    ];
    let words = prop_oneof![
        3 => proptest::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat()),
        1 => proptest::sample::select(&NAMES[..]).prop_map(str::to_owned),
        1 => "[^\\x00]{0,6}",
    ];
    let role = proptest::sample::select(vec![None, None, Some("fellow")]);
    (words, role, any::<bool>(), 0..20_i64, 0..4_i64).prop_map(
        |(words, role, is_member, limit, offset)| Search {
            words,
            role,
            is_member,
            limit,
            offset,
        },
    )
}

async fn ids(actor: Actor, desk: &Desk, search: &Search) -> Vec<Uuid> {
    let member = search.is_member.then_some(desk.member);
    let params: [&(dyn ToSql + Sync); 6] = [
        &desk.event.0,
        &search.words,
        &search.role,
        &member,
        &search.limit,
        &search.offset,
    ];
    let mut transaction = world().database().transaction(actor, Access::Read);
    let rows = transaction.query(FIND, &params).await;
    let rows = rows.unwrap_or_else(|error| panic!("{search:?}: {error}"));
    rows.iter().map(|row| row.get(0)).collect()
}

const FIND: &str =
    "select f.id from events.find_guests($1, $2, $3, $4, $5, $6) f where f.matched <> 'similar'";
/// The reference: each word is somewhere in the name, decided by the policies alone and without an
/// index.
const POSITION: &str = "select g.id, \
      array_remove(string_to_array(g.name_words, ' '), '') spelled, \
      string_to_array(btrim(regexp_replace(app.word_key(g.name), '\\s+', ' ', 'g')), ' ') words \
    from events.guests g where g.event_id = $1 \
    and not exists (select from unnest($2::text[]) word where strpos(g.name_words, word) = 0) \
    and ($3::text is null or g.role = $3) and ($4::uuid is null or g.member_id = $4) \
    order by g.name_key, g.id";

/// The page of these guests, best first.
async fn ranked(actor: Actor, desk: &Desk, search: &Search, words: &[String]) -> Vec<Uuid> {
    let member = search.is_member.then_some(desk.member);
    let params: [&(dyn ToSql + Sync); 4] = [&desk.event.0, &words, &search.role, &member];
    let mut transaction = world().database().transaction(actor, Access::Read);
    let rows = transaction.query(POSITION, &params).await;
    let rows = rows.unwrap_or_else(|error| panic!("{search:?}: {error}"));
    let mut ranked: Vec<(u8, Uuid)> = rows
        .iter()
        .map(|row| {
            let (spelled, of_name): (Vec<String>, Vec<String>) = (row.get(1), row.get(2));
            (rank(words, &of_name, &spelled), row.get(0))
        })
        .collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let page = ranked.into_iter().map(|(_, id)| id);
    let (offset, limit) = (search.offset as usize, search.limit as usize);
    page.skip(offset).take(limit).collect()
}

/// 0 for a full name, 1 for the beginnings of words, 2 for other parts of the name.
fn rank(search: &[String], name: &[String], spelled: &[String]) -> u8 {
    let spellings = |at: usize| {
        [Some(&name[at]), spelled.get(name.len() + at)]
            .into_iter()
            .flatten()
    };
    if search.is_empty() {
        return 2;
    }
    let is = |word: &String, at| spellings(at).any(|spelling| spelling == word);
    let begins =
        |word: &String, at| spellings(at).any(|spelling| spelling.starts_with(word.as_str()));
    let places: Vec<usize> = (0..name.len()).collect();
    match search {
        search if search.len() == name.len() && pairs(search, &places, &is) => 0,
        search if pairs(search, &places, &begins) => 1,
        _ => 2,
    }
}

/// Whether each word of the search can be paired with a different word.
fn pairs(search: &[String], places: &[usize], fits: &impl Fn(&String, usize) -> bool) -> bool {
    let Some((word, others)) = search.split_first() else {
        return true;
    };
    places.iter().any(|place| {
        let left: Vec<usize> = places
            .iter()
            .copied()
            .filter(|other| other != place)
            .collect();
        fits(word, *place) && pairs(others, &left, fits)
    })
}

/// The normalised words of a search.
async fn words(search: &str) -> Vec<String> {
    let owner = world().owner().await;
    let row = owner
        .query_one("select app.search_words($1)", &[&search])
        .await;
    row.expect("words").get(0)
}

#[test]
fn find_guests_finds_what_is_there_under_row_level_security() {
    let desk = run(Desk::open());
    let mut runner = TestRunner::new(Config {
        cases: 96,
        failure_persistence: None,
        ..Config::default()
    });
    let found = runner.run(&searches(), |search| {
        run(async {
            let words = words(&search.words).await;
            for Searcher { name, actor, .. } in &desk.searchers {
                let found = ids(*actor, &desk, &search).await;
                let ranked = ranked(*actor, &desk, &search, &words).await;
                prop_assert_eq!(&found, &ranked, "as {}", name);
            }
            Ok(())
        })
    });
    found.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn who_may_see_guests_finds_them_and_nobody_else_does() {
    run(async {
        let desk = Desk::open().await;
        let everything = Search {
            words: String::new(),
            role: None,
            is_member: false,
            limit: 100,
            offset: 0,
        };
        for Searcher { name, actor, sees } in &desk.searchers {
            let found = ids(*actor, &desk, &everything).await;
            let expected = match (sees, name.as_str()) {
                (false, _) => 0,
                (true, "fellow") => 1,
                (true, _) => NAMES.len(),
            };
            assert_eq!(found.len(), expected, "{name}");
        }
    });
}

#[test]
fn what_like_takes_for_special_is_found_literally_through_the_tool() {
    run(async {
        let organization = Organization::create().await;
        let event = organization.event("Open day").await;
        organization.guests(event, &NAMES).await;
        let mut staff = organization.sign_in(Role::Staff).await;
        for (search, expected) in [
            ("%", &["%", "100% Ana", "\\%_", "a%a"][..]),
            ("_", &["\\%_", "_", "a_a"]),
            ("\\", &["\\", "\\%_", "a\\a"]),
            ("\\%", &["\\%_"]),
            ("%_", &["\\%_"]),
            ("a_a", &["a_a"]),
            ("％", &["%", "100% Ana", "\\%_", "a%a"]),
            (
                "ANÁ",
                &["100% Ana", "ANA", "Ana", "Ana María", "Ána Anaí, Ana"],
            ),
            ("muller", &["Zoë Müller"]),
            ("lukasz", &["Łukasz"]),
            ("花", &["山田 花子"]),
            ("حم", &["محمد"]),
        ] {
            let arguments = json!({ "event_id": event, "search": search });
            let answer = staff.events("list_event_guests", arguments).await;
            let guests = answer.output()["guests"]
                .as_array()
                .expect("guests")
                .clone();
            let mut names: Vec<_> = guests
                .iter()
                .filter_map(|guest| guest["name"].as_str())
                .collect();
            names.sort_unstable();
            assert_eq!(names, expected, "{search}");
        }
    });
}
