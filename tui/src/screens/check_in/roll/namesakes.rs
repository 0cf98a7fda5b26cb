//! What distinguishes guests with the same name.

use frontdesk_protocol::events::guest::Guest;

/// What only this guest has: the role, otherwise the e-mail address, otherwise the telephone
/// number, or the absence of one. If nothing is unique, all of it.
pub(super) fn what_tells(guest: &Guest, namesakes: &[&Guest]) -> Option<String> {
    type Field = fn(&Guest) -> Option<&str>;
    const FIELDS: [(Field, &str); 3] = [
        (|guest| guest.role.as_deref(), "no role"),
        (|guest| guest.email.as_deref(), "no e-mail"),
        (|guest| guest.phone_number.as_deref(), "no phone"),
    ];
    fn of(field: Field, guest: &Guest) -> Option<&str> {
        field(guest).map(str::trim).filter(|text| !text.is_empty())
    }
    let own = FIELDS.into_iter().filter(|(field, _)| {
        let same = |other: &&&Guest| of(*field, other) == of(*field, guest);
        namesakes.iter().filter(same).count() == 1
    });
    let own: Vec<_> = own.collect();
    let told = own.iter().find_map(|(field, _)| of(*field, guest));
    let told = told.or_else(|| own.first().map(|(_, none)| *none));
    told.map(str::to_owned).or_else(|| {
        let all: Vec<&str> = FIELDS
            .iter()
            .filter_map(|(field, _)| of(*field, guest))
            .collect();
        (!all.is_empty()).then(|| all.join(" · "))
    })
}
