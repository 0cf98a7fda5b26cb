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

    /// The language of times by the environment: the first of `LC_ALL`, `LC_TIME` and `LANG` that is set.
    pub(crate) fn of_environment(
        variable: impl Fn(&str) -> Option<String>,
    ) -> Option<&'static Language> {
        let names = ["LC_ALL", "LC_TIME", "LANG"].into_iter();
        let mut set = names.filter_map(variable).filter(|value| !value.is_empty());
        Language::find(&set.next()?)
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
