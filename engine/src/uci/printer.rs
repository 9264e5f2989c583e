//! Prints what a search reports as `info` and `bestmove` lines.

use std::sync::Arc;

use tamarin_uci::{BestMoveLine, CurrentMove, InfoLine};

use crate::inbox::Inbox;
use crate::output::Output;
use crate::report::{Answer, SearchOutput};

/// The output of one search.
///
/// It answers its `go` exactly once: with the move that the search found, or, if the search
/// panics before it has one, with a legal move when the printer is dropped.
pub struct Printer {
    /// Where lines go.
    pub output: Arc<Output>,
    /// What the end of the search is reported to.
    pub inbox: Arc<Inbox>,
    /// Whether the `go` is answered.
    pub is_answered: bool,
    /// The answer after a panic; `None` if there is no legal move.
    pub fallback: Option<String>,
}

impl Printer {
    /// Prints the `bestmove` line, once.
    ///
    /// The end of the search is reported to the session before the line is printed: a client may
    /// send its next command as soon as it has the move, and for that command the search must have
    /// ended.
    fn give(&mut self, best: Option<String>, ponder: Option<String>) {
        if std::mem::replace(&mut self.is_answered, true) {
            return;
        }
        self.inbox.search_ended();
        self.output.line(&match best {
            Some(mv) => BestMoveLine::Move { mv, ponder },
            None => BestMoveLine::None,
        });
    }
}

impl SearchOutput for Printer {
    fn info(&mut self, info: InfoLine<String>) {
        self.output.line(&info);
    }

    fn current_move(&mut self, current: CurrentMove<String>) {
        self.output.line(&current);
    }

    fn note(&mut self, text: &str) {
        self.output.note(text);
    }

    fn answer(&mut self, answer: Answer) {
        self.give(answer.best, answer.reply);
    }
}

impl Drop for Printer {
    fn drop(&mut self) {
        if !self.is_answered {
            self.note("internal error: the search ended without a move");
            let fallback = self.fallback.take();
            self.give(fallback, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, Printer, SearchOutput};
    use crate::inbox::{Inbox, Request};
    use crate::output::Output;
    use crate::output::tests::Closing;
    use std::sync::Arc;
    use tamarin_uci::ScoreValue;

    /// What is printed for a `go` with this answer, or without one.
    fn printed(answer: Option<&str>, fallback: Option<&str>) -> String {
        let taken = Arc::default();
        let pipe = Closing { taken: Arc::clone(&taken), room: usize::MAX };
        let output = Arc::new(Output::new(Box::new(pipe), Box::new(|_| ())));
        let inbox = Arc::new(Inbox::default());
        inbox.push(Request::Lost("go".to_owned()), 0);
        inbox.next();
        let fallback = fallback.map(str::to_owned);
        let mut printer =
            Printer { output, inbox: Arc::clone(&inbox), is_answered: false, fallback };
        if let Some(best) = answer {
            let (best, reply) = (Some(best.to_owned()), Some("e7e5".to_owned()));
            printer.answer(Answer { best, reply, score: ScoreValue::Centipawns(0) });
        }
        drop(printer);
        assert!(!inbox.is_unanswered());
        inbox.attend(|_| panic!("there is no request"));
        String::from_utf8(std::mem::take(&mut *taken.lock())).expect("lines are text")
    }

    #[test]
    fn each_go_has_one_answer_even_after_a_panic() {
        let error = "info string internal error: the search ended without a move\n";
        assert_eq!(printed(Some("e2e4"), Some("a2a3")), "bestmove e2e4 ponder e7e5\n");
        assert_eq!(printed(None, Some("a2a3")), format!("{error}bestmove a2a3\n"));
        assert_eq!(printed(None, None), format!("{error}bestmove (none)\n"));
    }
}
