//! Servers that are wrong in a way of which something can still be used: what came stays, and the
//! rest is named.

use frontdesk_tests::odd;

use super::foreign::Foreign;

#[test]
fn what_came_of_a_list_stays_and_the_rest_is_named() {
    let (foreign, server) = (Foreign::start(), odd::start());
    for (way, command, shown, said) in [
        (
            "cursor-stays",
            "tools",
            "say order",
            "the rest of the tools: the same items come again",
        ),
        (
            "cursor-number",
            "tools",
            "say order",
            "the rest of the tools: its cursor 2 is not a text",
        ),
        (
            "cursor-circles",
            "tools",
            "say order more most",
            "the rest of the tools: its cursor “a” comes again",
        ),
        (
            "page-fails",
            "tools",
            "say order",
            "the rest of the tools: not here",
        ),
        (
            "page-is-none",
            "tools",
            "say order",
            "the rest of the tools: the answer cannot be read: it is not a list of tools",
        ),
        (
            "announces-all",
            "resources",
            "",
            "the list of resources, which it announces: not here",
        ),
        (
            "announces-nameless",
            "resources",
            "odd://plan",
            "item 1 of the resources: it has no address or name",
        ),
    ] {
        let address = format!("{server}/{way}");
        let listed = foreign.frontdesk(&[command, &address]);
        assert_eq!(listed.code, Some(0), "{way}: {listed:?}");
        let lines = listed.stdout.lines();
        let names = lines.map(|it| it.trim_start_matches(&address).split_whitespace().next());
        let names: Vec<_> = names.flatten().collect();
        assert_eq!(names.join(" "), shown, "{way}");
        let said = format!("frontdesk: left out: {said}\n");
        assert_eq!(listed.stderr, said, "{way}");

        let tried = foreign.frontdesk(&["connect", &address]);
        assert_eq!(tried.code, Some(0), "{way}: {tried:?}");
        assert!(
            tried.stdout.starts_with(&format!("{way} 1, protocol ")),
            "{tried:?}"
        );
        assert!(tried.stderr.contains(&said), "{way}: {tried:?}");
    }
}
