//! The part of the screen that patterns and stored screens are about.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// A part of the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Region {
    Screen,
    /// The first line: where the user is.
    Path,
    /// The last line: keys.
    Keys,
    /// Column, row, width and height.
    Cells(u16, u16, u16, u16),
    /// The box with this text in its title.
    Titled(String),
}

impl Region {
    /// Its cells.
    ///
    /// # Errors
    /// No box has the title, or the cells are outside the screen.
    pub(super) fn find(&self, screen: &Buffer) -> Result<Rect, String> {
        let whole = screen.area;
        match self {
            Region::Screen => Ok(whole),
            Region::Path => Ok(Rect { height: 1, ..whole }),
            Region::Keys => Ok(Rect {
                y: whole.bottom().saturating_sub(1),
                height: 1,
                ..whole
            }),
            Region::Cells(x, y, width, height) => {
                let area = Rect::new(*x, *y, *width, *height);
                match whole.union(area) == whole {
                    true => Ok(area),
                    false => Err(format!(
                        "the region is outside the screen of {} columns and {} rows",
                        whole.width, whole.height
                    )),
                }
            }
            Region::Titled(title) => {
                let boxes = boxes(screen);
                let found = boxes
                    .iter()
                    .find(|(known, _)| known.contains(title.as_str()));
                found.map(|(_, area)| *area).ok_or_else(|| {
                    let titles: Vec<_> = boxes
                        .iter()
                        .map(|(known, _)| format!("“{known}”"))
                        .collect();
                    match titles.is_empty() {
                        true => format!("no box has “{title}” in its title; no box has one"),
                        false => format!(
                            "no box has “{title}” in its title; there are {}",
                            titles.join(", ")
                        ),
                    }
                })
            }
        }
    }
}

/// The boxes with a title, with their cells.
fn boxes(screen: &Buffer) -> Vec<(String, Rect)> {
    let whole = screen.area;
    let symbol = |x: u16, y: u16| screen[(x, y)].symbol();
    let mut found = Vec::new();
    for top in whole.top()..whole.bottom() {
        for left in whole.left()..whole.right() {
            if symbol(left, top) != "╭" {
                continue;
            }
            let right = (left..whole.right()).find(|x| symbol(*x, top) == "╮");
            let bottom = (top..whole.bottom()).find(|y| symbol(left, *y) == "╰");
            let (Some(right), Some(bottom)) = (right, bottom) else {
                continue;
            };
            let title: String = (left + 1..right).map(|x| symbol(x, top)).collect();
            let title = title.trim_matches(['─', ' ']);
            if !title.is_empty() {
                let area = Rect::new(left, top, right - left + 1, bottom - top + 1);
                found.push((title.to_owned(), area));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use ratatui::style::Style;

    use super::*;

    fn screen() -> Buffer {
        let lines = [
            "Home          ",
            "╭ To do 2 ───╮",
            "│ Sell       │",
            "╰────────────╯",
            "? help        ",
        ];
        let mut screen = Buffer::empty(Rect::new(0, 0, 14, 5));
        for (y, line) in (0..).zip(lines) {
            screen.set_string(0, y, line, Style::new());
        }
        screen
    }

    #[test]
    fn a_region_is_a_line_a_box_or_cells() {
        let found = |region: Region| region.find(&screen());
        assert_eq!(found(Region::Path), Ok(Rect::new(0, 0, 14, 1)));
        assert_eq!(found(Region::Keys), Ok(Rect::new(0, 4, 14, 1)));
        let todo = Region::Titled("To do".to_owned());
        assert_eq!(found(todo), Ok(Rect::new(0, 1, 14, 3)));
        assert_eq!(found(Region::Cells(2, 2, 4, 1)), Ok(Rect::new(2, 2, 4, 1)));
    }

    #[test]
    fn a_missing_region_is_an_error_that_names_those_there_are() {
        let found = |region: Region| region.find(&screen()).expect_err("is missing");
        assert_eq!(
            found(Region::Titled("Done".to_owned())),
            "no box has “Done” in its title; there are “To do 2”"
        );
        assert_eq!(
            found(Region::Cells(10, 0, 5, 1)),
            "the region is outside the screen of 14 columns and 5 rows"
        );
    }
}
