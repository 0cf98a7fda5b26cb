//! Rules for every object of the database, whichever file created it.

use frontdesk_protocol::Host;
use frontdesk_protocol::resource::{Kind, Use, Verb};
use frontdesk_tests::{run, world};
use tokio_postgres::Client;

/// A rule that no object may break.
struct Rule {
    /// The rule in the message of a failing test.
    says: &'static str,
    /// A query for the names of the objects that break it.
    offenders: &'static str,
    /// SQL that creates an object that breaks it.
    offence: &'static str,
    /// The name of that object.
    offender: &'static str,
}

/// Tables that are neither PostgreSQL's nor an extension's.
macro_rules! our_tables {
    ($condition:literal) => {
        concat!(
            "select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace \
             where c.relkind in ('r', 'p', 'f') and n.nspname <> 'information_schema' \
               and n.nspname !~ '^pg_' \
               and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass \
                                 and d.objid = c.oid and d.deptype = 'e') and ",
            $condition
        )
    };
}

/// Functions that are neither PostgreSQL's nor an extension's.
macro_rules! our_functions {
    ($condition:literal) => {
        concat!(
            "select p.oid::regprocedure::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace \
             where n.nspname <> 'information_schema' and n.nspname !~ '^pg_' \
               and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass \
                                 and d.objid = p.oid and d.deptype = 'e') and ",
            $condition
        )
    };
}

const RULES: &[Rule] = &[
    Rule {
        says: "a column with the address of a person is one in which erasure looks",
        offenders: our_tables!(
            "exists (select from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped \
               and a.attname ~ '(^|_)(email|phone|phone_number|login|chat_id|chat_user_id)$' \
               and a.attname <> all (app.address_fields()))"
        ),
        offence: "create table events.offence (second_email text)",
        offender: "events.offence",
    },
    Rule {
        says: "a publication of all tables can tell which row of a table is deleted",
        offenders: our_tables!(
            "c.relreplident <> 'f' \
               and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)"
        ),
        offence: "create table events.offence (id uuid)",
        offender: "events.offence",
    },
    Rule {
        says: "every table has row-level security, and its owner too is under it",
        offenders: our_tables!("not (c.relrowsecurity and c.relforcerowsecurity)"),
        offence: "create table events.offence (id int); \
            alter table events.offence enable row level security",
        offender: "events.offence",
    },
    Rule {
        says: "every table has a policy",
        offenders: our_tables!("not exists (select from pg_policy where polrelid = c.oid)"),
        offence: "create table events.offence (id int); \
            alter table events.offence enable row level security; \
            alter table events.offence force row level security",
        offender: "events.offence",
    },
    Rule {
        says: "a policy for everyone admits nobody",
        offenders: "select polrelid::regclass::text from pg_policy \
            where 0 = any (polroles) and (pg_get_expr(polqual, polrelid) is distinct from 'false' \
              or coalesce(pg_get_expr(polwithcheck, polrelid), 'false') <> 'false')",
        offence: "create table events.offence (id int); \
            create policy everyone on events.offence using (true)",
        offender: "events.offence",
    },
    Rule {
        says: "every table is the owner's",
        offenders: our_tables!("c.relowner <> 'frontdesk_owner'::regrole"),
        offence: "reset role; create table events.offence (id int)",
        offender: "events.offence",
    },
    Rule {
        says: "a column that the history leaves out changes with others that it has, as app.tables_read says, or without a call",
        offenders: "select t.tgrelid::regclass || '.' || a.attname from pg_trigger t \
            join pg_attribute a on a.attrelid = t.tgrelid and not a.attisdropped and a.attgenerated = '' \
              and a.attname = any (split_part(encode(t.tgargs, 'escape'), '\\000', 2)::text[]) \
            where t.tgname = 'a_capture' \
              and t.tgrelid not in ('auth.password_links'::regclass, 'webhooks.events'::regclass) \
              and t.tgrelid::regclass || '.' || a.attname not in ('events.guests.changed_in', \
                'learn.profiles.rights_taken_at', 'staff.invitations.token_hash', 'staff.users.rights_taken_at')",
        offence: "create table events.offence (id int primary key, secret text); \
            select app.capture_changes('events.offence', secret => '{secret}')",
        offender: "events.offence.secret",
    },
    Rule {
        // In any order: all of it is compared for equality.
        says: "every foreign key has an index that begins with what it refers by, the organisation included",
        offenders: "select f.conname::text from pg_constraint f \
            where f.contype = 'f' and not exists ( \
              select from pg_index i where i.indrelid = f.conrelid and i.indisvalid \
                and i.indpred is null \
                and (i.indkey::int2[])[0:1] @> f.conkey[1:2])",
        offence: "create table events.offence (id uuid primary key, event_id uuid, organization_id uuid, \
            constraint offence_fkey foreign key (event_id, organization_id) \
              references events.events (id, organization_id)); \
            create index on events.offence (event_id, id)",
        offender: "offence_fkey",
    },
    Rule {
        says: "no index is the beginning of another of its table: each write would write both",
        offenders: "select a.indexrelid::regclass::text from pg_index a \
            join pg_index b on b.indrelid = a.indrelid and b.indkey::text like a.indkey::text || ' %' \
              and b.indoption::text like a.indoption::text || ' %' and b.indnkeyatts >= a.indnatts \
            join pg_class c on c.oid = a.indexrelid and c.relowner = 'frontdesk_owner'::regrole \
            where not a.indisunique and coalesce(a.indpred, b.indpred, a.indexprs) is null",
        offence: "create table events.offence (id uuid primary key, event_id uuid); \
            create index on events.offence (event_id); create index on events.offence (event_id, id)",
        offender: "events.offence_event_id_idx",
    },
    Rule {
        says: "a key that holds a reference holds the organisation, too, where the reference does",
        offenders: "select i.indexrelid::regclass::text from pg_index i \
            where i.indisunique and exists ( \
              select from pg_constraint f join pg_attribute o \
                on o.attrelid = f.conrelid and o.attnum = any (f.conkey) and o.attname = 'organization_id' \
              where f.contype = 'f' and f.conrelid = i.indrelid and cardinality(f.conkey) > 1 \
                and i.indkey::int2[] && array_remove(f.conkey, o.attnum) \
                and not o.attnum = any (i.indkey)) \
              and not exists (select from pg_attribute id where id.attrelid = i.indrelid \
                and id.attname = 'id' and id.attnum = any (i.indkey))",
        offence: "create table events.offence (event_id uuid, organization_id uuid, \
            foreign key (event_id, organization_id) references events.events (id, organization_id)); \
            create index on events.offence (event_id, organization_id); \
            create unique index offence_event_id_key on events.offence (event_id)",
        offender: "events.offence_event_id_key",
    },
    Rule {
        says: "a free-form field that callers write has its size checked",
        offenders: our_tables!(
            "exists (select from pg_attribute a where a.attrelid = c.oid and not a.attisdropped \
               and a.atttypid in ('json'::regtype, 'jsonb'::regtype) \
               and has_column_privilege('authenticated', c.oid, a.attnum, 'insert, update') \
               and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'c' \
                 and k.conkey = array[a.attnum] \
                 and k.conname = c.relname || '_' || a.attname || '_size_check'))"
        ),
        offence: "create table events.offence (notes jsonb); grant insert on events.offence to authenticated",
        offender: "events.offence",
    },
    Rule {
        says: "the changes of every table that callers read are captured, without generated columns and hashes",
        offenders: our_tables!(
            "c.relkind = 'r' and not c.relispartition and c.relname not in ('idempotency_keys', 'applied_plans', 'presence') \
             and has_any_column_privilege('authenticated', c.oid, 'select') \
             and not exists (select from pg_trigger t \
               where t.tgrelid = c.oid and t.tgname = 'a_capture' and t.tgenabled = 'O' and t.tgtype & 29 = 29 \
                 and coalesce((select array_agg(a.attname::text) from pg_attribute a where a.attrelid = c.oid \
                       and not a.attisdropped and (a.attgenerated <> '' or a.attname ~ 'hash$')), '{}') \
                   <@ (string_to_array(encode(t.tgargs, 'escape'), '\\000'))[2]::text[])"
        ),
        offence: "create table events.offence (id uuid primary key, name text, \
            name_key text generated always as (lower(name)) stored); \
            select app.capture_changes('events.offence'); \
            grant select on events.offence to authenticated; \
            alter table events.offence add token_hash bytea",
        offender: "events.offence",
    },
    Rule {
        says: "a new row gets its id from app.new_id, so that a preview shows the id of its call",
        offenders: "select a.attrelid::regclass::text from pg_attrdef d \
            join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum \
            join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace \
            where n.nspowner = 'frontdesk_owner'::regrole and n.nspname not in ('auth', 'webhooks') \
              and pg_get_expr(d.adbin, d.adrelid) = 'gen_random_uuid()'",
        offence: "create table events.offence (id uuid primary key default gen_random_uuid())",
        offender: "events.offence",
    },
    Rule {
        says: "no function looks names up where its caller wants",
        // Bodies written as SQL instead of a string were resolved when the function was created.
        offenders: our_functions!(
            "p.prosqlbody is null and not coalesce('search_path=\"\"' = any (p.proconfig), false)"
        ),
        offence: "create function app.offence() returns int language sql as 'select 1'",
        offender: "app.offence()",
    },
    Rule {
        says: "no function is everyone's to call",
        offenders: our_functions!(
            "exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a \
                     where a.grantee = 0)"
        ),
        offence: "create function app.offence() returns int language sql set search_path = '' \
            return 1; grant execute on function app.offence() to public",
        offender: "app.offence()",
    },
    Rule {
        says: "every function is the owner's, and what runs as its definer runs as the owner",
        offenders: our_functions!("p.proowner <> 'frontdesk_owner'::regrole"),
        offence: "reset role; create function app.offence() returns int language sql \
            security definer set search_path = '' return 1",
        offender: "app.offence()",
    },
    Rule {
        says: "every view shows a caller what the caller's own policies show",
        offenders: "select c.oid::regclass::text from pg_class c \
              join pg_namespace n on n.oid = c.relnamespace \
            where c.relkind in ('v', 'm') and n.nspname <> 'information_schema' \
              and n.nspname !~ '^pg_' \
              and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass \
                                and d.objid = c.oid and d.deptype = 'e') \
              and (c.relkind = 'm' or not exists ( \
                select from pg_options_to_table(c.reloptions) o \
                where o.option_name = 'security_invoker' and o.option_value::boolean))",
        offence: "create view events.offence as select name from events.guests",
        offender: "events.offence",
    },
    Rule {
        says: "everyone may do nothing in the schemas that are not PostgreSQL's own",
        offenders: "select n.nspname::text from pg_namespace n, \
              aclexplode(coalesce(n.nspacl, acldefault('n', n.nspowner))) a \
            where a.grantee = 0 and n.nspname not in ('public', 'information_schema') \
              and n.nspname !~ '^pg_' \
            union all select c.oid::regclass::text from pg_class c \
              join pg_namespace n on n.oid = c.relnamespace, \
              aclexplode(c.relacl) a \
            where a.grantee = 0 and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'",
        offence: "grant usage on schema events to public",
        offender: "events",
    },
    Rule {
        says: "authenticator owns nothing and is granted nothing",
        offenders: "select pg_describe_object(classid, objid, objsubid) from pg_shdepend \
            where refclassid = 'pg_authid'::regclass and refobjid = 'authenticator'::regrole \
              and classid <> 'pg_auth_members'::regclass \
              and dbid in (0, (select oid from pg_database where datname = current_database()))",
        offence: "create table events.offence (id int); \
            grant select (id) on events.offence to authenticator",
        offender: "column id of table events.offence",
    },
    Rule {
        says: "a role that callers run as is above no policy, and nobody logs in as it",
        offenders: "select rolname::text from pg_roles \
            where rolname in ('authenticated', 'anonymous', 'frontdesk_identity', 'frontdesk_webhooks') \
              and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication \
                or rolcanlogin)",
        offence: "reset role; alter role authenticated bypassrls",
        offender: "authenticated",
    },
    Rule {
        says: "authenticator is powerless, and inherits nothing",
        offenders: "select rolname::text from pg_roles where rolname = 'authenticator' \
            and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication \
              or rolinherit \
              or pg_has_role('authenticator', 'authenticated', 'usage') \
              or pg_has_role('authenticator', 'anonymous', 'usage') \
              or pg_has_role('authenticator', 'frontdesk_identity', 'usage') \
              or pg_has_role('authenticator', 'frontdesk_webhooks', 'usage'))",
        offence: "reset role; alter role authenticator createrole",
        offender: "authenticator",
    },
    Rule {
        says: "authenticator may become the roles that transactions run as, and these no others",
        offenders: "select format('%s is a %s', member::regrole, roleid::regrole) \
            from pg_auth_members \
            where member in ('authenticator'::regrole, 'authenticated'::regrole, 'anonymous'::regrole, \
                             'frontdesk_identity'::regrole, 'frontdesk_webhooks'::regrole) \
              and (member <> 'authenticator'::regrole \
                or roleid not in ('authenticated'::regrole, 'anonymous'::regrole, \
                                  'frontdesk_identity'::regrole, 'frontdesk_webhooks'::regrole))",
        offence: "reset role; grant frontdesk_owner to authenticated",
        offender: "authenticated is a frontdesk_owner",
    },
    Rule {
        says: "a caller reaches no account, no key, no function's digest and no webhook",
        offenders: our_tables!(
            "(n.nspname in ('auth', 'webhooks') or c.relname in ('secrets', 'migrations', 'functions', 'function_sets')) \
             and has_any_column_privilege('authenticated', c.oid, 'select, insert, update')"
        ),
        offence: "create table auth.offence (id int); grant select on auth.offence to authenticated",
        offender: "auth.offence",
    },
    Rule {
        says: "sign-in reaches accounts and keys and nothing else",
        offenders: our_tables!(
            "n.nspname <> 'auth' and c.oid <> 'app.secrets'::regclass \
             and has_any_column_privilege('frontdesk_identity', c.oid, 'select, insert, update')"
        ),
        offence: "create table events.offence (id int); \
            grant select on events.offence to frontdesk_identity",
        offender: "events.offence",
    },
    Rule {
        says: "who is not signed in reads articles of the wiki and nothing else, and writes nothing",
        offenders: our_tables!(
            "(c.oid <> 'learn.wiki_articles'::regclass \
               and has_any_column_privilege('anonymous', c.oid, 'select') \
             or has_any_column_privilege('anonymous', c.oid, 'insert, update, references') \
             or has_table_privilege('anonymous', c.oid, 'delete, truncate, trigger'))"
        ),
        offence: "create table events.offence (id int); grant select on events.offence to anonymous",
        offender: "events.offence",
    },
    Rule {
        says: "who is not signed in calls nothing but what says whose wiki is read",
        offenders: our_functions!(
            "has_function_privilege('anonymous', p.oid, 'execute') \
             and p.oid not in ('app.enter_public(uuid)'::regprocedure, 'app.wikis(text)'::regprocedure, \
                               'app.caller_org()'::regprocedure)"
        ),
        offence: "create function app.offence() returns int language sql set search_path = '' \
            return 1; grant execute on function app.offence() to anonymous",
        offender: "app.offence()",
    },
    Rule {
        says: "the webhook worker reaches the outbox and nothing else, and adds and removes nothing",
        offenders: our_tables!(
            "(n.nspname <> 'webhooks' \
               and has_any_column_privilege('frontdesk_webhooks', c.oid, 'select, insert, update') \
             or has_table_privilege('frontdesk_webhooks', c.oid, 'insert, delete, truncate'))"
        ),
        offence: "create table webhooks.offence (id int); \
            grant insert on webhooks.offence to frontdesk_webhooks",
        offender: "webhooks.offence",
    },
    Rule {
        says: "what a caller may delete is an association, a meeting's, a key of the caller's own, what an undo \
               takes back or a tool deletes, and nothing can be truncated",
        offenders: our_tables!(
            "(has_table_privilege('authenticated', c.oid, 'truncate, references, trigger') \
             or has_table_privilege('authenticated', c.oid, 'delete') \
               and c.relname not in ('session_guests', 'photo_members', 'cohort_members', 'plan_tasks', \
                                     'milestone_completions', \
                                     'idempotency_keys', 'slides', 'guests', 'movements', {deleted}) \
               and n.nspname <> 'work')"
        ),
        offence: "create table events.offence (id int); \
            grant delete on events.offence to authenticated",
        offender: "events.offence",
    },
];

/// The records that a tool deletes, as a list in SQL: their tables have the same names. Invoices and invitations are
/// cancelled and revoked, but kept.
fn deleted() -> String {
    let kinds = Host::ALL.into_iter().flat_map(Host::kinds);
    let deletes = |one: &Use| {
        let name = one.tool;
        one.verb == Verb::Delete && (name.starts_with("delete_") || name.starts_with("remove_"))
    };
    let is_deleted = |kind: &&Kind| kind.uses.iter().any(deletes);
    let names = kinds
        .filter(is_deleted)
        .map(|kind| format!("'{}'", kind.plural));
    names.collect::<Vec<_>>().join(", ")
}

async fn offenders(client: &Client, rule: &Rule) -> Vec<String> {
    let sql = rule.offenders.replace("{deleted}", &deleted());
    let rows = client.query(&sql, &[]).await;
    let rows = rows.unwrap_or_else(|error| panic!("{}: {error:?}", rule.says));
    rows.iter().map(|row| row.get(0)).collect()
}

#[test]
fn no_object_breaks_a_rule() {
    run(async {
        for rule in RULES {
            // The embedded database has one connection: other tests get their turn in between.
            let owner = world().owner().await;
            let offenders = offenders(&owner, rule).await;
            assert!(offenders.is_empty(), "{}: {offenders:?}", rule.says);
        }
    });
}

/// Otherwise a rule whose query finds nothing would always hold.
#[test]
fn every_rule_sees_an_object_that_breaks_it() {
    run(async {
        for rule in RULES {
            let mut owner = world().owner().await;
            let transaction = owner.transaction().await.expect("a transaction");
            let offence = transaction.batch_execute(rule.offence).await;
            offence.unwrap_or_else(|error| panic!("{}: {error:?}", rule.says));
            let found = offenders(transaction.client(), rule).await;
            assert_eq!(found, [rule.offender], "{}", rule.says);
            transaction.rollback().await.expect("undone");
        }
    });
}

#[test]
fn the_catalogue_has_what_the_rules_are_about() {
    run(async {
        let owner = world().owner().await;
        for (sql, at_least) in [
            (our_tables!("true"), 27),
            (our_functions!("p.prosecdef"), 2),
            (
                "select rolname::text from pg_roles where rolname in \
                   ('frontdesk_owner', 'authenticator', 'authenticated', 'anonymous', \
                    'frontdesk_identity', 'frontdesk_webhooks')",
                6,
            ),
            (
                "select rolname::text from pg_roles where rolname = 'frontdesk_owner' \
                   and rolbypassrls and not rolcanlogin and not rolsuper",
                1,
            ),
        ] {
            let found = owner.query(sql, &[]).await.expect(sql).len();
            assert!(found >= at_least, "{found}: {sql}");
        }
    });
}
