//! How and where the result of a call is written.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Stdout, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use frontdesk::files;
use frontdesk::formats::{Format, Lacks, Paper, Reader, WriteError, content_rows, content_text};
use frontdesk_client::{CallResult, Content};
use frontdesk_protocol::exact;
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use crate::cli::suggest::closest;
use crate::cli::{Failure, terminal_width, warn};

/// An output format of the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Output {
    /// As the tool returned it; on one line unless written to a terminal.
    Json,
    /// Aligned columns for people.
    Table,
    /// A header, and a line per record; nested values are JSON.
    Csv,
    /// A Markdown table.
    Markdown,
    /// The texts of the result.
    Text,
}

/// How and where the result is written.
#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct Printing {
    /// Output format [default: json; table with --columns or --full]
    #[arg(long, short, value_enum)]
    output: Option<Output>,
    /// Fields of the records in the table, in this order; a nested field as `tags.table`.
    #[arg(long, value_name = "FIELD,…", value_delimiter = ',')]
    columns: Vec<String>,
    /// Show all columns and whole values, even if they do not fit the terminal.
    #[arg(long)]
    full: bool,
    /// Write the result to this file: an image, sound or resource as its bytes.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Replace the file of --save if it exists.
    #[arg(long, requires = "save")]
    overwrite: bool,
    /// Whether texts are the default.
    #[arg(skip)]
    is_text: bool,
}

/// The destination of the output.
pub(in crate::cli) enum Sink {
    Stdout(Stdout),
    /// A temporary file, which replaces the path at the end.
    File(NamedTempFile, PathBuf),
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Sink::Stdout(stdout) => stdout.write(bytes),
            Sink::File(file, _) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Sink::Stdout(stdout) => stdout.flush(),
            Sink::File(file, _) => file.flush(),
        }
    }
}

impl Printing {
    /// The same, with texts as the default.
    #[must_use]
    pub(in crate::cli) fn or_text(mut self) -> Self {
        self.is_text = true;
        self
    }

    /// The same, with JSON as the default if `is_json`.
    #[must_use]
    pub(in crate::cli) fn or_json(mut self, is_json: bool) -> Self {
        self.output = self.output.or(is_json.then_some(Output::Json));
        self
    }

    fn output(&self) -> Output {
        let is_table = self.full || !self.columns.is_empty();
        self.output.unwrap_or(match (is_table, self.is_text) {
            (true, _) => Output::Table,
            (false, true) => Output::Text,
            (false, false) => Output::Json,
        })
    }

    /// Whether the result is written as JSON.
    pub(in crate::cli) fn is_json(&self) -> bool {
        self.output() == Output::Json
    }

    /// Finds out before the call whether its result can be written.
    ///
    /// # Errors
    /// [`Failure::Usage`] if the options contradict each other, [`Failure::File`] if the file cannot
    /// be created.
    pub(in crate::cli) fn check(&self, is_paged: bool) -> Result<(), Failure> {
        let is_text = self.output() == Output::Text;
        if !self.columns.is_empty() && (is_text || self.is_json()) {
            let message = "--columns needs -o table, csv or markdown";
            return Err(Failure::Usage(message.to_owned()));
        }
        if is_paged && is_text {
            let message = "--all needs -o json, table, csv or markdown";
            return Err(Failure::Usage(message.to_owned()));
        }
        if let Some(path) = &self.save {
            files::check(path, self.overwrite)
                .map_err(|error| Failure::Usage(format!("--save {}: {error}", path.display())))?;
            temporary(path)?;
        }
        Ok(())
    }

    /// The output, in the format of the options.
    pub(in crate::cli) fn paper(&self) -> Result<Paper<Sink>, Failure> {
        let sink = match &self.save {
            Some(path) => Sink::File(temporary(path)?, path.clone()),
            None => Sink::Stdout(io::stdout()),
        };
        Ok(self.paper_to(sink))
    }

    fn paper_to(&self, sink: Sink) -> Paper<Sink> {
        let reader = match &sink {
            Sink::Stdout(stdout) if stdout.is_terminal() => {
                Reader::Terminal(terminal_width().filter(|_| !self.full))
            }
            _ => Reader::Program,
        };
        let format = match self.output() {
            Output::Json => Format::Json,
            Output::Csv => Format::Csv,
            Output::Markdown => Format::Markdown,
            Output::Table | Output::Text => Format::Table,
        };
        Paper::new(format, reader, sink).with_columns(self.columns.clone())
    }

    /// Ends the output, and says what it lacks.
    pub(in crate::cli) fn end(&self, paper: Paper<Sink>) -> Result<(), Failure> {
        let (lacks, sink) = paper.into_parts();
        if let Sink::File(file, path) = sink {
            persist(file, &path, self.overwrite)?;
        }
        say_lacks(&lacks);
        Ok(())
    }

    /// Writes one value.
    pub(in crate::cli) fn value(&self, value: &Value) -> Result<(), Failure> {
        let mut paper = self.paper()?;
        self.write(&mut paper, value)?;
        self.end(paper)
    }

    fn write(&self, paper: &mut Paper<Sink>, value: &Value) -> Result<(), Failure> {
        let written = match (self.output(), value) {
            // A tool that returns nothing has nothing to show.
            (output, Value::Null) if output != Output::Json => Ok(()),
            (Output::Text, Value::Object(_) | Value::Array(_)) => {
                paper.whole(&exact::pretty(value).into())
            }
            _ => paper.whole(value),
        };
        written.map_err(not_written)
    }

    /// Writes the result of a call.
    pub(in crate::cli) fn result(&self, result: CallResult) -> Result<(), Failure> {
        let is_file = |block: &Content| {
            let is_text = matches!(block, Content::Text(_) | Content::Link { .. });
            !is_text && !matches!(block, Content::Other(_))
        };
        let has_files = result.content.iter().any(is_file);
        if let Some(path) = self.save.as_deref().filter(|_| has_files) {
            let (mut rest, mut saved, mut failed) = (Vec::new(), 0, None);
            for block in &result.content {
                let (kind, bytes) = match file(block) {
                    Some((kind, Some(bytes))) => (kind, bytes),
                    Some((kind, None)) => {
                        warn(&format!("not saved: {kind}, because its base64 is broken"));
                        rest.push(block.clone());
                        continue;
                    }
                    None => {
                        rest.push(block.clone());
                        continue;
                    }
                };
                let written = save(&numbered(path, saved), kind, &bytes, self.overwrite);
                failed = failed.or(written.err());
                saved += 1;
            }
            // The call was made: its answer is printed even if a file cannot be written.
            let shown = match result.structured {
                Some(value) => Some(value),
                None if rest.is_empty() => None,
                None => Some(content_text(&rest).into()),
            };
            if let Some(shown) = shown {
                let mut paper = self.paper_to(Sink::Stdout(io::stdout()));
                self.write(&mut paper, &shown)?;
                self.end(paper)?;
            }
            return failed.map_or(Ok(()), Err);
        }
        let shown = match (self.output(), result.is_text()) {
            (Output::Text, _) if !result.content.is_empty() => content_text(&result.content).into(),
            (Output::Json, false) => {
                let mut paper = self.paper()?;
                let written = paper.received(result.received_text(), result.received());
                written.map_err(not_written)?;
                return self.end(paper);
            }
            (_, false) => content_rows(&result.content),
            (_, true) => {
                for text in result.beside() {
                    warn(&format!("it also says: {text}"));
                }
                result.into_value()?
            }
        };
        self.value(&shown)
    }
}

/// What a refusal has beside its texts.
pub(in crate::cli) fn beside_error(result: &CallResult) -> Vec<String> {
    let is_text = |block: &&Content| matches!(block, Content::Text(_));
    let blocks: Vec<_> = result
        .content
        .iter()
        .filter(|block| !is_text(block))
        .cloned()
        .collect();
    let has_texts = blocks.len() < result.content.len();
    let structured = result.structured.as_ref().filter(|value| {
        // The texts say what the structured error of a host says.
        has_texts && value.get("error").is_none()
    });
    // The protocol's own keys, such as the server's name, are not about the refusal.
    let meta = result.received()["_meta"].as_object().map(|meta| {
        let own = meta.iter();
        let own = own.filter(|(key, _)| !key.starts_with("io.modelcontextprotocol/"));
        Value::Object(
            own.map(|(key, value)| (key.clone(), value.clone()))
                .collect(),
        )
    });
    let meta = meta.filter(|meta| *meta != json!({}));
    let named = [("structuredContent", structured), ("_meta", meta.as_ref())];
    let named = named
        .into_iter()
        .filter_map(|(name, value)| Some(format!("{name}: {}", exact::text(value?))));
    let blocks = (!blocks.is_empty()).then(|| content_text(&blocks));
    blocks.into_iter().chain(named).collect()
}

/// The type and the bytes of a file in a content block; `None` for a text or a link, and without
/// bytes if its base64 is broken.
fn file(content: &Content) -> Option<(&str, Option<Cow<'_, [u8]>>)> {
    let decoded = |data: &str| Content::decode(data).map(Cow::Owned);
    Some(match content {
        Content::Image { data, mime_type } | Content::Audio { data, mime_type } => {
            (mime_type, decoded(data))
        }
        Content::BlobResource {
            mime_type, blob, ..
        } => (mime_type.as_deref().unwrap_or("resource"), decoded(blob)),
        Content::TextResource {
            mime_type, text, ..
        } => {
            let kind = mime_type.as_deref().unwrap_or("resource");
            (kind, Some(Cow::Borrowed(text.as_bytes())))
        }
        Content::Text(_) | Content::Link { .. } | Content::Other(_) => return None,
    })
}

/// `plan.png`, then `plan-2.png`.
fn numbered(path: &Path, at: usize) -> PathBuf {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy());
    let stem = stem.unwrap_or_default();
    let ending = path.extension().map(|ending| ending.to_string_lossy());
    match (at, ending) {
        (0, _) => path.to_owned(),
        (at, None) => path.with_file_name(format!("{stem}-{}", at + 1)),
        (at, Some(ending)) => path.with_file_name(format!("{stem}-{}.{ending}", at + 1)),
    }
}

fn save(path: &Path, kind: &str, bytes: &[u8], overwrite: bool) -> Result<(), Failure> {
    let mut file = temporary(path)?;
    let written = file.write_all(bytes);
    written.map_err(|error| Failure::at(path, error))?;
    persist(file, path, overwrite)?;
    warn(&format!(
        "saved {} ({kind}, {} bytes)",
        path.display(),
        bytes.len()
    ));
    Ok(())
}

/// A file beside the path.
fn temporary(path: &Path) -> Result<NamedTempFile, Failure> {
    files::temporary(path).map_err(|error| Failure::at(path, error))
}

fn persist(file: NamedTempFile, path: &Path, overwrite: bool) -> Result<(), Failure> {
    files::keep(file, path, overwrite).map_err(|error| Failure::at(path, error))
}

fn say_lacks(lacks: &Lacks) {
    if !lacks.hidden.is_empty() {
        let hidden = lacks.hidden.join(", ");
        warn(&format!(
            "not shown: {hidden}; --columns chooses the columns, --full shows all"
        ));
    }
    for missing in &lacks.missing {
        let fields = lacks.fields.iter().map(String::as_str);
        let instead = match closest(missing, fields) {
            Some(close) => format!("did you mean `{close}`?"),
            None => format!("choose from {}", lacks.fields.join(", ")),
        };
        warn(&format!("no record has a field `{missing}`; {instead}"));
    }
}

/// The failure for a result that cannot be written.
pub(in crate::cli) fn not_written(error: WriteError) -> Failure {
    match error {
        WriteError::Io(error) => Failure::file("stdout", error),
        WriteError::NoList => {
            Failure::Usage("--all needs a list; this tool returns one record".to_owned())
        }
    }
}
