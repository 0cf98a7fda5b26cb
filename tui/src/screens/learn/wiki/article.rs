//! One article: read, follow links, edit the body in an editor, publish, archive.

use frontdesk_client::CallError;
use frontdesk_protocol::learn::wiki::{
    Article, ArticleStatus, GetWikiArticle, PublishWikiArticle, UpdateWikiArticle,
};
use frontdesk_protocol::record::{Maybe, One};
use frontdesk_protocol::value::Text;
use frontdesk_protocol::{Host, Tool, ToolError};
use jiff::Timestamp;
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};
use serde_json::Map;

use super::difference;
use super::page::{Leads, Shown, leads};
use crate::app::cx::{Cx, News};
use crate::app::effects::editor::{Draft, EditorError};
use crate::app::effects::effect::Effect;
use crate::app::effects::job::Outcome;
use crate::app::input::command::{Context, commands};
use crate::app::owner::RequestId;
use crate::app::remote::Remote;
use crate::app::screen::Screen;
use crate::app::shared::{Session, Shared};
use crate::app::state::State;
use crate::fields::cell;
use crate::look::mark::Mark;
use crate::look::text::{clean, count};
use crate::look::time::moment;
use crate::record_screens::edit_record;
use crate::records::kind;
use crate::records::record::Record;
use crate::records::writes::writing;
use crate::screens::allowed::not_author;
use crate::ui::confirm::Confirm;
use crate::ui::frame::waiting;
use crate::ui::panel::{self, framed};
use crate::ui::problem::Problem;

static ARTICLE: Context = Context::list("One wiki article");
static TWO_BODIES: Context = Context::list("Conflicting versions of a wiki article");

/// Maximum width of a line of prose in cells, for readability.
const MEASURE: u16 = 96;
/// Lines around the article: those of the app, of the box, and two above it.
const AROUND: u16 = 6;

commands! {
    /// Commands on an article.
    pub(crate) const COMMANDS;

    ARTICLE: "article.next_link", ["tab", "right", "n"], "Next link",
        act |screen: &mut Reader, cx| screen.step_link(cx.shared, 1), hint("next link"),
        unless(no_link);
    ARTICLE: "article.previous_link", ["backtab", "left", "p"], "Previous link",
        act |screen: &mut Reader, cx| screen.step_link(cx.shared, -1), unless(no_link);
    ARTICLE: "article.follow", ["enter"], "Follow the selected link", act Reader::follow,
        hint("follow"), unless(no_link);
    ARTICLE: "article.edit", ["e"], "Edit the body in your editor", act Reader::edit, writes,
        hint("edit"), hinted_if(is_mine),
        unless(|state| {
            let screen = state.shows::<Reader>()?;
            match state.shared.has_editor {
                true => not_mine(state).or_else(|| screen.not_there()),
                false => Some(EditorError::NotSet.to_string()),
            }
        });
    ARTICLE: "article.fields", ["E"], "Edit title, tags and other fields", act Reader::edit_fields,
        writes, opens,
        unless(|state| not_mine(state).or_else(|| state.shows::<Reader>()?.not_there()));
    ARTICLE: "article.publish", ["P"], "Publish the article",
        run |state, out| ask_status(state, out, ArticleStatus::Published), writes, opens,
        hint("publish"), hinted_if(is_mine),
        unless(|state| {
            let status = ArticleStatus::Published;
            not_mine(state).or_else(|| state.shows::<Reader>()?.no_status(status))
        });
    ARTICLE: "article.archive", ["A"], "Archive the article",
        run |state, out| ask_status(state, out, ArticleStatus::Archived), writes, opens,
        hint("archive"), hinted_if(is_mine),
        unless(|state| {
            let status = ArticleStatus::Archived;
            not_mine(state).or_else(|| state.shows::<Reader>()?.no_status(status))
        });
    TWO_BODIES: "article.keep_mine", ["y"], "Save your version over theirs", act Reader::keep_mine,
        writes, danger, hint("save yours");
    TWO_BODIES: "article.keep_theirs", ["n"], "Keep their version and discard yours",
        act Reader::keep_theirs, danger, hint("keep theirs");
    TWO_BODIES: "article.edit_again", ["e"], "Edit your version again, with theirs below",
        act Reader::edit_both, writes, hint("edit both");
}

/// The part of a public address that names the organisation; empty if its slug is not known.
fn organization(shared: &Shared) -> String {
    let slug = shared
        .account()
        .and_then(|account| account.organization_slug.as_deref());
    slug.map_or(String::new(), |slug| format!("~{}/", clean(slug)))
}

fn no_link(state: &State) -> Option<String> {
    let screen = state.shows::<Reader>()?;
    let page = screen.page(&state.shared)?;
    page.links
        .is_empty()
        .then(|| "the article has no links".to_owned())
}

/// Why the caller cannot change the article.
fn not_mine(state: &State) -> Option<String> {
    let article = state.shows::<Reader>()?.article.value()?;
    let author = article.author_id.to_string();
    not_author(Some(&author), state.shared.account()?).map(str::to_owned)
}

fn is_mine(state: &State) -> bool {
    not_mine(state).is_none()
}

fn ask_status(state: &mut State, out: &mut crate::app::cx::Out, status: ArticleStatus) {
    let Some(screen) = state.shows::<Reader>() else {
        return;
    };
    let Some(article) = screen.article.value() else {
        return;
    };
    let title = clean(&article.title);
    let (title, body, then): (_, _, fn(&mut State, &mut crate::app::cx::Out)) = match status {
        ArticleStatus::Archived => (
            format!("Archive “{title}”?"),
            "Only its author and global admins can read it. Its link, and links to it, will stop \
             working."
                .to_owned(),
            |state, out| {
                state.act::<Reader>(out, |screen, cx| {
                    screen.set_status(cx, ArticleStatus::Archived)
                });
            },
        ),
        _ => (
            format!("Publish “{title}”?"),
            format!(
                "Everybody can read it as shown here, without signing in: {} and {}, at \
                 {}/learn/wiki/{}{}",
                count(article.content.split_whitespace().count(), "word", "words"),
                count(
                    screen
                        .page(&state.shared)
                        .map_or(0, |page| page.links.len()),
                    "link",
                    "links"
                ),
                clean(&state.shared.address),
                organization(&state.shared),
                clean(&article.slug),
            ),
            |state, out| {
                state.act::<Reader>(out, |screen, cx| {
                    screen.set_status(cx, ArticleStatus::Published)
                });
            },
        ),
    };
    state.cx(out).raise(Confirm { title, body, then });
}

/// The reader of one article.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    slug: String,
    title: String,
    article: Remote<Article>,
    shown: Shown,
    /// The request of the open editor.
    out: Option<RequestId>,
    /// The body at the start of the edit.
    base: String,
    /// The user's body before it is saved.
    mine: Option<String>,
    /// The check for changes by others, before a save.
    checking: Remote<()>,
    saving: Remote<()>,
    /// A body saved by somebody else meanwhile; the user chooses.
    theirs: Option<Article>,
}

impl Reader {
    /// The article with this slug.
    pub(crate) fn new(slug: &str, title: &str) -> Self {
        Reader {
            slug: slug.to_owned(),
            title: clean(title).into_owned(),
            ..Reader::default()
        }
    }

    fn ask(&mut self, cx: &mut Cx) {
        if let Some(request) = self.get(cx) {
            self.article.begin(request);
        }
    }

    fn get(&self, cx: &mut Cx) -> Option<RequestId> {
        if !matches!(cx.shared.session, Session::In(_)) {
            return None;
        }
        let known = self.article.value().map(|article| article.id);
        let slug = match known {
            Some(_) => None,
            None => Some(Text::new(self.slug.as_str()).ok()?),
        };
        Some(cx.call(GetWikiArticle { id: known, slug }))
    }

    /// Why there is no article to act on.
    fn not_there(&self) -> Option<String> {
        match self.article.value() {
            None => Some("the article is not loaded".to_owned()),
            Some(_) if self.checking.is_loading() || self.saving.is_loading() => {
                Some("it is being saved".to_owned())
            }
            Some(_) => None,
        }
    }

    fn no_status(&self, status: ArticleStatus) -> Option<String> {
        let is_so = self
            .article
            .value()
            .is_some_and(|article| article.status == status);
        match is_so {
            true => Some(format!("it is {} already", status.name())),
            false => self.not_there(),
        }
    }

    fn page(&self, shared: &Shared) -> Option<std::sync::Arc<crate::ui::markdown::Page>> {
        let article = self.article.value()?;
        let width = shared.size.width.saturating_sub(4).min(MEASURE);
        Some(
            self.shown
                .page(&article.content, width.into(), &shared.settings.theme),
        )
    }

    fn height(shared: &Shared) -> usize {
        shared.size.height.saturating_sub(AROUND).into()
    }

    fn step_link(&mut self, shared: &Shared, by: isize) {
        if let Some(page) = self.page(shared) {
            self.shown.step_link(&page, Reader::height(shared), by);
        }
    }

    fn follow(&mut self, cx: &mut Cx) {
        let Some(page) = self.page(cx.shared) else {
            return;
        };
        let Some(link) = self.shown.link(&page) else {
            self.step_link(cx.shared, 1);
            return;
        };
        match leads(link) {
            Leads::Article(slug) => cx.open(Reader::new(&slug, &slug)),
            Leads::Here => cx.toast(Mark::Info, "The link leads to a section of this article"),
            Leads::Out(address) => {
                let words = format!("External link; copied: {}", clean(&address));
                cx.out.effects.push(Effect::Copy(address));
                cx.toast(Mark::Info, words);
            }
        }
    }

    /// Opens the body in the editor; an unsaved body of the user takes precedence.
    fn edit(&mut self, cx: &mut Cx) {
        let Some(article) = self.article.value() else {
            return;
        };
        let text = match &self.mine {
            Some(mine) => mine.clone(),
            None => {
                self.base = article.content.clone();
                article.content.clone()
            }
        };
        self.open_editor(cx, text);
    }

    fn open_editor(&mut self, cx: &mut Cx, text: String) {
        let request = cx.shared.next_id();
        self.out = Some(request);
        cx.out.effects.push(Effect::Edit {
            request,
            owner: cx.owner,
            draft: Draft {
                text,
                suffix: ".md",
            },
        });
    }

    fn edit_fields(&mut self, cx: &mut Cx) {
        let record = self
            .article
            .value()
            .and_then(|article| serde_json::to_value(article).ok());
        if let Some(record) = record.as_ref().and_then(Record::new)
            && let Some(kind) = kind::find(Host::Learn, "wiki_article")
        {
            edit_record(cx, kind, &record);
        }
    }

    /// Handles the end of the editor: checks for changes by others before the save.
    fn came_back(&mut self, cx: &mut Cx, result: Result<String, EditorError>) {
        self.out = None;
        match result {
            Err(error) => cx.toast(Mark::Bad, error.to_string()),
            Ok(text) if text == self.base => {
                self.mine = None;
                cx.toast(Mark::Info, "Nothing was changed");
            }
            Ok(text) => {
                self.mine = Some(text);
                if let Some(request) = self.get(cx) {
                    self.checking.begin(request);
                }
            }
        }
    }

    fn checked(&mut self, cx: &mut Cx, request: RequestId, result: Result<Article, CallError>) {
        let article = result.as_ref().ok().cloned();
        if let Err(error) = &result {
            self.not_saved(cx, error);
        }
        self.checking.finish(request, cx.now(), result.map(drop));
        let Some(article) = article else {
            return;
        };
        match article.content == self.base {
            true => self.save(cx),
            false => self.theirs = Some(article),
        }
    }

    fn not_saved(&mut self, cx: &mut Cx, error: &CallError) {
        let key = cx.shared.settings.keymap.key("article.edit");
        let problem = Problem::of_write(error);
        let words = format!("Not saved. {} {key} opens your text again.", problem.line());
        cx.toast(Mark::Bad, words);
    }

    fn save(&mut self, cx: &mut Cx) {
        let (Some(article), Some(mine)) = (self.article.value(), &self.mine) else {
            return;
        };
        let arguments = Map::from_iter([
            ("id".to_owned(), article.id.to_string().into()),
            ("content".to_owned(), mine.as_str().into()),
        ]);
        let request = cx.write(writing(Host::Learn, UpdateWikiArticle::NAME, arguments));
        self.saving.begin(request);
    }

    fn saved(
        &mut self,
        cx: &mut Cx,
        request: RequestId,
        result: Result<Article, CallError>,
        change: Option<&str>,
    ) {
        match result {
            Ok(article) => {
                self.mine = None;
                cx.toast_change(&format!("Saved {}", clean(&article.title)), change);
                self.know(cx, article);
                self.saving = Remote::Idle;
            }
            Err(error) => {
                self.not_saved(cx, &error);
                self.saving.finish(request, cx.now(), Err(error));
            }
        }
    }

    /// Takes the host's current article.
    fn know(&mut self, cx: &mut Cx, article: Article) {
        self.title = clean(&article.title).into_owned();
        self.slug.clone_from(&article.slug);
        cx.abort(self.article.request());
        self.article = Remote::known(article, cx.now());
        self.shown.renew();
    }

    fn keep_mine(&mut self, cx: &mut Cx) {
        if let Some(theirs) = self.theirs.take() {
            self.base.clone_from(&theirs.content);
            self.know(cx, theirs);
            self.save(cx);
        }
    }

    fn keep_theirs(&mut self, cx: &mut Cx) {
        if let Some(theirs) = self.theirs.take() {
            self.mine = None;
            self.know(cx, theirs);
        }
    }

    fn edit_both(&mut self, cx: &mut Cx) {
        let (Some(theirs), Some(mine)) = (self.theirs.take(), self.mine.clone()) else {
            return;
        };
        let text = format!(
            "{mine}\n\n<!-- saved meanwhile by somebody else: -->\n\n{}",
            theirs.content
        );
        self.base.clone_from(&theirs.content);
        self.know(cx, theirs);
        self.open_editor(cx, text);
    }

    fn set_status(&mut self, cx: &mut Cx, status: ArticleStatus) {
        if let Some(article) = self.article.value() {
            let request = cx.call(PublishWikiArticle {
                id: Some(article.id),
                slug: None,
                status: Some(status),
            });
            self.saving.begin(request);
        }
    }

    fn status_set(
        &mut self,
        cx: &mut Cx,
        request: RequestId,
        result: Result<Article, CallError>,
        change: Option<&str>,
    ) {
        match result {
            Ok(article) => {
                let words = format!("{} is {} now", clean(&article.title), article.status.name());
                cx.toast_change(&words, change);
                self.know(cx, article);
                self.saving = Remote::Idle;
            }
            Err(error) => {
                let problem = Problem::of_write(&error);
                cx.toast(Mark::Bad, format!("Not done. {}", problem.line()));
                self.saving.finish(request, cx.now(), Err(error));
            }
        }
    }
}

impl Screen for Reader {
    fn context(&self) -> &'static Context {
        match self.theirs {
            Some(_) => &TWO_BODIES,
            None => &ARTICLE,
        }
    }

    fn subject(&self) -> Option<(String, String)> {
        let article = self.article.value()?;
        Some((article.id.to_string(), article.title.clone()))
    }

    fn crumb(&self) -> String {
        self.title.clone()
    }

    fn refresh(&mut self, cx: &mut Cx) {
        self.ask(cx);
    }

    fn as_of(&self) -> Option<Timestamp> {
        Some(self.article.seen()?.at)
    }

    fn renew(&mut self, cx: &mut Cx) {
        if self.out.is_none() {
            self.ask(cx);
        }
    }

    fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: Outcome) {
        let answer = match outcome {
            Outcome::Call(answer) => answer,
            Outcome::Edited(result) if self.out == Some(request) => {
                return self.came_back(cx, result);
            }
            _ => return,
        };
        let reply = answer.result.as_ref().ok();
        let change = reply.and_then(|reply| reply.change.as_deref());
        if let Some(result) = answer.of::<GetWikiArticle>() {
            let result = result.and_then(|Maybe(article)| {
                article.ok_or_else(|| CallError::Tool(ToolError::not_found("wiki_article")))
            });
            if self.checking.waits_for(request) {
                return self.checked(cx, request, result);
            }
            let title = result.as_ref().ok().map(|article| article.title.clone());
            if self.article.finish(request, cx.now(), result) {
                self.shown.renew();
                if let Some(title) = title {
                    self.title = clean(&title).into_owned();
                }
            }
        } else if let Some(result) = answer.of::<UpdateWikiArticle>() {
            let result = result.map(|One(article)| article);
            if self.saving.waits_for(request) {
                self.saved(cx, request, result, change);
            }
        } else if let Some(result) = answer.of::<PublishWikiArticle>() {
            let result = result.map(|One(article)| article);
            if self.saving.waits_for(request) {
                self.status_set(cx, request, result, change);
            }
        }
    }

    fn notified(&mut self, cx: &mut Cx, news: &News) {
        if let Some(article) = news.record::<Article>("wiki_article")
            && self
                .article
                .value()
                .is_some_and(|known| known.id == article.id)
        {
            self.know(cx, article);
        }
    }

    fn step(&mut self, cx: &mut Cx, by: isize) {
        if let Some(page) = self.page(cx.shared) {
            self.shown.step(&page, Reader::height(cx.shared), by);
        }
    }

    fn escape(&mut self, cx: &mut Cx) -> bool {
        if self.mine.is_none() {
            return false;
        }
        cx.raise(Confirm {
            title: "Discard changes?".to_owned(),
            body: "Your changes to this article are not saved.".to_owned(),
            then: |state, out| state.cx(out).back(),
        });
        true
    }

    fn gives_way(&self) -> bool {
        self.mine.is_none() && self.out.is_none() && !self.saving.is_loading()
    }

    fn awaits(&self) -> bool {
        self.article.is_loading() && self.article.value().is_none()
    }

    fn is_busy(&self) -> bool {
        self.article.is_loading() || self.checking.is_loading() || self.saving.is_loading()
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        let theme = &shared.settings.theme;
        let [head, body] = Layout::vertical([Length(2), Fill(1)]).areas(area);
        let mut lines = vec![Line::styled(self.title.clone(), theme.title)];
        if let Some(article) = self.article.value() {
            let state = cell::state(article.status.name());
            let changed = moment(article.updated_at, shared.now, &shared.locale);
            let words = format!("  {}  changed {changed}", clean(&article.slug));
            let mut line = Line::from(Span::styled(state.text, state.tone.style(theme)));
            line.push_span(Span::styled(words, theme.dim));
            // The state and the text are no longer those of the host.
            if let (Some(error), Some(seen)) = (self.article.error(), self.article.seen()) {
                let since = moment(seen.at, shared.now, &shared.locale);
                let words = format!("{} (as of {since})", Problem::of(error).title);
                line = Mark::Bad.span(theme, &words).into();
            }
            if self.mine.is_some() {
                line.push_span(Span::raw("  "));
                line.push_span(Mark::Warn.span(theme, "your text is not saved"));
            }
            lines.push(line);
        }
        frame.render_widget(Paragraph::new(lines), head);
        if let (Some(theirs), Some(mine)) = (&self.theirs, &self.mine) {
            return draw_both(theirs, mine, shared, frame, body);
        }
        let inside = framed(frame, body, "", theme.border);
        match (self.page(shared), self.article.error()) {
            (Some(page), _) => {
                let place = inside.inner(panel::INSET);
                let lines = page.lines.iter().skip(self.shown.top());
                let lines: Vec<Line> = lines.take(place.height.into()).cloned().collect();
                match lines.is_empty() {
                    true => {
                        frame.render_widget(Line::styled("The article is empty.", theme.dim), place)
                    }
                    false => frame.render_widget(Paragraph::new(lines), place),
                }
            }
            (None, Some(error)) => panel::failed(frame, shared, inside, error),
            (None, None) => panel::note(frame, inside, waiting(shared, "asking the host")),
        }
    }
}

/// Draws the text saved by somebody else and the difference from the user's text.
fn draw_both(theirs: &Article, mine: &str, shared: &Shared, frame: &mut Frame, area: Rect) {
    let theme = &shared.settings.theme;
    let at = moment(theirs.updated_at, shared.now, &shared.locale);
    let [said, body] = Layout::vertical([Length(2), Fill(1)]).areas(area);
    let words = format!(
        "Somebody else saved this article at {at}, while you were editing it. Your changes are not saved yet."
    );
    let said_line = Line::from(Mark::Warn.span(theme, &words));
    panel::text(frame, said, said_line);
    let inside = framed(frame, body, " - theirs  + yours ", theme.border);
    let lines = difference::lines(&theirs.content, mine, theme);
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), inside);
}
