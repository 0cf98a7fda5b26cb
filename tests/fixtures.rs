//! The demo, loaded: what a newcomer finds, on the first day and on later ones.
//!
//! The tests share a database, embedded or on the server, and take turns; each has its own days.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use frontdesk_protocol::id::{
    EventId, GuestId, MeetingId, MemberId, OccurrenceId, OrganizationId, UserId,
};
use frontdesk_server::database::{Access, Actor, Database, Owner};
use frontdesk_server::fixtures::{Added, FixtureError, id, load, seed};
use frontdesk_tests::world::PATIENT;
use frontdesk_tests::{prepared, server};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use tokio::runtime::{Builder, Runtime};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Row};
use uuid::Uuid;

const HASH: &str = "$argon2id$not-a-hash";

/// Noon of 5 March in São Paulo, and the early morning of the 6th in Auckland.
fn first_day() -> Timestamp {
    "2026-03-05T15:00:00Z".parse().unwrap()
}

/// Runs a test on the database, after the demo's first load.
fn demo(test: impl AsyncFnOnce(&Database)) {
    static DEMO: LazyLock<(Runtime, Mutex<Database>)> = LazyLock::new(|| {
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let database = runtime.block_on(async {
            let database = match server::address() {
                Some(_) => Database::open(&server::at(&server::new_database().await), 1)
                    .await
                    .unwrap(),
                None => prepared::open().await,
            };
            let database = database.with_limits(PATIENT).unwrap();
            let loaded = load(&mut *owner(&database).await, first_day(), HASH)
                .await
                .unwrap();
            assert_eq!(loaded, Added::Organizations);
            database
        });
        (runtime, Mutex::new(database))
    });
    let (runtime, database) = &*DEMO;
    let database = database.lock().unwrap_or_else(PoisonError::into_inner);
    runtime.block_on(test(&database));
}

async fn owner(database: &Database) -> Owner {
    database.owner().await.unwrap()
}

async fn one<T>(client: &Client, sql: &str, params: &[&(dyn ToSql + Sync)]) -> T
where
    T: for<'a> tokio_postgres::types::FromSql<'a>,
{
    client.query_one(sql, params).await.unwrap().get(0)
}

/// Every table with a digest of its rows.
async fn contents(client: &Client) -> BTreeMap<String, String> {
    let tables = client
        .query(
            "select format('%I.%I', table_schema, table_name) from information_schema.tables \
             where table_schema in ('app', 'auth', 'staff', 'learn', 'strategy', 'events', 'work', \
                                    'webhooks')",
            &[],
        )
        .await
        .unwrap();
    let mut contents = BTreeMap::new();
    for row in &tables {
        let table: String = row.get(0);
        let digest = format!(
            "select md5(coalesce(string_agg(t::text, E'\\n' order by t::text), '')) from {table} t"
        );
        contents.insert(table, one(client, &digest, &[]).await);
    }
    assert!(contents.len() > 22, "{contents:?}");
    contents
}

/// How many of everything an event has.
async fn size(client: &Client, event: EventId) -> Vec<i64> {
    let mut size = Vec::new();
    for table in [
        "guests",
        "sessions",
        "session_guests",
        "tasks",
        "expenses",
        "photos",
    ] {
        let count = format!("select count(*) from events.{table} where event_id = $1");
        size.push(one(client, &count, &[&event.0]).await);
    }
    let tagged = "select count(*) from events.photo_members m join events.photos p on p.id = m.photo_id \
                  where p.event_id = $1";
    size.push(one(client, tagged, &[&event.0]).await);
    size
}

/// The organisation's events on the day on which `now` falls there.
async fn events_of_the_day(
    client: &Client,
    organization: OrganizationId,
    now: Timestamp,
) -> Vec<EventId> {
    let rows = client
        .query(
            "select e.id from events.events e join app.organizations o on o.id = e.organization_id \
             where o.id = $1 and e.name not like 'Seeded%' \
               and (start_at at time zone o.time_zone)::date = ($2 at time zone o.time_zone)::date \
               and (end_at at time zone o.time_zone)::date = ($2 at time zone o.time_zone)::date",
            &[&organization.0, &now],
        )
        .await
        .unwrap();
    rows.iter().map(|row| EventId(row.get(0))).collect()
}

#[test]
fn today_there_is_an_event_with_150_guests() {
    demo(async |database| {
        let client = owner(database).await;
        let today: EventId = id("open-day");
        assert_eq!(
            events_of_the_day(&client, id("casa-aurora"), first_day()).await,
            [today]
        );
        let [
            guests,
            sessions,
            in_sessions,
            tasks,
            expenses,
            photos,
            tagged,
        ] = size(&client, today).await.try_into().unwrap();
        assert_eq!(guests, 150);
        assert!(
            sessions > 3
                && in_sessions > 10
                && tasks > 5
                && expenses > 5
                && photos > 3
                && tagged > 5
        );

        let zoe: Row = client
            .query_one(
                "select name, member_id, check_in_at from events.guests where id = $1",
                &[&id::<GuestId>("open-day/zoe-mueller").0],
            )
            .await
            .unwrap();
        assert_eq!(zoe.get::<_, String>(0), "Zoë Müller");
        assert_eq!(zoe.get::<_, Uuid>(1), id::<MemberId>("zoe-mueller").0);
        assert_eq!(
            zoe.get::<_, Timestamp>(2),
            first_day() - SignedDuration::from_mins(25)
        );

        let arrived = "select count(*) from events.guests where event_id = $1 and check_in_at <= $2 \
                       and check_in_at > $2 - interval '2 hours'";
        let recently: i64 = one(&client, arrived, &[&today.0, &first_day()]).await;
        let ever = "select count(check_in_at) from events.guests where event_id = $1";
        let ever: i64 = one(&client, ever, &[&today.0]).await;
        assert_eq!(recently, ever);
        assert!((20..100).contains(&ever), "{ever} have arrived");
    });
}

#[test]
fn guests_have_every_kind_of_name() {
    demo(async |database| {
        let client = owner(database).await;
        let today: EventId = id("open-day");
        for (kind, condition, at_least) in [
            ("accents", "name <> extensions.unaccent(name)", 30),
            ("combining characters", "name is not nfc normalized", 4),
            ("long", "length(name) > 60", 4),
            ("Arabic", "name ~ '[\u{600}-\u{6ff}]'", 4),
            ("Hebrew", "name ~ '[\u{590}-\u{5ff}]'", 3),
            ("Chinese and Japanese", "name ~ '[\u{4e00}-\u{9fff}]'", 5),
            ("Korean", "name ~ '[\u{ac00}-\u{d7a3}]'", 2),
            ("of members", "member_id is not null", 15),
            ("who can be reached in chat", "chat_id is not null", 2),
            ("with tags", "tags <> '{}'", 15),
            ("with no e-mail address", "email is null", 5),
            (
                "with another's name and another's address",
                "exists (select from events.guests o where o.event_id = g.event_id and o.id <> g.id \
                 and o.name = g.name and (o.email, o.role) is distinct from (g.email, g.role))",
                8,
            ),
        ] {
            let count =
                format!("select count(*) from events.guests g where event_id = $1 and {condition}");
            let count: i64 = one(&client, &count, &[&today.0]).await;
            assert!(count >= at_least, "{count} guests: {kind}");
        }
        let emoji = "select count(*) from events.guests where name ~ '[\u{1f300}-\u{1faff}]'";
        assert_eq!(one::<i64>(&client, emoji, &[]).await, 0);
    });
}

#[test]
fn there_are_past_and_future_events() {
    demo(async |database| {
        let client = owner(database).await;
        let count = "select count(*) from events.events where organization_id = $1 and created_at = $2 and ";
        let casa: OrganizationId = id("casa-aurora");
        for (which, expected) in [
            ("end_at < $2", 4),
            ("start_at > $2", 3),
            ("start_at is null", 1),
        ] {
            let count: i64 = one(
                &client,
                &format!("{count}{which}"),
                &[&casa.0, &first_day()],
            )
            .await;
            assert_eq!(count, expected, "{which}");
        }
        // 19:00 three days before, on the organisation's clock.
        let start = "select start_at from events.events where id = $1";
        let start: Timestamp = one(&client, start, &[&id::<EventId>("project-night").0]).await;
        assert_eq!(start.to_string(), "2026-03-02T22:00:00Z");
        let statuses = "select count(distinct status) from events.tasks where event_id = $1";
        let statuses: i64 = one(&client, statuses, &[&id::<EventId>("open-day").0]).await;
        assert_eq!(statuses, 3);
    });
}

#[test]
fn there_are_series_in_every_state() {
    demo(async |database| {
        let client = owner(database).await;
        // Occurrences, with transcript text, with a transcript id, with text and no id.
        for (key, numbers) in [
            ("leaders-weekly", [13, 11, 11, 0]),
            ("open-hours", [10, 0, 0, 0]),
            ("teachers-planning", [9, 8, 6, 2]),
            ("cohort-checkin", [6, 5, 6, 0]),
            ("daily-standup", [61, 4, 5, 0]),
            ("design-critique", [4, 3, 3, 0]),
            ("design-critique-import", [3, 2, 2, 0]),
            ("research-guild", [4, 2, 2, 0]),
            ("research-guild-import", [4, 2, 2, 0]),
            ("mentoring-circle", [6, 6, 6, 0]),
            ("alumni-circle", [3, 2, 2, 0]),
            ("night-build", [3, 1, 1, 0]),
            ("town-hall", [2, 1, 1, 0]),
            ("book-club", [0, 0, 0, 0]),
            ("tool-talk", [5, 5, 5, 0]),
        ] {
            let row = client
                .query_one(
                    "select m.is_recurring, count(o.id), count(*) filter (where o.has_transcript), \
                       count(o.transcriber_transcript_id), \
                       count(*) filter (where o.has_transcript and o.transcriber_transcript_id is null) \
                     from work.meetings m left join work.meeting_occurrences o on o.meeting_id = m.id \
                     where m.id = $1 group by m.id",
                    &[&id::<MeetingId>(key).0],
                )
                .await
                .unwrap();
            assert!(row.get::<_, bool>(0), "{key}");
            let found = [1, 2, 3, 4].map(|at| row.get::<_, i64>(at));
            assert_eq!(found, numbers, "{key}");
        }
        // The ids of three occurrences are meetings' already, with the same text; that of a fourth is
        // one's with another text.
        let existing = "select count(*), count(*) filter (where m.transcript = o.transcript) \
             from work.meeting_occurrences o \
             join work.meetings m using (organization_id, transcriber_transcript_id)";
        let row = client.query_one(existing, &[]).await.unwrap();
        assert_eq!((row.get::<_, i64>(0), row.get::<_, i64>(1)), (4, 3));
        // Something of each kind hangs on a series or on an occurrence.
        for table in [
            "meeting_participants",
            "meeting_concepts",
            "meeting_expertise",
            "meeting_tools",
            "transcript_segments",
            "meeting_underlines",
        ] {
            let count = format!("select count(*) from work.{table}");
            assert!(one::<i64>(&client, &count, &[]).await > 0, "{table}");
        }
    });
}

#[test]
fn a_series_meets_on_its_day_of_the_week() {
    demo(async |database| {
        let client = owner(database).await;
        let date = "select occurrence_date::text from work.meeting_occurrences where id = $1";
        // The demo's first day is a Thursday in São Paulo, and a Friday in Auckland.
        for (key, expected) in [
            ("leaders-weekly/+1w", "2026-03-09"),
            ("leaders-weekly/-0w", "2026-03-02"),
            ("leaders-weekly/-11w", "2025-12-15"),
            ("open-hours/-0w", "2026-02-26"),
            ("teachers-planning/-14w", "2025-11-26"),
            ("daily-standup/0d", "2026-03-05"),
            ("tool-talk/-1w", "2026-02-24"),
        ] {
            let occurrence: OccurrenceId = id(key);
            let found: String = one(&client, date, &[&occurrence.0]).await;
            assert_eq!(found, expected, "{key}");
        }
        let odd = "select count(*) from work.meeting_occurrences o join work.meetings m on m.id = o.meeting_id \
             where m.recurrence_day_of_week <> to_char(o.occurrence_date, 'fmday')";
        assert_eq!(one::<i64>(&client, odd, &[]).await, 0);
        let first = "select meeting_date from work.meetings where id = $1";
        let leaders: MeetingId = id("leaders-weekly");
        let first: Timestamp = one(&client, first, &[&leaders.0]).await;
        assert_eq!(first.to_string(), "2025-02-17T12:00:00Z");
    });
}

#[test]
fn the_demos_meetings_fire_no_webhook() {
    demo(async |database| {
        let client = owner(database).await;
        let meetings = "select count(*) from work.meetings";
        assert!(one::<i64>(&client, meetings, &[]).await > 20);
        let events = "select count(*) from webhooks.events";
        assert_eq!(one::<i64>(&client, events, &[]).await, 0);
    });
}

#[test]
fn every_account_is_there() {
    demo(async |database| {
        let client = owner(database).await;
        let rows = client
            .query(
                "select u.email, u.id, u.password_hash, s.role, s.organization_id, p.level, p.organization_id \
                 from auth.users u left join staff.users s using (id) left join learn.profiles p using (id) \
                 order by email",
                &[],
            )
            .await
            .unwrap();
        let accounts: Vec<(String, Option<String>, Option<i32>)> = rows
            .iter()
            .map(|row| (row.get(0), row.get(3), row.get(5)))
            .collect();
        let staff = |name: &str, level| (format!("{name}@demo.test"), Some(name.to_owned()), level);
        assert_eq!(
            accounts,
            [
                staff("admin", Some(80)),
                staff("automation", None),
                ("fellow@demo.test".to_owned(), None, Some(0)),
                staff("finance", None),
                (
                    "outsider@demo.test".to_owned(),
                    Some("staff".to_owned()),
                    None
                ),
                staff("owner", Some(100)),
                staff("staff", Some(0)),
                staff("teacher", Some(0)),
            ]
        );
        for row in &rows {
            let email: String = row.get(0);
            let name = email.split('@').next().unwrap();
            assert_eq!(row.get::<_, Uuid>(1), id::<UserId>(name).0, "{email}");
            assert_eq!(row.get::<_, String>(2), HASH, "{email}");
            let organization: Option<Uuid> = row.get::<_, Option<Uuid>>(4).or(row.get(6));
            let expected = if name == "outsider" {
                "harbour-lab"
            } else {
                "casa-aurora"
            };
            assert_eq!(
                organization,
                Some(id::<OrganizationId>(expected).0),
                "{email}"
            );
        }
    });
}

#[test]
fn the_fellow_is_a_guest_has_a_task_and_is_in_a_photo() {
    demo(async |database| {
        let client = owner(database).await;
        let fellow: UserId = id("fellow");
        let today: EventId = id("open-day");
        for (what, count) in [
            ("guests g where g.member_id = p.member_id", 1),
            ("tasks t where t.assignee_id = p.member_id", 1),
            (
                "photos f join events.photo_members m on m.photo_id = f.id where m.member_id = p.member_id",
                2,
            ),
        ] {
            let sql = format!(
                "select (select count(*) from events.{what} and event_id = $2) \
                 from learn.profiles p where p.id = $1"
            );
            assert_eq!(
                one::<i64>(&client, &sql, &[&fellow.0, &today.0]).await,
                count,
                "{what}"
            );
        }
    });
}

#[test]
fn the_second_organisation_sees_only_itself() {
    demo(async |database| {
        {
            let client = owner(database).await;
            // As for the events that other tests add: only what is from the first day.
            let own = events_of_the_day(&client, id("harbour-lab"), first_day()).await;
            assert_eq!(own, [id("makers-day")]);
            assert_eq!(size(&client, id("makers-day")).await[0], 12);
        }
        let outsider = Actor::Caller(id("outsider"));
        let mut transaction = database.transaction(outsider, Access::Read);
        for table in [
            "events.events",
            "events.guests",
            "events.sessions",
            "events.tasks",
            "events.expenses",
            "events.photos",
            "work.meetings",
            "work.meeting_occurrences",
        ] {
            let sql = format!(
                "select count(*) filter (where organization_id = $1), \
                        count(*) filter (where organization_id <> $1) from {table}"
            );
            let harbour: OrganizationId = id("harbour-lab");
            let rows = transaction.query(&sql, &[&harbour.0]).await.unwrap();
            assert!(rows[0].get::<_, i64>(0) > 0, "{table}");
            assert_eq!(rows[0].get::<_, i64>(1), 0, "{table}");
        }
    });
}

#[test]
fn loaded_twice_is_loaded_once() {
    demo(async |database| {
        let mut client = owner(database).await;
        // What users do stays: a guest renamed, an event made longer.
        client
            .batch_execute(&format!(
                "update events.guests set name = 'Renamed' where id = '{}'; \
                 update events.events set end_at = end_at + interval '1 day' where id = '{}'",
                id::<GuestId>("project-night/ed"),
                id::<EventId>("mentors-dinner"),
            ))
            .await
            .unwrap();
        let before = contents(&client).await;
        let later = first_day() + SignedDuration::from_hours(2);
        let loaded = load(&mut client, later, "another hash").await.unwrap();
        assert_eq!(loaded, Added::Nothing);
        assert_eq!(contents(&client).await, before);
    });
}

#[test]
fn a_later_day_has_an_event_of_its_own() {
    demo(async |database| {
        let mut client = owner(database).await;
        let guests = "select md5(string_agg(g::text, '' order by id)) from events.guests g where event_id = $1";
        let first: EventId = id("open-day");
        let before: String = one(&client, guests, &[&first.0]).await;
        let tomorrow = first_day() + SignedDuration::from_hours(24);

        let loaded = load(&mut client, tomorrow, HASH).await.unwrap();

        let today: EventId = id("open-day@2026-03-06");
        assert_eq!(loaded, Added::Today);
        assert_eq!(
            events_of_the_day(&client, id("casa-aurora"), tomorrow).await,
            [today]
        );
        assert_eq!(size(&client, today).await, size(&client, first).await);
        assert_eq!(one::<String>(&client, guests, &[&first.0]).await, before);
        let makers: EventId = id("makers-day@2026-03-07");
        assert_eq!(
            events_of_the_day(&client, id("harbour-lab"), tomorrow).await,
            [makers]
        );

        let contents_then = contents(&client).await;
        let again = load(&mut client, tomorrow, HASH).await.unwrap();
        assert_eq!(again, Added::Nothing);
        assert_eq!(contents(&client).await, contents_then);
    });
}

#[test]
fn the_day_is_the_organisations_at_every_hour() {
    demo(async |database| {
        let mut client = owner(database).await;
        let zone = TimeZone::get("America/Sao_Paulo").unwrap();
        let at = |hour, minute| {
            let local = jiff::civil::date(2026, 4, 10).at(hour, minute, 0, 0);
            local.to_zoned(zone.clone()).unwrap().timestamp()
        };
        for now in [at(0, 0), at(7, 30), at(23, 59)] {
            load(&mut client, now, HASH).await.unwrap();
            let today = events_of_the_day(&client, id("casa-aurora"), now).await;
            assert_eq!(today, [id("open-day@2026-04-10")], "{now}");
        }
    });
}

#[test]
fn who_has_left_is_a_guest_without_a_member() {
    demo(async |database| {
        let mut client = owner(database).await;
        let gone: MemberId = id("tevita-fifita");
        for statement in [
            "update events.guests set member_id = null where member_id = $1",
            "delete from learn.members where id = $1",
        ] {
            client.execute(statement, &[&gone.0]).await.unwrap();
        }
        // The 20th of May in Auckland.
        load(&mut client, "2026-05-19T15:00:00Z".parse().unwrap(), HASH)
            .await
            .unwrap();
        let guest: GuestId = id("makers-day@2026-05-20/tevita-fifita");
        let member = "select member_id from events.guests where id = $1";
        assert_eq!(
            one::<Option<Uuid>>(&client, member, &[&guest.0]).await,
            None
        );
    });
}

#[test]
fn a_seeded_event_has_as_many_guests_as_asked() {
    demo(async |database| {
        let now: Timestamp = "2026-06-01T15:00:00Z".parse().unwrap();
        let add = async |guests| {
            let owner = async || Ok::<_, FixtureError>(owner(database).await);
            seed(owner, guests, now).await.unwrap()
        };
        let seeded = add(1_000).await;
        let client = owner(database).await;
        assert_eq!(
            seeded.to_string(),
            "Seeded event (1000 guests) to Casa Aurora"
        );
        let row = client
            .query_one(
                "select count(*), count(distinct name), count(distinct email), count(check_in_at), \
                   count(*) filter (where check_in_at > $2 or check_in_at < $2 - interval '2 hours') \
                 from events.guests where event_id = $1 and organization_id = $3",
                &[&seeded.event.0, &now, &id::<OrganizationId>("casa-aurora").0],
            )
            .await
            .unwrap();
        let [guests, names, emails, arrived, astray] =
            [0, 1, 2, 3, 4].map(|at| row.get::<_, i64>(at));
        assert_eq!((guests, emails, astray), (1_000, 1_000, 0));
        assert!(names > 900, "{names} different names");
        assert!((200..300).contains(&arrived), "{arrived} have arrived");

        drop(client);
        let more = add(12_345).await;
        let client = owner(database).await;
        let count = "select count(*) from events.guests where event_id = $1";
        assert_eq!(one::<i64>(&client, count, &[&more.event.0]).await, 12_345);
        let counted = "select reltuples::int8 from pg_class where oid = 'events.guests'::regclass";
        assert!(one::<i64>(&client, counted, &[]).await >= 13_345);
        // The same guests again, and more of them.
        let same = "select count(*) from events.guests a join events.guests b \
                    using (name, email, phone_number, role) where a.event_id = $1 and b.event_id = $2";
        let phones = "select count(phone_number) from events.guests where event_id = $1";
        assert_eq!(
            one::<i64>(&client, same, &[&seeded.event.0, &more.event.0]).await,
            one::<i64>(&client, phones, &[&seeded.event.0]).await,
        );
    });
}
