//! A storm of commands of the XBoard protocol, in any order.

use super::xboard::Client;
use super::{Oracle, Random, ms};

/// Commands of every kind, good and bad.
const LINES: &str = "new|force|go|playother|usermove e2e4|usermove e7e5|d2d4|usermove O-O|\
    usermove nonsense|?|post|nopost|hard|easy|level 40 5 0|level 0 0:01 0.01|level x y z|st 0.01|\
    st 0|sd 3|sd 0|nps 1000|nps -1|time 5|time -100|otim 5|\
    setboard rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1|\
    setboard 8/8/8/8/8/8/8/8 w - - 0 1|setboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1|setboard|edit|#|c|\
    Ke1|Pa4|xa4|.|undo|remove|result 1-0 {x}|draw|hint|bk|analyze|exit|exclude e2e4|exclude all|\
    include all|include d2d4 nonsense|memory 8|memory -3|cores 1|cores 2|egtpath syzygy /none|\
    option MultiPV=2|option Clear Hash|option|variant fischerandom|variant normal|white|black|\
    protover 2";

/// Sends some of them, then asks for a move: the same must come out as from a new engine. Gives
/// the lines.
///
/// # Panics
/// If the engine is silent or its move is not legal.
pub fn run(client: &mut Client, random: &mut Random) -> Vec<&'static str> {
    let all: Vec<_> = LINES.split('|').collect();
    let count = 5 + random.below(25);
    let lines: Vec<_> = (0..count).map(|_| *random.pick(&all)).collect();
    for line in &lines {
        client.send(line);
        if random.below(8) == 0 {
            std::thread::sleep(ms(3));
        }
    }
    // Out of the edit mode and of thinking; then the same must come out as from a new engine.
    client.send(".\n?\nforce");
    client.sync();
    client.send("exit\neasy\nnew\nsd 2\ncores 1");
    client.sync();
    client.moved("usermove e2e4", &Oracle::startpos().after(&["e2e4"]));
    client.send("force");
    client.sync();
    lines
}
