//! Paths and names in a stream of tokens, those inside macros included.

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};

/// A path as it is written, `::` taken away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    pub segments: Vec<String>,
    pub line: usize,
}

#[derive(Default)]
pub struct Names {
    /// Paths of at least two parts.
    pub references: Vec<Reference>,
    /// Names that stand alone, with a line where each does. Of names in small letters only those
    /// that are called: the others may be variables or fields.
    pub mentions: BTreeMap<String, usize>,
}

pub fn scan(tokens: TokenStream) -> Names {
    let mut names = Names::default();
    names.scan(&tokens.into_iter().collect::<Vec<_>>());
    names
}

pub fn plain(ident: &Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#").map_or(text.clone(), str::to_owned)
}

/// Returns `true` if what stands in `#[cfg(...)]` can hold in tests only.
pub fn requires_test(condition: TokenStream) -> bool {
    let tokens: Vec<_> = condition.into_iter().collect();
    match &tokens[..] {
        [TokenTree::Ident(name)] => name == "test",
        [TokenTree::Ident(name), TokenTree::Group(group)] if name == "all" => {
            arguments(group).into_iter().any(requires_test)
        }
        [TokenTree::Ident(name), TokenTree::Group(group)] if name == "any" => {
            arguments(group).into_iter().all(requires_test)
        }
        _ => false,
    }
}

fn arguments(group: &Group) -> Vec<TokenStream> {
    let tokens: Vec<_> = group.stream().into_iter().collect();
    let parts = tokens.split(|token| is_punct(Some(token), ','));
    parts.filter(|part| !part.is_empty()).map(|part| part.iter().cloned().collect()).collect()
}

impl Names {
    fn scan(&mut self, tokens: &[TokenTree]) {
        let mut at = 0;
        while at < tokens.len() {
            at = match &tokens[at] {
                TokenTree::Punct(punct) if punct.as_char() == '#' => self.attribute(tokens, at),
                TokenTree::Group(group) => {
                    self.scan(&group.stream().into_iter().collect::<Vec<_>>());
                    at + 1
                }
                TokenTree::Ident(_) => self.path(tokens, at, &[]),
                _ => at + 1,
            };
        }
    }

    /// Goes past an attribute, and past what it switches off outside tests.
    fn attribute(&mut self, tokens: &[TokenTree], at: usize) -> usize {
        let Some(TokenTree::Group(group)) = tokens.get(at + 1) else { return at + 1 };
        let inside: Vec<_> = group.stream().into_iter().collect();
        if let [TokenTree::Ident(name), TokenTree::Group(condition)] = &inside[..]
            && name == "cfg"
            && requires_test(condition.stream())
        {
            let ends = |token: &TokenTree| match token {
                TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                token => is_punct(Some(token), ';') || is_punct(Some(token), ','),
            };
            let length = tokens[at + 2..].iter().position(ends);
            return length.map_or(tokens.len(), |length| at + 2 + length + 1);
        }
        self.scan(&inside);
        at + 2
    }

    /// Reads the path that begins at `at`, after `prefix`, and returns where it ends.
    fn path(&mut self, tokens: &[TokenTree], at: usize, prefix: &[String]) -> usize {
        let line = tokens[at].span().start().line;
        let mut segments = prefix.to_vec();
        let mut next = at;
        while let Some(TokenTree::Ident(ident)) = tokens.get(next) {
            segments.push(plain(ident));
            next += 1;
            if !is_colons(tokens, next) {
                break;
            }
            next += 2;
            // The end of a nested `use`: `a::{b, c}`.
            if let Some(TokenTree::Group(group)) = tokens.get(next)
                && group.delimiter() == Delimiter::Brace
            {
                self.branches(group, &segments);
                return next + 1;
            }
        }
        if segments.len() > 1 {
            self.references.push(Reference { segments, line });
        } else if stands_alone(tokens, at) {
            self.mentions.entry(segments.remove(0)).or_insert(line);
        }
        next
    }

    fn branches(&mut self, group: &Group, prefix: &[String]) {
        let tokens: Vec<_> = group.stream().into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            at = match &tokens[at] {
                TokenTree::Ident(ident) if ident == "as" => at + 2,
                TokenTree::Ident(_) => self.path(&tokens, at, prefix),
                _ => at + 1,
            };
        }
    }
}

/// Whether the name at `at` may be that of an imported item: no field, method, binding or
/// definition.
fn stands_alone(tokens: &[TokenTree], at: usize) -> bool {
    let TokenTree::Ident(ident) = &tokens[at] else { return false };
    let before = at.checked_sub(1).map(|i| &tokens[i]);
    let after = tokens.get(at + 1);
    let defined = matches!(before, Some(TokenTree::Ident(word)) if word == "fn");
    if defined || is_punct(before, '.') || is_colons(tokens, at.wrapping_sub(2)) {
        return false;
    }
    if plain(ident).starts_with(char::is_uppercase) {
        return !is_punct(after, ':');
    }
    is_punct(after, '!')
        || matches!(after, Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Parenthesis)
}

fn is_colons(tokens: &[TokenTree], at: usize) -> bool {
    is_punct(tokens.get(at), ':') && is_punct(tokens.get(at.wrapping_add(1)), ':')
}

fn is_punct(token: Option<&TokenTree>, wanted: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
}
