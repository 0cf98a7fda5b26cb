//! The measured process: the hosts, or a bare echo.

use std::io::Write;

use axum::Router;
use axum::body::Bytes;
use axum::routing::post;
use frontdesk_server::database::{Database, Location, LocationError};
use frontdesk_server::identity::IdentitySettings;
use frontdesk_server::server::{DEMO_PUBLIC_KEY, Server, Settings};
use frontdesk_server::telemetry;

use crate::stage::{EVENT, STAFF};

/// The first argument of such a process.
pub(crate) const MODE: &str = "--as-a-server";

/// `echo`; or a database, how many guests its event has, and options as `frontdesk-server` has them: `--pooler`,
/// `--replica`.
pub(crate) fn run(arguments: &[String]) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        match arguments {
            [echo] if echo == "echo" => serve_echo().await,
            [database, guests, options @ ..] => {
                let mut location = database.parse().expect("an address");
                for option in options.chunks(2) {
                    location = beside(location, option).expect("an address");
                }
                serve_hosts(&location, guests.parse().expect("a number")).await;
            }
            _ => panic!("{arguments:?}"),
        }
    });
}

fn beside(location: Location, option: &[String]) -> Result<Location, LocationError> {
    match option {
        [name, pooler] if name == "--pooler" => location.through(pooler),
        [name, replica] if name == "--replica" => location.read_by(replica),
        _ => panic!("{option:?}"),
    }
}

fn listening(address: std::net::SocketAddr) {
    let mut stdout = std::io::stdout();
    writeln!(stdout, "{address}").expect("somebody reads it");
    stdout.flush().expect("somebody reads it");
}

async fn serve_echo() {
    let router = Router::new().route("/events/mcp", post(|body: Bytes| async move { body }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
    let listener = listener.expect("a port");
    listening(listener.local_addr().expect("an address"));
    axum::serve(listener, router).await.expect("it serves");
}

/// As `frontdesk-server serve --demo --rate-limit 0` does it, its log included.
async fn serve_hosts(location: &Location, guests: i32) {
    telemetry::init_log(false);
    let database = Database::open(location, 10).await.expect("a database");
    let server = Server::over(
        database.clone(),
        Settings {
            demo: true,
            calls_per_minute: 0,
            identity: IdentitySettings {
                public_key: Some(DEMO_PUBLIC_KEY.to_owned()),
                ..IdentitySettings::default()
            },
            ..Settings::local(location.clone())
        },
    );
    let server = server.await.expect("it starts");
    if guests > 0 {
        let owner = database.owner().await.expect("the owner");
        let of_staff = "select u.organization_id from staff.users u join auth.users using (id) \
             where email = $1";
        let organization: uuid::Uuid = owner
            .query_one(of_staff, &[&STAFF])
            .await
            .expect("the staff")
            .get(0);
        owner
            .execute(
                "insert into events.events (id, organization_id, strategy_business_unit_id, name) \
                 select $1::text::uuid, $2, id, 'Measured' from strategy.business_units \
                 where organization_id = $2 order by id limit 1",
                &[&EVENT, &organization],
            )
            .await
            .expect("an event");
        owner
            .execute(
                "insert into events.guests (id, organization_id, event_id, name, email, role) \
                 select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, $2, \
                   $1::text::uuid, 'Guest ' || md5(n::text), 'guest' || n || '@example.org', 'guest' \
                 from generate_series(1, $3::integer) n",
                &[&EVENT, &organization, &guests],
            )
            .await
            .expect("guests");
        owner
            .batch_execute("vacuum (analyze) events.guests")
            .await
            .expect("statistics");
    }
    listening(server.address());
    // Until it is killed.
    std::future::pending::<()>().await;
}
