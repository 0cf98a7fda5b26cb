//! The encoding of a file.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, MACINTOSH, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use frontdesk_protocol::csv::line_ends;

use super::SheetError;

/// The second half of code page 850, which MS-DOS programs write in Western Europe and Brazil.
const CP850: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤\
                     ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}";
/// That of code page 852, of Central Europe.
const CP852: &str = "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐\
                     └┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u{ad}˝˛ˇ˘§÷¸°¨˙űŘř■\u{a0}";
/// That of code page 860, of Portugal.
const CP860: &str = "ÇüéâãàÁçêÊèÍÔìÃÂÉÀÈôõòÚùÌÕÜ¢£Ù₧ÓáíóúñÑªº¿Ò¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
                     └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";
/// The most frequent letters with marks of Western European languages.
const FREQUENT: &str = "áàâãäçéèêíñóôõöúüß";
/// The number of bytes that the choice of an encoding reads.
const SAMPLE: usize = 200_000;

/// A set of characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Charset {
    Known(&'static Encoding),
    Cp850,
    Cp852,
    Cp860,
}

impl Charset {
    /// The set with this name.
    ///
    /// # Errors
    /// A message with usual names.
    pub(super) fn named(name: &str) -> Result<Charset, String> {
        let label = name.to_lowercase().replace(['_', ' '], "-");
        match label.as_str() {
            "cp850" | "ibm850" | "850" | "dos" => return Ok(Charset::Cp850),
            "cp852" | "ibm852" | "852" => return Ok(Charset::Cp852),
            "cp860" | "ibm860" | "860" => return Ok(Charset::Cp860),
            "macroman" | "mac-roman" => return Ok(Charset::Known(MACINTOSH)),
            _ => {}
        }
        let known = Encoding::for_label(label.as_bytes()).map(Charset::Known);
        known.ok_or_else(|| {
            format!("no encoding is named {name}; there are UTF-8, windows-1252, MacRoman, CP850, CP852, CP860")
        })
    }

    /// Its name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Charset::Known(known) if known == MACINTOSH => "MacRoman",
            Charset::Known(known) => known.name(),
            Charset::Cp850 => "CP850",
            Charset::Cp852 => "CP852",
            Charset::Cp860 => "CP860",
        }
    }

    /// The text of these bytes; `None` if they are not in this set.
    fn decode(self, bytes: &[u8]) -> Option<Cow<'_, str>> {
        match self {
            Charset::Known(known) => {
                known.decode_without_bom_handling_and_without_replacement(bytes)
            }
            Charset::Cp850 | Charset::Cp852 | Charset::Cp860 => {
                let high = match self {
                    Charset::Cp852 => CP852,
                    Charset::Cp860 => CP860,
                    _ => CP850,
                };
                let high: Vec<char> = high.chars().collect();
                let char = |byte: &u8| match byte.checked_sub(0x80) {
                    Some(at) => high[usize::from(at)],
                    None => char::from(*byte),
                };
                Some(Cow::Owned(bytes.iter().map(char).collect()))
            }
        }
    }
}

/// The text, and its set of characters: the chosen one, otherwise that of the byte order mark, otherwise UTF-8,
/// otherwise the likeliest.
pub(super) fn decode(
    bytes: &[u8],
    chosen: Option<Charset>,
) -> Result<(Cow<'_, str>, Charset), SheetError> {
    let marked = Encoding::for_bom(bytes);
    let (charset, text) = match (chosen, marked) {
        (None, Some((encoding, mark))) => (Charset::Known(encoding), &bytes[mark..]),
        (Some(chosen), Some((encoding, mark))) if chosen == Charset::Known(encoding) => {
            (chosen, &bytes[mark..])
        }
        (Some(chosen), _) => (chosen, bytes),
        (None, None) => (likely(bytes)?, bytes),
    };
    let name = charset.name();
    let Some(decoded) = charset.decode(text) else {
        let replaced = String::from_utf8_lossy(text);
        return Err(wrong(&replaced, '\u{fffd}', format!("it is not {name}")));
    };
    if decoded.contains('\0') {
        let what = "it contains a NUL character".to_owned();
        return Err(wrong(&decoded, '\0', what));
    }
    if charset != Charset::Known(UTF_8)
        && let Some(control) = decoded.chars().find(|c| matches!(c, '\u{80}'..='\u{9f}'))
    {
        let what = match chosen {
            Some(_) => format!("it is not {name}"),
            None => format!("it is neither UTF-8 nor {name}"),
        };
        return Err(wrong(&decoded, control, what));
    }
    Ok((decoded, charset))
}

/// The text of a file that is no table, in the likeliest encoding. Some programs fold the lines of a calendar within a
/// letter: it becomes whole again.
///
/// # Errors
/// [`SheetError`].
pub fn text(bytes: Vec<u8>) -> Result<String, SheetError> {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return Ok(text),
        Err(error) => error.into_bytes(),
    };
    let is_within = |byte: Option<&u8>| byte.is_some_and(|byte| (0x80..0xc0).contains(byte));
    let (mut whole, mut rest) = (Vec::with_capacity(bytes.len()), bytes.as_slice());
    while let Some((byte, after)) = rest.split_first() {
        let folds: [&[u8]; 4] = [b"\r\n ", b"\n ", b"\r\n\t", b"\n\t"];
        let folded = folds.iter().find_map(|fold| rest.strip_prefix(*fold));
        match folded.filter(|after| is_within(after.first())) {
            Some(after) => rest = after,
            None => {
                whole.push(*byte);
                rest = after;
            }
        }
    }
    match String::from_utf8(whole) {
        Ok(text) => Ok(text),
        Err(_) => Ok(decode(&bytes, None)?.0.into_owned()),
    }
}

/// The first word with a character that differs between sets.
pub(super) fn sample(text: &str) -> Option<String> {
    let is_end = |char: char| char.is_whitespace() || ",;\t|\"".contains(char);
    let word = text.split(is_end).find(|word| !word.is_ascii())?;
    Some(word.chars().take(24).collect())
}

/// The encoding of a file without a byte order mark.
fn likely(bytes: &[u8]) -> Result<Charset, SheetError> {
    let start = &bytes[..bytes.len().min(4096)];
    let zeros = |from: usize| {
        start
            .iter()
            .skip(from)
            .step_by(2)
            .filter(|byte| **byte == 0)
            .count()
    };
    match (zeros(0), zeros(1)) {
        (even, odd) if odd > start.len() / 4 && even == 0 => {
            return Ok(Charset::Known(UTF_16LE));
        }
        (even, odd) if even > start.len() / 4 && odd == 0 => {
            return Ok(Charset::Known(UTF_16BE));
        }
        _ => {}
    }
    let (mut valid, mut invalid, mut lines, mut first) = (0, 0, 1, None);
    for chunk in bytes.utf8_chunks() {
        valid += chunk
            .valid()
            .chars()
            .filter(|char| !char.is_ascii())
            .count();
        lines += line_ends(chunk.valid());
        if let Some(byte) = chunk.invalid().first() {
            invalid += 1;
            first.get_or_insert((lines, *byte));
        }
    }
    match first {
        None => Ok(Charset::Known(UTF_8)),
        // Several characters of UTF-8 are no coincidence: a part of the file has another encoding.
        Some((line, byte)) if valid > invalid => Err(SheetError::Encoding {
            line,
            what: format!("the byte {byte:#04X} is not UTF-8, unlike the rest of the file"),
        }),
        Some(_) => {
            let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
            detector.feed(bytes, true);
            Ok(likeliest(bytes, detector.guess(None, Utf8Detection::Deny)))
        }
    }
}

/// The set in which the bytes make the likeliest words. The guess of a program for web pages does not know the sets of
/// old Macintosh and MS-DOS programs.
fn likeliest(bytes: &[u8], guess: &'static Encoding) -> Charset {
    let lines = bytes.split(|byte| matches!(byte, b'\r' | b'\n'));
    let mut sample = Vec::new();
    for line in lines.filter(|line| !line.is_ascii()) {
        if sample.len() + line.len() > SAMPLE && !sample.is_empty() {
            break;
        }
        sample.extend_from_slice(line);
        sample.push(b'\n');
    }
    let charsets = [
        Charset::Known(guess),
        Charset::Known(WINDOWS_1252),
        Charset::Known(MACINTOSH),
        Charset::Cp850,
    ];
    let mut best = (Charset::Known(guess), i64::MIN);
    for charset in charsets {
        let score = charset
            .decode(&sample)
            .map_or(i64::MIN, |text| score(&text));
        // The first of several equal ones: the guess.
        if score > best.1 {
            best = (charset, score);
        }
    }
    best.0
}

/// How much the characters with marks look like those of words.
fn score(text: &str) -> i64 {
    let mut score = 0;
    let chars: Vec<char> = text.chars().collect();
    for (at, char) in chars
        .iter()
        .enumerate()
        .filter(|(_, char)| !char.is_ascii())
    {
        let before = at.checked_sub(1).and_then(|at| chars.get(at));
        let before = before.filter(|char| char.is_alphabetic());
        let after = chars.get(at + 1).filter(|char| char.is_alphabetic());
        let is_latin = matches!(char, '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}');
        let is_in_capitals = before.is_some_and(|char| char.is_uppercase())
            && match after {
                Some(after) => after.is_uppercase(),
                None => at > 1 && chars[at - 2].is_uppercase(),
            };
        let is_beside_ascii = [before, after].iter().flatten().any(|char| char.is_ascii());
        score += match char {
            '\u{80}'..='\u{9f}' | '\u{fffd}' => -5,
            '’' | '‘' | 'ª' | 'º' => 0,
            char if !char.is_alphabetic() => match (before, after) {
                (None, None) => 0,
                _ => -3,
            },
            _ if !is_latin && is_beside_ascii => -3,
            _ if !is_latin => 2,
            char if !char.is_uppercase() && is_in_capitals => -3,
            char if !char.is_uppercase() => frequency(*char),
            char => match (before, after) {
                (Some(before), _) if before.is_lowercase() => -3,
                (Some(_), Some(after)) if after.is_lowercase() => -2,
                _ => char.to_lowercase().map(frequency).sum(),
            },
        };
    }
    score
}

fn frequency(letter: char) -> i64 {
    match FREQUENT.contains(letter) {
        true => 2,
        false => 1,
    }
}

fn wrong(text: &str, found: char, what: String) -> SheetError {
    let before = text.split(found).next().unwrap_or_default();
    SheetError::Encoding {
        line: 1 + line_ends(before),
        what,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: [&str; 6] = [
        "Nome;Cidade\nJoão Sítio;Icó\nZoë André;São José\nMônica Falcão;Macapá\n",
        "Nome;Cidade\nConceição Graça;Iguaçu\n",
        "Nome\nAndré\n",
        "Name;Ort\nJürgen Groß;Köln\nÄnne Müller;Überlingen\n",
        "Nombre\nMuñoz\nPEÑA\nÁngel\n",
        "Nom\nHélène Lefèvre\nAnaïs\nÉlodie Théroux\n",
    ];

    fn encoded(text: &str, charset: Charset) -> Vec<u8> {
        let bytes = (0..=255_u8).map(|byte| {
            let decoded = charset.decode(&[byte]).map(Cow::into_owned);
            (decoded.unwrap_or_default(), byte)
        });
        let bytes: std::collections::HashMap<_, _> = bytes.collect();
        text.chars().map(|char| bytes[&char.to_string()]).collect()
    }

    #[test]
    fn the_encoding_is_told_by_the_bytes() {
        for name in ["windows-1252", "MacRoman", "CP850"] {
            let charset = Charset::named(name).expect(name);
            for text in TEXTS {
                for text in [text.to_owned(), text.to_uppercase().replace("SS", "S")] {
                    let bytes = encoded(&text, charset);
                    let (found, as_charset) = decode(&bytes, None).expect("text");
                    assert_eq!(found, text, "{name} as {}", as_charset.name());
                }
            }
        }
    }

    #[test]
    fn other_encodings_stay_as_they_are() {
        for (name, text) in [
            (
                "Shift_JIS",
                "名前,メモ\n山田太郎,東京から来ます\n佐藤花子,大阪から来ます\n",
            ),
            (
                "KOI8-R",
                "имя,город\nАнна Иванова,Москва\nПётр Смирнов,Тверь\n",
            ),
            (
                "windows-1251",
                "имя,город\nАнна Иванова,Москва\nПётр Смирнов,Тверь\n",
            ),
            (
                "windows-1250",
                "imię,miasto\nŁukasz Wójcik,Łódź\nMałgorzata Bańkowska,Gdańsk\n",
            ),
            ("windows-1253", "όνομα,πόλη\nΕλένη Παπαδοπούλου,Αθήνα\n"),
        ] {
            let (bytes, encoding, _) = Encoding::for_label(name.as_bytes())
                .expect(name)
                .encode(text);
            let (found, _) = decode(&bytes, None).expect("text");
            assert_eq!(found, text, "{}", encoding.name());
        }
    }

    #[test]
    fn a_chosen_encoding_is_used() {
        for (name, bytes, expected) in [
            ("cp850", b"Jo\xc6o".as_slice(), "João"),
            ("cp860", b"Jo\x84o", "João"),
            ("ibm860", b"Concei\x87\x84o", "Conceição"),
            ("IBM852", b"\x9d\xa2d\xab", "Łódź"),
        ] {
            let chosen = Charset::named(name).expect(name);
            assert_eq!(decode(bytes, Some(chosen)).expect(name).0, expected);
        }
        let utf8 = Charset::named("utf-8").expect("a name");
        let wrong = decode(b"a\nJo\xc6o", Some(utf8)).expect_err("an error");
        assert!(
            wrong.to_string().starts_with("line 2: it is not UTF-8"),
            "{wrong}"
        );
        assert!(Charset::named("klingon").is_err());
        assert_eq!(sample("name;x\nAna;João,Sá\n").as_deref(), Some("João"));
    }
}
