//! Comments that end with their line (`;`), which the PGN library skips.

use std::borrow::Cow;

/// The text of a game with such comments in braces, which readers keep. Braces inside them become
/// parentheses.
pub fn in_braces(game: &[u8]) -> Cow<'_, [u8]> {
    if !game.contains(&b';') {
        return Cow::Borrowed(game);
    }
    let (tags, moves) = game.split_at(end_of_tags(game));
    let mut out = tags.to_vec();
    let mut is_braced = false;
    for line in moves.split_inclusive(|byte| *byte == b'\n') {
        let comment = line.iter().position(|byte| {
            match byte {
                b'{' => is_braced = true,
                b'}' => is_braced = false,
                _ => {}
            }
            *byte == b';' && !is_braced
        });
        let (before, comment) = line.split_at(comment.unwrap_or(line.len()));
        out.extend_from_slice(before);
        let [_, text @ ..] = comment else { continue };
        out.extend_from_slice(b"{ ");
        out.extend(text.trim_ascii_end().iter().map(|byte| match byte {
            b'{' => b'(',
            b'}' => b')',
            other => *other,
        }));
        out.extend_from_slice(b" }");
        out.extend(line.last().filter(|byte| **byte == b'\n'));
    }
    Cow::Owned(out)
}

/// Where the last of the tags ends that stand before the moves.
fn end_of_tags(game: &[u8]) -> usize {
    let (mut end, mut offset) = (0, 0);
    for line in game.split_inclusive(|byte| *byte == b'\n') {
        offset += line.len();
        match line.trim_ascii_start() {
            [b'[', ..] => end = offset,
            [] | [b';', ..] => {}
            _ => break,
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::in_braces;

    fn check(text: &str, wanted: &str) {
        assert_eq!(String::from_utf8_lossy(&in_braces(text.as_bytes())), wanted, "{text:?}");
    }

    #[test]
    fn comments_get_braces_where_they_are_comments() {
        check("1. e4 { a } e5", "1. e4 { a } e5");
        check("1. e4 ; best {by} test\r\ne5 *", "1. e4 {  best (by) test }\ne5 *");
        check("1. e4 { a ; b\n; c } e5 ; d", "1. e4 { a ; b\n; c } e5 {  d }");
        check("1. e4 ;{\n(1. d4 ;x\n) e5", "1. e4 { ( }\n(1. d4 { x }\n) e5");
    }

    #[test]
    fn tags_stay_as_they_are() {
        check("[White \"a; b\"]\n\n1. e4 ;x", "[White \"a; b\"]\n\n1. e4 { x }");
        check("; x\n[White \"a\"]\n; y\n1. e4", "; x\n[White \"a\"]\n{  y }\n1. e4");
    }
}
