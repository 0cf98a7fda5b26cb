//! All series that were listed so far. Doubles are looked for among these: a filter must not take the
//! mark from a series whose double it leaves out.

use std::collections::{HashMap, HashSet};

use frontdesk_protocol::id::MeetingId;
use frontdesk_protocol::work::series::Series;

use super::attention::{Double, doubles};

/// The series that are known, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Known(Vec<Series>);

impl Known {
    /// Takes over what is listed now. What would be listed too, and is not, is not there any more.
    pub(super) fn take<'a>(
        &mut self,
        listed: impl Iterator<Item = &'a Series>,
        would_be_listed: impl Fn(&Series) -> bool,
    ) {
        let listed: Vec<Series> = listed.cloned().collect();
        let ids: HashSet<MeetingId> = listed.iter().map(|series| series.id).collect();
        self.0
            .retain(|series| !ids.contains(&series.id) && !would_be_listed(series));
        self.0.extend(listed);
        self.0.sort_by_key(|series| (series.created_at, series.id));
    }

    /// Those that are probably doubles of others.
    pub(super) fn doubles(&self) -> HashMap<MeetingId, Double> {
        let all: Vec<&Series> = self.0.iter().collect();
        let ids = self.0.iter().map(|series| series.id);
        let doubles = ids.zip(doubles(&all));
        doubles
            .filter_map(|(id, double)| Some((id, double?)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{all_series, series_id};

    #[test]
    fn a_filter_takes_no_mark_away_and_a_removal_does() {
        let all = all_series();
        let mut known = Known::default();
        known.take(all.iter(), |_| true);
        assert!(known.doubles().contains_key(&series_id(1)));
        // Only the second one is listed, because of a filter that the first one does not fit.
        known.take(all[1..2].iter(), |series| series.id == series_id(2));
        assert!(known.doubles().contains_key(&series_id(2)));
        // The first one is not listed any more, though it would be.
        known.take(all[1..].iter(), |_| true);
        assert!(known.doubles().is_empty());
    }
}
