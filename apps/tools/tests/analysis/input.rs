//! Games on standard input and packed ones.

use std::fs::File;
use std::io::Write as _;
use std::process::{Command, Stdio};

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::analysis::analyse::GAMES;
use crate::support::engine::{Finished, binary, good, run};
use crate::support::files::Folder;

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("there is memory");
    encoder.finish().expect("there is memory")
}

/// Runs the program in a folder with this file as its standard input.
fn fed(folder: &Folder, arguments: &[&str], input: &str) -> Finished {
    let mut command = Command::new(binary());
    command.args(arguments).current_dir(folder.path(".")).stdin(File::open(input).expect("a file"));
    Finished::of(command.output().expect("it starts"))
}

/// The same with these bytes through a pipe.
fn piped(folder: &Folder, arguments: &[&str], input: &[u8]) -> Finished {
    let input = folder.file("input", input);
    let mut command = Command::new("sh");
    let script = "input=$1; shift; cat \"$input\" | \"$0\" \"$@\"";
    command.args(["-c", script]).arg(binary()).arg(input).args(arguments);
    command.current_dir(folder.path(".")).stdin(Stdio::null());
    Finished::of(command.output().expect("it starts"))
}

#[test]
fn games_come_from_files_standard_input_and_packed_files() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES);
    let options = ["-n", "100", "-q", "-f", "json", "--threads", "1"];
    let wanted = good(&[&["analyse", &games], &options[..]].concat()).out;
    assert_eq!(wanted.lines().count(), 2);
    let zipped = folder.file("games.pgn.gz", packed(GAMES.as_bytes()));
    // By its first bytes, whatever its name.
    let unnamed = folder.file("games", packed(GAMES.as_bytes()));
    for path in [&zipped, &unnamed] {
        assert_eq!(good(&[&["analyse", path], &options[..]].concat()).out, wanted, "{path}");
    }
    for name in ["-", "/dev/stdin"] {
        let arguments = [&["analyse", name], &options[..]].concat();
        for input in [GAMES.as_bytes(), &packed(GAMES.as_bytes())] {
            assert_eq!(piped(&folder, &arguments, input).out, wanted, "{name}");
        }
        assert_eq!(fed(&folder, &arguments, &games).out, wanted, "{name}");
    }
    // Several files, of which the first ends without a line end.
    let cut = folder.file("cut.pgn", "[Event \"cut\"]\n\n1. e4 e5 2. Ke3 1-0");
    let both = run(&[&["analyse", &cut, &games, &zipped], &options[..]].concat());
    assert!(both.err.contains(&format!("{cut}: line 1: ply 3")), "{}", both.err);
    let events = |text: &str| text.matches("\"Event\"").count();
    assert_eq!((both.code(), events(&both.out)), (1, 2 * events(&wanted)), "{}", both.out);
    let epd = b"6k1/5ppp/8/8/8/8/8/R3K3 w - - id \"a\";\n";
    assert!(piped(&folder, &["analyse", "-", "-n", "500"], epd).out.contains("1. Ra8#"));
    let packed_epd = folder.file("positions.epd.gz", packed(epd));
    assert!(good(&["analyse", &packed_epd, "-n", "500"]).out.contains("1. Ra8#"));
}
