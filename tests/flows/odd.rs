//! Servers whose answers are wrong, but usable in part.

use frontdesk_protocol::Role;
use frontdesk_tests::{Desk, School, odd, row};

/// Opens the list of the tools of a server that is wrong in this way, and selects one.
fn at_the_tool(way: &str, tool: &str) -> Desk {
    let school = School::new();
    let mut t = school.desk(Role::Staff).config(odd::config(way)).at_home();
    t.press("t /").enter("odd").press("/ ctrl-u");
    t.type_text(&format!("odd {tool}"));
    t
}

#[test]
fn the_page_of_a_server_names_what_its_lists_lack() {
    for (way, count, said) in [
        (
            "cursor-stays",
            "2 tools",
            "the rest of the tools: the same items come again",
        ),
        ("page-fails", "2 tools", "the rest of the tools: not here"),
        (
            "announces-all",
            "0 resources",
            "the list of prompts, which it announces: not here",
        ),
        (
            "announces-nameless",
            "1 resource",
            "item 1 of the resources: it has no address",
        ),
    ] {
        at_the_tool(way, "say")
            .press("ctrl-s")
            .expect(count)
            .expect(said);
    }
}

#[test]
fn a_picture_is_drawn_whatever_its_base64_is() {
    for tool in odd::PICTURES {
        let size = if tool == "broken" { "" } else { "3×2" };
        let mut t = at_the_tool("pictures", tool);
        t.press("enter")
            .expect_row(row("image/png").with(size))
            .expect("order 77 was written");
    }
}
