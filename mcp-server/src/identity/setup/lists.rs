//! The lists of the set-up page: time zones and currencies, as options.

use std::collections::BTreeMap;

use crate::page::escaped;

/// The areas of the time zone database whose zones are places.
const AREAS: &str =
    "Africa America Antarctica Arctic Asia Atlantic Australia Europe Indian Pacific";

/// The currencies in circulation (ISO 4217).
const CURRENCIES: &str = "\
AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP CRC \
CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR \
ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK \
MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE \
SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF \
XPF YER ZAR ZMW ZWG";

/// The currencies, with this one chosen.
pub(super) fn currencies(chosen: &str) -> String {
    let codes = CURRENCIES.split(' ');
    let options = codes.map(|code| option(code, code, chosen)).collect();
    with_chosen(options, chosen)
}

/// The time zones of places by their areas, each labelled by its place first, with this one chosen.
pub(super) fn time_zones(chosen: &str) -> String {
    let mut areas: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for zone in jiff::tz::db().available() {
        let zone = zone.as_str();
        let area = zone.split_once('/');
        let Some((area, place)) = area.filter(|(area, _)| AREAS.split(' ').any(|it| it == *area))
        else {
            continue;
        };
        let place: Vec<_> = place.rsplit('/').collect();
        let label = place.join(", ").replace('_', " ");
        let option = option(zone, &label, chosen);
        areas
            .entry(area.to_owned())
            .or_default()
            .insert(label, option);
    }
    let group = |(area, zones): (String, BTreeMap<String, String>)| {
        let zones: String = zones.into_values().collect();
        format!("<optgroup label=\"{area}\">\n{zones}</optgroup>\n")
    };
    with_chosen(areas.into_iter().map(group).collect(), chosen)
}

fn option(value: &str, label: &str, chosen: &str) -> String {
    let selected = if value == chosen { " selected" } else { "" };
    let (value, label) = (escaped(value), escaped(label));
    format!("<option value=\"{value}\"{selected}>{label}</option>\n")
}

/// Adds the chosen value if it is not listed, such as the zone of a machine that is nowhere.
fn with_chosen(options: String, chosen: &str) -> String {
    match options.contains(" selected>") {
        true => options,
        false => option(chosen, chosen, chosen) + &options,
    }
}
