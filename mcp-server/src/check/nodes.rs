//! The nodes of a cluster, each by itself: role, lag, clock.

use super::Finding;
use super::clock::clock;
use crate::database::{Raw, ServerAddress, node, nodes};

const PART: &str = "node";
/// The lag of a standby that counts, in bytes: a segment of the log.
const BEHIND: i64 = 16 * 1024 * 1024;

/// The state of a node.
struct Node {
    is_standby: bool,
    /// Where its log ends, in bytes.
    end: i64,
    /// The standbys that its commits wait for.
    synchronous: String,
    /// The number of the cluster that it belongs to.
    system: i64,
    clock: f64,
}

/// Tests each node of an address with several, and the replicas.
pub(super) async fn check(cluster: &ServerAddress, replicas: &[ServerAddress]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut found = Vec::new();
    let mut all = nodes(cluster);
    let is_cluster = all.len() > 1;
    if !is_cluster && !replicas.is_empty() {
        all.extend(node(cluster, 0));
    }
    for (name, location) in replicas.iter().filter_map(|replica| node(replica, 0)) {
        if all.iter().all(|(listed, _)| *listed != name) {
            all.push((name, location));
        }
    }
    for (name, location) in all {
        let node = async {
            let raw = Raw::open(&location)
                .await
                .map_err(|error| error.to_string())?;
            let row = raw.client().query_one(
                "select pg_is_in_recovery(),
                        pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
                                             else pg_current_wal_lsn() end, '0/0')::bigint,
                        current_setting('synchronous_standby_names'),
                        (pg_control_system()).system_identifier,
                        extract(epoch from clock_timestamp())::float8",
                &[],
            );
            let row = row.await.map_err(|error| error.to_string())?;
            Ok::<_, String>(Node {
                is_standby: row.get(0),
                end: row.get(1),
                synchronous: row.get(2),
                system: row.get(3),
                clock: row.get(4),
            })
        };
        match node.await {
            Ok(node) => {
                findings.extend(clock(&format!("the clock of {name}"), node.clock));
                found.push((name, node));
            }
            Err(error) => findings.push(Finding::bad(
                PART,
                format!("{name}: {error}"),
                "start it: the cluster has one node fewer for a failover",
            )),
        }
    }
    let primaries: Vec<_> = found.iter().filter(|(_, node)| !node.is_standby).collect();
    let end = primaries.iter().map(|(_, node)| node.end).max();
    let system = primaries.first().map(|(_, node)| node.system);
    for (name, node) in &found {
        findings.push(match (node.is_standby, end) {
            _ if system.is_some_and(|system| system != node.system) => Finding::bad(
                PART,
                format!("{name}: another database, no copy of the primary's"),
                "give the address of a standby of the primary",
            ),
            (false, _) if is_cluster && node.synchronous.is_empty() => Finding::doubt(
                PART,
                format!("{name}: the primary, without a synchronous standby: a failover would lose changes"),
                "start the standbys, and set synchronous_mode (Patroni) or synchronous_standby_names",
            ),
            (false, _) if node.synchronous.is_empty() => {
                Finding::good(PART, format!("{name}: the primary"))
            }
            (false, _) => Finding::good(
                PART,
                format!("{name}: the primary; its synchronous standby: {}", node.synchronous),
            ),
            (true, Some(end)) if end - node.end > BEHIND => Finding::doubt(
                PART,
                format!("{name}: a standby, {} MB behind", (end - node.end) / 1024 / 1024),
                "look for a slow disk or network, and at its log",
            ),
            (true, _) => Finding::good(PART, format!("{name}: a standby, up to date")),
        });
    }
    if primaries.len() > 1 {
        let names: Vec<_> = primaries.iter().map(|(name, _)| name.as_str()).collect();
        findings.push(Finding::bad(
            PART,
            format!("{} all accept writes", names.join(" and ")),
            "stop all but the right one at once, and let Patroni decide who is the primary",
        ));
    }
    findings
}
