//! Scanners type keys, not characters: if scanner and machine are set to different keyboards, other characters arrive.

/// The characters of a US keyboard, without shift and with it.
const US: [&str; 2] = [
    "1234567890-=qwertyuiop[]asdfghjkl;'zxcvbnm,./",
    "!@#$%^&*()_+QWERTYUIOP{}ASDFGHJKL:\"ZXCVBNM<>?",
];

/// The characters of the same keys on other keyboards: German, French, Belgian, Italian, British, Spanish, Portuguese,
/// Swiss, Swedish, Danish, Norwegian.
const OTHERS: [[&str; 2]; 11] = [
    [
        "1234567890ß´qwertzuiopü+asdfghjklöäyxcvbnm,.-",
        "!\"§$%&/()=?`QWERTZUIOPÜ*ASDFGHJKLÖÄYXCVBNM;:_",
    ],
    [
        "&é\"'(-è_çà)=azertyuiop^$qsdfghjklmùwxcvbn,;:!",
        "1234567890°+AZERTYUIOP¨£QSDFGHJKLM%WXCVBN?./§",
    ],
    [
        "&é\"'(§è!çà)-azertyuiop^$qsdfghjklmùwxcvbn,;:=",
        "1234567890°_AZERTYUIOP¨*QSDFGHJKLM%WXCVBN?./+",
    ],
    [
        "1234567890'ìqwertyuiopè+asdfghjklòàzxcvbnm,.-",
        "!\"£$%&/()=?^QWERTYUIOPé*ASDFGHJKLç°ZXCVBNM;:_",
    ],
    [
        "1234567890-=qwertyuiop[]asdfghjkl;'zxcvbnm,./",
        "!\"£$%^&*()_+QWERTYUIOP{}ASDFGHJKL:@ZXCVBNM<>?",
    ],
    [
        "1234567890'¡qwertyuiop`+asdfghjklñ´zxcvbnm,.-",
        "!\"·$%&/()=?¿QWERTYUIOP^*ASDFGHJKLÑ¨ZXCVBNM;:_",
    ],
    [
        "1234567890'«qwertyuiop+´asdfghjklçºzxcvbnm,.-",
        "!\"#$%&/()=?»QWERTYUIOP*`ASDFGHJKLÇªZXCVBNM;:_",
    ],
    [
        "1234567890'^qwertzuiopü¨asdfghjklöäyxcvbnm,.-",
        "+\"*ç%&/()=?`QWERTZUIOPè!ASDFGHJKLéàYXCVBNM;:_",
    ],
    [
        "1234567890+´qwertyuiopå¨asdfghjklöäzxcvbnm,.-",
        "!\"#¤%&/()=?`QWERTYUIOPÅ^ASDFGHJKLÖÄZXCVBNM;:_",
    ],
    [
        "1234567890+´qwertyuiopå¨asdfghjklæøzxcvbnm,.-",
        "!\"#¤%&/()=?`QWERTYUIOPÅ^ASDFGHJKLÆØZXCVBNM;:_",
    ],
    [
        "1234567890+\\qwertyuiopå¨asdfghjkløæzxcvbnm,.-",
        "!\"#¤%&/()=?`QWERTYUIOPÅ^ASDFGHJKLØÆZXCVBNM;:_",
    ],
];

/// The texts that the scanner may have meant: the same keys on other keyboards, in both directions.
pub(super) fn others(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for other in OTHERS {
        for (from, to) in [(other, US), (US, other)] {
            let meant: String = text.chars().map(|char| on(char, from, to)).collect();
            if meant != text && !all.contains(&meant) {
                all.push(meant);
            }
        }
    }
    all
}

fn on(char: char, from: [&str; 2], to: [&str; 2]) -> char {
    let mut keys = from.into_iter().flat_map(str::chars);
    let at = keys.position(|own| own == char);
    let on_key = |at| to.into_iter().flat_map(str::chars).nth(at);
    at.and_then(on_key).unwrap_or(char)
}

/// Whether the characters are those of another keyboard's digits or hyphens, or a code that has letters of one.
pub(super) fn suggests_other(text: &str) -> bool {
    let is_code_sign = |char: char| char.is_ascii_alphanumeric() || "-_./:#+".contains(char);
    let odd = text.chars().filter(|char| !is_code_sign(*char)).count();
    let has_digit = text.chars().any(|char| char.is_ascii_digit());
    odd >= if has_digit { 1 } else { 2 } && !text.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_keyboard_has_the_same_keys() {
        for rows in OTHERS {
            for (row, us) in rows.iter().zip(US) {
                assert_eq!(row.chars().count(), us.chars().count(), "{row}");
            }
        }
    }

    #[test]
    fn a_code_comes_back_from_every_keyboard() {
        for arrived in ["TCKß4711ßAY", "TCK)'è&&)QW", "TCK'4711'AZ", "TCK+4711+AZ"] {
            assert!(
                others(arrived).contains(&"TCK-4711-AZ".to_owned()),
                "{arrived}"
            );
        }
    }
}
