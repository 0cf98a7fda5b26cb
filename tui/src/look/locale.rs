//! Where and how the reader writes times and numbers: the zone of times, and the language of dates and numbers. The words
//! of the screens are English in every language.

use frontdesk_protocol::number::{self, Mark};
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::text::fold;

/// The zone of times, and the language of dates and numbers.
#[derive(Debug, Clone)]
pub(crate) struct Locale {
    pub(crate) zone: TimeZone,
    pub(crate) language: &'static Language,
}

impl From<TimeZone> for Locale {
    /// English in this zone.
    fn from(zone: TimeZone) -> Self {
        Locale {
            zone,
            language: ENGLISH,
        }
    }
}

/// The notation of a language, as in CLDR.
#[derive(Debug)]
pub(crate) struct Language {
    /// The code: ISO 639-1.
    pub(crate) code: &'static str,
    /// From Monday. The short form ends at the bar.
    weekdays: &'static str,
    /// The short form ends at the bar.
    months: &'static str,
    /// Yesterday, today, tomorrow, and the day after.
    days: &'static str,
    /// Words in a date or before a time that say nothing about it.
    fillers: &'static str,
    /// After the number of a day.
    ordinal: &'static str,
    thousands: char,
    decimal: char,
}

/// The language of people without a setting.
pub(crate) const ENGLISH: &Language = &LANGUAGES[0];

/// The languages. Another one is a line here.
pub(crate) static LANGUAGES: [Language; 5] = [
    Language {
        code: "en",
        weekdays: "Mon|day Tue|sday Wed|nesday Thu|rsday Fri|day Sat|urday Sun|day",
        months: "Jan|uary Feb|ruary Mar|ch Apr|il May Jun|e Jul|y Aug|ust Sep|tember Oct|ober Nov|ember Dec|ember",
        days: "yesterday today tomorrow overmorrow",
        fillers: "at on",
        ordinal: "",
        thousands: ',',
        decimal: '.',
    },
    Language {
        code: "de",
        weekdays: "Mo|ntag Di|enstag Mi|ttwoch Do|nnerstag Fr|eitag Sa|mstag So|nntag",
        months: "Jan|uar Feb|ruar Mär|z Apr|il Mai Jun|i Jul|i Aug|ust Sep|tember Okt|ober Nov|ember Dez|ember",
        days: "gestern heute morgen übermorgen",
        fillers: "um am den",
        ordinal: ".",
        thousands: '.',
        decimal: ',',
    },
    Language {
        code: "es",
        weekdays: "lun|es mar|tes mié|rcoles jue|ves vie|rnes sáb|ado dom|ingo",
        months: "ene|ro feb|rero mar|zo abr|il may|o jun|io jul|io ago|sto sep|tiembre oct|ubre nov|iembre dic|iembre",
        days: "ayer hoy mañana pasado-mañana",
        fillers: "a el la las de del",
        ordinal: "",
        thousands: '.',
        decimal: ',',
    },
    Language {
        code: "fr",
        weekdays: "lun|di mar|di mer|credi jeu|di ven|dredi sam|edi dim|anche",
        months: "janv|ier févr|ier mars avr|il mai juin juil|let août sept|embre oct|obre nov|embre déc|embre",
        days: "hier aujourd'hui demain après-demain",
        fillers: "à le",
        ordinal: "",
        thousands: '\u{a0}',
        decimal: ',',
    },
    Language {
        code: "pt",
        weekdays: "seg|unda-feira ter|ça-feira qua|rta-feira qui|nta-feira sex|ta-feira sáb|ado dom|ingo",
        months: "jan|eiro fev|ereiro mar|ço abr|il mai|o jun|ho jul|ho ago|sto set|embro out|ubro nov|embro dez|embro",
        days: "ontem hoje amanhã depois-amanhã",
        fillers: "às de em",
        ordinal: "",
        thousands: '.',
        decimal: ',',
    },
];

/// The code of the language of times by the environment: of the first of `LC_ALL`, `LC_TIME` and `LANG` that is set.
pub fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Option<String> {
    let names = ["LC_ALL", "LC_TIME", "LANG"].into_iter();
    let mut set = names.filter_map(variable).filter(|value| !value.is_empty());
    Language::find(&set.next()?).map(|language| language.code.to_owned())
}

/// Whether a typed word is this name: its short form, all of it, or all before its hyphen. Case and accents do not matter.
fn is_named(typed: &str, name: &str) -> bool {
    let (short, _) = name.split_once('|').unwrap_or((name, ""));
    let whole = fold(&name.replace('|', ""));
    let (begin, _) = whole.split_once('-').unwrap_or((&whole, ""));
    [&*fold(short), &*whole, begin].contains(&typed)
}

fn place_of(typed: &str, names: &str) -> Option<usize> {
    names.split(' ').position(|name| is_named(typed, name))
}

impl Language {
    /// The language of a code such as `pt`, `pt-BR` or `pt_BR.UTF-8`.
    pub(crate) fn find(code: &str) -> Option<&'static Language> {
        let code = code.split(['-', '_', '.', '@']).next()?;
        let mut languages = LANGUAGES.iter();
        languages.find(|one| one.code.eq_ignore_ascii_case(code))
    }

    /// "Fri".
    pub(crate) fn weekday(&self, day: Date) -> &'static str {
        let name = nth(self.weekdays, day.weekday().to_monday_zero_offset());
        name.split_once('|').map_or(name, |(short, _)| short)
    }

    /// "Nov", or "November", for 11.
    pub(crate) fn month(&self, month: i8, is_short: bool) -> String {
        let name = nth(self.months, month - 1);
        match name.split_once('|') {
            Some((short, _)) if is_short => short.to_owned(),
            _ => name.replace('|', ""),
        }
    }

    /// "27 Nov", or "27 Nov 2026".
    pub(crate) fn day(&self, day: Date, has_year: bool) -> String {
        let month = self.month(day.month(), true);
        let text = format!("{}{} {month}", day.day(), self.ordinal);
        match has_year {
            true => format!("{text} {}", day.year()),
            false => text,
        }
    }

    /// A decimal number with marks between its thousands: "12,000", "1,250.50". Another text is kept.
    pub(crate) fn number(&self, text: &str) -> String {
        let digits = text.trim_start_matches('-');
        let (whole, _) = digits.split_once('.').unwrap_or((digits, ""));
        if !text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'.'))
        {
            return text.to_owned();
        }
        let mut out = self.decimal(text);
        let begin = text.len() - digits.len();
        for left in (1..whole.len()).filter(|left| left.is_multiple_of(3)) {
            out.insert(begin + whole.len() - left, self.thousands);
        }
        out
    }

    /// A decimal number as written: "2026", "0.5".
    pub(crate) fn decimal(&self, text: &str) -> String {
        text.replace('.', self.decimal.encode_utf8(&mut [0; 4]))
    }

    /// A count: "12,000".
    pub(crate) fn count(&self, number: usize) -> String {
        self.number(&number.to_string())
    }

    /// A typed number as JSON writes it: "1250.5" for "1.250,5". `None` if it is written so, or is no number.
    pub(crate) fn typed_number(&self, text: &str) -> Option<String> {
        let read = || number::read(text, Some(Mark::Comma)).ok();
        Some((self.decimal == ',').then(read)??.to_string())
    }

    /// A typed date or time in English: "tomorrow 22:00" for "amanhã às 22h", "27 november 19:00" for "27. November 19 Uhr".
    pub(crate) fn plain(&self, text: &str) -> String {
        let mut out: Vec<String> = Vec::new();
        for word in text.split_whitespace() {
            let last = out.last().map_or("", String::as_str);
            let is_after_day = is_day(last);
            let folded = fold(word).replace('’', "'");
            let bare = folded.trim_end_matches(['.', ',']);
            let both = fold(&format!("{last}-{bare}"));
            let read = match bare {
                _ if self.fillers.split(' ').any(|filler| fold(filler) == bare) => continue,
                "uhr" | "h" => match last.contains(':') {
                    true => continue,
                    false => out.pop().and_then(|hour| time_of(&hour.replace('.', "h"))),
                },
                _ if fold(nth(self.days, 3)) == both => {
                    out.pop();
                    Some(nth(ENGLISH.days, 3).to_owned())
                }
                _ if !bare.contains(char::is_alphabetic) => None,
                _ => time_of(bare)
                    .or_else(|| self.named(bare, is_after_day))
                    .or_else(|| ENGLISH.named(bare, is_after_day)),
            };
            if let (true, Some(_), Some(day)) = (is_after_day, &read, out.last_mut()) {
                day.truncate(day.trim_end_matches('.').len());
            }
            out.push(read.unwrap_or_else(|| word.to_owned()));
        }
        out.join(" ")
    }

    /// The English word for a day or, in a date, for a month.
    fn named(&self, word: &str, is_after_day: bool) -> Option<String> {
        let english =
            |names: &'static str, at: usize| nth(names, at).replace('|', "").to_lowercase();
        let month = || Some(english(ENGLISH.months, place_of(word, self.months)?));
        let day = || {
            let weekday = || Some(english(ENGLISH.weekdays, place_of(word, self.weekdays)?));
            let day = self.days.split(' ').position(|day| fold(day) == word);
            day.map(|at| english(ENGLISH.days, at)).or_else(weekday)
        };
        match is_after_day {
            true => month(),
            false => day().or_else(month),
        }
    }
}

/// The name at this place of a list.
fn nth(names: &'static str, at: impl TryInto<usize>) -> &'static str {
    let at = at.try_into().unwrap_or_default();
    names.split(' ').nth(at).unwrap_or_default()
}

/// Whether this is the number of a day, as "27" or "27.".
fn is_day(text: &str) -> bool {
    let digits = text.trim_end_matches('.');
    matches!(digits.len(), 1 | 2) && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// "22:30" for "22h30", "22:00" for "22h".
fn time_of(text: &str) -> Option<String> {
    let (hour, minute) = text.split_once('h').unwrap_or((text, ""));
    let is_time = is_day(hour) && (minute.is_empty() || (minute.len() == 2 && is_day(minute)));
    let minute = if minute.is_empty() { "00" } else { minute };
    is_time.then(|| format!("{hour}:{minute}"))
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::look::time;

    fn locale(code: &str) -> Locale {
        Locale {
            zone: TimeZone::get("America/Sao_Paulo").expect("a zone"),
            language: Language::find(code).expect("a language"),
        }
    }

    #[test]
    fn each_language_writes_days_and_numbers_in_its_notation() {
        let at = |text: &str| text.parse::<Timestamp>().expect("a time");
        let now = at("2026-11-24T12:00:00Z");
        let (soon, later) = (at("2026-11-27T22:00:00Z"), at("2027-03-01T12:30:00Z"));
        for (code, evening, morning, day, month, amount, number) in [
            (
                "en",
                "Fri 27 Nov 19:00",
                "1 Mar 2027 09:30",
                "27 Nov",
                "March",
                "1,250.00",
                "-12,000,000.5",
            ),
            (
                "de",
                "Fr 27. Nov 19:00",
                "1. Mär 2027 09:30",
                "27. Nov",
                "März",
                "1.250,00",
                "-12.000.000,5",
            ),
            (
                "es",
                "vie 27 nov 19:00",
                "1 mar 2027 09:30",
                "27 nov",
                "marzo",
                "1.250,00",
                "-12.000.000,5",
            ),
            (
                "fr",
                "ven 27 nov 19:00",
                "1 mars 2027 09:30",
                "27 nov",
                "mars",
                "1\u{a0}250,00",
                "-12\u{a0}000\u{a0}000,5",
            ),
            (
                "pt",
                "sex 27 nov 19:00",
                "1 mar 2027 09:30",
                "27 nov",
                "março",
                "1.250,00",
                "-12.000.000,5",
            ),
        ] {
            let locale = locale(code);
            let language = locale.language;
            assert_eq!(time::day(soon, now, &locale), evening);
            assert_eq!(time::moment(later, now, &locale), morning);
            let date = soon.to_zoned(locale.zone.clone()).date();
            assert_eq!(time::day_alone(date, now, &locale), day);
            assert_eq!(language.month(3, false), month);
            assert_eq!(language.number("1250.00"), amount);
            assert_eq!(language.number("-12000000.5"), number);
            assert_eq!(language.number("12:30"), "12:30");
        }
    }

    #[test]
    fn words_of_each_language_are_read() {
        let now = "2026-11-24T12:00:00Z".parse().expect("a time");
        for (code, texts) in [
            (
                "en",
                [
                    "tomorrow 22:00 = 2026-11-25 22:00",
                    "friday at 19h30 = 2026-11-27 19:30",
                    "19h = 2026-11-24 19:00",
                    "12 Mar = 2026-03-12 00:00",
                    "sat = 2026-11-28 00:00",
                ],
            ),
            (
                "de",
                [
                    "morgen 19 Uhr = 2026-11-25 19:00",
                    "Übermorgen um 19.30 Uhr = 2026-11-26 19:30",
                    "Fr 9 = 2026-11-27 09:00",
                    "27. November 19:00 Uhr = 2026-11-27 19:00",
                    "3. Mär 2027 = 2027-03-03 00:00",
                ],
            ),
            (
                "es",
                [
                    "mañana a las 19:00 = 2026-11-25 19:00",
                    "pasado mañana 9h = 2026-11-26 09:00",
                    "mar 19:00 = 2026-12-01 19:00",
                    "12 mar 2027 = 2027-03-12 00:00",
                    "miercoles = 2026-11-25 00:00",
                ],
            ),
            (
                "fr",
                [
                    "demain 19h = 2026-11-25 19:00",
                    "après-demain à 9h05 = 2026-11-26 09:05",
                    "aujourd’hui 18:00 = 2026-11-24 18:00",
                    "27 déc. 19h = 2026-12-27 19:00",
                    "mer. 8h = 2026-11-25 08:00",
                ],
            ),
            (
                "pt",
                [
                    "amanhã 22h = 2026-11-25 22:00",
                    "depois de amanhã às 9h30 = 2026-11-26 09:30",
                    "sexta 19 h = 2026-11-27 19:00",
                    "27 de dezembro de 2026 às 19h = 2026-12-27 19:00",
                    "terça-feira = 2026-12-01 00:00",
                ],
            ),
        ] {
            for text in texts {
                let locale = locale(code);
                let (typed, meant) = text.split_once(" = ").expect("two sides");
                let read = time::parse(typed, now, &locale);
                let read = read.map(|at| time::field(at, &locale));
                assert_eq!(read.as_deref(), Some(meant), "{code}: {typed}");
                // English is read in every language.
                let english = time::parse("Tomorrow 9:05", now, &locale);
                assert!(english.is_some(), "{code}");
            }
        }
        for (code, wrong) in [
            ("en", "amanhã 22h"),
            ("de", "25 Uhr"),
            ("es", "hoy a las 9 de la mañana"),
        ] {
            assert_eq!(
                time::parse(wrong, now, &locale(code)),
                None,
                "{code}: {wrong}"
            );
        }
    }

    #[test]
    fn the_environment_has_a_language_in_the_order_of_posix() {
        let of = |set: &'static [(&str, &str)]| {
            of_environment(|name| {
                let found = set.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            })
        };
        let code = of(&[
            ("LANG", "de_DE.UTF-8"),
            ("LC_TIME", "pt_BR.UTF-8"),
            ("LC_ALL", ""),
        ]);
        assert_eq!(code.as_deref(), Some("pt"));
        assert_eq!(of(&[("LANG", "de_DE"), ("LC_ALL", "C")]), None);
        assert_eq!(of(&[]), None);
    }
}
