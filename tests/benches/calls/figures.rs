//! Many times of one thing, and what they say.

use std::time::Duration;

/// What was measured of one thing.
#[derive(Debug, Default, Clone)]
pub(crate) struct Figures {
    /// How long each call took.
    times: Vec<Duration>,
    /// Calls a second, round by round.
    rates: Vec<f64>,
    /// Processor time of what answered, and of each thing beside it, as the database.
    processor: Vec<Duration>,
}

impl Figures {
    /// Adds a round.
    pub(crate) fn add(&mut self, times: Vec<Duration>, took: Duration, processor: Vec<Duration>) {
        self.rates.push(times.len() as f64 / took.as_secs_f64());
        self.times.extend(times);
        self.processor.resize(processor.len(), Duration::ZERO);
        for (all, more) in self.processor.iter_mut().zip(processor) {
            *all += more;
        }
    }

    /// Calls a second: the median of the rounds.
    pub(crate) fn rate(&self) -> f64 {
        let mut rates = self.rates.clone();
        rates.sort_by(f64::total_cmp);
        rates.get(rates.len() / 2).copied().unwrap_or_default()
    }

    /// The time within which this share of the calls was answered.
    pub(crate) fn within(&self, share: f64) -> Duration {
        within(&mut self.times.clone(), share)
    }

    /// Processor time of each call, part by part.
    pub(crate) fn processor(&self) -> Vec<Duration> {
        let calls = u32::try_from(self.times.len()).unwrap_or(u32::MAX).max(1);
        self.processor.iter().map(|all| *all / calls).collect()
    }
}

/// The time within which this share of them lies.
pub(crate) fn within(times: &mut [Duration], share: f64) -> Duration {
    times.sort_unstable();
    let at = (times.len() as f64 * share) as usize;
    let at = at.min(times.len().saturating_sub(1));
    times.get(at).copied().unwrap_or_default()
}

/// A time in microseconds, as the tables have it.
pub(crate) fn micros(time: Duration) -> String {
    format!("{:.0}", time.as_secs_f64() * 1e6)
}
