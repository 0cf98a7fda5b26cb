use super::*;

#[test]
fn a_child_follows_from_its_parent_and_the_key_alone() {
    let parent = RefreshToken::random();
    let child = parent.child(&[1; 32]).reveal();
    assert_eq!(parent.child(&[1; 32]).reveal(), child);
    assert_ne!(parent.child(&[2; 32]).reveal(), child);
    assert_ne!(RefreshToken::random().child(&[1; 32]).reveal(), child);
    assert_ne!(parent.reveal(), child);
}

#[test]
fn reads_what_it_gave_out_and_nothing_else() {
    let token = RefreshToken::random();
    let text = token.reveal();
    assert_eq!(RefreshToken::parse(&text).unwrap().hash(), token.hash());
    for other in [
        "",
        "a",
        "\0",
        &text[1..],
        &format!("{text}="),
        &format!("{text}A"),
        &format!(" {text}"),
    ] {
        assert!(RefreshToken::parse(other).is_none(), "{other:?}");
    }
}
