//! Reads the tags of a game; the date in one.

use std::time::{SystemTime, UNIX_EPOCH};

use super::game::{Tag, decoded};

/// What stands before the moves.
pub struct Header {
    /// The tags in their order.
    pub tags: Vec<Tag>,
    /// What follows them in brackets and is no tag.
    pub rest: String,
    /// Where the moves begin.
    pub end: usize,
}

/// The tags at the beginning of a game. What is no tag between them stays with the next one.
pub fn read(text: &[u8]) -> Header {
    let (mut tags, mut begin, mut at) = (Vec::new(), 0, 0);
    loop {
        let mut tag = skip_space(text, at);
        // Comments between two tags.
        while !tags.is_empty() && text.get(tag) == Some(&b'{') {
            let end = text[tag..].iter().position(|byte| *byte == b'}');
            tag = end.map_or(text.len(), |end| skip_space(text, tag + end + 1));
        }
        if text.get(tag) != Some(&b'[') {
            break;
        }
        let pair = pair(text, tag + 1);
        let behind = pair.as_ref().map_or_else(|end| *end, |pair| pair.end);
        at = behind_bracket(text, behind);
        if let Ok(pair) = pair {
            let source = decoded(&text[begin..at]);
            let name = decoded(pair.name);
            let value = decoded(&pair.value);
            let value = if pair.is_quoted { &value } else { value.trim().trim_matches(QUOTES) };
            tags.push(Tag::read(name.trim().into(), value.into(), source.trim()));
            begin = at;
        }
    }
    Header { tags, rest: decoded(&text[begin..at]).trim().to_owned(), end: at }
}

/// White space and lines that begin with `%`.
fn skip_space(text: &[u8], mut at: usize) -> usize {
    loop {
        match text.get(at) {
            Some(b' ' | b'\t' | b'\r' | b'\n') => at += 1,
            Some(b'%') if at == 0 || text[at - 1] == b'\n' => at = line_end(text, at),
            _ => return at,
        }
    }
}

fn line_end(text: &[u8], at: usize) -> usize {
    text[at..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |end| at + end)
}

struct Pair<'a> {
    name: &'a [u8],
    value: Vec<u8>,
    /// Between quotes of ASCII.
    is_quoted: bool,
    end: usize,
}

/// What some editors and fonts put in the place of quotes.
const QUOTES: [char; 6] = ['\u{201c}', '\u{201d}', '\u{201e}', '\u{2018}', '\u{2019}', '\''];

/// The tag behind a bracket, or where something else ends.
fn pair(text: &[u8], begin: usize) -> Result<Pair<'_>, usize> {
    let ends_name = |byte: &u8| matches!(byte, b'"' | b'\n' | b']');
    let Some(length) = text[begin..].iter().position(ends_name) else { return Err(text.len()) };
    let quote = begin + length;
    if text[quote] != b'"' {
        return unquoted(&text[begin..=quote], begin).ok_or(quote + 1);
    }
    let name = &text[begin..quote];
    let (mut value, mut at) = (Vec::new(), quote + 1);
    loop {
        match text[at..] {
            [] | [b'\n', ..] => break,
            [b'"', ref behind @ ..] if !is_in_value(behind) => {
                at += 1;
                break;
            }
            // A backslash that escapes nothing.
            [b'\\', b'"', ref behind @ ..] if ends_line(behind) => {
                value.push(b'\\');
                at += 2;
                break;
            }
            [b'\\', escaped @ (b'\\' | b'"'), ..] => {
                value.push(escaped);
                at += 2;
            }
            [byte, ..] => {
                value.push(byte);
                at += 1;
            }
        }
    }
    Ok(Pair { name, value, is_quoted: true, end: at })
}

/// A tag whose value stands up to its bracket without quotes, or in others.
fn unquoted(tag: &[u8], begin: usize) -> Option<Pair<'_>> {
    let inside = tag.strip_suffix(b"]")?;
    let blank = inside.iter().position(|byte| matches!(byte, b' ' | b'\t'))?;
    let (name, value) = inside.split_at(blank);
    let is_tag = name.first()?.is_ascii_uppercase() && !value.trim_ascii().is_empty();
    let end = begin + inside.len();
    is_tag.then(|| Pair { name, value: value.to_vec(), is_quoted: false, end })
}

/// Returns `true` if a bracket ends the tag and the line.
fn ends_line(behind: &[u8]) -> bool {
    let Some(rest) = behind[skip_blanks(behind)..].strip_prefix(b"]") else { return false };
    matches!(rest[skip_blanks(rest)..], [] | [b'\n', ..])
}

/// How far behind a quote the one may be that ends the value: a line of a tag has at most 255 bytes.
const MAX_LINE: usize = 255;

/// Returns `true` if a quote, behind which this text is, is part of the value although it is not
/// escaped: the tag does not end there, but at a later quote of the line.
fn is_in_value(behind: &[u8]) -> bool {
    let near = &behind[..behind.len().min(MAX_LINE)];
    let line = &near[..line_end(near, 0)];
    let is_quote = |at: &usize| {
        let is_plain = *at == 0 || line[at - 1] != b'\\';
        line[*at] == b'"' && (is_plain || ends_line(&behind[at + 1..]))
    };
    !ends_tag(behind) && (0..line.len()).filter(is_quote).any(|at| ends_tag(&behind[at + 1..]))
}

/// Returns `true` if a tag ends behind a quote: by its bracket or with the line.
fn ends_tag(behind: &[u8]) -> bool {
    matches!(behind[skip_blanks(behind)..], [] | [b']' | b'\n', ..])
}

/// How many blanks a line begins with.
fn skip_blanks(line: &[u8]) -> usize {
    line.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count()
}

/// Behind the bracket that closes a tag, if it is there.
fn behind_bracket(text: &[u8], mut at: usize) -> usize {
    at += skip_blanks(&text[at..]);
    at + usize::from(matches!(text.get(at), Some(b']' | b'\n')))
}

/// Today's date, in UTC, as PGN writes it.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    date(i64::try_from(seconds / 86_400).unwrap_or(0))
}

/// The date of a number of days after 1970-01-01.
///
/// Source: the algorithm is `civil_from_days` of Howard Hinnant's "chrono-Compatible Low-Level
/// Date Algorithms".
fn date(days: i64) -> String {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // Months are counted from March.
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}.{month:02}.{day:02}")
}

#[cfg(test)]
mod tests {
    use super::{date, read};

    #[test]
    fn dates_follow_the_calendar() {
        let cases = [(0, "1970.01.01"), (11_016, "2000.02.29"), (11_017, "2000.03.01")];
        for (days, text) in cases.into_iter().chain([(20_513, "2026.03.01")]) {
            assert_eq!(date(days), text);
        }
    }

    #[test]
    fn tags_have_names_and_values_and_what_stands_between_them_stays() {
        let text = b"[White \"a \\\"b\\\" \\\\ \\c\"]\n% remark\n[nothing]\n[Black \"open\n[Site\t\"x\" ] \n[end]\n1. e4";
        let header = read(text);
        let tags: Vec<_> = header.tags.iter().map(|tag| (tag.name(), tag.value())).collect();
        assert_eq!(tags, [("White", "a \"b\" \\ \\c"), ("Black", "open"), ("Site", "x")]);
        assert_eq!((header.rest.as_str(), &text[header.end..]), ("[end]", &b"1. e4"[..]));
        let kept: String = header.tags.iter().map(|tag| format!("{tag}\n")).collect();
        assert!(kept.contains("% remark\n[nothing]\n[Black \"open\n[Site\t\"x\" ]"), "{kept}");
    }

    #[test]
    fn a_quote_that_is_not_escaped_is_part_of_the_value() {
        let text = b"[Event \"The \"Big\" Open\"] [Site \"x\"]\n[White \"\"Kid\" F\" ]\r\n\
            [Black \"a\\\"] b\"\n[Round \"1\" e4]\n1. e4";
        let header = read(text);
        let tags: Vec<_> = header.tags.iter().map(|tag| (tag.name(), tag.value())).collect();
        assert_eq!(
            tags[..4],
            [
                ("Event", "The \"Big\" Open"),
                ("Site", "x"),
                ("White", "\"Kid\" F"),
                ("Black", "a\"] b")
            ]
        );
        assert_eq!(tags[4], ("Round", "1"));
    }
}
