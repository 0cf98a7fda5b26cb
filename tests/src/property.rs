//! Property tests.

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};

/// Checks a property on this many cases, the same ones each time.
///
/// # Panics
///
/// If it fails, with the smallest failing case.
pub fn holds<S: Strategy>(
    cases: u32,
    strategy: S,
    property: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    let config = Config {
        cases,
        rng_seed: RngSeed::Fixed(20_260_312),
        failure_persistence: None,
        ..Config::default()
    };
    let outcome = TestRunner::new(config).run(&strategy, property);
    outcome.unwrap_or_else(|error| panic!("{error}"));
}
