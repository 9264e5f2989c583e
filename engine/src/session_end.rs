//! How sessions end.

/// How the sessions ended, all together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SessionEnd {
    /// All commands were carried out.
    Success,
    /// A command was refused, or failed for a reason outside the engine.
    AfterError,
    /// A command was not carried out because of an error in the engine.
    AfterInternalError,
}

/// What comes after a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    End,
    /// A session in the other protocol.
    OtherProtocol,
}
