//! The parts of a screen of text. The unit tests of the app include this file, too.

/// A part of the screen with one purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Region {
    /// The first line: where the person is, and who it is.
    Path,
    /// Between the path and the first box.
    Head,
    /// The titles of the boxes, and what their upper borders say beside it.
    Titles,
    /// The last line: keys.
    Keys,
}

impl Region {
    /// The lines of this region; of titles, one for each.
    pub(crate) fn of(self, screen: &str) -> Vec<&str> {
        let lines: Vec<&str> = screen.lines().collect();
        let first_box = lines.iter().position(|line| line.contains('╭'));
        match self {
            Region::Path => lines[..lines.len().min(1)].to_vec(),
            Region::Head => match first_box {
                Some(first) => lines[first.min(1)..first].to_vec(),
                None => lines[lines.len().min(1)..lines.len().saturating_sub(1).max(1)].to_vec(),
            },
            Region::Titles => {
                let parts = lines.iter().flat_map(|line| line.split('╭').skip(1));
                let titles = parts.filter_map(|part| part.split('╮').next());
                let titles = titles.flat_map(|title| title.split('─'));
                titles.filter(|title| !title.is_empty()).collect()
            }
            Region::Keys => lines.last().copied().into_iter().collect(),
        }
    }

    /// Whether this region holds the text.
    pub(crate) fn has(self, screen: &str, text: &str) -> bool {
        self.of(screen).iter().any(|line| line.contains(text))
    }
}

/// The text of each box with this text in its title, on one line.
pub(crate) fn panels(screen: &str, title: &str) -> Vec<String> {
    let lines: Vec<Vec<char>> = screen.lines().map(|line| line.chars().collect()).collect();
    let mut found = Vec::new();
    for (top, line) in lines.iter().enumerate() {
        for left in (0..line.len()).filter(|at| line[*at] == '╭') {
            let width = line[left..].iter().position(|char| *char == '╮');
            let right = left + width.unwrap_or(line.len() - left - 1);
            if !line[left..right].iter().collect::<String>().contains(title) {
                continue;
            }
            let inside = lines[top + 1..]
                .iter()
                .map(|line| line.get(left..right).unwrap_or(&[]));
            let inside = inside.take_while(|line| !matches!(line.first(), None | Some('╰')));
            let text: Vec<String> = inside.map(|line| line.iter().skip(1).collect()).collect();
            found.push(
                text.join(" ")
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" "),
            );
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_looked_for_in_its_region_only() {
        let screen = "Frontdesk › Home\n 4 tasks\n╭ Shaping 2 ─╮╭ Ready 0 ─╮\n│ Sell       ││          │\n? help";
        let regions = [Region::Path, Region::Head, Region::Titles, Region::Keys];
        let texts = ["Home", "4 tasks", "Ready 0", "? help"];
        for region in regions {
            let found = texts.map(|text| region.has(screen, text));
            assert_eq!(found, regions.map(|other| other == region), "{region:?}");
            assert!(!region.has(screen, "Sell"), "{region:?}");
        }
    }
}
