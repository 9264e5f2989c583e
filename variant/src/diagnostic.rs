//! What is wrong with a file, where, and what was probably meant.

use std::fmt::{self, Write};

/// A place in a source text. Lines and columns count from 1, in characters; the default, line 0,
/// is the whole text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Span {
    /// Line of the first character.
    pub line: u32,
    /// Column of the first character.
    pub column: u32,
    /// Characters on that line; 0 points between two characters.
    pub length: u32,
}

/// How bad it is: a file with an error is refused, a warning is only printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// The file is refused.
    Error,
    /// The file is accepted.
    Warning,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $number:literal $severity:ident;)*) => {
        /// What kind of mistake it is; printed as `V` and three digits.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[non_exhaustive]
        pub enum Code { $($(#[$doc])* $name = $number,)* }

        impl Code {
            /// Every code, in order.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// Whether it refuses the file.
            pub const fn severity(self) -> Severity {
                match self { $(Self::$name => Severity::$severity,)* }
            }
        }
    };
}

codes! {
    /// Text that fits nowhere.
    Syntax = 1 Error;
    /// A directive (`@word`) that does not exist.
    UnknownDirective = 2 Error;
    /// A value that a directive does not take.
    DirectiveValue = 3 Error;
    /// A piece name that is no name.
    InvalidName = 4 Error;
    /// A `{` without its `}` or the reverse.
    UnbalancedBrace = 5 Error;
    /// Another bracket or a quotation mark that is not closed.
    UnbalancedBracket = 6 Error;
    /// A section (`-word`) that does not exist.
    UnknownSection = 7 Error;
    /// A move without `-square`.
    MissingTarget = 8 Error;
    /// A section that may stand only once in a move, or a variable bound twice.
    Repeated = 9 Error;
    /// A variable that no `-vars` binds.
    UnknownVariable = 10 Error;
    /// A domain that uses a variable bound later.
    UnboundVariable = 11 Error;
    /// A condition that does not exist.
    UnknownCondition = 12 Error;
    /// A flag that no piece declares.
    UnknownFlag = 13 Error;
    /// A piece that is not defined.
    UnknownPiece = 14 Error;
    /// A capital letter that is no atom of this Betza dialect.
    UnknownAtom = 15 Error;
    /// A small letter that is no Betza modifier.
    UnknownModifier = 16 Error;
    /// Betza notation that this program does not read.
    UnsupportedBetza = 17 Error;
    /// A word that is used as a flag but reads as Betza notation.
    AmbiguousToken = 18 Error;
    /// A blank inside a coordinate.
    BlankInExpression = 19 Error;
    /// Rows of the diagram that differ in length.
    RowLength = 20 Error;
    /// A board of more than 16 rows or columns, or more than 192 squares.
    BoardSize = 21 Error;
    /// No diagram and no `@fen`.
    NoDiagram = 22 Error;
    /// A royal piece that is not on the board, or that is not defined.
    NoRoyal = 23 Error;
    /// A piece or variant defined twice.
    DuplicateName = 24 Error;
    /// A promotion to a piece that is not defined.
    PromotionPiece = 25 Error;
    /// More moves than the compiler takes.
    TooManyMoves = 26 Error;
    /// More pieces, flags or errors than there is room for.
    TooMany = 27 Error;
    /// A number too large to mean anything.
    NumberRange = 28 Error;
    /// A parent (`@extends`) that does not exist.
    UnknownParent = 29 Error;
    /// A start position that cannot be read.
    StartPosition = 30 Error;
    /// A variable whose domain is always empty, so that it makes no move.
    EmptyDomain = 31 Warning;
    /// A move that can be played from no square.
    UnreachableMove = 32 Warning;
    /// A flag that is never set or never tested.
    IdleFlag = 33 Warning;
    /// A line of an imported file that does not fit its format.
    IniSyntax = 34 Error;
    /// A value that a key of an imported file does not take.
    IniValue = 35 Error;
    /// Something in an imported file that the game here goes without.
    LeftOut = 36 Warning;
    /// Drops in a game without hands, or hands without drops.
    IdleHand = 37 Warning;
    /// Text before the first `@variant`.
    NoVariant = 38 Warning;
    /// A promotion in a zone in which the board has no square.
    EmptyZone = 39 Warning;
    /// A rule that counts points where no piece has any.
    IdlePoints = 40 Warning;
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "V{:03}", *self as u16)
    }
}

/// One remark about a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// What kind of mistake.
    pub code: Code,
    pub span: Span,
    /// What is wrong, in a few words without a full stop.
    pub message: String,
    /// What to write instead, if that can be guessed.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A remark without help.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self { code, span, message: message.into(), help: None }
    }

    /// The same with a line of help.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same with "did you mean" instead of its help, if a candidate is near.
    #[must_use]
    pub fn suggest<'a>(self, word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Self {
        match crate::suggest::nearest(word, candidates) {
            Some(near) => self.help(format!("did you mean '{near}'?")),
            None => self,
        }
    }

    /// Returns `true` if the file is refused because of it.
    pub fn is_error(&self) -> bool {
        self.code.severity() == Severity::Error
    }

    /// The remark as a compiler prints it: place, code, message, the line with a caret, help. A
    /// remark about the whole file has no place and no line.
    ///
    /// ```
    /// use tamarin_variant::{Code, Diagnostic, Span};
    ///
    /// let span = Span { line: 1, column: 3, length: 2 };
    /// let remark = Diagnostic::new(Code::UnknownAtom, span, "unknown atom 'X'").help("try W");
    /// assert_eq!(remark.render("my.var", "r fX\n"), "\
    /// my.var:1:3: error[V015]: unknown atom 'X'
    ///   r fX
    ///     ^^
    ///   help: try W
    /// ");
    /// ```
    pub fn render(&self, file: &str, source: &str) -> String {
        let Span { line, column, length } = self.span;
        let word = match self.code.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let place = if line == 0 { String::new() } else { format!(":{line}:{column}") };
        let mut text = format!("{file}{place}: {word}[{}]: {}\n", self.code, self.message);
        let index = (line as usize).saturating_sub(1);
        let source_line =
            source.lines().nth(index).filter(|text| line > 0 && !text.trim().is_empty());
        if let Some(source_line) = source_line {
            // Tabs stay tabs before the caret too, so that it points where it should.
            let lead: String = source_line
                .chars()
                .chain(std::iter::repeat(' '))
                .take((column as usize).saturating_sub(1))
                .map(|c| if c == '\t' { '\t' } else { ' ' })
                .collect();
            let source_line = source_line.trim_end();
            let rest = source_line.chars().count().saturating_sub(lead.chars().count());
            let carets = "^".repeat((length as usize).min(rest).max(1));
            let _ = write!(text, "  {source_line}\n  {lead}{carets}\n");
        }
        if let Some(help) = &self.help {
            let _ = writeln!(text, "  help: {help}");
        }
        text
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Span { line, column, .. } = self.span;
        write!(f, "{line}:{column}: {}: {}", self.code, self.message)
    }
}
