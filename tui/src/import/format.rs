//! What a file is, by its first bytes.

/// The formats of files that are no tables.
const OTHERS: [(&[u8], &str); 20] = [
    (b"%PDF", "a PDF"),
    (
        b"BEGIN:VCALENDAR",
        "a calendar (.ics); its meetings come in with `frontdesk import calendar FILE`",
    ),
    (b"BEGIN:VCARD", "a vCard; export the contacts as CSV"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"\x1f\x8b", "a compressed file; decompress it"),
    (b"7z\xbc\xaf", "a compressed file; decompress it"),
    (b"SQLite format 3", "an SQLite database"),
    (b"{\\rtf", "a text document (.rtf)"),
    (b"<!DOCTYPE", "a web page; save the sheet as CSV or .xlsx"),
    (b"<html", "a web page; save the sheet as CSV or .xlsx"),
    (b"<table", "a web page; save the sheet as CSV or .xlsx"),
    (b"<head", "a web page; save the sheet as CSV or .xlsx"),
    (b"<meta", "a web page; save the sheet as CSV or .xlsx"),
    (b"<body", "a web page; save the sheet as CSV or .xlsx"),
    (b"<?xml", "XML; save the sheet as CSV or .xlsx"),
    (b"From ", "a mailbox"),
    (b"Received:", "an e-mail"),
    (b"\x7fELF", "a program"),
];
/// The beginnings of workbooks: a ZIP archive, and a compound file.
const WORKBOOKS: [&[u8]; 2] = [b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"];

/// What the file is, if it is no table.
pub(super) fn other(bytes: &[u8]) -> Option<&'static str> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = text.trim_ascii_start();
    let begins = |start: &[u8]| {
        text.get(..start.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(start))
    };
    let mut others = OTHERS.iter();
    others
        .find(|(start, _)| begins(start))
        .map(|(_, what)| *what)
}

/// Whether the file begins like a workbook of a spreadsheet program.
pub(super) fn is_workbook(bytes: &[u8]) -> bool {
    WORKBOOKS.iter().any(|start| bytes.starts_with(start))
}
