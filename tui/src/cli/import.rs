//! `import`: a spreadsheet, one call for each row.

mod whole;

use std::cell::Cell;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use frontdesk::import::{
    Accepted, Choices, Fate, Import as Rows, Open, Sheet, Step, Summary, named,
};
use frontdesk::plain;
use frontdesk_client::{Callee, paths};
use frontdesk_protocol::number::Mark;
use serde_json::json;

use super::callee;
use super::options::{Options, pair};
use super::terminal::{ask, is_talking, is_yes};
use super::{Failure, completions, say, say_json};

/// The number of open rows that are shown.
const SHOWN: usize = 20;
/// The outcomes of rows.
const OUTCOMES: [&str; 6] = ["add", "change", "same", "earlier", "questionable", "wrong"];
/// The width of the progress bar.
const BAR: usize = 30;

/// Imports a CSV file or an exported list: calls a tool for each row, in transactions. Running it again continues. A
/// calendar, or a bank's statement, is imported by one call.
#[derive(Debug, Args)]
#[command(override_usage = "frontdesk import [OPTIONS] HOST TOOL FILE\n       \
    frontdesk import [OPTIONS] calendar FILE.ics\n       \
    frontdesk import [OPTIONS] statement FILE.csv --set account_id=ACCOUNT")]
pub(super) struct Import {
    /// The host; or a server, by its configured name or its address.
    #[arg(value_name = "HOST", add = completions::peers())]
    host: String,
    /// The tool that adds or changes a record; after calendar or statement, the file.
    #[arg(value_name = "TOOL", add = completions::tools())]
    tool: String,
    /// The file: CSV with the names of the columns in its first line, or a list as JSON or Markdown.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// An argument of every row; an id can be the name of its record. Can be repeated.
    #[arg(long = "set", value_name = "name=value", value_parser = pair)]
    set: Vec<(String, String)>,
    /// The argument of a column; empty: the column is not imported. Can be repeated.
    #[arg(long = "map", value_name = "column=argument", value_parser = pair)]
    map: Vec<(String, String)>,
    /// Change the record with the same value of this argument, such as email, instead of adding one; none: add every
    /// row [default: an e-mail address, a code or a unique name]
    #[arg(long, value_name = "ARGUMENT")]
    key: Option<String>,
    /// The encoding of the file, such as windows-1252, MacRoman or CP850 [default: told by its bytes]
    #[arg(long, value_name = "NAME")]
    encoding: Option<String>,
    /// The sheet of a workbook [default: the one that is open]
    #[arg(long, value_name = "NAME")]
    sheet: Option<String>,
    /// The order of dates such as 03/04/2027 if a column does not show it.
    #[arg(long, value_name = "ORDER", value_parser = ["day-first", "month-first"])]
    dates: Option<String>,
    /// The decimal mark of numbers such as 1.250 if a column does not show it.
    #[arg(long, value_name = "MARK", value_parser = ["point", "comma"])]
    decimals: Option<String>,
    /// Whether amounts of a statement without a minus are paid, if the file does not show it.
    #[arg(long, value_name = "ANSWER", value_parser = ["yes", "no"], num_args = 0..=1, default_missing_value = "yes")]
    negate: Option<String>,
    /// Show what would happen to each row, and write nothing.
    #[arg(long)]
    dry_run: bool,
    /// Do not ask before writing.
    #[arg(long, short)]
    yes: bool,
    /// Import questionable rows, too: of a kind, such as similar, or the row of a line. Can be repeated. Default: all
    #[arg(long, value_name = "KIND", num_args = 0..=1, default_missing_value = "all", value_delimiter = ',')]
    accept: Vec<Accepted>,
    /// Show only rows with this outcome: add, change, same, earlier, questionable or wrong. Can be repeated.
    #[arg(long, value_name = "OUTCOME", value_parser = OUTCOMES, value_delimiter = ',')]
    show: Vec<String>,
    /// Import rows again that an earlier run has imported.
    #[arg(long)]
    again: bool,
    /// File for the rows that were not imported [default: beside FILE, as FILE.failed.csv]
    #[arg(long, value_name = "FILE")]
    failed: Option<PathBuf>,
    /// Whether the outcome is printed as JSON.
    #[arg(skip)]
    is_json: Cell<bool>,
}

/// What is shown of a row.
struct Shown {
    /// The word of its outcome.
    word: &'static str,
    line: Option<u64>,
    text: String,
    /// How it is imported, if it is questionable.
    hint: String,
}

impl Import {
    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        self.is_json.set(options.json());
        if options.read_only() && !self.dry_run {
            let message = "an import writes, and --read-only is given; --dry-run only tries it";
            return Err(Failure::Usage(message.to_owned()));
        }
        let Some(file) = &self.file else {
            return whole::import(self, options).await;
        };
        let (encoding, name) = (self.encoding.as_deref(), self.sheet.as_deref());
        let program = std::env::current_exe().ok();
        let sheet = Sheet::read(file, encoding, name, program.as_deref());
        let sheet = sheet.map_err(|error| Failure::sheet(file, error))?;
        let callee = callee::find(options, &self.host, None)?;
        let directory = paths::imports_directory(&options.data_directory()?);
        let work = async {
            let imported = self.import(callee.clone(), sheet, file, directory).await;
            imported.map_err(|failure| match failure {
                Failure::Call(error) => callee::failure(&callee, error),
                failure => failure,
            })
        };
        match callee::until_done(&callee, None, work).await? {
            0 => Ok(()),
            failed => Err(Failure::Rows(failed)),
        }
    }

    /// Returns the number of rows that were not imported.
    async fn import(
        &self,
        callee: Callee,
        sheet: Sheet,
        file: &Path,
        directory: PathBuf,
    ) -> Result<usize, Failure> {
        let mut rows = Rows::open(callee, &self.tool, sheet, directory).await?;
        for (name, value) in &self.set {
            rows.set(name, value).await?;
        }
        let mut map = self.map.clone();
        let open = rows.assign(&map)?;
        if !open.is_empty() && is_talking() && !self.yes {
            for column in open {
                let argument = ask_column(&rows, &column).await?;
                map.push((column, argument));
            }
            rows.assign(&map)?;
        }
        for accepted in &self.accept {
            rows.accept(accepted);
        }
        let mut choices = self.choices();
        rows.choose(choices);
        rows.check(self.key.as_deref(), self.again, |step| {
            draw("Checking", step)
        })
        .await?;
        if is_talking() && !self.yes && ask_notation(rows.open_columns(), &mut choices).await? {
            rows.choose(choices);
            rows.check(self.key.as_deref(), false, |step| draw("Checking", step))
                .await?;
        }
        self.can_ask()?;
        rows.remember()?;
        for line in rows.overview(file) {
            self.print(&line)?;
        }
        let count = self.say_fates(&rows)?;
        let summary = match count {
            0 => Summary::default(),
            count if self.dry_run || self.yes || asked(count).await? => {
                rows.run(self.dry_run, |step| draw("Importing", step))
                    .await?
            }
            _ => return Ok(0),
        };
        if self.is_json.get() {
            let rows = rows.fates().map(|(row, fate)| {
                json!({ "line": row.line, "outcome": fate.word(), "text": rows.told(row, fate) })
            });
            let rows: Vec<_> = rows.collect();
            let said = json!({
                "dry_run": self.dry_run, "rows": rows, "added": summary.added, "changed": summary.changed,
                "unknown": summary.unknown, "unchanged": summary.unchanged,
            });
            say_json(&said)?;
        }
        self.end(&rows, file, &summary)
    }

    /// Whether it may write, or can ask a person.
    fn can_ask(&self) -> Result<(), Failure> {
        match self.yes || self.dry_run || is_talking() {
            true => Ok(()),
            false => Err(Failure::Usage(
                "give --yes to import without a question, or --dry-run to try it".to_owned(),
            )),
        }
    }

    fn choices(&self) -> Choices {
        Choices {
            day_first: self.dates.as_deref().map(|order| order == "day-first"),
            mark: self.decimals.as_deref().map(|mark| match mark {
                "comma" => Mark::Comma,
                _ => Mark::Point,
            }),
            negate: self.negate.as_deref().map(|answer| answer == "yes"),
        }
    }

    /// Prints the outcome of each row. Returns the number of rows to import.
    fn say_fates(&self, rows: &Rows) -> Result<usize, Failure> {
        let shown = rows.fates().map(|(row, fate)| Shown {
            word: fate.word(),
            line: Some(row.line),
            text: rows.told(row, fate),
            hint: match fate {
                Fate::Questionable(doubts, _) => {
                    let mut kinds: Vec<_> = doubts.iter().map(|doubt| doubt.about.word()).collect();
                    kinds.dedup();
                    format!(" (--accept {} imports it)", kinds.join(","))
                }
                _ => String::new(),
            },
        });
        let shown: Vec<_> = shown.collect();
        self.say_all(&shown, &["questionable", "wrong"])?;
        let is_to_do = |one: &&Shown| ["add", "change"].contains(&one.word);
        Ok(shown.iter().filter(is_to_do).count())
    }

    /// Prints how many rows have each outcome, and those with one of the usual ones.
    fn say_all(&self, rows: &[Shown], usual: &[&str]) -> Result<(), Failure> {
        let heads = [
            "Added",
            "Changed",
            "Same",
            "Imported earlier",
            "Questionable",
            "Wrong",
        ];
        for (what, word) in heads.into_iter().zip(OUTCOMES) {
            let count = rows.iter().filter(|row| row.word == word).count();
            self.print(&format!("{what:<18}{count:>6}"))?;
        }
        let is_whole = self.dry_run || !self.show.is_empty();
        let is_shown = |row: &&Shown| match self.show.as_slice() {
            [] => self.dry_run || usual.contains(&row.word),
            words => words.iter().any(|word| word == row.word),
        };
        let shown: Vec<_> = rows.iter().filter(is_shown).collect();
        let most = if is_whole { shown.len() } else { SHOWN };
        for row in shown.iter().take(most) {
            let line = row
                .line
                .map_or(String::new(), |line| format!("line {line}: "));
            self.print(&format!("  {:<14}{line}{}{}", row.word, row.text, row.hint))?;
        }
        if shown.len() > most {
            let more = counted(shown.len() - most, "more row");
            self.print(&format!("  and {more}"))?;
        }
        Ok(())
    }

    /// Says what was done, and writes the failed rows to a file.
    fn end(&self, rows: &Rows, file: &Path, summary: &Summary) -> Result<usize, Failure> {
        for (row, reason) in summary.failed.iter().take(SHOWN) {
            let line = rows.sheet.rows[*row].line;
            self.print(&format!("  line {line}: {reason}"))?;
        }
        let (added, changed) = (summary.added, summary.changed);
        match self.dry_run {
            true => self.print(&format!("Tried: {added} would be added, {changed} changed"))?,
            false => self.print(&format!("Imported: {added} added, {changed} changed"))?,
        }
        if summary.unknown > 0 {
            let rows = counted(summary.unknown, "row");
            self.print(&format!("Perhaps imported: {rows}"))?;
        }
        if summary.unchanged > 0 {
            let rows = counted(summary.unchanged, "row");
            self.print(&format!("Added by another import meanwhile: {rows}"))?;
        }
        let failed = rows.failed(summary);
        if !failed.is_empty() && !self.dry_run {
            let wanted = self.failed.clone().unwrap_or_else(|| beside(file));
            let path = rows.sheet.write_failed(&wanted, &failed);
            let path = path.map_err(|error| Failure::at(&wanted, error))?;
            let rows = counted(failed.len(), "row");
            self.print(&format!("Not imported: {rows}, in {}", path.display()))?;
        }
        Ok(failed.len())
    }

    /// Prints a line for people.
    fn print(&self, line: &str) -> Result<(), Failure> {
        match self.is_json.get() {
            true => Ok(()),
            false => print(line),
        }
    }
}

/// `guests.failed.csv` for `guests.csv`.
fn beside(file: &Path) -> PathBuf {
    file.with_extension("failed.csv")
}

fn print(line: &str) -> Result<(), Failure> {
    say(&plain(line))
}

fn counted(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    }
}

/// The argument that the user chooses for a column; empty if it is not imported.
async fn ask_column(rows: &Rows, column: &str) -> Result<String, Failure> {
    let names: Vec<_> = rows.arguments.iter().map(|one| one.name.as_str()).collect();
    print(&format!("Arguments: {}", names.join(", ")))?;
    loop {
        let question = format!("Argument for column “{column}” (empty: do not import): ");
        let answer = ask(&question).await?;
        match named(&answer, &rows.arguments) {
            Ok(argument) => return Ok(argument.unwrap_or_default()),
            Err(message) => print(&message)?,
        }
    }
}

/// Asks how columns are read that do not show it. Returns whether something was chosen.
async fn ask_notation(open: &Open, choices: &mut Choices) -> Result<bool, Failure> {
    let mut is_chosen = false;
    if let Some((column, text)) = &open.dates {
        let question = format!("“{column}” has {text}: is the day first, or the month? [d/m] ");
        choices.day_first = match ask(&question).await?.to_lowercase().as_str() {
            "d" => Some(true),
            "m" => Some(false),
            _ => None,
        };
        is_chosen |= choices.day_first.is_some();
    }
    if let Some((column, text)) = &open.numbers {
        let question = format!("“{column}” has {text}: is the mark decimal? [y/n] ");
        let is_decimal = ask(&question).await?.to_lowercase();
        choices.mark = match (is_decimal.as_str(), text.contains('.')) {
            ("y", true) | ("n", false) => Some(Mark::Point),
            ("y", false) | ("n", true) => Some(Mark::Comma),
            _ => None,
        };
        is_chosen |= choices.mark.is_some();
    }
    Ok(is_chosen)
}

async fn asked(count: usize) -> Result<bool, Failure> {
    is_yes(&format!("Import {}? [y/N] ", counted(count, "row"))).await
}

/// Draws the progress for a person; scripts get none.
fn draw(what: &str, step: Step) {
    let mut stderr = std::io::stderr();
    if !stderr.is_terminal() {
        return;
    }
    let filled = (step.done * BAR).checked_div(step.total).unwrap_or(BAR);
    let bar = format!("{}{}", "█".repeat(filled), "░".repeat(BAR - filled));
    let end = if step.done == step.total {
        "\r\u{1b}[K"
    } else {
        ""
    };
    // Without stderr the progress is dropped.
    let _ = write!(
        stderr,
        "\r{what} {bar} {} of {}{end}",
        step.done, step.total
    );
    let _ = stderr.flush();
}
