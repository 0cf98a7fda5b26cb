//! Properties: what holds whatever the case.

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};

use crate::world::run;

/// Runs a property on so many cases, the same ones each time.
///
/// # Panics
/// If it does not hold, with the smallest case that was found.
pub fn holds<S: Strategy>(
    cases: u32,
    strategy: S,
    property: impl AsyncFn(S::Value) -> Result<(), TestCaseError>,
) {
    let config = Config {
        cases,
        rng_seed: RngSeed::Fixed(20_260_312),
        failure_persistence: None,
        ..Config::default()
    };
    let outcome = TestRunner::new(config).run(&strategy, |value| run(property(value)));
    outcome.unwrap_or_else(|error| panic!("{error}"));
}
