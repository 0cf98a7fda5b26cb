//! The few backend messages that the engine does not send itself.

/// The transaction status byte of `ReadyForQuery` outside a transaction.
pub(crate) const IDLE: u8 = b'I';

pub(crate) fn authentication_ok(to: &mut Vec<u8>) {
    message(to, b'R', |body| {
        body.extend_from_slice(&0_i32.to_be_bytes())
    });
}

/// Reports the server's value of a setting.
pub(crate) fn parameter_status(to: &mut Vec<u8>, name: &str, value: &str) {
    message(to, b'S', |body| {
        string(body, name);
        string(body, value);
    });
}

/// The key is all zeros: statements cannot be cancelled.
pub(crate) fn backend_key_data(to: &mut Vec<u8>) {
    message(to, b'K', |body| body.extend_from_slice(&[0; 8]));
}

/// Always outside a transaction.
pub(crate) fn ready_for_query(to: &mut Vec<u8>) {
    message(to, b'Z', |body| body.push(IDLE));
}

pub(crate) fn error(to: &mut Vec<u8>, severity: &str, code: &str, text: &str) {
    message(to, b'E', |body| {
        for (field, value) in [
            (b'S', severity),
            (b'V', severity),
            (b'C', code),
            (b'M', text),
        ] {
            body.push(field);
            string(body, value);
        }
        body.push(0);
    });
}

/// The transaction status at the end of a complete answer, or `None` if the answer does not end
/// with `ReadyForQuery`.
pub(crate) fn final_status(answer: &[u8]) -> Option<u8> {
    match answer.last_chunk()? {
        [b'Z', 0, 0, 0, 5, status @ (b'I' | b'T' | b'E')] => Some(*status),
        _ => None,
    }
}

/// The SQLSTATEs of the errors in an answer, in order.
pub(crate) fn error_codes(answer: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = answer;
    std::iter::from_fn(move || {
        while let Some((&[kind, a, b, c, d], after)) = rest.split_first_chunk::<5>() {
            let length = (u32::from_be_bytes([a, b, c, d]) as usize).saturating_sub(4);
            let (body, next) = after.split_at_checked(length)?;
            rest = next;
            if kind == b'E' {
                let mut fields = body.split(|byte| *byte == 0);
                return Some(
                    fields
                        .find_map(|f| f.strip_prefix(b"C"))
                        .unwrap_or_default(),
                );
            }
        }
        None
    })
}

fn message(to: &mut Vec<u8>, kind: u8, body: impl FnOnce(&mut Vec<u8>)) {
    to.push(kind);
    let length_at = to.len();
    to.extend_from_slice(&[0; 4]);
    body(to);
    // The messages written here are far shorter than 4 GiB.
    let length = u32::try_from(to.len() - length_at).unwrap_or(u32::MAX);
    to[length_at..length_at + 4].copy_from_slice(&length.to_be_bytes());
}

/// A zero byte ends a string, so zero bytes in `text` are dropped.
fn string(to: &mut Vec<u8>, text: &str) {
    to.extend(text.bytes().filter(|byte| *byte != 0));
    to.push(0);
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_found_among_other_messages() {
        let mut answer = Vec::new();
        parameter_status(&mut answer, "E", "C00000");
        error(&mut answer, "ERROR", "22012", "division by zero");
        ready_for_query(&mut answer);
        error(&mut answer, "ERROR", "54001", "too deep");
        assert_eq!(
            error_codes(&answer).collect::<Vec<_>>(),
            [b"22012", b"54001"]
        );
        assert_eq!(error_codes(&answer[..9]).count(), 0);
    }

    #[test]
    fn only_a_whole_answer_has_a_status() {
        let mut answer = Vec::new();
        ready_for_query(&mut answer);
        assert_eq!(final_status(&answer), Some(IDLE));
        assert_eq!(final_status(&answer[..5]), None);
        error(&mut answer, "ERROR", "22012", "division by zero");
        assert_eq!(final_status(&answer), None);
    }
}
