//! Which pages are requested.

use std::ops::Range;

use super::*;

const NOW: Timestamp = Timestamp::UNIX_EPOCH;

fn counts(guests: usize, here: usize) -> Counts {
    Counts { guests, here }
}

/// The guests in these places.
fn guests(places: Range<usize>) -> Vec<GuestId> {
    let places = places.map(|n| GuestId(uuid::Uuid::from_u128(n as u128)));
    places.collect()
}

/// Loads the list with this page size; returns the requested offsets.
fn load(pages: &mut Pages, all: usize, page: usize) -> Vec<u32> {
    let polled = Some(counts(all, 0));
    pages.allowed(Some(u32::MAX));
    let mut offsets = vec![pages.begin(polled, counts(0, 0), NOW).expect("begins")];
    loop {
        let offset = offsets[offsets.len() - 1];
        pages.asked(RequestId(1), offset, all, NOW);
        let end = all.min(offset as usize + page);
        let came = guests(offset as usize..end);
        match pages.came(&came, end < all, polled, counts(end, 0), NOW) {
            Next::Ask(next, SignedDuration::ZERO) => offsets.push(next),
            _ => return offsets,
        }
    }
}

/// The first hundred of this number of guests have arrived, and the desk asks for more; with the numbers of the host.
fn after_a_page(all: usize) -> (Pages, Option<Counts>) {
    let mut pages = Pages::default();
    let polled = Some(counts(all, 0));
    pages.allowed(Some(u32::MAX));
    pages.asked(RequestId(1), 0, all, NOW);
    pages.came(&guests(0..100), true, polled, counts(100, 0), NOW);
    pages.asked(RequestId(2), 99, all, NOW);
    (pages, polled)
}

#[test]
fn a_list_is_loaded_whole_once() {
    let mut pages = Pages::default();
    assert_eq!(load(&mut pages, 250, 100), [0, 99, 198]);
    assert!(pages.is_whole());
    let known = counts(250, 0);
    assert_eq!(pages.begin(Some(known), known, NOW), None);
}

#[test]
fn a_guest_who_came_meanwhile_is_not_taken_for_gone() {
    let (mut pages, polled) = after_a_page(150);
    let new = GuestId(uuid::Uuid::max());
    pages.saw([new].into_iter());
    match pages.came(&guests(99..150), false, polled, counts(151, 0), NOW) {
        Next::Keep { ids, .. } => assert!(ids.contains(&new) && ids.len() == 151),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_page_that_the_host_has_cut_short_leaves_nobody_out() {
    let mut pages = Pages::default();
    assert_eq!(load(&mut pages, 250, 90), [0, 89, 178]);
    assert!(pages.is_whole());
}

#[test]
fn after_a_change_pages_are_asked_for_until_the_numbers_agree() {
    let mut pages = Pages::default();
    load(&mut pages, 250, 100);
    let polled = Some(counts(250, 1));
    assert_eq!(pages.begin(polled, counts(250, 0), NOW), Some(0));
    pages.asked(RequestId(5), 0, 250, NOW);
    let next = pages.came(&guests(0..100), true, polled, counts(250, 0), NOW);
    assert_eq!(next, Next::Ask(99, SignedDuration::ZERO));
    pages.asked(RequestId(6), 99, 250, NOW);
    let next = pages.came(&guests(99..199), true, polled, counts(250, 1), NOW);
    assert_eq!(next, Next::Rest);
    assert!(!pages.is_loading());
}

#[test]
fn numbers_that_never_agree_are_not_asked_about_for_ever() {
    let mut pages = Pages::default();
    load(&mut pages, 50, 100);
    let polled = Some(counts(51, 0));
    assert_eq!(pages.begin(polled, counts(50, 0), NOW), Some(0));
    pages.asked(RequestId(5), 0, 51, NOW);
    let next = pages.came(&guests(0..51), false, polled, counts(50, 0), NOW);
    let seen = Next::Keep {
        ids: guests(0..51).into_iter().collect(),
        since: RequestId(5),
    };
    assert_eq!(next, seen);
    assert_eq!(pages.begin(polled, counts(50, 0), NOW), None);
    assert_eq!(
        pages.begin(Some(counts(52, 0)), counts(50, 0), NOW),
        Some(0)
    );
}

#[test]
fn a_guest_who_moves_to_an_earlier_page_is_not_left_out() {
    let (mut pages, polled) = after_a_page(250);
    // One of the first hundred was removed: the hundred-and-first is on the first page now.
    let next = pages.came(&guests(100..200), true, polled, counts(200, 0), NOW);
    assert_eq!(next, Next::Ask(0, SignedDuration::ZERO));
}

#[test]
fn very_large_events_are_left_to_the_hosts_search() {
    let mut pages = Pages::default();
    load(&mut pages, 50_100, 100);
    assert!(!pages.is_whole());
    let polled = Some(counts(50_100, 3));
    assert_eq!(pages.begin(polled, counts(100, 0), NOW), None);
}

#[test]
fn a_run_that_a_failure_ends_goes_on_from_there() {
    let (mut pages, polled) = after_a_page(250);
    pages.failed();
    assert_eq!(pages.begin(polled, counts(100, 0), NOW), Some(99));
    pages.asked(RequestId(3), 99, 250, NOW);
    let next = pages.came(&guests(99..199), true, polled, counts(200, 0), NOW);
    assert_eq!(next, Next::Ask(198, SignedDuration::ZERO));
}

#[test]
fn the_last_calls_of_the_rate_limit_are_left_to_others() {
    let mut pages = Pages::default();
    let polled = Some(counts(5000, 0));
    let mut rest = |allowance, asked: u64| {
        pages.allowed(allowance);
        pages.asked(RequestId(asked), 0, 5000, NOW);
        match pages.came(&guests(0..100), true, polled, counts(100, 0), NOW) {
            Next::Ask(_, rest) => rest,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(rest(Some(51), 1), SignedDuration::ZERO);
    assert_eq!(rest(Some(50), 2), SignedDuration::from_secs(2));
    assert_eq!(rest(Some(25), 3), SignedDuration::from_secs(12));
    assert_eq!(rest(Some(0), 4), SignedDuration::from_secs(22));
    // A host that does not say is asked for ten pages a minute.
    assert_eq!(rest(None, 5), SignedDuration::ZERO);
    for asked in 6..10 {
        assert_eq!(rest(None, asked), SignedDuration::ZERO);
    }
    assert_eq!(rest(None, 10), MINUTE);
}

#[test]
fn a_busy_door_does_not_use_up_the_rate_limit() {
    let mut pages = Pages::default();
    load(&mut pages, 150, 100);
    pages.allowed(None);
    for here in 0..100 {
        let polled = Some(counts(150, here + 1));
        let known = counts(150, here);
        if let Some(offset) = pages.begin(polled, known, NOW) {
            pages.asked(RequestId(9), offset, 150, NOW);
            pages.came(&guests(0..100), true, polled, counts(150, here + 1), NOW);
        }
    }
    assert_eq!(pages.asked.len(), MOST_A_MINUTE);
}
