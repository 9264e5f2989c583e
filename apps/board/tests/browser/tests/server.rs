//! The server under test.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// `tamarin-tools board`, with its games in a folder of the test.
pub struct Server {
    child: Child,
    pub address: String,
}

/// The program: that of `TAMARIN_TOOLS`, or of the last debug build.
pub fn program() -> PathBuf {
    std::env::var_os("TAMARIN_TOOLS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../target/debug/tamarin-tools"),
        PathBuf::from,
    )
}

impl Server {
    pub fn start(state: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(program())
            .args(["board", "--no-browser", "--threads", "1", "--hash", "8"])
            .args(arguments)
            .env("XDG_STATE_HOME", state)
            .env("XDG_DATA_HOME", state)
            .env("HOME", state)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the server starts");
        let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        let address = lines.by_ref().map_while(Result::ok).find_map(|line| {
            line.split_whitespace().find(|word| word.starts_with("http://")).map(str::to_owned)
        });
        // Whatever it says later is read, so that it never waits for us.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, address: address.expect("the server says its address") }
    }

    /// Ends it as the system would: nothing is tidied up.
    pub fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it has ended");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
