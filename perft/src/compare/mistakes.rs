//! Mistakes of move generators, each with the rule of `suites/rules.epd` that it breaks.

macro_rules! mistakes {
    ($($name:ident $rule:literal)*) => {
        /// One mistake that [`super::mailbox::Mailbox`] can make.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Mistake { $(#[doc = $rule] $name),* }

        impl Mistake {
            /// All of them; the first twenty are the commonest.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The rule that it breaks.
            pub const fn rule(self) -> &'static str {
                match self { $(Self::$name => $rule),* }
            }
        }
    };
}

mistakes! {
    EpNever "en passant: a pawn that has just moved two squares may be taken, the next move only"
    EpRank "en passant: both pawns leave the rank, which opens it to a rook: illegal"
    EpPinned "en passant: a pinned pawn may not leave the pin's diagonal"
    EpAlongPin "en passant: a pinned pawn may take along the pin's diagonal"
    EpChecker "en passant: takes the pawn that gives check"
    EpStays "en passant: a pawn that has just moved two squares may be taken, the next move only"
    EpVictimStays "state: the pawn taken en passant leaves the board"
    CastleInCheck "castling: not out of check"
    CastleAcross "castling: not across an attacked f1"
    CastleB1 "castling: an attacked b1 does not matter"
    CastlePawns "castling: a pawn attacks f1"
    RightCaptured "castling: the right ends when the rook is taken"
    RightPromotion "castling: the right ends when a promoting pawn takes the rook"
    UndoRights "state: taking a move back does not restore the castling rights"
    QueenOnly "promotion: four pieces, none optional"
    PromotionCheck "promotion: closes the line of a check"
    KingRetreats "king: may not retreat along the line of the check"
    DoubleCheck "double check: only the king may move"
    PinnedAnswers "check: a pinned piece may not answer it"
    RookPinned "Chess960: the castling rook is pinned on the first rank: illegal"

    EpPins "en passant: a pinned pawn may not leave the pin's diagonal"
    EpFile "en passant: the taker closes the file that the taken pawn closed: legal"
    EpFilePinned "en passant: a pawn pinned on its file may not take"
    EpThird "en passant: a third piece still closes the rank: legal"
    EpDiscovered "en passant: no answer to the check that the two-square move discovered"
    EpPinnedChecker "en passant: a pinned pawn may not take the pawn that gives check"
    EpEdge "en passant: a pawn on the a-file may take"
    EpLeft "en passant: two pawns may take, from the left and from the right"
    EpRight "en passant: two pawns may take, from the left and from the right"
    EpBlack "en passant: black takes too"
    EpWraps "en passant: never from the h-file to the a-file"
    EpSingle "en passant: only after a move of two squares, not of one"
    EpBishop "en passant: only a pawn may take so, a bishop does not by going to the square"
    CastlePawnCheck "castling: not out of a pawn's check"
    CastleTo "castling: not to an attacked g1"
    CastleRook "castling: an attacked rook does not matter"
    CastleKing "castling: the other king attacks f1 and g1"
    CastleKnight "castling: a knight attacks f1"
    CastleB1Full "castling: b1 must be empty"
    CastleFull "castling: d1 and f1 must be empty"
    CastleShort "castling: white, both sides"
    CastleLong "castling: white, both sides"
    CastleBlack "castling: black, both sides"
    CastleRookStays "castling: the rook goes to f1, with check"
    RightRookMoves "castling: the right ends when king or rook move, and stays lost when they return"
    RightKingMoves "castling: the right ends when king or rook move, and stays lost when they return"
    RightFile "castling: another rook on the h-file may move without loss of the right"
    RightOther "castling: one side's castling leaves the other side's rights"
    RightBoth "castling: rook takes rook, both rights end"
    NoKnight "promotion: four pieces, none optional"
    PromotionQuiet "promotion: four pieces, none optional"
    PromotionCapture "promotion: by capture, four pieces"
    PromotionChecker "promotion: takes the knight that gives check"
    PromotionA8 "promotion: a pawn on b7 has nothing to take on an empty a8"
    PawnJumps "pawn: two squares need both squares empty"
    PawnAhead "pawn: does not take straight ahead"
    PawnFrozen "pawn: pinned on its file may still advance"
    PawnDiagonal "pawn: pinned on a diagonal may not advance"
    PawnPinner "pawn: pinned on a diagonal may take the piece that pins it"
    PawnRank "pawn: pinned on a rank may not move"
    PawnFileTakes "pawn: pinned on its file may not take"
    PawnWraps "pawn: captures do not wrap round the edge"
    PawnTwoCheck "pawn: a two-square move may close the line of a check"
    KingTakes "king: may not take a protected piece"
    KingChecker "king: must take the unprotected queen that gives check"
    KingsMeet "king: kings never stand side by side"
    KingPawn "king: a pawn attacks the diagonals, not the square in front of it"
    KingOwn "king: does not take its own pieces"
    CheckIgnored "check: move the king, close the line or take the piece"
    CheckBlock "check: move the king, close the line or take the piece"
    CheckTake "check: move the king, close the line or take the piece"
    PinRook "pin: a rook moves along the line, to and with the pinning piece"
    PinQueen "pin: a queen moves along the diagonal only"
    PinKnight "pin: a knight may not move"
    PinTwo "no pin: two own pieces stand between"
    PinEnemy "no pin: a piece of the other side stands between"
    CountMate "counting: mate and stalemate have no successors"
    CountKings "counting: bare kings go on"
    CountFifty "counting: the fifty-move rule ends nothing"
    CountChecks "counting: the checks at the last ply are counted twice"
    CountRoot "counting: the moves of the root are counted again, no move is played"
    CountAll "counting: the totals of all depths are added"
    HashEp "state: same pieces, another en passant square: another count"
    HashRights "state: same pieces, another castling right: another count"
    King960Stays "Chess960: the king stays, the rook moves"
    King960Changes "Chess960: king and rook change places"
    Rook960Square "Chess960: the rook's square must be empty"
    Rook960Jumps "Chess960: the outer rook may not jump over the inner rook"
}
